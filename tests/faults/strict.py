"""A disk that keeps nothing it was not told to sync: is all there that was promised?

POSIX to the letter: bytes are durable after a sync of their file, a name after a sync of its
folder. Real file systems are kinder, each in its own way.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from tests.faults.recording import Event

_GIT_PARTS = re.compile(
    r"(objects/pack/pack-[0-9a-f]+\.(pack|idx)|refs/heads/.+|logs(/.+)?|HEAD|config)"
)
_STATE_FILES = ("ledger", "ledger.key", "arriving")


def faults(events: Iterable[Event], root: Path, state: Path, *, sent: bool = False) -> list[str]:
    """Everything that a power cut could break during the events or after them.

    sent  the last line of the ledger says what was sent to others, and is promised too
    """
    disk = _Disk(str(root), str(state))
    for event in events:
        disk.take(event)
    disk.answer(sent=sent)
    return sorted(set(disk.faults))


class _Disk:
    def __init__(self, root: str, state: str) -> None:
        self._root = root
        self._state = state
        self._ids: dict[str, int] = {}  # a file has one number under all its names
        self._unsynced: set[int] = set()
        self._names: dict[str, set[str]] = {}  # folder -> names that are not durable
        self._last = 0
        self._announced = False
        self.faults: list[str] = []

    def take(self, event: Event) -> None:
        """Follow one event."""
        first, last = event.paths[0], event.paths[-1]
        match event.call:
            case "create" | "mkdir" | "made":
                self._new(first)
            case "made unsynced":
                self._unsynced.add(self._new(first))
            case "write" | "truncate" | "ftruncate":
                if first == f"{self._state}/ledger":
                    self._announced = True
                    self._require_synced("the ledger went on", _is_of_the_branch)
                self._unsynced.add(self._id(first))
            case "sync":
                self._unsynced.discard(self._id(first))
                self._names.pop(first, None)
            case "unlink" | "rmdir":
                self._ids.pop(first, None)
                if self._is_note(first):  # what else comes back is of no effect
                    self._rename_in(first)
            case "link":
                self._publish(first, last)
                self._ids[last] = self._id(first)
                self._rename_in(last)
            case "exchange":
                self._publish(first, last)
                self._ids[first], self._ids[last] = self._id(last), self._id(first)
                self._rename_in(last)
            case "rename":
                self._publish(first, last)
                self._move(first, last)
                self._rename_in(first)
                self._rename_in(last)
            case _:
                raise ValueError(event.call)

    def answer(self, *, sent: bool) -> None:
        """The operation returns: from now on it is promised."""
        # A line of the ledger that only says what the branch says already may be lost.
        if not sent:
            self._unsynced.discard(self._id(f"{self._state}/ledger"))
        self._require_synced("the answer", _any)

    def _id(self, path: str) -> int:
        return self._ids[path] if path in self._ids else self._new_id(path)

    def _new_id(self, path: str) -> int:
        self._last += 1
        self._ids[path] = self._last
        return self._last

    def _new(self, path: str) -> int:
        self._rename_in(path)
        return self._new_id(path)

    def _rename_in(self, path: str) -> None:
        self._names.setdefault(os.path.dirname(path), set()).add(os.path.basename(path))

    def _move(self, old: str, new: str) -> None:
        """A file, or a folder with all in it."""
        below = f"{old}/"
        for path in [path for path in self._ids if path == old or path.startswith(below)]:
            self._ids[new + path[len(old) :]] = self._ids.pop(path)
        for path in [path for path in self._names if path == old or path.startswith(below)]:
            self._names[new + path[len(old) :]] = self._names.pop(path)

    def _publish(self, source: str, target: str) -> None:
        """A name that matters may lead to durable bytes only."""
        below = f"{target}/"
        self._move_is_safe(source, target)
        if target == f"{self._root}/.git":
            for path, number in self._ids.items():
                becomes = target + path[len(source) :]
                if path.startswith(f"{source}/") and number in self._unsynced:
                    self._blame(f"{becomes} got its name before it was synced")
            for folder in [each for each in self._names if f"{each}/".startswith(f"{source}/")]:
                self._blame(f"the names in {folder} were not synced before it became {below}")

    def _move_is_safe(self, source: str, target: str) -> None:
        if not self._matters(target):
            return
        if self._id(source) in self._unsynced:
            self._blame(f"{target} got its name before its bytes were synced")
        if self._is_note(target):
            for path, number in self._ids.items():
                if path.endswith(".log") and "/.vaultmem/tmp/" in path and number in self._unsynced:
                    self._blame("a note was published before the log of the publication was synced")
        if target.startswith(f"{self._root}/.git/refs/heads/"):
            self._require_synced("the branch moved", self._is_below_a_reference)
            if not self._announced:
                self._blame("the branch moved unannounced")
            self._announced = False

    def _is_below_a_reference(self, path: str) -> bool:
        """Objects, notes, and what the device says of the commit to come."""
        return "/.git/" not in path or "/.git/objects/" in path

    def _require_synced(self, before: str, counts: Callable[[str], bool]) -> None:
        for path, number in self._ids.items():
            if number in self._unsynced and self._matters(path) and counts(path):
                self._blame(f"{path} was not synced before {before}")
        for folder, names in self._names.items():
            for name in names:
                path = os.path.join(folder, name)
                if self._matters(path) and counts(path):
                    self._blame(f"the name {path} was not synced before {before}")

    def _is_note(self, path: str) -> bool:
        inside = path.removeprefix(f"{self._root}/")
        return (
            inside != path
            and not inside.startswith((".git/", ".vaultmem/tmp"))
            and inside != ".git"
        )

    def _matters(self, path: str) -> bool:
        """Notes, packs, references, reflogs, the ledger; not what is worked out anew."""
        if path.startswith(f"{self._root}/.git/"):
            inside = path.removeprefix(f"{self._root}/.git/")
            return not path.endswith(".lock") and _GIT_PARTS.fullmatch(inside) is not None
        if path.startswith(f"{self._state}/"):
            return path.removeprefix(f"{self._state}/") in _STATE_FILES
        return self._is_note(path)

    def _blame(self, fault: str) -> None:
        self.faults.append(fault.replace(f"{self._root}/", "").replace(f"{self._state}/", "state/"))


def _any(path: str) -> bool:
    return True


def _is_of_the_branch(path: str) -> bool:
    return "/.git/refs/" in path or "/.git/logs/" in path


def syncs(events: Sequence[Event]) -> list[int]:
    """Where in the record something was synced."""
    return [number for number, event in enumerate(events) if event.call == "sync"]
