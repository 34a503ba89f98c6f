"""The index of a vault: the one surface of everything that is derived from its notes.

Disposable: it holds nothing that is not in the files, and `dump` of an index that was updated
for years equals that of one built a moment ago. One representation, in one SQLite file.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from pathlib import Path, PurePosixPath

from vaultmem.base import TYPE_CHECKING
from vaultmem.model import Filters, Found, NoteRow
from vaultmem.storage.index.search.bm25 import Scoring
from vaultmem.storage.index.store import rows
from vaultmem.storage.index.store.file import guarded
from vaultmem.storage.index.store.note_lookups import NoteLookups

if TYPE_CHECKING:
    from vaultmem.model import Decoded, FileState, FolderState, Item, Problem, TrustEvent
    from vaultmem.storage.index.edges import Edge
    from vaultmem.storage.index.lookups import Lookups, Nominated
    from vaultmem.storage.index.past_tables import Spans
    from vaultmem.storage.index.search.bm25 import Likely
    from vaultmem.storage.index.search.meaning import Forms, Likeness, Meaning
    from vaultmem.storage.index.search.search import FoundAndRepaired, Quoting, Search, Searcher
    from vaultmem.storage.index.store.put_notes import Prepared


# The side of an index that vectors look at; without them it costs nothing.


USUAL_GAIN = 0.3  # of a model that nothing is known of (docs/embeddings.md)


class Meant(NoteLookups):
    """An index whose passages may have vectors; the rest is in `Index`."""

    _meaning: Meaning | None = None
    _meant: object = None  # state of the index and of the file that it was made of

    @guarded
    def texts(self) -> list[tuple[int, int, str]]:
        """(id, first passage of its note, text) of every passage, ascending by id."""
        found: list[tuple[int, int, str]] = []
        notes = self._flushed_connection().execute(
            "SELECT first, size, statement FROM notes ORDER BY first"
        )
        passages = self._connection.execute("SELECT id, text FROM passages ORDER BY id")
        note = notes.fetchone()
        for id_, text in passages:
            while note is not None and id_ >= note[0] + note[1]:
                note = notes.fetchone()
            if note is not None and id_ >= note[0]:
                found.append((id_, note[0], note[2] if text is None else text))
        return found

    @guarded
    def likeness(
        self,
        file: Path,
        questions: Sequence[Sequence[float]],
        *,
        named: Collection[str] = (),
        answers_from: float,
        gain: float = USUAL_GAIN,
    ) -> Likeness | None:
        """Of every passage to a question, by the vectors of a file; None: they are of others.

        Others have another dimension, or there are none. Read once for each state of both.
        questions, named  as `Meaning.likeness` has them
        """
        meaning = self._meaning_by(file)
        if meaning.dimension != len(questions[0]):
            return None
        return meaning.likeness(questions, named=named, answers_from=answers_from, gain=gain)

    @guarded
    def forms(self, file: Path, question: str) -> Forms | None:
        """The question as speakers whom it names would put it; None: it names none."""
        from vaultmem.storage.index.search.meaning import forms_of  # saves 123 modules

        return forms_of(question, self._meaning_by(file).speakers)

    @guarded
    def lacking(self, file: Path) -> tuple[str, ...]:
        """The texts of passages that have no vector in a file, the newest last."""
        return self._meaning_by(file).lacking

    def _meaning_by(self, file: Path) -> Meaning:
        from vaultmem.storage.index.search.meaning import Meaning, Vectors  # saves 123 modules

        # `data_version` tells of what other connections wrote and stays the same for what this one
        # writes; `_transactions` is for that.
        version: int = self._flushed_connection().execute("PRAGMA data_version").fetchone()[0]
        stat = file.stat() if file.exists() else None
        stamp = stat and (stat.st_mtime_ns, stat.st_size, stat.st_ino)
        state = (version, self._transactions, file, stamp)
        if self._meaning is None or self._meant != state:
            said = "SELECT id, speaker FROM passages WHERE speaker <> ''"
            speakers = dict(self._connection.execute(said).fetchall())
            vectors = Vectors.read(file)
            self._meaning = Meaning(self.texts(), vectors, speakers)
            self._meant = state
        return self._meaning


# The side of an index that answers questions, with or without numpy.

# At 100,000 passages a question by arrays takes 4.4 ms of CPU and 13.3 without, for 16 MB more of
# memory; a cold command never gets back what importing numpy takes.
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
    def notes(self, paths: Iterable[PurePosixPath]) -> dict[PurePosixPath, NoteRow]:
        """The notes at these paths, as far as there are any.

        Those of passages that were just found were read with them.
        """
        searcher = self._known_searcher()
        if searcher is None:
            return super().notes(paths)
        wanted = set(paths)
        found = searcher.notes(wanted)
        if len(found) == len(wanted):
            return found
        found |= super().notes(wanted - found.keys())
        return {path: found[path] for path in sorted(found, key=str)}

    @guarded
    def spans(self) -> Spans:
        """All notes by their passages, for questions about another time; read once a state."""
        state = self._state()
        if self._spans is None or self._spanned != state or self._depth:
            self._spans, self._spanned = self._read_spans(), state
        return self._spans

    def _read_spans(self) -> Spans:
        from vaultmem.storage.index.past_tables import spans_of_index  # saves 4 modules

        return spans_of_index(self._connection)

    @guarded
    def list_cached(self, filters: Filters, *, limit: int | None) -> tuple[NoteRow, ...]:
        """As `list`, and kept until somebody writes: for the few lists that every context needs.

        They take four looks at all notes; three were a third of a context of 10,000.
        """
        # Inside a transaction of our own rows change while the state keeps its number.
        state = self._state()
        # Three looks at all notes took a third of a warm context of 10,000 items: 6.3 times a
        # recall before, 4.3 times with lists that are kept until somebody writes.
        if self._lists is None or self._listed_at != state or self._depth:
            self._lists, self._listed_at = {}, state
        key = filters, limit
        if key not in self._lists:
            self._lists[key] = self.list(filters, limit=limit)
        return self._lists[key]

    def _state(self) -> tuple[int, int]:
        """Changes whenever anybody has written."""
        version: int = self._flushed_connection().execute("PRAGMA data_version").fetchone()[0]
        return version, self._transactions

    def _known_searcher(self) -> Searcher | None:
        """What earlier questions loaded; None: nothing, or somebody has written since."""
        if self._searcher is None or self._depth or self._searched != self._state():
            return None
        return self._searcher

    def _fresh_searcher(self) -> Searcher:
        """What earlier questions loaded, unless somebody has written since."""
        from vaultmem.storage.index.search.search import Searcher  # saves 18 modules

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
            return self.lasts and self.passage_count() >= MANY_PASSAGES
        self._questions += 1
        return False

    name = "passages"

    def find(self, query: str, *, limit: int, filters: Filters) -> FoundAndRepaired:
        """`search` as the Retriever that settings call 'passages'."""
        answer = self.search(query, limit=limit, filters=filters)
        return [*answer.found], [*answer.repairs]


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
    def problem_count(self) -> int:
        """How many problems there are; cheaper than `problems`."""
        count: int = (
            self._flushed_connection().execute("SELECT count(*) FROM problems").fetchone()[0]
        )
        return count

    @guarded
    def first_problem(self, code: str) -> str:
        """The message of the first problem of a code, by path and line; '' when there is none."""
        # One is asked for, not all: at 100,000 passages with 4,500 problems two readings of them
        # took as long as the edit that was reported.
        row = self._flushed_connection().execute(
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
        from vaultmem.storage.index.store.soundness import dump  # saves 8 modules

        return dump(self._flushed_connection())

    @guarded
    def version(self) -> int:
        """A number that is another one once another connection has written to the file."""
        return int(self._flushed_connection().execute("PRAGMA data_version").fetchone()[0])

    # --- folders and files ---------------------------------------------------------------

    @guarded
    def folders(self, paths: Iterable[str] | None = None) -> dict[str, FolderState]:
        """Those of these folders that the last scan saw, or all of them (None), by path."""
        return rows.folders(self._connection, paths)

    @guarded
    def set_folders(self, changed: Iterable[FolderState], removed: Iterable[str] = ()) -> None:
        """Replace the rows of folders that changed; drop those of folders that are gone."""
        self._writing_now()
        self._connection.executemany(
            "DELETE FROM folders WHERE path = ?", [(path,) for path in removed]
        )
        self._connection.executemany(
            "INSERT OR REPLACE INTO folders VALUES(?, ?, ?, ?, ?)",
            [
                (
                    folder.path,
                    folder.mtime_ns,
                    rows.SEPARATOR_OF_NAMES.join(folder.names),
                    rows.SEPARATOR_OF_NAMES.join(folder.folders),
                    folder.stats,
                )
                for folder in changed
            ],
        )

    @guarded
    def files(self, paths: Iterable[str] | None = None) -> dict[str, FileState]:
        """States of those of the paths that are known, or of all files (None)."""
        if paths is None:
            query = "SELECT path, oid, head_oid FROM files ORDER BY path"
            return rows.file_states(self._connection.execute(query))
        found: dict[str, FileState] = {}
        for some, marks in rows.batches(sorted(set(paths))):
            query = f"SELECT path, oid, head_oid FROM files WHERE path IN ({marks})"
            found |= rows.file_states(self._connection.execute(query, some))
        return found

    @guarded
    def files_below(self, folder: str) -> tuple[FileState, ...]:
        """States of the files in a folder and below it, by path."""
        found = self._connection.execute(
            "SELECT path, oid, head_oid FROM files WHERE path > ? AND path < ? ORDER BY path",
            (f"{folder}/", f"{folder}0"),  # '0' comes after '/'
        )
        return tuple(rows.file_states(found).values())

    @guarded
    def set_files(self, found: Iterable[FileState]) -> None:
        """Replace the states of these files; one that is nowhere any more is forgotten."""
        self._writing_now()
        values = [(state.path, state.oid, state.head_oid) for state in found]
        self._connection.executemany(
            "INSERT OR REPLACE INTO files(path, oid, head_oid) VALUES(?, ?, ?)", values
        )
        self._forget_nowhere([path for path, oid, head in values if not (oid or head)])

    @guarded
    def set_head(self, oids: Mapping[str, str]) -> None:
        """What the last commit holds of these files ('': not the file)."""
        self._writing_now()
        self._connection.executemany(
            "INSERT INTO files(path, oid, head_oid) VALUES(?, '', ?) "
            "ON CONFLICT(path) DO UPDATE SET head_oid = excluded.head_oid",
            sorted(oids.items()),
        )
        self._forget_nowhere([path for path, oid in oids.items() if not oid])

    @guarded
    def pending(self) -> tuple[FileState, ...]:
        """Files whose bytes on disk are not those of the last commit, by path."""
        found = self._connection.execute(
            "SELECT path, oid, head_oid FROM files WHERE oid <> head_oid ORDER BY path"
        )
        return tuple(rows.file_states(found).values())

    @guarded
    def has_pending(self) -> bool:
        """Whether there are any; as cheap with 122,000 of them as with one."""
        row = self._connection.execute("SELECT 1 FROM files WHERE oid <> head_oid LIMIT 1")
        return row.fetchone() is not None

    @guarded
    def pending_paths(self) -> list[str]:
        """The paths of `pending`, sorted: a third of the time that the states take."""
        found = self._connection.execute(
            "SELECT path FROM files WHERE oid <> head_oid ORDER BY path"
        )
        return [path for (path,) in found]

    @guarded
    def gone_paths(self) -> list[str]:
        """Those of `pending` that are not on disk, sorted."""
        # `oid = ''` is the condition of the partial index `files_gone`.
        found = self._connection.execute(
            "SELECT path FROM files WHERE oid = '' AND head_oid <> '' ORDER BY path"
        )
        return [path for (path,) in found]

    @guarded
    def unsearched_files(self) -> tuple[FileState, ...]:
        """Those of `pending` in whose present bytes somebody has to look for secrets, by path."""
        found = self._connection.execute(
            "SELECT path, oid, head_oid FROM files "
            "WHERE oid <> head_oid AND oid <> clean AND oid <> '' ORDER BY path"
        )
        return tuple(rows.file_states(found).values())

    @guarded
    def set_clean(self, states: Iterable[FileState]) -> None:
        """No secret was found in these bytes of files."""
        self._writing_now()
        self._connection.executemany(
            "UPDATE files SET clean = oid WHERE path = ? AND oid = ?",
            [(state.path, state.oid) for state in states],
        )

    @guarded
    def forget_clean(self) -> None:
        """Take back what `set_clean` told of all files."""
        self._writing_now()
        self._connection.execute("UPDATE files SET clean = '' WHERE clean <> ''")

    @guarded
    def is_pending(self, path: PurePosixPath) -> bool:
        """Whether it is one of `pending`; however many there are."""
        row = self._connection.execute(
            "SELECT oid <> head_oid FROM files WHERE path = ?", (str(path),)
        ).fetchone()
        return row is not None and bool(row[0])

    def _forget_nowhere(self, paths: Iterable[str]) -> None:
        """Drop those of the files that are neither on disk nor in the last commit."""
        self._connection.executemany(
            "DELETE FROM files WHERE path = ? AND oid = '' AND head_oid = ''",
            [(path,) for path in paths],
        )

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
        self._connection.executemany(
            "UPDATE files SET oid = '' WHERE path = ?", [(path,) for path in gone]
        )
        self._forget_nowhere(gone)

    @guarded
    def edges(self) -> tuple[Edge, ...]:
        """Every link between two notes, with its relation; and what notes name. Reads them all."""
        from vaultmem.storage.index.edges import edges  # saves 4 modules

        return edges(self._flushed_connection())

    @guarded
    def quoting(
        self, found: Iterable[Found]
    ) -> dict[tuple[PurePosixPath, int], tuple[Quoting, ...]]:
        """By (path, seq) of a passage: the items that quote it from their source, by id."""
        searcher = self._known_searcher()
        if searcher is not None:
            return searcher.quoting(list(found))
        from vaultmem.storage.index.search.search import quoting  # saves 18 modules

        return quoting(self._flushed_connection(), found)

    @guarded
    def items_alike(
        self, text: str, *, batch: Lookups | None = None, status: str = "active"
    ) -> tuple[Nominated, ...]:
        """A few items of a status that share the rarest words of a text, the most alike first.

        batch  of many questions, of which this is one; the index does not change between them
        """
        from vaultmem.storage.index.lookups import items_alike  # saves 4 modules

        return items_alike(
            self._flushed_connection(), self._stems, text, batch=batch, status=status
        )

    # --- trust ---------------------------------------------------------------------------

    @guarded
    def trust_levels(self, ids: Iterable[str]) -> dict[str, str]:
        """The level that the history records of these ids; those it says nothing of are absent."""
        from vaultmem.storage.index.store import trust_events as trust  # saves 1 module

        return trust.levels(self._flushed_connection(), ids)

    @guarded
    def learn_trust(self, events: Iterable[TrustEvent], *, is_whole: bool = False) -> None:
        """Take in what commits record about trust; `is_whole`: in place of all that was known."""
        from vaultmem.storage.index.store import trust_events as trust  # saves 1 module

        self._writing_now()
        trust.learn(self._flushed_connection(), events, is_whole=is_whole)

    @guarded
    def raised_trust(self) -> tuple[tuple[str, str, str], ...]:
        """(path, claimed, level) of the notes that claim more trust than they have, by path."""
        from vaultmem.storage.index.store import trust_events as trust  # saves 1 module

        return trust.overclaimed_notes(self._flushed_connection())
