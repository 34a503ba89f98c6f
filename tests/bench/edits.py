"""What `sync` of one edit costs in vaults of several sizes: `python -m tests.bench.edits`.

An edited bullet, which is committed; with --pending an edited note where none is committed.

Processor milliseconds (median) of one `Memory` that stays, with those of the git programs it
starts; the last column says how often the first size fits in. A change should cost what it
changes, however much is known.
"""

from __future__ import annotations

import argparse
import resource
import statistics
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tests.bench.speed import SEED, Words, isolate, make_vault, write_notes
from vaultmem import Memory


def parser() -> argparse.ArgumentParser:
    """What can be asked for."""
    asked = argparse.ArgumentParser(description=__doc__.split("\n\n")[0] if __doc__ else "")
    asked.add_argument("sizes", nargs="*", type=int, default=[1000, 20_000], help="items")
    asked.add_argument("--repeat", type=int, default=9)
    asked.add_argument("--pending", action="store_true", help="no note is committed")
    return asked


def main(arguments: Sequence[str] | None = None) -> None:
    """Print a row for each size."""
    options = parser().parse_args(arguments)
    print(
        f"{'items':>8} {'edited ms':>10} {'own':>8} {'git':>8} {'nothing ms':>11} {'of first':>9}"
    )
    first = 0.0
    with tempfile.TemporaryDirectory(prefix="vaultmem-edits-") as name:
        isolate(Path(name))
        for size in options.sizes:
            root = Path(name) / f"vault-{size}"
            if options.pending:
                write_notes(root, size, Words(SEED))
                own, git, nothing = _measure_pending(root, options.repeat)
            else:
                make_vault(root, size, Words(SEED))
                own, git, nothing = _measure(root, options.repeat)
            first = first or own + git
            print(
                f"{size:8,} {own + git:10.1f} {own:8.1f} {git:8.1f} {nothing:11.1f} "
                f"{(own + git) / first:9.2f}",
                flush=True,
            )


def _measure(root: Path, repeat: int) -> tuple[float, float, float]:
    """Milliseconds of this process and of its children for an edited bullet; for none at all."""
    stream = root / "streams" / "identity.md"
    own: list[float] = []
    git: list[float] = []
    nothing: list[float] = []
    with Memory(root) as memory:
        bullet = "- I collect stamps of year 0 only\n"
        stream.write_text(stream.read_text("utf-8") + bullet, "utf-8")
        memory.sync()
        for number in range(1, repeat + 2):
            text = stream.read_text("utf-8")
            stream.write_text(text.replace(f"year {number - 1} ", f"year {number} "), "utf-8")
            before = _used()
            report = memory.sync()
            after = _used()
            if not report.commits:
                raise SystemExit("the edit was not committed")
            own.append(1000 * (after[0] - before[0]))
            git.append(1000 * (after[1] - before[1]))
            before = _used()
            memory.sync()
            nothing.append(1000 * (sum(_used()) - sum(before)))
    # The first one loads modules and makes the connection to git.
    median = statistics.median
    return median(own[1:]), median(git[1:]), median(nothing[1:])


def _measure_pending(root: Path, repeat: int) -> tuple[float, float, float]:
    """As `_measure`, for a line at the end of a note, and without a commit."""
    took: dict[bool, list[tuple[float, float]]] = {True: [], False: []}
    with Memory(root) as memory:
        memory.sync(settle=False)
        for number, note in enumerate(sorted(root.glob("items/**/*.md"))[: repeat + 1]):
            for is_edit in (True, False):
                if is_edit:
                    note.write_text(f"{note.read_text('utf-8')}\nSeen {number}.\n", "utf-8")
                before = _used()
                report = memory.sync(settle=False)
                own, git = (1000 * (now - then) for now, then in zip(_used(), before, strict=True))
                took[is_edit].append((own, git))
                if bool(report.changed) != is_edit or not report.pending:
                    raise SystemExit("the edit was not seen, or something was committed")
    edited = [statistics.median(each) for each in zip(*took[True][1:], strict=True)]
    return edited[0], edited[1], statistics.median(map(sum, took[False][1:]))


def _used() -> tuple[float, float]:
    """Processor seconds of this process and of those it has waited for."""
    own = resource.getrusage(resource.RUSAGE_SELF)
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return own.ru_utime + own.ru_stime, children.ru_utime + children.ru_stime


if __name__ == "__main__":
    main()
