"""`vaultmem` and `python -m vaultmem`: the same command line."""

from __future__ import annotations

import gc
import sys
from collections.abc import Sequence

_GARBAGE = 100_000  # objects between two collections; Python's own default is 700


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code; None: the arguments of this process."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    if arguments is None:
        # One command makes little garbage: looking for it while modules load takes 10 % of it.
        gc.set_threshold(_GARBAGE)
    from vaultmem.cli.quick import quick

    code = quick(given)
    if code is None:
        from vaultmem.cli.main import run

        code = run(given)
    if arguments is None:
        # All memory goes back at once when the process ends: no search for what is garbage now.
        gc.freeze()
    return code


if __name__ == "__main__":
    sys.exit(main())
