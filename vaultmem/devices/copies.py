"""Copies that sync services leave beside a note after a conflict: merged back into it."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import PurePosixPath

from vaultmem.base import TYPE_CHECKING, VaultmemError
from vaultmem.storage import merging
from vaultmem.storage.files import conflict_copy_of

if TYPE_CHECKING:
    from vaultmem.vault import Parts, Workbench

MOST_VERSIONS = 50
"""How far back in a note's history the version is looked for that its copy began as."""


def merge_copy(parts: Parts, bench: Workbench, path: PurePosixPath) -> bool:
    """Merge a conflict copy into its note and take it away; False: it is left as it is.

    It is left where there is no such note, where a line of it would have no place in the merged
    note, and while its bytes are in no commit (a person who commits for themselves, a staged
    file): taking it away would then lose what only it says.
    """

    note = conflict_copy_of(path)
    if note is None:
        return False
    try:
        ours, theirs = bench.text(note), bench.text(path)
    except VaultmemError:
        return False
    if ours is None or theirs is None:
        return False
    head = parts.history.head() or ""
    if parts.history.text_at(head, path.as_posix()) != theirs:
        return False
    versions = parts.history.versions(note.as_posix(), limit=MOST_VERSIONS)
    merged = merging.merge_note(
        note,
        _common(parts, note, ours, theirs),
        ours,
        theirs,
        ours_at=versions[0].at_ms if versions else 0,
        # Nothing else says when the other device wrote it: the copy is in no commit of that device.
        theirs_at=os.lstat(parts.root / path).st_mtime_ns // 1_000_000,
    )
    if merged.content is None or merged.copies:
        return False
    bench.put(note, merged.content)
    bench.remove(path)
    return True


def _common(parts: Parts, note: PurePosixPath, ours: bytes, theirs: bytes) -> bytes:
    """The version of a note that its copy most likely began as; of two, the older one.

    The note as it is now is the last choice: from it, all that the copy lacks would look
    deleted. An older version than the true one does no harm, as what both have in common by
    now merges with itself.
    """
    best, share = ours, -1.0
    wanted = Counter(theirs.splitlines())
    for entry in parts.history.versions(note.as_posix(), limit=MOST_VERSIONS):
        data = parts.history.text_at(entry.commit, note.as_posix())
        if data is None or data == ours:
            continue
        found = _share(Counter(data.splitlines()), wanted)
        # Versions come newest first, so `>=` leaves the older one of two that share as much.
        if found >= share:
            best, share = data, found
    return best


def _share(one: Counter[bytes], other: Counter[bytes]) -> float:
    """Share of common lines, 0 to 1."""
    total = one.total() + other.total()
    return 2 * (one & other).total() / total if total else 1.0
