"""Puts notes into the tables and takes them out again, within one transaction.

Everything derived from a note is found again through its row: its passage ids are consecutive,
and `words` lists the ids of all its words, so that taking it out never reads its text.
"""

from __future__ import annotations

import sqlite3
from array import array
from collections import Counter
from collections.abc import Iterable
from itertools import chain
from pathlib import PurePosixPath

from vaultmem.analysis import Stems, words
from vaultmem.index.entries import links_of, names_of, note_values
from vaultmem.index.lengths import Lengths
from vaultmem.index.passages import field_text, passages
from vaultmem.index.postings import PendingPostings, cut
from vaultmem.index.traits import chunks, measure
from vaultmem.index.vocabulary import ABOUT, Chunks
from vaultmem.model.recall import Passage
from vaultmem.model.records import Decoded, Item, Problem, Record

_STRIDE = 4  # passage ids of a note begin at a multiple of this, after three free ones
_NOTE_VALUES = 29
_COUNTERS = ("next_passage", "next_word", "passages", "notes", "norm_total")
DECODED = "decoded"  # origin of the problems that reading a file gave


class Writer:
    """The rows of notes, written in batches.

    Holds what it learnt of the vocabulary between transactions; `begin` forgets it when
    another process wrote in the meantime, `forget` after a rollback.
    """

    def __init__(self, connection: sqlite3.Connection, stems: Stems, *, zone: str) -> None:
        self._connection = connection
        self._zone = zone
        self._chunks = Chunks(connection, stems)
        self._postings = PendingPostings()
        self._lengths = Lengths(connection)
        self._counters: dict[str, int] = {}
        self._seen_version = -1
        self._rows: list[tuple[object, ...]] = []
        self._passages: list[tuple[object, ...]] = []
        self._names: list[tuple[object, ...]] = []
        self._links: list[tuple[object, ...]] = []
        self._buffered: set[str] = set()

    def begin(self) -> None:
        """Called inside the new transaction."""
        version: int = self._connection.execute("PRAGMA data_version").fetchone()[0]
        if version != self._seen_version:
            self._load()
            self._seen_version = version

    def forget(self) -> None:
        """Drop everything that is not in the file: the transaction was rolled back."""
        self._postings.forget()
        self._lengths.forget()
        for buffer in (self._rows, self._passages, self._names, self._links):
            buffer.clear()
        self._buffered.clear()
        self._seen_version = -1

    def _load(self) -> None:
        stored = dict(self._connection.execute("SELECT key, value FROM meta"))
        self._counters = {name: int(stored.get(name, "0")) for name in _COUNTERS}
        self._chunks.load(max(1, self._counters["next_word"]))
        self._lengths.forget()

    # --- notes ---------------------------------------------------------------------------

    def put(self, decoded: Iterable[Decoded]) -> None:
        """Replace all rows of these files; a file without a record keeps only its problems."""
        for one in decoded:
            path = one.path.as_posix()
            self._take_out(path)
            self.set_problems(DECODED, one.problems, paths=[path])
            if one.record is not None:
                self._add(path, one.record)
        self._write_rows()

    def show(self, items: Iterable[Item]) -> None:
        """Replace the rows of items, but not the problems of their files."""
        for item in items:
            path = item.path.as_posix()
            self._take_out(path)
            self._add(path, item)
        self._write_rows()

    def remove(self, paths: Iterable[str]) -> None:
        """Take the rows of these files out; unknown ones are none."""
        for path in paths:
            self._take_out(path)
            self.set_problems(DECODED, (), paths=[path])

    def _add(self, path: str, record: Record) -> None:
        found = passages(record, zone=self._zone)
        first = self._counters["next_passage"]
        size = len(found)
        self._counters["next_passage"] = (first + max(size, 1) + 2 * (_STRIDE - 1)) & -_STRIDE
        used = self._index_words(record, found, first)
        values = note_values(record, found)
        self._rows.append((first, size, *values, array("I", sorted(used)).tobytes()))
        self._passages += [(first + p.seq, p.line, p.speaker, p.date, p.text) for p in found]
        self._names += [(name, rank, first) for name, rank in names_of(record)]
        self._links += [(first, target) for target in links_of(record)]
        self._buffered.add(path)
        self._counters["notes"] += 1
        self._counters["passages"] += size

    def _index_words(self, record: Record, found: list[Passage], first: int) -> set[int]:
        """Postings, lengths and traits of the passages; the ids of all words used."""
        get = self._chunks.__getitem__
        chunked = [chunks(passage.text) for passage in found]
        lengths: list[int] = []
        used: set[int] = set()
        for passage, parts in zip(found, chunked, strict=True):
            ids = list(chain.from_iterable(map(get, parts)))
            lengths.append(len(ids))
            counts: dict[int, int] = Counter(ids)
            if passage.seq == 0:
                for word in chain.from_iterable(map(get, chunks(field_text(record)))):
                    counts.setdefault(word, 1)
            for word in self._about(record, passage):
                counts[word] = 1
            self._postings.add(self._connection, first + passage.seq, counts)
            used.update(counts)
        measured = measure(found, chunked, lengths)
        self._lengths.set(first, measured)
        self._counters["norm_total"] += sum(measured.norms)
        return used

    def _about(self, record: Record, passage: Passage) -> Iterable[int]:
        """Words for who speaks, or whom an item is about."""
        if passage.speaker:
            names = passage.speaker
        elif isinstance(record, Item) and (record.subject or record.entities):
            names = " ".join([record.subject, *record.entities])
        else:
            return ()
        return [self._chunks.id_of(ABOUT + word) for word in words(names)]

    def _take_out(self, path: str) -> None:
        if path in self._buffered:
            self._write_rows()
        row = self._connection.execute(
            "SELECT first, size, words FROM notes WHERE path = ?", (path,)
        ).fetchone()
        if row is None:
            return
        first, size, blob = row
        used = array("I")
        used.frombytes(blob)
        execute = self._connection.execute
        if size:
            self._postings.write(self._connection)
            cut(self._connection, used, first, size)
            self._counters["norm_total"] -= self._lengths.clear(first, size)
            execute("DELETE FROM passages WHERE id >= ? AND id < ?", (first, first + size))
        execute("DELETE FROM links WHERE note = ?", (first,))
        execute("DELETE FROM names WHERE note = ?", (first,))
        execute("DELETE FROM notes WHERE first = ?", (first,))
        self._counters["notes"] -= 1
        self._counters["passages"] -= size

    # --- problems ------------------------------------------------------------------------

    def set_problems(
        self, origin: str, problems: Iterable[Problem], *, paths: Iterable[str] | None = None
    ) -> None:
        """Replace the problems of one origin; only those of some paths, when these are given."""
        if paths is None:
            self._connection.execute("DELETE FROM problems WHERE origin = ?", (origin,))
        else:
            self._connection.executemany(
                "DELETE FROM problems WHERE path = ? AND origin = ?",
                [(path, origin) for path in paths],
            )
        rows = [
            (p.path.as_posix(), origin, p.line, p.code, p.message, p.hint, p.severity, p.fixable)
            for p in problems
        ]
        if rows:
            self._connection.executemany(
                "INSERT INTO problems VALUES(?, ?, ?, ?, ?, ?, ?, ?)", rows
            )

    # --- writing -------------------------------------------------------------------------

    def _write_rows(self) -> None:
        many = self._connection.executemany
        if self._rows:
            many(f"INSERT INTO notes VALUES({', '.join('?' * _NOTE_VALUES)})", self._rows)
            many("INSERT INTO passages VALUES(?, ?, ?, ?, ?)", self._passages)
            many("INSERT OR IGNORE INTO names VALUES(?, ?, ?)", self._names)
            many("INSERT OR IGNORE INTO links VALUES(?, ?)", self._links)
        for buffer in (self._rows, self._passages, self._names, self._links):
            buffer.clear()
        self._buffered.clear()

    def write(self) -> None:
        """Write everything that is still held back, so that it can be read or committed."""
        self._write_rows()
        self._postings.write(self._connection)
        self._chunks.write()
        self._lengths.write()
        self._counters["next_word"] = self._chunks.next_word
        self._connection.executemany(
            "INSERT INTO meta VALUES(?, ?) ON CONFLICT(key) DO UPDATE SET value = excluded.value",
            [(name, str(value)) for name, value in sorted(self._counters.items())],
        )


def paths_of(paths: Iterable[str | PurePosixPath]) -> list[str]:
    """Paths as the tables hold them."""
    return [path if isinstance(path, str) else path.as_posix() for path in paths]
