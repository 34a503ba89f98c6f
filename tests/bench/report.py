"""Time and size of `vaultmem report` in a large vault, whole and redacted.

    python -m tests.bench.report [--items 100000] [--keep FOLDER]

A vault as `tests.bench.speed` makes it; changes since its first day, so that all of them count.
Bounds: 60 s and 50 MB. The first report also reads the history, if nothing asked for the past yet.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from tests.bench.speed import SEED, Words, isolate, make_vault
from vaultmem import Memory
from vaultmem.window import write_report


def main(arguments: Sequence[str] | None = None) -> None:
    """Print a line for each report."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0] if __doc__ else "")
    parser.add_argument("--items", type=int, default=100_000)
    parser.add_argument("--keep", type=Path, help="a folder in which the vault stays")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="vaultmem-report-") as name:
        folder = options.keep or Path(name)
        folder.mkdir(exist_ok=True)
        isolate(folder)
        root = folder / f"vault-{options.items}"
        if not root.exists():
            make_vault(root, options.items, Words(SEED))
            with Memory(root) as memory:
                memory.sync()
        for redact in (False, True, False):
            began, used = time.monotonic(), time.process_time()
            with Memory(root) as memory:
                made = write_report(memory, folder / "out.html", since="2020-01-01", redact=redact)
            print(
                f"{'redacted' if redact else 'whole':9} {time.monotonic() - began:5.1f} s by the "
                f"clock, {time.process_time() - used:5.1f} of processor, {made.bytes / 1e6:.2f} MB"
            )


if __name__ == "__main__":
    main()
