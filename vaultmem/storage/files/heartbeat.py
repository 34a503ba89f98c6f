"""The watcher's sign of life: a small file in the device state that reads may trust while fresh.

It lets a read skip its scan. A watcher that was killed, stopped or lost the system's events is
not believed: the process must live, the sign must be younger than three beats, and it must say
that nothing was touched since the index was brought level.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

from vaultmem import base
from vaultmem.base import dataclass

FILE_NAME = "watcher"
# One late beat is a busy machine, three are a watcher that hangs.
TRUSTED_BEATS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Heartbeat:
    """What a live watcher last said."""

    pid: int
    at: float  # seconds of the monotonic clock, which all processes share until a restart
    every_seconds: float
    is_clean: bool  # nothing touched since the index was level
    polls: bool = False  # without the system's events: asked for, or they cannot be had


def write_heartbeat(state: Path, beat: Heartbeat) -> None:
    """Put the sign in place by rename; raises OSError."""
    file = state / FILE_NAME
    clean = "clean" if beat.is_clean else "touched"
    how = "polls" if beat.polls else "listens"
    line = f"{beat.pid} {beat.at!r} {beat.every_seconds!r} {clean} {how}\n"
    base.replace_file(file, line.encode("ascii"))


def read_heartbeat(
    state: Path, *, monotonic: Callable[[], float] = time.monotonic
) -> Heartbeat | None:
    """What a live watcher of this vault last said; None when there is no live one."""
    try:
        with open(state / FILE_NAME, encoding="ascii") as stream:
            pid, at, every, clean, how = stream.read(200).split()
        beat = Heartbeat(
            pid=int(pid),
            at=float(at),
            every_seconds=float(every),
            is_clean=clean == "clean",
            polls=how == "polls",
        )
    except (OSError, ValueError):
        return None
    age = monotonic() - beat.at
    # The monotonic clock begins anew when the machine starts, so an age below zero is of a watcher
    # from before that (tests/faults/test_clocks.py).
    is_fresh = 0 <= age <= TRUSTED_BEATS * beat.every_seconds
    return beat if is_fresh and _is_alive(beat.pid) else None


def clear_heartbeat(state: Path, pid: int) -> None:
    """Take the sign away when it is of this process."""
    try:
        with open(state / FILE_NAME, encoding="ascii") as stream:
            is_own = stream.read(200).split()[:1] == [str(pid)]
        if is_own:
            os.unlink(state / FILE_NAME)
    except (OSError, ValueError):
        return


def _is_alive(pid: int) -> bool:
    """Whether the process exists; on Windows, where asking would end it, freshness decides."""
    if os.name != "posix" or pid <= 0:
        return pid > 0
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True  # it exists and belongs to somebody else
    return True
