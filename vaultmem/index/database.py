"""The index of a vault: the one surface of everything that is derived from its notes.

Disposable: it holds nothing that is not in the files, and `dump` of an index that was updated
for years equals that of one built a moment ago. One representation, in one SQLite file.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from vaultmem.analysis import Stems
from vaultmem.index import reading, states, storage
from vaultmem.index.scoring import Scoring
from vaultmem.index.storage import guarded
from vaultmem.model.recall import Filters, Found, NoteRow, Passage, Repair

if TYPE_CHECKING:
    from vaultmem.index.reading import Counts
    from vaultmem.index.search import Search, Searcher
    from vaultmem.index.writer import Writer
    from vaultmem.model.records import Decoded, Item, Problem
    from vaultmem.model.scan import FileState, FolderState

BUSY_SECONDS = 10.0
_OWN = "="  # before the keys of callers, so that they cannot meet ours


FoundAndRepaired = tuple[list[Found], list[Repair]]


class Index:
    """An open index. One thread at a time; any number of processes may share the file.

    identity   of the vault (id and place): the index of another vault is not believed
    languages  of the notes, as in `analysis.Stems`; other languages make another index
    zone       time zone of turn dates without an offset

    Every method raises IndexDamagedError when the file cannot be trusted (build a new one with
    `create`), BusyError when another process writes for longer than `BUSY_SECONDS`, DiskError
    when the disk refuses.
    """

    def __init__(
        self,
        connection: sqlite3.Connection,
        file: Path,
        *,
        identity: str,
        languages: tuple[str, ...],
        zone: str,
    ) -> None:
        self.file = file
        self.identity = identity
        self.languages = languages
        self.zone = zone
        self._connection = connection
        self._stems = Stems(languages)
        self._writer: Writer | None = None
        self._searcher: Searcher | None = None
        self._searched_version = -1
        self._depth = 0

    @classmethod
    def open(
        cls, file: Path, *, identity: str, languages: Sequence[str] = ("en",), zone: str = "UTC"
    ) -> Index:
        """The index in a file; an empty one when there is no file."""
        meta = {"identity": identity, "languages": " ".join(languages), "zone": zone}
        try:
            connection = storage.connect(file, busy_seconds=BUSY_SECONDS)
        except sqlite3.DatabaseError as error:
            raise storage.translated(error, file) from error
        try:
            storage.prepare(connection, meta)
            storage.verify(connection, file, meta)
        except BaseException as error:
            connection.close()
            if isinstance(error, sqlite3.DatabaseError):
                raise storage.translated(error, file) from error
            raise
        return cls(connection, file, identity=identity, languages=tuple(languages), zone=zone)

    @classmethod
    def create(
        cls, file: Path, *, identity: str, languages: Sequence[str] = ("en",), zone: str = "UTC"
    ) -> Index:
        """An empty index in place of whatever the file holds."""
        storage.delete_files(file)
        return cls.open(file, identity=identity, languages=languages, zone=zone)

    def close(self) -> None:
        """Give the file back; an open transaction is rolled back. Closing twice is no error."""
        self._connection.close()

    def __enter__(self) -> Index:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- transactions --------------------------------------------------------------------

    @contextmanager
    def writing(self) -> Iterator[None]:
        """One transaction: all of it, or after an error nothing. Inside another one: part of it."""
        if self._depth:
            self._depth += 1
            try:
                yield
            finally:
                self._depth -= 1
            return
        self._depth = 1
        try:
            self._begin()
            yield
            self._commit()
        except BaseException:
            self._roll_back()
            raise
        finally:
            self._depth = 0

    @guarded
    def _begin(self) -> None:
        if self._writer is None:
            from vaultmem.index.writer import Writer

            self._writer = Writer(self._connection, self._stems, zone=self.zone)
        self._searcher = None
        self._connection.execute("BEGIN IMMEDIATE")
        self._writer.begin()

    @guarded
    def _commit(self) -> None:
        if self._writer is not None:
            self._writer.write()
        self._connection.execute("COMMIT")

    def _roll_back(self) -> None:
        if self._writer is not None:
            self._writer.forget()
        if self._connection.in_transaction:
            self._connection.execute("ROLLBACK")

    def _writing_now(self) -> Writer:
        """The writer of the open transaction; a write outside of one is a bug of the caller."""
        if self._writer is None or not self._depth:
            raise RuntimeError("write to the index only inside `with index.writing():`")
        return self._writer

    def _settled(self) -> sqlite3.Connection:
        """The connection, when everything put in this transaction can be read."""
        if self._depth and self._writer is not None:
            self._writer.write()
        return self._connection

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
    def counts(self) -> Counts:
        """How much there is of everything."""
        return reading.counts(self._settled())

    @guarded
    def problems(self) -> tuple[Problem, ...]:
        """All problems, by path and line."""
        return reading.problems(self._settled())

    @guarded
    def set_problems(self, origin: str, problems: Iterable[Problem]) -> None:
        """Replace the problems of one origin; those that `put` brought are another's."""
        self._writing_now().set_problems(f"by {origin}", problems)

    @guarded
    def dump(self) -> dict[str, object]:
        """The logical content, free of row ids and history: equal for equal notes."""
        return reading.dump(self._settled())

    # --- folders and files ---------------------------------------------------------------

    @guarded
    def folders(self) -> dict[str, FolderState]:
        """All folders of the last scan, by path."""
        return states.folders(self._connection)

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

    # --- notes ---------------------------------------------------------------------------

    @guarded
    def put(self, decoded: Iterable[Decoded]) -> None:
        """Replace all that is derived from these files; without a record only problems stay."""
        self._writing_now().put(decoded)

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
    def items_with_statement(self, statement: str) -> tuple[str, ...]:
        """Ids of the items that state the same (`text.canonical`), in any status; sorted."""
        return reading.items_with_statement(self._settled(), statement)

    # --- questions -----------------------------------------------------------------------

    @guarded
    def search(
        self,
        query: str,
        *,
        limit: int = 20,
        filters: Filters | None = None,
        fuzzy: bool = True,
        scoring: Scoring | None = None,
    ) -> Search:
        """At most `limit` passages for a question, best first; ties by path, then order.

        Any text is a question and never an error; no words, or none that is known, find nothing.
        fuzzy    look for the nearest known words when no passage holds a word of the question
        scoring  switches parts of the score off, to see what they give
        """
        return self._fresh_searcher().search(
            query,
            limit=limit,
            filters=filters or Filters(),
            fuzzy=fuzzy,
            scoring=scoring or Scoring(),
        )

    def _fresh_searcher(self) -> Searcher:
        """What earlier questions loaded, unless somebody has written since."""
        from vaultmem.index.search import Searcher

        connection = self._settled()
        version: int = connection.execute("PRAGMA data_version").fetchone()[0]
        if self._searcher is None or self._searched_version != version or self._depth:
            self._searcher = Searcher(connection, self._stems)
            self._searched_version = version
        return self._searcher

    name = "passages"

    def find(self, query: str, *, limit: int, filters: Filters) -> FoundAndRepaired:
        """`search` as the Retriever that settings call 'passages'."""
        answer = self.search(query, limit=limit, filters=filters)
        return [*answer.found], [*answer.repairs]
