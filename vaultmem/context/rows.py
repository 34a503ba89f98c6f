"""The items that a context may give whatever is asked, as they stood at its moment."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from vaultmem.base.records import replace
from vaultmem.context.lines import ALWAYS, LISTED, by_weight
from vaultmem.language.time import DAY_MS
from vaultmem.model.answers import Filters
from vaultmem.recall.answering import CURRENT, holds

if TYPE_CHECKING:
    from vaultmem.history.moment import Sight
    from vaultmem.model.answers import NoteRow
    from vaultmem.vault.vault import Parts


class Rows:
    """Lists of the items that hold now, or held at the moment that is asked about."""

    def __init__(self, parts: Parts, sight: Sight | None) -> None:
        self._parts = parts
        self._sight = sight
        self._risen: Mapping[str, int] | None = {} if sight else None  # None: not read yet
        self._others: list[NoteRow] | None = None  # likewise

    def always(self) -> list[NoteRow]:
        """Items that are given whatever is asked, each once, by weight."""
        asked = (
            Filters(types=("item",), statuses=CURRENT, hard=True),
            Filters(types=("item",), statuses=CURRENT, critical=True),
            Filters(types=("item",), statuses=CURRENT, kinds=ALWAYS),
            Filters(types=("item",), statuses=CURRENT, streams=("identity",)),
        )
        rows = {
            row.path: row
            for filters in asked
            for row in self._list(filters, limit=None if filters.hard else LISTED)
        }
        return self._by_weight(rows.values())

    def events(self) -> Sequence[NoteRow]:
        """What happened, newest first."""
        filters = Filters(types=("item",), statuses=CURRENT, kinds=("event",))
        return self._list(filters, limit=LISTED)

    def others(self) -> list[NoteRow]:
        """All that holds, by weight: what is given where room is left."""
        if self._others is None:
            filters = Filters(types=("item",), statuses=CURRENT)
            self._others = self._by_weight(self._list(filters, limit=LISTED))
        return self._others

    def coming(self) -> list[NoteRow]:
        """What is due or begins from today on, the soonest first; then tasks without a day."""
        moment = None if self._sight is None else self._sight.moment
        seen = None if moment is None else moment.valid_at or moment.known_at
        since = (self._parts.clock.now() if seen is None else seen) - DAY_MS
        dated, undated = [], []
        for row in self._list(Filters(types=("item",), statuses=CURRENT), limit=LISTED):
            begins = row.valid_from if row.kind == "event" else None
            when = row.due if row.due is not None else begins
            if when is not None and when > since:
                dated.append((when, row))
            elif row.kind == "task" and row.due is None:
                undated.append(row)
        return [row for _, row in sorted(dated, key=lambda each: (each[0], each[1].id))] + undated

    def of_stream(self, stream: str) -> list[NoteRow]:
        """What is current in a stream, by weight."""
        filters = Filters(types=("item",), statuses=CURRENT, streams=(stream,))
        return self._by_weight(self._list(filters, limit=LISTED))

    def _by_weight(self, rows: Iterable[NoteRow]) -> list[NoteRow]:
        """Of what holds now, what is used often has gained importance by it."""
        if self._risen is None:
            from vaultmem.recall.uses import priorities

            self._risen = priorities(self._parts)
        return by_weight(rows, self._risen)

    def _list(self, filters: Filters, *, limit: int | None) -> Sequence[NoteRow]:
        if self._sight is not None:
            rows = self._sight.list(replace(filters, statuses=()), limit=limit)
            return [row for row in rows if self._sight.holds(row)]
        now = self._parts.clock.now()
        rows = self._parts.index.listed(filters, limit=limit)
        return [row for row in rows if holds(row, now)]
