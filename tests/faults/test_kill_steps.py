"""SIGKILL before every step of an operation: the next command repairs, and nothing is lost."""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from vaultmem.memory import Memory
from vaultmem.model.recall import Filters
from vaultmem.vault.files import recover

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


def walk(
    tmp_path: Path,
    prepare: Callable[[Path], None],
    expect: Callable[[Path], None],
    operation: str,
    *rest: str,
) -> int:
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
        expect(root)
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
    # Displaced files are kept for 2 s, in case an editor still writes to one.
    assert recover(root, now_ns=time.time_ns() + 3_000_000_000) == ()
    assert list((root / ".vaultmem/tmp").glob("*")) == []


def statements(root: Path) -> list[str]:
    """What the active items say, sorted."""
    with Memory(root) as memory:
        rows = memory.list(Filters(types=("item",), statuses=("active",)))
    return sorted(row.statement for row in rows)


def test_remember_killed_before_every_step(tmp_path: Path) -> None:
    """The text can be remembered again, whatever was done of it, and is there once."""

    def expect(root: Path) -> None:
        with Memory(root) as memory:
            memory.remember(NEW)
        assert statements(root) == sorted([KEPT, NEW])
        assert (root / "streams/identity.md").read_text().count(NEW) == 1

    kills = walk(tmp_path, lambda root: None, expect, "remember", NEW)
    assert kills > 20
    print(f"remember: {kills} kills")


def test_sync_of_edits_killed_before_every_step(tmp_path: Path) -> None:
    """The bullet is adopted once, however often it took."""

    def edit(root: Path) -> None:
        tasks = root / "streams/tasks.md"
        tasks.write_text(tasks.read_text() + "\n- [ ] Renew the passport\n")
        [item] = root.glob("items/**/*.md")
        item.write_text(item.read_text() + "\nSince childhood.\n")

    def expect(root: Path) -> None:
        assert statements(root) == sorted([KEPT, "Renew the passport"])
        tasks = (root / "streams/tasks.md").read_text()
        assert tasks.count("Renew the passport ^i-") == 1

    kills = walk(tmp_path, edit, expect, "sync")
    assert kills > 20
    print(f"sync: {kills} kills")


def test_undo_killed_before_every_step(tmp_path: Path) -> None:
    """Either undone or not, in every file."""

    def second(root: Path) -> None:
        with Memory(root) as memory:
            memory.remember(NEW)

    def expect(root: Path) -> None:
        there = NEW in statements(root)
        assert (root / "streams/identity.md").read_text().count(NEW) == there

    kills = walk(tmp_path, second, expect, "undo")
    assert kills > 20
    print(f"undo: {kills} kills")
