"""Which elements of two sequences are the same: a patience diff, linear in all but small parts.

Elements that occur once on both sides are matched along their longest increasing run (Bram
Cohen's patience diff); between those the same again. What has no such elements is compared in
full when it is small, and otherwise by next occurrence, so that no input is quadratic.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence

FULL_CELLS = 40_000
"""Largest product of two lengths that is compared in full: about 10 ms."""

Pair = tuple[int, int]


def match(a: Sequence[str], b: Sequence[str]) -> list[Pair]:
    """Pairs of places (in a, in b) of equal elements, rising in both."""
    found: list[Pair] = []
    todo = [(0, len(a), 0, len(b))]
    while todo:
        a0, a1, b0, b1 = todo.pop()
        while a0 < a1 and b0 < b1 and a[a0] == b[b0]:
            found.append((a0, b0))
            a0, b0 = a0 + 1, b0 + 1
        while a0 < a1 and b0 < b1 and a[a1 - 1] == b[b1 - 1]:
            a1, b1 = a1 - 1, b1 - 1
            found.append((a1, b1))
        if a0 == a1 or b0 == b1:
            continue
        anchors = _unique(a, b, (a0, a1, b0, b1))
        if anchors:
            found += anchors
            ends = [*anchors, (a1, b1)]
            starts = [(a0 - 1, b0 - 1), *anchors]
            for (i0, j0), (i1, j1) in zip(starts, ends, strict=True):
                if i0 + 1 < i1 and j0 + 1 < j1:
                    todo.append((i0 + 1, i1, j0 + 1, j1))
        elif (a1 - a0) * (b1 - b0) <= FULL_CELLS:
            found += _in_full(a, b, (a0, a1, b0, b1))
        else:
            found += _by_occurrence(a, b, (a0, a1, b0, b1))
    return sorted(found)


def rising(pairs: Sequence[Pair]) -> list[Pair]:
    """The longest run of pairs, sorted by the first, that also rises in the second."""
    tails: list[int] = []
    last: list[int] = []
    before: list[int] = []
    for place, (_, second) in enumerate(pairs):
        at = bisect_left(tails, second)
        before.append(last[at - 1] if at else -1)
        if at == len(tails):
            tails.append(second)
            last.append(place)
        else:
            tails[at] = second
            last[at] = place
    run: list[Pair] = []
    place = last[-1] if last else -1
    while place >= 0:
        run.append(pairs[place])
        place = before[place]
    return run[::-1]


_Window = tuple[int, int, int, int]


def _unique(a: Sequence[str], b: Sequence[str], window: _Window) -> list[Pair]:
    """Elements that occur exactly once in either window, along their longest rising run."""
    a0, a1, b0, b1 = window
    in_a, in_b = Counter(a[a0:a1]), Counter(b[b0:b1])
    where = {b[j]: j for j in range(b0, b1) if in_b[b[j]] == 1}
    pairs = [(i, where[a[i]]) for i in range(a0, a1) if a[i] in where and in_a[a[i]] == 1]
    return rising(pairs)


def _in_full(a: Sequence[str], b: Sequence[str], window: _Window) -> list[Pair]:
    """A longest common subsequence by the textbook table."""
    a0, a1, b0, b1 = window
    width = b1 - b0 + 1
    table = [[0] * width for _ in range(a1 - a0 + 1)]
    for i in range(a1 - 1, a0 - 1, -1):
        row, below = table[i - a0], table[i - a0 + 1]
        for j in range(b1 - 1, b0 - 1, -1):
            k = j - b0
            row[k] = below[k + 1] + 1 if a[i] == b[j] else max(below[k], row[k + 1])
    pairs: list[Pair] = []
    i, j = a0, b0
    while i < a1 and j < b1:
        if a[i] == b[j]:
            pairs.append((i, j))
            i, j = i + 1, j + 1
        elif table[i - a0 + 1][j - b0] >= table[i - a0][j - b0 + 1]:
            i += 1
        else:
            j += 1
    return pairs


def _by_occurrence(a: Sequence[str], b: Sequence[str], window: _Window) -> list[Pair]:
    """Each element of a with the next of its kind in b, where that skips little of b."""
    a0, a1, b0, b1 = window
    places: dict[str, list[int]] = {}
    for j in range(b0, b1):
        places.setdefault(b[j], []).append(j)
    pairs: list[Pair] = []
    j = b0
    for i in range(a0, a1):
        where = places.get(a[i], [])
        at = bisect_left(where, j)
        if at < len(where) and where[at] - j <= 1 + (a1 - i) // 2:
            j = where[at]
            pairs.append((i, j))
            j += 1
    return pairs
