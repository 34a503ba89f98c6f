"""From exception to message, hint and exit code: the one ladder of the command line."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from types import FrameType

from vaultmem.base import EXIT_BUG, VaultmemError, disk_error
from vaultmem.cli.output import say_failure, tell

# As a shell reports a process that the signal ended: 128 + SIGINT, 128 + SIGPIPE.
EXIT_SIGNAL = 128
EXIT_INTERRUPTED = 130
EXIT_BROKEN_PIPE = 141


class EndedError(BaseException):
    """A signal asked the process to end. No Exception: nothing on the way may hold it up."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


def run_guarded(
    run: Callable[[], int],
    *,
    is_verbose: Callable[[], bool] = lambda: False,
    wants_json: Callable[[], bool] = lambda: False,
) -> int:
    """Exit code of `run`, with every failure told on stderr as `error:` and `hint:`.

    wants_json  asked when it failed: standard output then has the failure, too, as one line
    """

    def fail(message: str, hint: str, code: int) -> int:
        tell(f"error: {message}")
        if hint:
            tell(f"hint: {hint}")
        if wants_json():
            say_failure(message, hint, code)
        return code

    try:
        code = run()
        sys.stdout.flush()
    except VaultmemError as error:
        if is_verbose():
            import traceback

            traceback.print_exc()
        return fail(error.message, error.hint, error.exit_code)
    except KeyboardInterrupt:
        tell("interrupted")
        if wants_json():
            say_failure("interrupted", "", EXIT_INTERRUPTED)
        return EXIT_INTERRUPTED
    except EndedError as ended:
        code = EXIT_SIGNAL + ended.number
        message = f"ended by signal {ended.number}; what was not acknowledged was not done"
        tell(message)
        if wants_json():
            say_failure(message, "", code)
        return code
    except BrokenPipeError:
        _close_stdout()
        return EXIT_BROKEN_PIPE
    except OSError as error:  # the system's refusal is no bug, wherever it was met
        if is_verbose():
            import traceback

            traceback.print_exc()
        refused = disk_error(error)
        return fail(refused.message, refused.hint, refused.exit_code)
    except Exception:  # noqa: BLE001  the very top: a bug is shown whole, with a code of its own
        import traceback

        traceback.print_exc()
        bug = "this is a bug in vaultmem; nothing that was acknowledged is lost"
        return fail(bug, "please report it with the lines above", EXIT_BUG)
    return code


def _close_stdout() -> None:
    """Let nothing more be written to a pipe whose reader is gone, not even at exit."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())


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
