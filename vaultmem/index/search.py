"""Passages for a question: from its words to candidates, exact scores, and rows."""

from __future__ import annotations

import sqlite3
from bisect import bisect_right
from collections.abc import Callable, Collection, Mapping, Sequence
from heapq import nlargest
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.analysis import Stems
from vaultmem.index.lengths import Lengths
from vaultmem.index.lookup import look_up
from vaultmem.index.pool import Pool, candidates
from vaultmem.index.question import Question, analyse
from vaultmem.index.rows import ANSWERING, condition
from vaultmem.index.scoring import Named, Scorer, Scoring, idf
from vaultmem.index.storage import storable
from vaultmem.index.terms import Terms
from vaultmem.index.thesaurus import relations
from vaultmem.index.traits import NORM_SCALE
from vaultmem.model.recall import Filters, Found, Part, Passage, Repair, Stood

if TYPE_CHECKING:
    from vaultmem.index.dating import Dating
    from vaultmem.index.lookup import LookedUp
    from vaultmem.index.meaning import Likeness

MOST_LIKE = 100  # passages that are candidates because of what they mean, not of a word
_MOST_TIED = 500  # passages as good as the last one that are read to be put in order


FoundAndRepaired = tuple[list[Found], list[Repair]]


class Search(NamedTuple):
    """What was found for a question, and what was searched for."""

    found: tuple[Found, ...]
    repairs: tuple[Repair, ...]
    terms: tuple[str, ...]  # words that were searched for, the heaviest first
    stood: tuple[Stood, ...] = ()  # words for which others stood in, the heaviest first


class _Row(NamedTuple):
    path: str
    passage: Passage


class Searcher:
    """Answers questions on one state of the index."""

    def __init__(self, connection: sqlite3.Connection, stems: Stems, *, zone: str) -> None:
        self._connection = connection
        self._stems = stems
        self._zone = zone
        sizes = dict(
            connection.execute(
                "SELECT key, value FROM meta WHERE key IN ('passages', 'notes', 'norm_total')"
            )
        )
        self._passages = int(sizes.get("passages", 0))
        self._mean_norm = int(sizes.get("norm_total", 0)) / NORM_SCALE / max(self._passages, 1)
        notes = max(int(sizes.get("notes", 0)), 1)
        self._mean_note = int(sizes.get("norm_total", 0)) / NORM_SCALE / notes
        self._terms = Terms(connection)
        self._lengths = Lengths(connection)
        self._relations = relations(stems)

    def search(
        self,
        text: str,
        *,
        limit: int,
        filters: Filters,
        fuzzy: bool,
        scoring: Scoring,
        passes: Callable[[int], bool] | None = None,
        now: int | None = None,
        like: Likeness | None = None,
    ) -> Search:
        """At most `limit` passages, best first; ties by path, then order in the note.

        passes  whether a passage may answer, beside the filters
        now     UTC ms when it is asked; None: times in the question are words like others
        like    how like the question passages are, by vectors; None: words alone
        """
        question = analyse(text, self._stems, now=now, zone=self._zone)
        relations = self._relations if scoring.related else None
        looked_up = look_up(question, self._terms, relations, passages=self._passages, fuzzy=fuzzy)
        allowed = _both(self._passing(filters), passes)
        dating = self._dating(question) if question.windows and scoring.time else None
        dated = dating.passages() if dating else ()
        chosen = candidates(looked_up.terms, allowed, dated=dated)
        gain = scoring.meaning * self._weight(question, looked_up)
        if like is not None and gain:
            # The index may have been written since the vectors were lined up with it.
            nearest = like.nearest(MOST_LIKE, allowed)
            chosen = [*{*chosen, *(one for one in nearest if self._lengths.norm(one))}]
        pool = Pool(chosen, self._lengths)
        scorer = Scorer(
            looked_up.terms,
            pool,
            self._lengths,
            mean_norm=self._mean_norm,
            mean_note=self._mean_note,
            about=looked_up.about,
            asks_when=question.asks_when,
            near=dating.nearness(pool.by_note()) if dating else {},
            meant=_meant(like, pool, gain) if like is not None and gain else {},
            scoring=scoring,
        )
        best = _best(scorer.scores(), limit)
        rows = self._rows({passage: pool.note_of(passage)[0] for _, passage in best})
        within = [one for one in best if _is_within(rows[one[1]].passage.date, filters)]
        within.sort(key=lambda one: (-one[0], rows[one[1]].path, rows[one[1]].passage.seq))
        found = []
        for score, passage in within[:limit]:
            coverage = scorer.coverage(passage, looked_up)
            if like is not None:
                coverage = max(coverage, like.coverage(passage))
            found.append(_found(rows[passage], score, scorer.parts(passage), coverage))
        heaviest = sorted(looked_up.terms, key=lambda term: (-term.gain, term.word))
        return Search(
            found=tuple(found),
            repairs=looked_up.repairs,
            terms=tuple(dict.fromkeys(term.word for term in heaviest if term.word)),
            stood=tuple(
                Stood(word=term.word, how=term.stands_for, passages=len(term.times))
                for term in heaviest
                if term.stands_for
            ),
        )

    def _weight(self, question: Question, looked_up: LookedUp) -> float:
        """What a question weighs; where no word of it is known, what so rare words would."""
        if looked_up.weight:
            return looked_up.weight
        return sum(asked.weight for asked in question.asked) * idf(self._passages, 0)

    def _dating(self, question: Question) -> Dating:
        from vaultmem.index.dating import Dating

        return Dating(self._connection, question.windows)

    def _passing(self, filters: Filters) -> Callable[[int], bool] | None:
        """Whether a passage's note passes the filters; None when every note does."""
        only_answering = Filters(statuses=filters.statuses) == filters and set(
            filters.statuses
        ) == set(ANSWERING)
        if filters == Filters():
            return None
        if only_answering:  # nearly all notes: look up the few others
            where, values = "silent", list[object]()
        else:
            where, values = condition(filters)
        rows = self._connection.execute(
            f"SELECT first, first + size FROM notes WHERE {where} ORDER BY first",
            [storable(value) if isinstance(value, str) else value for value in values],
        ).fetchall()
        if only_answering and not rows:
            return None
        firsts = [first for first, _ in rows]
        ends = [end for _, end in rows]

        def passes(passage: int) -> bool:
            i = bisect_right(firsts, passage) - 1
            return (i >= 0 and passage < ends[i]) is not only_answering

        return passes

    def _rows(self, notes: Mapping[int, int]) -> dict[int, _Row]:
        """Passages as they are read, by id; `notes` has the first passage of each one's note."""
        firsts = sorted(set(notes.values()))
        of_note: dict[int, tuple[str, str]] = {
            first: (path, statement)
            for first, path, statement in self._connection.execute(
                f"SELECT first, path, statement FROM notes WHERE first IN ({_marks(firsts)})",
                firsts,
            )
        }
        rows = {}
        for id_, line, speaker, date, text in self._connection.execute(
            f"SELECT id, line, speaker, date, text FROM passages WHERE id IN ({_marks(notes)})",
            sorted(notes),
        ):
            path, statement = of_note[notes[id_]]
            passage = Passage(
                text=statement if text is None else text,
                seq=id_ - notes[id_],
                line=line,
                speaker=speaker,
                date=date,
            )
            rows[id_] = _Row(path, passage)
        return rows


def _meant(like: Likeness, pool: Pool, gain: float) -> dict[int, tuple[float, str]]:
    """What the passages of a pool gain by what they mean, and why."""
    passages = [passage for _, group in pool.by_note() for passage in group]
    found = {}
    for passage, (cosine, has_vector) in like.of(passages).items():
        why = f"{cosine:.0%} like the question" if has_vector else "no vector yet: as the others"
        found[passage] = (gain * cosine, why)
    return found


def _both(
    one: Callable[[int], bool] | None, other: Callable[[int], bool] | None
) -> Callable[[int], bool] | None:
    """Whether a passage passes both; None: every passage does."""
    if one is None or other is None:
        return one or other
    return lambda passage: one(passage) and other(passage)


def _marks(values: Collection[int]) -> str:
    return ", ".join("?" * len(values))


def _found(row: _Row, score: float, parts: Sequence[Named], coverage: float) -> Found:
    return Found(
        path=PurePosixPath(row.path),
        passage=row.passage,
        score=score,
        parts=tuple(Part(name=part.name, value=part.value, note=part.note) for part in parts),
        coverage=coverage,
    )


def _best(scored: list[tuple[float, int]], limit: int) -> list[tuple[float, int]]:
    """The best `limit`, and what is as good as the last of them."""
    least = nlargest(limit, (score for score, _ in scored))[-1:]
    best = [one for one in scored if least and one[0] >= least[0]]
    return best[: limit + _MOST_TIED]


def _is_within(date: int | None, filters: Filters) -> bool:
    """Whether a passage with a date of its own lies in the filters' interval."""
    if date is None:
        return True
    since, until = filters.since, filters.until
    return (since is None or date >= since) and (until is None or date < until)
