"""What becomes of drafts beside what is known, and the test that quotes have to pass."""

from __future__ import annotations

import pytest

from vaultmem.extract.draft import is_grounded, keep_grounded
from vaultmem.extract.items import reinforce
from vaultmem.model.drafts import Draft, Turn


def _draft(statement: str, quote: str = "x") -> Draft:
    return Draft(statement=statement, quote=quote, rule="preference:prefer", kind="preference")


def test_repetition_adds_a_third_of_what_is_missing_and_never_passes_one() -> None:
    assert reinforce(0.7) == pytest.approx(0.79)
    assert reinforce(1.0) == 1.0
    assert reinforce(0.0) == pytest.approx(0.3)


@pytest.mark.parametrize(
    ("quote", "text", "expected"),
    [
        ("I prefer tabs", "Well, I prefer tabs.", True),
        ("I  prefer\ntabs", "Well, I prefer tabs.", True),
        ("I prefer spaces", "Well, I prefer tabs.", False),
        ("i prefer tabs", "Well, I prefer tabs.", False),
        ("", "text", False),
        (" ", "text", False),
    ],
)
def test_a_quote_stands_in_the_text_white_space_aside(
    quote: str, text: str, expected: bool
) -> None:
    assert is_grounded(quote, text) is expected


def test_a_draft_whose_quote_is_not_in_one_turn_is_dropped_and_listed() -> None:
    turns = (Turn(text="I prefer"), Turn(text="tabs"))
    kept, refused = keep_grounded([_draft("A", "I prefer"), _draft("B", "I prefer tabs")], turns)
    assert [draft.statement for draft in kept] == ["A"]
    assert [(one.text, one.rule) for one in refused] == [("B", "not-grounded")]
