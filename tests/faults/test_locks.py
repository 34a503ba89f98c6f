"""Locks of git that somebody left behind or holds: a write works, or says which file is in the way.

A write that says 'busy' has not been done: no file of it stays.
"""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.conftest import FixedClock, Git
from tests.faults.crowd import run, together, until
from vaultmem.api.memory import Memory
from vaultmem.base.errors import RepositoryBusyError

FIRST = "I am allergic to hazelnuts."
TEXT = "I prefer tabs over spaces."
LOCKS = ("index.lock", "HEAD.lock", "packed-refs.lock", "refs/heads/main.lock")


@pytest.fixture
def vault(root: Path, clock: FixedClock) -> Path:
    """A vault that waits for half a second only, with one memory."""
    with open(root / "vaultmem.toml", "a", encoding="utf-8") as stream:
        stream.write("\n[sync]\nlock_wait = 0.5\n")
    with Memory(root, clock=clock) as memory:
        memory.remember(FIRST)
    return root


@contextmanager
def living_git(root: Path) -> Iterator[int]:
    """A git of the person that has an editor open, and so the index locked."""
    tasks = root / "streams/tasks.md"
    tasks.write_text(tasks.read_text() + "\n- [ ] Renew the passport\n")
    editing = subprocess.Popen(
        ["git", "commit", "-a"],
        cwd=root,
        env={**os.environ, "GIT_EDITOR": "sh -c 'touch ../open; cat ../fifo; false'"},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    fifo = root.parent / "fifo"
    try:
        until(lambda: (root.parent / "open").exists())
        yield editing.pid
    finally:
        with open(fifo, "w", encoding="utf-8") as stream:
            stream.write("\n")
        editing.wait(timeout=60)


def files(root: Path) -> dict[str, bytes]:
    """Every file of the person and of ours, but git's."""
    return {
        str(file.relative_to(root)): file.read_bytes()
        for file in sorted(root.rglob("*"))
        if file.is_file() and ".git" not in file.parts and "tmp" not in file.parts
    }


def plant(root: Path, name: str) -> Path:
    """A lock that nobody holds."""
    lock = root / ".git" / name
    lock.touch()
    return lock


@pytest.mark.parametrize("name", LOCKS)
def test_a_lock_of_a_dead_git(vault: Path, git: Git, clock: FixedClock, name: str) -> None:
    """Index, HEAD, packed-refs: works. The branch itself: says so, and nothing is written."""
    lock = plant(vault, name)
    until(lambda: time.time() - lock.stat().st_ctime > 3)
    before = files(vault)
    with Memory(vault, clock=clock) as memory:
        problems = {each.path.as_posix(): each for each in memory.check().problems}
        assert problems[f".git/{name}"].code == "git-lock-old"
        if name.startswith("refs"):
            with pytest.raises(RepositoryBusyError, match=r"main\.lock' is there for \d+ s") as no:
                memory.remember(TEXT)
            assert "delete the file" in no.value.hint
            assert files(vault) == before
            lock.unlink()
        memory.remember(TEXT)
        assert lock.exists() != name.startswith("refs")
        assert memory.sync().pending == ()
    lock.unlink(missing_ok=True)
    git("commit", "-qam", "by hand", "--allow-empty")
    assert TEXT in git("grep", "-h", "tabs", "HEAD", "--", "items")
    assert git("status", "--porcelain") == ""
    assert git("log", "--diff-filter=D", "--format=", "--name-only") == ""


def test_a_commit_message_that_is_being_written(vault: Path, git: Git, clock: FixedClock) -> None:
    """Committing under it would make the person's commit fail, and the next one drop ours."""
    os.mkfifo(vault.parent / "fifo")
    with living_git(vault) as pid:
        before = files(vault)
        done = run(vault, "remember", TEXT)
        assert done.returncode == 75
        assert f"git (process {pid}) holds" in done.stderr
        assert "hint:" in done.stderr
        assert files(vault) == before
    done = run(vault, "remember", TEXT)
    assert done.returncode == 0, done.stderr
    git("commit", "-qam", "by hand", "--allow-empty")
    assert TEXT in git("grep", "-h", "tabs", "HEAD", "--", "items")
    assert git("log", "--diff-filter=D", "--format=", "--name-only") == ""


def test_what_cannot_be_committed_is_taken_back_but_not_from_a_person(
    vault: Path, clock: FixedClock
) -> None:
    """An edit that was saved on top of a change that is taken back stays."""
    lock = plant(vault, "refs/heads/main.lock")
    stream = vault / "streams/identity.md"
    saved: list[str] = []

    def save_meanwhile() -> None:
        until(lambda: "tabs" in stream.read_text())  # published, and waiting for the lock
        saved.append(stream.read_text() + "\nMine.\n")
        stream.write_text(saved[0])

    def remember() -> None:
        with Memory(vault, clock=clock) as memory, pytest.raises(RepositoryBusyError):
            memory.remember(TEXT)

    together(save_meanwhile, remember)
    assert stream.read_text() == saved[0]
    assert list(vault.glob("items/**/*tabs*")) == []
    assert list(vault.glob("resources/**/*tabs*")) == []
    lock.unlink()


def test_a_short_lock_is_waited_for(vault: Path, clock: FixedClock, git: Git) -> None:
    """Git holds its locks for milliseconds; nobody hears of those."""
    lock = plant(vault, "refs/heads/main.lock")
    holder = subprocess.Popen(["sh", "-c", f"sleep 0.3; rm '{lock}'"])
    with Memory(vault, clock=clock) as memory:
        memory.remember(TEXT)
    holder.wait()
    assert TEXT in git("grep", "-h", "tabs", "HEAD", "--", "items")
