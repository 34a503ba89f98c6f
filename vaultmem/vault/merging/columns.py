"""Which pieces of three versions are the same one, and the order in which they stand merged.

Pieces are matched from the base to either side (equal text or name; what moved; then what is
alike between matched neighbours), and side to side for what is new. The order is that of both
sides: where they disagree, a piece stands where the side that moved it put it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence

from vaultmem.frozen import dataclass
from vaultmem.vault.merging.matching import match, rising
from vaultmem.vault.merging.pieces import Piece

ALIKE = 0.4
"""Share of common words from which a piece counts as the same one, edited."""
_FULL_CELLS = 2_500


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
    order = _order(len(late), len(early), partner, (base_of_late, base_of_early), late_first)
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
        names = {piece.name for piece in base if piece.name}
        for (i0, j0), (i1, j1) in _gaps(self.exact, len(base), len(side)):
            rows = [i for i in range(i0, i1) if i not in self.found]
            cells = [j for j in range(j0, j1) if j not in taken]
            if rows and cells:
                cells = [j for j in cells if side[j].name not in names]
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


def _order(
    late: int,
    early: int,
    partner: dict[int, int],
    origins: tuple[dict[int, int], dict[int, int]],
    late_first: bool,
) -> list[tuple[int | None, int | None]]:
    """(place in late, place in early) of all pieces as they stand merged.

    late, early  how many pieces there are
    origins      of places in late and in early: places in the base
    """
    pairs = sorted(partner.items())
    run = rising(pairs)
    by_early = _placed_by_early(run, pairs, origins)
    settled = set(run)
    skipped_late = {i for i, _ in by_early}
    skipped_early = {j for i, j in pairs if (i, j) not in settled and (i, j) not in by_early}
    backward = {j: i for i, j in pairs}
    order: list[tuple[int | None, int | None]] = []
    i = j = 0
    for stop_i, stop_j in [*run, (late, early)]:
        ours: list[tuple[int | None, int | None]] = [
            (k, partner.get(k)) for k in range(i, stop_i) if k not in skipped_late
        ]
        theirs: list[tuple[int | None, int | None]] = [
            (backward.get(k), k) for k in range(j, stop_j) if k not in skipped_early
        ]
        order += ours + theirs if late_first else theirs + ours
        if stop_i < late:
            order.append((stop_i, stop_j))
        i, j = stop_i + 1, stop_j + 1
    return order


def _placed_by_early(
    run: Sequence[tuple[int, int]],
    pairs: Sequence[tuple[int, int]],
    origins: tuple[dict[int, int], dict[int, int]],
) -> set[tuple[int, int]]:
    """Of the pairs that stand elsewhere on either side, those that only the early side moved.

    A side moved a piece when the piece passed one of the run, which both sides have in the
    same order. Moved by both, it stands where the later side has it.
    """
    known = [(i, j, origins[0].get(i, origins[1].get(j))) for i, j in run]
    fixed = [(i, j, b) for i, j, b in known if b is not None]
    lowest: list[int] = []
    highest: list[int] = []  # of the base's places: from here on, and up to here
    for _, _, b in fixed:
        highest.append(max(b, highest[-1]) if highest else b)
    for _, _, b in reversed(fixed):
        lowest.append(min(b, lowest[-1]) if lowest else b)
    lowest.reverse()

    def passed(place: int, side: int, origin: int) -> bool:
        at = bisect_left(fixed, place, key=lambda each: each[side])
        below = at < len(fixed) and lowest[at] < origin
        return below or (at > 0 and highest[at - 1] > origin)

    in_run = set(run)
    found: set[tuple[int, int]] = set()
    for i, j in pairs:
        origin = origins[0].get(i, origins[1].get(j))
        if (i, j) in in_run or origin is None:
            continue
        if passed(j, 1, origin) and not passed(i, 0, origin):
            found.add((i, j))
    return found
