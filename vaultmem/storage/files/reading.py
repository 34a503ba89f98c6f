"""Read files of a vault: regular ones only, never through a link, each as it was at one moment.

Whether something lies at a path is asked here, and not of `os.path.lexists`, which says of a folder
that may not be entered that nothing is in it.
"""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Callable, Collection, Iterable, Iterator
from pathlib import Path, PurePosixPath

from vaultmem.base import (
    DiskError,
    PatchRefusedError,
    StaleFileError,
    VaultmemError,
    dataclass,
    is_of_some_files,
)
from vaultmem.storage.files.folders import Folder, open_file, open_folder, refusal
from vaultmem.storage.files.layout import NOTE_LIMIT, check_path, key

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
    # The ctime, since editors and sync tools set the mtime of what they write, also to a past
    # moment.
    return max(0.0, time.time() - folder.lstat(name).st_ctime)


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


# Whether something lies at a path that cannot be read as a note: not readable is not gone.

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
        # What a sync service put a placeholder for was taken for gone, and its memories were
        # retracted with exit code 0.
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


# The text of a note's bytes: UTF-8, or what can be made of them for searching.

_UTF16 = {b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}
_SAMPLE = 4096
_TEXT_CONTROLS = b"\t\n\x0b\x0c\r\x1b"


@dataclass(frozen=True, slots=True, kw_only=True)
class Foreign:
    """Bytes that are not UTF-8: a guess at what they are, and the text for searching."""

    name: str  # 'UTF-16', 'Latin-1', 'broken UTF-8'; 'binary': not text at all
    text: str  # '' when binary


def utf16_name(data: bytes) -> str | None:
    """The codec of UTF-16 text, by its byte order mark or by where its NULs are."""
    marked = _UTF16.get(data[:2])
    if marked is not None:
        return marked
    sample = data[:_SAMPLE]
    nuls = sample.count(0)
    # In UTF-16 every second byte of Latin letters is NUL; a third still finds text with other
    # scripts in it.
    if nuls * 3 < len(sample) or len(sample) < 4:
        return None
    odd = sample[1::2].count(0)
    if odd == nuls:
        return "utf-16-le"
    return "utf-16-be" if odd == 0 else None


def read_foreign(data: bytes) -> Foreign:
    """What bytes that are not UTF-8 may be. Never fails."""
    codec = utf16_name(data)
    if codec is not None:
        return Foreign(name="UTF-16", text=data.decode(codec, "replace").removeprefix("\ufeff"))
    if is_binary(data):
        return Foreign(name="binary", text="")
    replaced = data.decode("utf-8", "replace")
    # Where no byte beyond ASCII is part of a valid sequence, the text was never UTF-8; where some
    # are, it was and is damaged.
    if all(mark.isascii() or mark == "\ufffd" for mark in set(replaced)):
        return Foreign(name="Latin-1", text=data.decode("cp1252", "replace"))
    return Foreign(name="broken UTF-8", text=replaced)


def looks_foreign(data: bytes) -> bool:
    """Whether bytes that are valid UTF-8 are UTF-16 or binary all the same; they hold NULs."""
    return utf16_name(data) is not None or is_binary(data)


def is_binary(data: bytes) -> bool:
    """Whether the beginning holds more control characters than any text does."""
    sample = data[:_SAMPLE]
    controls = sum(sample.count(code) for code in range(32) if code not in _TEXT_CONTROLS)
    return controls * 20 > len(sample)
