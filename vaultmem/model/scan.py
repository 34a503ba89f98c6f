"""What scans of the working tree saw, packed so that comparing it again is cheap."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from vaultmem.base.records import dataclass, field

if TYPE_CHECKING:
    from vaultmem.model.notes import Problem

STAT_BYTES = 4 * 8
"""Bytes of one file in `FolderState.stats`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FolderState:
    """One folder: its direct files and their stat, in the order of `names`.

    stats  array('Q') bytes, four numbers a file: mtime_ns, ctime_ns, size, inode.
           A file changed so recently that a later edit could hide behind the same numbers
           has the highest bit of its size set, which no stat has, so the next scan reads it
           again (git calls such a file racily clean). Four zeros: it was never seen.
    """

    path: str  # POSIX, relative to the vault
    mtime_ns: int
    names: tuple[str, ...]
    folders: tuple[str, ...]  # names of subfolders
    stats: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class FileState:
    """What the index holds of one file: the bytes on disk and those of the last commit."""

    path: str
    oid: str  # '' when the file is gone from disk
    head_oid: str  # '' when HEAD does not have the file


@dataclass(frozen=True, slots=True, kw_only=True)
class Scan:
    """What a scan found. Paths are POSIX, relative to the vault, sorted.

    A changed file is one whose content may differ: its hash decides. What became too large is
    in `oversize` and neither changed nor removed. Problems and ignored names are those of the
    folders in `listed`; the other folders hold what they held at the last scan.
    """

    changed: tuple[str, ...] = ()
    touched: tuple[str, ...] = ()  # of these, those whose numbers are others than at the last scan
    new_folders: tuple[str, ...] = ()  # that the last scan did not know
    removed: tuple[str, ...] = ()
    oversize: tuple[str, ...] = ()
    folders: tuple[FolderState, ...] = ()  # new states, of the folders that differ
    gone_folders: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()
    listed: tuple[str, ...] = ()
    ignored: Mapping[str, int] = field(default_factory=dict)  # rule -> names left out by it
    files: int = 0  # known and found, in all folders

    @property
    def is_clean(self) -> bool:
        """Nothing differs from the last scan, not even a folder to remember."""
        return not (self.changed or self.removed or self.folders or self.gone_folders)
