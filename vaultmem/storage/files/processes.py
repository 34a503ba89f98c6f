"""Other processes: whether one that made a file is gone, and one that goes on without us."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence

# Wall clocks are set by the network some time after the start; never judge by less than this.
_CLOCK_ERROR_NS = 2_000_000_000


def is_process_gone(number: int, *, seen_at_ns: int) -> bool:
    """Whether the process that had this number at that moment (wall clock) has ended.

    After a power cut its number may be that of another process by now: what was seen before the
    machine started is of the past. False where neither can be told (Windows).
    """
    if _started_at_ns() - _CLOCK_ERROR_NS > seen_at_ns:
        return True
    if os.name == "nt" or number <= 0 or number == os.getpid():
        return False  # asking for a process ends it there
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return True
    except (PermissionError, OverflowError):
        return False
    return False


def leave_to_another(words: Sequence[str]) -> bool:
    """Begin a vaultmem that outlives this process, with these words of a command line.

    It says nothing to anybody, and no terminal ends it. False where no process can be begun.
    It imports nothing from the working folder (`-P`): that may be a vault, to which somebody who
    can push has added a `click.py`.
    """
    import subprocess
    import sys

    flags = ("DETACHED_PROCESS", "CREATE_NEW_PROCESS_GROUP")  # of Windows
    try:
        begun = subprocess.Popen(
            [sys.executable, "-P", "-m", "vaultmem", *words],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            creationflags=sum(getattr(subprocess, flag, 0) for flag in flags),
        )
    except OSError:
        return False
    begun.returncode = 0  # nobody waits for it; Python would warn of that when it forgets it
    return True


def _started_at_ns() -> int:
    """When this machine was started, by the wall clock of now; 0 where that is not known."""
    if not hasattr(time, "CLOCK_BOOTTIME"):
        return 0
    return time.time_ns() - time.clock_gettime_ns(time.CLOCK_BOOTTIME)
