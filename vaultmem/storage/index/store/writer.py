"""Puts notes into the tables and takes them out again, within one transaction.

Everything derived from a note is found again through its row: its passage ids are consecutive,
and `words` lists the ids of all its words, so that taking it out never reads its text.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from itertools import islice

from vaultmem.language.stems import Stems
from vaultmem.model.notes import Decoded, Item, Problem
from vaultmem.storage.index.store.file import storable
from vaultmem.storage.index.store.preparing import Prepared, Preparer, Row, problem_row
from vaultmem.storage.index.store.sqlite import sqlite3
from vaultmem.storage.index.store.trust import with_levels
from vaultmem.storage.index.text.lengths import Lengths
from vaultmem.storage.index.text.postings import append, cut
from vaultmem.storage.index.text.words import Vocabulary

BATCH = 5_000  # files that are worked out before they are written
_NOTE_VALUES = 39
_COUNTERS = ("next_passage", "next_word", "passages", "notes", "norm_total")
_DECODED = "decoded"  # origin of the problems that reading a file gave
_LIST = "by list "  # and, with its path, of those of a list that could not follow its items


class Writer:
    """The rows of notes, written in batches.

    Holds what it learnt of the file between transactions; `begin` forgets it when another
    process wrote in the meantime, `forget` after a rollback.
    """

    def __init__(self, connection: sqlite3.Connection, stems: Stems, *, zone: str) -> None:
        self._connection = connection
        self._preparer = Preparer(zone=zone)
        self._vocabulary = Vocabulary(connection, stems)
        self._lengths = Lengths(connection)
        self._counters: dict[str, int] = {}
        self._seen_version = -1
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
        self._lengths.forget()
        self._seen_version = -1

    def _load(self) -> None:
        stored = dict(self._connection.execute("SELECT key, value FROM meta"))
        self._counters = {name: int(stored.get(name, "0")) for name in _COUNTERS}
        self._vocabulary.load(max(1, self._counters["next_word"]))
        self._lengths.forget()
        self._paths = None if self._counters["notes"] else set()
        rows = self._connection.execute(
            "SELECT path FROM problems WHERE origin IN (?, ? || path)", (_DECODED, _LIST)
        )
        self._troubled = {path for (path,) in rows}

    # --- notes ---------------------------------------------------------------------------

    def put(self, decoded: Iterable[Decoded]) -> None:
        """Replace all rows of these files; a file without a record keeps only its problems."""
        waiting = iter(decoded)
        while batch := list(islice(waiting, BATCH)):
            self.put_prepared(self._preparer.prepare(batch))

    def put_prepared(self, batch: Prepared) -> None:
        """Replace all rows of the batch's files."""
        for path, problems in batch.files:
            self._take_out(path)
            if problems or path in self._troubled:
                self._set_decoded_problems(path, problems)
        self._add(batch)

    def show(self, items: Iterable[Item]) -> None:
        """Replace the rows of items, but not the problems of their files."""
        batch = self._preparer.prepare([Decoded(path=item.path, record=item) for item in items])
        for path, _ in batch.files:
            self._take_out(path)
        self._add(batch)

    def remove(self, paths: Iterable[str]) -> None:
        """Take the rows of these files out; unknown ones are none."""
        for path in paths:
            self._take_out(path)
            if path in self._troubled:
                self._set_decoded_problems(path, ())

    def _add(self, batch: Prepared) -> None:
        """Write the rows of new notes: their passages get the next ids."""
        base = self._counters["next_passage"]
        ids = self._vocabulary.ids_of(batch.words)
        id_of = ids.__getitem__
        given = with_levels(self._connection, batch.notes)
        notes = [
            (*row, array("I", map(id_of, array("I", words))).tobytes())
            for row, words in zip(given, batch.words_of, strict=True)
        ]
        self._insert(f"INSERT INTO notes VALUES(? + {base}, {_marks(_NOTE_VALUES - 1)})", notes)
        self._insert(f"INSERT INTO passages VALUES(? + {base}, ?, ?, ?, ?)", batch.passages)
        self._insert(f"INSERT OR IGNORE INTO names VALUES(?, ?, ? + {base})", batch.names)
        self._insert(f"INSERT OR IGNORE INTO links VALUES(? + {base}, ?)", batch.links)
        append(
            self._connection,
            (
                (id_of(number), passages, times)
                for (_, number), (passages, times) in zip(batch.words, batch.postings, strict=True)
            ),
            base,
        )
        for first, norms, traits in batch.lengths:
            self._lengths.set(base + first, array("H", norms), array("H", traits))
        self._counters["norm_total"] += batch.norm_total
        self._counters["notes"] += len(batch.notes)
        self._counters["passages"] += len(batch.passages)
        self._counters["next_passage"] = base + batch.end
        if self._paths is not None:
            self._paths.update(str(row[2]) for row in batch.notes)

    def _insert(self, statement: str, rows: Sequence[Row]) -> None:
        try:
            self._connection.executemany(statement, rows)
        except UnicodeEncodeError:  # rare: some key or text holds lone surrogates
            statement = statement.replace("INSERT INTO", "INSERT OR REPLACE INTO")
            self._connection.executemany(statement, [tuple(map(_storable, row)) for row in rows])

    def _take_out(self, path: str) -> None:
        if self._paths is not None:
            if path not in self._paths:
                return
            self._paths.discard(path)
        row = self._connection.execute(
            "SELECT first, size, words FROM notes WHERE path = ?", (path,)
        ).fetchone()
        if row is None:
            return
        first, size, words = row
        execute = self._connection.execute
        if size:
            cut(self._connection, array("I", words), first, size)
            self._counters["norm_total"] -= self._lengths.clear(first, size)
            execute("DELETE FROM passages WHERE id >= ? AND id < ?", (first, first + size))
        execute("DELETE FROM links WHERE note = ?", (first,))
        execute("DELETE FROM names WHERE note = ?", (first,))
        execute("DELETE FROM notes WHERE first = ?", (first,))
        self._counters["notes"] -= 1
        self._counters["passages"] -= size

    # --- problems ------------------------------------------------------------------------

    def set_problems(self, origin: str, problems: Iterable[Problem]) -> None:
        """Replace the problems of one origin; those of a list go when it is saved again."""
        self._connection.execute("DELETE FROM problems WHERE origin = ?", (origin,))
        if origin.startswith(_LIST):
            self._troubled.add(origin.removeprefix(_LIST))
        self._add_problems(origin, map(problem_row, problems))

    def _set_decoded_problems(self, path: str, problems: Sequence[Row]) -> None:
        self._connection.execute(
            "DELETE FROM problems WHERE path = ? AND origin IN (?, ? || path)",
            (path, _DECODED, _LIST),
        )
        self._add_problems(_DECODED, problems)
        if problems:
            self._troubled.add(path)
        else:
            self._troubled.discard(path)

    def _add_problems(self, origin: str, rows: Iterable[Row]) -> None:
        self._connection.executemany(
            f"INSERT INTO problems VALUES({_marks(8)})", [(origin, *row) for row in rows]
        )

    # --- writing -------------------------------------------------------------------------

    def write(self) -> None:
        """Write everything that is still held back, so that it can be read or committed."""
        self._vocabulary.write()
        self._lengths.write()
        self._counters["next_word"] = self._vocabulary.next_word
        self._connection.executemany(
            "INSERT INTO meta VALUES(?, ?) ON CONFLICT(key) DO UPDATE SET value = excluded.value",
            [(name, str(value)) for name, value in sorted(self._counters.items())],
        )


def _marks(count: int) -> str:
    return ", ".join("?" * count)


def _storable(value: object) -> object:
    return storable(value) if isinstance(value, str) else value
