"""`vaultmem` and `python -m vaultmem`: the same command line."""

# Nothing is imported here, not even __future__, before the working folder is off the path: with
# `-m` Python puts it first, it may be a vault, and whoever can push to that can add a `json.py`
# (tests/hostile/test_planted_modules.py). What Python reads before this line, its own modules and
# a `vaultmem.py`, cannot be kept out: -P and the installed `vaultmem` keep it out.
import sys

if __name__ == "__main__" and not sys.flags.safe_path:
    import os  # loaded by Python before us

    if sys.path[:1] in ([""], [os.getcwd()]):
        del sys.path[0]

TYPE_CHECKING = False  # of `typing`, which is a file that can be planted
if TYPE_CHECKING:
    from collections.abc import Sequence

_GARBAGE = 100_000  # objects between two collections; Python's own default is 700


def main(arguments: "Sequence[str] | None" = None) -> int:
    """Run one command and return its exit code; None: the arguments of this process."""
    import gc

    given = list(sys.argv[1:] if arguments is None else arguments)
    if arguments is None:
        # One command makes little garbage: looking for it while modules load takes 10 % of it.
        gc.set_threshold(_GARBAGE)
        from vaultmem.base.loading import load_by_name, load_paths

        load_by_name()
        load_paths()
    from vaultmem.cli.quick import quick

    code = quick(given)
    if code is None:
        from vaultmem.cli.main import run

        code = run(given)
    if arguments is None:
        from vaultmem.base.regexes import keep_compiled

        keep_compiled()
        # All memory goes back at once when the process ends: no search for what is garbage now.
        gc.freeze()
    return code


if __name__ == "__main__":
    sys.exit(main())
