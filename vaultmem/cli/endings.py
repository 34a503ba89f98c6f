"""Let SIGTERM and SIGHUP end a command that writes as Ctrl-C does: tidily, and told apart."""

from __future__ import annotations

import signal
from types import FrameType

from vaultmem.cli.failures import EndedError

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
