"""Statements of a slot are found by their words: none that means something is missed."""

from __future__ import annotations

from pathlib import PurePosixPath

from hypothesis import example, given, settings
from hypothesis import strategies as st

from vaultmem.api.memory import Memory
from vaultmem.facts.slot_candidates import SlotWords
from vaultmem.facts.supersede import COEXIST, Stated, decide
from vaultmem.model.answers import Filters
from vaultmem.model.slots import part_key

WORDS = [
    *(
        "tea",
        "Tea",
        "tea,",
        "tea;",
        "green",
        "green-tea",
        "with",
        "milk",
        "milk.",
        "and",
        "cafe\u0301",
    ),
    *("caf\u00e9", "(strong)", "2", ",", ":", "!", "teapot", "\uff34ea", "\u2013"),
]
TEXTS = st.lists(st.sampled_from(WORDS), max_size=5).map(" ".join)


def stated(statement: str, value: str, *, predicate: str = "likes") -> Stated:
    return Stated(statement=statement, subject="user", predicate=predicate, object=value)


def path(number: int) -> PurePosixPath:
    return PurePosixPath(f"items/{number}.md")


@settings(max_examples=500, deadline=None)
@given(st.lists(st.tuples(TEXTS, TEXTS), max_size=8), TEXTS, TEXTS)
@example([("tea", "tea"), ("tea, with milk", "tea, with milk")], "tea with", "tea with")
def test_none_that_means_something_is_missed(
    known: list[tuple[str, str]], statement: str, value: str
) -> None:
    likes, dislikes = SlotWords(), SlotWords()
    for number, (said, about) in enumerate(known):
        likes.add(path(number), stated(said, about))
        dislikes.add(path(number), stated(said, about, predicate="dislikes"))
    new = stated(statement, value)

    def meant(other: Stated) -> bool:
        return decide(new, other, holds_one=lambda _: False) != COEXIST

    assert [each for each in likes.all() if meant(each[1])] == [
        each for each in likes.like(statement) if meant(each[1])
    ]
    assert [each for each in dislikes.all() if meant(each[1])] == [
        each for each in dislikes.about(value) if meant(each[1])
    ]
    same = [each for each in likes.all() if part_key(each[1].object) == part_key(value)]
    assert set(same) <= set(likes.about(value))


def test_of_many_others_none_is_looked_at() -> None:
    words = SlotWords()
    for number in range(2000):
        words.add(path(number), stated(f"I like thing {number:05} a lot", f"thing {number:05}"))
    assert [found for found, _ in words.like("I like thing 00700 a lot, and tea")] == [path(700)]
    assert [found for found, _ in words.about("thing 00700 of mine")] == [path(700)]


def test_a_long_list_still_meets_what_the_vault_and_the_list_say(memory: Memory) -> None:
    memory.remember("I like tea.")
    identity = memory.root / "streams/identity.md"
    lines = [f"- I like thing {number} a lot\n" for number in range(40)]
    lines += ["- I like tea with milk\n", "- I dislike thing 7 a lot\n", "- I like thing 9 a lot\n"]
    identity.write_bytes(identity.read_bytes() + "".join(lines).encode())
    memory.sync()
    rows = memory.list(Filters(types=("item",), statuses=("superseded", "expired")))
    assert "I like tea." in {row.statement for row in rows}
    text = identity.read_text()
    assert "I like tea. ^" not in text
    assert text.count("I like tea with milk ^") == 1
