"""Clocks of measurements: by the wall, and of the processor."""

from __future__ import annotations

import os
import time
from collections.abc import Callable


def seconds(act: Callable[[], object]) -> float:
    """What it takes by the clock on the wall."""
    start = time.perf_counter()
    act()
    return time.perf_counter() - start


def cpu_seconds() -> float:
    """CPU of this process and of those that it has waited for: what a busy machine leaves."""
    return sum(os.times()[:4])


def cpu_seconds_of_children() -> float:
    """CPU of every process that ended, with those that they waited for."""
    spent = os.times()
    return spent.children_user + spent.children_system
