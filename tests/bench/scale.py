"""What everyday commands cost in vaults of many notes; and the speed of large indexes.

    python -m tests.bench.scale 1000 20000 100000 [--repeat 5] [--only sync undo]
    python -m tests.bench.scale 1000000 --passages   # `sync` beside a million passages, committed

The first runs each command as a process of its own, in a vault that years of `remember` left
(`tests.bench.imported_vault`). Its columns: CPU of the process and of the git programs it started,
median of the repetitions; the time on the clock; the first call alone, which may learn something
that later ones know; CPU beside that in the first size; and beside that of a baseline.

`python -m tests.bench.speed 1000 10000` asks indexes instead. Nine passages of ten are turns of
conversations of 40, the tenth is an item of its own. Words are drawn with a frequency of
1 / (rank + 20), as those of talk are once stop words are cut: English ones that the thesaurus
knows (so that related words are searched for, too) and made-up rare ones.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import json
import os
import random
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from itertools import accumulate
from os import times
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

import vaultmem
from tests.bench.asking import HITS
from tests.bench.baselines import tokens
from tests.bench.clocks import cpu_seconds
from tests.bench.imported_vault import Commit, import_commits, make_history
from tests.bench.speed import SEED, Row, Words, isolate, run, timed
from vaultmem import Memory

TURNS = 40  # passages a conversation
WORDS = 12  # words a passage, none of them a stop word
ITEMS = 10  # one passage of so many is an item
_FLAT = 20  # ranks over which frequencies hardly fall
_RARE = 60_000  # made-up words
_ASKED = 100  # questions, warm
_MOST_COMMITTED = 200_000  # passages: beyond it nothing is committed, git takes minutes
_MOST_OKAPI = 100_000  # passages: rank_bm25 takes a second a question beyond


class Texts:
    """Seeded passages; the same for the same seed, in the same order."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        syllables = [a + b for a in "bcdfghklmnprstvw" for b in ("a", "e", "i", "o", "u", "ai")]
        english = _english()
        self._random.shuffle(english)
        made_up = {"".join(self._random.choices(syllables, k=4)) for _ in range(_RARE)}
        self.words = [*english, *sorted(made_up - set(english))]
        self._until = list(accumulate(1 / (rank + _FLAT) for rank in range(len(self.words))))

    def passage(self) -> str:
        """A sentence of WORDS words."""
        words = self._random.choices(self.words, cum_weights=self._until, k=WORDS)
        return " ".join(words).capitalize() + "."

    def questions(self, passages: Sequence[str], count: int, size: int = 4) -> list[str]:
        """Questions of `size` words each that one of the passages holds."""
        asked = self._random.choices(passages, k=count)
        return [" ".join(self._random.sample(text[:-1].lower().split(), size)) for text in asked]


def _english() -> list[str]:
    """The stems that the thesaurus knows, in its order."""
    lines = (
        Path(vaultmem.__file__)
        .with_name("storage")
        .joinpath("index/search")
        .joinpath("english.thesaurus")
        .read_text()
    )
    return [line.split(":")[0] for line in lines.splitlines() if not line.startswith("#")]


def make(root: Path, passages: int, texts: Texts) -> list[str]:
    """Write the notes of a vault of so many passages; their texts, by note and order in it."""
    written: list[str] = []
    for path, text in _files(passages, texts, written):
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
    return written


def _files(passages: int, texts: Texts, written: list[str]) -> Iterator[tuple[str, str]]:
    """Path and text of each note; its passages are added to `written`."""
    for number, said in enumerate(_notes(passages, texts)):
        day = number // 140
        month = f"{2020 + day // 336}/{day // 28 % 12 + 1:02}"
        if len(said) == 1:
            id_ = f"i-{number:010}"
            path = f"items/{month}/{day % 28 + 1:02}/note-{id_}.md"
            head = (
                "kind: fact\ncategory:\n  - general\nvalid_from: 2026-01-02\nstatus: active\n"
                f"source:\n  - https://example.org/{number}\nimportance: 3\nconfidence: 0.7\n"
                "confidence_at: 2026-01-02\nwriter: person\ntrust: user"
            )
            body = said[0]
        else:
            id_ = f"r-{number:012}"
            path = f"resources/{month}/talk-{id_}.md"
            head = (
                f"title: Talk {number}\ndate: 2026-01-02T10:00:00+00:00\norigin: conversation\n"
                "writer: person\ntrust: user"
            )
            who = ("Ann", "Ben")
            body = "\n\n".join(
                f"**{who[i % 2]}** (2026-01-02 10:00): {text}" for i, text in enumerate(said)
            )
        written += said
        yield path, f"---\nid: {id_}\n{head}\n---\n\n{body}\n"


def _notes(passages: int, texts: Texts) -> Iterator[list[str]]:
    items = passages // ITEMS
    rest = passages - items
    while items or rest:
        # Items lie between conversations, as they do where both come day by day.
        some = min(items, max(1, TURNS // (ITEMS - 1)))
        for _ in range(some):
            yield [texts.passage()]
        items -= some
        turns = min(rest, TURNS)
        if turns:
            yield [texts.passage() for _ in range(turns)]
            rest -= turns


def measure(folder: Path, size: int, repeat: int) -> list[Row]:
    """Building, asking warm and cold, and one edit, beside others in the same run."""
    root, texts = folder / f"passages-{size}", Texts(SEED)
    Memory.init(root)
    written = make(root, size, texts)
    if size <= _MOST_COMMITTED:
        run("git", "add", "-A", folder=root)
        run("git", "commit", "-q", "-m", "generated", folder=root)
    questions = texts.questions(written, _ASKED)
    rows = [*_others(folder / f"others-{size}", written, questions)]
    rows += _grep(root, questions)
    del written
    with Memory(root) as memory:
        memory.sync(settle=size <= _MOST_COMMITTED)
        spent = sum(times()[:4])
        built = _rate(timed("reindex", 1, lambda _: memory.reindex()), size)
        spent = sum(times()[:4]) - spent
        rows.append(_noted(built, f"{built.note}; {size / spent:,.0f} a second of CPU"))
        rows += _edited(memory)
    asked = folder / f"questions-{size}.json"
    asked.write_text(json.dumps(questions), "utf-8")
    rows += _asked(root, asked, size)
    bare = timed("python -c pass", repeat, lambda _: run(sys.executable, "-c", "pass"))
    rows.append(bare)
    words = (sys.executable, "-m", "vaultmem", "--vault", str(root), "recall")
    for what, more in (("cold recall --no-sync", ("--no-sync",)), ("cold recall", ())):
        run(*words, *more, "warm up")
        cold = timed(what, repeat, lambda n, more=more: run(*words, *more, questions[n]))  # type: ignore[misc]
        rows.append(_noted(cold, f"+{cold.median - bare.median:.0f} ms over {bare.what}"))
    return rows


def _asked(root: Path, questions: Path, size: int) -> Iterator[Row]:
    """Warm questions, by processes that do nothing else: with numpy, and as a cold one does it."""
    for way, more in (("", ()), (", without numpy", ("--plain",))):
        if more and size > _MOST_COMMITTED:
            continue
        done = subprocess.run(
            [sys.executable, "-m", "tests.bench.asking", str(root), str(questions), *more],
            capture_output=True,
            check=True,
        )
        told = json.loads(done.stdout)
        for what in ("index", "recall"):
            took = told[what]
            note = f"CPU {took['cpu']:.1f} (p95 {took['cpu_p95']:.1f}) ms"
            if what == "index":
                note += f"; {told['exact']:.3f} of the exact top {HITS}; {told['megabytes']:.0f} MB"
            yield Row(
                what=f"warm {what}{way}",
                median=took["median"],
                p95=took["p95"],
                count=_ASKED,
                note=note,
            )


def _edited(memory: Memory) -> Iterator[Row]:
    """One note edited: taken in by `sync`, then found by a memory that compares no files."""
    talk = next(iter(sorted(memory.root.glob("resources/**/*.md"))))
    memory.opened.compares = False

    def edit(number: int) -> None:
        with talk.open("a", encoding="utf-8") as file:
            file.write(f"\nA word like quixotry{number}zeal.\n")
        memory.sync(settle=False)

    def find(number: int) -> None:
        if not memory.search(f"quixotry{number}zeal").hits:
            raise SystemExit("an edit is not found")

    def both(number: int) -> None:
        edit(number)
        find(number)

    edited = timed("one note edited, sync, found", 5, both)
    row = timed("sync, nothing changed", 5, lambda _: memory.sync(settle=False))
    yield row
    over = f"{edited.median - row.median:.0f} ms over it"
    yield _noted(edited, f"{over}; {_megabytes(memory)} MB of index on disk")
    memory.opened.compares = True


def _grep(root: Path, questions: Sequence[str]) -> Iterator[Row]:
    """ripgrep for the words of a question, in all files: where it is installed."""
    if shutil.which("rg") is None:
        print("  ripgrep: not installed, skipped", file=sys.stderr)
        return
    words = ["|".join(question.split()) for question in questions]
    yield timed("rg -il", 5, lambda n: run("rg", "-il", words[n], ".", folder=root))


def _rate(row: Row, size: int) -> Row:
    return _noted(row, f"{size / row.median * 1000:,.0f} passages/s")


def _noted(row: Row, note: str) -> Row:
    return Row(what=row.what, median=row.median, p95=row.p95, count=row.count, note=note)


def _megabytes(memory: Memory) -> int:
    """The index on disk, with its journal."""
    file = Path(memory._vault.index._connection.execute("PRAGMA database_list").fetchone()[2])
    return sum(each.stat().st_size for each in file.parent.glob(f"{file.name}*")) // 2**20


def _others(folder: Path, written: Sequence[str], questions: Sequence[str]) -> Iterator[Row]:
    """Other indexes of the same passages: built, then asked the same questions."""
    folder.mkdir()
    makers: tuple[tuple[str, str, Callable[..., Callable[[str], object]]], ...] = (
        ("FTS5 porter, a file", "sqlite3", _fts5),
        ("tantivy, a folder", "tantivy", _tantivy),
        ("bm25s", "bm25s", _bm25s),
        ("rank_bm25 Okapi", "rank_bm25", _okapi),
    )
    for what, module, make_one in makers:
        if importlib.util.find_spec(module) is None:
            print(f"  {what}: not installed, skipped", file=sys.stderr)
            continue
        if module == "rank_bm25" and len(written) > _MOST_OKAPI:
            print(f"  {what}: too slow for so many, skipped", file=sys.stderr)
            continue
        start = perf_counter()
        ask = make_one(folder, written)
        rate = len(written) / (perf_counter() - start)
        times = 10 if module == "rank_bm25" else len(questions)
        row = timed(what, times, lambda n, ask=ask: ask(questions[n]))  # type: ignore[misc]
        yield _noted(row, f"built at {rate:,.0f} passages/s")


def _fts5(folder: Path, written: Sequence[str]) -> Callable[[str], object]:
    database = sqlite3.connect(folder / "fts5.db")
    database.execute("CREATE VIRTUAL TABLE t USING fts5(text, tokenize='porter unicode61')")
    database.executemany("INSERT INTO t VALUES(?)", ((text,) for text in written))
    database.commit()
    return lambda question: database.execute(
        "SELECT rowid FROM t WHERE t MATCH ? ORDER BY bm25(t) LIMIT ?",
        (" OR ".join(f'"{word}"' for word in tokens(question)), HITS),
    ).fetchall()


def _tantivy(folder: Path, written: Sequence[str]) -> Callable[[str], object]:
    import tantivy

    (folder / "tantivy").mkdir()
    schema = tantivy.SchemaBuilder()
    schema.add_text_field("text", stored=False, tokenizer_name="en_stem")
    index = tantivy.Index(schema.build(), path=str(folder / "tantivy"))
    writer = index.writer()
    for text in written:
        writer.add_document(tantivy.Document(text=text))
    writer.commit()
    writer.wait_merging_threads()
    index.reload()
    searcher = index.searcher()
    return lambda question: searcher.search(index.parse_query(question, ["text"]), HITS).hits


def _bm25s(_: Path, written: Sequence[str]) -> Callable[[str], object]:
    bm25s = importlib.import_module("bm25s")

    index = bm25s.BM25()
    index.index([tokens(text) for text in written], show_progress=False)
    return lambda question: index.retrieve([tokens(question)], k=HITS, show_progress=False)


def _okapi(_: Path, written: Sequence[str]) -> Callable[[str], object]:
    from rank_bm25 import BM25Okapi

    index = BM25Okapi([tokens(text) for text in written])
    return lambda question: index.get_top_n(tokens(question), written, HITS)


class Spent(NamedTuple):
    """Milliseconds of one process with those that it waited for."""

    cpu: float
    clock: float


class Figure(NamedTuple):
    """What a command took, the first call apart."""

    what: str
    beside: str  # the baseline that does as much; "": it is one
    first: Spent
    usual: Spent  # median of the calls after it


class Everyday:
    """A vault, and each command that people and assistants give every day, as its own process."""

    def __init__(self, root: Path, words: Words) -> None:
        self.root = root
        self._words = words
        self._items = sorted(root.glob("items/**/*.md"))
        random.Random(SEED).shuffle(self._items)
        self._given = 0

    def commands(self) -> dict[str, tuple[str, Callable[[], Spent]]]:
        """By name: the baseline that it stands beside, and one call."""
        return {
            "python -c pass": ("", lambda: spent(sys.executable, "-c", "pass")),
            "vaultmem --version": (
                "",
                lambda: spent(sys.executable, "-m", "vaultmem", "--version"),
            ),
            "git status": ("", lambda: spent("git", "status", "--porcelain", folder=self.root)),
            "git commit": ("", self._git_commit),
            "rg -l": ("", lambda: spent("rg", "-l", self._words.rare(1), ".", folder=self.root)),
            "status": ("git status", lambda: self._vaultmem("status")),
            "check": ("git status", lambda: self._vaultmem("check")),
            "list": ("rg -l", lambda: self._vaultmem("list")),
            "show": ("rg -l", lambda: self._vaultmem("show", self._id())),
            "search": ("rg -l", lambda: self._vaultmem("search", self._words.rare(2))),
            "recall": ("rg -l", lambda: self._vaultmem("recall", self._words.rare(4))),
            "context": ("rg -l", lambda: self._vaultmem("context", self._words.rare(4))),
            "log": ("git status", lambda: self._vaultmem("log")),
            "log of a note": ("git status", lambda: self._vaultmem("log", self._id())),
            "history of a note": ("git status", lambda: self._vaultmem("history", self._id())),
            "review": ("git status", lambda: self._vaultmem("review")),
            "sync": ("git status", lambda: self._vaultmem("sync")),
            "sync of a note": ("git commit", self._sync_note),
            "sync of a bullet": ("git commit", self._sync_bullet),
            "remember": ("git commit", self._remember),
            "undo": ("git commit", lambda: self._vaultmem("undo")),
            "forget": ("git commit", lambda: self._vaultmem("forget", self._id())),
            "maintain due": ("git status", lambda: self._vaultmem("maintain", "due")),
        }

    def _vaultmem(self, *words: str) -> Spent:
        return spent(sys.executable, "-m", "vaultmem", *words, "--vault", str(self.root))

    def _note(self) -> Path:
        """An item that no command before was given."""
        self._given += 1
        return self._items[self._given]

    def _id(self) -> str:
        return self._note().stem[-12:]

    def _git_commit(self) -> Spent:
        """Of one edited note, as durable as ours."""
        note = self._note()
        with note.open("a", encoding="utf-8") as file:
            file.write("\nSeen again.\n")
        added = spent("git", "add", str(note), folder=self.root)
        words = ("git", "-c", "core.fsync=all", "commit", "-q", "-m", "edited by hand")
        done = spent(*words, folder=self.root)
        # The next command shall not take this commit in on top of its own work.
        self._vaultmem("sync")
        return Spent(added.cpu + done.cpu, added.clock + done.clock)

    def _sync_note(self) -> Spent:
        with self._note().open("a", encoding="utf-8") as file:
            file.write("\nSeen again.\n")
        return self._vaultmem("sync")

    def _sync_bullet(self) -> Spent:
        with (self.root / "streams/identity.md").open("a", encoding="utf-8") as file:
            file.write(f"- I collect {self._words.rare(3)}\n")
        return self._vaultmem("sync")

    def _remember(self) -> Spent:
        return self._vaultmem("remember", f"I prefer {self._words.rare(5)}.")


def spent(*words: str, folder: Path | None = None) -> Spent:
    """Run a program; what it took, with those that it waited for. 1 is an answer too."""
    with tempfile.TemporaryFile() as said:
        begun = perf_counter()
        child = subprocess.Popen(words, cwd=folder, stdout=subprocess.DEVNULL, stderr=said)
        _, status, used = os.wait4(child.pid, 0)
        clock = perf_counter() - begun
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode not in (0, 1):
            said.seek(0)
            raise SystemExit(f"{words} ended with {child.returncode}: {said.read().decode()}")
    return Spent(1000 * (used.ru_utime + used.ru_stime), 1000 * clock)


def measure_everyday(root: Path, repeat: int, only: Sequence[str]) -> list[Figure]:
    """Each command some times, one after another; a round of all before the next one."""
    everyday = Everyday(root, Words(SEED + 1))
    commands = everyday.commands()
    asked = [name for name, (beside, _) in commands.items() if not (only and beside)]
    asked += [name for name in only if name not in asked]
    taken: dict[str, list[Spent]] = {name: [] for name in asked}
    for _ in range(repeat + 1):
        for name in asked:
            taken[name].append(commands[name][1]())
    return [
        Figure(
            name,
            commands[name][0],
            calls[0],
            Spent(*(statistics.median(each) for each in zip(*calls[1:], strict=True))),
        )
        for name, calls in taken.items()
    ]


def show_figures(size: int, figures: Sequence[Figure], first: Mapping[str, Figure]) -> None:
    """A line for each; `first` are those of the first size."""
    by_name = {each.what: each for each in figures}
    print(f"\n{size:,} notes")
    print(f"  {'what':20} {'CPU ms':>8} {'clock ms':>9} {'first CPU':>10} {'of first size':>14}")
    for each in figures:
        beside = by_name.get(each.beside)
        ratio = f"{each.usual.cpu / beside.usual.cpu:.1f}x {beside.what}" if beside else ""
        growth = each.usual.cpu / first[each.what].usual.cpu
        print(
            f"  {each.what:20} {each.usual.cpu:8.0f} {each.usual.clock:9.0f} "
            f"{each.first.cpu:10.0f} {growth:13.2f}x  {ratio}",
            flush=True,
        )


def measure_sync(root: Path, passages: int, repeat: int) -> None:
    """Print what `sync` takes in one process that stays, and as a command; all is committed."""
    texts = Texts(SEED)
    if not root.exists():
        Memory.init(root)
        written: list[str] = []
        begun = perf_counter()
        files = tuple(_files(passages, texts, written))
        import_commits(root, [Commit(datetime.now(UTC), "generated", files)])
        print(f"{len(files):,} notes made in {perf_counter() - begun:.0f} s", flush=True)
    before, begun = cpu_seconds(), perf_counter()
    with Memory(root) as memory:
        memory.sync()
        used = cpu_seconds() - before
        print(f"first sync: {used:.0f} s of CPU, {perf_counter() - begun:.0f} by the clock")
        talk = next(iter(sorted(root.glob("resources/**/*.md"))))
        item = next(iter(sorted(root.glob("items/**/*.md"))))
        for what, file, settle in (
            ("nothing changed", None, True),
            ("one item edited, committed", item, True),
            ("one talk edited, not committed", talk, False),
        ):
            taken = []
            for _ in range(repeat):
                if file:
                    with file.open("a", encoding="utf-8") as note:
                        note.write("\nSeen again.\n")
                before, begun = cpu_seconds(), perf_counter()
                memory.sync(settle=settle)
                used = cpu_seconds() - before
                taken.append(Spent(1000 * used, 1000 * (perf_counter() - begun)))
            cpu, clock = (statistics.median(each) for each in zip(*taken, strict=True))
            print(f"  {what:32} {cpu:8.0f} ms of CPU {clock:8.0f} by the clock", flush=True)
    status = [spent("git", "status", "--porcelain", folder=root) for _ in range(repeat + 1)]
    cold = [
        spent(sys.executable, "-m", "vaultmem", "sync", "--vault", str(root)) for _ in range(repeat)
    ]
    for what, calls in (("git status", status[1:]), ("a cold sync of nothing", cold)):
        cpu, clock = (statistics.median(each) for each in zip(*calls, strict=True))
        print(f"  {what:32} {cpu:8.0f} ms of CPU {clock:8.0f} by the clock", flush=True)


def main(arguments: Sequence[str] | None = None) -> None:
    """Print a table for each size."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("sizes", nargs="*", type=int, default=[1000, 20_000], help="notes")
    parser.add_argument("--repeat", type=int, default=5, help="calls of each after the first")
    parser.add_argument("--only", nargs="+", default=(), help="commands, beside the baselines")
    parser.add_argument("--passages", action="store_true", help="`sync` beside so many passages")
    parser.add_argument("--keep", type=Path, help="a folder in which the vaults stay")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="vaultmem-scale-") as name:
        folder = options.keep or Path(name)
        folder.mkdir(parents=True, exist_ok=True)
        isolate(folder)
        first: dict[str, Figure] = {}
        for size in options.sizes:
            if options.passages:
                measure_sync(folder / f"passages-{size}", size, options.repeat)
                continue
            root = folder / f"notes-{size}"
            if not root.exists():
                _made(root, size)
            figures = measure_everyday(root, options.repeat, options.only)
            first = first or {each.what: each for each in figures}
            show_figures(size, figures, first)


def _made(root: Path, size: int) -> None:
    begun = perf_counter()
    make_history(root, size, Words(SEED))
    made, used = perf_counter() - begun, cpu_seconds()
    with Memory(root) as memory:
        memory.sync()
    used = cpu_seconds() - used
    print(f"{size:,} notes made in {made:.0f} s; first index {size / used:,.0f} a second of CPU")


if __name__ == "__main__":
    main()
