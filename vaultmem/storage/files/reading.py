"""Read files of a vault: regular ones only, never through a link, each as it was at one moment."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Collection, Iterable, Iterator
from pathlib import Path, PurePosixPath

from vaultmem.base import DiskError, StaleFileError, VaultmemError
from vaultmem.storage.files.folders import Folder, open_file, open_folder, refusal
from vaultmem.storage.files.layout import NOTE_LIMIT, check_path

Sleep = Callable[[float], None]

# An editor that truncates and writes leaves the file empty for microseconds, on a slow disk for
# tenths of a second: an empty read is believed after this long (reliability.md 5.1 step 2).
EMPTY_PATIENCE_SECONDS = 2.0
_EMPTY_PAUSE_SECONDS = 0.02
_TRIES = 5
_CHANGING_PAUSE_SECONDS = 0.02
_CHUNK = 1 << 20


def read(
    root: Path,
    path: PurePosixPath,
    *,
    limit: int | None = NOTE_LIMIT,
    had_content: bool = False,
    sleep: Sleep = time.sleep,
) -> bytes:
    """All bytes of a regular file of the vault, as they were at one moment.

    limit        largest size in bytes that is read; None: any
    had_content  the file is known to have had content: when it was emptied less than 2 s ago it
                 is read again until then, because an editor may be in the middle of saving it
    raises       UnsafePathError   the path leads outside, through a link or to no regular file
                 MissingFileError  there is no such file
                 DiskError         too large, unreadable, or the disk failed
                 StaleFileError    it changed during each of 5 attempts
    """
    check_path(path)
    folder = open_folder(root, path.parts[:-1])
    try:
        return read_in(folder, path, limit=limit, had_content=had_content, sleep=sleep)
    finally:
        folder.close()


def read_each(
    root: Path,
    paths: Iterable[PurePosixPath],
    *,
    limit: int | None = NOTE_LIMIT,
    had_content: Collection[str] = (),
) -> Iterator[tuple[PurePosixPath, bytes | VaultmemError]]:
    """Each path with its bytes, or with the error that `read` would raise; in the given order.

    had_content  paths of files that had content when they were last read
    Neighbours in one folder share its opening: 40 % cheaper than `read` for a whole vault.
    """
    folder: Folder | None = None
    parent: PurePosixPath | None = None
    try:
        for path in paths:
            try:
                check_path(path)
                if folder is None or path.parent != parent:
                    if folder is not None:
                        folder.close()
                    folder, parent = None, path.parent
                    folder = open_folder(root, path.parts[:-1])
                known = str(path) in had_content
                found: bytes | VaultmemError = read_in(folder, path, limit=limit, had_content=known)
            except VaultmemError as error:
                found = error
            yield path, found
    finally:
        if folder is not None:
            folder.close()


def read_in(
    folder: Folder,
    path: PurePosixPath,
    *,
    limit: int | None = None,
    had_content: bool = False,
    sleep: Sleep = time.sleep,
    name: str | None = None,
) -> bytes:
    """`read` in a folder that is open; `name` if the file is not called as `path` says."""
    name = path.name if name is None else name
    try:
        data = _settled_bytes(folder, name, path, limit=limit, sleep=sleep)
        waited = 0.0  # counted as well, for a clock that stands or a file of the future
        while not data and had_content and waited < EMPTY_PATIENCE_SECONDS:
            if _age(folder, name) >= EMPTY_PATIENCE_SECONDS:
                break
            sleep(_EMPTY_PAUSE_SECONDS)
            waited += _EMPTY_PAUSE_SECONDS
            data = _settled_bytes(folder, name, path, limit=limit, sleep=sleep)
    except OSError as error:
        raise refusal(path, error, doing="read") from error
    return data


def _age(folder: Folder, name: str) -> float:
    """Seconds since the file changed, by the clock of the system; 0 for the future."""
    found = (
        os.lstat(folder.at(name))
        if folder.fd is None
        else os.stat(name, dir_fd=folder.fd, follow_symlinks=False)
    )
    # The ctime, since editors and sync tools set the mtime of what they write, also to a past
    # moment.
    age = time.time() - found.st_ctime
    return max(0.0, age)


def _settled_bytes(
    folder: Folder, name: str, path: PurePosixPath, *, limit: int | None, sleep: Sleep
) -> bytes:
    for attempt in range(_TRIES):
        if attempt:
            sleep(_CHANGING_PAUSE_SECONDS)
        fd, before = open_file(folder, name)
        try:
            if limit is not None and before.st_size > limit:
                raise DiskError(
                    f"'{path}' has {before.st_size:,} bytes, more than the {limit:,} that are read",
                    hint="keep large files outside the folders of notes",
                )
            data = _all_bytes(fd, before.st_size)
            after = os.fstat(fd)
        finally:
            os.close(fd)
        # An editor that writes in place changes size or times between the two looks, so these bytes
        # would be the beginning of one save and the end of another.
        if len(data) == after.st_size and _mark(before) == _mark(after):
            return data
    raise StaleFileError(path, expected=None, found=None)


def _mark(found: os.stat_result) -> tuple[int, int, int]:
    return found.st_size, found.st_mtime_ns, found.st_ctime_ns


def _all_bytes(fd: int, size: int) -> bytes:
    """At most size + 1 bytes: one more than expected is enough to see that it grew."""
    data = os.read(fd, min(size + 1, _CHUNK))
    if len(data) == size and size < _CHUNK:
        return data
    chunks = [data]
    left = size + 1 - len(data)
    while data and left > 0:
        data = os.read(fd, min(left, _CHUNK))
        chunks.append(data)
        left -= len(data)
    return b"".join(chunks)
