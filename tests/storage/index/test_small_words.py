"""Small words that no table of words has are no misspellings of rarer ones."""

from __future__ import annotations

import pytest

from vaultmem.api.memory import Memory


@pytest.mark.parametrize(
    ("kept", "question"),
    [
        ("Our till is a tin box.", "do I still go to the choir"),
        ("The Evans family has the key.", "even so, who goes to the choir"),
        ("Die Nocke der Pumpe ist neu.", "gehe ich noch in den Chor"),
    ],
)
def test_they_are_searched_as_they_are_written(memory: Memory, kept: str, question: str) -> None:
    memory.remember(kept)
    memory.remember("I sing in the choir.")
    assert memory.recall(question).repairs == ()
