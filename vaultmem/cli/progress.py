"""What is shown of work that takes over a second, on a terminal only: a bar, or that it waits."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress as Bar
    from rich.progress import TaskID

    from vaultmem.model.ports import Progress

PATIENCE_SECONDS = 1.0


@contextmanager
def shown_progress() -> Iterator[Progress]:
    """A callback that draws a bar on stderr once the work has taken a second."""
    bar = _Bar()
    try:
        yield bar.update
    finally:
        bar.close()


@contextmanager
def shown_waiting(what: str, *, patience_seconds: float = PATIENCE_SECONDS) -> Iterator[None]:
    """Show on stderr what is waited for, once that has taken so long: for calls without steps."""
    if not sys.stderr.isatty():
        yield
        return
    from threading import Event, Thread

    over = Event()

    def show() -> None:
        if over.wait(patience_seconds):
            return
        from rich.console import Console

        with Console(stderr=True).status(what):
            over.wait()

    shower = Thread(target=show, daemon=True)
    shower.start()
    try:
        yield
    finally:
        over.set()
        shower.join()  # what it drew is taken off the screen before a result is printed


class _Bar:
    """One bar, made when it is first worth showing; nothing at all where nobody watches."""

    def __init__(self) -> None:
        self._started = time.monotonic()
        self._bar: Bar | None = None
        self._tasks: dict[str, TaskID] = {}

    def update(self, what: str, done: int, total: int) -> None:
        """Show `done` of `total` (0: unknown) steps of `what`."""
        if not sys.stderr.isatty():
            return
        if self._bar is None:
            if time.monotonic() - self._started < PATIENCE_SECONDS:
                return
            self._bar = _new_bar()
            self._bar.start()
        if what not in self._tasks:
            self._tasks[what] = self._bar.add_task(what, total=total or None)
        self._bar.update(self._tasks[what], completed=done, total=total or None)

    def close(self) -> None:
        """Take the bar off the screen."""
        if self._bar is not None:
            self._bar.stop()


def _new_bar() -> Bar:
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    return Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    )
