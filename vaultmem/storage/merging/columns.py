"""Which pieces of three versions are the same, by patience diff, and their order when merged.

Pieces are matched from the base to either side (equal text or name; what moved; then what is
alike between matched neighbours), and side to side for what is new. The order is that of both
sides: where they disagree, a piece stands where the side that moved it put it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise

from vaultmem.base import dataclass
from vaultmem.storage.merging.pieces import HEADING, Piece, with_unique_names

# --- patience diff: which elements of two sequences are the same ---

# Elements that occur once on both sides are matched along their longest increasing run (Bram
# Cohen's patience diff); between those the same again. What has no such elements is compared in
# full when it is small, and otherwise by next occurrence, so that no input is quadratic.
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
        # A match far ahead would leave nothing of b for the elements that follow.
        if at < len(where) and where[at] - j <= 1 + (a1 - i) // 2:
            j = where[at]
            pairs.append((i, j))
            j += 1
    return pairs


# --- order of the pieces of two versions ---

Place = tuple[int | None, int | None]
"""Where a piece stands in late and in early; None: it is not there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shared:
    """A piece that both sides have: its places."""

    late: int
    early: int
    base: int | None  # None: new on both sides


def merge_order(
    shared: Sequence[Shared],
    lengths: tuple[int, int],
    *,
    crossed: Mapping[Shared, bool],
    late_first: bool,
) -> list[Place]:
    """All pieces of both sides as they stand merged.

    shared      by place in late
    lengths     how many pieces late and early have
    crossed     pieces whose place is decided: True where early has them, False where late does
    late_first  whether, where both sides add at one place, the later side's come first
    """
    rest = [each for each in shared if each not in crossed]
    run = rising([(each.late, each.early) for each in rest])
    as_early = {each for each, is_early in crossed.items() if is_early}
    for zone in reordered_stretches(rest):
        if _is_moved(zone, by_early=True) and not _is_moved(zone, by_early=False):
            as_early |= set(zone)
    in_run = set(run)
    as_early = {each for each in as_early if (each.late, each.early) not in in_run}
    skipped_late = {each.late for each in as_early}
    skipped_early = {
        each.early
        for each in shared
        if each not in as_early and (each.late, each.early) not in in_run
    }
    forth = {each.late: each.early for each in shared}
    back = {each.early: each.late for each in shared}
    order: list[Place] = []
    i = j = 0
    for stop_i, stop_j in [*run, lengths]:
        ours: list[Place] = [
            (place, forth.get(place)) for place in range(i, stop_i) if place not in skipped_late
        ]
        theirs: list[Place] = [
            (back.get(place), place) for place in range(j, stop_j) if place not in skipped_early
        ]
        order += ours + theirs if late_first else theirs + ours
        if stop_i < lengths[0]:
            order.append((stop_i, stop_j))
        i, j = stop_i + 1, stop_j + 1
    return order


def reordered_stretches(shared: Sequence[Shared]) -> list[Sequence[Shared]]:
    """The smallest stretches, by place in late, that early has in another order."""
    lowest = [0] * len(shared)  # place in early from here on
    for place in range(len(shared) - 1, -1, -1):
        below = lowest[place + 1] if place + 1 < len(shared) else shared[place].early
        lowest[place] = min(below, shared[place].early)
    zones: list[Sequence[Shared]] = []
    start, highest = 0, -1
    for place, each in enumerate(shared):
        highest = max(highest, each.early)
        if place + 1 == len(shared) or highest < lowest[place + 1]:
            if place > start:
                zones.append(shared[start : place + 1])
            start = place + 1
    return zones


def _is_moved(zone: Sequence[Shared], *, by_early: bool) -> bool:
    """Whether a side has the pieces of a stretch in another order than the base.

    Judged by the whole stretch: which of two swapped pieces moved cannot be told.
    """
    places = sorted(zone, key=lambda each: each.early) if by_early else zone
    origins = [each.base for each in places if each.base is not None]
    return any(one > other for one, other in pairwise(origins))


ALIKE = 0.4
"""Share of common words from which a piece counts as the same one, edited."""
# Fewer than FULL_CELLS: a cell here compares the words of two pieces, and not two strings.
_FULL_CELLS = 2_500
_HEADING = ("", 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """One piece in up to three versions."""

    base: Piece | None
    late: Piece | None
    early: Piece | None


def columns(
    base: Sequence[Piece], late: Sequence[Piece], early: Sequence[Piece], *, late_first: bool
) -> list[Column]:
    """Columns in their merged order; those without `late` and `early` are left out.

    late_first  whether, where both sides add at one place, the later side's come first
    """
    base, late, early = with_unique_names(base, late, early)
    to_late, to_early = _Side(base, late), _Side(base, early)
    pairs = _side_to_side(late, early, to_late, to_early)
    base_of_late = {side: b for b, side in to_late.found.items()}
    base_of_early = {side: b for b, side in to_early.found.items()}
    partner = dict(pairs)
    taken = set(partner.values())
    by_base = {b: j for j, b in base_of_early.items()}
    for place, b in base_of_late.items():
        if place not in partner and b in by_base and by_base[b] not in taken:
            partner[place] = by_base[b]
    shared = [
        Shared(late=i, early=j, base=base_of_late.get(i, base_of_early.get(j)))
        for i, j in sorted(partner.items())
    ]
    crossed = _moved_between_sections(shared, base, (late, base_of_late), (early, base_of_early))
    order = merge_order(shared, (len(late), len(early)), crossed=crossed, late_first=late_first)
    result: list[Column] = []
    for i, j in order:
        origin = None if i is None else base_of_late.get(i)
        if origin is None and j is not None:
            origin = base_of_early.get(j)
        result.append(
            Column(
                base=None if origin is None else base[origin],
                late=None if i is None else late[i],
                early=None if j is None else early[j],
            )
        )
    return result


class _Side:
    """How the base's pieces became those of one side."""

    __slots__ = ("exact", "found")

    def __init__(self, base: Sequence[Piece], side: Sequence[Piece]) -> None:
        a, b = [piece.token for piece in base], [piece.token for piece in side]
        self.exact = match(a, b)
        self.found: dict[int, int] = dict(self.exact)
        self.found.update(_elsewhere(a, b, self.found))  # what moved
        taken = set(self.found.values())
        for (i0, j0), (i1, j1) in _gaps(self.exact, len(base), len(side)):
            rows = [i for i in range(i0, i1) if i not in self.found]
            cells = [j for j in range(j0, j1) if j not in taken]
            if rows and cells:  # none of them has a name of the base: names are matched above
                self.found.update(_alike(base, side, rows, cells))


def _gaps(
    anchors: Sequence[tuple[int, int]], length_a: int, length_b: int
) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """((a0, b0), (a1, b1)) of the places between anchors."""
    starts = [(-1, -1), *anchors]
    ends = [*anchors, (length_a, length_b)]
    return [
        ((i0 + 1, j0 + 1), (i1, j1))
        for (i0, j0), (i1, j1) in zip(starts, ends, strict=True)
        if i0 + 1 < i1 and j0 + 1 < j1
    ]


def _alike(
    base: Sequence[Piece], side: Sequence[Piece], rows: list[int], cells: list[int]
) -> dict[int, int]:
    """Pairs of edited pieces, rising, with the largest sum of likeness."""
    # Alone on either side between the same neighbours it is the same piece, whatever its words: a
    # line that was reworded as a whole.
    if len(rows) == len(cells) == 1 and _may_pair(base[rows[0]], side[cells[0]]):
        return {rows[0]: cells[0]}
    if len(rows) * len(cells) > _FULL_CELLS:
        if len(rows) != len(cells):
            return {}
        pairs = zip(rows, cells, strict=True)
        return {i: j for i, j in pairs if likeness(base[i], side[j]) >= ALIKE}
    width = len(cells) + 1
    best = [[0.0] * width for _ in range(len(rows) + 1)]
    score = [[0.0] * len(cells) for _ in rows]
    for x in range(len(rows) - 1, -1, -1):
        for y in range(len(cells) - 1, -1, -1):
            value = likeness(base[rows[x]], side[cells[y]])
            score[x][y] = value if value >= ALIKE else 0.0
            both = best[x + 1][y + 1] + score[x][y] if score[x][y] else 0.0
            best[x][y] = max(both, best[x + 1][y], best[x][y + 1])
    found: dict[int, int] = {}
    x = y = 0
    while x < len(rows) and y < len(cells):
        if score[x][y] and best[x][y] == best[x + 1][y + 1] + score[x][y]:
            found[rows[x]] = cells[y]
            x, y = x + 1, y + 1
        elif best[x][y] == best[x + 1][y]:
            x += 1
        else:
            y += 1
    return found


def _may_pair(one: Piece, other: Piece) -> bool:
    return one.kind == other.kind and not (one.name and one.name != other.name)


def likeness(one: Piece, other: Piece) -> float:
    """Share of common words, 0 to 1; of a piece with a box, that of its most alike version."""
    if not _may_pair(one, other):
        return 0.0
    words = Counter(one.core.split())
    texts = [other.core, *(each.text for each in other.others)]
    return max(_share(words, Counter(text.split())) for text in texts)


def _share(one: Counter[str], other: Counter[str]) -> float:
    total = sum(one.values()) + sum(other.values())
    return 2 * sum((one & other).values()) / total if total else 1.0


def _side_to_side(
    late: Sequence[Piece], early: Sequence[Piece], to_late: _Side, to_early: _Side
) -> dict[int, int]:
    """Pieces that are the same on both sides, by way of the base or directly."""
    back = {i: b for b, i in to_late.exact}
    forth = dict(to_early.exact)
    anchors = sorted((i, forth[b]) for i, b in back.items() if b in forth)
    pairs = dict(anchors)
    a, b_ = [piece.token for piece in late], [piece.token for piece in early]
    for (i0, j0), (i1, j1) in _gaps(anchors, len(late), len(early)):
        pairs.update({i0 + i: j0 + j for i, j in match(a[i0:i1], b_[j0:j1])})
    pairs.update(_elsewhere(a, b_, pairs))
    return pairs


def _elsewhere(a: Sequence[str], b: Sequence[str], pairs: dict[int, int]) -> dict[int, int]:
    """Elements that occur once on both sides and were matched with nothing."""
    in_a, in_b = Counter(a), Counter(b)
    taken = set(pairs.values())
    where = {token: j for j, token in enumerate(b) if in_b[token] == 1 and j not in taken}
    return {
        i: where[token]
        for i, token in enumerate(a)
        if i not in pairs and in_a[token] == 1 and token in where
    }


_Where = tuple[Sequence[Piece], dict[int, int]]  # a side and the origins of its pieces


def _moved_between_sections(
    shared: Sequence[Shared], base: Sequence[Piece], late: _Where, early: _Where
) -> dict[Shared, bool]:
    """Pieces that stand below different headings, and whether they stand as early has them.

    They do where only the early side took them there.
    """
    suspects = [each for zone in reordered_stretches(shared) for each in zone]
    if not suspects:
        return {}
    partner = {each.early: each.late for each in shared}
    before = _sections(base, {place: place for place in range(len(base))}, {}, "base")
    ours = _sections(*late, {}, "late")
    theirs = _sections(*early, partner, "early")
    found: dict[Shared, bool] = {}
    for each in suspects:
        here, there = ours[each.late], theirs[each.early]
        if here != there and _HEADING not in (here, there):
            was = None if each.base is None else before[each.base]
            found[each] = here == was
    return found


def _sections(
    side: Sequence[Piece], origins: dict[int, int], partner: dict[int, int], name: str
) -> list[tuple[str, int]]:
    """For each piece, the heading it stands below; a heading itself stands nowhere."""
    found: list[tuple[str, int]] = []
    section = ("top", 0)
    for place, piece in enumerate(side):
        if piece.kind != HEADING:
            found.append(section)
            continue
        if place in origins:
            section = ("base", origins[place])
        else:
            section = ("late", partner[place]) if place in partner else (name, place)
        found.append(_HEADING)
    return found
