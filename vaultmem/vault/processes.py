"""Whether the process that made a file is gone: by its number, and by when the machine started."""

from __future__ import annotations

import os
import time

# Wall clocks are set by the network some time after the start; never judge by less than this.
_CLOCK_ERROR_NS = 2_000_000_000


def is_gone(number: int, *, seen_at_ns: int) -> bool:
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


def _started_at_ns() -> int:
    """When this machine was started, by the wall clock of now; 0 where that is not known."""
    if not hasattr(time, "CLOCK_BOOTTIME"):
        return 0
    return time.time_ns() - time.clock_gettime_ns(time.CLOCK_BOOTTIME)
