"""Signals that end a command: one that writes as Ctrl-C does, one that serves at its next pause."""

from __future__ import annotations

import signal
from collections.abc import Callable
from types import FrameType

from vaultmem.cli.failures import EXIT_SIGNAL, EndedError

# Windows has no SIGHUP, which a closed terminal sends.
_ENDINGS = tuple(
    number for name in ("SIGTERM", "SIGHUP") if (number := getattr(signal, name, None)) is not None
)


def end_tidily() -> None:
    """From now on these signals unwind what is under way; one that is ignored stays so (nohup)."""
    for number in _ENDINGS:
        if signal.getsignal(number) == signal.SIG_DFL:
            signal.signal(number, _end)


def _end(number: int, frame: FrameType | None) -> None:
    # A second one must not cut the clean-up off. SIGKILL still can; then the next command cleans.
    for each in _ENDINGS:
        signal.signal(each, signal.SIG_IGN)
    raise EndedError(number)


def until_stopped(run: Callable[[], None], stop: Callable[[], None]) -> int:
    """Exit code of what runs until a signal, Ctrl-C among them, has it stopped by `stop`."""
    ended_by = 0

    def note(number: int, frame: FrameType | None) -> None:
        nonlocal ended_by
        ended_by = number
        stop()

    before = {number: signal.signal(number, note) for number in (signal.SIGINT, *_ENDINGS)}
    try:
        run()
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    return EXIT_SIGNAL + ended_by if ended_by else 0
