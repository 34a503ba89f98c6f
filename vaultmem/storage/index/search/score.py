"""Scores of passages for a question: BM25 over a window of neighbours, and what people mean.

The formula of retrieval.md section 7 (T1): the words of neighbouring passages of the same note
count with the passage's own, inside one saturation, against a length that is windowed the same
way. A turn of a conversation weighs more the more it says: its length, who it is about, names and
times in it. These strengths come from a logistic regression of which turns answer anything,
rounded; chosen on four conversations, they gain on the fifth. Every part has a name, and can be
switched off to see what it gives.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Mapping, Sequence

from vaultmem.base import TYPE_CHECKING, NamedTuple
from vaultmem.storage.index.search.bm25 import Scoring, saturations
from vaultmem.storage.index.search.candidates import SMALL_NOTE, DictTerm, Pool, neighbours, within
from vaultmem.storage.index.search.factors import ABOUT_BIT, FACTOR_BITS, Factors, Named
from vaultmem.storage.index.text.postings import BITS, SIZE, Lengths
from vaultmem.storage.index.text.traits import ANSWERS, TURN, WIDEST, WIDTH_SHIFT, WINDOW_SCALE

if TYPE_CHECKING:
    from vaultmem.storage.index.search.lookup import LookedUp


_LOW = SIZE - 1


class _Row(NamedTuple):
    """A term as the passages of one note see it."""

    gain: float
    counts: dict[int, float]  # windowed, by passage
    term: DictTerm
    named: tuple[str, str]  # what a part of the score is called after it, and its note


class _Products(dict[int, float]):
    """The factor of each mix of traits, as it is met: a look-up a passage instead of a call."""

    def __init__(self, factors: Factors) -> None:
        super().__init__()
        self._factors = factors

    def __missing__(self, key: int) -> float:
        found = self[key] = self._factors.product(key & FACTOR_BITS, is_about=key > FACTOR_BITS)
        return found


class Scorer:
    """Exact scores of the passages of a pool for one question."""

    def __init__(
        self,
        terms: Sequence[DictTerm],
        pool: Pool,
        lengths: Lengths,
        *,
        mean_norm: float,
        mean_note: float,
        about: Collection[int],
        asks_when: bool,
        near: Mapping[int, float],
        meant: Mapping[int, tuple[float, str]],
        scoring: Scoring,
    ) -> None:
        """`meant`: what being like the question gives to passages, and why."""
        self._terms = terms
        self._pool = pool
        self._lengths = lengths
        self._about = about
        self._near = near if scoring.time else {}
        self._meant = meant
        # What is given beside words: added up once, as every passage asks for it.
        self._given = {passage: scoring.time * one for passage, one in self._near.items()}
        for passage, (value, _) in meant.items():
            self._given[passage] = self._given.get(passage, 0.0) + value
        self._scoring = scoring
        lines = saturations(scoring, mean_norm=mean_norm, mean_note=mean_note)
        (self._base, self._slope), (self._note_base, self._note_slope) = lines
        self._alone = frozenset(pool.alone)
        self._grouped: dict[int, int] = {}  # traits
        for note in pool.notes:
            self._grouped.update(zip(note.scored, lengths.bits_of(note.scored), strict=True))
        self._held = [
            {passage: term.times[passage] for passage in term.times.keys() & pool.reach}
            for term in terms
        ]
        self._counts = [
            self._window_counts(term.times, held)
            for term, held in zip(terms, self._held, strict=True)
        ]
        self._factors = Factors(scoring, asks_when=asks_when)

    def scores(self) -> list[tuple[float, int]]:
        """(score, passage) of every passage of the pool."""
        found = self._in_notes()
        self._add_alone(found)
        return found

    def _in_notes(self) -> list[tuple[float, int]]:
        """Scores of passages with neighbours, word by word: most passages hold one or two."""
        totals: dict[int, float] = {}
        for note, gained in zip(self._pool.notes, self._of_notes(), strict=True):
            totals.update(dict.fromkeys(note.scored, gained))
        for passage in self._given.keys() & totals.keys():
            totals[passage] += self._given[passage]
        base, slope, k1 = self._base, self._slope, self._scoring.k1
        norms_of = self._lengths.norms_of
        saturations = {
            passage: base + slope * norm
            for note in self._pool.notes
            for passage, norm in zip(note.scored, norms_of(note.scored), strict=True)
        }
        silent = self._in_turns() if any(term.is_name for term in self._terms) else set()
        for term, counts in zip(self._terms, self._counts, strict=True):
            gain = (k1 + 1) * term.gain
            if term.is_name:
                counts = {one: count for one, count in counts.items() if one not in silent}
            for passage, count in counts.items():
                totals[passage] += gain * count / (count + saturations[passage])
        about, bits, factors = self._about, self._grouped, _Products(self._factors)
        if not about:
            return [
                (total * factors[bits[passage] & FACTOR_BITS], passage)
                for passage, total in totals.items()
                if total
            ]
        return [
            (total * factors[bits[passage] & FACTOR_BITS | (passage in about) * ABOUT_BIT], passage)
            for passage, total in totals.items()
            if total
        ]

    def _in_turns(self) -> set[int]:
        """The scored passages of conversations, which are not searched for names."""
        notes, bits = self._pool.notes, self._lengths.bits
        return {one for note in notes if bits(note.first) & TURN for one in note.scored}

    def _of_notes(self) -> list[float]:
        """What the words of each note as a whole give to its passages, in the pool's order."""
        notes, share, k1 = self._pool.notes, self._scoring.note, self._scoring.k1
        if not share:
            return [0.0] * len(notes)
        firsts = [note.first for note in notes]
        of_turns = [bool(self._lengths.bits(first) & TURN) for first in firsts]
        saturations = [
            self._note_base + self._note_slope * self._lengths.total(note.first, note.end)
            for note in notes
        ]
        # Not all of a large note is in reach.
        large = [i for i, note in enumerate(notes) if note.end - note.first > SMALL_NOTE]
        totals = [0.0] * len(notes)
        for term, held in zip(self._terms, self._held, strict=True):
            times_of: dict[int, int] = {}
            for passage, times in held.items():
                i = bisect_right(firsts, passage) - 1
                times_of[i] = times_of.get(i, 0) + times
            for i in large:
                times_of[i] = within(term.times, notes[i].first, notes[i].end)
            gain = (k1 + 1) * term.gain
            for i, times in times_of.items():
                if times and not (term.is_name and of_turns[i]):
                    totals[i] += gain * times / (times + saturations[i])
        return [share * total for total in totals]

    def _add_alone(self, found: list[tuple[float, int]]) -> None:
        """Scores of passages without neighbours: the same formula, with less to look at."""
        base, slope, about = self._base, self._slope, self._about
        factor = self._factors.product
        given_to = self._given.get
        k1, share = self._scoring.k1, self._scoring.note
        note_base, note_slope = self._note_base, self._note_slope
        lookups = [((k1 + 1) * term.gain, term.times.get) for term in self._terms]
        of_turns = [one for one, term in zip(lookups, self._terms, strict=True) if not term.is_name]
        norms, traits, block = self._lengths.norms(0), self._lengths.traits(0), 0
        for passage in self._pool.alone:
            if passage >> BITS != block:
                block = passage >> BITS
                norms, traits = self._lengths.norms(block), self._lengths.traits(block)
            bits = traits[passage & _LOW]
            norm = norms[passage & _LOW]
            saturation, of_note = base + slope * norm, note_base + note_slope * norm
            total = given_to(passage, 0.0)
            for gain, times_of in of_turns if bits & TURN else lookups:
                times = times_of(passage)
                if times:
                    total += gain * times / (times + saturation)
                    total += share * gain * times / (times + of_note)
            if total:
                found.append((total * factor(bits, is_about=passage in about), passage))

    def parts(self, passage: int) -> list[Named]:
        """What each word and factor gave; the values add up to the score."""
        saturation = self._base + self._slope * self._lengths.norm(passage)
        total, found = 0.0, []
        first, end = self._pool.note_of(passage)
        rows = self._rows(first)
        for row in rows:
            count = (row.term.times if passage in self._alone else row.counts).get(passage)
            if count:
                gained = row.gain * count / (count + saturation)
                name, note = row.named
                found.append(Named(name, gained, note))
                total += gained
        of_note = self._of_note(first, end, rows)
        if of_note:
            found.append(Named("note", of_note, "the note as a whole"))
            total += of_note
        near = self._near.get(passage, 0.0)
        if near:
            note = "of the time you name" if near >= 1 else "near the time you name"
            found.append(Named("time", self._scoring.time * near, note))
            total += self._scoring.time * near
        meant, why = self._meant.get(passage, (0.0, ""))
        if meant:
            found.append(Named("meaning", meant, why))
            total += meant
        for factor in self._factors.of(self._lengths.bits(passage), passage in self._about):
            found.append(Named(factor.name, total * factor.value, factor.note))
            total *= 1 + factor.value
        return found

    def coverage(self, passage: int, looked_up: LookedUp[dict[int, int]]) -> float:
        """The share of the question's weight that the passage or its neighbours hold, 0..1.

        What is of a time that the question names holds the words of it.
        """
        weight = looked_up.weight
        held = sum(
            term.gain * term.covers
            for term, counts in zip(self._terms, self._counts, strict=True)
            if passage in (term.times if passage in self._alone else counts)
        )
        held += self._near.get(passage, 0.0) * looked_up.of_times
        return min(1.0, held / weight) if weight else 0.0

    # --- words -----------------------------------------------------------------------------

    def _window_counts(self, times: dict[int, int], held: dict[int, int]) -> dict[int, float]:
        """How often passages with neighbours hold a term, counting neighbours by their weights.

        held  what of `times` is in reach
        """
        counts: dict[int, float] = {}
        near = neighbours(held)
        window = self._scoring.window / (WIDEST * WINDOW_SCALE)
        answers = self._scoring.answers
        bits_of, own = self._grouped.get, times.get
        for passage, around in near.items():
            bits = bits_of(passage)
            if bits is None:
                continue
            count = own(passage, 0) + window * (bits >> WIDTH_SHIFT & WIDEST) * around
            if bits & ANSWERS:
                count += answers * times.get(passage - 1, 0)
            if count:
                counts[passage] = count
        return counts

    def _rows(self, first: int) -> list[_Row]:
        """The terms as a note sees them; a name says nothing of what is said in a turn."""
        in_turns = self._lengths.bits(first) & TURN
        k1 = self._scoring.k1
        return [
            _Row((k1 + 1) * term.gain, counts, term, _part_name(term))
            for term, counts in zip(self._terms, self._counts, strict=True)
            if not (term.is_name and in_turns)
        ]

    def _of_note(self, first: int, end: int, rows: Sequence[_Row]) -> float:
        """What the words of a note as a whole give to each of its passages: BM25 of the note."""
        share = self._scoring.note
        if not share:
            return 0.0
        saturation = self._note_base + self._note_slope * self._lengths.total(first, end)
        total = 0.0
        for row in rows:
            times = within(row.term.times, first, end)
            if times:  # with a k1 of 0 there is nothing to divide by
                total += row.gain * times / (times + saturation)
        return share * total


def _part_name(term: DictTerm) -> tuple[str, str]:
    return ("related", term.stands_for) if term.stands_for else ("word", term.word)
