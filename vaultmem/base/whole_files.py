"""A file of the device replaced as a whole: the old bytes or the new ones, never a part."""

from __future__ import annotations

import os
from contextlib import suppress

from vaultmem.base.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from os import PathLike

_FLAGS = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)


def replace_file(
    file: str | PathLike[str], data: bytes, *, mode: int = 0o600, is_durable: bool = False
) -> None:
    """Put these bytes in the place of a file, by rename, whoever else does the same just now.

    mode        permissions of the new file, less what the umask takes
    is_durable  on the disk, with its name, before this returns (two flushes)
    raises      OSError; the old file is then as it was
    """
    # Drawn, not the process's id: two threads of one process write the same file, too, and of
    # two writers of one temporary name the slower finds nothing to rename (seen in a `remember`).
    temporary = f"{os.fspath(file)}.{os.urandom(6).hex()}.tmp"
    try:
        with open(os.open(temporary, _FLAGS, mode), "wb") as stream:
            stream.write(data)
            if is_durable:
                stream.flush()
                os.fsync(stream.fileno())
        os.replace(temporary, file)
    except BaseException:  # also Ctrl-C: the temporary file would stay
        with suppress(OSError):
            os.unlink(temporary)
        raise
    if is_durable and os.name == "posix":  # Windows cannot open a folder, and needs no such flush
        folder = os.open(os.path.dirname(file) or ".", os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
