"""What the last scan of the working tree saw, packed so that comparing it again is cheap."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class FolderState:
    """One folder: its direct files and their stat, in the order of `names`.

    stats  array('Q') bytes, four numbers a file: mtime_ns, ctime_ns, size, inode.
           A file changed so recently that a later edit could hide behind the same numbers
           has four zeros, which no stat equals, so the next scan reads it again
           (git calls such a file racily clean).
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
