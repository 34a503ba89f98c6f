"""`candidates.Pool` and `score.Scorer` over arrays: the same steps, all passages at a time."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

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
    KINDS,
    SINGLE,
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

    alone    (n,) passages that are all of their note, ascending
    grouped  (m,) the others, ascending
    note_of_grouped  (m,) the place in `firsts` of the note of each
    firsts, ends, totals  (notes,) of the notes that the others are in: as in `Layout`
    """

    def __init__(self, candidates: Array, layout: Layout) -> None:
        """`candidates` ascending, each once."""
        are_alone = (layout.traits[candidates] & ALONE) != 0
        self.alone = candidates[are_alone]
        others = candidates[~are_alone]
        notes = layout.notes_of(others)
        # Runs of passages [start, end), each in one note; where two meet they are one.
        starts = np.maximum(others - REACH, layout.firsts[notes])
        ends = np.minimum(others + REACH + 1, layout.ends[notes])
        are_new = np.ones(len(others), np.bool_)
        are_new[1:] = starts[1:] > ends[:-1]
        starts, ends, notes = starts[are_new], ends[_last_of(are_new)], notes[are_new]
        self.grouped = _runs(starts, ends)
        self.starts, self.stops = starts, ends
        is_first = np.ones(len(notes), np.bool_)
        is_first[1:] = notes[1:] != notes[:-1]
        places = notes[is_first]
        self.note_of_grouped = np.repeat(np.cumsum(is_first) - 1, ends - starts)
        self.firsts = layout.firsts[places]
        self.ends = layout.ends[places]
        self.totals = layout.totals[places]

    def near_by(self) -> Array:
        """The passages with neighbours, and what lies within reach of them; ascending."""
        starts, ends = self.starts - REACH, self.stops + REACH
        are_new = np.ones(len(starts), np.bool_)
        are_new[1:] = starts[1:] > ends[:-1]
        return _runs(starts[are_new], ends[_last_of(are_new)])

    def by_note(self) -> Iterator[tuple[int, Sequence[int]]]:
        """The first passage of each note with its passages of the pool."""
        yield from ((passage, (passage,)) for passage in self.alone.tolist())
        starts = np.searchsorted(self.grouped, self.firsts).tolist()
        ends = np.searchsorted(self.grouped, self.ends).tolist()
        grouped = self.grouped.tolist()
        for first, start, end in zip(self.firsts.tolist(), starts, ends, strict=True):
            yield first, grouped[start:end]

    def note_of(self, passage: int) -> tuple[int, int]:
        """The passages [first, end) of the note that a passage of the pool is in."""
        i = int(self.firsts.searchsorted(passage, "right")) - 1
        if i >= 0 and passage < self.ends[i]:
            return int(self.firsts[i]), int(self.ends[i])
        return passage, passage + 1


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


class ArrayScorer:
    """Exact scores of the passages of a pool for one question."""

    def __init__(
        self,
        looked_up: LookedUp[Held],
        pool: ArrayPool,
        layout: Layout,
        scratch: Array,
        *,
        size: Size,
        factors: FactorTable,
        near: Mapping[int, float],
        meant: Mapping[int, tuple[float, str]],
        scoring: Scoring,
    ) -> None:
        """`scratch`: one number a passage and `PAD` more, all 0; they are 0 again afterwards."""
        self._looked_up = looked_up
        self._pool = pool
        self._scoring = scoring
        self._near = near if scoring.time else {}
        self._given = {passage: scoring.time * one for passage, one in self._near.items()}
        for passage, (value, _) in meant.items():
            self._given[passage] = self._given.get(passage, 0.0) + value
        self._factors = factors
        self._lines = saturations(scoring, size.means)
        self._bits = layout.traits[pool.grouped].astype(np.int64)
        self._bits_alone = layout.traits[pool.alone].astype(np.int64)
        self._norms = layout.norms[pool.grouped]
        self._norms_alone = layout.norms[pool.alone]
        self._are_turns = (layout.traits[pool.firsts] & TURN) != 0  # by note
        self._kinds = np.where(self._are_turns, TALK, TEXT)
        self._gains = np.array([(scoring.k1 + 1) * term.gain for term in looked_up.terms])[:, None]
        # (terms, kinds)
        gains = [note_gains(term, scoring) for term in looked_up.terms]
        self._note_gains = np.array(gains).reshape(-1, len(KINDS))
        self._strongest = np.zeros(len(pool.firsts))
        self._names = [i for i, term in enumerate(looked_up.terms) if term.is_name]
        self._own = [i for i, term in enumerate(looked_up.terms) if term.is_own]
        self._count(looked_up.terms, scratch)

    def _count(self, terms: Sequence[Term[Held]], scratch: Array) -> None:
        """How often passages hold each term: with neighbours and their weights; alone.

        counts  (terms, grouped); times  (terms, alone)
        """
        pool = self._pool
        near_by = pool.near_by()
        postings = self._postings = Postings(terms)
        held = postings.at(near_by, scratch)
        self._times = postings.at(pool.alone, scratch)
        # The neighbours of a passage of the pool lie beside it here, as in its note.
        places = near_by.searchsorted(pool.grouped)
        near = np.zeros_like(held)
        inner, size = slice(REACH, -REACH), len(near_by)
        for step, weight in enumerate(WEIGHTS, 1):
            before = held[:, REACH - step : size - REACH - step]
            after = held[:, REACH + step : size - REACH + step]
            near[:, inner] += weight * (before + after)
        near[self._own] = 0
        width = self._bits >> WIDTH_SHIFT & WIDEST
        window = self._scoring.window / (WIDEST * WINDOW_SCALE) * width
        self._counts = np.take(held, places, axis=1) + window * np.take(near, places, axis=1)
        answers = self._scoring.answers
        if answers:
            after_question = np.flatnonzero(self._bits & ANSWERS)
            of_question = held[:, places[after_question] - 1]
            of_question[self._own] = 0
            self._counts[:, after_question] += answers * of_question

    def scores(self) -> tuple[Array, Array]:
        """Scores above 0, and the passages that have them."""
        pool = self._pool
        totals = np.concatenate((self._in_notes(), self._of_alone()))
        passages = np.concatenate((pool.grouped, pool.alone))
        keys = np.concatenate((self._bits, self._bits_alone)) & FACTOR_BITS
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
                only = np.where(self._bits_alone & TURN, NAMED_ONLY, 1.0)
                alone = np.where(are_there, 1.0, only * _are_in(pool.alone, held))
                shares[size:] += alone / len(people)
        return shares

    def _in_notes(self) -> Array:
        """What passages with neighbours hold, and their notes as a whole."""
        pool = self._pool
        notes = pool.note_of_grouped
        kinds = self._kinds[notes]
        saturations = _saturations([one.passage for one in self._lines], kinds, self._norms)
        gained = _saturate(self._gains, self._counts, saturations)
        gained[np.ix_(self._names, self._are_turns[notes])] = 0
        of_notes = self._of_notes()
        are_texts = kinds == TEXT
        totals = np.where(are_texts, 0.0, of_notes[notes])
        for of_term in gained:
            totals += of_term
        np.maximum.at(self._strongest, notes, totals)
        best = np.where(self._strongest > 0, self._strongest, 1.0)
        times = np.maximum(TEXT_LEAST, TEXT_SCALE * (1 + self._scoring.text * of_notes / best))
        totals[are_texts] *= times[notes][are_texts]
        self._give(totals, pool.grouped)
        return totals

    def strongest(self, first: int) -> float:
        """What the words of the best passage of a note give; 0 of one that is not in the pool."""
        place = int(self._pool.firsts.searchsorted(first))
        is_there = place < len(self._pool.firsts) and self._pool.firsts[place] == first
        return float(self._strongest[place]) if is_there else 0.0

    def _of_notes(self) -> Array:
        """What the words of each note as a whole give; of texts, in full."""
        pool, kinds = self._pool, self._kinds
        totals = np.zeros(len(pool.firsts))
        times = self._postings.within(pool.firsts, pool.ends)
        saturations = _saturations([one.note for one in self._lines], kinds, pool.totals)
        gained = _saturate(self._note_gains[:, kinds], times, saturations)
        gained[np.ix_(self._names, self._are_turns)] = 0
        gained[self._own] = 0
        for of_term in gained:
            totals += of_term
        return np.where(kinds == TEXT, 1.0, self._scoring.note) * totals

    def _of_alone(self) -> Array:
        """What passages that are all of their note hold."""
        share, norms = self._scoring.note, self._norms_alone
        totals = np.zeros(len(norms))
        self._give(totals, self._pool.alone)
        are_turns = (self._bits_alone & TURN) != 0
        kinds = np.where(are_turns, TALK, SINGLE)
        of_passages = _saturations([one.passage for one in self._lines], kinds, norms)
        of_wholes = _saturations([one.note for one in self._lines], kinds, norms)
        gained = _saturate(self._gains, self._times, of_passages)
        of_notes = _saturate(share * self._gains, self._times, of_wholes)
        silent = np.ix_(self._names, are_turns)
        gained[silent], of_notes[silent] = 0, 0
        for of_term, of_note in zip(gained, of_notes, strict=True):
            totals += of_term
            totals += of_note
        return totals

    def _give(self, totals: Array, passages: Array) -> None:
        """Add what is given beside words; `passages` ascending."""
        if not self._given:
            return
        given = np.fromiter(self._given, np.int64, len(self._given))
        values = np.fromiter(self._given.values(), np.float64, len(self._given))
        places = np.searchsorted(passages, given)
        # A number behind the last passage gets the place 0, since its own would be no index; the
        # comparison below drops it.
        places[places == len(passages)] = 0
        if len(passages):
            are_there = passages[places] == given
            totals[places[are_there]] += values[are_there]

    def coverages(self, passages: Sequence[int]) -> dict[int, float]:
        """The share of the question's weight that each or its neighbours hold, 0..1."""
        looked_up, near = self._looked_up, self._near
        if not looked_up.weight:
            return dict.fromkeys(passages, 0.0)
        gains = [term.gain * term.covers for term in looked_up.terms]
        found = {}
        for passage, counts in zip(passages, self._counts_of(passages), strict=True):
            held = sum(gain for gain, count in zip(gains, counts, strict=True) if count)
            held += near.get(passage, 0.0) * looked_up.of_times
            found[passage] = min(1.0, held / looked_up.weight)
        return found

    def _counts_of(self, passages: Sequence[int]) -> list[list[float]]:
        """How often each of some passages of the pool holds each term."""
        pool, wanted = self._pool, np.array(passages, np.int64)
        counts = np.zeros((len(wanted), len(self._looked_up.terms)))
        for known, of_known in ((pool.grouped, self._counts), (pool.alone, self._times)):
            if len(known):
                places = np.minimum(known.searchsorted(wanted), len(known) - 1)
                are_there = known[places] == wanted
                counts[are_there] = of_known.T[places[are_there]]
        rows: list[list[float]] = counts.tolist()
        return rows


def _saturations(lines: Sequence[tuple[float, float]], kinds: Array, norms: Array) -> Array:
    """By what the words of each passage or note are saturated; lines by kind, (norms,)."""
    bases, slopes = (np.array(one)[kinds] for one in zip(*lines, strict=True))
    return np.asarray(bases + slopes * norms)


def _saturate(gains: Array, counts: Array, saturations: Array) -> Array:
    """What each term gives where it is held so often: BM25, (terms, norms).

    gains  (terms, 1), or of each norm
    """
    with np.errstate(invalid="ignore"):  # 0 / 0 where k1 is 0
        gained = gains * counts / (counts + saturations)
    gained[counts == 0] = 0
    return np.asarray(gained)


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


def _runs(starts: Array, ends: Array) -> Array:
    """The numbers of the runs [start, end), one after another."""
    sizes = ends - starts
    before = np.cumsum(sizes) - sizes
    return np.repeat(starts - before, sizes) + np.arange(int(sizes.sum()))


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
        none = np.zeros(0, np.int32)
        self._terms = len(terms)
        self.ids: Array = np.concatenate([none, *(term.times.ids for term in terms)])
        self.times: Array = np.concatenate([none, *(term.times.times for term in terms)])
        sizes = [len(term.times) for term in terms]
        self.starts: Array = np.cumsum([0, *sizes])
        self.rows: Array = np.repeat(np.arange(len(terms)), np.diff(self.starts))

    def at(self, passages: Array, scratch: Array) -> Array:
        """How often each of the passages holds each term, (terms, passages); no passage twice."""
        held = np.zeros((self._terms, len(passages)), np.int32)
        if not len(passages):
            return held
        try:
            scratch[passages] = np.arange(1, len(passages) + 1)
            places = scratch[self.ids]
        finally:
            scratch[passages] = 0
        some = places.nonzero()[0]
        held[self.rows[some], places[some] - 1] = self.times[some]
        return held

    def within(self, firsts: Array, ends: Array) -> Array:
        """How often the passages of each note [first, end) hold each term, (terms, notes)."""
        # In one ascending row of numbers: the passages of the first term, of the second, ...
        step = max(int(ends.max(initial=0)), int(self.ids.max(initial=0))) + 1
        starts_of = np.arange(self._terms)[:, None] * step
        bounds = np.stack((starts_of + firsts, starts_of + ends))
        summed = np.concatenate(([0], np.cumsum(self.times, dtype=np.int64)))
        found = summed[(self.rows * step + self.ids).searchsorted(bounds)]
        return np.asarray(found[1] - found[0])


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
    """Norms and traits of all passages, and the notes that they are in.

    norms   (size,) 'H' of each passage; 0: there is none of this id
    traits  (size,) 'H'
    firsts  (notes,) the first passage of each note, ascending
    ends    (notes,) the one after its last
    totals  (notes,) the norms of its passages together
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
        self.firsts: Array = np.flatnonzero(steps == 1)
        self.ends: Array = np.flatnonzero(steps == -1)
        norms = np.concatenate(([0], np.cumsum(self.norms, dtype=np.int64)))
        self.totals: Array = norms[self.ends] - norms[self.firsts]

    def notes_of(self, passages: Array) -> Array:
        """The place in `firsts` of the note of each passage."""
        return np.searchsorted(self.firsts, passages, "right") - 1


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
