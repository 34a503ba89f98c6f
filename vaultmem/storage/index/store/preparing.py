"""What notes come to, worked out without the index: so it may be done in another process.

All that costs time in indexing is here, and it knows no row id: passages are numbered from 0
within a batch, words by the order in which this process met them. `Writer` adds the rest.
"""

from __future__ import annotations

import marshal
from array import array
from collections import defaultdict
from collections.abc import Iterable, Sequence

from vaultmem.base.records import NamedTuple
from vaultmem.judgement.aspects import told_of_speaker
from vaultmem.model.answers import Passage
from vaultmem.model.notes import Decoded, Item, Problem, Record
from vaultmem.model.trust import USER
from vaultmem.storage.index.store.entries import links_of, names_of, note_values
from vaultmem.storage.index.store.file import storable
from vaultmem.storage.index.text.passages import field_text, passages
from vaultmem.storage.index.text.traits import chunks, measure
from vaultmem.storage.index.text.words import ABOUT, SAID_BY, Chunks, Counted

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
    norm_total: int
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
        batch = Prepared([], [], [], [], [], [], [], 0, [], [], 0)
        gathered = _Gathered(batch, self._chunks, self._zone)
        for path, one in latest.items():
            batch.files.append((path, [problem_row(problem) for problem in one.problems]))
            if one.record is not None:
                gathered.add(one.record)
        return gathered.done()


class _Gathered:
    """The rows and postings of one batch while it is gathered."""

    def __init__(self, batch: Prepared, words: Chunks, zone: str) -> None:
        self._batch = batch
        self._words = words
        self._zone = zone
        self._postings: defaultdict[int, list[int]] = defaultdict(list)
        self._next = 0
        self._norm_total = 0

    def add(self, record: Record) -> None:
        found = passages(record, zone=self._zone)
        first, batch = self._next, self._batch
        self._next = (first + max(len(found), 1) + 2 * (STRIDE - 1)) & -STRIDE
        chunked = [chunks(passage.text) for passage in found]
        counted = [self._words.count(parts) for parts in chunked]
        said = f"{record.said_after} {record.asked}" if isinstance(record, Item) else ""
        before = self._words.count(chunks(said)).length if said.strip() else 0
        norms, traits = measure(found, counted, [len(parts) for parts in chunked], before=before)
        batch.lengths.append((first, norms.tobytes(), traits.tobytes()))
        self._norm_total += sum(norms)
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
            for word in self._marked(record, passage):
                counts[word] = 1
            if counts and max(counts.values()) > MOST_TIMES:
                for word, times in counts.items():
                    counts[word] = min(times, MOST_TIMES)
            low = number << 8
            for word, times in counts.items():
                postings[word].append(low | times)
        if len(counted) == 1:
            return array("I", counted[0].counts)
        return array("I", {word for words in counted for word in words.counts})

    def _marked(self, record: Record, passage: Passage) -> Sequence[int]:
        """Words for who speaks, or what an item is about."""
        if passage.speaker:
            return self._words.marked(SAID_BY, passage.speaker)
        if not isinstance(record, Item):
            return ()
        found: Sequence[int] = ()
        if record.subject or record.entities:
            found = self._words.marked(ABOUT, " ".join([record.subject, *record.entities]))
        # Others' words would answer every question for leave: only the person's are critical.
        if record.critical and record.trust == USER:
            found = (*found, self._words.critical())
        if record.trust == USER:
            told = told_of_speaker(record.statement, record.said_after)
            found = (*found, *map(self._words.telling, told))
        return found

    def done(self) -> Prepared:
        words = [(self._words.word(number), number) for number in self._postings]
        postings = [
            (array("I", [one >> 8 for one in packed]).tobytes(), bytes([o & 0xFF for o in packed]))
            for packed in self._postings.values()
        ]
        return self._batch._replace(
            norm_total=self._norm_total, words=words, postings=postings, end=self._next
        )


def problem_row(problem: Problem) -> Row:
    """A problem as its table holds it, without its origin."""
    return (
        *(storable(str(problem.path)), problem.line, problem.code, storable(problem.message)),
        *(storable(problem.hint), problem.severity.value, problem.fixable),
    )
