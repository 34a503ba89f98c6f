"""Passages for a question: from its words to candidates, exact scores, and rows."""

from __future__ import annotations

import sqlite3
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from heapq import nlargest
from itertools import islice
from pathlib import PurePosixPath
from typing import NamedTuple

from vaultmem.analysis import Stems
from vaultmem.index.lengths import BITS, SIZE, Lengths
from vaultmem.index.lookup import look_up
from vaultmem.index.question import analyse
from vaultmem.index.rows import ANSWERING, condition
from vaultmem.index.scoring import Scorer, Scoring, Term
from vaultmem.index.terms import Terms
from vaultmem.index.traits import NORM_SCALE
from vaultmem.model.recall import Filters, Found, Part, Passage, Repair

POOL = 400  # candidates that are scored exactly, with their neighbours
MOST_POOL = 3_000  # ... and those that are as good as the last of them
_MOST_TIMES = 8  # repetitions beyond it no longer tell candidates apart
_REACH = 3  # passages that a window reaches to either side
_LOW = SIZE - 1


class Search(NamedTuple):
    """What was found for a question, and what was searched for."""

    found: tuple[Found, ...]
    repairs: tuple[Repair, ...]
    terms: tuple[str, ...]  # stems, the heaviest first


class Searcher:
    """Answers questions on one state of the index."""

    def __init__(
        self, connection: sqlite3.Connection, stems: Stems, *, passages: int, norm_total: int
    ) -> None:
        self._connection = connection
        self._stems = stems
        self._passages = passages
        self._mean_norm = norm_total / NORM_SCALE / max(passages, 1)
        self._terms = Terms(connection)
        self._lengths = Lengths(connection)

    def search(
        self, text: str, *, limit: int, filters: Filters, fuzzy: bool, scoring: Scoring
    ) -> Search:
        """At most `limit` passages, best first; ties by path, then order in the note."""
        question = analyse(text, self._stems)
        looked_up = look_up(question, self._terms, passages=self._passages, fuzzy=fuzzy)
        scorer = Scorer(
            looked_up.terms,
            self._lengths,
            mean_norm=self._mean_norm,
            about=looked_up.about,
            asks_when=question.asks_when,
            scoring=scoring,
        )
        pool = self._pool(looked_up.terms, self._passing(filters))
        found = self._found(_best(scorer.scores(pool), limit), scorer, looked_up.weight, filters)
        heaviest = sorted(looked_up.terms, key=lambda term: (-term.gain, term.stem))
        return Search(
            found=tuple(found[:limit]),
            repairs=looked_up.repairs,
            terms=tuple(term.stem for term in heaviest if term.stem),
        )

    # --- candidates ----------------------------------------------------------------------

    def _pool(self, terms: Sequence[Term], passes: Callable[[int], bool] | None) -> list[int]:
        """Passages worth scoring: those with the heaviest words, and what stands beside them."""
        rough: dict[int, float] = {}
        for term in terms:
            gains = [term.gain * times / (times + 1) for times in range(_MOST_TIMES + 1)]
            for passage, times in term.times.items():
                rough[passage] = rough.get(passage, 0.0) + gains[min(times, _MOST_TIMES)]
        if len(rough) > POOL:
            least = nlargest(POOL, rough.values())[-1]
            if passes is None:
                best = [passage for passage, gain in rough.items() if gain >= least]
            else:
                ranked = sorted(rough, key=lambda passage: (-rough[passage], passage))
                best = list(islice(filter(passes, ranked), POOL))
        else:
            best = [passage for passage in rough if passes is None or passes(passage)]
        pool = set(best[:MOST_POOL])
        for passage in best[:MOST_POOL]:
            pool.update(self._neighbours(passage))
        return sorted(pool)

    def _neighbours(self, passage: int) -> Iterator[int]:
        """Passages of the same note within reach of the window."""
        for step in (-1, 1):
            for other in range(passage + step, passage + step * (_REACH + 1), step):
                if other < 0 or not self._lengths.norms(other >> BITS)[other & _LOW]:
                    break
                yield other

    def _passing(self, filters: Filters) -> Callable[[int], bool] | None:
        """Whether a passage's note passes the filters; None when every note does."""
        only_answering = Filters(statuses=filters.statuses) == filters and set(
            filters.statuses
        ) == set(ANSWERING)
        if filters == Filters():
            return None
        if only_answering:  # nearly all notes: look up the few others
            held = "', '".join(ANSWERING)
            where, values = f"status NOT IN ('{held}')", list[object]()
        else:
            where, values = condition(filters)
        rows = self._connection.execute(
            f"SELECT first, first + size FROM notes WHERE {where} ORDER BY first", values
        ).fetchall()
        if only_answering and not rows:
            return None
        firsts = [first for first, _ in rows]
        ends = [end for _, end in rows]

        def passes(passage: int) -> bool:
            i = bisect_right(firsts, passage) - 1
            return (i >= 0 and passage < ends[i]) is not only_answering

        return passes

    # --- rows ------------------------------------------------------------------------------

    def _found(
        self, best: list[tuple[float, int]], scorer: Scorer, weight: float, filters: Filters
    ) -> list[Found]:
        found = []
        for score, passage in best:
            path, first = self._connection.execute(
                "SELECT path, first FROM notes WHERE first <= ? ORDER BY first DESC LIMIT 1",
                (passage,),
            ).fetchone()
            line, speaker, date, text = self._connection.execute(
                "SELECT line, speaker, date, text FROM passages WHERE id = ?", (passage,)
            ).fetchone()
            if not _is_within(date, filters):
                continue
            parts = tuple(
                Part(name=part.name, value=part.value, note=part.note)
                for part in scorer.parts(passage)
            )
            found.append(
                Found(
                    path=PurePosixPath(path),
                    passage=Passage(
                        text=text, seq=passage - first, line=line, speaker=speaker, date=date
                    ),
                    score=score,
                    parts=parts,
                    coverage=scorer.coverage(passage, weight),
                )
            )
        found.sort(key=lambda one: (-one.score, one.path.as_posix(), one.passage.seq))
        return found


def _best(scored: list[tuple[float, int]], limit: int) -> list[tuple[float, int]]:
    """The best `limit`, and all that are as good as the last of them."""
    least = nlargest(limit, (score for score, _ in scored if score > 0))[-1:]
    return [one for one in scored if least and one[0] >= least[0]]


def _is_within(date: int | None, filters: Filters) -> bool:
    """Whether a passage with a date of its own lies in the filters' interval."""
    if date is None:
        return True
    since, until = filters.since, filters.until
    return (since is None or date >= since) and (until is None or date < until)
