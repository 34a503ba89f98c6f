"""The order of the pieces of two versions that share most of them, not always in one order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from vaultmem.base.records import dataclass
from vaultmem.storage.merging.matching import rising

Place = tuple[int | None, int | None]
"""Where a piece stands in late and in early; None: it is not there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shared:
    """A piece that both sides have: its places."""

    late: int
    early: int
    base: int | None  # None: new on both sides


def ordered(
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
    for zone in tangled(rest):
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


def tangled(shared: Sequence[Shared]) -> list[Sequence[Shared]]:
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
