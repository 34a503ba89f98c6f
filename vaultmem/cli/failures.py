"""From exception to message, hint and exit code: the one ladder of the command line."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable

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
