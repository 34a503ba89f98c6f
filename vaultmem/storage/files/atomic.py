"""Renames that cannot overwrite by surprise: swap two files, or give a name that must be free.

Linux has both in renameat2 and macOS in renameatx_np; Python offers neither, so libc is called.
Where the system or the file system lacks them the caller is told and takes a longer way.
"""

from __future__ import annotations

import errno
import os
import sys

from vaultmem.storage.files.folders import Folder

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
        os.link(
            source.at(name),
            target.at(target_name),
            src_dir_fd=source.fd,
            dst_dir_fd=target.fd,
            follow_symlinks=False,
        )
    except OSError as error:
        if error.errno not in NO_LINKS:
            raise
        if not _rename(source, name, target, target_name, flag):
            _rename_if_absent(source, name, target, target_name)
        return
    try:
        os.unlink(source.at(name), dir_fd=source.fd)
    except BaseException:  # two names are no rename: the new one goes again
        os.unlink(target.at(target_name), dir_fd=target.fd)
        raise


def _rename_if_absent(source: Folder, name: str, target: Folder, target_name: str) -> None:
    """The best that file systems without links allow (FAT): look, then rename."""
    try:
        os.lstat(target.at(target_name)) if target.fd is None else os.stat(
            target_name, dir_fd=target.fd, follow_symlinks=False
        )
    except FileNotFoundError:
        os.rename(
            source.at(name), target.at(target_name), src_dir_fd=source.fd, dst_dir_fd=target.fd
        )
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
