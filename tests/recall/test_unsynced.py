"""Answers from the index as it is, where the person asked for that: quick, and said to be so."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import FixedClock
from vaultmem.__main__ import main
from vaultmem.api.memory import Memory


@pytest.fixture
def unsynced(root: Path, clock: FixedClock) -> Iterator[Memory]:
    """A memory of the vault that compares no files, of an index that is level."""
    with Memory(root, clock=clock) as memory:
        memory.remember("I like green tea.")
        memory.sync()
    with Memory(root, clock=clock, sync=False) as memory:
        yield memory


def edit(root: Path) -> Path:
    (file,) = root.glob("items/**/*.md")
    file.write_text(file.read_text("utf-8").replace("green tea", "black coffee"), "utf-8")
    return file


def test_an_edit_is_not_seen_until_a_sync_and_the_answer_says_so(
    root: Path, unsynced: Memory
) -> None:
    edit(root)
    answer = unsynced.recall("coffee")
    assert (answer.hits, answer.is_level) == ((), False)
    assert answer.synced_at is not None
    assert unsynced.search("green tea").hits
    unsynced.sync()
    answer = unsynced.recall("coffee")
    assert answer.hits
    assert not answer.is_level  # it was level then; nobody looked now


def test_notes_are_listed_and_shown_as_the_index_has_them(root: Path, unsynced: Memory) -> None:
    (item,) = (note for note in unsynced.list() if note.type == "item")
    edit(root)
    (again,) = (note for note in unsynced.list() if note.type == "item")
    assert again == item
    assert unsynced.unsynced_since is not None
    shown = unsynced.show(item.id)
    assert (shown.note, shown.is_level) == (item, False)


def test_an_index_that_was_never_filled_is_filled_all_the_same(
    root: Path, clock: FixedClock
) -> None:
    with Memory(root, clock=clock) as memory:
        memory.remember("I like green tea.")
        state = memory.opened.state
    for file in state.glob("index.sqlite*"):
        file.unlink()
    with Memory(root, clock=clock, sync=False) as memory:
        answer = memory.recall("tea")
        assert answer.hits
        assert answer.is_level
        assert memory.unsynced_since is None


def test_writing_looks_at_the_files_all_the_same(root: Path, unsynced: Memory) -> None:
    edit(root)
    unsynced.remember("Elise lives in Bergen.")
    assert unsynced.recall("coffee").hits


@pytest.mark.parametrize("command", ["recall", "search", "list", "show"])
def test_commands_say_on_the_side_that_the_files_were_not_compared(
    command: str, root: Path, unsynced: Memory, capsys: pytest.CaptureFixture[str]
) -> None:
    (item,) = (note for note in unsynced.list() if note.type == "item")
    words = {"recall": ["tea"], "search": ["tea"], "show": [item.id]}.get(command, [])
    assert main([command, "--no-sync", *words, "--vault", str(root)]) == 0
    printed = capsys.readouterr()
    assert printed.err.startswith("not compared with the files: edits since 2026-03-11 12:00 ")
    assert "green tea" in printed.out
    assert main([command, *words, "--no-sync", "--json", "--vault", str(root)]) == 0
    printed = capsys.readouterr()
    assert printed.err == ""
    found = json.loads(printed.out)
    assert found["is_level"] is False
    assert found["synced_at"].startswith("2026-03-11T12:00:00")


def test_the_quick_way_to_recall_knows_it_too(
    root: Path, unsynced: Memory, capsys: pytest.CaptureFixture[str]
) -> None:
    edit(root)
    assert main(["--vault", str(root), "recall", "--no-sync", "tea"]) == 0
    printed = capsys.readouterr()
    assert "I like green tea." in printed.out
    assert printed.err.startswith("not compared with the files")
