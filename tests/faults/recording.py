"""What an operation asked of the disk, in order, taken down in front of the calls themselves.

No tracer is needed: `Recorder` stands where `Steps` stands. Git is another process; what it made
is seen by looking into the folders it works in, and whether it synced that by the configuration
that it was given.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from tests.faults.steps import WRITING, Steps

NEEDED = {"pack", "pack-metadata"}
"""Components of `core.fsync` without which a commit's objects are not durable."""
_SWAP = 2  # RENAME_EXCHANGE of linux/fs.h, RENAME_SWAP of sys/stdio.h
_F_GETPATH = 50  # sys/fcntl.h of macOS


class Event(NamedTuple):
    """One call that succeeded, and the absolute paths it was about."""

    call: str  # create, write, sync, rename, exchange, link, unlink, mkdir, made, made unsynced
    paths: tuple[str, ...]


class Recorder(Steps):
    """Takes the events of one operation on one vault down.

    skip  number (from 0) of the sync that is left out, as a refactoring may; None: none
    """

    def __init__(self, root: Path, *, skip: int | None = None) -> None:
        super().__init__()
        self.events: list[Event] = []
        self._places = [os.path.join(root, name) for name in (".git", ".vaultmem")]
        self._skip = skip
        self._syncs = 0
        self._known = set(self._files())
        self._git_syncs: bool | None = None  # None: no git was started yet

    def meet(self, name: str, arguments: tuple[Any, ...]) -> None:
        """What `Steps` knows before it happens, and `_before` and `_open` do not see."""
        if name == "exchange":
            old, new = (_at(os.fsdecode(arguments[n + 1]), arguments[n]) for n in (0, 2))
            self._note("exchange" if arguments[4] == _SWAP else "rename", old, new)
        elif name == "open":
            if not os.path.lexists(arguments[0]):
                self._note("create", _at(arguments[0], None))
        elif name == "write":
            self._note("write", _at(arguments[0], None))

    def _before(self, name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        def recorded(*args: Any, **kwargs: Any) -> Any:
            paths = _paths(name, args, kwargs)
            if name in ("fsync", "fdatasync"):
                self._syncs += 1
                if self._syncs - 1 == self._skip:
                    return None
            done = call(*args, **kwargs)
            self._note(
                {"fsync": "sync", "fdatasync": "sync", "replace": "rename"}.get(name, name), *paths
            )
            return done

        return recorded

    def _open(self, call: Callable[..., int]) -> Callable[..., int]:
        def recorded(path: Any, flags: int, mode: int = 0o777, *, dir_fd: int | None = None) -> int:
            name = _at(path, dir_fd)
            is_new = bool(flags & os.O_CREAT) and not os.path.lexists(name)
            fd = call(path, flags, mode, dir_fd=dir_fd)
            if is_new:
                self._note("create", name)
            elif flags & os.O_TRUNC and flags & WRITING:
                self._note("write", name)
            return fd

        return recorded

    def spawning(self, call: Callable[..., Any]) -> Callable[..., Any]:
        """Git is told apart by its words and its environment."""

        def recorded(path: Any, argv: Sequence[str], env: Mapping[str, str], **kwargs: Any) -> Any:
            self._started(argv, env)
            return call(path, argv, env, **kwargs)

        return recorded

    def _popen(self, popen: Any) -> Any:
        recorder = self

        class Popen(popen):  # type: ignore[misc]
            def __init__(self, args: Any, *more: Any, env: Any = None, **kwargs: Any) -> None:
                recorder._started(args, env or os.environ)
                super().__init__(args, *more, env=env, **kwargs)

        return Popen

    def _started(self, argv: Sequence[str], env: Mapping[str, str]) -> None:
        self._look()
        self._git_syncs = _synced_by(argv, env) >= NEEDED

    def _note(self, call: str, *paths: str) -> None:
        if all(os.path.isabs(path) for path in paths):  # a pipe has no path
            if call in ("create", "mkdir", "rename", "link", "exchange"):
                self._known.update(paths)
            if call == "rename" and os.path.isdir(paths[1]):
                self._known.update(self._files())  # of the same names, elsewhere
            self._look()
            self.events.append(Event(call, paths))

    def _look(self) -> None:
        """Files that appeared and that no call of this process made: git's."""
        if self._git_syncs is None:
            return
        found = set(self._files())
        for path in sorted(found - self._known, key=lambda path: path.count(os.sep)):
            self.events.append(Event("made" if self._git_syncs else "made unsynced", (path,)))
        self._known |= found

    def _files(self) -> Iterator[str]:
        for place in self._places:
            for folder, folders, names in os.walk(place):
                for name in (*folders, *names):
                    yield os.path.join(folder, name)


def _synced_by(argv: Sequence[str], env: Mapping[str, str]) -> set[str]:
    """Components that a git with these words and this environment syncs."""
    said = [word for option, word in pairwise(argv) if option == "-c"]
    if "GIT_DIR" in env:
        text = Path(env["GIT_DIR"], "config").read_text(encoding="utf-8")
        said = [*(f"core.{line.strip()}" for line in text.splitlines()), *said]
    found: set[str] = set()
    for line in said:
        key, _, value = (part.strip() for part in line.partition("="))
        if key.casefold() == "core.fsync":
            found = set(value.split(","))
    return found


def _paths(name: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> tuple[str, ...]:
    if name in ("write", "fsync", "fdatasync", "ftruncate"):
        return (_of(args[0]),)
    if name in ("link", "rename", "replace"):
        folders = kwargs.get("src_dir_fd"), kwargs.get("dst_dir_fd")
        return tuple(_at(path, fd) for path, fd in zip(args[:2], folders, strict=True))
    return (_at(args[0], kwargs.get("dir_fd")),)


def _at(path: Any, fd: int | None) -> str:
    if isinstance(path, int):
        return _of(path)
    folder = os.getcwd() if fd is None else _of(fd)
    return os.path.normpath(os.path.join(folder, os.fsdecode(path)))


def _of(fd: int) -> str:
    """The path that a descriptor was opened by; '' for a pipe."""
    if sys.platform == "darwin":
        import fcntl

        try:
            return os.fsdecode(fcntl.fcntl(fd, _F_GETPATH, bytes(1024)).rstrip(b"\0"))
        except OSError:
            return ""
    return os.readlink(f"/proc/self/fd/{fd}")
