"""Puts notes into the tables and takes them out again, within one transaction.

Everything derived from a note is found again through its row: its passage ids are consecutive,
and `words` lists the ids of all its words, so that taking it out never reads its text.
"""

from __future__ import annotations

import sqlite3
from array import array
from collections.abc import Iterable, Sequence

from vaultmem.analysis import Stems
from vaultmem.index.entries import links_of, names_of, note_values
from vaultmem.index.lengths import Lengths
from vaultmem.index.passages import field_text, passages
from vaultmem.index.postings import PendingPostings, cut
from vaultmem.index.storage import storable
from vaultmem.index.traits import chunks, measure
from vaultmem.index.vocabulary import ABOUT, SAID_BY, Chunks
from vaultmem.model.recall import Passage
from vaultmem.model.records import Decoded, Item, Problem, Record

_STRIDE = 4  # passage ids of a note begin at a multiple of this, after three free ones
_NOTE_VALUES = 30
_COUNTERS = ("next_passage", "next_word", "passages", "notes", "norm_total")
_DECODED = "decoded"  # origin of the problems that reading a file gave


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
        self._buffers = (self._rows, self._passages, self._names, self._links)
        self._buffered: set[str] = set()
        self._troubled: set[str] = set()  # paths that have problems of decoding
        # All paths, where the index was empty at first: building it looks nothing up.
        self._paths: set[str] | None = None

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
        for buffer in self._buffers:
            buffer.clear()
        self._buffered.clear()
        self._seen_version = -1

    def _load(self) -> None:
        stored = dict(self._connection.execute("SELECT key, value FROM meta"))
        self._counters = {name: int(stored.get(name, "0")) for name in _COUNTERS}
        self._chunks.load(max(1, self._counters["next_word"]))
        self._lengths.forget()
        self._paths = None if self._counters["notes"] else set()
        self._troubled = {
            path
            for (path,) in self._connection.execute(
                "SELECT path FROM problems WHERE origin = ?", (_DECODED,)
            )
        }

    # --- notes ---------------------------------------------------------------------------

    def put(self, decoded: Iterable[Decoded]) -> None:
        """Replace all rows of these files; a file without a record keeps only its problems."""
        for one in decoded:
            path = str(one.path)
            self._take_out(path)
            if one.problems or path in self._troubled:
                self._set_decoded_problems(path, one.problems)
            if one.record is not None:
                self._add(path, one.record)
        self._write_rows()

    def show(self, items: Iterable[Item]) -> None:
        """Replace the rows of items, but not the problems of their files."""
        for item in items:
            path = str(item.path)
            self._take_out(path)
            self._add(path, item)
        self._write_rows()

    def remove(self, paths: Iterable[str]) -> None:
        """Take the rows of these files out; unknown ones are none."""
        for path in paths:
            self._take_out(path)
            if path in self._troubled:
                self._set_decoded_problems(path, ())

    def _add(self, path: str, record: Record) -> None:
        found = passages(record, zone=self._zone)
        first = self._counters["next_passage"]
        size = len(found)
        self._counters["next_passage"] = (first + max(size, 1) + 2 * (_STRIDE - 1)) & -_STRIDE
        used = self._index_words(record, found, first)
        values = note_values(record, found)
        self._rows.append((first, size, *values, used.tobytes()))
        self._passages += [(first + p.seq, p.line, p.speaker, p.date, p.text) for p in found]
        self._names += [(name, rank, first) for name, rank in names_of(record)]
        self._links += [(first, target) for target in links_of(record)]
        self._buffered.add(path)
        if self._paths is not None:
            self._paths.add(path)
        self._counters["notes"] += 1
        self._counters["passages"] += size

    def _index_words(self, record: Record, found: list[Passage], first: int) -> array[int]:
        """Postings, lengths and traits of the passages; the ids of all words used."""
        chunked = [chunks(passage.text) for passage in found]
        counted = [self._chunks.count(parts) for parts in chunked]
        measured = measure(found, counted, [len(parts) for parts in chunked])
        self._lengths.set(first, measured)
        self._counters["norm_total"] += sum(measured.norms)
        for seq, (passage, words) in enumerate(zip(found, counted, strict=True)):
            counts = words.counts
            if seq == 0:
                for word in self._chunks.ids(field_text(record)):
                    counts.setdefault(word, 1)
            for word in self._marked(record, passage):
                counts[word] = 1
            self._postings.add(self._connection, first + seq, counts)
        if len(counted) == 1:
            return array("I", counted[0].counts)
        return array("I", {word for words in counted for word in words.counts})

    def _marked(self, record: Record, passage: Passage) -> tuple[int, ...]:
        """Words for who speaks, or what an item is about."""
        if passage.speaker:
            return self._chunks.marked(SAID_BY, passage.speaker)
        if isinstance(record, Item) and (record.subject or record.entities):
            return self._chunks.marked(ABOUT, " ".join([record.subject, *record.entities]))
        return ()

    def _take_out(self, path: str) -> None:
        if path in self._buffered:
            self._write_rows()
        if self._paths is not None:
            if path not in self._paths:
                return
            self._paths.discard(path)
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

    def set_problems(self, origin: str, problems: Iterable[Problem]) -> None:
        """Replace the problems of one origin."""
        self._connection.execute("DELETE FROM problems WHERE origin = ?", (origin,))
        self._add_problems(origin, problems)

    def _set_decoded_problems(self, path: str, problems: Sequence[Problem]) -> None:
        self._connection.execute(
            "DELETE FROM problems WHERE path = ? AND origin = ?", (path, _DECODED)
        )
        self._add_problems(_DECODED, problems)
        if problems:
            self._troubled.add(path)
        else:
            self._troubled.discard(path)

    def _add_problems(self, origin: str, problems: Iterable[Problem]) -> None:
        self._connection.executemany(
            "INSERT INTO problems VALUES(?, ?, ?, ?, ?, ?, ?, ?)",
            [
                (
                    *(storable(str(p.path)), origin, p.line, p.code, storable(p.message)),
                    *(storable(p.hint), p.severity, p.fixable),
                )
                for p in problems
            ],
        )

    # --- writing -------------------------------------------------------------------------

    def _write_rows(self) -> None:
        try:
            self._insert_rows()
        except UnicodeEncodeError:  # rare: some key or text holds lone surrogates
            for buffer in self._buffers:
                buffer[:] = [tuple(map(_storable, row)) for row in buffer]
            self._insert_rows()
        for buffer in self._buffers:
            buffer.clear()
        self._buffered.clear()

    def _insert_rows(self) -> None:
        marks = ", ".join("?" * _NOTE_VALUES)
        many = self._connection.executemany
        many(f"INSERT OR REPLACE INTO notes VALUES({marks})", self._rows)
        many("INSERT OR REPLACE INTO passages VALUES(?, ?, ?, ?, ?)", self._passages)
        many("INSERT OR IGNORE INTO names VALUES(?, ?, ?)", self._names)
        many("INSERT OR IGNORE INTO links VALUES(?, ?)", self._links)

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


def _storable(value: object) -> object:
    return storable(value) if isinstance(value, str) else value
