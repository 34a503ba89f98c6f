"""Temporary files: names in `.vaultmem/tmp`, their log, safe renames, and what makes them durable.

A publication has a tag; its files are `<tag>.0`, `<tag>.1`, … in the order of its changes.
Before publishing a file holds our new bytes, afterwards the bytes it displaced. `<tag>.log` says
which path and fingerprints belong to which number, and is renamed `<tag>.done` at the end.
"""

from __future__ import annotations

import contextlib
import errno
import os
import sys
import zlib
from collections.abc import Callable, Sequence
from pathlib import Path, PurePosixPath

from vaultmem.base import MissingFileError, NamedTuple, TypeVar, UnsafePathError, VaultmemError
from vaultmem.model import Oid
from vaultmem.storage.files import listing
from vaultmem.storage.files.folders import CREATE_FLAGS, Folder, OpenFolders, open_file, refusal

LOG = "log"
DONE = "done"
OLD = "old"  # `<tag>.<n>.old`: a second name of a file about to be replaced
SAVED = "saved"  # `<tag>.<n>.saved<k>`: a second name of a person's bytes that were put back
_FIELDS = 3
# Eight digits of a CRC-32 and the NUL behind them.
_SUM_BYTES = 9


class Entry(NamedTuple):
    """What a numbered temporary file is for."""

    path: PurePosixPath
    before: Oid | None  # fingerprint of the bytes it replaces; None: there was no file
    after: Oid | None  # fingerprint of the new bytes; None: the file is removed


def new_tag(now_ns: int) -> str:
    """A tag that no other publication has: one process makes one at a time."""
    return f"w-{os.getpid():x}-{now_ns:x}"


def maker_of(tag: str) -> tuple[int, int]:
    """Number of the process that made the tag, and when (ns of the wall clock); inverse of above.

    Zeros for a tag that says neither.
    """
    try:
        _, number, at_ns = tag.split("-")
        return int(number, 16), int(at_ns, 16)
    except ValueError:
        return 0, 0


def split_name(name: str) -> tuple[str, str] | None:
    """Tag and rest of a name of ours; None for a file that somebody else put there."""
    tag, _, ending = name.partition(".")
    number, _, kind = ending.partition(".")
    is_kind = kind in ("", OLD) or (kind[:-1] == SAVED and kind[-1].isdecimal())
    is_ours = tag.startswith("w-") and (
        ending in (LOG, DONE) or (number.isdecimal() and is_kind and not ending.endswith("."))
    )
    return (tag, ending) if is_ours else None


def encode_log(entries: Sequence[Entry]) -> bytes:
    """The note as bytes: three fields an entry, then a check sum, each ended by NUL.

    No path contains one. After a power cut a file may have its length and not its bytes, so the
    length says nothing; without a check sum a note of zeros read as entries without a path.
    """
    fields = [
        text for entry in entries for text in (entry.before or "", entry.after or "", entry.path)
    ]
    body = "".join(f"{text}\0" for text in fields).encode()
    return body + _check_sum(body)


def _check_sum(body: bytes) -> bytes:
    return f"{zlib.crc32(body):08x}\0".encode()


def decode_log(data: bytes) -> tuple[Entry, ...] | None:
    """Inverse of `encode_log`; None for a note that was not written to its end."""
    body = data[:-_SUM_BYTES]
    # A power cut left a log of zeros, which was shown as the work of a stranger.
    if _check_sum(body) != data[-_SUM_BYTES:]:
        return None
    fields = body.decode("utf-8", "replace").split("\0")[:-1]
    return tuple(
        Entry(
            before=Oid(fields[at]) if fields[at] else None,
            after=Oid(fields[at + 1]) if fields[at + 1] else None,
            path=PurePosixPath(fields[at + 2]),
        )
        for at in range(0, len(fields) - _FIELDS + 1, _FIELDS)
    )


def create(folder: Folder, name: str, data: bytes, *, mode: int | None = None) -> int:
    """Descriptor of a new file with these bytes, not yet durable; raises OSError.

    mode  permissions to give it; None: those that the umask leaves
    """
    # The umask decides, as for a file of an editor: a note is the person's file, and not a private
    # one of ours such as those in the device state (0600).
    fd = os.open(folder.at(name), CREATE_FLAGS, 0o666, dir_fd=folder.fd)
    try:
        left = memoryview(data)
        while left:
            left = left[os.write(fd, left) :]
        if mode is not None and hasattr(os, "fchmod"):
            os.fchmod(fd, mode)
    except BaseException:
        os.close(fd)
        raise
    # Start writing back now: one flush of the disk then serves all files of a batch
    # (6 files: 1.5 -> 0.85 ms here, and a commit of the journal each on slower disks).
    if hasattr(os, "posix_fadvise"):
        os.posix_fadvise(fd, 0, 0, os.POSIX_FADV_DONTNEED)
    return fd


# --- renames that cannot overwrite by surprise ---

# Linux has both in renameat2 and macOS in renameatx_np; Python offers neither, so libc is called.
# Where the system or the file system lacks them the caller is told and takes a longer way.
_LINUX_SWAP, _LINUX_FREE = 2, 1  # RENAME_EXCHANGE, RENAME_NOREPLACE of linux/fs.h
_MACOS_SWAP, _MACOS_FREE = 2, 4  # RENAME_SWAP, RENAME_EXCL of sys/stdio.h
# What file systems answer that do not know the flag (NFS, some FUSE, old kernels).
_UNKNOWN = frozenset([errno.EINVAL, errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP])
NO_LINKS = frozenset([*_UNKNOWN, errno.EPERM, errno.EMLINK, errno.EXDEV])
"""What `link` answers where there are no hard links (FAT), or no more of this file."""


def swap(source: Folder, name: str, target: Folder, target_name: str) -> bool:
    """Exchange two files in one step; False where that is not possible. Raises OSError."""
    flag = _MACOS_SWAP if sys.platform == "darwin" else _LINUX_SWAP
    return _rename(source, name, target, target_name, flag)


def rename_to_free(source: Folder, name: str, target: Folder, target_name: str) -> None:
    """Rename a file to a name that must not exist; raises FileExistsError when it does."""
    flag = _MACOS_FREE if sys.platform == "darwin" else _LINUX_FREE
    if os.name == "nt":
        os.rename(source.at(name), target.at(target_name))  # never replaces on Windows
        return
    try:
        # Not the rename first: `import ctypes` would cost a command that only adds files 3 ms.
        source.link(name, target, target_name)
    except OSError as error:
        if error.errno not in NO_LINKS:
            raise
        if not _rename(source, name, target, target_name, flag):
            _rename_if_absent(source, name, target, target_name)
        return
    try:
        source.unlink(name)
    except BaseException:  # two names are no rename: the new one goes again
        target.unlink(target_name)
        raise


def _rename_if_absent(source: Folder, name: str, target: Folder, target_name: str) -> None:
    """The best that file systems without links allow (FAT): look, then rename."""
    try:
        target.lstat(target_name)
    except FileNotFoundError:
        source.rename(name, target, target_name)
        return
    raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), target_name)


def _rename(source: Folder, name: str, target: Folder, target_name: str, flag: int) -> bool:
    """Rename with a flag; False when the flag is not known here."""
    if source.fd is None or target.fd is None:
        return False
    import ctypes

    function = "renameatx_np" if sys.platform == "darwin" else "renameat2"
    try:
        rename = getattr(ctypes.CDLL(None, use_errno=True), function)
    except AttributeError:  # musl before 1.2.6, and other systems
        return False
    old, new = os.fsencode(name), os.fsencode(target_name)
    if rename(source.fd, old, target.fd, new, flag) == 0:
        return True
    number = ctypes.get_errno()
    if number in _UNKNOWN:
        return False
    raise OSError(number, os.strerror(number), target_name)


# --- durable files that somebody else wrote ---

T = TypeVar("T")

# Beyond this one flush of everything is faster than one of each file.
_MANY = 64


def make_durable(root: Path, paths: Sequence[PurePosixPath]) -> None:
    """Sync these files of the vault and the folders they are in.

    What is gone, is a link now or may not be opened any more is passed over: it is not the file
    that was read, and the next scan says so.
    raises  DiskError when the disk refuses
    """
    # One flush for all: 6 files take .85 ms in place of 1.5.
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
    """What tells whether these files are touched from now on (listing.py), by path."""
    found = {}
    for path in paths:
        with contextlib.suppress(OSError):
            found[path] = listing.racy(os.lstat(root / path))
    return found
