"""From exception to message, hint and exit code: the one ladder of the command line."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable

from vaultmem.base import EXIT_BUG, VaultmemError, disk_error
from vaultmem.cli.output import tell

# As a shell reports a process that the signal ended: 128 + SIGINT, 128 + SIGPIPE.
EXIT_SIGNAL = 128
EXIT_INTERRUPTED = 130
EXIT_BROKEN_PIPE = 141


class EndedError(BaseException):
    """A signal asked the process to end. No Exception: nothing on the way may hold it up."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


def run_guarded(run: Callable[[], int], *, is_verbose: Callable[[], bool] = lambda: False) -> int:
    """Exit code of `run`, with every failure told on stderr as `error:` and `hint:`."""
    try:
        code = run()
        sys.stdout.flush()
    except VaultmemError as error:
        if is_verbose():
            import traceback

            traceback.print_exc()
        tell(f"error: {error.message}")
        if error.hint:
            tell(f"hint: {error.hint}")
        return error.exit_code
    except KeyboardInterrupt:
        tell("interrupted")
        return EXIT_INTERRUPTED
    except EndedError as ended:
        tell(f"ended by signal {ended.number}; what was not acknowledged was not done")
        return EXIT_SIGNAL + ended.number
    except BrokenPipeError:
        _close_stdout()
        return EXIT_BROKEN_PIPE
    except OSError as error:  # the system's refusal is no bug, wherever it was met
        if is_verbose():
            import traceback

            traceback.print_exc()
        refused = disk_error(error)
        tell(f"error: {refused.message}")
        tell(f"hint: {refused.hint}")
        return refused.exit_code
    except Exception:  # noqa: BLE001  the very top: a bug is shown whole, with a code of its own
        import traceback

        traceback.print_exc()
        tell("error: this is a bug in vaultmem; nothing that was acknowledged is lost")
        tell("hint: please report it with the lines above")
        return EXIT_BUG
    return code


def _close_stdout() -> None:
    """Let nothing more be written to a pipe whose reader is gone, not even at exit."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
