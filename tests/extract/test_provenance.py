"""The list form of a memory with date and importance (cases: vectors.json)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.extract.prepare import MemoryLine, parse_line


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("- [2025-02-30] a", MemoryLine(text="[2025-02-30] a")),
        ("- [2025-02] a", MemoryLine(text="[2025-02] a")),
        ("- [importance:3] a", MemoryLine(text="a", importance=3)),
        ("- [importance:11] a", MemoryLine(text="[importance:11] a")),
        ("* plain", MemoryLine(text="plain")),
        ("no list item", None),
        ("-dash", None),
    ],
)
def test_strictness(line: str, found: MemoryLine | None) -> None:
    assert parse_line(line) == found


@given(
    st.text(st.characters(exclude_categories=("C", "Z")), min_size=1).filter(lambda t: t[0] != "["),
    st.none() | st.dates().map(str),
    st.none() | st.integers(min_value=1, max_value=10),
)
def test_what_is_written_reads_as_the_same_memory(
    text: str, date: str | None, importance: int | None
) -> None:
    marks = [f"[{date}] "] * (date is not None)
    marks += [f"[importance:{importance}] "] * (importance is not None)
    memory = MemoryLine(text=text, date=date, importance=importance)
    assert parse_line(f"- {''.join(marks)}{text}") == memory
