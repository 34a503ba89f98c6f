"""The side of an index that answers questions, with or without numpy."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from vaultmem.model.answers import Filters, NoteRow
from vaultmem.storage.index.meant import Meant
from vaultmem.storage.index.search.bm25 import Scoring
from vaultmem.storage.index.store import notes
from vaultmem.storage.index.store.file import guarded

if TYPE_CHECKING:
    from vaultmem.storage.index.search.likeness import Likely
    from vaultmem.storage.index.search.search import FoundAndRepaired, Search, Searcher
    from vaultmem.storage.index.spans import Spans

MANY_PASSAGES = 5_000  # from which on a question by arrays is the quicker one
QUESTIONS = 1  # that a process which lasts answers before it loads numpy


class Searched(Meant):
    """An index that is asked for passages; the rest is in `Index`."""

    by_arrays: bool | None = None  # questions are answered with numpy; None: where it pays
    lasts = False  # the process answers many questions
    _questions = 0  # asked so far
    _searcher: Searcher | None = None
    _searched: tuple[int, int] = (0, 0)  # state of the file that the searcher knows
    _spans: Spans | None = None
    _spanned: tuple[int, int] = (0, 0)
    _lists: dict[tuple[Filters, int | None], tuple[NoteRow, ...]] | None = None
    _listed_at: tuple[int, int] = (0, 0)

    @guarded
    def search(
        self,
        query: str,
        *,
        limit: int = 20,
        filters: Filters | None = None,
        fuzzy: bool = True,
        scoring: Scoring | None = None,
        passes: Callable[[int], bool] | None = None,
        now: int | None = None,
        like: Likely | None = None,
    ) -> Search:
        """At most `limit` passages for a question, best first; ties by path, then order.

        Any text is a question and never an error; no words, or none that is known, find nothing.
        fuzzy    look for the nearest known words when no passage holds a word of the question
        scoring  switches parts of the score off, to see what they give
        passes   whether a passage may answer, beside the filters (`spans` makes such questions)
        now      UTC ms when it is asked, from which 'last week' counts; None: as `Searcher` says
        like     how like the question passages are, by vectors
        """
        return self._fresh_searcher().search(
            query,
            limit=limit,
            filters=filters or Filters(),
            fuzzy=fuzzy,
            scoring=scoring or Scoring(),
            passes=passes,
            now=now,
            like=like,
        )

    @guarded
    def spans(self) -> Spans:
        """All notes by their passages, for questions about another time; read once a state."""
        state = self._state()
        if self._spans is None or self._spanned != state or self._depth:
            self._spans, self._spanned = self._read_spans(), state
        return self._spans

    def _read_spans(self) -> Spans:
        from vaultmem.storage.index.spans import spans_of_index

        return spans_of_index(self._connection)

    @guarded
    def listed(self, filters: Filters, *, limit: int | None) -> tuple[NoteRow, ...]:
        """As `list`, and kept until somebody writes: for the few lists that every context needs.

        They take four looks at all notes; three were a third of a context of 10,000.
        """
        state = self._state()
        if self._lists is None or self._listed_at != state or self._depth:
            self._lists, self._listed_at = {}, state
        key = filters, limit
        if key not in self._lists:
            self._lists[key] = notes.listing(self._settled(), filters, limit)
        return self._lists[key]

    def _state(self) -> tuple[int, int]:
        """Changes whenever anybody has written."""
        version: int = self._settled().execute("PRAGMA data_version").fetchone()[0]
        return version, self._transactions

    def _fresh_searcher(self) -> Searcher:
        """What earlier questions loaded, unless somebody has written since."""
        from vaultmem.storage.index.search.search import Searcher

        state = self._state()
        by_arrays = self._pays_by_arrays() if self.by_arrays is None else self.by_arrays
        known = self._searcher
        if known is None or self._searched != state or known.by_arrays != by_arrays or self._depth:
            known = Searcher(
                self._connection,
                self._stems,
                zone=self.zone,
                by_arrays=by_arrays,
                words=None if known is None else known.words,
            )
            self._searcher, self._searched = known, state
        return known

    def _pays_by_arrays(self) -> bool:
        """Whether numpy answers sooner: its import costs what ten questions without it do."""
        if not self.lasts or self._questions > QUESTIONS:
            return self.lasts and notes.passage_count(self._settled()) >= MANY_PASSAGES
        self._questions += 1
        return False

    name = "passages"

    def find(self, query: str, *, limit: int, filters: Filters) -> FoundAndRepaired:
        """`search` as the Retriever that settings call 'passages'."""
        answer = self.search(query, limit=limit, filters=filters)
        return [*answer.found], [*answer.repairs]
