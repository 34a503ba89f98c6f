"""Postings: which passages hold a word, and how often. Arrays in blobs, read without numpy.

One row holds a word's passages of one block of 65,536 passage ids: key = word << 20 | block,
`ids` the low 16 bits of the passage ids, ascending, `tfs` one byte each, how often. An update
therefore rewrites at most one block of a word however large the vault is, and a word of few
passages takes one small row.
"""

from __future__ import annotations

import sys
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

from vaultmem.base import Protocol, TypeVar
from vaultmem.storage.index.store.sqlite import in_lists, sqlite3
from vaultmem.storage.index.text.traits import BEGINS, STATED, TURN

BLOCK_BITS = 16  # passages a block, as a power of two: what an array of 'H' can tell apart
KEY_BITS = 20  # blocks a word may have, as a power of two
_LOW = (1 << BLOCK_BITS) - 1
BLOCKS = (1 << KEY_BITS) - 1


class Held(Collection[int], Protocol):
    """The passages that hold a word, and how often each does."""


H = TypeVar("H", bound=Held)


class Reader(Protocol[H]):
    """Reads postings in the form that whoever scores them wants."""

    def expect(self, words: Sequence[int]) -> None:
        """These are about to be read."""

    def read(self, words: Sequence[int]) -> H:
        """How often each passage holds any of the words."""

    def without(self, held: H, others: H) -> H:
        """What is held by passages that hold nothing of the others."""

    def heaviest(self, held: H, weighed: Sequence[tuple[float, H]], most: int) -> H:
        """Of what is held at most so much: what holds most of the others, then the latest."""

    def people(self, groups: Sequence[tuple[H, H]]) -> Collection[int]:
        """The passages that are in one or the other of each pair; of no pair, none."""


class DictReader:
    """Postings as dictionaries, by passage: numpy is not loaded for them."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def expect(self, words: Sequence[int]) -> None:
        """Nothing: rows that are turned into dictionaries cost more than their statement."""

    def read(self, words: Sequence[int]) -> dict[int, int]:
        """How often each passage (by id, ascending for a single word) holds any of the words."""
        return read(self._connection, words)

    def without(self, held: dict[int, int], others: dict[int, int]) -> dict[int, int]:
        """What is held by passages that hold nothing of the others."""
        return {passage: times for passage, times in held.items() if passage not in others}

    def heaviest(
        self, held: dict[int, int], weighed: Sequence[tuple[float, dict[int, int]]], most: int
    ) -> dict[int, int]:
        """Of what is held at most so much: what holds most of the others, then the latest."""
        if len(held) <= most:
            return held

        def weight(passage: int) -> tuple[float, int]:
            return sum(gain for gain, times in weighed if passage in times), passage

        return {one: held[one] for one in sorted(sorted(held, key=weight)[-most:])}

    def people(self, groups: Sequence[tuple[dict[int, int], dict[int, int]]]) -> Collection[int]:
        """The passages that are in one or the other of each pair; of no pair, none."""
        return set.intersection(*({*one, *other} for one, other in groups)) if groups else ()


def append(
    connection: sqlite3.Connection, postings: Iterable[tuple[int, bytes, bytes]], base: int
) -> None:
    """Add passages to the end of words' postings.

    postings  (word, passages as array('I') bytes, times): the passages count from `base`, and
              all lie after those that the words have already
    """
    connection.executemany(
        # `||` of two blobs keeps every byte but makes a text of them.
        "INSERT INTO postings VALUES(?, ?, ?) ON CONFLICT(key) DO UPDATE SET "
        "ids = CAST(ids || excluded.ids AS BLOB), tfs = CAST(tfs || excluded.tfs AS BLOB)",
        (
            row
            for word, passages, times in postings
            for row in _rows(word, array("I", passages), times, base)
        ),
    )


def _rows(
    word: int, passages: array[int], times: bytes, base: int
) -> Iterable[tuple[int, bytes, bytes]]:
    """The rows of a word's passages: one for each block they lie in."""
    block = (base + passages[0]) >> BLOCK_BITS
    if (base + passages[-1]) >> BLOCK_BITS == block:
        offset = base - (block << BLOCK_BITS)
        if len(passages) == 1:  # half of all words are in one passage only
            ids = (passages[0] + offset).to_bytes(2, sys.byteorder)
        else:
            ids = array("H", [passage + offset for passage in passages]).tobytes()
        return ((word << KEY_BITS | block, ids, times),)
    rows: list[tuple[int, bytes, bytes]] = []
    while passages:
        block = (base + passages[0]) >> BLOCK_BITS
        end = bisect_left(passages, ((block + 1) << BLOCK_BITS) - base)
        rows += _rows(word, passages[:end], times[:end], base)
        passages, times = passages[end:], times[end:]
    return rows


def cut(connection: sqlite3.Connection, words: Iterable[int], first: int, size: int) -> None:
    """Take the passages [first, first + size) out of the postings of some words."""
    end = first + size
    for block in range(first >> BLOCK_BITS, ((end - 1) >> BLOCK_BITS) + 1):
        base = block << BLOCK_BITS
        low, high = max(first - base, 0), min(end - base, _LOW + 1)
        for word in words:
            _cut_row(connection, word << KEY_BITS | block, low, high)


def _cut_row(connection: sqlite3.Connection, key: int, low: int, high: int) -> None:
    row = connection.execute("SELECT ids, tfs FROM postings WHERE key = ?", (key,)).fetchone()
    if row is None:
        return
    ids, tfs = _ids(row[0], row[1]), row[1]
    start, stop = bisect_left(ids, low), bisect_left(ids, high)
    if start == stop:
        return
    if stop - start == len(ids):
        connection.execute("DELETE FROM postings WHERE key = ?", (key,))
        return
    del ids[start:stop]
    connection.execute(
        "UPDATE postings SET ids = ?, tfs = ? WHERE key = ?",
        (ids.tobytes(), tfs[:start] + tfs[stop:], key),
    )


def read(connection: sqlite3.Connection, words: Sequence[int]) -> dict[int, int]:
    """How often each passage (by id, ascending for a single word) holds any of the words."""
    found: dict[int, int] = {}
    for word in words:
        for key, ids_blob, tfs in connection.execute(
            "SELECT key, ids, tfs FROM postings WHERE key BETWEEN ? AND ?",
            (word << KEY_BITS, word << KEY_BITS | BLOCKS),
        ):
            ids: Sequence[int] = _ids(ids_blob, tfs)
            base = (key & BLOCKS) << BLOCK_BITS
            if base:
                ids = [base + low for low in ids]
            if not found:
                found = dict(zip(ids, tfs, strict=True))
            # The rows of one word are of different blocks, so that nothing has to be added up.
            elif word == words[0]:
                found.update(zip(ids, tfs, strict=True))
            else:
                for passage, times in zip(ids, tfs, strict=True):
                    found[passage] = found.get(passage, 0) + times
    return found


def is_alive(connection: sqlite3.Connection, word: int) -> bool:
    """Whether any passage holds the word."""
    return (
        connection.execute(
            "SELECT 1 FROM postings WHERE key BETWEEN ? AND ? LIMIT 1",
            (word << KEY_BITS, word << KEY_BITS | BLOCKS),
        ).fetchone()
        is not None
    )


def _ids(blob: bytes, tfs: bytes) -> array[int]:
    """The passages of one row; a row that SQLite itself would not call damaged may still be."""
    ids = array("H")
    if len(blob) != 2 * len(tfs):
        raise sqlite3.DatabaseError("a row of postings is malformed")
    ids.frombytes(blob)
    return ids


def postings_of_all(connection: sqlite3.Connection) -> Iterator[tuple[int, int, int]]:
    """(word, passage, times) of every posting."""
    for key, ids, tfs in connection.execute("SELECT key, ids, tfs FROM postings ORDER BY key"):
        base = (key & BLOCKS) << BLOCK_BITS
        for low, times in zip(_ids(ids, tfs), tfs, strict=True):
            yield key >> KEY_BITS, base + low, times


# Norms and traits of all passages: arrays of 4,096 passages a row, loaded when met.

BITS = 12
SIZE = 1 << BITS
_LOW_LENGTHS = SIZE - 1
_GAP = b"\0\0"  # a norm of 0


class Lengths:
    """Norm and traits of a passage by its id; a norm of 0 is no passage."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._norms: dict[int, array[int]] = {}
        self._traits: dict[int, array[int]] = {}
        self._bytes: dict[int, bytes] = {}  # the norms once more, in which a gap is found fast
        self._begins: dict[int, Sequence[int]] = {}  # of talks, by the first passage of their note
        self._changed: set[int] = set()

    def norms(self, block: int) -> array[int]:
        """Norms of the passages [block * SIZE, (block + 1) * SIZE)."""
        if block not in self._norms:
            self._load(block)
        return self._norms[block]

    def traits(self, block: int) -> array[int]:
        """Traits of the passages [block * SIZE, (block + 1) * SIZE)."""
        if block not in self._traits:
            self._load(block)
        return self._traits[block]

    def norm(self, passage: int) -> int:
        """The norm of one passage; 0: there is no such passage."""
        return self.norms(passage >> BITS)[passage & _LOW_LENGTHS]

    def bits(self, passage: int) -> int:
        """The traits of one passage."""
        return self.traits(passage >> BITS)[passage & _LOW_LENGTHS]

    def norms_of(self, passages: Sequence[int]) -> Sequence[int]:
        """The norms of some passages of a note, ascending."""
        return self._of(passages, self.norms)

    def bits_of(self, passages: Sequence[int]) -> Sequence[int]:
        """The traits of some passages of a note, ascending."""
        return self._of(passages, self.traits)

    def _of(self, passages: Sequence[int], block_of: Callable[[int], array[int]]) -> Sequence[int]:
        if not passages:
            return ()
        block, low = passages[0] >> BITS, passages[0] & _LOW_LENGTHS
        end = passages[-1] - passages[0] + low + 1
        if end > SIZE:
            return [block_of(passage >> BITS)[passage & _LOW_LENGTHS] for passage in passages]
        if end - low == len(passages):  # one run, as mostly
            return block_of(block)[low:end]
        values = block_of(block)
        return [values[passage & _LOW_LENGTHS] for passage in passages]

    def note_around(self, passage: int) -> tuple[int, int]:
        """The note [first, end) that holds a passage: notes are apart by ids without a length."""
        block, low = passage >> BITS, passage & _LOW_LENGTHS
        gap = _last_gap(self._norm_bytes(block), low)
        while gap < 0 and block:
            block -= 1
            gap = _last_gap(self._norm_bytes(block), SIZE)
        first = (block << BITS) + gap + 1
        block = passage >> BITS
        gap = _next_gap(self._norm_bytes(block), low)
        while gap < 0:
            block += 1
            gap = _next_gap(self._norm_bytes(block), 0)
        return first, (block << BITS) + gap

    def talk_around(self, passage: int) -> tuple[int, int]:
        """The talk [first, end) of a turn, of a note that has several; of others the whole note."""
        first, end = self.note_around(passage)
        begins = self._begins.get(first)
        if begins is None:
            begins = self._begins[first] = self._find_begins(first, end)
        if not begins:
            return first, end
        after = bisect_right(begins, passage)
        return (
            begins[after - 1] if after else first,
            begins[after] if after < len(begins) else end,
        )

    def _find_begins(self, first: int, end: int) -> Sequence[int]:
        """The passages of a note with which another talk begins, ascending."""
        bits = self.bits_of(range(first, end))
        # Most notes are one talk, and to find the largest of their traits is a loop in C.
        if not bits[0] & TURN or max(bits) < STATED:
            return ()
        return [at for at, one in enumerate(bits, first) if one & BEGINS == BEGINS]

    def _norm_bytes(self, block: int) -> bytes:
        found = self._bytes.get(block)
        if found is None:
            found = self._bytes[block] = self.norms(block).tobytes()
        return found

    def total(self, first: int, end: int) -> int:
        """The norms of the passages [first, end) together."""
        total = 0
        while first < end:
            stop = min(end, ((first >> BITS) + 1) << BITS)
            low = first & _LOW_LENGTHS
            total += sum(self.norms(first >> BITS)[low : low + stop - first])
            first = stop
        return total

    def set(self, first: int, norms: array[int], traits: array[int]) -> None:
        """Keep what was measured of the passages from `first` on."""
        start = 0
        while start < len(norms):
            block, low = (first + start) >> BITS, (first + start) & _LOW_LENGTHS
            end = min(len(norms), start + SIZE - low)
            self.norms(block)[low : low + end - start] = norms[start:end]
            self._traits[block][low : low + end - start] = traits[start:end]
            self._changed.add(block)
            self._bytes.pop(block, None)
            self._begins.clear()
            start = end

    def clear(self, first: int, size: int) -> list[int]:
        """Forget passages; the norms that they had."""
        norms = [self.norm(i) for i in range(first, first + size)]
        self.set(first, array("H", bytes(2 * size)), array("H", bytes(2 * size)))
        return norms

    def expect(self, blocks: Iterable[int]) -> None:
        """Load these at once, as far as they are not."""
        unknown = sorted(block for block in set(blocks) if block not in self._norms)
        for some, marks in in_lists(unknown):
            for block, norms, traits in self._connection.execute(
                f"SELECT block, norms, traits FROM lengths WHERE block IN ({marks})", some
            ):
                self._keep(block, norms, traits)

    def _load(self, block: int) -> None:
        row = self._connection.execute(
            "SELECT norms, traits FROM lengths WHERE block = ?", (block,)
        ).fetchone()
        self._keep(block, *(row or (bytes(2 * SIZE),) * 2))

    def _keep(self, block: int, norms: bytes, traits: bytes) -> None:
        if not len(norms) == len(traits) == 2 * SIZE:
            raise sqlite3.DatabaseError("a row of lengths is malformed")
        self._norms[block], self._traits[block] = array("H", norms), array("H", traits)
        self._bytes[block] = norms

    def write(self) -> None:
        """Write the arrays that changed."""
        self._connection.executemany(
            "INSERT OR REPLACE INTO lengths VALUES(?, ?, ?)",
            [
                (block, self._norms[block].tobytes(), self._traits[block].tobytes())
                for block in sorted(self._changed)
            ],
        )
        self._changed.clear()

    def forget(self) -> None:
        """Drop what was loaded or changed, so that the file is read again."""
        self._norms.clear()
        self._traits.clear()
        self._bytes.clear()
        self._begins.clear()
        self._changed.clear()


def _last_gap(norms: bytes, end: int) -> int:
    """The last passage before `end` without a norm; -1: there is none."""
    at = norms.rfind(_GAP, 0, 2 * end)
    while at & 1 and at > 0:  # half of one norm and half of the next
        at = norms.rfind(_GAP, 0, at + 1)
    return at // 2


def _next_gap(norms: bytes, start: int) -> int:
    """The first passage from `start` on without a norm; -1: there is none."""
    at = norms.find(_GAP, 2 * start)
    while at & 1 and at > 0:
        at = norms.find(_GAP, at + 1)
    return at // 2
