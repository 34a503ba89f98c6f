"""The strength of every part of a score, and the formulas of words among them (BM25)."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from vaultmem.base import NamedTuple, Protocol
from vaultmem.storage.index.text.traits import NORM_SCALE

_NOTE_B = 0.75  # how much the length of a note counts against it; k1 is that of passages


class Scoring(NamedTuple):
    """Strength of every part; 0 switches a part off."""

    k1: float = 0.9
    b: float = 0.5
    window: float = 1.0
    answers: float = 0.5  # words of a question count for the answer that follows it
    note: float = 0.3  # share that the note as a whole counts for, beside each of its passages
    related: float = 1.0  # words that stand for those of the question (related.py); 0 or 1
    speaker: float = 0.4  # said by, or about, the one whom the question names
    # Of a talk in which the one named takes part, or a note that names them.
    company: float = 2.0
    when: float = 0.3  # holds a date or time, and the question asks for one
    time: float = 6.0  # is of the time that the question names: as much as a rare word
    meaning: float = 1.0  # likeness by vectors: of what their model was found to be good for
    # Of turns alone:
    first_person: float = 0.11
    temporal: float = 0.16  # names a time, whatever the question asks for
    names: float = 0.04  # for each name in it, at most MOST_NAMES
    question: float = 0.07  # who asks says less
    length: float = 0.28  # a turn of a word or two says little


def idf(passages: int, holding: int) -> float:
    """Weight of a word that `holding` of `passages` hold; > 0 (Lucene's variant of BM25)."""
    return math.log(1 + (passages - holding + 0.5) / (holding + 0.5))


def saturations(
    scoring: Scoring, *, mean_norm: float, mean_note: float
) -> tuple[tuple[float, float], tuple[float, float]]:
    """k1 (1 - b + b length / mean length) as a line over the norm: (at a norm of 0, its slope).

    First of a passage, then of a note, whose norm is that of its passages together.
    """
    k1, b = scoring.k1, scoring.b
    of_passage = k1 * (1 - b), k1 * b / (NORM_SCALE * (mean_norm or 1.0))
    return of_passage, (k1 * (1 - _NOTE_B), k1 * _NOTE_B / (NORM_SCALE * (mean_note or 1.0)))


# How like a question passages are, whatever it is known by: vectors, or the senses of words.


class Likely(Protocol):
    """Likeness of the passages of an index to one question."""

    @property
    def gain(self) -> float:
        """What a likeness of 1 gives, as a share of the question's weight."""

    def nearest(self, limit: int, passes: Callable[[int], bool] | None) -> list[int]:
        """The `limit` passages that are the most like it, ascending."""

    def of(self, passages: Sequence[int]) -> dict[int, tuple[float, bool]]:
        """(likeness, it is known) of each passage."""

    def coverage(self, passage: int) -> float:
        """How much of an answer a passage is by likeness alone, 0 to 1."""
