"""Look-ups of notes: by path, id, name, link, filter."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import PurePosixPath

from vaultmem import language, model
from vaultmem.base import NamedTuple
from vaultmem.model import Filters, NoteRow, Passage
from vaultmem.storage.index.store.file import guarded, storable
from vaultmem.storage.index.store.rows import (
    CALLED,
    ENTITY,
    MARK,
    NOTE_COLUMNS,
    batches,
    condition,
    note_row,
    split_list,
    split_projects,
)
from vaultmem.storage.index.store.session import Session

_OLDEST_FIRST = "valid_from IS NOT NULL, valid_from, id, path"
# SQLite refuses 1,000 conditions in one statement: a note with 500 aliases was a damaged index.
_MOST_ENDS = 200
_TOLD_BY = 2  # letters at the beginning of a value that tell it from others


class Counts(NamedTuple):
    """How much there is."""

    notes: dict[str, int]  # by type
    items: dict[str, int]  # active items by kind
    streams: dict[str, int]  # active items by stream
    statuses: dict[str, int]  # items by status
    passages: int
    words: int  # of the vocabulary, as written
    projects: dict[str, int]  # active items by project, as they are written


class NoteLookups(Session):
    """An index that is asked for notes by what is known of them; the rest is in `Index`."""

    @guarded
    def note(self, path: PurePosixPath) -> NoteRow | None:
        """The note at a path."""
        rows = self._rows("path = ?", (str(path),))
        return rows[0] if rows else None

    @guarded
    def notes(self, paths: Iterable[PurePosixPath]) -> dict[PurePosixPath, NoteRow]:
        """The notes at these paths, as far as there are any."""
        found: list[NoteRow] = []
        for some, marks in batches(sorted(set(map(str, paths)))):
            found += self._rows(f"path IN ({marks})", some)
        return {row.path: row for row in found}

    # `id <> ''` (and below `slot <> ''`, `digest IS NOT NULL`) stand in the conditions since the
    # indexes have them: SQLite takes a partial index only where the condition implies its own.
    @guarded
    def notes_with_id(self, id_: str) -> tuple[NoteRow, ...]:
        """Notes with this id, by path: more than one when a file was copied."""
        return self._rows("id = ? AND id <> ''", (id_,)) if id_ else ()

    @guarded
    def notes_with_id_prefix(self, prefix: str) -> tuple[NoteRow, ...]:
        """Notes whose id begins so, by path."""
        if not prefix:
            return ()
        return self._rows("id >= ? AND id < ? AND id <> ''", (prefix, prefix + "\U0010ffff"))

    @guarded
    def in_streams(self, streams: Sequence[str], ids: Iterable[str]) -> list[tuple[str, str]]:
        """(path, id) of the items of these streams, and of notes with these ids; some twice."""
        connection = self._flushed_connection()
        marks = ", ".join("?" * len(streams))
        # `stream <> ''` is the condition of the partial index `notes_stream`.
        found: list[tuple[str, str]] = connection.execute(
            f"SELECT path, id FROM notes WHERE stream IN ({marks}) AND stream <> ''"
            " AND type = 'item'",
            streams,
        ).fetchall()
        for some, marks in batches(sorted(set(map(storable, ids)))):
            found += connection.execute(
                f"SELECT path, id FROM notes WHERE id IN ({marks}) AND id <> ''", some
            )
        return found

    @guarded
    def pages_in(self, folders: Iterable[str]) -> list[str]:
        """Paths of the notes in these folders that are nothing but pages, sorted."""
        rows = self._flushed_connection().execute("SELECT path FROM notes WHERE type = 'page'")
        beginnings = tuple(f"{folder}/" for folder in folders)
        return sorted(path for (path,) in rows if path.startswith(beginnings))

    @guarded
    def list(self, filters: Filters, *, limit: int | None = None) -> tuple[NoteRow, ...]:
        """Notes that pass the filters, newest first, those without a date last; then by path."""
        where, values = condition(filters)
        # NULL is less than any date.
        return self._rows(where, values, order="date DESC, path", limit=limit)

    @guarded
    def said_after(self) -> tuple[NoteRow, ...]:
        """Items that keep words before theirs, or the question that they answer; by path."""
        return self._rows("type = 'item' AND (said_after <> '' OR asked <> '')", ())

    @guarded
    def likely_talks(self) -> tuple[NoteRow, ...]:
        """Resources that may be conversations: all that are, and few that are not; by path.

        A turn begins with bold words, and messages in JSON with a bracket. What has no passages,
        since other notes say it, is among them.
        """
        text = "coalesce(p.text, notes.statement)"
        return self._rows(
            "type = 'resource' AND (size = 0 OR EXISTS (SELECT 1 FROM passages p "
            "WHERE p.id >= notes.first AND p.id < notes.first + notes.size AND "
            f"(p.speaker <> '' OR instr({text}, '**') OR substr({text}, 1, 1) IN ('[', '{{'))))",
            (),
        )

    @guarded
    def linking_items(self) -> tuple[str, ...]:
        """Paths of the items that link to more than the notes of their sources and categories."""
        from vaultmem.storage.index.store.record_rows import link_key  # saves 6 modules

        # What a source's id leads to is left out by SQL: most links of most vaults.
        rows = self._flushed_connection().execute(
            "SELECT n.path, n.categories, n.source, l.target FROM notes n "
            "JOIN links l ON l.note = n.first WHERE +n.type = 'item' AND NOT EXISTS "
            "(SELECT 1 FROM notes r WHERE r.id = l.target AND r.id <> '' AND +r.type = 'resource')"
        )
        named = (f"{MARK}{ENTITY}{MARK}", f"{MARK}{CALLED}{MARK}")
        found: dict[str, None] = {}
        for path, categories, source, target in rows:
            if path in found or target.startswith(named):
                continue
            own = (*split_list(categories), *split_list(source))
            if all(link_key(each) != target for each in own):
                found[path] = None
        return tuple(sorted(found))

    @guarded
    def resolve_link(self, target: str) -> NoteRow | None:
        """The note that a link means: by id, path, file name or alias, in this order."""
        return find_linked(
            target,
            by_id=self.notes_with_id,
            by_path=lambda path: next(iter(self._rows("path = ?", (path,))), None),
            of_names=self._rows,
        )

    @guarded
    def backlinks(self, row: NoteRow) -> tuple[NoteRow, ...]:
        """Notes that link to a note, by path."""
        connection = self._flushed_connection()
        from vaultmem.storage.index.store.record_rows import link_key  # saves 6 modules

        path = row.path.as_posix()
        keys = {row.id, link_key(row.path.name), link_key(path)}
        keys.update(
            name
            for (name,) in connection.execute(
                "SELECT name FROM names WHERE note = (SELECT first FROM notes WHERE path = ?)",
                (path,),
            )
        )
        keys.discard("")
        wanted = sorted(keys)
        marks = ", ".join("?" * len(wanted))
        rows = self._rows(f"first IN (SELECT note FROM links WHERE target IN ({marks}))", wanted)
        return tuple(found for found in rows if found.path != row.path)

    @guarded
    def typed_links(self, relation: str) -> tuple[tuple[PurePosixPath, str], ...]:
        """(path, key of where it leads) of all links of one relation, sorted."""
        # A range, which the index on `links` serves; it does not serve LIKE, which ignores case.
        begins = f"{MARK}{relation}{MARK}"
        rows = self._flushed_connection().execute(
            "SELECT notes.path, links.target FROM links JOIN notes ON notes.first = links.note"
            " WHERE links.target >= ? AND links.target < ? ORDER BY 1, 2",
            (begins, f"{begins[:-1]}{chr(ord(MARK) + 1)}"),
        )
        return tuple(
            (PurePosixPath(path), str(target).removeprefix(begins)) for path, target in rows
        )

    @guarded
    def linking(self, relation: str, path: PurePosixPath) -> tuple[PurePosixPath, ...]:
        """Notes with a link of one relation that means the note at a path; sorted.

        Each of thousands of links was resolved for one statement before; now those are that end
        in one of the names of the note.
        """
        connection = self._flushed_connection()
        from vaultmem.storage.index.store.record_rows import link_key  # saves 6 modules

        row = self.note(path)
        if row is None:
            return ()
        names = {row.id, path.name, link_key(path.name)}
        names.update(
            name
            for (name,) in connection.execute(
                "SELECT name FROM names WHERE note = (SELECT first FROM notes WHERE path = ?)",
                (str(path),),
            )
        )
        begins = f"{MARK}{relation}{MARK}"
        ends = [end for name in sorted(names - {""}) for end in (f"{MARK}{name}", f"/{name}")]
        rows: set[tuple[str, str]] = set()
        for start in range(0, len(ends), _MOST_ENDS):
            some = ends[start : start + _MOST_ENDS]
            where = " OR ".join(["substr(links.target, ?) = ?"] * len(some))
            rows.update(
                connection.execute(
                    "SELECT notes.path, links.target FROM links"
                    " JOIN notes ON notes.first = links.note"
                    f" WHERE links.target >= ? AND links.target < ? AND ({where})",
                    (
                        begins,
                        f"{begins[:-1]}{chr(ord(MARK) + 1)}",
                        *(value for end in some for value in (-len(end), storable(end))),
                    ),
                )
            )
        found = (
            PurePosixPath(linking)
            for linking, target in sorted(rows)
            if (meant := self.resolve_link(str(target).removeprefix(begins))) is not None
            and meant.path == path
        )
        return tuple(dict.fromkeys(found))

    @guarded
    def items_with_statement(self, statement: str) -> tuple[str, ...]:
        """Ids of the items that state the same (`text.canonical`), in any status; sorted."""
        from vaultmem.storage.index.store.record_rows import digest  # saves 6 modules

        wanted = language.canonical(statement)
        rows = self._flushed_connection().execute(
            "SELECT id, statement FROM notes WHERE digest = ? AND digest IS NOT NULL ORDER BY id",
            (digest(statement),),
        )
        return tuple(id_ for id_, found in rows if language.canonical(found) == wanted)

    @guarded
    def items_in_slot(self, subject: str, predicate: str, *, near: str = "") -> tuple[NoteRow, ...]:
        """Items whose slot this is (`model.slots`), in any status; oldest validity first.

        near  a value: without those whose value certainly begins with other letters
        """
        key = model.slot_key(subject, predicate)
        if not key:
            return ()
        where, values = "slot = ? AND slot <> ''", [key]
        begins = model.part_key(near)[:_TOLD_BY]
        # Folding changes no letter of these but its case, and so does SQLite's lower().
        if len(begins) == _TOLD_BY and begins.isascii() and begins.isalnum():
            where += (
                f" AND (lower(substr(object, 1, {_TOLD_BY})) = ?"
                f" OR substr(object, 1, {_TOLD_BY}) GLOB '*[^0-9A-Za-z]*' OR object = '')"
            )
            values.append(begins)
        return self._rows(where, values, order=_OLDEST_FIRST)

    @guarded
    def newest_in_slot(self, subject: str, predicate: str, *, limit: int) -> tuple[NoteRow, ...]:
        """Active items whose slot this is, newest validity first."""
        key = model.slot_key(subject, predicate)
        if not key:
            return ()
        where = "slot = ? AND slot <> '' AND status = 'active'"
        return self._rows(where, (key,), order="valid_from DESC, id", limit=limit)

    @guarded
    def ended_since(self, since: int, now: int) -> tuple[NoteRow, ...]:
        """Active items, but for events and tasks, whose end is in (since, now]."""
        # These very terms are those of the partial index `notes_ends`.
        where = (
            "valid_until IS NOT NULL AND status = 'active' AND kind NOT IN ('event', 'task', '') "
            "AND valid_until > ? AND valid_until <= ?"
        )
        return self._rows(where, (since, now), order="valid_until, id, path")

    @guarded
    def due_between(self, since: int, until: int) -> tuple[NoteRow, ...]:
        """Active items that are due in [since, until), the earliest first; looks at every note."""
        where = "due IS NOT NULL AND status = 'active' AND due >= ? AND due < ?"
        return self._rows(where, (since, until), order="due, id, path")

    @guarded
    def items_about(self, subject: str) -> tuple[NoteRow, ...]:
        """Items that have a slot of this subject, in any status; by slot, oldest first."""
        key = model.part_key(subject)
        if not key:
            return ()
        return self._rows(
            "slot > ? AND slot < ? AND slot <> ''",
            (key + model.BETWEEN, key + chr(ord(model.BETWEEN) + 1)),
            order=f"slot, {_OLDEST_FIRST}",
        )

    @guarded
    def slots(self) -> tuple[tuple[str, str], ...]:
        """(subject, predicate) of every slot that some item has, as written; sorted."""
        rows = self._flushed_connection().execute(
            "SELECT subject, predicate, min(path) FROM notes WHERE slot <> '' GROUP BY slot "
            "ORDER BY slot"
        )
        return tuple((subject, predicate) for subject, predicate, _ in rows)

    @guarded
    def passages(self, path: PurePosixPath) -> tuple[Passage, ...]:
        """The passages of a note in order."""
        connection = self._flushed_connection()
        row = connection.execute(
            "SELECT first, size, statement FROM notes WHERE path = ?", (str(path),)
        ).fetchone()
        if row is None:
            return ()
        first, size, statement = row
        return tuple(
            Passage(
                text=statement if text is None else text,
                seq=id_ - first,
                line=line,
                speaker=speaker,
                date=date,
            )
            for id_, line, speaker, date, text in connection.execute(
                "SELECT id, line, speaker, date, text FROM passages WHERE id >= ? AND id < ? "
                "ORDER BY id",
                (first, first + size),
            )
        )

    @guarded
    def problems(self) -> tuple[model.Problem, ...]:
        """All problems, by path and line."""
        rows = self._flushed_connection().execute(
            "SELECT path, line, code, message, hint, severity, fixable FROM problems "
            "ORDER BY path, line, code, message, origin"
        )
        return tuple(
            model.Problem(
                path=PurePosixPath(path),
                line=line,
                code=code,
                message=message,
                hint=hint,
                severity=model.Severity(severity),
                fixable=bool(fixable),
            )
            for path, line, code, message, hint, severity, fixable in rows
        )

    @guarded
    def note_count(self) -> int:
        """How many notes there are; cheaper than `counts`."""
        row = (
            self._flushed_connection()
            .execute("SELECT value FROM meta WHERE key = 'notes'")
            .fetchone()
        )
        return 0 if row is None else int(row[0])

    @guarded
    def passage_count(self) -> int:
        """How many passages there are; cheaper than `counts`."""
        row = (
            self._flushed_connection()
            .execute("SELECT value FROM meta WHERE key = 'passages'")
            .fetchone()
        )
        return 0 if row is None else int(row[0])

    @guarded
    def counts(self) -> Counts:
        """How much there is of everything."""
        connection = self._flushed_connection()

        def by(column: str, where: str) -> dict[str, int]:
            return dict(
                connection.execute(
                    f"SELECT {column}, count(*) FROM notes WHERE {where} GROUP BY 1 ORDER BY 1"
                ).fetchall()
            )

        active = "type = 'item' AND status = 'active'"
        few = "+type = 'item' AND +status = 'active'"  # by the index of those with a stream, say
        return Counts(
            notes=by("type", "1"),
            items=by("kind", active),
            streams=by("stream", f"{few} AND stream <> ''"),
            statuses=by("status", "type = 'item'"),
            passages=connection.execute("SELECT count(*) FROM passages").fetchone()[0],
            words=connection.execute(
                "SELECT count(*) FROM words WHERE substr(word, 1, 1) NOT IN ('@', '&')"
            ).fetchone()[0],
            projects=_by_project(by("project", f"{few} AND project <> ''")),
        )

    def _rows(
        self,
        where: str,
        values: Sequence[object],
        *,
        order: str = "path",
        limit: int | None = None,
    ) -> tuple[NoteRow, ...]:
        rows = self._flushed_connection().execute(
            f"SELECT {NOTE_COLUMNS} FROM notes WHERE {where} ORDER BY {order} LIMIT ?",
            (
                *(storable(value) if isinstance(value, str) else value for value in values),
                -1 if limit is None else max(limit, 0),
            ),
        )
        return tuple(map(note_row, rows))


def find_linked(
    target: str,
    *,
    by_id: Callable[[str], Sequence[NoteRow]],
    by_path: Callable[[str], NoteRow | None],
    of_names: Callable[[str, tuple[str, int]], Sequence[NoteRow]],
) -> NoteRow | None:
    """What a link means among the notes of today, or of a time: see `resolve_link`.

    Of several notes the one with the shortest, then first, path (as Obsidian does).
    of_names  notes that fulfil a condition on the table of names, in any order
    """
    from vaultmem.storage.index.store.record_rows import link_key  # saves 6 modules

    key = link_key(target)
    if not key:
        return None
    if model.id_in_name(key) == key and (rows := by_id(key)):
        return rows[0]
    bare = target.strip().removeprefix("[[").removesuffix("]]").partition("|")[0]
    bare = bare.partition("#")[0].strip().strip("/")
    for path in (bare, f"{bare}.md"):
        found = by_path(path) if path else None
        if found is not None:
            return found
    folder, _, name = key.rpartition("/")
    for rank in (0, 1, 2):
        rows = of_names(
            "first IN (SELECT note FROM names WHERE name = ? AND rank = ?)", (name, rank)
        )
        rows = tuple(row for row in rows if lies_in(row, folder)) if folder else rows
        if rows:
            return min(rows, key=lambda row: (len(str(row.path)), str(row.path)))
    return None


def lies_in(row: NoteRow, folder: str) -> bool:
    """Whether the end of a note's folder is this one, folded."""
    return f"/{row.path.parent.as_posix()}".casefold().endswith(f"/{folder}")


def _by_project(columns: Mapping[str, int]) -> dict[str, int]:
    """Counts by column as counts by project: a note may be of several."""
    found: dict[str, int] = {}
    for column, times in columns.items():
        for project in split_projects(column):
            found[project] = found.get(project, 0) + times
    return dict(sorted(found.items()))
