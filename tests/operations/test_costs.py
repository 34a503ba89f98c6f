"""A change costs what it changes: counted in calls of Python, which no other process disturbs."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from types import FrameType

import pytest

from tests.conftest import FixedClock
from vaultmem.memory import Memory
from vaultmem.model.ids import item_id

AT = 1_773_230_000  # seconds; long ago
NOTE = """---
id: {id}
kind: fact
{stream}status: active
valid_from: 2026-01-01
importance: 1
writer: person
trust: user
---

{text}
"""


def calls_of_an_edit(root: Path, *, listed: int, others: int = 0) -> int:
    """Calls that `sync` takes after one bullet was reworded, beside so many others."""
    Memory.init(root, name="costs", clock=FixedClock())
    folder = root / "items" / "2026"
    folder.mkdir(parents=True)
    bullets = []
    for number in range(listed + others):
        text = f"Shelf {number} holds box {number * 7}."
        id_ = item_id("costs", text)
        stream = "stream: identity\n" if number < listed else ""
        note = folder / f"{number // 20}" / f"shelf-{number}-{id_}.md"  # as by days: not all in one
        note.parent.mkdir(exist_ok=True)
        note.write_text(NOTE.format(id=id_, stream=stream, text=text), encoding="utf-8")
        bullets += [f"- {text} ^{id_}\n"] * bool(stream)
    with open(root / "streams" / "identity.md", "a", encoding="utf-8") as identity:
        identity.writelines(bullets)
    for place in (folder, *folder.rglob("*")):  # a scan looks twice at what is two seconds old
        os.utime(place, (AT, AT))
    with Memory(root, clock=FixedClock()) as memory:
        memory.sync()
        _reword(root, "Shelf 5 holds", "Shelf 5 had")
        memory.sync()  # what is imported and compiled once is no cost of the edit that is counted
    _reword(root, "Shelf 6 holds", "Shelf 6 had")
    calls = 0

    def count(frame: FrameType, event: str, argument: object) -> None:
        nonlocal calls
        calls += event == "call"

    with Memory(root, clock=FixedClock()) as memory:
        sys.setprofile(count)
        try:
            report = memory.sync()
        finally:
            sys.setprofile(None)
        assert [each.what for each in report.learned] == ["changed"]
        assert len(report.commits) == 2
    return calls


def _reword(root: Path, old: str, new: str) -> None:
    identity = root / "streams" / "identity.md"
    identity.write_text(identity.read_text("utf-8").replace(old, new), "utf-8")


@pytest.fixture
def few(tmp_path: Path) -> int:
    return calls_of_an_edit(tmp_path / "few", listed=40)


def test_notes_that_are_in_no_list_cost_nothing(tmp_path: Path, few: int) -> None:
    many = calls_of_an_edit(tmp_path / "many", listed=40, others=400)
    assert many < 1.05 * few


def test_a_longer_list_costs_being_read_twice(tmp_path: Path, few: int) -> None:
    """As it is and as it was, 33 calls a bullet each; taken apart 15 times it was 320."""
    many = calls_of_an_edit(tmp_path / "many", listed=440)
    assert (many - few) / 400 < 90
