"""Which memories a budget keeps: unbalanced entropic transport of their tokens (algorithms.md 3.8).

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

import math
import re
from collections.abc import Mapping, Sequence

from vaultmem.base import BadInputError, NamedTuple
from vaultmem.context.stream_shares import log_odds, shares

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
                # As in `sinkhorn`: Nesterov's step on the potentials, begun anew when it points
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
