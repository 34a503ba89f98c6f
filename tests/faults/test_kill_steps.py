"""SIGKILL before every step of an operation: the next command repairs, and nothing is lost."""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from vaultmem.memory import Memory
from vaultmem.model.recall import Filters

MOST_STEPS = 400
KEPT = "I am allergic to hazelnuts."
NEW = "I prefer tabs over spaces."

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no SIGKILL on this system"),
]


def killed(root: Path, operation: str, at: int, *rest: str) -> int | None:
    """Run it killed before step `at`; the number of steps if it ended before, else None."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.faults.killed", str(root), operation, str(at), *rest],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    if done.returncode == -signal.SIGKILL:
        return None
    assert done.returncode == 0, done.stderr
    return int(done.stdout.split()[1])


def walk(tmp_path: Path, prepare: Callable[[Path], None], operation: str, *rest: str) -> int:
    """Kill the operation before each of its steps, on a fresh copy each time; count the kills."""
    first = tmp_path / "first"
    Memory.init(first)
    with Memory(first) as memory:
        memory.remember(KEPT)
        memory.sync()
    prepare(first)
    root = tmp_path / "vault"
    for at in range(1, MOST_STEPS):
        shutil.copytree(first, root, symlinks=True)
        steps = killed(root, operation, at, *rest)
        assert_whole(root)
        if operation == "remember":
            assert_all_or_nothing(root)
        with Memory(root) as memory:
            shutil.rmtree(memory.settings.state)
        shutil.rmtree(root)
        if steps is not None:
            return at - 1
    raise AssertionError(f"{operation} took more than {MOST_STEPS} steps")


def assert_whole(root: Path) -> None:
    """One sync repairs; acknowledged memories, git and index are sound; nothing is left over."""
    with Memory(root) as memory:
        memory.sync()
        kept = memory.recall("allergic hazelnuts", filters=Filters(types=("item",)))
        assert [hit.note.statement for hit in kept.hits] == [KEPT]
        assert memory.sync().pending == ()
        updated = memory._parts.index.dump()
        memory.reindex()
        assert memory._parts.index.dump() == updated
        broken = [each for each in memory.check().problems if each.severity != "info"]
        assert broken == []
    fsck = subprocess.run(
        ["git", "fsck", "--full", "--strict"], cwd=root, capture_output=True, text=True, check=True
    )
    assert "error" not in fsck.stderr
    assert "missing" not in fsck.stdout
    status = subprocess.run(
        ["git", "status", "--porcelain"], cwd=root, capture_output=True, text=True, check=True
    )
    assert status.stdout == ""
    assert [file for file in (root / ".vaultmem/tmp").glob("*") if file.is_file()] == []


def assert_all_or_nothing(root: Path) -> None:
    """The text that was being remembered can be remembered again, and is there once."""
    with Memory(root) as memory:
        memory.remember(NEW)
        found = memory.recall("tabs spaces", filters=Filters(types=("item",)))
        assert [hit.note.statement for hit in found.hits] == [NEW]


def test_remember_killed_before_every_step(tmp_path: Path) -> None:
    kills = walk(tmp_path, lambda root: None, "remember", NEW)
    assert kills > 20
    print(f"remember: {kills} kills")


def test_sync_of_edits_killed_before_every_step(tmp_path: Path) -> None:
    def edit(root: Path) -> None:
        tasks = root / "streams/tasks.md"
        tasks.write_text(tasks.read_text() + "\n- [ ] Renew the passport\n")
        [item] = root.glob("items/**/*.md")
        item.write_text(item.read_text() + "\nSince childhood.\n")

    kills = walk(tmp_path, edit, "sync")
    assert kills > 20
    print(f"sync: {kills} kills")


def test_undo_killed_before_every_step(tmp_path: Path) -> None:
    def second(root: Path) -> None:
        with Memory(root) as memory:
            memory.remember(NEW)

    kills = walk(tmp_path, second, "undo")
    assert kills > 20
    print(f"undo: {kills} kills")
