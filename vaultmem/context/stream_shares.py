"""Tokens of a budget for streams: how much of each is kept when all do not fit (algorithms.md 3.8).

Each stream keeps its tokens by its own odds, and one number bends all odds alike until the budget
is met: `b_i = c_i · sigmoid(logit p_i + eta)`. That is the entropic transport of the tokens to
{keep, evict} with kernel rows (p_i, 1 - p_i), so `sinkhorn.with_marginals` gives the same; here one
number is sought by Newton's method, which needs no numpy.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Sequence

from vaultmem.base import BadInputError, NamedTuple

STREAMS = ("identity", "projects", "tasks", "flow")
# Of its tokens what one compaction leaves a stream (algorithms.md 3.5). Under scarcity they are
# odds, 19 to 0.43 for identity and flow, so that identity fades last; in proportion it would be
# 3.2.
PRESERVATION = {"identity": 0.95, "projects": 0.80, "tasks": 0.70, "flow": 0.30}
_MOST_STEPS = 200
_DIGITS = 11  # of a token's place: equal odds stay equal whatever they were computed from
_NEAR = 1e-13  # of the content: where the sought number is good enough


class Allocation(NamedTuple):
    """Whole tokens granted to each stream."""

    granted: tuple[int, ...]  # in the order of the streams; adds up to min(budget, content)
    budget: int  # that was to be met
    pinned_exceeds_budget: bool = False  # what must stay takes more than there is


def allocate(
    content: Sequence[int],
    preservation: Sequence[float],
    budget: int | None = None,
    *,
    pinned: Sequence[int] | None = None,
) -> Allocation:
    """Tokens granted to each stream, never more than it has; together min(budget, content).

    content       (n,) tokens that each stream holds, not below 0
    preservation  (n,) 0..1: the share that a stream keeps when the budget is `budget_for`; 1 is
                  served before all others, 0 after them
    budget        tokens, not below 0; None: `budget_for`
    pinned        (n,) tokens of `content` that stay whatever the budget is: granted first
    raises        BadInputError for values out of these ranges

    No stream loses a token when the budget, its own ratio or its own content grows. Token j of a
    stream is granted in the order of `logit((j - 1/2) / c) - logit(p)`, ties by the order of the
    streams, so the result is within max(1, n / 2) tokens of `shares`.
    """
    _require(content, preservation)
    stays = [0] * len(content) if pinned is None else list(pinned)
    if len(stays) != len(content) or any(
        not 0 <= kept <= held for kept, held in zip(stays, content, strict=False)
    ):
        raise BadInputError("pinned tokens are part of what a stream holds")
    total = budget_for(content, preservation) if budget is None else budget
    if total < 0:
        raise BadInputError(f"a budget is not below 0, as {total} is")
    rest = [held - kept for held, kept in zip(content, stays, strict=True)]
    odds = [log_odds(share) for share in preservation]
    over = grant_tokens(rest, odds, max(0, total - sum(stays)))
    return Allocation(
        granted=tuple(kept + more for kept, more in zip(stays, over, strict=True)),
        budget=total,
        pinned_exceeds_budget=sum(stays) > total,
    )


def budget_for(content: Sequence[int], preservation: Sequence[float]) -> int:
    """The budget under which every stream keeps exactly its ratio: `round(sum p c)`."""
    _require(content, preservation)
    return round(math.fsum(p * c for p, c in zip(preservation, content, strict=True)))


def shares(content: Sequence[float], odds: Sequence[float], budget: float) -> list[float]:
    """What `grant_tokens` rounds: real tokens of each part, together min(budget, content).

    odds  logit of the share that a part keeps by itself; inf: served first, -inf: last
    """
    kept = [0.0] * len(content)
    left = min(budget, math.fsum(content))
    for parts in _classes(content, odds):
        amounts = [content[i] for i in parts]
        bent = [odds[i] if math.isfinite(odds[i]) else 0.0 for i in parts]
        whole = math.fsum(amounts)
        if left >= whole:
            for i in parts:
                kept[i] = float(content[i])
        elif left > 0:
            eta = _level(amounts, bent, left)
            for i, amount, bend in zip(parts, amounts, bent, strict=True):
                kept[i] = amount * sigmoid(bend + eta)
        left = max(0.0, left - whole)
    return kept


def grant_tokens(content: Sequence[int], odds: Sequence[float], budget: int) -> list[int]:
    """Whole tokens of each part, together min(budget, content); see `allocate`."""
    kept = [0] * len(content)
    left = min(budget, sum(content))
    for parts in _classes(content, odds):
        amounts = [content[i] for i in parts]
        bent = [odds[i] if math.isfinite(odds[i]) else 0.0 for i in parts]
        whole = sum(amounts)
        given = amounts if left >= whole else _whole(amounts, bent, left)
        for i, tokens in zip(parts, given, strict=True):
            kept[i] = tokens
        left = max(0, left - whole)
    return kept


def quota(budget: float, preservation: Sequence[float], weights: Sequence[float]) -> list[float]:
    """The budget divided by `weight · ratio`, whatever the streams hold.

    With the row or column sums of a doubly stochastic matrix as weights it is the same for every
    matrix, which is why nothing here is decided by it (algorithms.md 3.8); kept for comparison.
    """
    parts = [weight * share for weight, share in zip(weights, preservation, strict=True)]
    whole = math.fsum(parts)
    if not whole > 0:
        raise BadInputError("a quota needs a weight above 0")
    return [budget * part / whole for part in parts]


def sigmoid(x: float) -> float:
    """`1 / (1 + exp(-x))`, for any x."""
    if x >= 0:
        return 1 / (1 + math.exp(-x))
    # `exp(-x)` overflows below -709.
    small = math.exp(x)
    return small / (1 + small)


def log_odds(share: float) -> float:
    """`log(p / (1 - p))`; inf for 1, -inf for 0."""
    if not 0 <= share <= 1:
        raise BadInputError(f"a ratio lies between 0 and 1, not at {share:g}")
    if share in (0, 1):
        return math.inf if share else -math.inf
    return math.log(share) - math.log1p(-share)


def _require(content: Sequence[int], preservation: Sequence[float]) -> None:
    if len(content) != len(preservation):
        raise BadInputError(f"{len(preservation)} ratios were given for {len(content)} streams")
    if any(held < 0 for held in content):
        raise BadInputError("no stream holds fewer than 0 tokens")
    for share in preservation:
        log_odds(share)


def _classes(content: Sequence[float], odds: Sequence[float]) -> list[list[int]]:
    """Indices of parts with content: those served first, those by odds, those served last."""
    with_content = [i for i, held in enumerate(content) if held > 0]
    first = [i for i in with_content if odds[i] == math.inf]
    last = [i for i in with_content if odds[i] == -math.inf]
    middle = [i for i in with_content if math.isfinite(odds[i])]
    return [first, middle, last]


def _level(content: Sequence[float], odds: Sequence[float], budget: float) -> float:
    """The eta at which `sum c · sigmoid(odds + eta)` is the budget; 0 < budget < sum c."""
    whole = math.fsum(content)
    even = math.log(budget) - math.log(whole - budget)
    low, high = even - max(odds), even - min(odds)
    eta = (low + high) / 2
    for _ in range(_MOST_STEPS):
        kept = [sigmoid(bend + eta) for bend in odds]
        miss = math.fsum(c * s for c, s in zip(content, kept, strict=True)) - budget
        if abs(miss) <= _NEAR * whole or high - low <= 0:
            break
        low, high = (low, eta) if miss > 0 else (eta, high)
        slope = math.fsum(c * s * (1 - s) for c, s in zip(content, kept, strict=True))
        step = eta - miss / slope if slope > 0 else math.inf
        # On the flat ends of the sigmoid Newton's step leaves the bracket: then it is halved.
        following = step if low < step < high else (low + high) / 2
        if following == eta:
            break
        eta = following
    return eta


def _whole(content: Sequence[int], odds: Sequence[float], budget: int) -> list[int]:
    """The `budget` tokens that come first in the order of `allocate`; 0 <= budget < sum c.

    Rounding the real solution comes within a few tokens of it; the order settles the rest, so
    float noise in the solution cannot show.
    """
    if budget <= 0:
        return [0] * len(content)
    eta = _level(content, odds, budget)
    counts = [
        min(held, math.floor(held * sigmoid(bend + eta) + 0.5))
        for held, bend in zip(content, odds, strict=True)
    ]

    def place(i: int, j: int) -> float:
        """Where token j (from 1) of part i stands in the order."""
        share = (j - 0.5) / content[i]
        return round(math.log(share) - math.log1p(-share) - odds[i], _DIGITS)

    coming = [(place(i, n + 1), i, n + 1) for i, n in enumerate(counts) if n < content[i]]
    leaving = [(-place(i, n), -i, n) for i, n in enumerate(counts) if n]
    heapq.heapify(coming)
    heapq.heapify(leaving)
    total = sum(counts)

    def take(change: int) -> int:
        """Grant the next token of all, or take the last one back; the part that it is of."""
        nonlocal total
        heap = coming if change > 0 else leaving
        while True:  # an entry whose part has moved on since is not where it stands
            _, signed, j = heapq.heappop(heap)
            i = abs(signed)
            if j == counts[i] + (change > 0):
                break
        counts[i] += change
        total += change
        if counts[i] < content[i]:
            heapq.heappush(coming, (place(i, counts[i] + 1), i, counts[i] + 1))
        if counts[i]:
            heapq.heappush(leaving, (-place(i, counts[i]), -i, counts[i]))
        return i

    while total != budget:
        take(1 if total < budget else -1)
    while take(1) != take(-1):
        pass  # of two tokens at one place, noise had granted the one that comes second
    return counts
