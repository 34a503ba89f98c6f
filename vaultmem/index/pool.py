"""Which passages are scored: those with the heaviest words, and what stands beside them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from typing import NamedTuple

from vaultmem.index.lengths import BITS, SIZE, Lengths
from vaultmem.index.traits import ALONE

MOST_SCORED = 300  # candidates of a large index that are scored exactly, with their neighbours
ALL_SCORED = 600  # with no more candidates than this, all of them are
MOST_TIED = 2_000  # ... and so are those as good as the last of the scored ones
ENOUGH = 2_000  # when the heavier words have given so many, lighter ones add no new candidates
DATED = 4.0  # about what a rare word gives a candidate; see Scoring.time
_MOST_TIMES = 8  # repetitions beyond it no longer tell candidates apart
_REACH = 3  # passages that a window reaches to either side
_LOW = SIZE - 1
_SMALL_NOTE = 100  # passages: not worth picking from


class Term(NamedTuple):
    """A word that is searched for by its stem, and where it is."""

    word: str  # as asked for, or the one that stands in for a misspelt word
    gain: float  # weight in the question x idf
    times: dict[int, int]  # how often it is in a passage, by passage id
    order: Sequence[int]  # the passage ids, ascending
    stands_for: str = ""  # what this is to a word of the question; '': it is one itself
    covers: float = 1.0  # how much of its gain says that the question has an answer
    is_name: bool = False  # it names a speaker: whom, not what, so turns are not searched for it


class Note(NamedTuple):
    """The passages [first, end) of a note that has some in the pool."""

    first: int
    end: int
    scored: set[int]  # those of the pool


def _start(note: Note) -> int:
    return note.first


class Pool:
    """The candidates with their neighbours, by note.

    alone  passages that are all of their note
    notes  the others
    reach  passages whose words may count for one that is scored
    """

    def __init__(self, candidates: Iterable[int], lengths: Lengths) -> None:
        self._lengths = lengths
        self.alone: list[int] = []
        self.notes: list[Note] = []
        self.reach: set[int] = set()
        end = 0
        traits, block = lengths.traits(0), 0
        for passage in sorted(candidates):
            if passage >> BITS != block:
                block = passage >> BITS
                traits = lengths.traits(block)
            if traits[passage & _LOW] & ALONE:
                self.alone.append(passage)
                continue
            if passage >= end:
                first, end = self._note_around(passage)
                scored: set[int] = set()
                self.notes.append(Note(first, end, scored))
            scored.update(range(max(first, passage - _REACH), min(end, passage + _REACH + 1)))
        for note in self.notes:
            self._reach(note)

    def _reach(self, note: Note) -> None:
        if note.end - note.first <= _SMALL_NOTE:
            self.reach.update(range(note.first, note.end))
            return
        for passage in note.scored:
            self.reach.update(
                range(max(note.first, passage - _REACH), min(note.end, passage + _REACH + 1))
            )

    def by_note(self) -> Iterable[tuple[int, Sequence[int]]]:
        """The first passage of each note with its passages of the pool."""
        yield from ((passage, (passage,)) for passage in self.alone)
        yield from ((note.first, sorted(note.scored)) for note in self.notes)

    def note_of(self, passage: int) -> tuple[int, int]:
        """The passages [first, end) of the note that a passage of the pool is in."""
        i = bisect_right(self.notes, passage, key=_start) - 1
        if i >= 0 and passage < self.notes[i].end:
            return self.notes[i].first, self.notes[i].end
        return passage, passage + 1

    def _note_around(self, passage: int) -> tuple[int, int]:
        """The note of a passage: notes are apart by ids without a length."""
        norms = self._lengths.norm
        first, end = passage, passage + 1
        while first and norms(first - 1):
            first -= 1
        while norms(end):
            end += 1
        return first, end


def candidates(
    terms: Sequence[Term],
    passes: Callable[[int], bool] | None,
    *,
    dated: Iterable[int] = (),
) -> list[int]:
    """The passages that are worth scoring, by what their words weigh; neighbours not counted.

    passes  whether a passage may answer; None: every one may
    dated   passages of a time that the question names: one more word that they hold
    """
    rough: dict[int, float] = dict.fromkeys(dated, DATED)
    for term in sorted(terms, key=lambda term: -term.gain):
        _add(rough, term)
    if len(rough) <= ALL_SCORED:
        return [passage for passage in rough if passes is None or passes(passage)]
    if passes is None:
        least = sorted(rough.values())[-MOST_SCORED]
        return [passage for passage, gain in rough.items() if gain >= least][:MOST_TIED]
    ranked = sorted(rough, key=lambda passage: (-rough[passage], passage))
    return list(islice(filter(passes, ranked), MOST_SCORED))


def _add(rough: dict[int, float], term: Term) -> None:
    gains = [term.gain * times / (times + 1) for times in range(_MOST_TIMES + 1)]
    get = rough.get
    if len(rough) < ENOUGH:
        for passage, times in term.times.items():
            rough[passage] = get(passage, 0.0) + gains[times if times < _MOST_TIMES else -1]
        return
    for passage in rough.keys() & term.times.keys():
        rough[passage] += gains[min(term.times[passage], _MOST_TIMES)]
