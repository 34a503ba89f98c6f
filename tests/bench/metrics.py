"""Measures of a ranking against a set of right answers."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence

CUTS = (1, 5, 10, 20)


def recall_at(ranked: Sequence[str], right: Collection[str], cut: int) -> float:
    """Share of the right answers among the first `cut`."""
    return len(set(ranked[:cut]) & set(right)) / len(right)


def any_at(ranked: Sequence[str], right: Collection[str], cut: int) -> float:
    """1 when a right answer is among the first `cut`, else 0."""
    return float(not set(right).isdisjoint(ranked[:cut]))


def all_at(ranked: Sequence[str], right: Collection[str], cut: int) -> float:
    """1 when every right answer is among the first `cut`, else 0."""
    return float(set(right) <= set(ranked[:cut]))


def reciprocal_rank(ranked: Sequence[str], right: Collection[str]) -> float:
    """1 / rank of the first right answer; 0 when there is none."""
    return next((1 / rank for rank, one in enumerate(ranked, 1) if one in right), 0.0)


def ndcg_at(ranked: Sequence[str], right: Collection[str], cut: int = 10) -> float:
    """Normalised discounted cumulative gain with binary gains (Jarvelin and Kekalainen 2002)."""
    gained = sum(
        1 / math.log2(rank + 1) for rank, one in enumerate(ranked[:cut], 1) if one in right
    )
    best = sum(1 / math.log2(rank + 1) for rank in range(1, min(len(right), cut) + 1))
    return gained / best


def graded_ndcg_at(ranked: Sequence[str], grades: Mapping[str, int], cut: int = 10) -> float:
    """As `ndcg_at`, with gains of 2^grade - 1 (Burges et al. 2005); what has no grade gains 0."""

    def gained(found: Sequence[int]) -> float:
        return sum((2.0**grade - 1) / math.log2(rank + 1) for rank, grade in enumerate(found, 1))

    best = sorted(grades.values(), reverse=True)[:cut]
    return gained([grades.get(one, 0) for one in ranked[:cut]]) / gained(best)


def measures(ranked: Sequence[str], right: Collection[str]) -> dict[str, float]:
    """All measures of one ranking, by the name of the column."""
    found = {f"R@{cut}": recall_at(ranked, right, cut) for cut in CUTS}
    found["any@10"] = any_at(ranked, right, 10)
    found["all@10"] = all_at(ranked, right, 10)
    found["MRR"] = reciprocal_rank(ranked, right)
    found["nDCG@10"] = ndcg_at(ranked, right)
    return found


def mean(values: Sequence[float]) -> float:
    """The arithmetic mean; 0 of nothing."""
    return sum(values) / len(values) if values else 0.0


def percentile(values: Sequence[float], share: float) -> float:
    """The smallest value that at least `share` of the values do not exceed; 0 of nothing."""
    if not values:
        return 0.0
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, max(0, math.ceil(share * len(ordered)) - 1))]
