"""The steps of an operation: every call by which it asks something of the system.

`Steps` stands in front of the calls of `os`, of `open`, of the rename of libc, of git and of the
transactions of the index, counts them, and says each by name to `meet`, which may kill the
process (killed.py) or answer as a failing disk does (failing.py). `disarm` takes all of it back.
"""

from __future__ import annotations

import builtins
import ctypes
import io
import os
import subprocess
from collections.abc import Callable
from typing import Any, Self

from vaultmem.storage.index.store import sqlite as engine

WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT
CHANGES = (
    *("write", "fsync", "fdatasync", "link", "symlink", "rename", "replace"),
    *("unlink", "mkdir", "rmdir", "truncate", "ftruncate"),
)
READS = ("scandir", "listdir", "pipe")
_RENAMES = ("renameat2", "renameatx_np")


class Steps:
    """Counts steps; a subclass decides in `meet` what happens instead of one."""

    reads_too = False  # also opening to read, listing and pipes

    def __init__(self) -> None:
        self.steps = 0
        self._kept: list[tuple[Any, str, Any]] = []

    def meet(self, name: str, arguments: tuple[Any, ...]) -> None:
        """Called before the step `name` is taken; what it raises is what the caller gets."""

    def __enter__(self) -> Self:
        self.arm()
        return self

    def __exit__(self, *_: object) -> None:
        self.disarm()

    def arm(self) -> None:
        """Put a step before each call."""
        names = (*CHANGES, *READS) if self.reads_too else CHANGES
        for name in names:
            if hasattr(os, name):
                self._set(os, name, self._before(name, getattr(os, name)))
        self._set(os, "open", self._open(os.open))
        # `open` is one object under two names: the built-in, and what pathlib calls.
        stepped = self._stepped_open(io.open)
        self._set(builtins, "open", stepped)
        self._set(io, "open", stepped)
        if hasattr(os, "posix_spawn"):
            self._set(os, "posix_spawn", self.spawning(os.posix_spawn))
        self._set(subprocess, "Popen", self._popen(subprocess.Popen))
        self._set(engine.sqlite3, "connect", self._connect(engine.sqlite3.connect))
        self._set(ctypes, "CDLL", self._library(ctypes.CDLL))

    def disarm(self) -> None:
        """Let every call be what it was."""
        while self._kept:
            owner, name, before = self._kept.pop()
            setattr(owner, name, before)

    def step(self, name: str, *arguments: Any) -> None:
        """One more step."""
        self.steps += 1
        self.meet(name, arguments)

    def _set(self, owner: Any, name: str, value: Any) -> None:
        self._kept.append((owner, name, getattr(owner, name)))
        setattr(owner, name, value)

    def _before(self, name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        def stepped(*args: Any, **kwargs: Any) -> Any:
            self.step(name, *args)
            return call(*args, **kwargs)

        return stepped

    def spawning(self, call: Callable[..., Any]) -> Callable[..., Any]:
        """What stands in front of `os.posix_spawn`."""
        return self._before("spawn", call)

    def transaction(self, connection: Any, sql: str, run: Callable[[], Any]) -> Any:
        """A transaction of the index begins or ends."""
        self.step("sqlite", sql)
        return run()

    def _open(self, call: Callable[..., int]) -> Callable[..., int]:
        def stepped(path: Any, flags: int, *args: Any, **kwargs: Any) -> int:
            if self.reads_too or flags & WRITING:
                self.step("open", path, flags)
            return call(path, flags, *args, **kwargs)

        return stepped

    def _stepped_open(self, call: Callable[..., Any]) -> Callable[..., Any]:
        """`open`, with the writes of what it opens as steps too."""
        steps = self

        class File(io.FileIO):
            def write(self, data: Any) -> Any:
                steps.step("write", self.name, data)
                return super().write(data)

        def stepped(
            file: Any,
            mode: str = "r",
            buffering: int = -1,
            encoding: str | None = None,
            errors: str | None = None,
            newline: str | None = None,
            closefd: bool = True,
            opener: Any = None,
        ) -> Any:
            is_writing = not set(mode).isdisjoint("wxa+")
            if not isinstance(file, int) and (is_writing or self.reads_too):
                steps.step("open", file, mode)
            if not is_writing or buffering != -1 or opener is not None:
                return call(file, mode, buffering, encoding, errors, newline, closefd, opener)
            raw = File(file, mode.replace("b", "").replace("t", ""), closefd)
            buffered: Any = io.BufferedRandom(raw) if "+" in mode else io.BufferedWriter(raw)
            return (
                buffered if "b" in mode else io.TextIOWrapper(buffered, encoding, errors, newline)
            )

        return stepped

    def _popen(self, popen: Any) -> Any:
        steps = self

        class Popen(popen):  # type: ignore[misc]
            def __init__(self, *args: Any, **kwargs: Any) -> None:
                steps.step("spawn", *args)
                super().__init__(*args, **kwargs)

        return Popen

    def _connect(self, connect: Callable[..., Any]) -> Callable[..., Any]:
        def connected(*args: Any, **kwargs: Any) -> Any:
            kwargs["factory"] = self._connection(kwargs.get("factory", engine.sqlite3.Connection))
            return connect(*args, **kwargs)

        return connected

    def _connection(self, base: Any) -> Any:
        steps = self

        class Connection(base):  # type: ignore[misc]
            def execute(self, sql: str, *args: Any) -> Any:
                if sql.upper().startswith(("BEGIN", "COMMIT")):
                    return steps.transaction(self, sql, lambda: base.execute(self, sql, *args))
                return super().execute(sql, *args)

        return Connection

    def _library(self, load: Callable[..., Any]) -> Callable[..., Any]:
        """libc, whose rename with flags Python does not offer."""

        def loaded(*args: Any, **kwargs: Any) -> Any:
            return _Library(self, load(*args, **kwargs))

        return loaded


class _Library:
    def __init__(self, steps: Steps, library: Any) -> None:
        self._steps = steps
        self._library = library

    def __getattr__(self, name: str) -> Any:
        function = getattr(self._library, name)
        if name not in _RENAMES:
            return function

        def rename(*args: Any) -> int:
            try:
                self._steps.step("exchange", *args)
            except OSError as error:
                ctypes.set_errno(error.errno or 0)
                return -1
            done: int = function(*args)
            return done

        return rename
