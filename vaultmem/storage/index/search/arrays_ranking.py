"""Candidates and their scores by arrays: what candidates.py and score.py do, many at a time.

Each number is worked out by the same steps in the same order as there, so that a score is the same
to the last bit and ties stay ties. What is asked of a few passages (the parts of their scores) is
left to one `Scorer` of all that was found, with the postings of their notes alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np

from vaultmem.base import TYPE_CHECKING, Any
from vaultmem.storage.index.search import candidates as limits
from vaultmem.storage.index.search.bm25 import Scoring
from vaultmem.storage.index.search.candidates import (
    DATED,
    MOST_TIMES,
    REACH,
    STRETCH_BITS,
    WITH_THEM,
    DictPerson,
    DictTerm,
    Person,
    Pool,
    Term,
)
from vaultmem.storage.index.search.lookup import look_up
from vaultmem.storage.index.search.numpy_twin import (
    NOBODY,
    ArrayPool,
    ArrayReader,
    ArrayScorer,
    FactorTable,
    Held,
    Layout,
    LayoutLengths,
    Postings,
)
from vaultmem.storage.index.search.score import (
    MOST_LIKE,
    MOST_TIED,
    Ranked,
    Scorer,
    Wanted,
    gain_of_meaning,
    meaning_gains,
)
from vaultmem.storage.index.search.terms import Terms
from vaultmem.storage.index.store.sqlite import sqlite3

if TYPE_CHECKING:
    from vaultmem.storage.index.search.numpy_twin import Array
    from vaultmem.storage.index.search.question import Question
    from vaultmem.storage.index.search.score import Named

ArrayTerm = Term[Held]
_FACTOR_TABLES = 2  # that are kept: of questions that ask for a time, and of others


class ArrayEngine:
    """Ranks with numpy; for a process that answers many questions.

    size  no passage has an id from here on
    """

    def __init__(self, connection: sqlite3.Connection, size: int) -> None:
        self._reader = ArrayReader(connection, size)
        self._terms = Terms(connection, self._reader)
        self._layout = Layout(connection, size)
        # Scores are explained when somebody looks, when the index may be closed or another one.
        self._lengths = LayoutLengths(connection, self._layout)
        self._factors: dict[tuple[Scoring, bool], FactorTable] = {}

    def rank(self, question: Question, wanted: Wanted) -> Ranked:
        """The best passages for a question."""
        size, like, dating, lengths = wanted.size, wanted.like, wanted.dating, self._lengths
        looked_up = look_up(
            question,
            self._terms,
            wanted.relations,
            passages=size.passages,
            notes=size.notes,
            fuzzy=wanted.fuzzy,
        )
        dated = dating.passages() if dating else ()
        scratch = self._reader.scratch
        people = looked_up.people if wanted.scoring.company else ()
        postings = Postings(looked_up.terms)
        chosen = candidates(
            looked_up.terms, postings, wanted.allowed, dated=dated, people=people, scratch=scratch
        )
        gain = gain_of_meaning(question, looked_up, wanted)
        if like is not None and gain:
            nearest = np.array(like.nearest(MOST_LIKE, wanted.allowed), np.int64)
            nearest = nearest[nearest < len(self._layout.norms)]
            chosen = np.union1d(chosen, nearest[self._layout.norms[nearest] > 0])
        pool = ArrayPool(np.sort(chosen), self._layout)
        near = dating.nearness(pool.by_note()) if dating else {}
        like_it = meaning_gains(like, pool.by_note(), gain) if like is not None and gain else {}
        scorer = ArrayScorer(
            looked_up,
            pool,
            self._layout,
            postings,
            scratch,
            size=size,
            factors=self._factors_of(wanted.scoring, asks_when=question.asks_when),
            near=near,
            meant=like_it,
            scoring=wanted.scoring,
        )

        best = _best(*scorer.scores(), limit=wanted.limit)
        found = [passage for _, passage in best]
        talks = self._layout.note_of[found] if found else NOBODY.ids
        starts = self._layout.firsts[talks].tolist()
        ends = self._layout.ends[talks].tolist()
        firsts = dict(zip(found, self._layout.note_firsts[talks].tolist(), strict=True))
        explained: list[Scorer] = []

        def parts(passage: int) -> list[Named]:
            if not explained:
                # With the passages beside them, which count in their windows.
                notes = sorted(
                    {(one - REACH, end + REACH) for one, end in zip(starts, ends, strict=True)}
                )
                explained.append(
                    Scorer(
                        [_within(term, notes) for term in looked_up.terms],
                        Pool(found, lengths),
                        lengths,
                        means=size.means,
                        about=looked_up.about,
                        asks_when=question.asks_when,
                        near=near,
                        meant=like_it,
                        scoring=wanted.scoring,
                        people=[_person_within(one, notes) for one in people],
                        strongest={first: scorer.strongest(first) for first in {*starts}},
                    )
                )
            return explained[0].parts(passage)

        return Ranked(
            looked_up=looked_up,
            best=best,
            first_of=firsts.__getitem__,
            coverage=scorer.coverages(found).__getitem__,
            parts=parts,
        )

    def _factors_of(self, scoring: Scoring, *, asks_when: bool) -> FactorTable:
        """What was worked out for earlier questions, of the last strengths alone."""
        known = self._factors.get((scoring, asks_when))
        # Factors, stems, names and groups are kept for one state of the index: of 100 questions to
        # 100,000 passages the median is 2.21 ms in place of 2.63.
        if known is None:
            if len(self._factors) >= _FACTOR_TABLES:
                self._factors.clear()
            known = self._factors[scoring, asks_when] = FactorTable(scoring, asks_when=asks_when)
        return known


def _within(term: ArrayTerm, notes: Sequence[tuple[int, int]]) -> DictTerm:
    """The term as these notes [first, end) see it."""
    return Term(
        term.word,
        term.gain,
        term.times.within(notes),
        stands_for=term.stands_for,
        covers=term.covers,
        is_name=term.is_name,
        is_own=term.is_own,
    )


def _person_within(person: Person[Held], notes: Sequence[tuple[int, int]]) -> DictPerson:
    """A person as these notes [first, end) see them."""
    held = None if person.held is None else person.held.within(notes)
    return Person(person.said.within(notes), person.about.within(notes), held)


def candidates(
    terms: Sequence[ArrayTerm],
    postings: Postings,
    passes: Callable[[int], bool] | None,
    *,
    dated: Iterable[int],
    people: Sequence[Person[Held]] = (),
    scratch: Array,
) -> Array:
    """The passages that are worth scoring, as `candidates.candidates` has it.

    postings  of the terms, in their order
    scratch   one number a passage, all 0; they are 0 again afterwards
    """
    heaviest = sorted(terms, key=lambda term: -term.gain)
    if any(one is not other for one, other in zip(heaviest, terms, strict=True)):
        postings = Postings(heaviest)
    ids, rough = _weigh_passages(heaviest, postings, dated, scratch)
    if len(ids) <= limits.ALL_SCORED:
        return ids if passes is None else np.array([*filter(passes, ids.tolist())], np.int64)
    if people:
        # A step from the first passage leads to the last number of `scratch`, which stays 0.
        for person in people:
            scratch[person.said.ids] = 1
        beside = scratch[ids - 1] | scratch[ids] | scratch[ids + 1]
        for person in people:
            scratch[person.said.ids] = 0
        rough[beside != 0] *= WITH_THEM
    if passes is None:
        return _heaviest(ids, rough, terms, len(scratch))
    return _that_pass(ids, rough, passes)


def _weigh_passages(
    terms: Sequence[ArrayTerm], postings: Postings, dated: Iterable[int], scratch: Array
) -> tuple[Array, Array]:
    """The passages that hold any of the terms, as they are met, and what those weigh in each.

    terms  the heaviest first; they add passages until there are `limits.ENOUGH`
    """
    weighed = [term.gain * times / (times + 1) for term in terms for times in range(MOST_TIMES + 1)]
    places = postings.rows * (MOST_TIMES + 1) + np.minimum(postings.times, MOST_TIMES)
    weights = np.array(weighed)[places]
    ids, starts = postings.ids, postings.starts
    of_time = np.fromiter(dated, np.int32)
    if len(of_time):
        ids, starts = np.concatenate((of_time, ids)), len(of_time) + starts
    order = np.arange(len(ids), dtype=np.int32)
    try:
        # Of the places that a passage has among the ids the one written last stays: the first.
        scratch[ids[::-1]] = order[::-1]
        firsts = scratch[ids]
    finally:
        scratch[ids] = 0
    are_first = firsts == order
    met = np.concatenate(([0], are_first.cumsum()))  # passages before each place
    if len(of_time):
        weights = np.concatenate((DATED * are_first[: len(of_time)], weights))
    # Added up in this order, as `candidates.candidates` does.
    enough = (met[starts] >= limits.ENOUGH).nonzero()[0]
    if not len(enough):
        return ids[are_first], np.bincount(met[firsts], weights, int(met[-1]))
    end = int(starts[enough[0]])
    are_in = firsts < end
    rough = np.bincount(met[firsts[are_in]], weights[are_in], minlength=int(met[end]))
    return ids[:end][are_first[:end]], rough


def _least_of_best(values: Array, count: int) -> Any:
    """The `count`-th largest of at least so many; the first ones should be among the largest."""
    if len(values) > 4 * count:
        # Of some of them it is no larger than of all.
        some = values[: 2 * count]
        values = values[values >= np.partition(some, -count)[-count]]
    return np.partition(values, -count)[-count]


def _heaviest(ids: Array, rough: Array, terms: Sequence[ArrayTerm], size: int) -> Array:
    """The heaviest; of those that tie, the ones with the heaviest words around them."""
    least = _least_of_best(rough, limits.MOST_SCORED)
    best, tied = ids[rough > least], ids[rough == least]
    room = limits.MOST_SCORED - len(best)
    if len(tied) > room:
        around = np.zeros((size >> STRETCH_BITS) + 1)
        for term in terms:
            stretches = term.times.ids >> STRETCH_BITS
            are_new = np.ones(len(stretches), np.bool_)
            np.not_equal(stretches[1:], stretches[:-1], out=are_new[1:])
            around[stretches[are_new]] += term.gain
        weights = around[tied >> STRETCH_BITS]
        least = _least_of_best(weights, room)
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
        good = scores >= _least_of_best(scores, limit)
        scores, passages = scores[good], passages[good]
    best = zip(scores.tolist(), passages.tolist(), strict=True)
    return [*best][: limit + MOST_TIED]
