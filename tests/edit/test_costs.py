"""A change costs what it changes: counted in calls of Python, which no other process disturbs."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from types import FrameType

import pytest

from tests.conftest import FixedClock
from vaultmem.api.memory import Memory
from vaultmem.edit.settle import settle_all
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


def calls_of_new_bullets(root: Path, *, new: int, portion: int = 2_000, ending: bool) -> float:
    """Calls a bullet that `sync` takes after so many new ones were written into one list.

    ending  every third one ends what another one says
    """
    Memory.init(root, name="costs", clock=FixedClock())
    identity = root / "streams" / "identity.md"
    with open(identity, "a", encoding="utf-8") as lines:
        for number in range(new):
            is_new = ending and number % 3 == 0
            likes = "dislike" if is_new else "like"
            text = f"I {likes} {NAMES[number - is_new]} in the morning"
            lines.write(f"- {text if ending else f'{NAMES[number].title()} met Zoe'}\n")
    calls = 0

    def count(frame: FrameType, event: str, argument: object) -> None:
        nonlocal calls
        calls += event == "call"

    with Memory(root, clock=FixedClock()) as memory:
        memory.sync(settle=False)
        sys.setprofile(count)
        try:
            settle_all(
                memory.opened,
                confirm_deletions=False,
                allow_secrets=False,
                progress=None,
                most_adopted=portion,
            )
        finally:
            sys.setprofile(None)
    assert identity.read_text("utf-8").count(" ^i-") > 0.6 * new
    return calls / new


def _reword(root: Path, old: str, new: str) -> None:
    identity = root / "streams" / "identity.md"
    identity.write_text(identity.read_text("utf-8").replace(old, new), "utf-8")


NAMES = tuple(
    "".join("babeidofukilomunaper"[2 * int(digit) :][:2] for digit in f"{number:04}")
    for number in range(2_000)
)


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


def test_a_new_bullet_costs_no_more_in_a_longer_list(tmp_path: Path) -> None:
    """Those that end another one, too: each took its bullet out of a list that was read for it."""
    few = calls_of_new_bullets(tmp_path / "few", new=60, ending=True)
    many = calls_of_new_bullets(tmp_path / "many", new=480, ending=True)
    assert many < 1.05 * few


def test_a_portion_costs_what_is_new_in_it(tmp_path: Path) -> None:
    """All that earlier portions had adopted was read again by each; the list itself still is."""
    one = calls_of_new_bullets(tmp_path / "one", new=240, ending=False)
    many = calls_of_new_bullets(tmp_path / "many", new=240, portion=40, ending=False)
    assert many < 1.75 * one  # it was 2.3 times
