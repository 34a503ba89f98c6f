"""`vaultmem` and `python -m vaultmem`: the same command line."""

from __future__ import annotations

import sys
from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code; None: the arguments of this process."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    from vaultmem.cli.quick import quick

    code = quick(given)
    if code is None:
        from vaultmem.cli.main import run

        code = run(given)
    return code


if __name__ == "__main__":
    sys.exit(main())
