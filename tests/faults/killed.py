"""Run one operation in a process that kills itself (SIGKILL) before its k-th step.

    python -m tests.faults.killed VAULT OPERATION K [ARGUMENT]

A step is a call that changes something outside the process: opening a file to write, writing,
syncing, linking, renaming, removing, making a folder, starting git, beginning or ending a
transaction of the index. Prints `done STEPS` when the operation ended before the k-th.
"""

from __future__ import annotations

import os
import signal
import sqlite3
import sys
from collections.abc import Callable
from typing import Any

WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT
STEPS = ("write", "fsync", "fdatasync", "link", "rename", "replace", "unlink", "mkdir", "rmdir")


class Fuse:
    """Counts steps and ends the process before the one it was set to."""

    def __init__(self, at: int) -> None:
        self.at = at
        self.steps = 0

    def step(self) -> None:
        self.steps += 1
        if self.steps == self.at:
            os.kill(os.getpid(), signal.SIGKILL)

    def before(self, call: Callable[..., Any]) -> Callable[..., Any]:
        def stepped(*args: Any, **kwargs: Any) -> Any:
            self.step()
            return call(*args, **kwargs)

        return stepped

    def arm(self) -> None:
        """Put a step before each call of the operating system that changes something."""
        for name in STEPS:
            setattr(os, name, self.before(getattr(os, name)))
        plain_open = os.open

        def stepped_open(path: Any, flags: int, *args: Any, **kwargs: Any) -> int:
            if flags & WRITING:
                self.step()
            return plain_open(path, flags, *args, **kwargs)

        os.open = stepped_open
        if hasattr(os, "posix_spawn"):
            os.posix_spawn = self.before(os.posix_spawn)
        import subprocess

        subprocess.Popen = self._popen(subprocess.Popen)  # type: ignore[misc]
        plain_connect = sqlite3.connect

        def connect(*args: Any, **kwargs: Any) -> Any:
            kwargs["factory"] = self._connection(kwargs.get("factory", sqlite3.Connection))
            return plain_connect(*args, **kwargs)

        sqlite3.connect = connect

    def _popen(self, popen: Any) -> Any:
        fuse = self

        class Popen(popen):  # type: ignore[misc]
            def __init__(self, *args: Any, **kwargs: Any) -> None:
                fuse.step()
                super().__init__(*args, **kwargs)

        return Popen

    def _connection(self, base: Any) -> Any:
        fuse = self

        class Connection(base):  # type: ignore[misc]
            def execute(self, sql: str, *args: Any) -> Any:
                if sql.upper().startswith(("BEGIN", "COMMIT")):
                    fuse.step()
                return super().execute(sql, *args)

        return Connection


def main() -> None:
    """Open the vault, arm the fuse, run the operation."""
    vault, operation, at, *rest = sys.argv[1:]
    from vaultmem.memory import Memory

    fuse = Fuse(int(at))
    fuse.arm()
    with Memory(vault) as memory:
        if operation == "remember":
            memory.remember(rest[0])
        elif operation == "sync":
            memory.sync()
        elif operation == "undo":
            memory.undo()
        elif operation == "pull":
            memory.pull()
        elif operation == "push":
            memory.push()
        else:
            raise SystemExit(f"unknown operation {operation}")
    print(f"done {fuse.steps}", flush=True)


if __name__ == "__main__":
    main()
