"""Breadth in an answer: of notes that say the same, the others wait (maximal marginal relevance).

Algorithms.md 3.11; Carbonell and Goldstein 1998.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from vaultmem.base import BadInputError

_DIGITS = 12  # values that differ by less are a tie: the same sum may be rounded in two ways

Similarity = Callable[[str, str], float]


def diverse(
    scores: Mapping[str, float], similarity: Similarity, *, balance: float = 0.7, limit: int
) -> list[str]:
    """At most `limit` ids, the best score first, then whatever adds most to those before it.

    scores      id -> 0..1
    similarity  of two ids, at most 1; below 0 counts as 0
    balance     0..1: 1 is the order of the scores, 0 only variety; raises BadInputError beyond
    ties        by score, then id

    Each pick is the greatest `balance * score - (1 - balance) * greatest similarity to a pick`.
    """
    if not 0 <= balance <= 1:
        raise BadInputError(f"the balance of an answer lies between 0 and 1, not at {balance:g}")
    nearest = dict.fromkeys(scores, 0.0)
    chosen: list[str] = []
    while nearest and len(chosen) < limit:
        best = min(nearest, key=lambda id_: _place(id_, scores, nearest, balance, bool(chosen)))
        chosen.append(best)
        del nearest[best]
        for id_ in nearest:
            nearest[id_] = max(nearest[id_], similarity(best, id_))
    return chosen


def _place(
    id_: str,
    scores: Mapping[str, float],
    nearest: Mapping[str, float],
    balance: float,
    has_begun: bool,
) -> tuple[float, float, str]:
    gain = balance * scores[id_] - (1 - balance) * nearest[id_] if has_begun else 0.0
    return (-round(gain, _DIGITS), -scores[id_], id_)


def jaccard(one: Collection[str], other: Collection[str]) -> float:
    """The share of words that two texts have in common, 0..1; two texts without words share none.

    Of the words themselves, not of the scores of two notes: those may be equal by chance.
    """
    first, second = set(one), set(other)
    together = len(first | second)
    return len(first & second) / together if together else 0.0
