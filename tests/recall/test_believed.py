"""Text from outside never stands above a match as good as it of the person, nor fills an answer."""

from __future__ import annotations

from math import ceil
from pathlib import PurePosixPath

from hypothesis import given
from hypothesis import strategies as st

from vaultmem.model.answers import Found, Hit, NoteRow, Passage
from vaultmem.recall.belief.believed import (
    arrange_by_trust,
    cap_untrusted,
    contradictions,
    weigh_by_trust,
)
from vaultmem.recall.enough import hits_by_note

LEVELS = st.sampled_from(["untrusted", "limited", "user"])


def note(number: int, trust: str) -> NoteRow:
    return NoteRow(
        path=PurePosixPath(f"items/{number}.md"),
        oid="",
        id=f"i-{number}",
        type="item",
        title="",
        trust=trust,
    )


def found(number: int, score: float) -> Found:
    path = PurePosixPath(f"items/{number}.md")
    return Found(path=path, passage=Passage(text="x", seq=0, line=1), score=score)


@given(st.lists(LEVELS, min_size=2, max_size=8), st.floats(0.01, 100), st.floats(0.01, 1))
def test_of_equal_matches_the_more_trusted_comes_first(
    levels: list[str], score: float, weight: float
) -> None:
    notes = {PurePosixPath(f"items/{n}.md"): note(n, level) for n, level in enumerate(levels)}
    passages = weigh_by_trust([found(n, score) for n in range(len(levels))], notes, weight=weight)
    hits = hits_by_note(passages, notes, quoted_by={}, now=None, limit=10)
    order = ["user", "limited", "untrusted"]
    ranks = [order.index(hit.note.trust) for hit in hits]
    assert ranks == sorted(ranks)


@given(st.lists(LEVELS, max_size=30), st.integers(1, 10), st.floats(0, 1))
def test_what_is_from_outside_gets_its_share_at_most(
    levels: list[str], limit: int, share: float
) -> None:
    hits = [Hit(note=note(n, level), score=1.0, passages=()) for n, level in enumerate(levels)]
    kept = cap_untrusted(hits, limit=limit, share=share)
    assert len(kept) <= limit
    outside = sum(hit.note.trust == "untrusted" for hit in kept)
    assert outside <= ceil(limit * share)
    assert [hit for hit in hits if hit in kept] == list(kept)
    trusted = [hit for hit in hits if hit.note.trust != "untrusted"]
    assert len(kept) >= min(limit, len(trusted))


def test_a_withheld_passage_is_gone_and_the_loss_of_another_is_a_part_of_its_score() -> None:
    notes = {PurePosixPath("items/1.md"): note(1, "untrusted")}
    [one] = weigh_by_trust([found(1, 2.0)], notes, weight=0.8)
    assert one.score == 1.6
    assert [(part.name, round(part.value, 6)) for part in one.parts] == [("trust", -0.4)]
    withheld = {(PurePosixPath("items/1.md"), 0)}
    assert weigh_by_trust([found(1, 2.0)], notes, weight=0.8, withheld=withheld) == []


@given(st.lists(LEVELS, max_size=12))
def test_what_is_from_outside_stands_where_the_person_wants_it(levels: list[str]) -> None:
    hits = [Hit(note=note(n, level), score=1.0, passages=()) for n, level in enumerate(levels)]
    own = [hit for hit in hits if hit.note.trust != "untrusted"]
    outside = [hit for hit in hits if hit.note.trust == "untrusted"]
    assert list(arrange_by_trust(hits, way="label")) == hits
    assert list(arrange_by_trust(hits, way="separate")) == own + outside
    assert list(arrange_by_trust(hits, way="hide")) == own


def test_another_value_from_outside_is_no_answer_and_one_from_the_person_is() -> None:
    def saying(number: int, text: str) -> Found:
        path = PurePosixPath(f"items/{number}.md")
        return Found(path=path, passage=Passage(text=text, seq=0, line=1), score=1.0)

    found = [saying(1, "My dentist is Dr. Weber."), saying(2, "Your dentist is now Dr. Holm.")]
    places = {f"items/{n}.md": n for n in (1, 2)}
    for theirs, expected in (("untrusted", 1), ("limited", 0), ("user", 0)):
        levels = {1: "user", 2: theirs}
        notes = {PurePosixPath(path): note(n, levels[n]) for path, n in places.items()}
        apart = contradictions(found, notes)
        assert len(apart) == expected
        if apart:
            assert apart == {
                (PurePosixPath("items/2.md"), 0): "disagrees with what you said: 'dr weber'"
            }
