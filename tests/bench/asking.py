"""Questions to one vault by a process that does nothing else, so that its memory can be told.

    python -m tests.bench.asking ROOT QUESTIONS.json [--plain]

Prints one line of JSON: milliseconds of a question to the index alone and of a whole `recall` of a
memory that compares no files (median, 95th percentile, CPU), the share of the exact best ten that
is found, and the megabytes that the process held at most before that share was asked for.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from time import perf_counter, process_time

from vaultmem import Memory
from vaultmem.storage.index.database import Index
from vaultmem.storage.index.search import candidates

HITS = 10
_COMPARED = 20  # questions that are also asked of every candidate
_FIRST = 3  # that load what the rest find loaded


def main() -> None:
    """Ask, and print what it took."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("root", type=Path)
    parser.add_argument("questions", type=Path)
    parser.add_argument("--plain", action="store_true", help="without numpy")
    options = parser.parse_args()
    questions = json.loads(options.questions.read_text("utf-8"))
    with Memory(options.root, sync=False) as memory:
        index = memory.opened.index
        if options.plain:
            index.by_arrays = False
        taken = {
            "index": _asked(questions, lambda text: index.search(text, limit=HITS)),
            "recall": _asked(questions, lambda text: memory.recall(text, limit=HITS)),
        }
        held = _megabytes()
        print(json.dumps({**taken, "megabytes": held, "exact": overlap(index, questions)}))


def _asked(questions: Sequence[str], ask: Callable[[str], object]) -> dict[str, float]:
    for question in questions[:_FIRST]:
        ask(question)
    walls, spent = [], []
    for question in questions:
        wall, start = perf_counter(), process_time()
        ask(question)
        spent.append((process_time() - start) * 1000)
        walls.append((perf_counter() - wall) * 1000)
    return {
        "median": statistics.median(walls),
        "p95": sorted(walls)[int(len(walls) * 0.95)],
        "cpu": statistics.median(spent),
        "cpu_p95": sorted(spent)[int(len(spent) * 0.95)],
    }


def _megabytes() -> float:
    """What this process held at most; 0 where the system does not say.

    Not by `getrusage`: it counts the process that started this one, too.
    """
    try:
        lines = Path("/proc/self/status").read_text("ascii").splitlines()
    except OSError:
        return 0.0
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM"))


def overlap(index: Index, questions: Sequence[str]) -> float:
    """Share of the best HITS that are found, of those that scoring every candidate finds."""

    def best(question: str) -> set[tuple[object, int]]:
        found = index.search(question, limit=HITS).found
        return {(one.path, one.passage.seq) for one in found}

    some = questions[:_COMPARED]
    ours = [best(question) for question in some]
    usual = candidates.ALL_SCORED, candidates.ENOUGH
    candidates.ALL_SCORED = candidates.ENOUGH = sys.maxsize
    try:
        exact = [best(question) for question in some]
    finally:
        candidates.ALL_SCORED, candidates.ENOUGH = usual
    shares = [len(a & b) / len(b) for a, b in zip(ours, exact, strict=True) if b]
    return sum(shares) / len(shares)


if __name__ == "__main__":
    main()
