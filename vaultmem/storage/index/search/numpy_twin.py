"""`candidates.Pool` and `score.Scorer` over arrays: the same steps, all passages at a time."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate

import numpy as np

from vaultmem.base import TYPE_CHECKING, Any
from vaultmem.storage.index.search.bm25 import TEXT_LEAST, TEXT_SCALE, Scoring, saturations
from vaultmem.storage.index.search.candidates import REACH, WEIGHTS
from vaultmem.storage.index.search.score import (
    ABOUT_BIT,
    FACTOR_BITS,
    NAMED_ONLY,
    Factors,
    note_gains,
)
from vaultmem.storage.index.store.sqlite import in_lists, sqlite3
from vaultmem.storage.index.text.postings import BLOCK_BITS, BLOCKS, KEY_BITS, SIZE, Lengths
from vaultmem.storage.index.text.traits import (
    ALONE,
    ANSWERS,
    BEGINS,
    KINDS,
    OF_SOMEBODY,
    SINGLE,
    STATED,
    TALK,
    TEXT,
    TURN,
    WIDEST,
    WIDTH_SHIFT,
    WINDOW_SCALE,
)

if TYPE_CHECKING:
    from vaultmem.storage.index.search.candidates import Term
    from vaultmem.storage.index.search.lookup import LookedUp
    from vaultmem.storage.index.search.score import Size


class ArrayPool:
    """The candidates with their neighbours.

    grouped  (m,) passages of notes that have several, ascending
    alone    (n,) passages that are all of their note, ascending
    passages (m + n,) both, in this order
    notes    (notes,) the places in `Layout` of the notes that the first are in, ascending
    firsts, ends  (notes,) of these
    note_of_grouped  (m,) the place in `notes` of the note of each
    """

    def __init__(self, candidates: Array, layout: Layout) -> None:
        """`candidates` ascending, each once."""
        are_alone = (layout.traits[candidates] & ALONE) != 0
        self.alone = candidates[are_alone]
        others = candidates[~are_alone]
        notes = layout.note_of[others]
        # Runs of passages [start, end), each in one note; where two meet they are one.
        starts = np.maximum(others - REACH, layout.firsts[notes])
        ends = np.minimum(others + REACH + 1, layout.ends[notes])
        are_new = np.ones(len(others), np.bool_)
        # Two talks of a note lie side by side.
        are_new[1:] = (starts[1:] > ends[:-1]) | (notes[1:] != notes[:-1])
        starts, ends, notes = starts[are_new], ends[_last_of(are_new)], notes[are_new]
        sizes = ends - starts
        self.grouped = _runs(starts, sizes)
        self.passages: Array = np.concatenate((self.grouped, self.alone))
        is_first = np.ones(len(notes), np.bool_)
        is_first[1:] = notes[1:] != notes[:-1]
        self.notes = notes[is_first]
        self.note_of_grouped = (is_first.cumsum() - 1).repeat(sizes)
        self.firsts = layout.firsts[self.notes]
        self.ends = layout.ends[self.notes]

    def by_note(self) -> Iterator[tuple[int, Sequence[int]]]:
        """The first passage of each note with its passages of the pool."""
        yield from ((passage, (passage,)) for passage in self.alone.tolist())
        starts = self.grouped.searchsorted(self.firsts).tolist()
        ends = self.grouped.searchsorted(self.ends).tolist()
        grouped = self.grouped.tolist()
        for first, start, end in zip(self.firsts.tolist(), starts, ends, strict=True):
            yield first, grouped[start:end]


class FactorTable:
    """The factors of every mix of traits, each worked out once; 1 MB where all are met."""

    def __init__(self, scoring: Scoring, *, asks_when: bool) -> None:
        self._factors = Factors(scoring, asks_when=asks_when)
        self._known: Array = np.full(ABOUT_BIT << 1, np.nan)

    def of_mixes(self, keys: Array) -> Array:
        """The factor of each mix, `FACTOR_BITS` with `ABOUT_BIT`."""
        found = self._known[keys]
        new = np.isnan(found)
        if new.any():
            product = self._factors.product
            for key in set(keys[new].tolist()):
                self._known[key] = product(key & FACTOR_BITS, is_about=key > FACTOR_BITS)
            found = self._known[keys]
        return found


# The steps to the passages that a posting counts for, its own first, and what it counts there.
_STEPS: Array = np.array(
    [0, *(side * step for step in range(1, REACH + 1) for side in (1, -1))], np.int32
)
_WEIGHTS: Array = np.array([0, *(weight for weight in WEIGHTS for _ in (1, -1))], np.float64)
_NEXT = 1  # the place among the steps of the one to the passage that follows


class ArrayScorer:
    """Exact scores of the passages of a pool for one question.

    A question of four words to 10,000 passages meets 500 postings, which count for 2,000 of the
    13,000 places of its terms in its passages: what is worked out here is worked out of these.
    """

    def __init__(
        self,
        looked_up: LookedUp[Held],
        pool: ArrayPool,
        layout: Layout,
        postings: Postings,
        scratch: Array,
        *,
        size: Size,
        factors: FactorTable,
        near: Mapping[int, float],
        meant: Mapping[int, tuple[float, str]],
        scoring: Scoring,
    ) -> None:
        """`scratch`: one number a passage and `PAD` more, all 0; they are 0 again afterwards.

        postings  of the terms that were looked up, in their order
        """
        self._looked_up = looked_up
        self._pool = pool
        self._layout = layout
        self._postings = postings
        self._scratch = scratch
        self._scoring = scoring
        self._near = near if scoring.time else {}
        self._given = {passage: scoring.time * one for passage, one in self._near.items()}
        for passage, (value, _) in meant.items():
            self._given[passage] = self._given.get(passage, 0.0) + value
        self._factors = factors
        self._lines = saturations(scoring, size.means)
        self._bits = layout.traits[pool.passages].astype(np.int64)
        self._are_turns = (layout.traits[pool.firsts] & TURN) != 0  # by note
        self._of_somebody = (layout.traits[pool.firsts] & OF_SOMEBODY) != 0  # by note
        are_items = (layout.traits[pool.firsts] & STATED) != 0
        self._kinds = np.where(self._are_turns, TALK, np.where(are_items, SINGLE, TEXT))
        terms = looked_up.terms
        self._gains = np.array([(scoring.k1 + 1) * term.gain for term in terms])
        # (terms, kinds)
        gains = [note_gains(term, scoring) for term in terms]
        self._note_gains = np.array(gains).reshape(-1, len(KINDS))
        self._strongest = np.zeros(len(pool.firsts))
        self._names = [i for i, term in enumerate(terms) if term.is_name]
        self._own = [i for i, term in enumerate(terms) if term.is_own]
        self._count()

    def _count(self) -> None:
        """How often passages hold each term, counting neighbours by their weights.

        rows, columns, counts  (held,) the term and the passage of the pool, as their places, and
                               how often it is held there, > 0; by term, then by passage
        """
        pool, postings, scratch = self._pool, self._postings, self._scratch
        size = len(pool.passages)
        try:
            scratch[pool.passages] = np.arange(1, size + 1, dtype=np.int32)
            # The neighbours of a passage by its id are of its own note, or nothing.
            there = scratch[(postings.ids + _STEPS[:, None]).ravel()]
        finally:
            scratch[pool.passages] = 0
        # Step by step, and in each by term, then by passage.
        places = (there != 0).nonzero()[0]
        there = there[places] - 1
        steps = places // len(postings.ids)
        places -= steps * len(postings.ids)
        rows = postings.rows[places]
        if self._own:
            stays = (steps == 0) | ~np.isin(rows, self._own)
            steps, places, rows, there = steps[stays], places[stays], rows[stays], there[stays]
        keys = rows * size + there
        times = postings.times[places]
        end, after = steps.searchsorted((1, 2)).tolist()
        most = len(self._gains) * size
        own = np.zeros(most)
        own[keys[:end]] = times[:end]
        near = np.bincount(keys[end:], times[end:] * _WEIGHTS[steps[end:]], most)
        held = ((own != 0) | (near != 0)).nonzero()[0]
        rows = held // max(size, 1)
        columns = held - rows * size
        bits = self._bits[columns]
        window = self._scoring.window / (WIDEST * WINDOW_SCALE) * (bits >> WIDTH_SHIFT & WIDEST)
        counts: Array = own[held] + window * near[held]
        asked = ((bits & ANSWERS) != 0).nonzero()[0] if self._scoring.answers else ()
        if len(asked):
            before = np.zeros(most)
            before[keys[end:after]] = times[end:after]
            counts[asked] += self._scoring.answers * before[held[asked]]
        if counts.all():
            self._rows, self._columns, self._counts = rows, columns, counts
        else:  # held by neighbours of passages for which no neighbour counts
            some = counts.nonzero()[0]
            self._rows, self._columns, self._counts = rows[some], columns[some], counts[some]

    def scores(self) -> tuple[Array, Array]:
        """Scores above 0, and the passages that have them."""
        pool = self._pool
        totals, passages = self._totals(), pool.passages
        keys = self._bits & FACTOR_BITS
        about = self._looked_up.about
        if len(about):
            # As a set of ids: of people who say much there are many.
            ids = np.fromiter(about, np.int64, len(about))
            keys[np.isin(passages, ids)] |= ABOUT_BIT
        is_any = totals != 0
        scores = totals * self._factors.of_mixes(keys)
        if self._looked_up.people and self._scoring.company:
            scores *= 1 + self._scoring.company * self._shares_of_people()
        return scores[is_any], passages[is_any]

    def _shares_of_people(self) -> Array:
        """Of the passages with neighbours, then those alone, as `score.shares_of_people`."""
        pool, people = self._pool, self._looked_up.people
        size = len(pool.grouped)
        bits_alone = self._bits[size:]
        shares = np.zeros(size + len(pool.alone))
        for person in people:
            held = NOBODY if person.held is None else person.held
            are_with = _hold_any(person.said, pool)
            if not self._are_turns.all():
                named = _hold_any(person.about, pool) | _hold_any(held, pool)
                are_with = np.where(self._are_turns, are_with, named)
            if are_with.all():
                shares[:size] += 1 / len(people)
            else:
                only = NAMED_ONLY * _are_in(pool.grouped, held)
                there = np.where(are_with[pool.note_of_grouped], 1.0, only)
                shares[:size] += there / len(people)
            if len(pool.alone):
                are_there = _are_in(pool.alone, person.said) | _are_in(pool.alone, person.about)
                only = np.where(bits_alone & TURN, NAMED_ONLY, 1.0)
                alone = np.where(are_there, 1.0, only * _are_in(pool.alone, held))
                shares[size:] += alone / len(people)
        return shares

    def _totals(self) -> Array:
        """What the terms give to each passage, and its note as a whole; the factors come later.

        Each is added up in the order of `Scorer`, so that it is the same to the last bit.
        """
        pool, size = self._pool, len(self._pool.grouped)
        rows, columns, counts = self._rows, self._columns, self._counts
        are_turns = np.concatenate(
            (self._are_turns[pool.note_of_grouped], (self._bits[size:] & TURN) != 0)
        )
        if self._names:
            of_somebody = np.concatenate(
                (self._of_somebody[pool.note_of_grouped], (self._bits[size:] & OF_SOMEBODY) != 0)
            )
            speaks = ~(np.isin(rows, self._names) & of_somebody[columns])
            rows, columns, counts = rows[speaks], columns[speaks], counts[speaks]
        alone = np.where(are_turns[size:], TALK, SINGLE)
        kinds = np.concatenate((self._kinds[pool.note_of_grouped], alone))
        gains, norms = self._gains[rows], self._layout.norms[pool.passages]
        lines = [one.passage for one in self._lines]
        gained = gains * counts / (counts + _saturations(lines, kinds, norms)[columns])
        totals = np.zeros(len(kinds))
        of_notes = self._of_notes()
        are_texts = kinds[:size] == TEXT
        totals[:size] = np.where(are_texts, 0.0, of_notes[pool.note_of_grouped])
        found: Array = np.bincount(
            np.concatenate((np.arange(len(totals)), columns)), np.concatenate((totals, gained))
        )
        if are_texts.any():
            self._scale_texts(found[:size], of_notes, are_texts)
        self._give(found)
        if len(pool.alone):
            # Of a passage that is all of its note each term gives twice, one after the other.
            some = (columns >= size).nonzero()[0]
            columns, counts = columns[some], counts[some]
            lines = [one.note for one in self._lines]
            wholes = _saturations(lines, kinds[columns], norms[columns])
            of_note = self._scoring.note * gains[some] * counts / (counts + wholes)
            both = np.stack((gained[some], of_note), axis=1).ravel()
            self._give(totals)
            places = np.concatenate((np.arange(len(pool.alone)), (columns - size).repeat(2)))
            found[size:] = np.bincount(places, np.concatenate((totals[size:], both)))
        return found

    def _scale_texts(self, totals: Array, of_notes: Array, are_texts: Array) -> None:
        """Raise what passages of texts have, by what their note has beside its best passage."""
        notes = self._pool.note_of_grouped
        begins = notes.searchsorted(np.arange(len(self._strongest)))
        self._strongest = np.maximum.reduceat(totals, begins)
        best = np.where(self._strongest > 0, self._strongest, 1.0)
        times = np.maximum(TEXT_LEAST, TEXT_SCALE * (1 + self._scoring.text * of_notes / best))
        totals[are_texts] *= times[notes][are_texts]

    def strongest(self, first: int) -> float:
        """What the words of the best passage of a note give; 0 of one that is not in the pool."""
        place = int(self._pool.firsts.searchsorted(first))
        is_there = place < len(self._pool.firsts) and self._pool.firsts[place] == first
        return float(self._strongest[place]) if is_there else 0.0

    def _of_notes(self) -> Array:
        """What the words of each note as a whole give; of texts, in full."""
        pool, postings, layout = self._pool, self._postings, self._layout
        size, kinds = len(pool.notes), self._kinds
        if not size:
            return np.zeros(0)
        try:
            layout.scratch[pool.notes] = np.arange(1, size + 1, dtype=np.int32)
            there = layout.scratch[layout.note_of[postings.ids]]
        finally:
            layout.scratch[pool.notes] = 0
        places = (there != 0).nonzero()[0]
        rows = postings.rows[places]
        if self._own:
            stays = ~np.isin(rows, self._own)
            places, rows = places[stays], rows[stays]
        keys = rows * size + there[places] - 1
        summed = np.bincount(keys, postings.times[places], len(self._gains) * size)
        held = (summed != 0).nonzero()[0]
        rows = held // size
        notes = held - rows * size
        if self._names:
            speaks = ~(np.isin(rows, self._names) & self._of_somebody[notes])
            held, rows, notes = held[speaks], rows[speaks], notes[speaks]
        times = summed[held]
        lines = [one.note for one in self._lines]
        saturations = _saturations(lines, kinds, layout.totals[pool.notes])[notes]
        gained = self._note_gains[rows, kinds[notes]] * times / (times + saturations)
        shares = np.where(kinds == TEXT, 1.0, self._scoring.note)
        return np.asarray(shares * np.bincount(notes, gained, size))

    def _give(self, totals: Array) -> None:
        """Add what is given beside words."""
        if not self._given:
            return
        given = np.fromiter(self._given, np.int64, len(self._given))
        values = np.fromiter(self._given.values(), np.float64, len(self._given))
        places = self._places_of(given)
        are_there = places >= 0
        totals[places[are_there]] += values[are_there]

    def _places_of(self, passages: Array) -> Array:
        """Where each of some passages is in the pool, each once; -1: it is not."""
        pool, scratch = self._pool, self._scratch
        try:
            scratch[pool.passages] = np.arange(1, len(pool.passages) + 1, dtype=np.int32)
            found: Array = scratch[passages] - 1
        finally:
            scratch[pool.passages] = 0
        return found

    def coverages(self, passages: Sequence[int]) -> dict[int, float]:
        """The share of the question's weight that each or its neighbours hold, 0..1."""
        looked_up, near = self._looked_up, self._near
        if not looked_up.weight or not passages:
            return dict.fromkeys(passages, 0.0)
        wanted = np.zeros(len(self._pool.passages), np.int64)
        wanted[self._places_of(np.array(passages, np.int64))] = np.arange(1, len(passages) + 1)
        places = wanted[self._columns]
        some = (places != 0).nonzero()[0]
        gains = np.array([term.gain * term.covers for term in looked_up.terms])
        held: Array = np.bincount(places[some] - 1, gains[self._rows[some]], len(passages))
        if near:
            nearness = np.array([near.get(passage, 0.0) for passage in passages])
            held = held + nearness * looked_up.of_times
        shares = np.minimum(held / looked_up.weight, 1.0)
        return dict(zip(passages, shares.tolist(), strict=True))


def _saturations(lines: Sequence[tuple[float, float]], kinds: Array, norms: Array) -> Array:
    """By what the words of each passage or note are saturated; lines by kind, (norms,)."""
    bases, slopes = (np.array(one)[kinds] for one in zip(*lines, strict=True))
    return np.asarray(bases + slopes * norms)


def _hold_any(held: Held, pool: ArrayPool) -> Array:
    """Whether any passage of each note of the pool is held, (notes,)."""
    found: Array = held.ids.searchsorted(pool.firsts) < held.ids.searchsorted(pool.ends)
    return found


def _are_in(passages: Array, held: Held) -> Array:
    """Whether each of the passages is held."""
    if not len(held.ids):
        return np.zeros(len(passages), np.bool_)
    places = np.minimum(held.ids.searchsorted(passages), len(held.ids) - 1)
    found: Array = held.ids[places] == passages
    return found


def _runs(starts: Array, sizes: Array) -> Array:
    """So many numbers from each start on, one run after another."""
    ends = sizes.cumsum()
    return np.asarray((starts - (ends - sizes)).repeat(sizes) + np.arange(int(sizes.sum())))


def _last_of(are_new: Array) -> Array:
    """Which are the last of their run, from which are the first; none where there is no run."""
    are_last = np.empty_like(are_new)
    are_last[:-1], are_last[-1:] = are_new[1:], are_new[:1]
    return are_last


class Postings:
    """The postings of several terms one after another, so that one call looks at all.

    ids, times  (postings,) the passages that hold a term, ascending for each, and how often
    rows        (postings,) the place of its term among them
    starts      (terms + 1,) where the postings of each begin, and where all end
    """

    def __init__(self, terms: Sequence[Term[Held]]) -> None:
        ids = [term.times.ids for term in terms]
        self.ids: Array = np.concatenate(ids or [NOBODY.ids])
        self.times: Array = np.concatenate([term.times.times for term in terms] or [NOBODY.times])
        self.starts: Array = np.array([0, *accumulate(map(len, ids))])
        self.rows: Array = np.arange(len(ids)).repeat(self.starts[1:] - self.starts[:-1])


# Postings, norms and traits as numpy arrays, kept in memory between the questions of a process.
#
# A question to a large index touches tens of thousands of postings. As arrays they are added up in
# a fifth of the time that dictionaries take; numpy's import costs as much as ten questions.

if TYPE_CHECKING:
    Array = np.ndarray[Any, np.dtype[Any]]

MOST_KEPT = 4_000_000  # postings, eight bytes each; beyond it those read first are dropped
_FEW_BLOCKS = 4  # with more, a statement for each word costs less than a look into each block
PAD = 4  # places after the last passage that hold nothing: a neighbour may be looked for there


class Held(Collection[int]):
    """The passages that hold a word, ascending, and how often each does."""

    def __init__(self, ids: Array, times: Array) -> None:
        """`ids` (n,) int32, ascending; `times` (n,) int32, > 0."""
        self.ids = ids
        self.times = times

    def __len__(self) -> int:
        return len(self.ids)

    def __iter__(self) -> Iterator[int]:
        return iter(self.ids.tolist())

    def __contains__(self, passage: object) -> bool:
        place = np.searchsorted(self.ids, passage)  # type: ignore[call-overload]  # ids are ints
        return bool(place < len(self.ids) and self.ids[place] == passage)

    def within(self, notes: Sequence[tuple[int, int]]) -> dict[int, int]:
        """Of the passages of these notes [first, end) those that hold it, and how often."""
        found: dict[int, int] = {}
        for start, stop in self.ids.searchsorted(notes).tolist():
            if start < stop:
                ids, times = self.ids[start:stop].tolist(), self.times[start:stop].tolist()
                found.update(zip(ids, times, strict=True))
        return found


NOBODY = Held(np.zeros(0, np.int32), np.zeros(0, np.int32))


class ArrayReader:
    """Postings as arrays; what was read is kept as long as the index stays as it is.

    size  no passage has an id from here on
    """

    def __init__(self, connection: sqlite3.Connection, size: int) -> None:
        self._connection = connection
        self._blocks = (size >> BLOCK_BITS) + 1
        self._kept: dict[tuple[int, ...], Held] = {}
        self._postings = 0  # that are kept
        # One number a passage, all 0 but inside a method: to put arrays of passages together.
        self.scratch: Array = np.zeros(size + PAD, np.int32)

    def expect(self, words: Sequence[int]) -> None:
        """Read these words at once."""
        unknown = [word for word in words if (word,) not in self._kept]
        rows: dict[int, list[tuple[int, bytes, bytes]]] = {word: [] for word in unknown}
        if self._blocks > _FEW_BLOCKS:
            for word, of_word in rows.items():
                of_word += self._connection.execute(
                    "SELECT key, ids, tfs FROM postings WHERE key BETWEEN ? AND ?",
                    (word << KEY_BITS, word << KEY_BITS | BLOCKS),
                )
        else:
            keys = [word << KEY_BITS | block for word in unknown for block in range(self._blocks)]
            for some, marks in in_lists(keys):
                for row in self._connection.execute(
                    f"SELECT key, ids, tfs FROM postings WHERE key IN ({marks}) ORDER BY key", some
                ):
                    rows[row[0] >> KEY_BITS].append(row)
        for word, of_word in rows.items():
            self._keep((word,), _decode_postings(of_word))

    def read(self, words: Sequence[int]) -> Held:
        """How often each passage holds any of the words."""
        key = tuple(words)
        known = self._kept.get(key)
        if known is not None:
            return known
        one_by_one = [held for word in words if len(held := self._of_word(word))]
        if len(words) == 1:
            return one_by_one[0] if one_by_one else NOBODY
        found = one_by_one[0] if len(one_by_one) == 1 else self._union(one_by_one)
        self._keep(key, found)
        return found

    def _of_word(self, word: int) -> Held:
        known = self._kept.get((word,))
        if known is None:
            self.expect([word])
            known = self._kept[word,]
        return known

    def _keep(self, key: tuple[int, ...], held: Held) -> None:
        self._kept[key] = held
        self._postings += len(held)
        while self._postings > MOST_KEPT and len(self._kept) > 1:
            self._postings -= len(self._kept.pop(next(iter(self._kept))))

    def _union(self, several: Sequence[Held]) -> Held:
        """The passages of several words, with all that they hold of them."""
        if not several:
            return NOBODY
        scratch, new = self.scratch, []
        try:
            for held in several:
                new.append(held.ids[scratch[held.ids] == 0])
                scratch[held.ids] += held.times
            ids = np.sort(np.concatenate(new), kind="stable")  # a few ascending runs
            return Held(ids, scratch[ids])
        finally:
            for held in several:
                scratch[held.ids] = 0

    def without(self, held: Held, others: Held) -> Held:
        """What is held by passages that hold nothing of the others."""
        self.scratch[others.ids] = 1
        stays = self.scratch[held.ids] == 0
        self.scratch[others.ids] = 0
        return Held(held.ids[stays], held.times[stays])

    def heaviest(self, held: Held, weighed: Sequence[tuple[float, Held]], most: int) -> Held:
        """Of what is held at most so much: what holds most of the others, then the latest."""
        if len(held) <= most:
            return held
        weights = np.zeros(len(held.ids))
        for gain, others in weighed:
            self.scratch[others.ids] = 1
            weights += gain * (self.scratch[held.ids] != 0)
            self.scratch[others.ids] = 0
        best = np.sort(np.argsort(weights, kind="stable")[-most:])
        return Held(held.ids[best], held.times[best])

    def people(self, groups: Sequence[tuple[Held, Held]]) -> Held:
        """The passages that are in one or the other of each pair; of no pair, none."""
        found = NOBODY
        for number, (one, other) in enumerate(groups):
            both = self._union([held for held in (one, other) if len(held)])
            found = both if number == 0 else _in_both(found, both)
        return found


def _in_both(one: Held, other: Held) -> Held:
    ids, places, _ = np.intersect1d(one.ids, other.ids, assume_unique=True, return_indices=True)
    return Held(ids, one.times[places])


def _decode_postings(rows: Sequence[tuple[int, bytes, bytes]]) -> Held:
    """The passages of one word: rows of postings by key."""
    ids, times = [], []
    for key, low, tfs in rows:
        if len(low) != 2 * len(tfs):
            raise sqlite3.DatabaseError("a row of postings is malformed")
        ids.append(np.frombuffer(low, np.uint16) + np.int32((key & BLOCKS) << BLOCK_BITS))
        times.append(np.frombuffer(tfs, np.uint8))
    if not ids:
        return NOBODY
    return Held(
        np.concatenate(ids, dtype=np.int32, casting="unsafe"),
        np.concatenate(times, dtype=np.int32, casting="unsafe"),
    )


class Layout:
    """Norms and traits of all passages, and the notes that they are in; a note has its talks here.

    norms   (size,) 'H' of each passage; 0: there is none of this id
    traits  (size,) 'H'
    firsts  (notes,) the first passage of each note, or of a talk in it, ascending
    note_firsts  (notes,) the first passage of the note that each is in
    ends    (notes,) the one after its last
    totals  (notes,) the norms of its passages together
    note_of (size,) the place in these of the note of each passage
    scratch (notes,) all 0 but inside a method: to put arrays of notes together
    """

    def __init__(self, connection: sqlite3.Connection, size: int) -> None:
        blocks = size // SIZE + 1
        self.norms: Array = np.zeros(blocks * SIZE, np.uint16)
        self.traits: Array = np.zeros(blocks * SIZE, np.uint16)
        for block, *blobs in connection.execute("SELECT block, norms, traits FROM lengths"):
            if not 0 <= block < blocks or any(len(blob) != 2 * SIZE for blob in blobs):
                raise sqlite3.DatabaseError("a row of lengths is malformed")
            for whole, blob in zip((self.norms, self.traits), blobs, strict=True):
                whole[block * SIZE : (block + 1) * SIZE] = np.frombuffer(blob, np.uint16)
        # A zero stands at either end, so that a run of notes that begins or ends the collection has
        # a step there too.
        is_there = np.zeros(len(self.norms) + 2, np.int8)
        is_there[1:-1] = self.norms != 0
        steps = np.diff(is_there)
        begin = steps[:-1] == 1
        begin_talks = (self.traits & BEGINS) == BEGINS
        self.firsts: Array = np.flatnonzero(begin | begin_talks)
        self.ends: Array = np.flatnonzero(np.concatenate((begin_talks, [False])) | (steps == -1))
        are_notes = begin[self.firsts]
        self.note_firsts: Array = np.maximum.accumulate(np.where(are_notes, self.firsts, 0))
        norms = np.concatenate(([0], np.cumsum(self.norms, dtype=np.int64)))
        self.totals: Array = norms[self.ends] - norms[self.firsts]
        self.note_of: Array = (is_there[1:-1] * (begin | begin_talks).cumsum() - 1).astype(np.int32)
        self.scratch: Array = np.zeros(len(self.firsts), np.int32)


class LayoutLengths(Lengths):
    """The same of a passage by its id, asked of the layout and never of the file."""

    def __init__(self, connection: sqlite3.Connection, layout: Layout) -> None:
        super().__init__(connection)
        self._layout = layout

    def expect(self, blocks: Iterable[int]) -> None:
        """Nothing: all of them are there."""

    def _load(self, block: int) -> None:
        run = slice(block * SIZE, (block + 1) * SIZE)
        self._keep(block, self._layout.norms[run].tobytes(), self._layout.traits[run].tobytes())
