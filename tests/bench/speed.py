"""Speed of the command line and of the Python API at several vault sizes.

    python -m tests.bench.speed [--sizes 1000,10000] [--repeat 9]
    python -m tests.bench.speed 1000 10000 100000  # passages

Every row stands beside a baseline measured in the same run on the same files, because a shared
machine makes absolute times mean little: read the ratios. Vaults are generated (items of one
statement of 18 seeded words with a Zipf-like frequency), written as plain files, committed once
with git, and indexed.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from vaultmem import Memory
from vaultmem.base.assets import sample_vault
from vaultmem.extract.prepare import Document
from vaultmem.model.answers import Filters

WORDS_IN_VOCABULARY = 20_000
SEED = 20_261_121


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One measurement: milliseconds (median and 95th percentile) and how many were taken."""

    what: str
    median: float
    p95: float
    count: int
    note: str = ""


def main(arguments: Sequence[str] | None = None) -> None:
    """Print a table for each size."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0] if __doc__ else "")
    parser.add_argument("--sizes", default="1000,10000", help="items, separated by commas")
    parser.add_argument("--repeat", type=int, default=9, help="cold processes a row")
    parser.add_argument("passages", nargs="*", type=int, help="instead: indexes of this size")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="vaultmem-speed-") as name:
        folder = Path(name)
        isolate(folder)
        if options.passages:
            from tests.bench.scale import measure

            for size in options.passages:
                show(f"{size:,} passages", measure(folder, size, options.repeat))
            return
        show("sample vault", _cold_start(folder, options.repeat))
        for size in [int(each) for each in options.sizes.split(",")]:
            show(f"{size:,} items", _measure(folder, size, options.repeat))


def isolate(folder: Path) -> None:
    """Settings and state of the person who runs this stay out of it."""
    for name in list(os.environ):
        if name.startswith(("GIT_", "VAULTMEM_")):
            del os.environ[name]
    os.environ["XDG_CONFIG_HOME"] = str(folder / "config")
    os.environ["XDG_STATE_HOME"] = str(folder / "state")
    for role in ("AUTHOR", "COMMITTER"):
        os.environ[f"GIT_{role}_NAME"] = "bench"
        os.environ[f"GIT_{role}_EMAIL"] = "bench@example.org"
    # A user's interpreter caches compiled modules; timing without that would time the compiler.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


def show(title: str, rows: Sequence[Row]) -> None:
    print(f"\n{title}")
    print(f"  {'what':52} {'median':>10} {'p95':>10} {'n':>5}  note")
    for row in rows:
        print(
            f"  {row.what:52} {row.median:>7.1f} ms {row.p95:>7.1f} ms {row.count:>5}  {row.note}"
        )


def timed(what: str, times: int, act: Callable[[int], object], *, note: str = "") -> Row:
    taken = []
    for number in range(times):
        start = time.perf_counter()
        act(number)
        taken.append((time.perf_counter() - start) * 1000)
    taken.sort()
    return Row(
        what=what,
        median=statistics.median(taken),
        p95=taken[min(len(taken) - 1, int(len(taken) * 0.95))],
        count=times,
        note=note,
    )


def run(*words: str, folder: Path | None = None) -> None:
    done = subprocess.run(words, cwd=folder, capture_output=True, check=False)
    if done.returncode not in (0, 1):
        raise SystemExit(f"{words} ended with {done.returncode}: {done.stderr.decode()}")


def vaultmem(root: Path, *words: str) -> None:
    run(sys.executable, "-m", "vaultmem", "--vault", str(root), *words)


def ratio(row: Row, base: Row) -> Row:
    ratio = row.median / base.median if base.median else float("nan")
    return Row(
        what=row.what,
        median=row.median,
        p95=row.p95,
        count=row.count,
        note=f"{ratio:.2f}x {base.what}",
    )


def _cold_start(folder: Path, repeat: int) -> list[Row]:
    """What a cold process costs before any work, and `recall` on the sample vault."""
    root = folder / "sample"
    shutil.copytree(sample_vault(), root)
    Memory.init(root)
    base = timed(
        "python -c 'import click, sqlite3'",
        repeat,
        lambda _: run(sys.executable, "-c", "import click, sqlite3"),
    )
    vaultmem(root, "recall", "warm up")
    recall = timed("cold recall", repeat, lambda _: vaultmem(root, "recall", "allergic to what"))
    return [
        timed("python -c pass", repeat, lambda _: run(sys.executable, "-c", "pass")),
        base,
        ratio(recall, base),
    ]


class Words:
    """Seeded words whose frequency falls with their rank, as in real text."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        syllables = [a + b for a in "bcdfghklmnprstvw" for b in ("a", "e", "i", "o", "u", "ai")]
        self._words = [
            "".join(self._random.choices(syllables, k=self._random.choice((2, 2, 3, 4))))
            for _ in range(WORDS_IN_VOCABULARY)
        ]
        self._weights = [1 / (rank + 3) for rank in range(len(self._words))]

    def sentence(self, length: int) -> str:
        """So many words, capitalised, with a full stop."""
        words = self._random.choices(self._words, self._weights, k=length)
        return " ".join(words).capitalize() + "."

    def rare(self, count: int) -> str:
        """So many words from the rare half of the vocabulary."""
        return " ".join(self._random.choices(self._words[len(self._words) // 2 :], k=count))


def make_vault(root: Path, size: int, words: Words) -> None:
    """A vault of `size` items in day folders, in one commit."""
    write_notes(root, size, words)
    run("git", "add", "-A", folder=root)
    run("git", "commit", "-q", "-m", "generated", folder=root)


def write_notes(root: Path, size: int, words: Words) -> None:
    """As `make_vault`, with nothing committed."""
    Memory.init(root)
    today = datetime.now(UTC).date()  # believed: contexts leave out what nobody confirmed for long
    for number in range(size):
        day = number // 140
        folder = root / f"items/{2020 + day // 336}/{day // 28 % 12 + 1:02}/{day % 28 + 1:02}"
        folder.mkdir(parents=True, exist_ok=True)
        id_ = f"i-{number:010}"
        (folder / f"note-{id_}.md").write_text(
            f"---\nid: {id_}\nkind: fact\ncategory:\n  - general\nvalid_from: 2026-01-02\n"
            f"status: active\nsource:\n  - https://example.org/{number}\nimportance: 3\n"
            f"confidence: 0.7\nconfidence_at: {today}\nwriter: person\ntrust: user\n---\n\n"
            f"{words.sentence(18)}\n"
        )


def _measure(folder: Path, size: int, repeat: int) -> list[Row]:
    root, words = folder / f"vault-{size}", Words(SEED)
    make_vault(root, size, words)
    rows = [_reindex(root, size)]
    with Memory(root) as memory:
        memory.sync()
        queries = [words.rare(4) for _ in range(100)]
        rows.append(timed("warm recall, scan included", 30, lambda n: memory.recall(queries[n])))
        rows += _warm(memory, queries)
    rows += _cold(root, words, repeat)
    rows += _remember(root, words, repeat)
    rows += _sync(root, repeat)
    rows.append(_bulk(root, words))
    return rows


def _reindex(root: Path, size: int) -> Row:
    with Memory(root) as memory:
        memory.sync()
        row = timed("reindex", 3, lambda _: memory.reindex())
    return Row(
        what=row.what,
        median=row.median,
        p95=row.p95,
        count=row.count,
        note=f"{size / row.median * 1000:,.0f} items/s",
    )


def _warm(memory: Memory, queries: Sequence[str]) -> list[Row]:
    """The ranking alone, beside FTS5 over the same texts."""
    from vaultmem.recall.answer import answer

    vault = memory._vault
    ours = timed(
        "warm recall, index only",
        len(queries),
        lambda n: answer(vault, queries[n], limit=5, filters=Filters()),
    )
    database = sqlite3.connect(":memory:")
    database.execute("CREATE VIRTUAL TABLE t USING fts5(text, tokenize='porter unicode61')")
    notes = [(file.read_text(),) for file in memory.root.glob("items/**/*.md")]
    database.executemany("INSERT INTO t VALUES (?)", notes)

    def match(number: int) -> object:
        terms = " OR ".join(f'"{word}"' for word in queries[number].split())
        return database.execute(
            "SELECT rowid FROM t WHERE t MATCH ? ORDER BY bm25(t) LIMIT 5", (terms,)
        ).fetchall()

    return [timed("FTS5 porter, in memory", len(queries), match), ours]


def _cold(root: Path, words: Words, repeat: int) -> list[Row]:
    queries = [words.rare(3) for _ in range(repeat)]
    base = timed(
        "python -c 'import click, sqlite3'",
        repeat,
        lambda _: run(sys.executable, "-c", "import click, sqlite3"),
    )
    vaultmem(root, "recall", "warm up")
    recall = timed("cold recall", repeat, lambda n: vaultmem(root, "recall", queries[n]))
    rows = [base, ratio(recall, base)]
    pattern = [query.split()[0] for query in queries]
    if shutil.which("rg"):
        rows.append(
            timed("rg -l", repeat, lambda n: run("rg", "-l", pattern[n], "items", folder=root))
        )
    rows.append(
        timed("git grep -l", repeat, lambda n: run("git", "grep", "-l", pattern[n], folder=root))
    )
    return rows


def _remember(root: Path, words: Words, repeat: int) -> list[Row]:
    """One sentence, a whole cold process, beside git adding and committing one file."""
    texts = [f"I prefer {words.rare(6)} {number}." for number in range(repeat)]
    files = [f"items/2026/01/02/bare-{number}.md" for number in range(repeat)]
    (root / "items/2026/01/02").mkdir(parents=True, exist_ok=True)

    def bare(number: int) -> None:
        (root / files[number]).write_text(words.sentence(60))
        run("git", "add", files[number], folder=root)
        run("git", "-c", "core.fsync=all", "commit", "-q", "-m", "bare", folder=root)

    vaultmem(root, "remember", f"I prefer a warm-up with {words.rare(5)}")
    git_row, ours = [], []
    for number in range(repeat):  # in turns, so that both meet the same noise
        git_row.append(timed("git add && git commit, fsync=all", 1, lambda _, n=number: bare(n)))  # type: ignore[misc]
        vaultmem(root, "sync")
        ours.append(
            timed("x", 1, lambda _, n=number: vaultmem(root, "remember", texts[n]))  # type: ignore[misc]
        )
    base = _joined("git add && git commit, fsync=all", git_row)
    return [base, ratio(_joined("cold remember", ours), base)]


def _joined(what: str, rows: Sequence[Row]) -> Row:
    taken = sorted(row.median for row in rows)
    return Row(
        what=what,
        median=statistics.median(taken),
        p95=taken[min(len(taken) - 1, int(len(taken) * 0.95))],
        count=len(taken),
    )


def _sync(root: Path, repeat: int) -> list[Row]:
    start = timed(
        "vaultmem --version", repeat, lambda _: run(sys.executable, "-m", "vaultmem", "--version")
    )
    clean = timed("sync, nothing changed", repeat, lambda _: vaultmem(root, "sync"))
    note = next(iter(sorted(root.glob("items/**/*.md"))))

    def edit(number: int) -> None:
        note.write_text(note.read_text() + f"\nEdited {number}.\n")
        vaultmem(root, "sync")

    edited = timed("sync after one edit, commit included", repeat, edit)
    return [
        start,
        _over(clean, start, "the start of the command"),
        _over(edited, clean, "nothing changed"),
        timed(
            "git status --porcelain",
            repeat,
            lambda _: run("git", "status", "--porcelain", folder=root),
        ),
    ]


def _over(row: Row, base: Row, what: str) -> Row:
    more = row.median - base.median
    return Row(
        what=row.what,
        median=row.median,
        p95=row.p95,
        count=row.count,
        note=f"+{more:.0f} ms {what}",
    )


def _bulk(root: Path, words: Words) -> Row:
    documents = [
        Document(text=f"{words.sentence(20)} I prefer {words.rare(5)}. {words.sentence(30)}")
        for _ in range(1_000)
    ]
    with Memory(root) as memory:
        row = timed("remember_many, 1,000 texts", 1, lambda _: memory.remember_many(documents))
    return Row(
        what=row.what,
        median=row.median,
        p95=row.p95,
        count=row.count,
        note=f"{1000 / row.median * 1000:,.0f} resources/s, a commit each",
    )


if __name__ == "__main__":
    main()
