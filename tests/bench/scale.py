"""Generated vaults of any number of passages, for the speed of large indexes.

Nine passages of ten are turns of conversations of 40, the tenth is an item of its own. Words are
drawn with a frequency of 1 / (rank + 20), as those of talk are once stop words are cut: English
ones that the thesaurus knows (so that related words are searched for, too) and made-up rare ones.
"""

from __future__ import annotations

import importlib
import importlib.util
import json
import random
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate
from os import times
from pathlib import Path
from time import perf_counter

import vaultmem
from tests.bench.asking import HITS
from tests.bench.baselines import tokens
from tests.bench.speed import SEED, Row, run, timed
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
    written = []
    for number, said in enumerate(_notes(passages, texts)):
        day = number // 140
        month = f"{2020 + day // 336}/{day // 28 % 12 + 1:02}"
        if len(said) == 1:
            id_ = f"i-{number:010}"
            file = root / f"items/{month}/{day % 28 + 1:02}/note-{id_}.md"
            head = (
                "kind: fact\ncategory:\n  - general\nvalid_from: 2026-01-02\nstatus: active\n"
                f"source:\n  - https://example.org/{number}\nimportance: 3\nconfidence: 0.7\n"
                "confidence_at: 2026-01-02\nwriter: person\ntrust: user"
            )
            body = said[0]
        else:
            id_ = f"r-{number:012}"
            file = root / f"resources/{month}/talk-{id_}.md"
            head = (
                f"title: Talk {number}\ndate: 2026-01-02T10:00:00+00:00\norigin: conversation\n"
                "writer: person\ntrust: user"
            )
            who = ("Ann", "Ben")
            body = "\n\n".join(
                f"**{who[i % 2]}** (2026-01-02 10:00): {text}" for i, text in enumerate(said)
            )
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"---\nid: {id_}\n{head}\n---\n\n{body}\n", "utf-8")
        written += said
    return written


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
