"""Move a branch by compare and swap.

Git's own protocol for loose references is followed (`<ref>.lock` made so that it must not exist,
the old value compared under it, renamed into place), so git and vaultmem exclude each other. No
git process runs in the person's repository: no hook or setting of it can act, and a commit
costs 2 to 3 ms less than with `git update-ref`, which syncs neither reflog nor folder.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable
from pathlib import Path

from vaultmem.base import HeadMovedError, NamedTuple
from vaultmem.storage.files import refusal
from vaultmem.storage.git import ref_locks as locks
from vaultmem.storage.git.refs import HEAD, read_head
from vaultmem.storage.git.repository import LOCK, Repository


class Move(NamedTuple):
    """A reference about to get a new value."""

    ref: str
    old: str | None  # None: it must not exist
    new: str
    reason: str  # one line for the reflog
    signature: str  # `Name <mail> seconds +0000`


class PreparedMove:
    """A move whose new value is durable on disk already, so that the lock is held briefly.

    The lock is a second name of a file in `.git/vaultmem`: if this process dies while holding
    it, the two names tell later runs that the lock is ours and nobody's any more.
    """

    def __init__(
        self, repository: Repository, move: Move, *, sleep: Callable[[float], None] = time.sleep
    ) -> None:
        self._repository = repository
        self._move = move
        self._sleep = sleep
        self._temporary = locks.new_file(repository.git_dir, "ref")
        self._target = repository.git_dir / move.ref
        self._lock = self._target.with_name(self._target.name + LOCK)
        self._grown: list[Path] = []  # folders with names that are new, beside the reference's
        locks.write_durably(self._temporary, f"{move.new}\n".encode())

    def carry_out(self, *, wait_seconds: float) -> None:
        """Move the reference; raises HeadMovedError or RepositoryBusyError, nothing moved."""
        logs: list[Path] = []
        try:
            self._take_lock(wait_seconds)
            try:
                self._require_old()
                self._log(logs)
                os.replace(self._lock, self._target)
            except BaseException:
                self._take_back(logs)
                with contextlib.suppress(FileNotFoundError):
                    os.unlink(self._lock)
                raise
            # The folders of the reflogs are new with the first commit, and were not synced: seen on
            # a disk that keeps only what it was told to sync (tests/faults).
            for folder in dict.fromkeys([self._target.parent, *self._grown]):
                locks.sync_folder(folder)
            for log in logs:
                locks.sync_file(log)
        except OSError as error:
            raise refusal(self._target, error, doing="move") from error
        finally:
            self.discard()

    def discard(self) -> None:
        """Give up; harmless after `carry_out`."""
        with contextlib.suppress(FileNotFoundError):
            os.unlink(self._temporary)

    def _take_lock(self, wait_seconds: float) -> None:
        self._make(self._lock.parent)
        locks.take_name(self._temporary, self._lock, wait_seconds=wait_seconds, sleep=self._sleep)

    def _make(self, folder: Path) -> None:
        """The folder with those above it; where names are new is noted."""
        missing = []
        while not folder.exists():
            missing.append(folder)
            folder = folder.parent
        for each in reversed(missing):
            each.mkdir(exist_ok=True)
            self._grown.append(each.parent)

    def _require_old(self) -> None:
        """Compare under the lock; HEAD, too, must still lead to this reference."""
        now = read_head(self._repository)
        if now.ref != self._move.ref or now.oid != self._move.old:
            raise HeadMovedError(
                f"the branch moved from {_short(self._move.old)} to {_short(now.oid)} "
                "while a commit was prepared",
                hint="run the command again",
            )

    def _log(self, logs: list[Path]) -> None:
        """Append to the reflogs before the move, as git does; adds the files that grow."""
        config = self._repository.config
        for name in dict.fromkeys([HEAD, self._move.ref]):
            file = self._repository.git_dir / "logs" / name
            if not config.is_true("core.logallrefupdates", default=True) and not file.exists():
                continue
            if not file.exists():
                self._make(file.parent)
                self._grown.append(file.parent)
            locks.append(file, self._line())
            logs.append(file)

    def _line(self) -> bytes:
        old = self._move.old or self._repository.zero
        reason = " ".join(self._move.reason.split())
        line = f"{old} {self._move.new} {self._move.signature}\t{reason}\n"
        return line.encode("utf-8", "replace")

    def _take_back(self, logs: list[Path]) -> None:
        """Take our line out again where the branch was to be made.

        A log without its reference says that the branch was lost, and every command would stop.
        Beside a reference that stands, a line too many is harmless, as git knows.
        """
        line = self._line()
        for log in logs if self._move.old is None else ():
            with contextlib.suppress(OSError), open(log, "r+b") as opened:
                size = opened.seek(0, os.SEEK_END)
                opened.seek(max(size - len(line), 0))
                if opened.read() == line:
                    opened.truncate(size - len(line))


def _short(oid: str | None) -> str:
    return oid[:10] if oid else "nothing"
