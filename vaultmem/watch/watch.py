"""Watch a vault through watchdog until it is stopped."""

from __future__ import annotations

import logging
import os
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from vaultmem.storage.files.layout import TOPS, ignored_by
from vaultmem.storage.files.patterns import Patterns
from vaultmem.watch.watcher import Events, Watched, Watcher

if TYPE_CHECKING:
    from watchdog.events import FileSystemEvent, FileSystemEventHandler
    from watchdog.observers.api import BaseObserver, ObservedWatch

# Reading a file raises these; reacting to them would make every scan cause the next one.
_READS = frozenset(("opened", "closed_no_write"))


def watcher_of(memory: Watched, *, tell: Callable[[str], None], polls: bool = False) -> Watcher:
    """A watcher of an opened vault, not started yet; `polls`: without the system's events."""
    include = memory.settings.include
    events: Events | None = None if polls else FolderEvents(memory.root, include)
    return Watcher(memory, tell=tell, events=events)


class FolderEvents:
    """Events of the content folders (and those that `include` names), never of `.git`."""

    def __init__(self, root: Path, include: Sequence[str] = ()) -> None:
        self._root = root
        self._include = Patterns(include)
        self._observer: BaseObserver | None = None  # None: not started
        self._followed: dict[str, ObservedWatch] = {}
        self._log = _WatchdogLog()

    def start(self, *, touched: Callable[[], None], lost: Callable[[], None]) -> None:
        """Begin to watch; raises OSError when the system cannot."""
        from watchdog.observers import Observer

        # A folder made while its parent is being followed is registered twice: watchdog says so on
        # the person's terminal, although the second registration equals the first.
        warnings.filterwarnings(
            "ignore", r"Callback with id \S+ already exists", RuntimeWarning, r"watchdog\."
        )
        self._handler = _handler(self._root, touched)
        self._log.lost = lost
        logging.getLogger("watchdog").addHandler(self._log)
        self._observer = Observer()
        self._observer.start()
        self._schedule(self._root, recursive=False)
        self.follow()

    def follow(self) -> None:
        """Watch content folders that have appeared since, and no longer those that went.

        raises OSError
        """
        if self._observer is None:
            return
        ended = {emitter.watch for emitter in self._observer.emitters if not emitter.is_alive()}
        wanted = self._folders()
        for folder, watch in sorted(self._followed.items()):
            # The thread of a folder ends with it: another of its name needs a new one.
            if folder not in wanted or watch in ended:
                self._observer.unschedule(watch)
                del self._followed[folder]
        for folder in wanted:
            if folder not in self._followed:
                self._followed[folder] = self._schedule(self._root / folder, recursive=True)

    def is_alive(self) -> bool:
        """False once a thread of watchdog ended by itself, and not because its folder went."""
        observer = self._observer
        if observer is None or not observer.is_alive():
            return False
        ended = {emitter.watch for emitter in observer.emitters if not emitter.is_alive()}
        gone = {
            watch
            for folder, watch in self._followed.items()
            if watch in ended and not os.path.isdir(self._root / folder)
        }
        return ended <= gone

    def stop(self) -> None:
        """End all threads."""
        self._log.lost = lambda: None
        if self._observer is not None:
            self._observer.stop()
            self._observer.join(timeout=5)
            self._observer = None
        # Not before: without a handler, Python prints what watchdog says of being stopped.
        logging.getLogger("watchdog").removeHandler(self._log)

    def _schedule(self, folder: Path, *, recursive: bool) -> ObservedWatch:
        assert self._observer is not None
        return self._observer.schedule(self._handler, str(folder), recursive=recursive)

    def _folders(self) -> list[str]:
        """Folders to watch, relative to the vault, none inside another, none hidden or a link."""
        wanted = set(TOPS)
        for start in self._include.starts():
            if start:
                wanted.add(start)
            else:  # a glob that begins with a wildcard may mean any folder
                wanted.update(entry.name for entry in os.scandir(self._root))
        return sorted(
            folder
            for folder in wanted
            if not any(ignored_by(part) for part in folder.split("/"))
            and not any(folder.startswith(f"{other}/") for other in wanted)
            and (self._root / folder).is_dir()
            and not (self._root / folder).is_symlink()
        )


def _handler(root: Path, touched: Callable[[], None]) -> FileSystemEventHandler:
    from watchdog.events import FileSystemEventHandler

    class Handler(FileSystemEventHandler):
        """Sets a flag; anything slower would let the queue of the system overflow."""

        def on_any_event(self, event: FileSystemEvent) -> None:
            """Called for every event, in a thread of watchdog."""
            if matters(event, root):
                touched()

    return Handler()


def matters(event: FileSystemEvent, root: Path) -> bool:
    """Whether a note may have changed: not a read, not a temporary or hidden file."""
    if event.event_type in _READS or (event.is_directory and event.event_type == "modified"):
        return False
    prefix = len(str(root)) + 1
    paths = [os.fsdecode(path)[prefix:] for path in (event.src_path, event.dest_path) if path]
    return any(
        path and not any(ignored_by(part) for part in path.replace(os.sep, "/").split("/"))
        for path in paths
    )


class _WatchdogLog(logging.Handler):
    """Hears what watchdog only logs: that events were lost."""

    def __init__(self) -> None:
        super().__init__(level=logging.WARNING)
        self.lost: Callable[[], None] = lambda: None

    def emit(self, record: logging.LogRecord) -> None:
        """Any warning of watchdog means that its events cannot be relied on."""
        self.lost()
