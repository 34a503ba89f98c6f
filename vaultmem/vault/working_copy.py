"""Files being worked on in memory: read once, changed step by step, then a plan's changes."""

from __future__ import annotations

import os
from collections.abc import Collection
from pathlib import PurePosixPath

from vaultmem.base import TYPE_CHECKING, DiskError, MissingFileError, StaleFileError, VaultmemError
from vaultmem.language import fold as fold_text
from vaultmem.model import Oid, Remove, Write, blob_oid
from vaultmem.storage import files

if TYPE_CHECKING:
    from vaultmem.vault.unread import Unread
    from vaultmem.vault.vault import Vault

# Sources before what quotes them, items before the lists that name them, and new ones before what
# ends because of them; what goes, goes last, and the lists first. So cut off anywhere, no file
# names a note that is not there.
_ORDER = {"resources": 0, "items": 1, "archive": 2, "categories": 3, "streams": 4}


class WorkingCopy:
    """Bytes of files as they will be, and as they were at the end of the last step."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault
        self._before: dict[PurePosixPath, bytes | None] = {}  # None: there is no such file
        self._now: dict[PurePosixPath, bytes | None] = {}
        self._touched: set[PurePosixPath] = set()  # since the last step
        self._changed: set[PurePosixPath] = set()  # of these, those that were there and differ
        # Names of folders in which a second file was missing; None: only one was.
        self._names: dict[PurePosixPath, frozenset[str] | None] = {}
        self._unread: Unread | None = None  # None: not asked for yet

    def text(self, path: PurePosixPath) -> bytes | None:
        """The file as it will be; None when there is none."""
        if path not in self._now:
            self._before[path] = self._now[path] = self._on_disk(path)
        return self._now[path]

    @property
    def changed(self) -> Collection[PurePosixPath]:
        """Files that were there at the end of the last step, and will be others."""
        return self._changed

    def existing(self, path: PurePosixPath) -> bytes:
        """The file as it will be; raises StaleFileError when it just went away."""
        data = self.text(path)
        if data is None:
            raise StaleFileError(path, expected=None, found=None)
        return data

    def put(self, path: PurePosixPath, data: bytes) -> None:
        """Give the file these bytes."""
        self._replace(path, data)

    def remove(self, path: PurePosixPath) -> None:
        """Take the file away."""
        self._replace(path, None)

    def _replace(self, path: PurePosixPath, data: bytes | None) -> None:
        self.text(path)
        self._now[path] = data
        self._touched.add(path)
        if self._before[path] is not None and data != self._before[path]:
            self._changed.add(path)
        else:
            self._changed.discard(path)

    def step(self) -> tuple[Write | Remove, ...]:
        """What changed since the last step, in the order in which it is published."""
        found: list[Write | Remove] = []
        for path in self._touched:
            before, data = self._before[path], self._now[path]
            self._before[path] = data
            if data == before:
                continue
            expects = None if before is None else self._oid(before)
            if data is not None:
                found.append(Write(path=path, content=data, expects=expects))
            elif expects is not None:
                found.append(Remove(path=path, expects=expects))
        self._touched.clear()
        self._changed.clear()
        return tuple(sorted(found, key=_place))

    def _on_disk(self, path: PurePosixPath) -> bytes | None:
        from vaultmem.vault import unread  # saves 4 modules

        if self._unread is None:  # once for all files of a plan, of which there may be thousands
            self._unread = unread.read_noted(self._vault)
        if self._unread and self._unread.holds(path.as_posix()):
            why = unread.still(self._vault, [path.as_posix()]).get(path.as_posix())
            if why:
                raise DiskError(f"cannot read '{path}': {why}")
        # From the second missing file of a folder on its names tell: five openings and six looks
        # for each new note were 9 % of adopting a list.
        if self._is_new(path):
            return None
        file = self._vault.root / path
        try:
            return files.read(self._vault.root, path, limit=None)
        except MissingFileError:
            if file.is_symlink():
                raise
            # Of 6,000 saves by deletion and making anew, 232 ended a `remember` in 'is gone';
            # planned again up to five times, 29 do.
            if file.exists():  # an editor that deletes and makes anew has just put it back
                raise StaleFileError(path, expected=None, found=None) from None
            files.require_gone(self._vault.root, path)
            self._note_missing(path.parent)
            return None
        except VaultmemError:
            if not files.is_path_gone(self._vault.root, path):
                raise
            return None

    def _note_missing(self, folder: PurePosixPath) -> None:
        """A file was missing in a folder; of the second one on, its names tell which others are.

        Each of thousands of new notes of a day cost five openings and six looks at what might lie
        in its place. A file that comes meanwhile is found when the new one is to be published.
        """
        is_first = folder not in self._names
        self._names[folder] = None
        if is_first:
            return
        try:
            names = os.listdir(self._vault.root / folder)
        except FileNotFoundError:
            names = []
        except OSError:
            return  # each file of it is looked at by itself
        self._names[folder] = frozenset(map(fold_text, names))

    def _is_new(self, path: PurePosixPath) -> bool:
        """Whether the names of its folder say that no file, and nothing in its place, is there."""
        names = self._names.get(path.parent)
        return names is not None and not any(
            fold_text(name) in names for name in (path.name, *files.names_in_place(path.name))
        )

    def _oid(self, data: bytes) -> Oid:
        return blob_oid(data, algorithm=self._vault.history.algorithm)


def _place(change: Write | Remove) -> tuple[bool, int, bool, PurePosixPath]:
    order = _ORDER.get(change.path.parts[0], 5)
    if isinstance(change, Remove):
        # Lists go before what they name, which is the other way round.
        return True, -order, False, change.path
    return False, order, change.expects is not None, change.path


def fold(changes: tuple[Write | Remove, ...]) -> tuple[Write | Remove, ...]:
    """One change a file out of several steps: the last content, the first fingerprint."""
    first: dict[PurePosixPath, Write | Remove] = {}
    last: dict[PurePosixPath, Write | Remove] = {}
    for change in changes:
        first.setdefault(change.path, change)
        last[change.path] = change
    folded: list[Write | Remove] = []
    for path, change in last.items():
        expects = first[path].expects
        if isinstance(change, Write):
            folded.append(Write(path=path, content=change.content, expects=expects))
        elif expects is not None:
            folded.append(Remove(path=path, expects=expects))
    return tuple(folded)
