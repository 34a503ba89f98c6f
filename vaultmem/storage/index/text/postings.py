"""Postings: which passages hold a word, and how often. Arrays in blobs, read without numpy.

One row holds a word's passages of one block of 65,536 passage ids: key = word << 20 | block,
`ids` the low 16 bits of the passage ids, ascending, `tfs` one byte each, how often. An update
therefore rewrites at most one block of a word however large the vault is, and a word of few
passages takes one small row.
"""

from __future__ import annotations

import sys
from array import array
from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Protocol, TypeVar

from vaultmem.storage.index.store.sqlite import sqlite3

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
