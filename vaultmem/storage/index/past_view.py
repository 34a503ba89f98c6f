"""The notes as a commit of the past held them, asked for as the index is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import PurePosixPath

from vaultmem import model
from vaultmem.base import TYPE_CHECKING, Any, replace
from vaultmem.model import USER, Filters, Found, NoteRow, Passage, lowest
from vaultmem.storage.index.past_tables import key
from vaultmem.storage.index.store.file import storable
from vaultmem.storage.index.store.record_rows import link_key
from vaultmem.storage.index.store.rows import (
    NOTE_COLUMNS,
    SEPARATOR,
    batches,
    condition,
    note_row,
)

if TYPE_CHECKING:
    import sqlite3

    from vaultmem.model import Problem
    from vaultmem.storage.index.database import Index
    from vaultmem.storage.index.edges import Edge
    from vaultmem.storage.index.past_index import Past
    from vaultmem.storage.index.past_tables import Span
    from vaultmem.storage.index.search.search import Quoting, Search
Levels = Callable[[Iterable[str]], Mapping[str, str]]
"""The trust that the whole history records of ids, as it is known now."""

_COLUMNS = ", ".join(f"t.{column}" for column in NOTE_COLUMNS.split(", "))
_ALIVE = "s.since <= ? AND (s.until IS NULL OR s.until > ?)"
_RETIRED = "s.number IN (SELECT stay FROM retired WHERE until IS NULL)"
_NOTES = f"SELECT s.path, s.first, {_COLUMNS} FROM stays s JOIN texts t ON t.number = s.text"


class PastView:
    """The state at one place of the chain; -1 is before the first commit, where nothing was.

    at_ms         leave items out that did not hold then; None: give all
    only_retired  only what `compact` has taken out of the folder by now
    Trust is what the history records by now: text from outside was never believed for its age.
    """

    def __init__(
        self,
        past: Past,
        place: int,
        *,
        at_ms: int | None,
        levels: Levels,
        only_retired: bool = False,
    ) -> None:
        self._past = past
        self._place = place
        self._at_ms = at_ms
        self._levels = levels
        self._only_retired = only_retired
        self._recorded: dict[PurePosixPath, int | None] = {}

    # --- notes -------------------------------------------------------------------------------

    def note(self, path: PurePosixPath) -> NoteRow | None:
        """The note that was at a path."""
        return next(iter(self._rows("s.path = ?", (str(path),))), None)

    def notes(self, paths: Iterable[PurePosixPath]) -> dict[PurePosixPath, NoteRow]:
        """The notes that were at these paths."""
        found: list[NoteRow] = []
        for some, marks in batches(sorted({str(path) for path in paths})):
            found += self._rows(f"s.path IN ({marks})", some)
        return {row.path: row for row in found}

    def notes_with_id(self, id_: str) -> tuple[NoteRow, ...]:
        """Notes with this id, by path."""
        return self._rows("s.id = ? AND s.id <> ''", (id_,)) if id_ else ()

    def notes_with_id_prefix(self, prefix: str) -> tuple[NoteRow, ...]:
        """Notes whose id begins so, by path."""
        if not prefix:
            return ()
        return self._rows("s.id >= ? AND s.id < ? AND s.id <> ''", (prefix, prefix + "\U0010ffff"))

    def list(self, filters: Filters, *, limit: int | None = None) -> tuple[NoteRow, ...]:
        """Notes that pass the filters (and held), newest first, without a date last; by path."""
        where, values = condition(replace(filters, trusts=()), path="t.path", is_of_past=True)
        order = "t.date IS NULL, t.date DESC, s.path"
        rows = [
            row
            for row in self._rows(where, values, order=order)
            if (not filters.trusts or row.trust in filters.trusts)
            and (self._at_ms is None or self.holds_at(row, self._at_ms))
        ]
        return tuple(rows if limit is None else rows[:limit])

    def holds_at(self, row: NoteRow, at_ms: int) -> bool:
        """Whether what a note of this view says held at an instant."""
        return row.type != "item" or model.holds_at(
            at_ms,
            status=row.status,
            valid_from=row.valid_from,
            valid_until=row.valid_until,
            recorded_at=self._recorded.get(row.path),
        )

    def note_count(self) -> int:
        """How many notes there were."""
        row = self._connection.execute(
            "SELECT notes FROM chain WHERE place = ?", (self._place,)
        ).fetchone()
        return 0 if row is None else int(row[0])

    def passages(self, path: PurePosixPath) -> tuple[Passage, ...]:
        """The passages of a note in order."""
        row = self.note(path)
        return () if row is None else self._past.passages(PurePosixPath(key(str(path), row.oid)))

    def problems(self) -> tuple[Problem, ...]:
        """None: what was wrong with a note then is no matter of today."""
        return ()

    # --- links -------------------------------------------------------------------------------

    def resolve_link(self, target: str) -> NoteRow | None:
        """The note that a link meant: by id, path, file name or alias, in this order."""
        from vaultmem.storage.index.store.note_lookups import find_linked  # saves 1 module

        return find_linked(
            target,
            by_id=self.notes_with_id,
            by_path=lambda path: self.note(PurePosixPath(path)),
            of_names=self._of_notes,
        )

    def backlinks(self, row: NoteRow) -> tuple[NoteRow, ...]:
        """Notes that linked to a note, by path."""
        own = key(str(row.path), row.oid)
        names = self._connection.execute(
            "SELECT name FROM names WHERE note = (SELECT first FROM notes WHERE path = ?)", (own,)
        )
        own_names = {row.id, link_key(row.path.name), link_key(row.path.as_posix())}
        keys = sorted((own_names | {str(name) for (name,) in names}) - {""})
        marks = ", ".join("?" * len(keys))
        found = self._of_notes(f"first IN (SELECT note FROM links WHERE target IN ({marks}))", keys)
        return tuple(each for each in found if each.path != row.path)

    def edges(self) -> tuple[Edge, ...]:
        """Every link between two notes that there were, and what they named. Reads them all."""
        from vaultmem.storage.index.edges import edges_of  # saves 1 module

        rows = {key(str(row.path), row.oid): row for row in self._rows("1", ())}
        asked = self._connection.execute
        notes = [
            (int(first), str(rows[path].path), rows[path].id, SEPARATOR.join(rows[path].source))
            for first, path in asked("SELECT first, path FROM notes")
            if path in rows
        ]
        there = {first for first, *_ in notes}
        names = [row for row in asked("SELECT name, rank, note FROM names") if row[2] in there]
        links = [row for row in asked("SELECT note, target FROM links") if row[0] in there]
        return edges_of(notes, names, links)

    # --- questions ---------------------------------------------------------------------------

    def search(
        self,
        query: str,
        *,
        limit: int,
        filters: Filters,
        fuzzy: bool = True,
        now: int | None = None,
    ) -> Search:
        """At most `limit` passages for a question, best first, of notes that there were (and held).

        Words are weighed by how rare they are in all versions, not in those of that day alone.
        """
        spans = self._past.spans()
        found = self._past.search(
            query,
            limit=limit,
            filters=replace(filters, trusts=()),
            fuzzy=fuzzy,
            passes=spans.passing(self._span_filter(filters)),
            now=now,
        )
        return found._replace(found=tuple(map(_with_real_path, found.found)))

    def quoting(
        self, found: Iterable[Found], *, oids: Mapping[PurePosixPath, str] | None = None
    ) -> dict[tuple[PurePosixPath, int], tuple[Quoting, ...]]:
        """By (path, seq) of a passage: the items of then that quote it from their source, by id.

        oids  blob ids of the notes found; None: they are of this view
        """
        found = tuple(found)
        if oids is None:
            there = self.notes({one.path for one in found})
            oids = {path: row.oid for path, row in there.items()}
        keyed = [
            replace(one, path=PurePosixPath(key(str(one.path), oids[one.path])))
            for one in found
            if one.path in oids
        ]
        answers = {}
        for (path, seq), quoting in self._past.quoting(keyed).items():
            there = self.notes({_real(each.note.path) for each in quoting})
            known = tuple(
                each._replace(note=there[_real(each.note.path)])
                for each in quoting
                if _is_there(each.note, there)
            )
            if known:
                answers[_real(path), seq] = known
        return answers

    def _span_filter(self, filters: Filters) -> Callable[[Span], bool]:
        place, at_ms, trusts = self._place, self._at_ms, filters.trusts
        only_retired = self._only_retired

        def is_wanted(span: Span) -> bool:
            if not span.is_known_at(place) or (only_retired and not span.is_retired):
                return False
            if at_ms is not None and not span.holds_at(at_ms, span.recorded):
                return False
            return not trusts or self._trust(span.id, span.claims) in trusts

        return is_wanted

    def _trust(self, id_: str, claims: str) -> str:
        return lowest(claims, self._levels([id_]).get(id_, USER)) if id_ else claims

    # --- rows --------------------------------------------------------------------------------

    @property
    def _connection(self) -> sqlite3.Connection:
        return self._past.connection

    def _rows(
        self, where: str, values: Sequence[object], *, order: str = "s.path"
    ) -> tuple[NoteRow, ...]:
        asked = [storable(value) if isinstance(value, str) else value for value in values]
        alive = f"{_ALIVE} AND {_RETIRED}" if self._only_retired else _ALIVE
        rows = self._connection.execute(
            f"{_NOTES} WHERE {where} AND {alive} ORDER BY {order}",
            (*asked, self._place, self._place),
        ).fetchall()
        levels = self._levels({row[2 + _ID] for row in rows if row[2 + _ID]})
        return tuple(self._row(row, levels) for row in rows)

    def _row(self, row: Sequence[Any], levels: Mapping[str, str]) -> NoteRow:
        path, recorded, *values = row
        level = levels.get(values[_ID], USER) if values[_ID] else USER
        values[_TRUST] = lowest(values[_CLAIMS], level)
        real = PurePosixPath(path)
        self._recorded[real] = recorded
        return replace(note_row(tuple(values)), path=real)

    def _of_notes(self, where: str, values: Sequence[object]) -> tuple[NoteRow, ...]:
        """Rows of the view for rows of the postings, by path."""
        rows = self._connection.execute(f"SELECT path FROM notes WHERE {where}", tuple(values))
        found = []
        for (path,) in rows.fetchall():
            row = self.note(_real(PurePosixPath(path)))
            if row is not None and key(str(row.path), row.oid) == path:
                found.append(row)
        return tuple(sorted(found, key=lambda row: row.path))


_NAMES = NOTE_COLUMNS.split(", ")
_ID, _TRUST, _CLAIMS = _NAMES.index("id"), _NAMES.index("trust"), _NAMES.index("claims")


def _real(path: PurePosixPath) -> PurePosixPath:
    """The path in the vault of a text of the past."""
    return PurePosixPath(*path.parts[1:])


def _with_real_path(found: Found) -> Found:
    return replace(found, path=_real(found.path))


def _is_there(note: NoteRow, there: Mapping[PurePosixPath, NoteRow]) -> bool:
    row = there.get(_real(note.path))
    return row is not None and row.oid == note.oid


# The notes as they are, together with those that `compact` took out of the folder.
#
# What held once goes on having held: a question about valid time sees both.


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
