"""A question asked in rounds: in parts, then for what the answers lack and for names they brought.

Anveshana (algorithms.md 3.1 to 3.4). `recall/decomposing.py` takes it apart, `following_up.py`
says what to ask next, `fusing.py` puts the lists together and says when to stop. What the question
itself found keeps its score, to which each further question adds; scores of the further ones are
shares of their best, so that lists can be compared. The further ones count for
`retrieval.round_share` of their weight: 1 is the formula as published, and finds much less.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from vaultmem.base.errors import BadInputError
from vaultmem.base.records import NamedTuple, replace
from vaultmem.language.stems import STOP_WORDS, Stems, words
from vaultmem.language.text import fold
from vaultmem.model.answers import Filters, Found, Part, Round
from vaultmem.model.trust import UNTRUSTED
from vaultmem.recall import fusing
from vaultmem.recall.belief.suspecting import suspicion_of
from vaultmem.recall.decomposing import Weights, decompose, subquery_weight
from vaultmem.recall.following_up import LOOKED_AT, NAME_SHARE, lacking, names_in
from vaultmem.recall.passages import Passages, passages_for
from vaultmem.storage.index.search.question import analyse
from vaultmem.storage.index.search.wordings import relations

if TYPE_CHECKING:
    from vaultmem.history.moment import Notes as Source
    from vaultmem.history.moment import Sight
    from vaultmem.vault.vault import Parts

Place = tuple[PurePosixPath, int]


class _Asked(NamedTuple):
    """One further question, and what it found."""

    told: Round
    scores: Mapping[Place, float]  # shares of its best


def checked(rounds: int | None, parts: Parts) -> int:
    """How many rounds are to be asked; None: as the settings say. Raises BadInputError."""
    most = max(1, parts.settings.retrieval_rounds)
    if rounds is None:
        return max(1, min(parts.settings.recall_rounds, most))
    if not 1 <= rounds <= most:
        raise BadInputError(
            f"{rounds} rounds cannot be asked",
            hint=f"ask 1 to {most} of them ('retrieval.rounds' in the settings)",
        )
    return rounds


def in_rounds(
    parts: Parts,
    query: str,
    *,
    rounds: int,
    limit: int,
    filters: Filters,
    sight: Sight | None,
) -> Passages:
    """What all rounds found, best first, as `passages_for` gives one; `rounds` is at least 2."""
    first = passages_for(parts, query, limit=limit, filters=filters, sight=sight)
    if not first.found:
        return first
    return _Asking(parts, query, first, limit=limit, filters=filters, sight=sight).ask(rounds)


class _Asking:
    """One question while it is asked in rounds."""

    def __init__(
        self,
        parts: Parts,
        query: str,
        first: Passages,
        *,
        limit: int,
        filters: Filters,
        sight: Sight | None,
    ) -> None:
        self._parts = parts
        self._query = query
        self._limit = limit
        self._filters = filters
        self._sight = sight
        self._first = first
        self._source: Source = parts.index if sight is None else sight.notes
        self._stemming = Stems(parts.settings.languages)
        self._relations = relations(self._stemming)
        self._question = analyse(query, self._stemming).asked
        self._best = first.found[0].score
        self._found = {_place(one): one for one in first.found}
        self._of_question = _scores(first.found)
        self._told = [Round(query=query, why="the question", passages=len(first.found), new=0)]
        self._told[0] = replace(self._told[0], new=len(first.found))
        self._asked: list[_Asked] = []

    def ask(self, rounds: int) -> Passages:
        settings = self._parts.settings
        parts = decompose(self._query, most=max(1, settings.retrieval_subqueries))
        weights = Weights(
            step=settings.retrieval_position_step,
            floor=settings.retrieval_position_floor,
            many=settings.retrieval_long_query_bonus,
            some=settings.retrieval_middle_query_bonus,
        )
        for i, part in enumerate(parts[1:], start=1):
            self._put(part, f"its part '{part}'", subquery_weight(i, part, weights), number=1)
        ranked = self._ranked()
        ended, number = "as many were asked as were wanted", 2
        while number <= rounds:
            further = self._further(ranked)
            if not further:
                ended = "nothing further to ask"
                break
            before, known = ranked[0].score, len(self._found)
            for query, why, weight in further:
                self._put(query, why, weight, number=number)
            ranked = self._ranked()
            if number < rounds and not fusing.goes_on(
                before,
                ranked[0].score,
                has_new=len(self._found) > known,
                rounds=number,
                least=settings.retrieval_improvement_threshold,
                most=rounds,
            ):
                ended = "the last round found nothing new"
                break
            number += 1
        return self._first._replace(found=ranked, rounds=tuple(self._told), ended=ended)

    def _put(self, query: str, why: str, weight: float, *, number: int) -> None:
        """Ask one further question, and keep what it found."""
        weight *= self._parts.settings.retrieval_round_share
        given = passages_for(
            self._parts, query, limit=self._limit, filters=self._filters, sight=self._sight
        )
        new = 0
        for one in given.found:
            if _place(one) not in self._found:
                self._found[_place(one)] = one
                new += 1
        told = Round(
            query=query,
            why=why,
            passages=len(given.found),
            new=new,
            number=number,
            weight=weight,
        )
        self._told.append(told)
        self._asked.append(_Asked(told, _scores(given.found)))

    def _further(self, ranked: list[Found]) -> list[tuple[str, str, float]]:
        """(query, why, weight) of what the best passages so far leave to be asked.

        Text from outside steers no question: it is not looked at.
        """
        notes = self._source.notes({one.path for one in ranked[:LOOKED_AT]})
        best = [
            one
            for one in ranked[:LOOKED_AT]
            if one.path in notes
            and notes[one.path].trust != UNTRUSTED
            and not suspicion_of(one, notes)
        ]
        weight = self._parts.settings.retrieval_followup_weight
        said = [(one.word, self._standing(one.stem)) for one in self._question]
        texts = [f"{one.passage.speaker} {one.passage.text}" for one in best]
        known = {one.stem for one in self._question}
        known.update(stem for one in ranked for stem in self._stems(one.passage.speaker))
        further = []
        missing = lacking(said, texts, self._stems)
        if missing and best:
            further.append((missing, f"what the first passages lack, '{missing}'", weight))
        names = names_in(
            ((one.passage.text, one.score) for one in best), known=known, stems=self._stems
        )
        for name in names:
            further.append((name, f"a name that was found, '{name}'", weight * NAME_SHARE))
        before = {fold(one.query) for one in self._told}
        return [one for one in further if fold(one[0]) not in before]

    def _standing(self, stem: str) -> set[str]:
        """The stem with those of words that stand for it: 'sold' where 'sell' was asked for."""
        groups = () if self._relations is None else self._relations.groups(stem)
        return {stem}.union(*(group.stems for group in groups))

    def _stems(self, text: str) -> set[str]:
        return {self._stemming(word) for word in words(fold(text)) if word not in STOP_WORDS}

    # --- one list of all -----------------------------------------------------------------------

    def _ranked(self) -> list[Found]:
        settings = self._parts.settings
        more = max(0.0, settings.retrieval_repeat_boost - 1)
        boost = 1 + more * settings.retrieval_round_share
        rounds = [fusing.Round(self._query, 1.0, _named(self._of_question))]
        rounds += [
            fusing.Round(one.told.query, one.told.weight, _named(one.scores)) for one in self._asked
        ]
        by_name = {_name(place): place for place in self._found}
        scores = fusing.fuse(rounds, boost=boost, most_boosts=settings.retrieval_repeat_cap)
        return [self._fused(by_name[name], score) for name, score in scores.items()]

    def _fused(self, place: Place, score: float) -> Found:
        """A passage with its score of all rounds, and what each of them gave.

        How much of the *question* it holds is known of what the question found; of others no more
        is believed than of the best of those, so that an answer is never due to a part alone.
        """
        one = self._found[place]
        total = score * self._best
        parts = one.parts if place in self._of_question else ()
        given = [
            Part(
                name=f"round {asked.told.number}",
                value=asked.told.weight * asked.scores[place] * self._best,
                note=f"{asked.scores[place]:.0%} of the best for '{asked.told.query}'",
            )
            for asked in self._asked
            if place in asked.scores
        ]
        alone = self._of_question.get(place, 0.0) * self._best
        repeated = total - alone - sum(part.value for part in given)
        if given and repeated > 0:
            given.append(Part(name="repeated", value=repeated, note="found more than once"))
        coverage = one.coverage
        if place not in self._of_question:
            asked = self._stems(self._query)
            held = asked & self._stems(one.passage.text)
            most = max(each.coverage for each in self._first.found)
            coverage = min(most, len(held) / max(1, len(asked)))
        return replace(one, score=total, parts=(*parts, *given), coverage=coverage)


def _place(one: Found) -> Place:
    return one.path, one.passage.seq


def _name(place: Place) -> str:
    return f"{place[0]}\0{place[1]:09}"


def _named(scores: Mapping[Place, float]) -> dict[str, float]:
    return {_name(place): score for place, score in scores.items()}


def _scores(found: Iterable[Found]) -> dict[Place, float]:
    """Scores as shares of the best one."""
    scores = {_place(one): one.score for one in found}
    best = max(scores.values(), default=0.0)
    return {place: max(0.0, score) / best for place, score in scores.items()} if best > 0 else {}
