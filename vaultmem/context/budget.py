"""Which memories a budget keeps, by entropic transport (algorithms.md 3.8), and shares of streams.

Each memory sends its tokens to *kept*, by the stream it is of, or to *left out*. What a memory
sends and what the budget takes are exact. What each stream keeps is not: it is drawn to the share
of its ratio by a penalty (Kullback-Leibler; Chizat, Peyré, Schmitzer and Vialard 2018), so a
stream whose memories do not answer leaves its room to those that do. Rooms that were held whatever
they hold cost .01 to .02 of the evidence (docs/context.md).

With the kernel `K_i = exp(worth_i)` the plan is `kept_i = t_i K_i v_s / (K_i v_s + w)`: one number
for each stream and one for what is left out, found by Sinkhorn's rounds in plain Python (there are
five columns; numpy alone takes longer to load).
"""

from __future__ import annotations

import heapq
import math
import re
from collections.abc import Mapping, Sequence

from vaultmem.base import BadInputError, NamedTuple

# How strongly each stream is drawn to its share. With it, transport holds .684, .795, .857 and .919
# of the evidence of 760 LoCoMo questions at 300, 500, 1,000 and 2,000 tokens; relevance alone .682,
# .796, .857 and .917.
FIRMNESS = 0.25
# With momentum 14 to 100 rounds are enough for up to 400 memories, without it 20 to 849.
EPSILON = 1e-8
MOST_ROUNDS = 1_000
_STEEPEST = 60.0  # of log-odds from the middle: beyond it a memory is kept, or left out, for sure


class Claim(NamedTuple):
    """A memory that asks for room."""

    tokens: int  # above 0
    stream: str
    worth: float  # log-odds that it is kept where half of all tokens are


class Plan(NamedTuple):
    """What is kept of each memory, in the order they were given, and how it was found."""

    shares: tuple[float, ...]  # 0..1 of the memory's tokens
    rooms: Mapping[str, float]  # tokens that each stream keeps; together min(budget, all)
    rounds: int
    converged: bool
    deviation: float  # of what is kept from the budget, as a share of all tokens


def plan_budget(
    claims: Sequence[Claim],
    budget: float,
    *,
    preservation: Mapping[str, float],
    firmness: float = FIRMNESS,
    epsilon: float = EPSILON,
    most_rounds: int = MOST_ROUNDS,
    accelerate: bool = True,
) -> Plan:
    """The plan that keeps `budget` tokens of what the memories are worth.

    budget        tokens, not below 0; where all fit, all are kept
    preservation  stream -> 0..1: by these ratios the streams would divide the budget alone
    firmness      0..1: how far they are drawn to that; 0 not at all, 1 to exactly that
    epsilon       largest deviation that counts as settled, as a share of all tokens
    accelerate    momentum on the log potentials, begun anew where it points uphill; the plan is
                  the same
    raises        BadInputError for a budget, ratio or firmness out of range, or an unknown stream
    """
    if budget < 0:
        raise BadInputError(f"a budget is not below 0, as {budget:g} is")
    if not 0 <= firmness <= 1:
        raise BadInputError(f"a firmness lies between 0 and 1, not at {firmness:g}")
    unknown = sorted({claim.stream for claim in claims} - preservation.keys())
    if unknown:
        raise BadInputError(f"'{unknown[0]}' is no stream")
    streams = [stream for stream in preservation if any(c.stream == stream for c in claims)]
    whole = sum(claim.tokens for claim in claims)
    if budget <= 0 or budget >= whole:
        part = 1.0 if budget > 0 else 0.0
        rooms = {s: part * sum(c.tokens for c in claims if c.stream == s) for s in preservation}
        return Plan((part,) * len(claims), rooms, 0, True, 0.0)
    content = [sum(c.tokens for c in claims if c.stream == stream) for stream in streams]
    wanted = shares(content, [log_odds(preservation[stream]) for stream in streams], budget)
    sought = _Scaling(
        [(claim.tokens, streams.index(claim.stream), claim.worth) for claim in claims],
        wanted,
        budget,
        firmness,
    )
    return sought.solve(streams, preservation, epsilon, most_rounds, accelerate=accelerate)


class _Scaling:
    """The rounds: rows (memories) and columns (streams, left out) by turns, in the log domain.

    rows  (tokens, place of the stream, log-odds) of each memory
    """

    def __init__(
        self,
        rows: Sequence[tuple[int, int, float]],
        wanted: Sequence[float],
        budget: float,
        firmness: float,
    ) -> None:
        middle = math.fsum(worth for _, _, worth in rows) / len(rows)
        self._rows = [
            (tokens, place, math.exp(max(-_STEEPEST, min(_STEEPEST, worth - middle))))
            for tokens, place, worth in rows
        ]
        self._whole = sum(tokens for tokens, _, _ in rows)
        self._log_wanted = [math.log(max(one, EPSILON)) for one in wanted]
        self._log_out = math.log(self._whole - budget)
        self._firmness = firmness

    def solve(
        self,
        streams: Sequence[str],
        preservation: Mapping[str, float],
        epsilon: float,
        most_rounds: int,
        *,
        accelerate: bool,
    ) -> Plan:
        """Rounds until nothing moves by more than epsilon of all tokens."""
        here = [0.0] * (len(streams) + 1)  # log potentials: of each stream, of what is left out
        before, since, rounds, deviation = here, 0, 0, math.inf
        while rounds < most_rounds:
            rounds += 1
            after, deviation = self._round(here)
            if deviation <= epsilon:
                break
            if accelerate:
                # As in `spread`: Nesterov's step on the potentials, begun anew when it points
                # uphill (O'Donoghue and Candès 2015, 3.2).
                uphill = sum((h - a) * (a - b) for h, a, b in zip(here, after, before, strict=True))
                since = 0 if uphill > 0 else since + 1
                part = since / (since + 3)
                here = [a + part * (a - b) for a, b in zip(after, before, strict=True)]
                before = after
            else:
                here = after
        kept = self._kept_shares(here)
        rooms = dict.fromkeys(preservation, 0.0)
        for (tokens, place, _), share in zip(self._rows, kept, strict=True):
            rooms[streams[place]] += tokens * share
        return Plan(tuple(kept), rooms, rounds, deviation <= epsilon, deviation)

    def _kept_shares(self, potentials: Sequence[float]) -> list[float]:
        """The share of each memory that is kept: its row is exact whatever the columns are."""
        ways = [math.exp(one - potentials[-1]) for one in potentials[:-1]]
        return [(odds := kernel * ways[place]) / (1 + odds) for _, place, kernel in self._rows]

    def _round(self, potentials: Sequence[float]) -> tuple[list[float], float]:
        """The potentials after one round, and how far the columns were from what they should be."""
        sums = [0.0] * len(self._log_wanted)
        for (tokens, place, _), share in zip(
            self._rows, self._kept_shares(potentials), strict=True
        ):
            sums[place] += tokens * share
        out = max(self._whole - math.fsum(sums), EPSILON)
        following = [
            self._firmness * (wanted - math.log(max(held, EPSILON)) + potential)
            for wanted, held, potential in zip(self._log_wanted, sums, potentials[:-1], strict=True)
        ]
        following.append(self._log_out - math.log(out) + potentials[-1])
        moved = [
            abs(math.expm1(after - before)) * held
            for after, before, held in zip(following, potentials, (*sums, out), strict=True)
        ]
        return following, max(moved) / self._whole


RECENCY = 0.005
IMPORTANCE = 0.02  # beyond what a memory weighs that nobody weighed
# The importance of what nobody weighed: 5 of 10 (`gather._UNWEIGHED`).
_USUAL = 0.5
LENT = 0.02  # of the relevance of a passage to those that stand beside it
REDUNDANT = 0.2  # charged to what says nearly the same as something more relevant, or newer
_ALIKE = 0.75  # share of the words of two memories from which they say the same
_AROUND = 2  # lines between passages that stand beside one another
_LEADERS = 24  # memories with which the others are compared: what comes later is rarely kept
_WORD = re.compile(r"\w+")


class Offer(NamedTuple):
    """One memory that answers. Traits in 0..1."""

    text: str
    note: str
    line: int | None  # of a passage: where it begins; None: an item
    date: str  # YYYY-MM-DD; '' unknown
    relevance: float
    recency: float
    importance: float


def worths(offers: Sequence[Offer]) -> list[float]:
    """What each is worth, about 0..1; of equal ones the order in which they come decides."""
    lent = _lent_relevance(offers)
    charged = _redundant(offers)
    return [
        offer.relevance
        + RECENCY * offer.recency
        + IMPORTANCE * max(0.0, offer.importance - _USUAL)
        + LENT * lent[place]
        - REDUNDANT * (place in charged)
        for place, offer in enumerate(offers)
    ]


def _lent_relevance(offers: Sequence[Offer]) -> list[float]:
    """The most relevance of a passage that stands beside each, in the same text."""
    lines: dict[str, dict[int, float]] = {}
    for offer in offers:
        if offer.line is not None:
            lines.setdefault(offer.note, {})[offer.line] = offer.relevance
    steps = [step for step in range(-_AROUND, _AROUND + 1) if step]
    return [
        0.0
        if offer.line is None
        else max(lines[offer.note].get(offer.line + step, 0.0) for step in steps)
        for offer in offers
    ]


def _redundant(offers: Sequence[Offer]) -> set[int]:
    """Places of what says nearly the same as another: of two the older, or the later one here."""
    words = [frozenset(_WORD.findall(offer.text.lower())) for offer in offers]
    charged: set[int] = set()
    for place, own in enumerate(words):
        for other in range(min(place, _LEADERS)):
            shared = len(own & words[other])
            if shared and shared >= _ALIKE * len(own | words[other]):
                newer = offers[place].date > offers[other].date
                charged.add(other if newer else place)
    return charged


# --- shares of streams (algorithms.md 3.8) ---

# Each stream keeps its tokens by its own odds, and one number bends all odds alike until the budget
# is met: `b_i = c_i · sigmoid(logit p_i + eta)`. That is the entropic transport of the tokens to
# {keep, evict} with kernel rows (p_i, 1 - p_i), so `spread.with_marginals` gives the same; here
# one number is sought by Newton's method, which needs no numpy.
STREAMS = ("identity", "projects", "tasks", "flow")
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
