"""What a word means, as a short vector: words of like sense, in any of many languages, lie close.

A table of 96 numbers of four bits a word (tests/bench/judgement/meanings.py makes it), read by the
standard library. A word that is not in it is taken apart: `hundefreunde` lies between its longest
known beginning and its longest known end.
"""

from __future__ import annotations

import sys
from array import array
from bisect import bisect_left
from functools import cache, lru_cache
from mmap import ACCESS_READ, mmap
from pathlib import Path
from zlib import crc32

from vaultmem.base import TYPE_CHECKING, NamedTuple, VaultmemError

if TYPE_CHECKING:
    from collections.abc import Sequence

FILE = Path(__file__).parent / "meanings.weights"
_MAGIC = "vaultmem meanings 2"
_SHORTEST_PART = 4  # letters of a part of a compound
_REMEMBERED = 4096  # words
_LEVELS = 16  # of a number: 0 to 15, and 8 is none
_NONE = 8
_BOTH = 2  # parts of a compound: its beginning and its end
_FULL = 65535  # steps of a product
_UNUSED = bytes(256 - _LEVELS)
_DIGITS = bytes.maketrans(b"0123456789abcdef", bytes(range(_LEVELS)))
Vector = tuple[float, ...]


class Meanings(NamedTuple):
    """Sorted hashes of words, their vectors one behind the other, what a level stands for."""

    keys: memoryview
    vectors: memoryview  # two numbers a byte, the first in the upper half
    levels: tuple[tuple[float, ...], ...]  # for each number of a vector


@cache
def meanings() -> Meanings:
    """The packaged table, read once (under 1 ms)."""
    with open(FILE, "rb") as file:  # read where it is looked into: 1.2 MB took 2 ms
        mapped = mmap(file.fileno(), 0, access=ACCESS_READ)
    start = mapped.find(b"\n\n") + 2
    content = memoryview(mapped)
    lines = mapped[:start].decode("utf-8").split("\n")
    if lines[0] != _MAGIC:
        raise VaultmemError(
            f"the table '{FILE.name}' does not fit this program", hint="install vaultmem again"
        )
    # 96 numbers of four bits in place of 32 of eight: by themselves they rank what is worth keeping
    # of an author not trained on at .907, and not at .872.
    count = int(lines[1].split(" ")[1])
    scales = [float(scale) for scale in lines[2].split(" ")[1:]]
    keys = content[start : start + 4 * count].cast("I")
    # The file is little-endian.
    if sys.byteorder == "big":
        swapped = array("I", keys)
        swapped.byteswap()
        keys = memoryview(swapped)
    levels = tuple(tuple((level - _NONE) * scale for level in range(_LEVELS)) for scale in scales)
    return Meanings(keys, content[start + 4 * count :], levels)


@lru_cache(maxsize=_REMEMBERED)
def meaning_of(word: str) -> Vector | None:
    """The vector of a word in lower case, length about 1; None: nothing is known of it."""
    table = meanings()
    found = [_vector_at(table, place) for place in _parts(word)]
    if len(found) == _BOTH:
        return tuple((a + b) / 2 for a, b in zip(*found, strict=True))
    return found[0] if found else None


def nearness_of(asked: Sequence[str], words: Sequence[str], *, first: int) -> list[list[float]]:
    """How near each of the words is to each that is asked, -1 to 1: a list for each asked word.

    asked, words  each once, in lower case; the same word is 1, one of which nothing is known 0
    first         numbers of a vector that are compared

    Column by column, for all words at once: what a level gives is looked up for every word by one
    `translate`, and the columns are added as long numbers. One by one, five asked words and 290
    others took 9 ms of a cold `recall` in a small vault.
    """
    table = meanings()
    parts = [_parts(word) for word in words]
    row_of = {place: row for row, place in enumerate({place for both in parts for place in both})}
    unknown = len(row_of)
    # A compound lies between its beginning and its end.
    ends = [(row_of[both[0]], row_of[both[-1]]) if both else (unknown, unknown) for both in parts]
    size = len(table.levels) // 2
    read = b"".join([table.vectors[place * size : (place + 1) * size] for place in row_of])
    digits = read.hex().encode().translate(_DIGITS)
    columns = [digits[number :: 2 * size] for number in range(first)]
    where = {word: place for place, word in enumerate(words)}
    found = []
    for one in asked:
        rows = [0.0] * unknown
        meaning = meaning_of(one)
        if meaning:
            rows = _products(meaning, table.levels, columns, unknown)
        rows.append(0.0)
        near = [(rows[start] + rows[end]) / 2 for start, end in ends]
        if one in where:
            near[where[one]] = 1.0
        found.append(near)
    return found


def _products(
    meaning: Vector, levels: Sequence[Sequence[float]], columns: Sequence[bytes], count: int
) -> list[float]:
    """Of one vector with `count` others, whose levels stand in columns."""
    most = max([abs(value) * -level[0] for value, level in zip(meaning, levels, strict=True)])
    if not most:
        return [0.0] * count
    scale = _FULL / (2 * most)
    lanes = bytearray(4 * count)  # of each other vector: two bytes of a product, room for the sum
    total = 0
    for value, level, column in zip(meaning, levels, columns, strict=False):
        given = [int((value * one + most) * scale + 0.5) for one in level]
        lanes[::4] = column.translate(bytes([one & 255 for one in given]) + _UNUSED)
        lanes[1::4] = column.translate(bytes([one >> 8 for one in given]) + _UNUSED)
        total += int.from_bytes(lanes, "little")
    sums = memoryview(total.to_bytes(4 * count, sys.byteorder)).cast("I")
    less = most * len(columns)
    return [one / scale - less for one in (sums if sys.byteorder == "little" else reversed(sums))]


def _vector_at(table: Meanings, place: int) -> Vector:
    size = len(table.levels) // 2
    # As digits of 16: a loop over halves of bytes took twice as long, 50 words of a cold `recall`.
    halves = table.vectors[place * size : (place + 1) * size].hex().encode().translate(_DIGITS)
    return tuple(map(tuple.__getitem__, table.levels, halves))


def _place_of(table: Meanings, word: str) -> int | None:
    key = crc32(word.encode("utf-8", "replace"))
    place = bisect_left(table.keys, key)
    return place if place < len(table.keys) and table.keys[place] == key else None


@lru_cache(maxsize=1 << 13)
def _parts(word: str) -> tuple[int, ...]:
    """Where a word stands, or its longest known beginning and end; () where nothing is known."""
    table = meanings()
    whole = _place_of(table, word)
    if whole is not None or not word.isalpha():
        return () if whole is None else (whole,)
    lengths = range(len(word) - 1, _SHORTEST_PART - 1, -1)
    head = next((v for n in lengths if (v := _place_of(table, word[:n])) is not None), None)
    tail = next((v for n in lengths if (v := _place_of(table, word[-n:])) is not None), None)
    return tuple(place for place in (head, tail) if place is not None)
