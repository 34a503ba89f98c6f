"""`sync` looks at all files once, and what is saved after that look is neither lost nor taken for
its own."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path, PurePosixPath
from types import FrameType
from typing import Any

import pytest

from tests.conftest import FixedClock, Git
from tests.faults.test_between import Before
from vaultmem.api.memory import Memory
from vaultmem.extract.prepare import Document
from vaultmem.model.answers import Filters
from vaultmem.model.ids import blob_oid
from vaultmem.storage.files.temporaries import Entry, encode_log

BULLET = "I like green tea"


@pytest.fixture
def identity(root: Path) -> Path:
    return root / "streams" / "identity.md"


@pytest.fixture
def note(root: Path, identity: Path, clock: FixedClock) -> Path:
    """The note of an item that stands in a list; nothing is left to be settled."""
    with open(identity, "a", encoding="utf-8") as lines:
        lines.write(f"- {BULLET}\n")
    with Memory(root, clock=clock) as memory:
        memory.sync()
    (found,) = (root / "items").rglob("*.md")
    return found


def takes_the_lock(name: str, arguments: tuple[Any, ...]) -> bool:
    return name == "open" and Path(os.fspath(arguments[0])).name == "lock"


def test_the_files_are_compared_once(
    root: Path, identity: Path, note: Path, clock: FixedClock
) -> None:
    seen: list[str] = []

    def count(frame: FrameType, event: str, argument: object) -> None:
        if event == "call" and frame.f_code.co_name == "descend":
            seen.append(event)

    with Memory(root, clock=clock) as memory:
        replace(identity, "green tea", "white tea")
        sys.setprofile(count)
        try:
            report = memory.sync()
        finally:
            sys.setprofile(None)
    assert [each.what for each in report.learned] == ["changed"]
    assert len(seen) == 1
    assert "white tea" in note.read_text("utf-8")


def test_git_is_asked_once_for_a_list_as_it_was_settled(
    root: Path, identity: Path, note: Path, clock: FixedClock
) -> None:
    asked: list[str] = []

    def count(frame: FrameType, event: str, argument: object) -> None:
        if event == "call" and frame.f_code.co_name == "text_at":
            asked.append(frame.f_locals["path"])

    replace(identity, "green tea", "white tea")
    with Memory(root, clock=clock) as memory:
        sys.setprofile(count)
        try:
            memory.sync()
        finally:
            sys.setprofile(None)
    assert "white tea" in note.read_text("utf-8")
    assert len(set(asked)) == len(asked)


def test_git_is_asked_once_for_all_notes_that_were_reworded(root: Path, clock: FixedClock) -> None:
    asked: list[str] = []

    def count(frame: FrameType, event: str, argument: object) -> None:
        if event == "call" and frame.f_code.co_qualname == "Engine.start":
            asked.append(frame.f_locals["arguments"][0])

    texts = ("I like tea.", "I like bread.", "I like rain.", "I like snow.")
    with Memory(root, clock=clock) as memory:
        memory.remember_many(Document(text=text) for text in texts)
        memory.sync()
        for found in (root / "items").rglob("*.md"):
            replace(found, "I like", "I love")
        sys.setprofile(count)
        try:
            memory.sync()
        finally:
            sys.setprofile(None)
        rows = memory.list(Filters(types=("item",)))
    assert {row.statement for row in rows} == {text.replace("like", "love") for text in texts}
    assert asked.count("cat-file") <= 2


def test_another_process_that_wrote_meanwhile_is_seen(
    root: Path, identity: Path, note: Path, clock: FixedClock
) -> None:
    def write() -> None:
        with Memory(root, clock=clock) as other:
            other.remember("My bike has a steel frame.")

    with Memory(root, clock=clock) as memory:
        replace(identity, "green tea", "white tea")
        with Before(takes_the_lock, write) as before:
            memory.sync()
        assert before.is_done
        assert memory.search("steel frame").hits
        report = memory.sync()
    assert not report.commits
    assert "white tea" in note.read_text("utf-8")


@pytest.mark.parametrize("again", [False, True], ids=["before the lock", "and before writing"])
def test_a_note_that_is_saved_after_the_look_is_committed_as_the_persons(
    root: Path, identity: Path, note: Path, clock: FixedClock, git: Git, *, again: bool
) -> None:
    """The operation writes into this very note: it notices, and looks once more."""
    line = "I saw it on the way home."

    def save() -> None:
        with open(note, "a", encoding="utf-8") as file:
            file.write(f"\n{line}\n")

    with Memory(root, clock=clock) as memory:
        replace(identity, "green tea", "white tea")
        with Before(starts_git if again else takes_the_lock, save) as before:
            memory.sync()
        assert before.is_done
        memory.sync()
    text = note.read_text("utf-8")
    assert line in text
    assert "white tea" in text
    assert "Vaultmem-Op: edit" in git("log", "-1", "--format=%B", f"-S{line}")
    assert git("status", "--porcelain") == ""


def starts_git(name: str, arguments: tuple[Any, ...]) -> bool:
    return name in ("popen", "spawn")


@pytest.mark.parametrize("moment", [takes_the_lock, starts_git], ids=["lock", "git"])
def test_a_bullet_that_is_saved_after_the_look_is_adopted(
    root: Path,
    identity: Path,
    note: Path,
    clock: FixedClock,
    moment: Callable[[str, tuple[Any, ...]], bool],
) -> None:
    def save() -> None:
        with open(root / "streams" / "projects.md", "a", encoding="utf-8") as lines:
            lines.write("- I like my soup hot\n")

    with Memory(root, clock=clock) as memory:
        replace(identity, "green tea", "white tea")
        with Before(moment, save) as before:
            memory.sync()
        assert before.is_done
        memory.sync()
        assert memory.search("hot soup").hits
    assert " ^i-" in (root / "streams" / "projects.md").read_text("utf-8").splitlines()[-1]


def replace(file: Path, old: str, new: str) -> None:
    file.write_text(file.read_text("utf-8").replace(old, new), "utf-8")


def test_what_a_killed_writer_left_half_done_is_committed_by_the_same_sync(
    root: Path, identity: Path, note: Path, clock: FixedClock, git: Git
) -> None:
    """It is finished under the lock, after the files were compared."""
    waiting = PurePosixPath("resources/waiting.md")
    new, before = {note: b"# Changed\n", root / waiting: b"# Waiting\n"}, note.read_bytes()
    entries = [
        Entry(PurePosixPath(note.relative_to(root)), blob_oid(before), blob_oid(new[note])),
        Entry(waiting, None, blob_oid(new[root / waiting])),
    ]
    tag, folder = f"w-{2**22:x}-1", root / ".vaultmem" / "tmp"  # no process has this number
    folder.mkdir(exist_ok=True)
    (folder / f"{tag}.log").write_bytes(encode_log(entries))
    (folder / f"{tag}.0").write_bytes(before)
    (folder / f"{tag}.1").write_bytes(new[root / waiting])
    note.write_bytes(new[note])
    with Memory(root, clock=clock) as memory:
        memory.sync()
    assert (root / waiting).read_bytes() == new[root / waiting]
    assert git("status", "--porcelain") == ""
