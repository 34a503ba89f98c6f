"""Files that were read and that nobody is known to have synced.

Few editors sync what they save, and git syncs nothing of the work tree. What they write again
with the bytes that it had, or commit by hand, is nothing to commit for us; yet with the answer of
a `sync` it counts as kept. Found by cutting the power: xfs keeps an empty file after a rewriting
in place.

Whatever reads a file that was touched since it was last seen notes it here, with the rows; the
next operation that acknowledges anything syncs it first. Files that the program itself wrote
are told apart by the numbers that they had right after their publication.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Iterable, Mapping
from pathlib import PurePosixPath

from vaultmem import model
from vaultmem.base import TYPE_CHECKING, replace
from vaultmem.model import STAT_BYTES, FolderState
from vaultmem.storage import files

if TYPE_CHECKING:
    from pathlib import Path

    from vaultmem.model import Remove
    from vaultmem.vault.vault import Vault

_NOTED = "unsynced"
# Beyond this many the whole disk is flushed (storage/files/temporaries.py), and names are of no
# use.
_MOST_NAMED = 64
_EVERYTHING = "/"
_BREAK = "\0"  # not in any file name


def note(vault: Vault, paths: Collection[str], *, but: Collection[str] = ()) -> None:
    """These files were read, these folders met, and may be on no disk yet; `but` those are.

    A folder is noted for its own name: what is synced is the folder above it.
    """
    if not (paths or but):
        return
    # What nobody synced is noted until a command acknowledges: after a power cut xfs keeps a file
    # empty that was saved again with the same bytes, and a `sync` had answered.
    noted = _read_noted(vault)
    mark = str(time.time_ns())
    found = {**noted, **dict.fromkeys(paths, mark)}
    if len(found) > _MOST_NAMED:
        found = {_EVERYTHING: mark}
    for path in but:
        found.pop(path, None)
    if found != noted:
        _keep(vault, found)


def sync_read(
    vault: Vault,
    also: Iterable[PurePosixPath] = (),
    *,
    but: Iterable[PurePosixPath] = (),
) -> None:
    """Make durable what was read since the last acknowledgement, and these files.

    but     files that are about to be replaced
    raises  DiskError when the disk refuses: nothing may be acknowledged
    """
    noted = _read_noted(vault)
    for path in but:
        noted.pop(path.as_posix(), None)
    paths = {PurePosixPath(path) for path in noted if path != _EVERYTHING}.union(also)
    if not (paths or noted):
        return

    if _EVERYTHING not in noted or not files.flush():
        files.make_durable(vault.root, sorted(paths))
    if not noted:
        return
    with vault.index.writing():
        # Another process may have read one of them once more meanwhile.
        left = {path: mark for path, mark in _read_noted(vault).items() if noted.get(path) != mark}
        _keep(vault, left)


def _read_noted(vault: Vault) -> dict[str, str]:
    """Path -> mark of the reading that noted it."""
    words = (vault.index.meta(_NOTED) or "").split(_BREAK)
    return dict(zip(words[::2], words[1::2], strict=False))


def _keep(vault: Vault, noted: Mapping[str, str]) -> None:
    words = (word for pair in sorted(noted.items()) for word in pair)
    vault.index.set_meta(_NOTED, _BREAK.join(words))


def durable_numbers(
    root: Path, changes: Iterable[model.Write | Remove]
) -> dict[PurePosixPath, bytes]:
    """Numbers of files of ours that are durable now: as long as they have these, nobody wrote."""
    return files.numbers(root, [each.path for each in changes if isinstance(each, model.Write)])


def expect(
    vault: Vault, paths: Iterable[PurePosixPath], seen: Mapping[PurePosixPath, bytes] | None = None
) -> None:
    """Tell the next scan of files it has not seen, or not read: it looks at each of them.

    Without this it would not miss one that goes before it.
    seen  numbers of those of them that are durable as they are
    """
    by_folder: dict[str, list[PurePosixPath]] = {}
    paths = tuple(paths)
    for path in paths:
        folder = path.parent.as_posix() if len(path.parts) > 1 else ""
        by_folder.setdefault(folder, []).append(path)
    # Folders on the way are known from now on, too: `publish` made them durable.
    for parent in {path.parent for path in paths}:
        for above in (parent, *parent.parents):
            if above.name:
                by_folder.setdefault(above.as_posix(), [])
    # Not all of them: those of 20,000 notes take 4 ms, at each of three calls of an edited bullet.
    known = vault.index.folders(by_folder)
    expected: list[FolderState] = []
    for folder, written in by_folder.items():
        state = known.get(folder)
        if state is None:
            state = FolderState(path=folder, mtime_ns=0, names=(), folders=(), stats=b"")
        there = files.listing.by_name(state)
        for path in written:
            there[path.name] = (seen or {}).get(path, bytes(STAT_BYTES))
        packed = b"".join(there.values())
        if packed != state.stats or folder not in known:
            expected.append(replace(state, mtime_ns=0, names=tuple(there), stats=packed))
    vault.index.set_folders(expected)
