"""Whether something lies at a path that cannot be read as a note: not readable is not gone."""

from __future__ import annotations

import os
import stat
from pathlib import Path, PurePosixPath

from vaultmem.base import DiskError, PatchRefusedError, is_of_some_files
from vaultmem.storage.files.layout import key

# What sync services leave in the place of a file whose content is elsewhere for now: iCloud,
# Nextcloud and ownCloud.
_PLACEHOLDERS = (".{}.icloud", "{}.nextcloud", "{}.owncloud")


def is_path_gone(root: Path, path: PurePosixPath) -> bool:
    """Whether nothing lies at a path; False where the system does not say so.

    `os.path.lexists` says of a folder that may not be entered that nothing is in it.
    """
    return not _stands(root / path) and not why_unread(root, path, limit=None)


def require_gone(root: Path, path: PurePosixPath) -> None:
    """Raise DiskError where something stands for the file at a path: it is not to be made anew."""
    why = why_unread(root, path, limit=None)
    if why:
        raise DiskError(f"cannot read '{path}': {why}")


def _stands(file: Path) -> bool:
    try:
        os.lstat(file)
    except OSError:
        return False
    return True


def why_unread(root: Path, path: PurePosixPath, *, limit: int | None) -> str:
    """Why what lies at a path cannot be read; '' where nothing does, or a file as any other.

    limit   bytes above which a file is not read; None: any size is
    raises  OSError when it is not this file that the system refuses (out of memory, say)
    """
    file = root / path
    try:
        found = os.lstat(file)
    except (FileNotFoundError, NotADirectoryError):
        return _in_its_place(root, path)
    except OSError as error:
        if not is_of_some_files(error):
            raise
        return error.strerror or type(error).__name__
    above = _above(root, path)
    if above:
        return above
    if stat.S_ISDIR(found.st_mode):
        return "a folder lies in its place"
    if stat.S_ISLNK(found.st_mode):
        return "a link lies in its place"
    if not stat.S_ISREG(found.st_mode):
        return "a pipe, socket or device lies in its place"
    if limit is not None and found.st_size > limit:
        return f"{found.st_size:,} bytes are more than the {limit:,} that are read"
    return ""


def _above(root: Path, path: PurePosixPath) -> str:
    """What is wrong with the folders on the way to a path; '': they are folders, or not there."""
    for folder in list(path.parents)[:-1]:
        try:
            if not stat.S_ISDIR(os.lstat(root / folder).st_mode):
                return f"'{folder}' is a link or a file, not a folder"
        except OSError:
            continue
    return ""


def names_in_place(name: str) -> tuple[str, ...]:
    """What a sync service calls the file that it leaves in the place of one of this name."""
    return tuple(pattern.format(name) for pattern in _PLACEHOLDERS)


def _in_its_place(root: Path, path: PurePosixPath) -> str:
    for name in names_in_place(path.name):
        if os.path.lexists(root / path.parent / name):
            return f"a sync service keeps it elsewhere for now ('{name}')"
    return _above(root, path)


def taken_for(root: Path, name: str) -> str | None:
    """A folder or file at the top that many systems take for `name`; None when there is none.

    Where `name` itself is there as well, the two are apart already.
    """
    try:
        names = os.listdir(root)
    except OSError:
        return None
    if name in names:
        return None
    return min((each for each in names if key(each) == key(name)), default=None)


def require_apart(root: Path, path: PurePosixPath) -> None:
    """Raise PatchRefusedError where the top folder of a new page would be taken for another."""
    twin = taken_for(root, path.parts[0])
    if twin is not None:
        raise PatchRefusedError(
            f"the page cannot be made: many systems take '{path.parts[0]}' for '{twin}'",
            hint=f"rename '{twin}'",
        )
