"""From a question to what is searched for: terms with their postings, names, repaired words."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from vaultmem.index.pool import Term
from vaultmem.index.question import MOST_WORDS, Asked, Question
from vaultmem.index.scoring import idf
from vaultmem.index.terms import Terms
from vaultmem.model.recall import Repair

SELF = "user"  # who says I in a log of a person and an assistant


class LookedUp(NamedTuple):
    """What a question comes to in this index."""

    terms: tuple[Term, ...]  # those that some passage holds
    about: Collection[int]  # passages of the one person whom the question names
    repairs: tuple[Repair, ...]
    weight: float  # of all words asked for, known or not: what full coverage would give


class _Words:
    """Gathers terms while the words of a question are looked up one by one."""

    def __init__(self, terms: Terms, passages: int) -> None:
        self._terms = terms
        self._passages = passages
        self.found: list[Term] = []
        self.names: list[tuple[Term | None, dict[int, int]]] = []
        self.repairs: list[Repair] = []
        self.weight = 0.0

    def add(self, asked: Asked, *, fuzzy: bool) -> None:
        times = self._terms.with_stem(asked.stem)
        about = self._terms.about(asked.word)
        if about:
            self.names.append((self._term(asked.stem, asked.weight, times), about))
        elif times:
            self._add_term(asked.stem, asked.weight, times)
            self.weight += asked.weight * idf(self._passages, len(times))
        elif not (fuzzy and (self._repair_name(asked) or self._repair(asked))):
            self.weight += asked.weight * idf(self._passages, 0)

    def _repair_name(self, asked: Asked) -> bool:
        similar = self._terms.repair_name(asked.word)
        if not similar:
            return False
        for one in similar:
            self.names.append((None, self._terms.about(one.word)))
        self._repaired(asked.word, [(one.word, one.similarity) for one in similar])
        return True

    def _repair(self, asked: Asked) -> bool:
        stems = self._terms.repair(asked.word)
        if not stems:
            return False
        heaviest = 0.0
        for stem, similarity in stems:
            times = self._terms.with_stem(stem)
            self._add_term(stem, asked.weight * similarity**2, times)
            heaviest = max(heaviest, asked.weight * idf(self._passages, len(times)))
        self.weight += heaviest
        self._repaired(asked.word, stems)
        return True

    def _repaired(self, word: str, used: list[tuple[str, float]]) -> None:
        self.repairs.append(
            Repair(word=word, used=tuple(found for found, _ in used), similarity=used[0][1])
        )

    def _add_term(self, stem: str, weight: float, times: dict[int, int]) -> None:
        term = self._term(stem, weight, times)
        if term is not None:
            self.found.append(term)

    def _term(self, stem: str, weight: float, times: dict[int, int]) -> Term | None:
        if not times:
            return None
        gain = weight * idf(self._passages, len(times))
        return Term(stem, gain, times, sorted(times))


def look_up(question: Question, terms: Terms, *, passages: int, fuzzy: bool) -> LookedUp:
    """The terms of a question among so many passages.

    A name of somebody who speaks says *whom* the question is about, so turns are not searched
    for it (people say the name of the other); where it is all that is asked, it is searched for.
    """
    words = _Words(terms, passages)
    for asked in question.asked:
        words.add(asked, fuzzy=fuzzy)
    found = sorted(words.found, key=lambda term: (-term.gain, term.stem))[:MOST_WORDS]
    about = _the_one(words.names)
    if not words.names and question.of_self:
        about = terms.about(SELF)
    for term, said in words.names:
        if term is not None:
            found.append(term._replace(is_name=bool(words.found)))
        if not words.found:
            gain = idf(passages, len(said))
            found.append(Term("", gain, said, sorted(said)))
            words.weight += gain
    return LookedUp(tuple(found), about, tuple(words.repairs), words.weight)


def _the_one(names: list[tuple[Term | None, dict[int, int]]]) -> Collection[int]:
    """The passages of the one person named; nobody's when several are named."""
    if not names:
        return ()
    common = set(names[0][1])
    for _, passages in names[1:]:
        common.intersection_update(passages)
    return common
