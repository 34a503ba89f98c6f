"""Clocks and times of files that lie: edits are found, commits keep their order."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.conftest import FixedClock, Git
from vaultmem.api.memory import Memory

YEAR_2039 = 2_177_452_800_000  # beyond 32 bits of seconds
SECOND_NS = 1_000_000_000


@pytest.fixture
def note(root: Path, memory: Memory) -> Path:
    """A note that the index knows, last changed long enough ago to be trusted by its stat."""
    file = root / "items" / "note.md"
    file.parent.mkdir(exist_ok=True)
    file.write_text("I like tea.\n")
    os.utime(file, ns=(SECOND_NS, SECOND_NS))
    memory.sync()
    return file


def says(memory: Memory) -> str:
    [row] = [row for row in memory.list() if row.path.name == "note.md"]
    return row.statement or row.title


@pytest.mark.parametrize("seconds", [1, 4_102_444_800, 1_773_230_400])
def test_an_edit_of_the_same_size_and_time(memory: Memory, note: Path, seconds: int) -> None:
    """Time set back, to 2100, or kept: the time of change (ctime) tells."""
    os.utime(note, (seconds, seconds))
    memory.sync()
    before = note.stat()
    note.write_text("I like ale.\n")
    os.utime(note, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert (note.stat().st_mtime_ns, note.stat().st_size) == (before.st_mtime_ns, before.st_size)
    assert says(memory) == "I like ale."
    assert memory.sync().pending == ()


def test_commit_times_never_go_back(root: Path, git: Git) -> None:
    """Back by a day, forward to 2039, to 1970 without a battery: order of record is kept."""
    clock = FixedClock()
    start = clock.at
    told = []
    with Memory(root, clock=clock) as memory:
        for number, at in enumerate((start, start - 86_400_000, YEAR_2039, 0, start)):
            clock.at = at
            told.append(memory.remember(f"I prefer mug number {number}.").commit)
        assert [each.commit for each in memory.history.log(limit=5)] == told[::-1]
    times = [int(line) for line in git("log", "--format=%ct", "--reverse").split()]
    assert times == sorted(times)
    assert times[-1] == YEAR_2039 // 1000
    assert git("rev-list", "--reverse", "HEAD").split()[-5:] == told
    assert "error" not in git("fsck", "--full", "--strict", "--no-dangling")
    with Memory(root, clock=clock) as memory:
        before = memory._vault.index.dump()
        memory.reindex()
        assert memory._vault.index.dump() == before


def test_a_watchers_sign_of_life_from_before_a_restart_is_not_believed(root: Path) -> None:
    """The monotonic clock began anew: a sign from the future says nothing."""
    from vaultmem.storage.files.locking import Heartbeat, read_heartbeat, write_heartbeat

    with Memory(root) as memory:
        state = memory.settings.state
        beat = Heartbeat(pid=os.getpid(), at=5e9, every_seconds=2.0, is_clean=True)
        write_heartbeat(state, beat)
        assert read_heartbeat(state) is None
        (root / "items").mkdir(exist_ok=True)
        (root / "items/note.md").write_text("I like tea.\n")
        assert says(memory) == "I like tea."
