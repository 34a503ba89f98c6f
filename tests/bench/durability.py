"""What an acknowledgement costs, and where: `remember` in a warm process beside a journal.

    python -m tests.bench.durability [--sizes 50,10000] [--repeat 60]

Two questions: how long a call takes from begin to return, and which share of it goes into syncing
files, waiting for git and writing rows. The prototype appends the same text to a file and syncs
its data: the least that any journal would cost. Both are measured in turns, on the same disk.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.bench.clocks import seconds
from tests.bench.speed import SEED, Words, isolate, make_vault
from vaultmem import Memory

Spent = defaultdict[str, float]


def main(arguments: Sequence[str] | None = None) -> None:
    """Print a table for each size."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0] if __doc__ else "")
    parser.add_argument("--sizes", default="50,10000", help="items, separated by commas")
    parser.add_argument("--repeat", type=int, default=60, help="calls a size")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="vaultmem-durability-") as name:
        isolate(Path(name))
        for size in [int(each) for each in options.sizes.split(",")]:
            _measure(Path(name), size, options.repeat)


def _measure(folder: Path, size: int, repeat: int) -> None:
    root, words = folder / f"vault-{size}", Words(SEED)
    make_vault(root, size, words)
    spent: Spent = defaultdict(float)
    calls, appends = [], []
    journal = os.open(folder / "journal", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    with Memory(root) as memory:
        memory.sync()
        memory.remember(f"I prefer {words.rare(5)}.")
        _clocks(spent)
        spent.clear()
        for number in range(repeat):
            text = f"I prefer {words.rare(5)} {number}."
            calls.append(seconds(lambda text=text: memory.remember(text)))  # type: ignore[misc]
            appends.append(seconds(lambda text=text: _append(journal, text)))  # type: ignore[misc]
    total = sum(calls)
    print(f"\n{size:,} items, {repeat} calls in turns")
    for what, taken in (("remember", calls), ("append + fdatasync", appends)):
        taken.sort()
        at = {share: taken[int((len(taken) - 1) * share)] * 1000 for share in (0.5, 0.95)}
        print(f"  {what:28} p50 {at[0.5]:7.1f} ms   p95 {at[0.95]:7.1f} ms")
    for what in sorted(spent):
        print(
            f"  {what:28} {spent[what] / repeat * 1000:7.1f} ms a call   {spent[what] / total:4.0%}"
        )


def _append(fd: int, text: str) -> None:
    os.write(fd, text.encode() + b"\n")
    (os.fdatasync if hasattr(os, "fdatasync") else os.fsync)(fd)


def _clocks(spent: Spent) -> None:
    """Measure what is inside these calls; git waits while files are synced, so they overlap."""
    from vaultmem.storage.git import process
    from vaultmem.storage.index.store.session import Session
    from vaultmem.vault import level

    def timed(owner: Any, name: str, what: str) -> None:
        call = getattr(owner, name)

        def clocked(*args: Any, **kwargs: Any) -> Any:
            start = time.perf_counter()
            try:
                return call(*args, **kwargs)
            finally:
                spent[what] += time.perf_counter() - start

        setattr(owner, name, clocked)

    timed(os, "fsync", "syncing files and folders")
    if hasattr(os, "posix_spawn"):
        timed(process.Spawned, "wait", "waiting for git")
        timed(os, "posix_spawn", "starting git")
    timed(level, "took", "rows of the index")
    timed(Session, "_commit", "of these, the commit")


if __name__ == "__main__":
    main()
