"""The notes as they are, together with those that `compact` took out of the folder.

What held once goes on having held: a question about valid time sees both.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from vaultmem.model.answers import Filters, Found, NoteRow, Passage

if TYPE_CHECKING:
    from collections.abc import Callable

    from vaultmem.model.notes import Problem
    from vaultmem.storage.index.database import Index
    from vaultmem.storage.index.past.view import PastView
    from vaultmem.storage.index.search.quoting import Quoting
    from vaultmem.storage.index.search.search import Search


class WithRetired:
    """An index, and a view of what is retired; a note that is in both counts as it is."""

    def __init__(self, index: Index, retired: PastView) -> None:
        self._index = index
        self._retired = retired

    def note(self, path: PurePosixPath) -> NoteRow | None:
        """The note at a path."""
        return self._index.note(path) or self._retired.note(path)

    def notes(self, paths: Iterable[PurePosixPath]) -> dict[PurePosixPath, NoteRow]:
        """The notes at these paths."""
        wanted = set(paths)
        found = self._index.notes(wanted)
        return found | self._retired.notes(wanted - found.keys())

    def notes_with_id(self, id_: str) -> tuple[NoteRow, ...]:
        """Notes with this id, by path."""
        return self._index.notes_with_id(id_) or self._retired.notes_with_id(id_)

    def notes_with_id_prefix(self, prefix: str) -> tuple[NoteRow, ...]:
        """Notes whose id begins so, by path."""
        found = self._index.notes_with_id_prefix(prefix)
        known = {row.id for row in found}
        retired = self._retired.notes_with_id_prefix(prefix)
        return (*found, *(row for row in retired if row.id not in known))

    def list(self, filters: Filters) -> tuple[NoteRow, ...]:
        """Notes that pass the filters, newest first, those without a date last; then by path."""
        found = self._index.list(filters)
        there = {row.path for row in found}
        retired = [row for row in self._retired.list(filters) if row.path not in there]
        return tuple(
            sorted(
                (*found, *retired),
                key=lambda row: (row.date is None, -(row.date or 0), str(row.path)),
            )
        )

    def note_count(self) -> int:
        """How many notes there are, without those that are retired."""
        return self._index.note_count()

    def passages(self, path: PurePosixPath) -> tuple[Passage, ...]:
        """The passages of a note in order."""
        return self._index.passages(path) or self._retired.passages(path)

    def problems(self) -> tuple[Problem, ...]:
        """Problems of the notes as they are."""
        return self._index.problems()

    def resolve_link(self, target: str) -> NoteRow | None:
        """The note that a link means."""
        return self._index.resolve_link(target) or self._retired.resolve_link(target)

    def backlinks(self, row: NoteRow) -> tuple[NoteRow, ...]:
        """Notes that link to a note, by path."""
        found = {each.path: each for each in self._retired.backlinks(row)}
        found |= {each.path: each for each in self._index.backlinks(row)}
        return tuple(found[path] for path in sorted(found))

    def quoting(
        self, found: Iterable[Found]
    ) -> dict[tuple[PurePosixPath, int], tuple[Quoting, ...]]:
        """By (path, seq) of a passage: the items that quote it from their source, by id."""
        found = tuple(found)
        oids = {path: row.oid for path, row in self.notes({one.path for one in found}).items()}
        quoting = dict(self._index.quoting(found))
        for place, each in self._retired.quoting(found, oids=oids).items():
            quoting[place] = (*quoting.get(place, ()), *each)
        return quoting

    def search(
        self,
        query: str,
        *,
        limit: int,
        filters: Filters,
        fuzzy: bool,
        passes: Callable[[int], bool] | None,
        now: int,
    ) -> Search:
        """Passages of both, best first; what is retired weighs by the words of all versions."""
        here = self._index.search(
            query, limit=limit, filters=filters, fuzzy=fuzzy, passes=passes, now=now
        )
        then = self._retired.search(query, limit=limit, filters=filters, fuzzy=fuzzy, now=now)
        paths = {one.path for one in then.found}
        there = self._index.notes(paths).keys()
        found = [*here.found, *(one for one in then.found if one.path not in there)]
        found.sort(key=lambda one: (-one.score, str(one.path), one.passage.seq))
        return here._replace(found=tuple(found[:limit]))
