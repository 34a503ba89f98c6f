"""Whether an editor still writes to a file that was displaced under it.

A save in place opens the file, empties it and writes. When the file is displaced in between, what
is written goes to the displaced one; two seconds are enough for nearly all saves, but an editor
that the system held up for longer lost one (1 of 40,000 saves, on a loaded machine).
"""

from __future__ import annotations

import contextlib
import os
import signal

from vaultmem.storage.files.folders import READ_FLAGS, Folder


def is_being_written(folder: Folder, name: str) -> bool:
    """Whether another open file description may write to it; False where the system cannot tell.

    Linux gives a read lease only on a file that nobody has open for writing.
    """
    try:
        import fcntl
    except ImportError:  # Windows, where an open file cannot be displaced at all
        return False
    if not hasattr(fcntl, "F_SETLEASE"):
        return False
    try:
        fd = os.open(folder.at(name), READ_FLAGS, dir_fd=folder.fd)
    except OSError:
        return False
    try:
        # Whoever opens it during the lease has a signal sent to us; this one is ignored by default,
        # the usual one (SIGIO) would end the process.
        fcntl.fcntl(fd, fcntl.F_SETSIG, signal.SIGURG)
        fcntl.fcntl(fd, fcntl.F_SETLEASE, fcntl.F_RDLCK)
    except BlockingIOError:
        return True
    except OSError:  # a file system without leases, or a file of another user
        return False
    finally:
        with contextlib.suppress(OSError):
            fcntl.fcntl(fd, fcntl.F_SETLEASE, fcntl.F_UNLCK)
        os.close(fd)
    return False
