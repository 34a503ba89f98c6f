"""What a word means, as a short vector: words of like sense, in any of many languages, lie close.

A table of 32 signed bytes a word (tests/bench/judgement/meanings.py makes it), read by the standard
library. A word that is not in it is taken apart: `Erdnussallergie` lies between `erdnuss` and
`allergie`.
"""

from __future__ import annotations

import sys
from array import array
from bisect import bisect_left
from functools import cache, lru_cache
from pathlib import Path
from zlib import crc32

from vaultmem.errors import VaultmemError
from vaultmem.frozen import NamedTuple

FILE = Path(__file__).parent / "meanings.weights"
_MAGIC = "vaultmem meanings 1"
_SHORTEST_PART = 4  # letters of a part of a compound
_REMEMBERED = 4096  # words
Vector = tuple[int, ...]


class Meanings(NamedTuple):
    """Sorted hashes of words, and their vectors one behind the other."""

    keys: array[int]
    vectors: array[int]
    size: int


@cache
def meanings() -> Meanings:
    """The packaged table, read once (under 1 ms)."""
    head, _, body = FILE.read_bytes().partition(b"\n\n")
    lines = head.decode("utf-8").split("\n")
    if lines[0] != _MAGIC:
        raise VaultmemError(
            f"the table '{FILE.name}' does not fit this program", hint="install vaultmem again"
        )
    count, size = (int(line.split(" ")[1]) for line in lines[1:3])
    keys = array("I" if array("I").itemsize == 4 else "L", body[: 4 * count])
    if sys.byteorder == "big":
        keys.byteswap()
    return Meanings(keys, array("b", body[4 * count :]), size)


@lru_cache(maxsize=_REMEMBERED)
def meaning_of(word: str) -> Vector | None:
    """The vector of a word in lower case, length about 127; None: nothing is known of it."""
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
        return tuple((a + b) // 2 for a, b in zip(head, tail, strict=True))
    return head or tail


def _find(table: Meanings, word: str) -> Vector | None:
    key = crc32(word.encode("utf-8", "replace"))
    place = bisect_left(table.keys, key)
    if place == len(table.keys) or table.keys[place] != key:
        return None
    start = place * table.size
    return tuple(table.vectors[start : start + table.size])
