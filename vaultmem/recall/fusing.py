"""Lists of several questions as one, and when to stop asking (algorithms.md 3.3 and 3.4)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

from vaultmem.base import NamedTuple

BOOST = 1.3  # for each further question that finds the same
MOST_BOOSTS = 3  # more would lift the mediocre that is found everywhere above the good
# Relative to the score before: an absolute 0.05 is never reached by fused ranks, which are 1/61 and
# less, and always by sums (algorithms.md 3.4).
LEAST_IMPROVEMENT = 0.05
MOST_ROUNDS = 3


class Round(NamedTuple):
    """What one question found."""

    query: str
    weight: float
    scores: Mapping[str, float]  # by document, comparable with those of the other rounds


def fuse(
    rounds: Iterable[Round], *, boost: float = BOOST, most_boosts: int = MOST_BOOSTS
) -> dict[str, float]:
    """One score a document, best first, ties by key: the weighted sum, boosted.

    Each further *distinct* question that found it multiplies by `boost`, at most
    `most_boosts` times. The order of the rounds does not matter.
    """
    sums: dict[str, list[float]] = {}
    found_by: dict[str, set[str]] = {}
    for query, weight, scores in rounds:
        for key, score in scores.items():
            sums.setdefault(key, []).append(score * weight)
            found_by.setdefault(key, set()).add(query)
    fused = {
        key: math.fsum(parts) * boost ** min(len(found_by[key]) - 1, most_boosts)
        for key, parts in sums.items()
    }
    return dict(sorted(fused.items(), key=lambda one: (-one[1], one[0])))


def improvement(old: float, new: float) -> float:
    """By how much the best score rose, as a share of what it was; from nothing: infinite."""
    if old <= 0:
        return math.inf if new > 0 else 0.0
    return (new - old) / old


def goes_on(
    old: float,
    new: float,
    *,
    has_new: bool,
    rounds: int,
    least: float = LEAST_IMPROVEMENT,
    most: int = MOST_ROUNDS,
) -> bool:
    """Whether another round is worth asking after so many.

    old, new  best score before the last round and after it
    has_new   the last round found a document that none had found before
    """
    return rounds < most and (has_new or improvement(old, new) >= least)
