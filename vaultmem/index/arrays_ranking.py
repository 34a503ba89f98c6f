"""Candidates and their scores by arrays: what `pool.py` and `scoring.py` do, many at a time.

Each number is worked out by the same steps in the same order as there, so that a score is the same
to the last bit and ties stay ties. What is asked of a few passages (the parts of their scores) is
left to `Scorer`, with the postings of their notes alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from vaultmem.index import pool as limits
from vaultmem.index.arrays import ArrayReader, Held, Layout
from vaultmem.index.arrays_scoring import ArrayPool, ArrayScorer
from vaultmem.index.lookup import look_up
from vaultmem.index.pool import DATED, MOST_TIMES, STRETCH_BITS, DictTerm, Pool, Term
from vaultmem.index.ranking import MOST_LIKE, MOST_TIED, Ranked, Wanted, gain_of_meaning, meant
from vaultmem.index.scoring import Scorer
from vaultmem.index.sqlite import sqlite3
from vaultmem.index.terms import Terms

if TYPE_CHECKING:
    from vaultmem.index.arrays import Array
    from vaultmem.index.factors import Named
    from vaultmem.index.lengths import Lengths
    from vaultmem.index.question import Question

ArrayTerm = Term[Held]


class ArrayEngine:
    """Ranks with numpy; for a process that answers many questions.

    size  no passage has an id from here on
    """

    def __init__(self, connection: sqlite3.Connection, lengths: Lengths, size: int) -> None:
        self._reader = ArrayReader(connection, size)
        self._terms = Terms(connection, self._reader)
        self._lengths = lengths
        self._layout = Layout(connection, size)
        self._gathered = Gathered(size)

    def rank(self, question: Question, wanted: Wanted) -> Ranked:
        """The best passages for a question."""
        size, like, dating = wanted.size, wanted.like, wanted.dating
        looked_up = look_up(
            question, self._terms, wanted.relations, passages=size.passages, fuzzy=wanted.fuzzy
        )
        dated = dating.passages() if dating else ()
        chosen = self._gathered.candidates(looked_up.terms, wanted.allowed, dated=dated)
        gain = gain_of_meaning(question, looked_up, wanted)
        if like is not None and gain:
            nearest = np.array(like.nearest(MOST_LIKE, wanted.allowed), np.int64)
            nearest = nearest[nearest < len(self._layout.norms)]
            chosen = np.union1d(chosen, nearest[self._layout.norms[nearest] > 0])
        pool = ArrayPool(np.sort(chosen), self._layout)
        near = dating.nearness(pool.by_note()) if dating else {}
        like_it = meant(like, pool.by_note(), gain) if like is not None and gain else {}
        scorer = ArrayScorer(
            looked_up,
            pool,
            self._layout,
            self._reader.scratch,
            size=size,
            asks_when=question.asks_when,
            near=near,
            meant=like_it,
            scoring=wanted.scoring,
        )

        def parts(passage: int) -> list[Named]:
            first, end = pool.note_of(passage)
            terms = [_within(term, first, end) for term in looked_up.terms]
            of_one = Scorer(
                terms,
                Pool([passage], self._lengths),
                self._lengths,
                mean_norm=size.mean_norm,
                mean_note=size.mean_note,
                about=looked_up.about,
                asks_when=question.asks_when,
                near=near,
                meant=like_it,
                scoring=wanted.scoring,
            )
            return of_one.parts(passage)

        return Ranked(
            looked_up=looked_up,
            best=_best(*scorer.scores(), limit=wanted.limit),
            first_of=lambda passage: pool.note_of(passage)[0],
            coverage=scorer.coverage,
            parts=parts,
        )


def _within(term: ArrayTerm, first: int, end: int) -> DictTerm:
    """The term as one note sees it."""
    return Term(
        term.word,
        term.gain,
        term.times.within(first, end),
        stands_for=term.stands_for,
        covers=term.covers,
        is_name=term.is_name,
    )


class Gathered:
    """Adds up what the terms of a question weigh in each passage: `pool.candidates`."""

    def __init__(self, size: int) -> None:
        # One place a passage, all 0 but inside `candidates`.
        self._rough: Array = np.zeros(size, np.float64)
        self._seen: Array = np.zeros(size, np.bool_)

    def candidates(
        self,
        terms: Sequence[ArrayTerm],
        passes: Callable[[int], bool] | None,
        *,
        dated: Iterable[int] = (),
    ) -> Array:
        """The passages that are worth scoring, as `pool.candidates` has it."""
        known = [np.fromiter(dated, np.int64)]
        try:
            self._rough[known[0]], self._seen[known[0]] = DATED, True
            for term in sorted(terms, key=lambda term: -term.gain):
                known.append(self._add(term, sum(map(len, known)) < limits.ENOUGH))
            ids = np.concatenate(known)
            rough = self._rough[ids]
        finally:
            for some in known:
                self._rough[some], self._seen[some] = 0.0, False
        if len(ids) <= limits.ALL_SCORED:
            return ids if passes is None else np.array([*filter(passes, ids.tolist())], np.int64)
        if passes is None:
            return _heaviest(ids, rough, terms, len(self._rough))
        return _that_pass(ids, rough, passes)

    def _add(self, term: ArrayTerm, adds: bool) -> Array:
        """Add what a term weighs; the passages that are new, where it `adds` any."""
        ids, times = term.times.ids, term.times.times
        gains = np.array([term.gain * times / (times + 1) for times in range(MOST_TIMES + 1)])
        seen = self._seen[ids]
        if not adds:
            ids, times = ids[seen], times[seen]
        self._rough[ids] += gains.take(times, mode="clip")
        new = ids[~seen] if adds else ids[:0]
        self._seen[new] = True
        return new


def _heaviest(ids: Array, rough: Array, terms: Sequence[ArrayTerm], size: int) -> Array:
    """The heaviest; of those that tie, the ones with the heaviest words around them."""
    least = np.partition(rough, -limits.MOST_SCORED)[-limits.MOST_SCORED]
    best, tied = ids[rough > least], ids[rough == least]
    room = limits.MOST_SCORED - len(best)
    if len(tied) > room:
        around = np.zeros((size >> STRETCH_BITS) + 1)
        is_there = np.zeros(len(around), np.bool_)
        for term in terms:
            is_there[:] = False
            is_there[term.times.ids >> STRETCH_BITS] = True
            around[is_there] += term.gain
        weights = around[tied >> STRETCH_BITS]
        least = np.partition(weights, -room)[-room]
        more, as_good = tied[weights > least], np.sort(tied[weights == least])
        tied = np.concatenate((more, as_good))
    return np.concatenate((best, tied[:room]))


def _that_pass(ids: Array, rough: Array, passes: Callable[[int], bool]) -> Array:
    """The heaviest that pass; few of many are asked."""
    asked = 2 * limits.MOST_SCORED
    while True:
        asked = min(asked, len(ids))
        are_heavy = rough >= np.partition(rough, -asked)[-asked]
        some, weights = ids[are_heavy], rough[are_heavy]
        found: list[int] = []
        for passage in some[np.lexsort((some, -weights))].tolist():
            if passes(passage):
                found.append(passage)
                if len(found) == limits.MOST_SCORED:
                    return np.array(found, np.int64)
        if len(some) == len(ids):
            return np.array(found, np.int64)
        asked *= 4


def _best(scores: Array, passages: Array, *, limit: int) -> list[tuple[float, int]]:
    """The best `limit`, and what is as good as the last of them."""
    if len(scores) > limit:
        good = scores >= np.partition(scores, -limit)[-limit]
        scores, passages = scores[good], passages[good]
    best = zip(scores.tolist(), passages.tolist(), strict=True)
    return [*best][: limit + MOST_TIED]
