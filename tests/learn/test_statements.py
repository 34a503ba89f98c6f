"""Sentences of a turn: cut where sentences end, not inside an abbreviation."""

from __future__ import annotations

import pytest

from vaultmem.learn.own_statements import load, statements


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Always use tabs, e.g. in foo.py. Never spaces.", 2),
        ("Nimm immer Tabs, z. B. in Nr. 5. Nie Leerzeichen.", 2),
        ("Please write to Dr. Weber of Acme Inc. Berlin.", 1),
        ("We use plan B. Then we go.", 2),
    ],
)
def test_an_abbreviation_ends_no_statement(text: str, expected: int) -> None:
    assert len(statements(text, load("en"))) == expected
