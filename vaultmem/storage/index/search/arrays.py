"""Postings, norms and traits as numpy arrays, kept in memory between the questions of a process.

A question to a large index touches tens of thousands of postings. As arrays they are added up in
a fifth of the time that dictionaries take; numpy's import costs as much as ten questions.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from vaultmem.storage.index.store.lists import in_lists
from vaultmem.storage.index.store.sqlite import sqlite3
from vaultmem.storage.index.text.lengths import SIZE
from vaultmem.storage.index.text.postings import BLOCK_BITS, BLOCKS, KEY_BITS

if TYPE_CHECKING:
    Array = np.ndarray[Any, np.dtype[Any]]

MOST_KEPT = 4_000_000  # postings, eight bytes each; beyond it those read first are dropped
_FEW_BLOCKS = 4  # with more, a statement for each word costs less than a look into each block
PAD = 4  # places after the last passage that hold nothing: a neighbour may be looked for there


class Held(Collection[int]):
    """The passages that hold a word, ascending, and how often each does."""

    def __init__(self, ids: Array, times: Array) -> None:
        """`ids` (n,) int32, ascending; `times` (n,) int32, > 0."""
        self.ids = ids
        self.times = times

    def __len__(self) -> int:
        return len(self.ids)

    def __iter__(self) -> Iterator[int]:
        return iter(self.ids.tolist())

    def __contains__(self, passage: object) -> bool:
        place = np.searchsorted(self.ids, passage)  # type: ignore[call-overload]  # ids are ints
        return bool(place < len(self.ids) and self.ids[place] == passage)

    def within(self, first: int, end: int) -> dict[int, int]:
        """Of the passages [first, end) those that hold it, and how often."""
        start, stop = np.searchsorted(self.ids, (first, end)).tolist()
        ids, times = self.ids[start:stop].tolist(), self.times[start:stop].tolist()
        return dict(zip(ids, times, strict=True))


NOBODY = Held(np.zeros(0, np.int32), np.zeros(0, np.int32))


class ArrayReader:
    """Postings as arrays; what was read is kept as long as the index stays as it is.

    size  no passage has an id from here on
    """

    def __init__(self, connection: sqlite3.Connection, size: int) -> None:
        self._connection = connection
        self._blocks = (size >> BLOCK_BITS) + 1
        self._kept: dict[tuple[int, ...], Held] = {}
        self._postings = 0  # that are kept
        # One number a passage, all 0 but inside a method: to put arrays of passages together.
        self.scratch: Array = np.zeros(size + PAD, np.int32)

    def expect(self, words: Sequence[int]) -> None:
        """Read these words at once."""
        unknown = [word for word in words if (word,) not in self._kept]
        rows: dict[int, list[tuple[int, bytes, bytes]]] = {word: [] for word in unknown}
        if self._blocks > _FEW_BLOCKS:
            for word, of_word in rows.items():
                of_word += self._connection.execute(
                    "SELECT key, ids, tfs FROM postings WHERE key BETWEEN ? AND ?",
                    (word << KEY_BITS, word << KEY_BITS | BLOCKS),
                )
        else:
            keys = [word << KEY_BITS | block for word in unknown for block in range(self._blocks)]
            for some, marks in in_lists(keys):
                for row in self._connection.execute(
                    f"SELECT key, ids, tfs FROM postings WHERE key IN ({marks}) ORDER BY key", some
                ):
                    rows[row[0] >> KEY_BITS].append(row)
        for word, of_word in rows.items():
            self._keep((word,), _held(of_word))

    def read(self, words: Sequence[int]) -> Held:
        """How often each passage holds any of the words."""
        key = tuple(words)
        known = self._kept.get(key)
        if known is not None:
            return known
        one_by_one = [held for word in words if len(held := self._of_word(word))]
        if len(words) == 1:
            return one_by_one[0] if one_by_one else NOBODY
        found = one_by_one[0] if len(one_by_one) == 1 else self._joined(one_by_one)
        self._keep(key, found)
        return found

    def _of_word(self, word: int) -> Held:
        known = self._kept.get((word,))
        if known is None:
            self.expect([word])
            known = self._kept[word,]
        return known

    def _keep(self, key: tuple[int, ...], held: Held) -> None:
        self._kept[key] = held
        self._postings += len(held)
        while self._postings > MOST_KEPT and len(self._kept) > 1:
            self._postings -= len(self._kept.pop(next(iter(self._kept))))

    def _joined(self, several: Sequence[Held]) -> Held:
        """The passages of several words, with all that they hold of them."""
        if not several:
            return NOBODY
        scratch, new = self.scratch, []
        try:
            for held in several:
                new.append(held.ids[scratch[held.ids] == 0])
                scratch[held.ids] += held.times
            ids = np.sort(np.concatenate(new), kind="stable")  # a few ascending runs
            return Held(ids, scratch[ids])
        finally:
            for held in several:
                scratch[held.ids] = 0

    def without(self, held: Held, others: Held) -> Held:
        """What is held by passages that hold nothing of the others."""
        self.scratch[others.ids] = 1
        stays = self.scratch[held.ids] == 0
        self.scratch[others.ids] = 0
        return Held(held.ids[stays], held.times[stays])

    def people(self, groups: Sequence[tuple[Held, Held]]) -> Held:
        """The passages that are in one or the other of each pair; of no pair, none."""
        found = NOBODY
        for number, (one, other) in enumerate(groups):
            both = self._joined([held for held in (one, other) if len(held)])
            found = both if number == 0 else _in_both(found, both)
        return found


def _in_both(one: Held, other: Held) -> Held:
    ids, places, _ = np.intersect1d(one.ids, other.ids, assume_unique=True, return_indices=True)
    return Held(ids, one.times[places])


def _held(rows: Sequence[tuple[int, bytes, bytes]]) -> Held:
    """The passages of one word: rows of postings by key."""
    ids, times = [], []
    for key, low, tfs in rows:
        if len(low) != 2 * len(tfs):
            raise sqlite3.DatabaseError("a row of postings is malformed")
        ids.append(np.frombuffer(low, np.uint16) + np.int32((key & BLOCKS) << BLOCK_BITS))
        times.append(np.frombuffer(tfs, np.uint8))
    if not ids:
        return NOBODY
    return Held(
        np.concatenate(ids, dtype=np.int32, casting="unsafe"),
        np.concatenate(times, dtype=np.int32, casting="unsafe"),
    )


class Layout:
    """Norms and traits of all passages, and the notes that they are in.

    norms   (size,) 'H' of each passage; 0: there is none of this id
    traits  (size,) 'H'
    firsts  (notes,) the first passage of each note, ascending
    ends    (notes,) the one after its last
    totals  (notes,) the norms of its passages together
    """

    def __init__(self, connection: sqlite3.Connection, size: int) -> None:
        blocks = size // SIZE + 1
        self.norms: Array = np.zeros(blocks * SIZE, np.uint16)
        self.traits: Array = np.zeros(blocks * SIZE, np.uint16)
        for block, *blobs in connection.execute("SELECT block, norms, traits FROM lengths"):
            if not 0 <= block < blocks or any(len(blob) != 2 * SIZE for blob in blobs):
                raise sqlite3.DatabaseError("a row of lengths is malformed")
            for whole, blob in zip((self.norms, self.traits), blobs, strict=True):
                whole[block * SIZE : (block + 1) * SIZE] = np.frombuffer(blob, np.uint16)
        is_there = np.zeros(len(self.norms) + 2, np.int8)
        is_there[1:-1] = self.norms != 0
        steps = np.diff(is_there)
        self.firsts: Array = np.flatnonzero(steps == 1)
        self.ends: Array = np.flatnonzero(steps == -1)
        norms = np.concatenate(([0], np.cumsum(self.norms, dtype=np.int64)))
        self.totals: Array = norms[self.ends] - norms[self.firsts]

    def notes_of(self, passages: Array) -> Array:
        """The place in `firsts` of the note of each passage."""
        return np.searchsorted(self.firsts, passages, "right") - 1
