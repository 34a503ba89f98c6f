"""Scores of passages for a question: BM25 over a window of neighbours, and what people mean.

The formula of retrieval.md section 7 (T1): the words of neighbouring passages of the same note
count with the passage's own, inside one saturation, against a length that is windowed the same
way. Every part has a name, and can be switched off to see what it gives.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from vaultmem.index.lengths import BITS, SIZE, Lengths
from vaultmem.index.traits import (
    ANSWERS,
    FIRST_PERSON,
    NORM_SCALE,
    SHORT_QUESTION,
    TEMPORAL,
    TURN,
    WIDEST,
    WIDTH_SHIFT,
    WINDOW,
    WORDS_SHIFT,
)

_LOW = SIZE - 1
_WIDTH_MASK = WIDEST
_NEAR, _NEXT, _FAR = WINDOW


class Scoring(NamedTuple):
    """Strength of every part; 0 switches a part off."""

    k1: float = 0.9
    b: float = 0.5
    window: float = 1.0
    answers: float = 0.5  # words of a question count for the answer that follows it
    session: float = 0.2  # words anywhere in the note count for each of its passages
    speaker: float = 0.4  # said by, or about, the one whom the question names
    when: float = 0.3  # holds a date or time, and the question asks for one
    first_person: float = 0.15
    question: float = 0.15  # a short question answers nothing
    length: float = 0.5  # a turn of a word or two says little


class Term(NamedTuple):
    """A stem that is searched for, and where it is."""

    stem: str
    gain: float  # weight in the question x idf
    times: dict[int, int]  # how often it is in a passage, by passage id
    order: Sequence[int]  # the passage ids, ascending
    is_name: bool = False  # it names a speaker: whom, not what, so turns are not searched for it


class Named(NamedTuple):
    """What a factor gave to a score."""

    name: str
    value: float
    note: str = ""


def idf(passages: int, holding: int) -> float:
    """Weight of a word that `holding` of `passages` hold; > 0 (Lucene's variant of BM25)."""
    return math.log(1 + (passages - holding + 0.5) / (holding + 0.5))


class Scorer:
    """Exact scores of passages for one question."""

    def __init__(
        self,
        terms: Sequence[Term],
        lengths: Lengths,
        *,
        mean_norm: float,
        about: Collection[int] = (),
        asks_when: bool = False,
        scoring: Scoring = Scoring(),  # noqa: B008  (an immutable record)
    ) -> None:
        self._terms = terms
        self._lengths = lengths
        self._mean = mean_norm or 1.0
        self._about = about
        self._asks_when = asks_when
        self._scoring = scoring
        self._sessions: dict[int, tuple[int, tuple[float, ...]]] = {}

    def scores(self, candidates: Iterable[int]) -> list[tuple[float, int]]:
        """(score, passage) of each candidate, in the order given."""
        return [(self.score(passage), passage) for passage in candidates]

    def score(self, passage: int) -> float:
        """The score of one passage, >= 0."""
        bits = self._lengths.traits(passage >> BITS)[passage & _LOW]
        matched = math.fsum(self._term_scores(passage, bits))
        for factor in self._factors(passage, bits):
            matched *= 1 + factor.value
        return matched

    def parts(self, passage: int) -> list[Named]:
        """What each word and factor gave; the values add up to the score."""
        bits = self._lengths.traits(passage >> BITS)[passage & _LOW]
        gains = self._term_scores(passage, bits)
        total = math.fsum(gains)
        found = [
            Named("word", gain, term.stem)
            for term, gain in zip(self._terms, gains, strict=True)
            if gain > 0
        ]
        for factor in self._factors(passage, bits):
            found.append(Named(factor.name, total * factor.value, factor.note))
            total *= 1 + factor.value
        return found

    def coverage(self, passage: int, weight: float) -> float:
        """The share of the question's weight that the passage or its neighbours hold, 0..1."""
        bits = self._lengths.traits(passage >> BITS)[passage & _LOW]
        reach = len(WINDOW) if bits >> WIDTH_SHIFT & _WIDTH_MASK else 0
        near = range(passage - reach, passage + reach + 1)
        held = sum(term.gain for term in self._terms if any(other in term.times for other in near))
        return min(1.0, held / weight) if weight else 0.0

    def _term_scores(self, passage: int, bits: int) -> list[float]:
        """What each term gives: a saturated, windowed, length-normalised count."""
        k1, b, window, answers, session, *_ = self._scoring
        norms = self._lengths.norms(passage >> BITS)
        low = passage & _LOW
        saturation = k1 * (1 - b + b * norms[low] / NORM_SCALE / self._mean)
        stands_alone = not (
            (low < _LOW and norms[low + 1]) or (low and norms[low - 1]) or low in (0, _LOW)
        )
        share = 0.0 if stands_alone else window * (bits >> WIDTH_SHIFT & _WIDTH_MASK) / WIDEST
        asked_before = answers if bits & ANSWERS else 0.0
        around = None if stands_alone and not session else self._session(passage, stands_alone)
        found = []
        for i, term in enumerate(self._terms):
            if term.is_name and bits & TURN:
                found.append(0.0)
                continue
            get = term.times.get
            count: float = get(passage, 0)
            if share:
                count += share * (
                    _NEAR * (get(passage - 1, 0) + get(passage + 1, 0))
                    + _NEXT * (get(passage - 2, 0) + get(passage + 2, 0))
                    + _FAR * (get(passage - 3, 0) + get(passage + 3, 0))
                )
            if asked_before:
                count += asked_before * get(passage - 1, 0)
            if around is not None:
                count += around[i]
            found.append(term.gain * (k1 + 1) * count / (count + saturation) if count else 0.0)
        return found

    def _session(self, passage: int, stands_alone: bool) -> tuple[float, ...] | None:
        """For each term, what its presence anywhere in the passage's note adds to its count."""
        strength = self._scoring.session
        if not strength:
            return None
        if stands_alone:
            times = [term.times.get(passage, 0) for term in self._terms]
            return tuple(strength * count / (count + 1) for count in times)
        first = self._first(passage)
        known = self._sessions.get(first)
        if known is None:
            end = self._end(passage)
            counts = []
            for term in self._terms:
                start = bisect_left(term.order, first)
                stop = bisect_left(term.order, end, start)
                total = sum(term.times[i] for i in term.order[start:stop])
                counts.append(strength * total / (total + 1))
            known = self._sessions[first] = (end, tuple(counts))
        return known[1]

    def _first(self, passage: int) -> int:
        """The first passage of the note: notes are apart by passages without length."""
        for first, (end, _) in self._sessions.items():
            if first <= passage < end:
                return first
        while passage and self._is_there(passage - 1):
            passage -= 1
        return passage

    def _end(self, passage: int) -> int:
        while self._is_there(passage):
            passage += 1
        return passage

    def _is_there(self, passage: int) -> bool:
        return self._lengths.norms(passage >> BITS)[passage & _LOW] > 0

    def _factors(self, passage: int, bits: int) -> list[Named]:
        """What the score is multiplied by: 1 + value each."""
        scoring = self._scoring
        found = []
        if scoring.speaker and passage in self._about:
            found.append(Named("speaker", scoring.speaker))
        if self._asks_when and bits & TEMPORAL:
            found.append(Named("date", scoring.when))
        if not bits & TURN:
            found.append(Named("length", scoring.length))
            return found
        if bits & FIRST_PERSON:
            found.append(Named("first person", scoring.first_person))
        if bits & SHORT_QUESTION:
            found.append(Named("question", -scoring.question))
        found.append(Named("length", scoring.length * min(1.0, (bits >> WORDS_SHIFT) / 10)))
        return found
