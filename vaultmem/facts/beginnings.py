"""Texts by how they begin: which of thousands may say more, or less, than a new one.

`contradiction.decide` compares two statements; asking it of every pair would take time with the
square of their number.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterator

from vaultmem.language.text import canonical


class Beginnings:
    """Numbered texts, found by what they begin with or are the beginning of."""

    def __init__(self) -> None:
        self._by_start: dict[str, list[int]] = {}
        self._sorted: list[str] = []  # the keys of `_by_start`
        self._lengths: list[int] = []  # of the keys, each once, in order

    def add(self, text: str, number: int) -> None:
        """Take a text in. The number is given back when it is found."""
        start = _start(text)
        known = self._by_start.get(start)
        if known is not None:
            known.append(number)
            return
        self._by_start[start] = [number]
        insort(self._sorted, start)
        place = bisect_left(self._lengths, len(start))
        if self._lengths[place : place + 1] != [len(start)]:
            self._lengths.insert(place, len(start))

    def around(self, text: str) -> Iterator[int]:
        """Numbers of the texts that begin as this one does, or with which it begins.

        Compared letter by letter after normalisation, marks at the end aside: all of which
        `contradiction.decide` can say that one goes on where the other ends, and a few more.
        Each number once, for each time that it was added; in no order.
        """
        start = _start(text)
        for length in self._lengths:
            if length >= len(start):
                break
            yield from self._by_start.get(start[:length], ())
        for place in range(bisect_left(self._sorted, start), len(self._sorted)):
            if not self._sorted[place].startswith(start):
                break
            yield from self._by_start[self._sorted[place]]


def _start(text: str) -> str:
    return " ".join(canonical(text).rstrip(",;:").split())
