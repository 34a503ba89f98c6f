"""Hold git's lock on the person's index while a whole commit is made.

A commit usually needs that lock for microseconds only. A person (or a plug-in of Obsidian) who
runs `git commit -a` again and again moves the branch or rewrites the index each time before we
are done; under the lock they cannot, so the second attempt at a commit ends.

An index that lacks our paths would make the person's next `git commit -a` take our files out of
HEAD again. So a lock that somebody holds is waited for, and the commit is not made without it.
Only a lock that nobody can hold any more is passed by: it has not changed for two seconds and no
git program runs in the folder. The file stays; removing it is the person's decision.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable
from pathlib import Path

from vaultmem.base import NamedTuple, RepositoryBusyError
from vaultmem.storage.git import refs as locks
from vaultmem.storage.git.engine import Engine
from vaultmem.storage.git.repository import LOCK

_DEAD_SECONDS = 2.0
# Where nobody can be asked which programs run, a lock must be this old to count as left behind.
_DEAD_UNSEEN_SECONDS = 60.0
_OLD_SECONDS = 600.0
_FIRST_PAUSE_SECONDS = 0.002
_LONGEST_PAUSE_SECONDS = 0.02
_PROCESSES = "/proc"


class Holders(NamedTuple):
    """Git programs that may hold a lock in a repository."""

    can_be_told: bool  # False: this system does not say what runs
    pids: tuple[int, ...]


class IndexHold:
    """Git's lock on the index, ours until `release`; or a dead one of somebody, passed by."""

    def __init__(self, own: Path, lock: Path, *, is_ours: bool) -> None:
        self.is_ours = is_ours
        self._own = own
        self._lock = lock

    def release(self) -> None:
        """Let other git programs at the index again; harmless when done before."""
        if self.is_ours:
            self.is_ours = False
            locks.remove(self._lock)
        locks.remove(self._own)


def hold(engine: Engine, *, wait_seconds: float, sleep: Callable[[float], None]) -> IndexHold:
    """Take the lock; raises RepositoryBusyError when it cannot be had within `wait_seconds`."""
    git_dir = engine.repository.git_dir
    own, lock = locks.new_file(git_dir, "hold"), git_dir / ("index" + LOCK)
    os.close(os.open(own, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666))
    try:
        is_ours = _take(own, lock, wait_seconds=wait_seconds, sleep=sleep)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(own)
        raise
    return IndexHold(own, lock, is_ours=is_ours)


def _take(own: Path, lock: Path, *, wait_seconds: float, sleep: Callable[[float], None]) -> bool:
    """True when the lock is ours, False when it stands and nobody holds it."""
    waited = unchanged = 0.0
    pause = _FIRST_PAUSE_SECONDS
    seen: tuple[int, int] | None = None
    while True:
        try:
            locks.give_name(own, lock)
            return True
        except FileExistsError:
            pass
        now = _mark(lock)
        if now != seen:
            # A lock that changes is that of somebody at work, who lets go of it for moments: these
            # are met by short pauses.
            seen, unchanged, pause = now, 0.0, _FIRST_PAUSE_SECONDS
        age = locks.age_seconds(lock)
        # The age of the file counts, too, so that a lock that was left long ago is not watched anew
        # by each command.
        has_rested = now is not None and max(unchanged, age) >= _DEAD_SECONDS
        if has_rested and is_dead(holders_in(lock.parent.parent), age):
            return False
        if waited >= wait_seconds:
            raise _busy(lock, age, holders_in(lock.parent.parent))
        sleep(pause)
        waited += pause
        unchanged += pause
        pause = min(pause * 2, _LONGEST_PAUSE_SECONDS)


def is_dead(holders: Holders, age_seconds: float) -> bool:
    """Whether a lock of this age, unchanged for a while, can have no holder any more."""
    if holders.can_be_told:
        return not holders.pids
    return age_seconds >= _DEAD_UNSEEN_SECONDS


def holders_in(root: Path, *, processes: str = _PROCESSES) -> Holders:
    """Git programs at work in the folder, as far as this system tells (Linux)."""
    try:
        names = [name for name in os.listdir(processes) if name.isdecimal()]
    except OSError:
        names = []
    if not names:
        return Holders(can_be_told=False, pids=())
    found, can_be_told = [], True
    for name in sorted(names, key=int):
        try:
            with open(f"{processes}/{name}/comm", encoding="utf-8", errors="replace") as stream:
                if not stream.read(32).startswith("git"):
                    continue
            place = os.readlink(f"{processes}/{name}/cwd")
        except PermissionError:
            can_be_told = False  # a git of somebody else, who knows where
            continue
        except OSError:
            continue  # it has ended
        if os.path.commonpath([place, root]) == str(root):
            found.append(int(name))
    return Holders(can_be_told=can_be_told, pids=tuple(found))


def _mark(lock: Path) -> tuple[int, int] | None:
    try:
        found = os.lstat(lock)
    except FileNotFoundError:
        return None
    return found.st_ino, found.st_ctime_ns


def _busy(lock: Path, age: float, holders: Holders) -> RepositoryBusyError:
    if holders.pids:
        return RepositoryBusyError(
            f"git (process {holders.pids[0]}) holds '{lock}' for {age:.0f} s",
            hint="finish or close that git command (an open commit message?), then try again",
        )
    return RepositoryBusyError(
        f"'{lock}' is there for {age:.0f} s: another git program holds it, or died",
        hint="wait for that program to end; if there is none, delete the file",
    )


def old_locks(root: Path) -> tuple[tuple[str, float], ...]:
    """Locks of git that may have been left behind: name below `.git`, age in seconds; by name.

    One that is there for ten minutes, or for two seconds with no git program in the folder.
    """
    git_dir = root / ".git"
    files = [git_dir / (name + LOCK) for name in ("HEAD", "index", "packed-refs", "config")]
    files += sorted((git_dir / "refs").rglob("*" + LOCK))
    ages = {file: locks.age_seconds(file) for file in files if os.path.lexists(file)}
    if not ages:
        return ()
    is_quiet = is_dead(holders_in(root), 0.0)
    least = _DEAD_SECONDS if is_quiet else _OLD_SECONDS
    found = [(str(file.relative_to(git_dir)), age) for file, age in ages.items() if age >= least]
    return tuple(sorted(found))
