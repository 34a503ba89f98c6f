"""That something changed, in a number: a save, a commit, a decision of another window."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from pathlib import Path

from vaultmem.watch import FolderEvents

# An editor writes a file in several steps: what they come to is read once.
_QUIET_SECONDS = 0.12
_LOOK_SECONDS = 0.4  # between two looks at what no event tells: commits, a folder of the network


class Changes:
    """Counts the changes of a vault from a thread of its own, until it is closed.

    root     of the vault
    include  globs of further notes, as in the settings
    state    the folder of the device state, where requests of assistants wait
    take_in  brings the memory of the pages level with the files; asked before the number rises
    """

    def __init__(
        self, root: Path, include: tuple[str, ...], state: Path, take_in: Callable[[], object]
    ) -> None:
        self._watched = (
            root / ".git" / "HEAD",
            root / ".git" / "logs" / "HEAD",
            state / "requests.json",
        )
        self._take_in = take_in
        self._number = 1
        self._touched = threading.Event()
        self._is_closed = False
        self._events: FolderEvents | None = FolderEvents(root, include)
        try:
            self._events.start(touched=self._touched.set, lost=self._touched.set)
        except OSError:  # no events on this system, or too many folders: look now and then
            self._events = None
        self._thread = threading.Thread(target=self._run, name="changes", daemon=True)
        self._thread.start()

    @property
    def number(self) -> int:
        """Grows with every change."""
        return self._number

    def note(self) -> None:
        """Something was changed by this process."""
        self._touched.set()

    def close(self) -> None:
        """End the thread."""
        self._is_closed = True
        self._touched.set()
        self._thread.join(timeout=5)
        if self._events is not None:
            self._events.stop()

    def _run(self) -> None:
        stamps = self._stamps()
        while not self._is_closed:
            is_touched = self._touched.wait(_LOOK_SECONDS)
            if self._is_closed:
                return
            now = self._stamps()
            if not is_touched and now == stamps and self._events is not None:
                continue
            while self._touched.is_set():
                self._touched.clear()
                self._touched.wait(_QUIET_SECONDS)
                if self._is_closed:
                    return
            stamps = self._stamps()
            self._take_in()
            if self._events is not None:
                self._events.follow()
            self._number += 1

    def _stamps(self) -> tuple[tuple[int, int], ...]:
        return tuple(map(_stamp, self._watched))


def _stamp(file: Path) -> tuple[int, int]:
    try:
        found = os.stat(file)
    except OSError:
        return 0, 0
    return found.st_mtime_ns, found.st_size
