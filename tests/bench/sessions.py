"""What a turn of a conversation costs beside a durable commit by git itself.

    python -m tests.bench.sessions [--items 10000] [--turns 60]

Both in turns, on the same disk, on vaults of the same size: `Session.turn` by the rules in a warm
process (transcript, log, base truth; one commit), and `git add` with `git commit` of the same three
files in a copy of the vault, everything synced (`core.fsync=all`). No model: its time is its own.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from tests.bench.speed import SEED, Words, isolate, make_vault
from vaultmem import Memory

_DURABLE = ("-c", "core.fsync=all", "-c", "core.fsyncMethod=fsync", "-c", "gc.auto=0")


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0] if __doc__ else "")
    parser.add_argument("--items", type=int, default=10_000)
    parser.add_argument("--turns", type=int, default=60)
    parser.add_argument("--folder", type=Path, help="on this file system; else that of tempfile")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="vaultmem-sessions-", dir=options.folder) as name:
        isolate(Path(name))
        _measure(Path(name), options.items, options.turns)


def _measure(folder: Path, items: int, turns: int) -> None:
    root, words = folder / "vault", Words(SEED)
    make_vault(root, items, words)
    spent: dict[str, list[tuple[float, float]]] = {"session turn": [], "git add + commit": []}
    with Memory(root) as memory:
        memory.sync()
        session = memory.session("bench")
        session.turn("The port should be 80.", "Noted.")
        copy = shutil.copytree(root, folder / "copy")
        _git(copy, "config", "user.name", "bench")
        _git(copy, "config", "user.email", "bench@localhost")
        _git(copy, "status", "--porcelain")
        place = session.show().folder
        for number in range(turns):
            said = f"The {words.rare(1)} should be {number}. Then we talk about {words.rare(20)}."
            answer = f"Noted. {words.rare(30)}."
            texts = {
                name: (root / place / name).read_bytes()
                for name in ("transcript.md", "turns.md", "truth.md")
            }
            spent["session turn"].append(
                _timed(lambda said=said, answer=answer: session.turn(said, answer))  # type: ignore[misc]
            )
            spent["git add + commit"].append(
                _timed(lambda texts=texts, number=number: _commit(copy / place, texts, number))  # type: ignore[misc]
            )
    medians = {}
    print(f"{items:,} items, {turns} turns each")
    for what, taken in spent.items():
        walls, cpus = sorted(wall for wall, _ in taken), sorted(cpu for _, cpu in taken)
        medians[what] = statistics.median(walls), statistics.median(cpus)
        p95 = walls[int(0.95 * (len(walls) - 1))]
        print(
            f"  {what:18} p50 {medians[what][0] * 1000:6.1f} ms   p95 {p95 * 1000:6.1f} ms   "
            f"CPU {medians[what][1] * 1000:6.1f} ms"
        )
    ours, theirs = medians.values()
    print(f"  ratio: {ours[0] / theirs[0]:.2f} of the time, {ours[1] / theirs[1]:.2f} of the CPU")


def _commit(folder: Path, texts: dict[str, bytes], number: int) -> None:
    """The same files, changed, synced and committed by git alone."""
    for name, data in texts.items():
        with open(folder / name, "wb") as file:
            file.write(data + b"\n%d\n" % number)
            file.flush()
            os.fsync(file.fileno())
    _git(folder, "add", "--", *texts)
    _git(folder, "commit", "-q", "-m", f"turn {number}")


def _git(folder: Path, *arguments: str) -> None:
    subprocess.run(
        ["git", "-C", os.fspath(folder), *_DURABLE, *arguments], check=True, capture_output=True
    )


def _timed(act: Callable[[], object]) -> tuple[float, float]:
    """(seconds, CPU seconds with those of children) of a call."""
    before, start = os.times(), time.perf_counter()
    act()
    wall, after = time.perf_counter() - start, os.times()
    return wall, sum(after[:4]) - sum(before[:4])


if __name__ == "__main__":
    main()
