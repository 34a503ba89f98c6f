"""What the files of a vault may hold, told by the process that works on it before it dies.

A worker notes every file it is about to give new bytes (an intent) and, once an operation has
returned, what all files hold (an acknowledgement, synced to disk). Whoever looks at the vault
afterwards can say of each file whether its bytes are those acknowledged or those intended since;
anything else is damage.
"""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from vaultmem.model.ids import blob_oid
from vaultmem.model.plan import Remove, Write

State = dict[str, str]
"""Path in the vault -> blob id of its bytes."""

ANYTHING = "?"
"""The intent of an editor that syncs nothing: after a power cut its file may hold anything."""


class Ledger:
    """The log itself, appended to by one process at a time.

    root  the vault; what it holds now needs no acknowledgement
    """

    def __init__(self, file: Path, root: Path) -> None:
        self._root = root
        self._fd = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        self._known = look(root)

    def intend(self, files: Mapping[str, str | None]) -> None:
        """These files are about to change; None: to go away."""
        self._put({"intent": dict(files)})

    def begin(self, operation: str) -> None:
        """An operation starts."""
        self._put({"begin": operation})

    def acknowledge(self, *, head: str) -> None:
        """An operation has returned: what it left is promised from now on."""
        now = look(self._root)
        changed = {path: oid for path, oid in now.items() if self._known.get(path) != oid}
        gone = dict.fromkeys(self._known.keys() - now.keys())
        self._put({"ack": {**changed, **gone}, "head": head})
        os.fsync(self._fd)
        self._known = now

    def _put(self, entry: object) -> None:
        os.write(self._fd, json.dumps(entry).encode() + b"\n")

    def record_publications(self) -> None:
        """Note what the program itself publishes, just before it does."""
        from vaultmem.storage import files

        publish = files.publish

        def noting(root: Path, changes: Sequence[Write | Remove], **options: Any) -> str:
            self.intend(
                {
                    each.path.as_posix(): blob_oid(each.content)
                    if isinstance(each, Write)
                    else None
                    for each in changes
                }
            )
            return publish(root, changes, **options)

        files.publish = noting


class Expected:
    """What a vault may hold, by its ledger."""

    def __init__(self) -> None:
        self.state: State = {}
        self.may: dict[str, set[str | None]] = {}
        self.heads: list[str] = []
        self.operation = ""  # under way at the end of what was read
        self.acknowledged = 0

    def read(
        self, file: Path, *, start: int = 0, end: int | None = None, late: bool = False
    ) -> int:
        """Take in the ledger's bytes from `start` to `end`; where the next reading starts.

        late  what is acknowledged there may have been, and need not have been
        """
        if not start and not file.exists():
            return 0  # killed before it noted anything
        with open(file, "rb") as opened:
            opened.seek(start)
            for line in opened:
                after = start + len(line)
                if not line.endswith(b"\n") or (end is not None and after > end):
                    break
                start = after
                self._take(json.loads(line), late=late)
        return start

    def _take(self, entry: dict[str, Any], *, late: bool) -> None:
        if "begin" in entry:
            self.operation = entry["begin"]
        elif "intent" in entry:
            for path, oid in entry["intent"].items():
                self.may.setdefault(path, set()).add(oid)
        elif late:
            for path, oid in entry["ack"].items():
                self.may.setdefault(path, set()).add(oid)
        else:
            self.operation = ""
            self.acknowledged += 1
            self.may = {}
            self.heads.append(entry["head"])
            for path, oid in entry["ack"].items():
                self.state.pop(path, None)
                if oid is not None:
                    self.state[path] = oid

    def settle(self, now: State) -> None:
        """The vault was recovered and looked at: what it holds now is what it must keep."""
        self.state, self.may = dict(now), {}

    def faults(self, now: State) -> list[str]:
        """Files that hold neither what was acknowledged nor what was intended since."""
        found = []
        for path in sorted(self.state.keys() | now.keys()):
            held, oid = self.state.get(path), now.get(path)
            allowed = {held, *self.may.get(path, ())}
            if oid not in allowed and ANYTHING not in allowed:
                found.append(
                    f"{path}: holds {oid}, promised {held}, intended {sorted(map(str, allowed))}"
                )
        return found


def look(root: Path) -> State:
    """Blob ids of all files of a vault that are not git's or temporary."""
    found = {}
    folders = [""]
    while folders:
        folder = folders.pop()
        for entry in os.scandir(root / folder):
            path = f"{folder}/{entry.name}" if folder else entry.name
            if path in (".git", ".vaultmem"):
                continue
            if entry.is_dir(follow_symlinks=False):
                folders.append(path)
            elif stat.S_ISREG(entry.stat(follow_symlinks=False).st_mode):
                found[path] = str(blob_oid(Path(entry.path).read_bytes()))
    return found
