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

from vaultmem.base import NamedTuple, VaultmemError

FILE = Path(__file__).parent / "meanings.weights"
_MAGIC = "vaultmem meanings 2"
_SHORTEST_PART = 4  # letters of a part of a compound
_REMEMBERED = 4096  # words
_LEVELS = 16  # of a number: 0 to 15, and 8 is none
_NONE = 8
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
    found = _find(table, word)
    if found or not word.isalpha():
        return found
    longest = len(word) - 1
    head = next(
        (v for n in range(longest, _SHORTEST_PART - 1, -1) if (v := _find(table, word[:n]))), None
    )
    tail = next(
        (v for n in range(longest, _SHORTEST_PART - 1, -1) if (v := _find(table, word[-n:]))), None
    )
    if head and tail:
        return tuple((a + b) / 2 for a, b in zip(head, tail, strict=True))
    return head or tail


def _find(table: Meanings, word: str) -> Vector | None:
    key = crc32(word.encode("utf-8", "replace"))
    place = bisect_left(table.keys, key)
    if place == len(table.keys) or table.keys[place] != key:
        return None
    size = len(table.levels) // 2
    # As digits of 16: a loop over halves of bytes took twice as long, 50 words of a cold `recall`.
    halves = table.vectors[place * size : (place + 1) * size].hex().encode().translate(_DIGITS)
    return tuple(map(tuple.__getitem__, table.levels, halves))
