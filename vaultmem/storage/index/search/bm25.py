"""The strength of every part of a score, and the formulas of words among them (BM25)."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from vaultmem.base import NamedTuple, Protocol
from vaultmem.storage.index.text.traits import KINDS, NORM_SCALE, TALK, TEXT

_NOTE_B = 0.75  # how much the length of a note counts against it; k1 is that of passages

# Of the mean length of talks what one is compared with. The strengths were chosen where the four
# empty lists of a new vault counted as notes; without this share MRR on LoCoMo is .6602 in place of
# .6608, and R@10 of multi-hop questions .608 in place of .610.
TALK_MEAN = 0.87

# A text is about what it says again and again. With the k1 and the share of a talk nDCG@10 was .503
# on made-up prose (`tests.bench.documents`, development) beside .541 of BM25 on whole documents;
# with these .557. A k1 of 3 to 6 and shares of 2 to 4 differ by .004 on seven sets of texts.
TEXT_K1 = 4.0
# Of words near to those of the question: a text that holds the word itself mostly holds them, too.
TEXT_RELATED = 0.25
# Times the whole: so the first five score 1.05 to 1.15 of what they did as talks, and neither texts
# nor statements crowd out the other.
TEXT_SCALE = 0.3
# Of what its own words give what a passage keeps, however long the text: a bullet of a journal of
# years is as good as a statement. From 0 to .8 nothing of the order is lost, at 1 nDCG@10 .006.
TEXT_LEAST = 0.8


class Scoring(NamedTuple):
    """Strength of every part; 0 switches a part off."""

    k1: float = 0.9
    b: float = 0.5
    window: float = 1.0
    answers: float = 0.5  # words of a question count for the answer that follows it
    note: float = 0.3  # share that the note as a whole counts for, beside each of its passages
    text: float = 2.0  # the same of a text of several passages (`TEXT_K1`)
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


class Mean(NamedTuple):
    """How long what an index has of a kind is, in words."""

    passage: float  # with its window
    note: float  # all its passages together


Line = tuple[float, float]  # k1 (1 - b + b length / mean length) over the norm: at 0, its slope


class Lines(NamedTuple):
    """What repeated words are saturated by in a kind of notes."""

    passage: Line
    note: Line  # over the norms of all its passages together


def saturations(scoring: Scoring, means: Sequence[Mean]) -> tuple[Lines, ...]:
    """The lines of each of `KINDS`; `means` in their order.

    With the means of the whole vault a text among short statements is so long that its words
    hardly count.
    """
    found = []
    for kind, mean in zip(KINDS, means, strict=True):
        note_k1 = TEXT_K1 if kind == TEXT else scoring.k1
        of_passage = _line(scoring.k1, scoring.b, mean.passage)
        mean_note = TALK_MEAN * mean.note if kind == TALK else mean.note
        found.append(Lines(of_passage, _line(note_k1, _NOTE_B, mean_note)))
    return tuple(found)


def _line(k1: float, b: float, mean: float) -> Line:
    return k1 * (1 - b), k1 * b / (NORM_SCALE * (mean or 1.0))


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
