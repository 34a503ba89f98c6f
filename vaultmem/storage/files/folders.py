"""Folders of a vault held open, so that no link can lead a read or a write out of it.

On POSIX a folder is a file descriptor reached one component at a time without following links;
a name is then looked up in exactly that folder, whatever happens to the path meanwhile.
Where the system has no such calls, each component is checked before the path is used.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterable, Sequence
from pathlib import Path, PurePath, PurePosixPath

from vaultmem.base import MissingFileError, UnsafePathError, VaultmemError, disk_error
from vaultmem.storage.files.layout import check_path

# Absent on Windows. O_NONBLOCK: opening a FIFO must not wait for its writer.
_NOFOLLOW = getattr(os, "O_NOFOLLOW", 0)
_FOLDER_FLAGS = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_CLOEXEC", 0)
READ_FLAGS = (
    os.O_RDONLY
    | _NOFOLLOW
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_BINARY", 0)
)
CREATE_FLAGS = (
    os.O_WRONLY
    | os.O_CREAT
    | os.O_EXCL
    | _NOFOLLOW
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_BINARY", 0)
)
BY_DESCRIPTOR = bool(_NOFOLLOW) and os.open in os.supports_dir_fd
"""Whether folders can be held open here."""

# The answers of different systems to "this is a link" or "this is no folder".
_NOT_OURS = frozenset([errno.ELOOP, errno.ENOTDIR, errno.EMLINK])
# And to taking away a folder that holds something, or is gone.
_STAYS = frozenset([errno.ENOTEMPTY, errno.EEXIST, errno.ENOENT])


class Folder:
    """One open folder. `at(name)` and `fd` together name a file in it for the calls of `os`."""

    __slots__ = ("_path", "fd")

    def __init__(self, path: str, fd: int | None) -> None:
        self._path = path
        self.fd = fd  # None: no descriptors here, names are full paths

    def at(self, name: str) -> str:
        """The name to pass to `os` together with `dir_fd=self.fd`."""
        return name if self.fd is not None else os.path.join(self._path, name)

    def names(self) -> list[str]:
        """Names of everything in it, in no order."""
        return os.listdir(self._path if self.fd is None else self.fd)

    def lstat(self, name: str) -> os.stat_result:
        """What `os.lstat` says of a name in it; raises OSError."""
        return os.stat(self.at(name), dir_fd=self.fd, follow_symlinks=False)

    def unlink(self, name: str) -> None:
        """Take a name in it away; raises OSError."""
        os.unlink(self.at(name), dir_fd=self.fd)

    def rename(self, name: str, target: Folder, target_name: str) -> None:
        """Give a file in it another name, in `target`; raises OSError."""
        ends = self.at(name), target.at(target_name)
        os.rename(*ends, src_dir_fd=self.fd, dst_dir_fd=target.fd)

    def link(self, name: str, target: Folder, target_name: str) -> None:
        """Give a file in it a second name, in `target`, that must be free; raises OSError."""
        ends = self.at(name), target.at(target_name)
        os.link(*ends, src_dir_fd=self.fd, dst_dir_fd=target.fd, follow_symlinks=False)

    def fsync(self) -> None:
        """Make the names in it durable; nothing to do where folders cannot be synced."""
        if self.fd is not None:
            os.fsync(self.fd)

    def close(self) -> None:
        """Give the descriptor back; harmless when repeated."""
        if self.fd is not None:
            os.close(self.fd)
            self.fd = None


def open_folder(
    root: str | Path, parts: Sequence[str], *, create: bool = False, by_fd: bool = BY_DESCRIPTOR
) -> Folder:
    """The folder `parts` below `root`, without following a link below `root`.

    create  make what is missing, durably
    raises  MissingFileError, UnsafePathError, DiskError
    """
    where = PurePath(*parts) if parts else PurePath(".")
    # A forged log in a vault could name a path outside it.
    if ".." in parts:
        raise UnsafePathError(f"'{where}' leads outside the vault")
    try:
        if by_fd:
            return _open_by_descriptor(str(root), parts, create=create)
        return _open_by_path(str(root), parts, create=create)
    except OSError as error:
        raise refusal(where, error, doing="open") from error


def _open_by_descriptor(root: str, parts: Sequence[str], *, create: bool) -> Folder:
    # The root itself may be a link, since where a vault lies is the person's choice; below it no
    # link is followed.
    fd = os.open(root, _FOLDER_FLAGS)
    for part in parts:
        try:
            try:
                below = os.open(part, _FOLDER_FLAGS | _NOFOLLOW, dir_fd=fd)
            except FileNotFoundError:
                if not create:
                    raise
                _make(part, fd)
                below = os.open(part, _FOLDER_FLAGS | _NOFOLLOW, dir_fd=fd)
        finally:
            os.close(fd)
        fd = below
    return Folder(os.path.join(root, *parts), fd)


def _make(name: str, parent: int) -> None:
    try:
        os.mkdir(name, dir_fd=parent)
    except FileExistsError:
        return  # somebody was faster; the open that follows judges what it is
    # The name of the new folder is durable before anything is put into it: a power cut would take
    # the folder with the durable note in it.
    os.fsync(parent)


def _open_by_path(root: str, parts: Sequence[str], *, create: bool) -> Folder:
    path = root
    for part in parts:
        path = os.path.join(path, part)
        try:
            found = os.lstat(path)
        except FileNotFoundError:
            if not create:
                raise
            os.mkdir(path)
            found = os.lstat(path)
        # A junction of Windows is a folder to `lstat`; only its reparse tag tells that it leads
        # elsewhere.
        if not stat.S_ISDIR(found.st_mode) or getattr(found, "st_reparse_tag", False):
            raise NotADirectoryError(errno.ENOTDIR, "a link or not a folder", path)
    return Folder(path, None)


class OpenFolders:
    """Folders of a vault kept open while many files in them are worked on; few at a time."""

    # macOS gives a process 256 descriptors by default, and a publication holds up to 64 new files
    # open beside these.
    _MOST = 32

    def __init__(self, root: Path) -> None:
        self._root = root
        self._open: dict[PurePosixPath, Folder] = {}

    def get(self, path: PurePosixPath, *, create: bool = False) -> Folder:
        """The open folder, good until 32 others were asked for; raises as `open_folder` does."""
        folder = self._open.pop(path, None)
        if folder is None:
            if len(self._open) >= self._MOST:
                self._open.pop(next(iter(self._open))).close()
            folder = open_folder(self._root, path.parts, create=create)
        self._open[path] = folder
        return folder

    def close(self) -> None:
        """Close all of them."""
        while self._open:
            self._open.popitem()[1].close()


def open_file(folder: Folder, name: str) -> tuple[int, os.stat_result]:
    """Descriptor for reading and stat of a regular file in the folder; raises OSError."""
    if folder.fd is None:
        seen = os.lstat(folder.at(name))
        if not stat.S_ISREG(seen.st_mode):
            raise OSError(errno.ELOOP, "not a regular file", name)
    fd = os.open(folder.at(name), READ_FLAGS, dir_fd=folder.fd)
    # Without folders that are held open, a link may take the place of the file between the two
    # calls.
    found = os.fstat(fd)
    swapped = folder.fd is None and (found.st_dev, found.st_ino) != (seen.st_dev, seen.st_ino)
    if not stat.S_ISREG(found.st_mode) or swapped:
        os.close(fd)
        raise OSError(errno.ELOOP, "not a regular file", name)
    return fd, found


def refusal(path: PurePath, error: OSError, *, doing: str) -> VaultmemError:
    """The named error for what the operating system said about `path` while `doing`."""
    if error.errno in _NOT_OURS:
        return UnsafePathError(
            f"'{path}' is a link, lies behind one, or is not a regular file",
            hint="vaultmem reads and writes regular files only, and follows no links",
        )
    if error.errno == errno.ENOENT:
        return MissingFileError(f"there is no '{path}'")
    return disk_error(error, doing=doing, what=path)


def make_folders(root: Path, paths: Iterable[PurePosixPath]) -> None:
    """Make folders of the vault, and those above them, durably; those that are there stay.

    raises  UnsafePathError, DiskError
    """
    for path in paths:
        check_path(path)
        open_folder(root, path.parts, create=True).close()


def drop_folders(root: Path, paths: Iterable[PurePosixPath]) -> None:
    """Take folders away that are empty, in this order; one that is not, or is gone, stays so.

    raises  UnsafePathError, DiskError
    """
    for path in paths:
        check_path(path)
        try:
            above = open_folder(root, path.parts[:-1])
        except MissingFileError:
            continue
        try:
            os.rmdir(above.at(path.name), dir_fd=above.fd)
            above.fsync()
        except OSError as error:
            if error.errno not in _STAYS:
                raise refusal(path, error, doing="remove") from error
        finally:
            above.close()
