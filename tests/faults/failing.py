"""An operating system that refuses the k-th thing asked of it, once.

Calls of `os` and the rename of libc answer with an errno; git is a program that fails for real,
by an exit code or a signal; a transaction of the index meets a real limit of the process on the
size of files, so it is SQLite itself that says so.
"""

from __future__ import annotations

import errno
import os
import resource
import sys
from collections.abc import Callable
from typing import Any

from tests.faults.steps import Steps

Place = tuple[str, tuple[tuple[str, int], ...]]
"""A call and the lines of our code that led to it, innermost first."""

_OURS = os.sep + "vaultmem" + os.sep
ERRNOS = (errno.EIO, errno.ENOSPC, errno.EMFILE, errno.EACCES, errno.EDQUOT)
_DEAD = (
    "echo 'fatal: write error: No space left on device' >&2; exit 128",
    "kill -9 $$",
    "echo 'fatal: Out of memory, malloc failed' >&2; exit 128",
)


class Faults(Steps):
    """Refuses step `at` with `number`; every other step is taken. At 0 none is refused."""

    reads_too = True

    def __init__(self, at: int, number: int) -> None:
        super().__init__()
        self.at = at
        self.number = number
        self.failed = ""  # name of the step that failed; '': the operation ended before it
        self.arguments: tuple[Any, ...] = ()
        self.place: Place = ("", ())  # of the step that failed
        self.places: list[Place] = []  # of every step, in order, when none is refused

    def meet(self, name: str, arguments: tuple[Any, ...]) -> None:
        """Refuse it, when this is the one."""
        if self._is_it(name, arguments):
            raise OSError(self.number, os.strerror(self.number), *_named(arguments))

    def _is_it(self, name: str, arguments: tuple[Any, ...]) -> bool:
        if not self.at:  # looking up through the frames takes an eighth of the time
            self.places.append(place_of(name))
        if self.steps != self.at:
            return False
        self.failed, self.arguments, self.place = name, arguments, place_of(name)
        return True

    def spawning(self, call: Callable[..., Any]) -> Callable[..., Any]:
        """Git cannot be started (EMFILE, EACCES), or fails in one of three ways."""

        def spawn(path: str, argv: list[str], *args: Any, **kwargs: Any) -> Any:
            self.steps += 1
            if not self._is_it("spawn", tuple(argv)):
                return call(path, argv, *args, **kwargs)
            if self.number in (errno.EMFILE, errno.EACCES):
                raise OSError(self.number, os.strerror(self.number), path)
            script = _DEAD[ERRNOS.index(self.number) % len(_DEAD)]
            return call("/bin/sh", ["sh", "-c", script], *args, **kwargs)

        return spawn

    def transaction(self, connection: Any, sql: str, run: Callable[[], Any]) -> Any:
        """The disk takes no more bytes of the index while this one ends."""
        self.steps += 1
        if not self._is_it("sqlite", (sql,)):
            return run()
        before = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, before[1]))
        try:
            return run()
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, before)


def place_of(name: str) -> Place:
    """Where the step is that is met now: for who is called by `meet`."""
    lines = []
    frame = sys._getframe(2)
    while frame is not None:
        code = frame.f_code
        if _OURS in code.co_filename and "tests" not in code.co_filename:
            lines.append((code.co_filename.rpartition(_OURS)[2], frame.f_lineno))
        frame = frame.f_back  # type: ignore[assignment]
    return name, tuple(lines)


def _named(arguments: tuple[Any, ...]) -> tuple[Any, ...]:
    """The path of the call, as the system's own errors carry it."""
    return (
        arguments[:1] if arguments and isinstance(arguments[0], str | bytes | os.PathLike) else ()
    )
