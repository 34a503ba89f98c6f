"""Scores of passages for a question: BM25 over a window of neighbours, and what people mean.

The formula of retrieval.md section 7 (T1): the words of neighbouring passages of the same note
count with the passage's own, inside one saturation, against a length that is windowed the same
way. A turn of a conversation weighs more the more it says: its length, who it is about, names and
times in it. These strengths come from a logistic regression of which turns answer anything,
rounded; chosen on four conversations, they gain on the fifth. Every part has a name, and can be
switched off to see what it gives.

Half of a question's words count for the answer that follows it; BM25 of the note as a whole,
against its length, adds three tenths. Title, aliases, tags, entities and category words count once
more with the first passage, and so do properties of a page and the name of its folder. Groups of
words stand for a word, each as one word more for half its weight (`related.py`). A question for
leave is answered by items marked critical, which have a posting of their own.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Callable, Collection, Mapping, Sequence
from heapq import nlargest
from itertools import chain

from vaultmem.base import TYPE_CHECKING, Any, NamedTuple, Protocol
from vaultmem.storage.index.search.bm25 import (
    TEXT_K1,
    TEXT_LEAST,
    TEXT_RELATED,
    TEXT_SCALE,
    Scoring,
    idf,
    saturations,
)
from vaultmem.storage.index.search.candidates import (
    SMALL_NOTE,
    DictPerson,
    DictTerm,
    Pool,
    Term,
    candidates,
    neighbours,
    within,
)
from vaultmem.storage.index.search.lookup import LookedUp, look_up
from vaultmem.storage.index.search.terms import Terms
from vaultmem.storage.index.store.sqlite import sqlite3
from vaultmem.storage.index.text.postings import BITS, SIZE, DictReader, Lengths
from vaultmem.storage.index.text.traits import (
    ANSWERS,
    ASKS,
    FIRST_PERSON,
    MOST_NAMES,
    MOST_WORDS,
    NAMES_SHIFT,
    OF_SOMEBODY,
    SINGLE,
    TALK,
    TEMPORAL,
    TEXT,
    TURN,
    WIDEST,
    WIDTH_SHIFT,
    WINDOW_SCALE,
    WORDS_SHIFT,
    kind_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from vaultmem.storage.index.search.bm25 import Likely, Mean, Scoring
    from vaultmem.storage.index.search.dates import Dating
    from vaultmem.storage.index.search.lookup import LookedUp
    from vaultmem.storage.index.search.question import Question
    from vaultmem.storage.index.search.related import Relations

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
        means: Sequence[Mean],
        about: Collection[int],
        asks_when: bool,
        near: Mapping[int, float],
        meant: Mapping[int, tuple[float, str]],
        scoring: Scoring,
        people: Sequence[DictPerson] = (),
        strongest: Mapping[int, float] | None = None,
    ) -> None:
        """What a question gives to passages.

        meant      what being like the question gives to passages, and why
        strongest  by the first passage of a text, what the words of its best passage give; None:
                   the pool has all passages of its texts that are scored
        """
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
        self._lines = saturations(scoring, means)
        self._strongest = dict(strongest or {})
        self._alone = frozenset(pool.alone)
        self._grouped: dict[int, int] = {}  # traits
        for note in pool.notes:
            self._grouped.update(zip(note.scored, lengths.bits_of(note.scored), strict=True))
        self._held = [
            {passage: term.times[passage] for passage in term.times.keys() & pool.reach}
            for term in terms
        ]
        self._counts = [
            self._own_counts(held) if term.is_own else self._window_counts(term.times, held)
            for term, held in zip(terms, self._held, strict=True)
        ]
        self._factors = Factors(scoring, asks_when=asks_when)
        self._company = shares_of_people(people, pool, lengths) if scoring.company else {}

    def scores(self) -> list[tuple[float, int]]:
        """(score, passage) of every passage of the pool."""
        found = self._in_notes()
        self._add_alone(found)
        if self._company:
            company, share_of = self._scoring.company, self._company.get
            found = [
                (score * (1 + company * share_of(passage, 0.0)), passage)
                for score, passage in found
            ]
        return found

    def _in_notes(self) -> list[tuple[float, int]]:
        """Scores of passages with neighbours, word by word: most passages hold one or two."""
        notes, k1 = self._pool.notes, self._scoring.k1
        kinds = [kind_of(self._lengths.bits(note.first)) for note in notes]
        totals: dict[int, float] = {}
        saturations: dict[int, float] = {}
        norms_of = self._lengths.norms_of
        of_notes = self._of_notes(kinds)
        for note, kind, of_note in zip(notes, kinds, of_notes, strict=True):
            totals.update(dict.fromkeys(note.scored, 0.0 if kind == TEXT else of_note))
            base, slope = self._lines[kind].passage
            for passage, norm in zip(note.scored, norms_of(note.scored), strict=True):
                saturations[passage] = base + slope * norm
        silent = self._in_turns() if any(term.is_name for term in self._terms) else set()
        for term, counts in zip(self._terms, self._counts, strict=True):
            gain = (k1 + 1) * term.gain
            if term.is_name:
                counts = {one: count for one, count in counts.items() if one not in silent}
            for passage, count in counts.items():
                totals[passage] += gain * count / (count + saturations[passage])
        for note, kind, of_note in zip(notes, kinds, of_notes, strict=True):
            if kind == TEXT:
                best = self._strongest[note.first] = max(totals[one] for one in note.scored)
                times = self._times_of_text(of_note, best)
                for passage in note.scored:
                    totals[passage] *= times
        for passage in self._given.keys() & totals.keys():
            totals[passage] += self._given[passage]
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
        """The scored passages of conversations and items, which are not searched for names."""
        notes, bits = self._pool.notes, self._lengths.bits
        return {one for note in notes if bits(note.first) & OF_SOMEBODY for one in note.scored}

    def _times_of_text(self, of_note: float, best: float) -> float:
        """What the words of a passage of a text are multiplied by.

        The best passage has the words of the note with its own; of the others each as much of
        them as its own words are of the best one's: what holds no word is no answer.
        """
        if not best:
            return 0.0
        return max(TEXT_LEAST, TEXT_SCALE * (1 + self._scoring.text * of_note / best))

    def _of_notes(self, kinds: Sequence[int]) -> list[float]:
        """What the words of each note as a whole give, in the pool's order; of texts, in full."""
        notes, scoring = self._pool.notes, self._scoring
        firsts = [note.first for note in notes]
        saturations = []
        for note, kind in zip(notes, kinds, strict=True):
            base, slope = self._lines[kind].note
            saturations.append(base + slope * self._lengths.total(note.first, note.end))
        # Not all of a large note is in reach.
        large = [i for i, note in enumerate(notes) if note.end - note.first > SMALL_NOTE]
        totals = [0.0] * len(notes)
        of_somebody = [self._lengths.bits(first) & OF_SOMEBODY for first in firsts]
        for term, held in zip(self._terms, self._held, strict=True):
            times_of: dict[int, int] = {}
            for passage, times in held.items():
                i = bisect_right(firsts, passage) - 1
                if i < 0 or passage >= notes[i].end:
                    continue  # of a talk beside it
                times_of[i] = times_of.get(i, 0) + times
            for i in large:
                times_of[i] = within(term.times, notes[i].first, notes[i].end)
            gains = note_gains(term, scoring)
            for i, times in times_of.items():
                if times and not (term.is_own or (term.is_name and of_somebody[i])):
                    totals[i] += gains[kinds[i]] * times / (times + saturations[i])
        shares = [1.0 if kind == TEXT else scoring.note for kind in kinds]
        return [share * total for share, total in zip(shares, totals, strict=True)]

    def _add_alone(self, found: list[tuple[float, int]]) -> None:
        """Scores of passages without neighbours: the same formula, with less to look at."""
        about = self._about
        factor = self._factors.product
        given_to = self._given.get
        k1, share = self._scoring.k1, self._scoring.note
        (base, slope), (note_base, note_slope) = self._lines[SINGLE]
        talk_lines = self._lines[TALK]
        lookups = [((k1 + 1) * term.gain, term.times.get) for term in self._terms]
        of_turns = [one for one, term in zip(lookups, self._terms, strict=True) if not term.is_name]
        norms, traits, block = self._lengths.norms(0), self._lengths.traits(0), 0
        for passage in self._pool.alone:
            if passage >> BITS != block:
                block = passage >> BITS
                norms, traits = self._lengths.norms(block), self._lengths.traits(block)
            bits = traits[passage & _LOW]
            norm = norms[passage & _LOW]
            if bits & TURN:
                saturation = talk_lines.passage[0] + talk_lines.passage[1] * norm
                of_note = talk_lines.note[0] + talk_lines.note[1] * norm
            else:
                saturation, of_note = base + slope * norm, note_base + note_slope * norm
            total = given_to(passage, 0.0)
            for gain, times_of in of_turns if bits & OF_SOMEBODY else lookups:
                times = times_of(passage)
                if times:
                    total += gain * times / (times + saturation)
                    total += share * gain * times / (times + of_note)
            if total:
                found.append((total * factor(bits, is_about=passage in about), passage))

    def parts(self, passage: int) -> list[Named]:
        """What each word and factor gave; the values add up to the score."""
        total, found = 0.0, []
        first, end = self._pool.note_of(passage)
        kind = kind_of(self._lengths.bits(first))
        base, slope = self._lines[kind].passage
        saturation = base + slope * self._lengths.norm(passage)
        rows = self._rows(first)
        for row in rows:
            count = (row.term.times if passage in self._alone else row.counts).get(passage)
            if count:
                gained = row.gain * count / (count + saturation)
                gained *= TEXT_SCALE if kind == TEXT else 1.0
                name, note = row.named
                found.append(Named(name, gained, note))
                total += gained
        of_note = self._of_note(first, end, rows, kind)
        if kind == TEXT:
            times = self._times_of_text(of_note, self._strongest.get(first, 0.0))
            of_note = total * (times / TEXT_SCALE - 1)
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
        company = self._scoring.company * self._company.get(passage, 0.0)
        if company:
            found.append(Named("company", total * company, "of a talk with the one you name"))
        return found

    def coverage(self, passage: int, looked_up: LookedUp[dict[int, int]]) -> float:
        """The share of the question's weight that the passage or its neighbours hold, 0..1.

        What is of a time that the question names holds the words of it.
        """
        weight = looked_up.weight
        held = 0.0  # not by `sum`, which since Python 3.12 rounds otherwise than arrays do
        for term, counts in zip(self._terms, self._counts, strict=True):
            if passage in (term.times if passage in self._alone else counts):
                held += term.gain * term.covers
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

    def _own_counts(self, held: dict[int, int]) -> dict[int, float]:
        """As `_window_counts`, of what says nothing of the passages beside it."""
        return {passage: count for passage, count in held.items() if passage in self._grouped}

    def _rows(self, first: int) -> list[_Row]:
        """The terms as a note sees them; a name says nothing of what is said in a turn."""
        in_turns = self._lengths.bits(first) & OF_SOMEBODY
        k1 = self._scoring.k1
        return [
            _Row((k1 + 1) * term.gain, counts, term, _part_name(term))
            for term, counts in zip(self._terms, self._counts, strict=True)
            if not (term.is_name and in_turns)
        ]

    def _of_note(self, first: int, end: int, rows: Sequence[_Row], kind: int) -> float:
        """What the words of a note as a whole give: BM25 of the note; of a text, in full."""
        share = 1.0 if kind == TEXT else self._scoring.note
        base, slope = self._lines[kind].note
        saturation = base + slope * self._lengths.total(first, end)
        total = 0.0
        for row in rows:
            # Through the window 'Noted.' and 'Fine.' beside a wish came first, too: it says nothing
            # of the turns around it.
            if row.term.is_own and end - first > 1:
                continue
            times = within(row.term.times, first, end)
            if times:  # with a k1 of 0 there is nothing to divide by
                total += note_gains(row.term, self._scoring)[kind] * times / (times + saturation)
        return share * total


def note_gains(term: Term[Any], scoring: Scoring) -> tuple[float, ...]:
    """What a term gives at most to a note as a whole, of each kind of notes."""
    usual = (scoring.k1 + 1) * term.gain
    of_text = (TEXT_K1 + 1) * term.gain * (TEXT_RELATED if term.stands_for else 1.0)
    return usual, usual, of_text


def _part_name(term: DictTerm) -> tuple[str, str]:
    return ("related", term.stands_for) if term.stands_for else ("word", term.word)


# What the words of a passage are multiplied by: whom it is about, and how much it says.

# Where a passage names somebody in a talk in which they take no part. People tell an assistant of
# others, but most of what names somebody is not what is asked of them.
NAMED_ONLY = 0.5


def shares_of_people(
    people: Sequence[DictPerson], pool: Pool, lengths: Lengths
) -> dict[int, float]:
    """The share of the people who take part in a passage's talk, or are named in its note; not 0.

    In a vault of many lives most talks that hold the words of a question are of other people.
    """
    shares: dict[int, float] = {}
    for person in people:
        said = sorted(person.said)
        held = person.held if person.held is not None else {}
        for note in pool.notes:
            first, end = note.first, note.end
            if lengths.bits(first) & TURN:
                i = bisect_right(said, first - 1)
                is_there = i < len(said) and said[i] < end
            else:
                is_there = bool(within(person.about, first, end) or within(held, first, end))
            for passage in note.scored:
                if is_there or passage in held:
                    share = 1.0 if is_there else NAMED_ONLY
                    shares[passage] = shares.get(passage, 0.0) + share / len(people)
        for passage in pool.alone:
            is_there = passage in person.said or passage in person.about
            if is_there or passage in held:
                only = NAMED_ONLY if lengths.bits(passage) & TURN else 1.0
                share = 1.0 if is_there else only
                shares[passage] = shares.get(passage, 0.0) + share / len(people)
    return shares


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


# The best passages for a question: what is asked for, and the way without numpy.
#
# `arrays_ranking.py` is the other way, for a process that answers many questions. Both give the
# same passages with the same scores, to the last bit (tests/storage/index/test_arrays.py).

MOST_LIKE = 100  # passages that are candidates because of what they mean, not of a word
# What meaning gives to a passage that is all of its note, times what it gives to one of a longer
# text: a statement is a sentence, which models of sentences were made for, and words that a
# question does not share with it are all there is. 140 of 176 everyday questions instead of 135.
ALONE = 2.0
MOST_TIED = 500  # passages as good as the last one that are read to be put in order


class Size(NamedTuple):
    """How large an index is."""

    passages: int
    notes: int
    means: tuple[Mean, ...]  # of each kind of notes


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
        people = looked_up.people if wanted.scoring.company else ()
        chosen = candidates(looked_up.terms, wanted.allowed, dated=dated, people=people)
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
            means=size.means,
            about=looked_up.about,
            asks_when=question.asks_when,
            near=dating.nearness(pool.by_note()) if dating else {},
            meant=meaning_gains(like, pool.by_note(), gain) if like is not None and gain else {},
            scoring=wanted.scoring,
            people=people,
        )
        return Ranked(
            looked_up=looked_up,
            best=_best(scorer.scores(), wanted.limit),
            first_of=lambda passage: self._lengths.note_around(passage)[0],
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
