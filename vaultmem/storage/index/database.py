"""The index of a vault: the one surface of everything that is derived from its notes.

Disposable: it holds nothing that is not in the files, and `dump` of an index that was updated
for years equals that of one built a moment ago. One representation, in one SQLite file.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from vaultmem.model.answers import Filters, Found, NoteRow, Passage
from vaultmem.storage.index.searching import Searched
from vaultmem.storage.index.store import notes as reading
from vaultmem.storage.index.store import states
from vaultmem.storage.index.store.file import guarded

if TYPE_CHECKING:
    from vaultmem.model.notes import Decoded, FileState, FolderState, Item, Problem
    from vaultmem.model.trust import TrustEvent
    from vaultmem.storage.index.edges import Edge
    from vaultmem.storage.index.lookups import Lookups, Nominated
    from vaultmem.storage.index.search.quoting import Quoting
    from vaultmem.storage.index.store.notes import Counts
    from vaultmem.storage.index.store.preparing import Prepared

_OWN = "="  # before the keys of callers, so that they cannot meet ours


class Index(Searched):
    """An open index. One thread at a time; any number of processes may share the file.

    identity   of the vault (id and place): the index of another vault is not believed
    languages  of the notes, as in `analysis.Stems`; other languages make another index
    zone       time zone of turn dates without an offset

    Errors as in `Session`. Any text may be asked for; what names nothing finds nothing.
    """

    # --- facts about the whole -----------------------------------------------------------

    @guarded
    def meta(self, key: str) -> str | None:
        """What `set_meta` kept; None: nothing."""
        row = self._connection.execute(
            "SELECT value FROM meta WHERE key = ?", (f"{_OWN}{key}",)
        ).fetchone()
        return None if row is None else str(row[0])

    @guarded
    def set_meta(self, key: str, value: str) -> None:
        """Keep a text under a key."""
        self._writing_now()
        self._connection.execute(
            "INSERT OR REPLACE INTO meta VALUES(?, ?)", (f"{_OWN}{key}", value)
        )

    @guarded
    def size(self) -> int:
        """How many notes there are; cheap, unlike `counts`."""
        row = self._settled().execute("SELECT value FROM meta WHERE key = 'notes'").fetchone()
        return 0 if row is None else int(row[0])

    @guarded
    def note_count(self) -> int:
        """How many notes there are; cheaper than `counts`."""
        return reading.note_count(self._settled())

    @guarded
    def passage_count(self) -> int:
        """How many passages there are; cheaper than `counts`."""
        return reading.passage_count(self._settled())

    @guarded
    def counts(self) -> Counts:
        """How much there is of everything."""
        return reading.counts(self._settled())

    @guarded
    def problems(self) -> tuple[Problem, ...]:
        """All problems, by path and line."""
        return reading.problems(self._settled())

    @guarded
    def problem_count(self) -> int:
        """How many problems there are; cheaper than `problems`."""
        count: int = self._settled().execute("SELECT count(*) FROM problems").fetchone()[0]
        return count

    @guarded
    def first_problem(self, code: str) -> str:
        """The message of the first problem of a code, by path and line; '' when there is none."""
        row = self._settled().execute(
            "SELECT message FROM problems WHERE code = ? ORDER BY path, line, message LIMIT 1",
            (code,),
        )
        return str((row.fetchone() or ("",))[0])

    @guarded
    def set_problems(self, origin: str, problems: Iterable[Problem]) -> None:
        """Replace the problems of one origin; those that `put` brought are another's."""
        self._writing_now().set_problems(f"by {origin}", problems)

    @guarded
    def dump(self) -> dict[str, object]:
        """The logical content, free of row ids and history: equal for equal notes."""
        from vaultmem.storage.index.store.dump import dump

        return dump(self._settled())

    @guarded
    def version(self) -> int:
        """A number that is another one once another connection has written to the file."""
        return int(self._settled().execute("PRAGMA data_version").fetchone()[0])

    # --- folders and files ---------------------------------------------------------------

    @guarded
    def folders(self, paths: Iterable[str] | None = None) -> dict[str, FolderState]:
        """Those of these folders that the last scan saw, or all of them (None), by path."""
        return states.folders(self._connection, paths)

    @guarded
    def set_folders(self, changed: Iterable[FolderState], removed: Iterable[str] = ()) -> None:
        """Replace the rows of folders that changed; drop those of folders that are gone."""
        self._writing_now()
        states.set_folders(self._connection, changed, removed)

    @guarded
    def files(self, paths: Iterable[str] | None = None) -> dict[str, FileState]:
        """States of those of the paths that are known, or of all files (None)."""
        return states.files(self._connection, paths)

    @guarded
    def set_files(self, found: Iterable[FileState]) -> None:
        """Replace the states of these files; one that is nowhere any more is forgotten."""
        self._writing_now()
        states.set_files(self._connection, found)

    @guarded
    def set_head(self, oids: Mapping[str, str]) -> None:
        """What the last commit holds of these files ('': not the file)."""
        self._writing_now()
        states.set_head(self._connection, oids)

    @guarded
    def pending(self) -> tuple[FileState, ...]:
        """Files whose bytes on disk are not those of the last commit, by path."""
        return states.pending(self._connection)

    @guarded
    def is_pending(self, path: PurePosixPath) -> bool:
        """Whether it is one of `pending`; however many there are."""
        return states.is_pending(self._connection, str(path))

    # --- notes ---------------------------------------------------------------------------

    @guarded
    def put(self, decoded: Iterable[Decoded]) -> None:
        """Replace all that is derived from these files; without a record only problems stay."""
        self._writing_now().put(decoded)

    @guarded
    def put_prepared(self, batch: Prepared) -> None:
        """`put` of files that a `Preparer` (perhaps in another process) has worked out."""
        self._writing_now().put_prepared(batch)

    @guarded
    def show(self, items: Iterable[Item]) -> None:
        """Replace what is derived from items, but not the problems of their files."""
        self._writing_now().show(items)

    @guarded
    def remove(self, paths: Iterable[str | PurePosixPath]) -> None:
        """Drop all that is derived from these files, which are not on disk any more."""
        gone = [str(path) for path in paths]
        self._writing_now().remove(gone)
        states.set_gone(self._connection, gone)

    @guarded
    def note(self, path: PurePosixPath) -> NoteRow | None:
        """The note at a path."""
        return reading.note(self._settled(), str(path))

    @guarded
    def notes(self, paths: Iterable[PurePosixPath]) -> dict[PurePosixPath, NoteRow]:
        """The notes at these paths, as far as there are any."""
        return reading.notes(self._settled(), map(str, paths))

    @guarded
    def notes_with_id(self, id_: str) -> tuple[NoteRow, ...]:
        """Notes with this id, by path: more than one when a file was copied."""
        return reading.notes_with_id(self._settled(), id_)

    @guarded
    def notes_with_id_prefix(self, prefix: str) -> tuple[NoteRow, ...]:
        """Notes whose id begins so, by path."""
        return reading.notes_with_id_prefix(self._settled(), prefix)

    @guarded
    def list(self, filters: Filters, *, limit: int | None = None) -> tuple[NoteRow, ...]:
        """Notes that pass the filters, newest first, those without a date last; then by path."""
        return reading.listing(self._settled(), filters, limit)

    @guarded
    def passages(self, path: PurePosixPath) -> tuple[Passage, ...]:
        """The passages of a note in order."""
        return reading.passages(self._settled(), str(path))

    @guarded
    def resolve_link(self, target: str) -> NoteRow | None:
        """The note that a link means: by id, path, file name or alias, in this order."""
        return reading.resolve_link(self._settled(), target)

    @guarded
    def backlinks(self, row: NoteRow) -> tuple[NoteRow, ...]:
        """Notes that link to a note, by path."""
        return reading.backlinks(self._settled(), row)

    @guarded
    def edges(self) -> tuple[Edge, ...]:
        """Every link between two notes, with its relation; and what notes name. Reads them all."""
        from vaultmem.storage.index.edges import edges

        return edges(self._settled())

    @guarded
    def typed_links(self, relation: str) -> tuple[tuple[PurePosixPath, str], ...]:
        """(path, key of where it leads) of all links of one relation, sorted."""
        return reading.typed_links(self._settled(), relation)

    @guarded
    def quoting(
        self, found: Iterable[Found]
    ) -> dict[tuple[PurePosixPath, int], tuple[Quoting, ...]]:
        """By (path, seq) of a passage: the items that quote it from their source, by id."""
        from vaultmem.storage.index.search.quoting import quoting

        return quoting(self._settled(), found)

    @guarded
    def items_with_statement(self, statement: str) -> tuple[str, ...]:
        """Ids of the items that state the same (`text.canonical`), in any status; sorted."""
        return reading.items_with_statement(self._settled(), statement)

    @guarded
    def items_in_slot(self, subject: str, predicate: str, *, near: str = "") -> tuple[NoteRow, ...]:
        """Items whose slot this is (`model.slots`), in any status; oldest validity first.

        near  a value: without those whose value certainly begins with other letters
        """
        return reading.items_in_slot(self._settled(), subject, predicate, near=near)

    @guarded
    def newest_in_slot(self, subject: str, predicate: str, *, limit: int) -> tuple[NoteRow, ...]:
        """Active items whose slot this is, newest validity first."""
        return reading.newest_in_slot(self._settled(), subject, predicate, limit=limit)

    @guarded
    def ended_since(self, since: int, now: int) -> tuple[NoteRow, ...]:
        """Active items, but for events and tasks, whose end is in (since, now]."""
        return reading.ended_since(self._settled(), since, now)

    @guarded
    def items_alike(
        self, text: str, *, batch: Lookups | None = None, status: str = "active"
    ) -> tuple[Nominated, ...]:
        """A few items of a status that share the rarest words of a text, the most alike first.

        batch  of many questions, of which this is one; the index does not change between them
        """
        from vaultmem.storage.index.lookups import items_alike

        return items_alike(self._settled(), self._stems, text, batch=batch, status=status)

    @guarded
    def items_about(self, subject: str) -> tuple[NoteRow, ...]:
        """Items that have a slot of this subject, in any status; by slot, oldest first."""
        return reading.items_about(self._settled(), subject)

    @guarded
    def slots(self) -> tuple[tuple[str, str], ...]:
        """(subject, predicate) of every slot that some item has, as written; sorted."""
        return reading.slots(self._settled())

    # --- trust ---------------------------------------------------------------------------

    @guarded
    def trust_levels(self, ids: Iterable[str]) -> dict[str, str]:
        """The level that the history records of these ids; those it says nothing of are absent."""
        from vaultmem.storage.index.store import trust

        return trust.levels(self._settled(), ids)

    @guarded
    def learn_trust(self, events: Iterable[TrustEvent], *, is_whole: bool = False) -> None:
        """Take in what commits record about trust; `is_whole`: in place of all that was known."""
        from vaultmem.storage.index.store import trust

        self._writing_now()
        trust.learn(self._settled(), events, is_whole=is_whole)

    @guarded
    def raised_trust(self) -> tuple[tuple[str, str, str], ...]:
        """(path, claimed, level) of the notes that claim more trust than they have, by path."""
        from vaultmem.storage.index.store import trust

        return trust.raised(self._settled())
