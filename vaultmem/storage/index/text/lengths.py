"""Norms and traits of all passages: arrays of 4,096 passages a row, loaded when met."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Sequence

from vaultmem.storage.index.store.lists import in_lists
from vaultmem.storage.index.store.sqlite import sqlite3

BITS = 12
SIZE = 1 << BITS
_LOW = SIZE - 1
_GAP = b"\0\0"  # a norm of 0


class Lengths:
    """Norm and traits of a passage by its id; a norm of 0 is no passage."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._norms: dict[int, array[int]] = {}
        self._traits: dict[int, array[int]] = {}
        self._bytes: dict[int, bytes] = {}  # the norms once more, in which a gap is found fast
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
        return self.norms(passage >> BITS)[passage & _LOW]

    def bits(self, passage: int) -> int:
        """The traits of one passage."""
        return self.traits(passage >> BITS)[passage & _LOW]

    def norms_of(self, passages: Sequence[int]) -> Sequence[int]:
        """The norms of some passages of a note, ascending."""
        return self._of(passages, self.norms)

    def bits_of(self, passages: Sequence[int]) -> Sequence[int]:
        """The traits of some passages of a note, ascending."""
        return self._of(passages, self.traits)

    def _of(self, passages: Sequence[int], block_of: Callable[[int], array[int]]) -> Sequence[int]:
        if not passages:
            return ()
        block, low = passages[0] >> BITS, passages[0] & _LOW
        end = passages[-1] - passages[0] + low + 1
        if end > SIZE:
            return [block_of(passage >> BITS)[passage & _LOW] for passage in passages]
        if end - low == len(passages):  # one run, as mostly
            return block_of(block)[low:end]
        values = block_of(block)
        return [values[passage & _LOW] for passage in passages]

    def note_around(self, passage: int) -> tuple[int, int]:
        """The note [first, end) that holds a passage: notes are apart by ids without a length."""
        block, low = passage >> BITS, passage & _LOW
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
            low = first & _LOW
            total += sum(self.norms(first >> BITS)[low : low + stop - first])
            first = stop
        return total

    def set(self, first: int, norms: array[int], traits: array[int]) -> None:
        """Keep what was measured of the passages from `first` on."""
        start = 0
        while start < len(norms):
            block, low = (first + start) >> BITS, (first + start) & _LOW
            end = min(len(norms), start + SIZE - low)
            self.norms(block)[low : low + end - start] = norms[start:end]
            self._traits[block][low : low + end - start] = traits[start:end]
            self._changed.add(block)
            self._bytes.pop(block, None)
            start = end

    def clear(self, first: int, size: int) -> int:
        """Forget passages; the sum of their norms."""
        total = 0
        for i in range(first, first + size):
            total += self.norm(i)
        self.set(first, array("H", bytes(2 * size)), array("H", bytes(2 * size)))
        return total

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
