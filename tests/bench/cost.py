"""What this tree costs against an older revision: cold commands, in one run.

    python -m tests.bench.cost OLD_REV [--rounds N] [--notes 50 10000] [--processor]

The old revision is exported beside this one and run by the same interpreter. Calls of both
alternate, each on a vault of its own with the same notes; the median of the ratios of neighbours
is what counts, since it takes out what else the machine does. `sync` is after one edit. With
--processor it is the time of the processor, of git too, which says more on a busy machine.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

from tests.bench.clocks import cpu_seconds_of_children

HERE = Path(__file__).parents[2]
NEW, OLD = "new", "old"
_FILL = """
import sys
try:
    from vaultmem.extract.prepare import Document
except ImportError:  # of revisions before the rooms
    from vaultmem.operations.documents import Document
from vaultmem import Memory
root, count = sys.argv[1], int(sys.argv[2])
Memory.init(root, name="bench", device="bench")
words = "amber birch cedar delta ember frost grove heron inlet jetty".split()
texts = (
    f"I prefer {words[n % 10]} {words[n // 10 % 10]} number {n} over {words[n // 100 % 10]} tea."
    for n in range(count)
)
with Memory(root) as memory:
    memory.remember_many([Document(text=text) for text in texts])
    memory.sync()
"""


class Side(NamedTuple):
    """One of the two trees with its vault."""

    code: Path
    base: Path
    clock: Callable[[], float] = time.perf_counter

    @property
    def vault(self) -> Path:
        """The vault that its commands work on."""
        return self.base / "vault"

    def python(self, *words: str) -> float:
        """Run the interpreter on this tree; seconds it took, raising when it failed."""
        env = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
        env |= {
            "PYTHONPATH": str(self.code),
            "XDG_STATE_HOME": str(self.base / "state"),
            "XDG_CONFIG_HOME": str(self.base / "config"),
        }
        begun = self.clock()
        done = subprocess.run(
            [sys.executable, *words], cwd=self.base, env=env, capture_output=True, text=True
        )
        took = self.clock() - begun
        if done.returncode:
            raise SystemExit(f"{' '.join(words)}: {done.stderr}")
        return took

    def fill(self, notes: int) -> None:
        """A vault with so many items, indexed."""
        self.base.mkdir(parents=True)
        self.python("-c", _FILL, str(self.vault), str(notes))

    def recall(self, number: int) -> float:
        """A cold `recall` of two words."""
        text = f"amber number {number}"
        return self.python("-m", "vaultmem", "recall", "--vault", str(self.vault), text)

    def context(self, number: int) -> float:
        """A cold `context` for two words."""
        text = f"amber number {number}"
        return self.python("-m", "vaultmem", "context", "--vault", str(self.vault), text)

    def remember(self, number: int) -> float:
        """A cold `remember` of a text with one item."""
        text = f"I prefer mug number {number} of the bench."
        return self.python("-m", "vaultmem", "remember", "--vault", str(self.vault), text)

    def sync(self, number: int) -> float:
        """A cold `sync` that commits one edited item."""
        item = sorted(self.vault.glob("items/**/*.md"))[number]
        item.write_text(item.read_text() + f"\nSeen again {number}.\n")
        return self.python("-m", "vaultmem", "sync", "--vault", str(self.vault))


def export(revision: str, target: Path) -> None:
    """The files of a revision, without touching the working tree."""
    done = subprocess.run(
        ["git", "archive", "--format=tar", revision], cwd=HERE, capture_output=True, check=True
    )
    with tarfile.open(fileobj=BytesIO(done.stdout)) as archive:
        archive.extractall(target, filter="data")


def main() -> None:
    """Measure and print one line a command and size."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("old")
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--notes", type=int, nargs="+", default=[50, 10_000])
    parser.add_argument("--processor", action="store_true", help="time of the processor")
    wanted = parser.parse_args()
    clock = cpu_seconds_of_children if wanted.processor else time.perf_counter
    print(f"{'notes':>6} {'command':<9} {'old ms':>8} {'new ms':>8} {'ratio':>6}  rounds")
    with tempfile.TemporaryDirectory() as name:
        export(wanted.old, Path(name) / OLD)
        for notes in wanted.notes:
            sides = [
                Side(Path(name) / OLD, Path(name) / f"{OLD}-{notes}", clock),
                Side(HERE, Path(name) / f"{NEW}-{notes}", clock),
            ]
            for side in sides:
                side.fill(notes)
            compare(sides, notes, wanted.rounds)


def compare(sides: list[Side], notes: int, rounds: int) -> None:
    """Alternate the two sides, the first one changing every round; print the medians."""
    for command in (Side.recall, Side.context, Side.remember, Side.sync):
        took: tuple[list[float], list[float]] = ([], [])
        for number in range(rounds + 1):
            for at in (0, 1) if number % 2 else (1, 0):
                seconds = command(sides[at], number)
                if number:  # the first round warms caches
                    took[at].append(seconds)
        ratio = statistics.median(new / old for old, new in zip(*took, strict=True))
        old, new = (1000 * statistics.median(each) for each in took)
        name = command.__name__
        print(f"{notes:>6} {name:<9} {old:>8.1f} {new:>8.1f} {ratio:>6.2f}  {rounds}", flush=True)


if __name__ == "__main__":
    main()
