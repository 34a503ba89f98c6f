"""Postings: which passages hold a word, and how often. Arrays in blobs, read without numpy.

One row holds a word's passages of one block of 65,536 passage ids: key = word << 20 | block,
`ids` the low 16 bits of the passage ids, ascending, `tfs` one byte each, how often. An update
therefore rewrites at most one block of a word however large the vault is, and a word of few
passages takes one small row.
"""

from __future__ import annotations

import sqlite3
import sys
from array import array
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

BLOCK_BITS = 16  # passages a block, as a power of two: what an array of 'H' can tell apart
KEY_BITS = 20  # blocks a word may have, as a power of two
MOST_TIMES = 255
_LOW = (1 << BLOCK_BITS) - 1
_BLOCKS = (1 << KEY_BITS) - 1
# Pending postings are written when there are this many, about 100 MB of Python integers.
MOST_PENDING = 1_000_000


class PendingPostings:
    """Postings of new passages, gathered by word until they are written.

    Passage ids must be added in ascending order.
    """

    def __init__(self) -> None:
        self._by_word: defaultdict[int, list[int]] = defaultdict(list)
        self._block = 0
        self._count = 0

    def add(self, connection: sqlite3.Connection, passage: int, counts: Mapping[int, int]) -> None:
        """Note how often each word (by id) is in a passage; writes first when a block is full."""
        if passage >> BLOCK_BITS != self._block or self._count > MOST_PENDING:
            self.write(connection)
            self._block = passage >> BLOCK_BITS
        low = (passage & _LOW) << 8
        if counts and max(counts.values()) > MOST_TIMES:
            counts = {word: min(times, MOST_TIMES) for word, times in counts.items()}
        by_word = self._by_word
        for word, times in counts.items():
            by_word[word].append(low | times)
        self._count += len(counts)

    def write(self, connection: sqlite3.Connection) -> None:
        """Append what was gathered to the rows of its block."""
        if self._by_word:
            block = self._block
            connection.executemany(
                # `||` of two blobs keeps every byte but makes a text of them.
                "INSERT INTO postings VALUES(?, ?, ?) ON CONFLICT(key) DO UPDATE SET "
                "ids = CAST(ids || excluded.ids AS BLOB), tfs = CAST(tfs || excluded.tfs AS BLOB)",
                (
                    (word << KEY_BITS | block, *_unpacked(packed))
                    for word, packed in sorted(self._by_word.items())
                ),
            )
        self.forget()

    def forget(self) -> None:
        """Drop what was gathered."""
        self._by_word.clear()
        self._count = 0


def _unpacked(packed: list[int]) -> tuple[bytes, bytes]:
    """The `ids` and `tfs` of a row."""
    if len(packed) == 1:  # half of all words are in one passage only
        return (packed[0] >> 8).to_bytes(2, sys.byteorder), bytes((packed[0] & 0xFF,))
    return array("H", [one >> 8 for one in packed]).tobytes(), bytes([o & 0xFF for o in packed])


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
            (word << KEY_BITS, word << KEY_BITS | _BLOCKS),
        ):
            ids: Sequence[int] = _ids(ids_blob, tfs)
            base = (key & _BLOCKS) << BLOCK_BITS
            if base:
                ids = [base + low for low in ids]
            if not found:
                found = dict(zip(ids, tfs, strict=True))
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
            (word << KEY_BITS, word << KEY_BITS | _BLOCKS),
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
        base = (key & _BLOCKS) << BLOCK_BITS
        for low, times in zip(_ids(ids, tfs), tfs, strict=True):
            yield key >> KEY_BITS, base + low, times
