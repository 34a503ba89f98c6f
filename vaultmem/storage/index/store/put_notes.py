"""Puts notes into the tables and takes them out again, within one transaction.

Everything derived from a note is found again through its row: its passage ids are consecutive,
and `words` lists the ids of all its words, so that taking it out never reads its text.
"""

from __future__ import annotations

import marshal
from array import array
from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import islice

from vaultmem import judgement
from vaultmem.base import NamedTuple
from vaultmem.judgement import told_of_own
from vaultmem.language import Stems
from vaultmem.model import USER, Decoded, Item, Passage, Problem, Record, Resource
from vaultmem.storage.index.store.file import storable
from vaultmem.storage.index.store.record_rows import links_of, names_of, note_values
from vaultmem.storage.index.store.sqlite import sqlite3
from vaultmem.storage.index.store.trust_events import with_levels
from vaultmem.storage.index.text.index_words import (
    ABOUT,
    SAID_BY,
    SELF,
    Chunks,
    Counted,
    Vocabulary,
)
from vaultmem.storage.index.text.passages import field_text, passages
from vaultmem.storage.index.text.postings import Lengths, append, cut
from vaultmem.storage.index.text.traits import SIZES, chunks, measure, sizes_of, states_wish

# What notes come to, worked out without the index: so it may be done in another process.
#
# All that costs time in indexing is here, and it knows no row id: passages are numbered from 0
# within a batch, words by the order in which this process met them. `Writer` adds the rest.

STRIDE = 4  # passage numbers of a note begin at a multiple of this, after three free ones
MOST_TIMES = 255  # what a byte of postings holds

Row = tuple[object, ...]


class Prepared(NamedTuple):
    """A batch of files, ready to be written. Plain data all through.

    Numbers of passages count from 0 in the batch, those of words are of this process.
    """

    files: list[tuple[str, list[Row]]]  # every path, once, with its problems
    notes: list[Row]  # first passage, size, note_values
    words_of: list[bytes]  # of each note: the words it uses, array('I')
    passages: list[Row]  # number, line, speaker, date, text
    names: list[Row]  # name, rank, first passage of the note
    links: list[Row]  # first passage of the note, target
    lengths: list[tuple[int, bytes, bytes]]  # first passage; norms and traits, arrays of 'H'
    sizes: dict[str, int]  # by the names of SIZES
    words: list[tuple[str, int]]  # every word of the batch with its number
    postings: list[tuple[bytes, bytes]]  # of each of them: passages, array('I'), and times
    end: int  # the first passage number that is free

    def dumps(self) -> bytes:
        """The batch as bytes for another process of the same program."""
        return marshal.dumps(tuple(self))

    @classmethod
    def loads(cls, data: bytes) -> Prepared:
        """The batch of `dumps`; only ever of bytes that this program itself made."""
        return cls(*marshal.loads(data))


class Preparer:
    """Prepares batches; what it learns of words makes the next batch cheaper."""

    def __init__(self, *, zone: str) -> None:
        self._zone = zone
        self._chunks = Chunks()

    def prepare(self, decoded: Iterable[Decoded]) -> Prepared:
        """The batch of these files; of a path that comes twice the last one counts."""
        latest = {str(one.path): one for one in decoded}
        batch = Prepared([], [], [], [], [], [], [], {}, [], [], 0)
        gathered = _Gathered(batch, self._chunks, self._zone)
        for path, one in latest.items():
            batch.files.append((path, [problem_row(problem) for problem in one.problems]))
            if one.record is not None:
                gathered.add(one.record)
        return gathered.finish()


class _Gathered:
    """The rows and postings of one batch while it is gathered."""

    def __init__(self, batch: Prepared, words: Chunks, zone: str) -> None:
        self._batch = batch
        self._words = words
        self._zone = zone
        self._postings: defaultdict[int, list[int]] = defaultdict(list)
        self._next = 0
        self._sizes: dict[str, int] = {}

    def add(self, record: Record) -> None:
        found = passages(record, zone=self._zone)
        first, batch = self._next, self._batch
        # Three ids after a note stay free, as many as a window reaches to a side (`WINDOW` in
        # traits.py), so that the neighbours of a passage by its id are of its own note.
        self._next = (first + max(len(found), 1) + 2 * (STRIDE - 1)) & -STRIDE
        chunked = [chunks(passage.text) for passage in found]
        counted = [
            self._words.with_capitals(self._words.count(parts), passage.text)
            for parts, passage in zip(chunked, found, strict=True)
        ]
        said = f"{record.said_after} {record.asked}" if isinstance(record, Item) else ""
        # An item is found by the words said before it, so they count in its length, too: where they
        # did not, 'what is played on Sundays' was answered by the dentist named in the next
        # sentence.
        before = self._words.count(chunks(said)).length if said.strip() else 0
        is_item = isinstance(record, Item)
        sizes = [len(parts) for parts in chunked]
        norms, traits = measure(found, counted, sizes, before=before, is_item=is_item)
        batch.lengths.append((first, norms.tobytes(), traits.tobytes()))
        for name, size in sizes_of(traits, norms).items():
            self._sizes[name] = self._sizes.get(name, 0) + size
        values = note_values(record, found)
        batch.notes.append((first, len(found), *values))
        batch.words_of.append(self._add_postings(record, found, counted, first).tobytes())
        statement = values[8]
        for seq, p in enumerate(found, first):
            text = None if p.text == statement else p.text
            batch.passages.append((seq, p.line, p.speaker, p.date, text))
        batch.names.extend((name, rank, first) for name, rank in names_of(record))
        batch.links.extend((first, target) for target in links_of(record))

    def _add_postings(
        self, record: Record, found: list[Passage], counted: list[Counted], first: int
    ) -> array[int]:
        """Gather the postings of a note; all words it uses."""
        postings = self._postings
        for number, (passage, words) in enumerate(zip(found, counted, strict=True), first):
            counts = words.counts
            if number == first:
                for word in self._words.ids(field_text(record)):
                    counts[word] = counts.get(word, 0) + 1
            for word in self._marker_words(record, passage):
                counts[word] = 1
            if counts and max(counts.values()) > MOST_TIMES:
                for word, times in counts.items():
                    counts[word] = min(times, MOST_TIMES)
            # One number for both: the passage, and in its low byte how often it holds the word.
            low = number << 8
            for word, times in counts.items():
                postings[word].append(low | times)
        if len(counted) == 1:
            return array("I", counted[0].counts)
        return array("I", {word for words in counted for word in words.counts})

    def _marker_words(self, record: Record, passage: Passage) -> Sequence[int]:
        """Words for who speaks, or what an item is about."""
        if passage.speaker:
            speaker = self._words.mark_words(SAID_BY, passage.speaker)
            # Of an assistant's own words none is a wish, nor of what others said.
            is_own = isinstance(record, Resource) and record.trust == USER
            if is_own and passage.speaker.casefold() == SELF:
                return (*speaker, *(self._wish_words(passage) or self._likely_words(passage)))
            return speaker
        if not isinstance(record, Item):
            return ()
        found: Sequence[int] = ()
        if record.subject or record.entities:
            found = self._words.mark_words(ABOUT, " ".join([record.subject, *record.entities]))
        # Others' words would answer every question for leave: only the person's are critical.
        if record.critical and record.trust == USER:
            found = (*found, self._words.critical())
        if record.trust == USER:
            told = told_of_own(record.statement, record.said_after)
            found = (*found, *map(self._words.telling, told), *self._wish_words(passage))
        return found

    def _wish_words(self, passage: Passage) -> Sequence[int]:
        # 'What could I cook?' shares no word with 'I prefer plant-based food': with wishes marked
        # R@10 of preferences in own chats is .818 and was .000.
        if not states_wish(passage.text):
            return ()
        return (self._words.standing(), self._words.sure())

    def _likely_words(self, passage: Passage) -> Sequence[int]:
        """The mark of a wish that the model of kinds alone sees, for turns to an assistant."""
        return (self._words.standing(),) if judgement.likely_wish(passage.text) else ()

    def finish(self) -> Prepared:
        words = [(self._words.word(number), number) for number in self._postings]
        postings = [
            (array("I", [one >> 8 for one in packed]).tobytes(), bytes([o & 0xFF for o in packed]))
            for packed in self._postings.values()
        ]
        return self._batch._replace(
            sizes=self._sizes, words=words, postings=postings, end=self._next
        )


def problem_row(problem: Problem) -> Row:
    """A problem as its table holds it, without its origin."""
    return (
        *(storable(str(problem.path)), problem.line, problem.code, storable(problem.message)),
        *(storable(problem.hint), problem.severity.value, problem.fixable),
    )


BATCH = 5_000  # files that are worked out before they are written
_NOTE_VALUES = 40
_COUNTERS = ("next_passage", "next_word", *SIZES)
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
        for name, size in batch.sizes.items():
            self._counters[name] += size
        self._counters["next_passage"] = base + batch.end
        if self._paths is not None:
            self._paths.update(str(row[2]) for row in batch.notes)

    def _insert(self, statement: str, rows: Sequence[Row]) -> None:
        try:
            self._connection.executemany(statement, rows)
        # With their surrogates replaced, two names or links may have become one.
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
        traits: Sequence[int] = ()
        norms: Sequence[int] = ()
        if size:
            cut(self._connection, array("I", words), first, size)
            traits = self._lengths.bits_of(range(first, first + size))
            norms = self._lengths.clear(first, size)
            execute("DELETE FROM passages WHERE id >= ? AND id < ?", (first, first + size))
        execute("DELETE FROM links WHERE note = ?", (first,))
        execute("DELETE FROM names WHERE note = ?", (first,))
        execute("DELETE FROM notes WHERE first = ?", (first,))
        for name, taken in sizes_of(traits, norms).items():
            self._counters[name] -= taken

    # --- problems ------------------------------------------------------------------------

    def set_problems(self, origin: str, problems: Iterable[Problem]) -> None:
        """Replace the problems of one origin; those of a list go when it is saved again."""
        self._connection.execute("DELETE FROM problems WHERE origin = ?", (origin,))
        # Where a list could not follow what was remembered nothing told of it: it is named now
        # until the list is saved again.
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
