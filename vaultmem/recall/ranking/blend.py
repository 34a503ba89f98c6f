"""One score from several components: the formulas of the presets, and reciprocal rank fusion.

Pure functions over numbers. What they come to for the notes of a vault is in `presets.py`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import fsum

from vaultmem.base.errors import BadInputError
from vaultmem.base.records import dataclass
from vaultmem.recall.recency import exponential, hyperbolic

PARK_PER_HOUR = 0.005
KAUTILYA_PER_HOUR = 0.01
KAUTILYA: Mapping[str, float] = {"relevance": 0.5, "recency": 0.3, "importance": 0.2}
HYBRID: Mapping[str, float] = {"similarity": 0.6, "pagerank": 0.25, "words": 0.15}
_UNDECIDED = 0.5  # a component that is the same everywhere tells nothing apart


@dataclass(frozen=True, slots=True, kw_only=True)
class Traits:
    """What a candidate is judged by."""

    hours: float  # since the last access, or since the event; below 0 counts as 0
    importance: float  # 1..10
    relevance: float  # any scale: it is normalised over the candidates


def weighted(components: Mapping[str, float], weights: Mapping[str, float]) -> float:
    """The weighted sum of components in 0..1, which below 0 count as 0 (a negative cosine)."""
    return fsum(weight * min(1.0, max(0.0, components[name])) for name, weight in weights.items())


def normalised(column: Sequence[float]) -> list[float]:
    """Values moved and stretched to 0..1 (min-max); a constant column is one half everywhere."""
    if not column:
        return []
    low, high = min(column), max(column)
    if high == low:
        return [_UNDECIDED] * len(column)
    return [(value - low) / (high - low) for value in column]


def park_components(
    candidates: Sequence[Traits], recencies: Sequence[float] | None = None
) -> list[dict[str, float]]:
    """Recency, importance and relevance of each candidate, each 0..1 over the candidates.

    recencies  one a candidate, in 0..1; None: `exponential` of their hours, as Park et al. have it
    """
    if recencies is None:
        recencies = [exponential(each.hours, PARK_PER_HOUR) for each in candidates]
    columns = {
        "recency": normalised(recencies),
        "importance": normalised([each.importance / 10 for each in candidates]),
        "relevance": normalised([each.relevance for each in candidates]),
    }
    return [{name: column[i] for name, column in columns.items()} for i in range(len(candidates))]


def park(candidates: Sequence[Traits], weights: Mapping[str, float] | None = None) -> list[float]:
    """Scores in 0..1, one a candidate: the weighted mean of the normalised components.

    weights  recency, importance, relevance, not below 0 and not all 0; None: equal
    Park et al. 2023, section 4.1. Scores of different questions are not comparable: the least and
    the greatest of a component depend on what else was found.
    """
    given = weights or {"recency": 1.0, "importance": 1.0, "relevance": 1.0}
    shares = shares_of(given)
    return [weighted(components, shares) for components in park_components(candidates)]


def kautilya(relevance: float, hours: float, importance: float) -> float:
    """`.5 relevance + .3 exp(-.01 hours) + .2 importance`, all in 0..1 (algorithms.md 6.3)."""
    recency = exponential(hours, KAUTILYA_PER_HOUR)
    return weighted(
        {"relevance": relevance, "recency": recency, "importance": importance}, KAUTILYA
    )


def never_forgets(relevance: float, age_days: float, half_days: float = 30) -> float:
    """Relevance times what age leaves of it: `relevance / (1 + age / 30)` (algorithms.md 7.3)."""
    return relevance * hyperbolic(age_days, half_days)


def hybrid(similarity: float, pagerank: float, words: float, *, most_pagerank: float) -> float:
    """`.6 similarity + .25 pagerank / greatest + .15 words`, in 0..1 (algorithms.md 3.9).

    similarity     cosine; below 0 counts as 0
    most_pagerank  the greatest standing of any note; 0: there is no graph, nobody has standing
    words          the word score, normalised to 0..1
    """
    standing = pagerank / most_pagerank if most_pagerank > 0 else 0.0
    return weighted({"similarity": similarity, "pagerank": standing, "words": words}, HYBRID)


def shares_of(weights: Mapping[str, float]) -> dict[str, float]:
    """The weights as shares of 1; raises BadInputError where one is below 0, or all are 0."""
    total = fsum(weights.values())
    if total <= 0 or min(weights.values()) < 0:
        raise BadInputError("weights are not below 0, and not all of them 0")
    return {name: weight / total for name, weight in weights.items()}


def reciprocal_ranks(
    lists: Sequence[Sequence[str]],
    *,
    k: float = 60,
    weights: Sequence[float] | None = None,
) -> list[tuple[str, float]]:
    """(id, score), best first, of `sum weight / (k + rank)` over ranked lists; ranks begin at 1.

    weights  one a list; None: 1 each. What comes to 0 is left out
    raises   BadInputError where k is not more than -1, or there are more lists than weights

    Cormack, Clarke and Buettcher 2009. An id that a list holds twice counts at its better rank;
    ties by id. The order of the lists makes no difference.
    """
    given = [1.0] * len(lists) if weights is None else weights
    if k <= -1 or len(given) != len(lists):
        raise BadInputError("rank fusion takes a k above -1 and one weight a list")
    gains: dict[str, list[float]] = {}
    for ranked, weight in zip(lists, given, strict=True):
        for rank, id_ in enumerate(dict.fromkeys(ranked), start=1):
            gains.setdefault(id_, []).append(weight / (k + rank))
    scores = {id_: fsum(each) for id_, each in gains.items()}
    return sorted(
        ((id_, score) for id_, score in scores.items() if score),
        key=lambda scored: (-scored[1], scored[0]),
    )
