"""How long it takes to erase one item for good: `python -m tests.bench.purge [--items 10000]`.

The history is that of tests/bench/time.py (one `git fast-import` stream); the item that is erased
is of its first tenth, so nearly every commit gets another id. Beside it, as a yardstick of the
machine in the same run: `git fsck --full`, which reads every object once, and `git repack -a -d`.
Goal: 60 s for 10,000 items and 20,000 commits.
"""

from __future__ import annotations

import argparse
import subprocess
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from tests.bench.clocks import cpu_seconds, seconds
from tests.bench.speed import isolate
from tests.bench.time import make_history
from vaultmem import Memory

GOAL_SECONDS = 60.0


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0] if __doc__ else "")
    parser.add_argument("--items", type=int, default=10_000)
    parser.add_argument("--commits", type=int, default=20_000)
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="vaultmem-purge-") as name:
        folder = Path(name)
        isolate(folder)
        root = folder / "vault"
        made = make_history(root, items=options.items, commits=options.commits)
        print(f"{options.items:,} items, {made:,} commits")
        for what, seconds in _measure(root):
            print(f"  {what:<44} {seconds:7.2f} s")


def _measure(root: Path) -> list[tuple[str, float]]:
    rows = []
    with Memory(root) as memory:
        rows.append(("first index of the notes", seconds(memory.sync)))
        notes = sorted(memory.list(), key=lambda row: row.path)
        item = notes[len(notes) // 10]
        rows.append(("git fsck --full", seconds(lambda: _git(root, "fsck", "--full"))))
        rows.append(("git repack -a -d", seconds(lambda: _git(root, "repack", "-adq"))))
        rows.append(("the plan", seconds(lambda: memory.forgetting.purge(item.id, dry_run=True))))
        started, spent = time.perf_counter(), cpu_seconds()
        done = memory.forgetting.purge(item.id)
        lasted, spent = time.perf_counter() - started, cpu_seconds() - spent
        found = "0 places" if not done.places else f"{len(done.places)} PLACES"
        what = f"erased: {done.commits:,} commits rewritten, {found}"
        rows.append((what, lasted))
        rows.append((f"  of the processor (goal: {GOAL_SECONDS:g} s by the clock)", spent))
    return rows


def _git(root: Path, *words: str) -> None:
    subprocess.run(["git", *words], cwd=root, check=True, capture_output=True)


if __name__ == "__main__":
    main()
