"""Which passages are scored: those with the heaviest words, and what stands beside them."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from itertools import islice

from vaultmem.base import Generic, NamedTuple
from vaultmem.storage.index.text.postings import BITS, SIZE, H, Lengths
from vaultmem.storage.index.text.traits import ALONE, WINDOW, WINDOW_SCALE

# With 300 of the candidates that tie, and not 2,000, a question to 100,000 passages takes 11 ms of
# CPU in place of 27, and the top ten of 60 questions are those of scoring every candidate.
MOST_SCORED = 300  # candidates of a large index that are scored exactly, with their neighbours
ALL_SCORED = 600  # with no more candidates than this, all of them are
STRETCH_BITS = 5  # ties are decided by the words of 32 passages in a row, about a conversation
ENOUGH = 2_000  # when the heavier words have given so many, lighter ones add no new candidates
WITH_THEM = 2.0  # times what its words weigh, for a turn of somebody named, or beside one
DATED = 4.0  # about what a rare word gives a candidate; see Scoring.time
MOST_TIMES = 8  # repetitions beyond it no longer tell candidates apart
REACH = 3  # passages that a window reaches to either side
_LOW = SIZE - 1
SMALL_NOTE = 100  # passages of a note that are all in reach: not worth picking from

# Whole numbers, so that the order in which they are added up changes no last digit.
WEIGHTS = tuple(round(weight * WINDOW_SCALE) for weight in WINDOW)
_STEPS = tuple((side * step, weight) for step, weight in enumerate(WEIGHTS, 1) for side in (-1, 1))


class Term(NamedTuple, Generic[H]):
    """A word that is searched for by its stem, and where it is."""

    word: str  # as asked for, or the one that stands in for a misspelt word
    gain: float  # weight in the question x idf
    times: H  # the passages that hold it, and how often
    stands_for: str = ""  # what this is to a word of the question; '': it is one itself
    covers: float = 1.0  # how much of its gain says that the question has an answer
    is_name: bool = False  # it names a speaker: whom, not what; see `traits.OF_SOMEBODY`
    is_own: bool = False  # it says something of the passage alone, not of what stands beside it


DictTerm = Term[dict[int, int]]


class Person(NamedTuple, Generic[H]):
    """Somebody whom the question names, and who speaks in some note."""

    said: H  # the turns said by them
    about: H  # the items about them
    held: H | None  # passages that hold the name; None: none does, as it was misspelt


DictPerson = Person[dict[int, int]]


def within(times: dict[int, int], first: int, end: int) -> int:
    """How often the passages [first, end) hold a term."""
    if len(times) < end - first:
        return sum(count for passage, count in times.items() if first <= passage < end)
    return sum(times.get(passage, 0) for passage in range(first, end))


class Note(NamedTuple):
    """The passages [first, end) of a note that has some in the pool."""

    first: int
    end: int
    scored: list[int]  # those of the pool, ascending


def _start(note: Note) -> int:
    return note.first


class Pool:
    """The candidates with their neighbours, by note.

    alone  passages that are all of their note
    notes  the others
    reach  passages whose words may count for one that is scored
    """

    def __init__(self, candidates: Iterable[int], lengths: Lengths) -> None:
        self.alone: list[int] = []
        self.notes: list[Note] = []
        self.reach: set[int] = set()
        end = 0
        ordered = sorted(candidates)
        lengths.expect(passage >> BITS for passage in ordered)
        traits, block = lengths.traits(0), 0
        for passage in ordered:
            if passage >> BITS != block:
                block = passage >> BITS
                traits = lengths.traits(block)
            if traits[passage & _LOW] & ALONE:
                self.alone.append(passage)
                continue
            if passage >= end:
                first, end = lengths.talk_around(passage)
                scored: list[int] = []
                self.notes.append(Note(first, end, scored))
            last = scored[-1] + 1 if scored else first
            scored.extend(range(max(last, passage - REACH), min(end, passage + REACH + 1)))
        for note in self.notes:
            self._reach(note)

    def _reach(self, note: Note) -> None:
        # The windows at its ends reach into the talks beside it, and into no other note: ids of
        # notes are farther apart.
        if note.end - note.first <= SMALL_NOTE:
            self.reach.update(range(note.first - REACH, note.end + REACH))
            return
        for passage in note.scored:
            self.reach.update(range(passage - REACH, passage + REACH + 1))

    def by_note(self) -> Iterable[tuple[int, Sequence[int]]]:
        """The first passage of each note with its passages of the pool."""
        yield from ((passage, (passage,)) for passage in self.alone)
        yield from ((note.first, note.scored) for note in self.notes)

    def note_of(self, passage: int) -> tuple[int, int]:
        """The passages [first, end) of the note that a passage of the pool is in."""
        i = bisect_right(self.notes, passage, key=_start) - 1
        if i >= 0 and passage < self.notes[i].end:
            return self.notes[i].first, self.notes[i].end
        return passage, passage + 1


def candidates(
    terms: Sequence[DictTerm],
    passes: Callable[[int], bool] | None,
    *,
    dated: Iterable[int] = (),
    people: Sequence[DictPerson] = (),
) -> list[int]:
    """The passages that are worth scoring, by what their words weigh; neighbours not counted.

    passes  whether a passage may answer; None: every one may
    dated   passages of a time that the question names: one more word that they hold
    people  whom the question names: what is said by them, or beside it, weighs WITH_THEM
    """
    rough: dict[int, float] = dict.fromkeys(dated, DATED)
    for term in sorted(terms, key=lambda term: -term.gain):
        _add(rough, term)
    if len(rough) <= ALL_SCORED:
        return [passage for passage in rough if passes is None or passes(passage)]
    if people:
        _raise_with(rough, [person.said for person in people])
    if passes is None:
        least = sorted(rough.values())[-MOST_SCORED]
        best = [passage for passage, gain in rough.items() if gain > least]
        tied = [passage for passage, gain in rough.items() if gain == least]
        room = MOST_SCORED - len(best)
        # Of candidates that tie 300 are scored instead of up to 2,000: at 100,000 passages a
        # question took 27 ms of processor and takes 11, with the same ten first (60 questions).
        if len(tied) > room:
            around = _around(terms)
            # The farther one comes from a word, the more passages hold nothing but it: what
            # stands around them tells which are scored.
            tied.sort()
            tied.sort(key=lambda passage: -around[passage >> STRETCH_BITS])
        return [*best, *tied[:room]]
    # The heaviest are asked first whether they may answer, and only until enough of them may.
    ranked = sorted(rough, key=lambda passage: (-rough[passage], passage))
    return list(islice(filter(passes, ranked), MOST_SCORED))


def _raise_with(rough: dict[int, float], said: Sequence[dict[int, int]]) -> None:
    """Raise what is said by somebody, or beside it: ids of other notes are farther away."""
    for passage in rough:
        for one in said:
            # Of five conversations among 18,000 passages of others R@10 is .802 with the talks of
            # who is named in front, and was .726 (LoCoMo 0-4, tests.bench.mixed).
            if passage in one or passage - 1 in one or passage + 1 in one:
                rough[passage] *= WITH_THEM
                break


def _around(terms: Sequence[DictTerm]) -> defaultdict[int, float]:
    """What the words of each stretch of passages weigh, each word once."""
    around: defaultdict[int, float] = defaultdict(float)
    for term in terms:
        for stretch in {passage >> STRETCH_BITS for passage in term.times}:
            around[stretch] += term.gain
    return around


def _add(rough: dict[int, float], term: DictTerm) -> None:
    gains = [term.gain * times / (times + 1) for times in range(MOST_TIMES + 1)]
    get = rough.get
    if len(rough) < ENOUGH:
        for passage, times in term.times.items():
            rough[passage] = get(passage, 0.0) + gains[times if times < MOST_TIMES else -1]
        return
    for passage in rough.keys() & term.times.keys():
        rough[passage] += gains[min(term.times[passage], MOST_TIMES)]


def neighbours(times: dict[int, int]) -> dict[int, int]:
    """What the neighbours of each passage that holds a term, or is near one, count by WEIGHTS."""
    near: dict[int, int] = {}
    get = near.get
    for passage, count in times.items():
        near[passage] = get(passage, 0)
        for step, weight in _STEPS:
            other = passage + step
            near[other] = get(other, 0) + weight * count
    return near
