"""An appointment keeps its day and time from the word to the file, the list and the context."""

from __future__ import annotations

import json
from pathlib import PurePosixPath

import pytest

from tests.conftest import NOON, FixedClock
from tests.facts.test_contradictions import DAY, rows, said
from vaultmem.api.memory import Memory
from vaultmem.model.answers import FORMATS, Format


def note_of(memory: Memory, words: str) -> str:
    """The file of the one item that says it."""
    (path,) = [row.path for row in rows(memory) if words in row.statement]
    return (memory.root / PurePosixPath(path)).read_text("utf-8")


def test_the_file_of_an_appointment_says_when_it_is_due(memory: Memory) -> None:
    done = memory.remember("My eye test is on 23 June at 10:40.")
    assert [row.due for row in rows(memory)] == [done.items[0].due]
    assert "\ndue: 2026-06-23T10:40:00+00:00\n" in note_of(memory, "eye test")


@pytest.mark.parametrize("format_", FORMATS)
def test_every_format_of_a_context_shows_what_is_due(memory: Memory, format_: Format) -> None:
    memory.remember("My eye test is on 23 June at 10:40.")
    text = memory.context("when is my eye test?", format=format_).text
    shown = {"json": '"due": "2026-06-23 10:40"', "xml": 'due="2026-06-23 10:40"'}
    assert shown.get(format_, "due 2026-06-23 10:40]") in text
    if format_ == "json":
        json.loads(text)


def test_a_context_tells_what_will_end_from_what_is_over(memory: Memory, clock: FixedClock) -> None:
    memory.remember("The lab uses hall 4 until 30 April.", kind="fact", stream="projects")
    assert "ends 2026-04-30]" in memory.context("which hall does the lab use?").text
    clock.advance(days=60)
    memory.sync()
    assert said(memory, "expired") == ["The lab uses hall 4 until 30 April."]
    assert "ends 2026" not in memory.context("which hall does the lab use?").text


def test_a_line_says_each_day_once(memory: Memory) -> None:
    memory.remember("My eye test is on 23 June at 10:40.")
    memory.remember("My passport expires on 3 November.")
    text = memory.context("my eye test and my passport").text
    assert "- [due 2026-06-23 10:40] My eye test" in text
    assert ", due 2026-11-03] My passport" in text


def test_what_was_over_before_it_was_told_has_begun_nobody_knows_when(memory: Memory) -> None:
    memory.remember("I used to row, but I quit in 2020.", kind="fact")
    (row,) = rows(memory)
    assert (row.valid_from, row.valid_until) == (None, NOON - (6 * 365 + 2 + 69) * DAY - DAY // 2)
    assert memory.check().problems == ()


def test_a_bullet_is_dated_as_what_is_told(memory: Memory) -> None:
    memory.remember("I live in Graz.")
    file = memory.root / "streams" / "projects.md"
    before = file.read_text("utf-8") if file.exists() else "---\ntype: stream\n---\n\n# Projects\n"
    file.write_text(f"{before.rstrip()}\n\n- The fair is on 23 June at 10:40.\n", "utf-8")
    memory.sync()
    assert "\ndue: 2026-06-23T10:40:00+00:00\n" in note_of(memory, "The fair")
