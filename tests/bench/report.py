"""Time and size of `vaultmem report` in a large vault, whole and redacted.

    python -m tests.bench.report [--items 100000] [--keep FOLDER]

A vault as `tests.bench.speed` makes it; changes since its first day, so that all of them count.
Bounds: 60 s and 50 MB. The first report also reads the history, if nothing asked for the past yet.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

from tests.bench.made_vault import made_vault
from vaultmem import Memory
from vaultmem.window import write_report


def main(arguments: Sequence[str] | None = None) -> None:
    """Print a line for each report."""
    with made_vault(__doc__, arguments) as (root, _):
        for redact in (False, True, False):
            began, used = time.monotonic(), time.process_time()
            with Memory(root) as memory:
                made = write_report(
                    memory, root.parent / "out.html", since="2020-01-01", redact=redact
                )
            print(
                f"{'redacted' if redact else 'whole':9} {time.monotonic() - began:5.1f} s by the "
                f"clock, {time.process_time() - used:5.1f} of processor, {made.bytes / 1e6:.2f} MB"
            )


if __name__ == "__main__":
    main()
