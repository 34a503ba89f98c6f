"""Make files durable that somebody else wrote."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Sequence
from pathlib import Path, PurePosixPath
from typing import TypeVar

from vaultmem.base.errors import MissingFileError, UnsafePathError, VaultmemError
from vaultmem.storage.files import stats
from vaultmem.storage.files.folders import OpenFolders, open_file, refusal

T = TypeVar("T")

# Beyond this one flush of everything is faster than one of each file.
_MANY = 64


def make_durable(root: Path, paths: Sequence[PurePosixPath]) -> None:
    """Sync these files of the vault and the folders they are in.

    What is gone, is a link now or may not be opened any more is passed over: it is not the file
    that was read, and the next scan says so.
    raises  DiskError when the disk refuses
    """
    if len(paths) > _MANY and flush():
        return
    with contextlib.closing(OpenFolders(root)) as folders:
        for path in paths:
            fd = _unless_gone(lambda path=path: _open(folders, path))  # type: ignore[misc]
            if fd is None:
                continue
            try:
                _sync(path, fd)
            finally:
                os.close(fd)
        for path in sorted({path.parent for path in paths}):
            folder = _unless_gone(lambda path=path: folders.get(path))  # type: ignore[misc]
            if folder is not None and folder.fd is not None:
                _sync(path, folder.fd)


def _unless_gone(opened: Callable[[], T]) -> T | None:
    try:
        return opened()
    except (MissingFileError, UnsafePathError):
        return None
    except VaultmemError as error:
        if isinstance(error.__cause__, PermissionError):
            return None
        raise


def _open(folders: OpenFolders, path: PurePosixPath) -> int:
    folder = folders.get(path.parent)
    try:
        return open_file(folder, path.name)[0]
    except OSError as error:
        raise refusal(path, error, doing="read") from error


def _sync(path: PurePosixPath, fd: int) -> None:
    if os.name == "nt":
        return  # Windows flushes only what was opened for writing
    try:
        os.fsync(fd)
    except OSError as error:
        raise refusal(path, error, doing="write") from error


def flush() -> bool:
    """Make everything durable that any process wrote; False where the system has no such call."""
    if not hasattr(os, "sync"):
        return False
    os.sync()
    return True


def numbers(root: Path, paths: Sequence[PurePosixPath]) -> dict[PurePosixPath, bytes]:
    """What tells whether these files are touched from now on (stats.py), by path."""
    found = {}
    for path in paths:
        with contextlib.suppress(OSError):
            found[path] = stats.racy(os.lstat(root / path))
    return found
