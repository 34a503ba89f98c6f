"""Base truth in the person's words: no half of a name, no remnant of what was put right."""

from __future__ import annotations

import pytest

from vaultmem.api.memory import Memory


def holds(memory: Memory, *said: str) -> list[str]:
    session = memory.session("heron")
    for text in said:
        session.turn(text, "Noted.")
    return [fact.text for fact in session.show().truth]


def test_a_name_with_an_abbreviation_is_one_fact(memory: Memory) -> None:
    assert holds(memory, "I work at St. Mary's Hospital.") == ["I work at St. Mary's Hospital."]


@pytest.mark.parametrize(
    ("fact", "correction", "expected"),
    [
        ("We use FastAPI.", "No, not FastAPI, use Starlette.", "We use Starlette."),
        (
            "We use St. Gallen Bank as partner since 2019.",
            "No, not St. Gallen Bank, use Nord Bank.",
            "We use Nord Bank.",
        ),
    ],
)
def test_what_is_put_right_leaves_no_remnant(
    memory: Memory, fact: str, correction: str, expected: str
) -> None:
    assert holds(memory, fact, correction) == [expected]
