"""A text is kept as it was said; what was found wrong in it since is told beside it."""

from __future__ import annotations

import pytest

from tests.conftest import FixedClock
from vaultmem.api.memory import Memory
from vaultmem.model.answers import Outdated

BLUE = "My favourite colour is blue."
QUESTION = "what is my favourite colour"
# Longer than twice its first sentence, in one passage: what is left of it may still answer.
LONG = (
    f"{BLUE} We painted the garden fence over the summer, and Hanna chose the colour of the gate "
    "after we had looked at forty little cards in the shop in the old town."
)


def outdated(memory: Memory, question: str = QUESTION) -> list[Outdated]:
    return [each for hit in memory.recall(question).hits for each in hit.outdated]


@pytest.fixture
def blue(memory: Memory) -> str:
    """The id of the item that a long text became."""
    done = memory.remember(LONG)
    (item,) = [each for each in done.items if "blue" in each.statement]
    return item.id


def test_what_is_so_has_no_remark(memory: Memory, blue: str) -> None:
    assert memory.recall(QUESTION).hits
    assert outdated(memory) == []


def test_a_corrected_item_says_that_its_quote_is_wrong(memory: Memory, blue: str) -> None:
    memory.correct(blue, "My favourite colour is green.")
    (told,) = outdated(memory)
    assert (told.what, told.quote, told.id) == ("corrected", BLUE, blue)
    assert told.text == "My favourite colour is green."
    assert told.describe() == f"corrected since: “{BLUE}” (now: {told.text} {blue})"


def test_corrected_back_it_is_so_again(memory: Memory, blue: str) -> None:
    memory.correct(blue, "My favourite colour is green.")
    memory.correct(blue, BLUE)
    assert outdated(memory) == []


def test_other_words_than_the_quote_are_no_correction(memory: Memory) -> None:
    done = memory.remember(BLUE)
    path = memory.root / done.items[0].path
    path.write_text(path.read_text("utf-8").replace(f"\n{BLUE}", "\nBlue is the colour I like."))
    assert memory.recall(QUESTION).hits
    assert outdated(memory) == []


def test_a_retracted_sentence_of_a_longer_text(memory: Memory, blue: str) -> None:
    memory.facts.retract(blue)
    (told,) = outdated(memory, "which colour did Hanna choose for the gate")
    assert (told.what, told.quote, told.text, told.id) == ("retracted", BLUE, "", blue)


def test_a_changed_sentence_names_what_took_its_place(
    memory: Memory, blue: str, clock: FixedClock
) -> None:
    clock.advance(days=2)
    done = memory.change(blue, "My favourite colour is green.")
    assert done.successor is not None
    told = outdated(memory, "which colour did Hanna choose for the gate")
    assert {(each.what, each.id) for each in told} == {("changed", done.successor.id)}
    clock.advance(days=2)
    last = memory.change(done.successor.id, "My favourite colour is red.").successor
    assert last is not None
    told = outdated(memory, "which colour did Hanna choose for the gate")
    assert {(each.text, each.id) for each in told} == {("My favourite colour is red.", last.id)}


def test_a_sentence_that_another_item_still_quotes_is_so(memory: Memory, blue: str) -> None:
    path = memory.root / next(hit.note.path for hit in memory.recall(QUESTION).hits)
    other = path.read_text("utf-8").replace(blue, "i-0123456789").replace("object: blue", "")
    path.with_name("another-i-0123456789.md").write_text(other, "utf-8")
    memory.facts.retract(blue)
    question = "which colour did Hanna choose for the gate"
    assert "i-0123456789" in {hit.note.id for hit in memory.recall(question).hits}
    assert outdated(memory, question) == []
    memory.facts.retract("i-0123456789")
    assert {each.id for each in outdated(memory, question)} == {blue, "i-0123456789"}


def test_a_context_says_it_in_the_same_words(memory: Memory) -> None:
    done = memory.remember(
        f"{BLUE} Letter from the painter: Hanna chose the colour of the gate after forty little "
        "cards in the shop in the old town."
    )
    (blue,) = [item.id for item in done.items]  # what others wrote is no item: its text answers
    memory.facts.retract(blue)
    pack = memory.context("which colour did Hanna choose for the gate")
    assert f"retracted since: “{BLUE}” ({blue})" in pack.text
