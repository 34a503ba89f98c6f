"""What the words of a passage are multiplied by: whom it is about, and how much it says."""

from __future__ import annotations

import math

from vaultmem.base import TYPE_CHECKING, NamedTuple
from vaultmem.storage.index.text.traits import (
    ASKS,
    FIRST_PERSON,
    MOST_NAMES,
    MOST_WORDS,
    NAMES_SHIFT,
    TEMPORAL,
    TURN,
    WORDS_SHIFT,
)

if TYPE_CHECKING:
    from vaultmem.storage.index.search.bm25 import Scoring

_WORDS_MASK = 15
FACTOR_BITS = FIRST_PERSON | ASKS | TEMPORAL | TURN | _WORDS_MASK << WORDS_SHIFT
FACTOR_BITS |= MOST_NAMES << NAMES_SHIFT
ABOUT_BIT = 1 << 16  # above all traits


class Named(NamedTuple):
    """What a word or factor gave to a score."""

    name: str
    value: float
    note: str = ""


class Factors:
    """The factors of passages for one question, each mix of traits worked out once."""

    def __init__(self, scoring: Scoring, *, asks_when: bool) -> None:
        self._scoring = scoring
        self._asks_when = asks_when
        self._known: dict[int, float] = {}

    def product(self, bits: int, *, is_about: bool) -> float:
        """What the sum over the words is multiplied by."""
        key = bits & FACTOR_BITS | (ABOUT_BIT if is_about else 0)
        known = self._known.get(key)
        if known is None:
            known = math.prod(1 + factor.value for factor in self.of(bits, is_about))
            self._known[key] = known
        return known

    def of(self, bits: int, is_about: bool) -> list[Named]:
        """What the sum is raised or lowered by, as shares of it."""
        scoring = self._scoring
        found = []
        if is_about and scoring.speaker:
            found.append(Named("person", scoring.speaker, "of or about the one you name"))
        if self._asks_when and bits & TEMPORAL and scoring.when:
            found.append(Named("date", scoring.when, "names a time, and you ask for one"))
        if not bits & TURN:
            return found
        if bits & FIRST_PERSON and scoring.first_person:
            found.append(Named("first person", scoring.first_person, "says I, me or we"))
        if bits & TEMPORAL and scoring.temporal:
            found.append(Named("temporal", scoring.temporal, "says when something was"))
        names = bits >> NAMES_SHIFT & MOST_NAMES
        if names and scoring.names:
            found.append(Named("names", names * scoring.names, "names somebody or something"))
        if bits & ASKS and scoring.question:
            found.append(Named("question", -scoring.question, "asks something"))
        missing = 1 - (bits >> WORDS_SHIFT & _WORDS_MASK) / MOST_WORDS
        if missing and scoring.length:
            share = scoring.length * missing / (1 + scoring.length)
            found.append(Named("short", -share, "says little"))
        return found
