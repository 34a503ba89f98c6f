"""Clusters of events are stable; what comes back is seen, what was said by others is not."""

from __future__ import annotations

from collections.abc import Collection

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.learn.test_learn import START
from vaultmem.language.dates import find_dates
from vaultmem.language.time import DAY_MS
from vaultmem.learn.conversations import Session, Utterance
from vaultmem.learn.topics import (
    Episode,
    are_of_one_topic,
    clusters,
    recurring,
    said_again,
    topic_words,
    without,
)


def event(number: int, text: str, *tags: str) -> Episode:
    return Episode(
        id=f"e{number:02}",
        words=topic_words(text),
        tags=frozenset(tags),
        day=f"2026-03-{number:02}",
    )


CLIMBED = [
    event(1, "I went climbing at the Boulderbar"),
    event(2, "Tom and I went climbing at the Boulderbar"),
    event(3, "I went climbing at the Boulderbar again"),
]
LUNCH = event(4, "I had lunch with Anna")


def ids(found: tuple[tuple[Episode, ...], ...]) -> list[list[str]]:
    return [[each.id for each in cluster] for cluster in found]


def test_events_of_one_topic_are_one_cluster() -> None:
    assert ids(clusters([*CLIMBED, LUNCH], [])) == [["e01", "e02", "e03"], ["e04"]]
    assert len(clusters(CLIMBED[:2], [], alike_from=0.9)) == 2


def test_known_events_are_in_a_cluster_where_a_new_one_joins_them() -> None:
    old, new = [CLIMBED[0], LUNCH], [CLIMBED[1]]
    assert ids(clusters(new, old)) == [["e01", "e02"]]


def test_tags_decide_where_both_have_some() -> None:
    one, other = event(1, "We baked rye bread", "bread"), event(2, "We baked rye bread", "work")
    third = event(3, "A new sourdough starter", "bread")
    assert ids(clusters([one, other, third], [])) == [["e01", "e03"], ["e02"]]


@settings(max_examples=40)
@given(
    st.permutations([*CLIMBED, LUNCH, event(5, "Lunch with Anna and Tom"), event(6, "Tax day")]),
    st.integers(0, 6),
)
def test_the_order_of_events_does_not_matter(order: list[Episode], cut: int) -> None:
    whole = clusters(order, [])
    assert whole == clusters(sorted(order, key=lambda each: each.id), [])
    assert sorted(each.id for cluster in whole for each in cluster) == sorted(e.id for e in order)
    partly = clusters(order[cut:], order[:cut])
    fresh = {each.id for each in order[cut:]}
    assert all(fresh & {each.id for each in cluster} for cluster in partly)


@settings(max_examples=60)
@given(
    st.lists(
        st.tuples(st.frozensets(st.sampled_from("abcdefg")), st.frozensets(st.sampled_from("xy"))),
        max_size=9,
    ),
    st.integers(0, 9),
    st.sampled_from((0.1, 0.3, 0.5, 1.0)),
)
def test_clusters_are_those_of_comparing_all_pairs(
    said: list[tuple[frozenset[str], frozenset[str]]], cut: int, alike_from: float
) -> None:
    made = [Episode(id=f"e{n}", words=words, tags=tags) for n, (words, tags) in enumerate(said)]
    new, known = made[:cut], made[cut:]
    expected = {each.id: {each.id} for each in made}
    for one in new:
        for other in made:
            if are_of_one_topic(one, other, alike_from=alike_from):
                both = expected[one.id] | expected[other.id]
                expected |= dict.fromkeys(both, both)
    wanted = sorted({tuple(sorted(expected[each.id])) for each in new})
    assert [tuple(each) for each in ids(clusters(new, known, alike_from=alike_from))] == wanted


class Tags(frozenset[str]):
    """Tags that count how often they are held against others."""

    compared = 0

    def __and__(self, other: Collection[object]) -> frozenset[str]:
        Tags.compared += 1
        return frozenset(super().__and__(frozenset(other)))


def test_events_of_one_tag_are_not_compared_each_with_each() -> None:
    made = [
        Episode(id=f"e{n:03}", words=frozenset([f"w{n}", "went"]), tags=Tags(["trip"]))
        for n in range(100)
    ]
    assert len(clusters(made, [])) == 1
    assert Tags.compared <= len(made)


def test_of_a_pasted_document_the_beginning_is_read() -> None:
    said = "The kiln runs on gas."
    talks = [
        Session(id=name, turns=(Utterance(role="user", text=f"{'Lorem ipsum. ' * 2000}{said}"),))
        for name in ("a", "b")
    ]
    assert not [each for each in said_again(talks, least=2) if each.statement == said]


def test_what_happens_on_three_days_happens_again_and_again() -> None:
    found = recurring(CLIMBED)
    assert found is not None
    assert found.words >= {"climbing", "boulderbar"}
    assert [each.id for each in found.episodes] == ["e01", "e02", "e03"]
    assert recurring(CLIMBED[:2]) is None
    assert found.typical.id == "e03"
    fairs = [
        event(n, f"I went to a {what} fair") for n, what in ((1, "car"), (2, "book"), (3, "tea"))
    ]
    assert recurring(fairs) is None
    same_day = [Episode(id=each.id, words=each.words, day="2026-03-01") for each in CLIMBED]
    assert recurring(same_day) is None


def talk(number: int, *said: str, role: str = "user", part_of: str = "") -> Session:
    turns = tuple(Utterance(role=role, text=words) for words in said)
    return Session(id=f"t{number}", turns=turns, at=START + number * DAY_MS, part_of=part_of)


def texts(*talks: Session, least: int = 2) -> list[str]:
    return [each.quote for each in said_again(talks, least=least)]


def test_a_sentence_of_two_conversations_is_said_again() -> None:
    one, two = talk(1, "Hi. The oven is broken."), talk(2, "The oven is broken!")
    assert texts(one, two) == ["The oven is broken"]
    assert texts(one) == texts(one, talk(1, "The oven is broken.")) == []
    assert texts(one, two, least=3) == []
    parts = talk(1, "The oven is broken.", part_of="x"), talk(2, "The oven is broken.", part_of="x")
    assert texts(*parts) == []


def test_what_is_no_statement_of_theirs_is_not() -> None:
    for words in (
        "Is the oven broken?",
        "If the oven is broken, call Ben.",
        "Ben says the oven is broken.",
        "> The oven is broken.",
    ):
        assert texts(talk(1, words), talk(2, words)) == [], words
    own = "The oven is broken."
    assert texts(talk(1, own, role="assistant"), talk(2, own, role="assistant")) == []
    assert texts(talk(1, own), talk(2, "The oven is not broken.")) == []


def test_dates_are_no_topic() -> None:
    text = "On 2026-03-12 I went climbing."
    places = [(each.start, each.end) for each in find_dates(text, START)]
    assert without(text, places) == "I went climbing."
    assert topic_words(text, dates=places) == topic_words("I went climbing")
