"""What a memory is worth to a question: what the transport of a budget is charged for (budget.py).

Relevance decides; the rest decides among what is about as relevant. Measured on 760 questions,
larger weights of recency, importance or likeness only lose evidence: with the .35 / .35 / .30 of
algorithms.md 3.8, .02 of it, which is why those hold for what nobody asked about alone.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from vaultmem.base import NamedTuple

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
