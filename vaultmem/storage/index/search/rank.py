"""The best passages for a question: what is asked for, and the way without numpy.

`arrays_ranking.py` is the other way, for a process that answers many questions. Both give the same
passages with the same scores, to the last bit (tests/storage/index/test_arrays.py).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from heapq import nlargest
from itertools import chain

from vaultmem.base import TYPE_CHECKING, Any, NamedTuple, Protocol
from vaultmem.storage.index.search.bm25 import Scoring, idf
from vaultmem.storage.index.search.candidates import Pool, candidates
from vaultmem.storage.index.search.factors import Named
from vaultmem.storage.index.search.lookup import LookedUp, look_up
from vaultmem.storage.index.search.score import Scorer
from vaultmem.storage.index.search.terms import Terms
from vaultmem.storage.index.store.sqlite import sqlite3
from vaultmem.storage.index.text.postings import DictReader, Lengths

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from vaultmem.storage.index.search.dates import Dating
    from vaultmem.storage.index.search.likeness import Likely
    from vaultmem.storage.index.search.question import Question
    from vaultmem.storage.index.search.related import Relations

MOST_LIKE = 100  # passages that are candidates because of what they mean, not of a word
# What meaning gives to a passage that is all of its note, times what it gives to one of a longer
# text: a statement is a sentence, which models of sentences were made for, and words that a
# question does not share with it are all there is. 140 of 176 everyday questions instead of 135.
ALONE = 2.0
MOST_TIED = 500  # passages as good as the last one that are read to be put in order


class Size(NamedTuple):
    """How large an index is."""

    passages: int
    mean_norm: float  # length of a passage, in words
    mean_note: float  # of all passages of a note together
    notes: int


class Wanted(NamedTuple):
    """What is wanted of the best passages, beside the words of the question."""

    limit: int
    size: Size
    scoring: Scoring
    fuzzy: bool
    allowed: Callable[[int], bool] | None  # whether a passage may answer; None: every one
    relations: Relations | None  # which words stand for others; None: none does
    dating: Dating | None  # the times that the question names; None: it names none
    like: Likely | None  # how like the question passages are, by vectors; None: words alone


class Ranked(NamedTuple):
    """The best passages, and what may be asked of each of them."""

    looked_up: LookedUp[Any]
    best: list[tuple[float, int]]  # score, passage: the best, and what is as good as the last one
    first_of: Callable[[int], int]  # the first passage of its note
    coverage: Callable[[int], float]  # share of the question's weight that is found there, 0..1
    parts: Callable[[int], list[Named]]  # what each word and factor gave


class Engine(Protocol):
    """A way from a question to its best passages."""

    def rank(self, question: Question, wanted: Wanted) -> Ranked:
        """The best passages for a question."""


class PlainEngine:
    """Loads no numpy, so that a process which answers one question starts at once."""

    def __init__(self, connection: sqlite3.Connection, lengths: Lengths) -> None:
        self._terms = Terms(connection, DictReader(connection))
        self._lengths = lengths

    def rank(self, question: Question, wanted: Wanted) -> Ranked:
        """The best passages for a question."""
        size, like, dating = wanted.size, wanted.like, wanted.dating
        looked_up = look_up(
            question,
            self._terms,
            wanted.relations,
            passages=size.passages,
            notes=size.notes,
            fuzzy=wanted.fuzzy,
        )
        dated = dating.passages() if dating else ()
        chosen = candidates(looked_up.terms, wanted.allowed, dated=dated)
        gain = gain_of_meaning(question, looked_up, wanted)
        if like is not None and gain:
            # The index may have been written since the vectors were lined up with it.
            nearest = like.nearest(MOST_LIKE, wanted.allowed)
            chosen = [*{*chosen, *(one for one in nearest if self._lengths.norm(one))}]
        pool = Pool(chosen, self._lengths)
        scorer = Scorer(
            looked_up.terms,
            pool,
            self._lengths,
            mean_norm=size.mean_norm,
            mean_note=size.mean_note,
            about=looked_up.about,
            asks_when=question.asks_when,
            near=dating.nearness(pool.by_note()) if dating else {},
            meant=meaning_gains(like, pool.by_note(), gain) if like is not None and gain else {},
            scoring=wanted.scoring,
        )
        return Ranked(
            looked_up=looked_up,
            best=_best(scorer.scores(), wanted.limit),
            first_of=lambda passage: pool.note_of(passage)[0],
            coverage=lambda passage: scorer.coverage(passage, looked_up),
            parts=scorer.parts,
        )


def gain_of_meaning(question: Question, looked_up: LookedUp[Any], wanted: Wanted) -> float:
    """What a cosine of 1 gives: a share of what the question weighs.

    Where no word of it is known, of what so rare words would weigh.
    """
    weight = looked_up.weight or sum(asked.weight for asked in question.asked) * idf(
        wanted.size.passages, 0
    )
    return wanted.scoring.meaning * wanted.like.gain * weight if wanted.like is not None else 0.0


def meaning_gains(
    like: Likely, notes: Iterable[tuple[int, Sequence[int]]], gain: float
) -> Mapping[int, tuple[float, str]]:
    """What the passages of a pool gain by what they mean, and why."""
    groups = [group for _, group in notes]
    alone = {group[0] for group in groups if len(group) == 1}
    found = {}
    for passage, (cosine, has_vector) in like.of([*chain.from_iterable(groups)]).items():
        why = f"{cosine:.0%} like the question" if has_vector else "no vector yet: as the others"
        found[passage] = ((ALONE if passage in alone else 1.0) * gain * cosine, why)
    return found


def _best(scored: list[tuple[float, int]], limit: int) -> list[tuple[float, int]]:
    """The best `limit`, and what is as good as the last of them."""
    least = nlargest(limit, (score for score, _ in scored))[-1:]
    best = [one for one in scored if least and one[0] >= least[0]]
    return best[: limit + MOST_TIED]
