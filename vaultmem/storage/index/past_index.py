"""The past of a vault: every version of a note on the main line, in a file that grows by commits.

A disposable reading of the history, as the index is one of the files; built when a question about
another time is asked for the first time, and brought level then. Texts are notes here, under the
paths that `past_tables.key` gives them, so the same postings and the same search serve both; they
are read into the postings only when words are asked for.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath

from vaultmem.base import TYPE_CHECKING, Any, NamedTuple, Self, TypeVar
from vaultmem.model import Item
from vaultmem.storage.index import past_tables as tables
from vaultmem.storage.index.database import Index
from vaultmem.storage.index.past_tables import TEXT_COLUMNS, Row, key
from vaultmem.storage.index.store.file import guarded, storable
from vaultmem.storage.index.store.record_rows import note_values
from vaultmem.storage.index.store.rows import SEPARATOR, batches
from vaultmem.storage.index.store.sqlite import sqlite3
from vaultmem.storage.index.text.passages import passages

if TYPE_CHECKING:
    from vaultmem.model import Record, Version
    from vaultmem.storage.index.past_tables import Spans
    from vaultmem.storage.index.store.put_notes import Prepared


# --- commits added at the end of the chain ---

# What a batch needs to know of the file is read in a few questions at its beginning and written in
# a few statements at its end; in between it is kept in memory. A question for each path and id of
# 20,000 commits took three times as long.
_PATH, _ID = 0, 2  # places in a row of TEXT_COLUMNS


class Arrived(NamedTuple):
    """A commit of the chain, ready to be added."""

    commit: str
    at_ms: int  # effective record time
    op: str
    actor: str
    source: str
    session: str
    subject: str
    changed: Sequence[tuple[str, str]]  # (path, blob id) of notes; '': there is none any more
    retired: frozenset[str] = frozenset()  # of the paths that are gone: those that `compact` took


class _Stay:
    """A stay that has not ended; written with its batch when it began in it."""

    __slots__ = ("first", "id", "number", "oid", "origin", "path", "since", "text", "until")

    def __init__(
        self,
        number: int,
        path: str,
        oid: str,
        id_: str,
        text: int | None,
        since: int,
        origin: int,
        first: int | None,
    ) -> None:
        self.number, self.path, self.oid, self.id = number, path, oid, id_
        self.text, self.since, self.origin, self.first = text, since, origin, first
        self.until: int | None = None

    def row(self) -> Row:
        """Its row in the table."""
        return (
            *(self.number, storable(self.path), self.oid, self.id, self.text),
            *(self.since, self.until, self.origin, self.first),
        )


Texts = Mapping[tuple[str, str], tuple[int | None, str]]
"""(number, None: its bytes are missing; id of the note) by path and blob id."""


def known_texts(
    connection: sqlite3.Connection, pairs: Iterable[tuple[str, str]]
) -> dict[tuple[str, str], tuple[int, str]]:
    """(number, id) of those of the (path, blob id) that are texts already."""
    wanted = {storable(key(path, oid)): (path, oid) for path, oid in pairs}
    rows = _rows_in(connection, "SELECT path, number, id FROM texts WHERE path", wanted)
    return {wanted[path]: (number, id_) for path, number, id_ in rows}


def add_texts(
    connection: sqlite3.Connection, rows: Iterable[Row]
) -> dict[tuple[str, str], tuple[int, str]]:
    """Add texts; the rows hold TEXT_COLUMNS. (number, id) by path and blob id."""
    # Texts are numbered here and not by SQLite, so that nothing that was just written is looked up:
    # 20,000 commits take 3.84 to 4.40 s of CPU in place of 4.67 to 4.84.
    number = connection.execute("SELECT coalesce(max(number), 0) + 1 FROM texts").fetchone()[0]
    found = [(number + place, *row) for place, row in enumerate(rows)]
    marks = ", ".join("?" * (len(TEXT_COLUMNS.split(", ")) + 1))
    statement = f"INSERT INTO texts(number, {TEXT_COLUMNS}, is_read) VALUES({marks}, 0)"
    try:
        connection.executemany(statement, found)
    except UnicodeEncodeError:  # rare: some text holds lone surrogates
        statement = statement.replace("INSERT INTO", "INSERT OR REPLACE INTO")
        connection.executemany(
            statement,
            [tuple(storable(v) if isinstance(v, str) else v for v in row) for row in found],
        )
    added = {}
    for number, *row in found:
        oid, _, path = row[_PATH].partition("/")
        added[path, oid] = (number, storable(row[_ID]))
    return added


def add_commits(
    connection: sqlite3.Connection, commits: Iterable[Arrived], texts: Texts, *, is_cut: bool
) -> None:
    """Add commits to the end of the chain: stays of what they changed end, those of theirs begin.

    texts   of all their bytes that are notes
    is_cut  the history begins with the first: nobody knows when its notes were recorded
    """
    last = connection.execute(
        "SELECT place, notes FROM chain ORDER BY place DESC LIMIT 1"
    ).fetchone()
    place, notes = (0, 0) if last is None else (last[0] + 1, last[1])
    arriving = list(commits)
    # A batch reads what it needs at its beginning and writes at its end: each commit asked for the
    # open stay and the first record time of each of its notes, 112,000 statements for 20,000
    # commits.
    batch = _Batch(connection, arriving, texts)
    chain: list[Row] = []
    for arrived in arriving:
        notes += batch.add(arrived, place, None if is_cut else arrived.at_ms)
        said = (arrived.op, arrived.actor, arrived.source, arrived.session, arrived.subject)
        chain.append((place, arrived.commit, arrived.at_ms, notes, *map(storable, said)))
        place, is_cut = place + 1, False
    batch.write()
    connection.executemany("INSERT INTO chain VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)", chain)


class _Batch:
    """The stays that a batch of commits touches, as its last commit so far left them."""

    def __init__(
        self, connection: sqlite3.Connection, commits: Sequence[Arrived], texts: Texts
    ) -> None:
        self._connection = connection
        self._texts = texts
        self._open: dict[str, _Stay] = {}  # by path
        self._firsts: dict[tuple[str, str], int | None] = {}  # by id, or path of those without
        self._retired: dict[str, list[_Stay]] = {}  # by id: those that are retired now
        self._begun: list[_Stay] = []
        self._ended: list[_Stay] = []  # of those that were in the file
        query = "SELECT coalesce(max(number), 0) + 1 FROM stays"
        self._number: int = connection.execute(query).fetchone()[0]
        self._in_file = self._number  # a stay of a lower number is in the file
        if self._in_file > 1:
            self._read({path for each in commits for path, _ in each.changed})
        query = "SELECT 1 FROM retired LIMIT 1"
        self._has_retired = connection.execute(query).fetchone() is not None

    def _read(self, paths: Iterable[str]) -> None:
        """What the file knows of the paths and ids of the batch."""
        connection = self._connection
        by_path = {storable(path): path for path in sorted(paths)}
        columns = "SELECT s.number, s.path, s.oid, s.id, s.text, s.since, s.origin, s.first"
        query = f"{columns} FROM stays s WHERE s.until IS NULL AND s.path"
        for number, path, *rest in _rows_in(connection, query, by_path):
            self._open[by_path[path]] = _Stay(number, by_path[path], *rest)
        ids = sorted({id_ for _, id_ in self._texts.values() if id_})
        # `min` passes over unknown values, so they are counted: one stay whose first day is unknown
        # makes the day of them all unknown.
        query = "SELECT id, min(first), count(*) - count(first) FROM stays WHERE id"
        for id_, least, unknown in _rows_in(connection, query, ids, "GROUP BY id"):
            self._firsts[id_, ""] = None if unknown else least
        query = "SELECT path, min(first), count(*) - count(first) FROM stays WHERE id = '' AND path"
        for path, least, unknown in _rows_in(connection, query, by_path, "GROUP BY path"):
            self._firsts["", by_path[path]] = None if unknown else least
        query = f"{columns} FROM stays s JOIN retired r ON r.stay = s.number "
        query += "WHERE s.until IS NULL AND r.until IS NULL AND s.id"
        for row in _rows_in(connection, query, ids):
            # The one of `_open` where it is there, so that both learn of its end.
            stay = _Stay(*row)
            same = self._open.get(stay.path)
            is_same = same is not None and same.number == stay.number
            self._retire(same if same is not None and is_same else stay)

    def add(self, arrived: Arrived, place: int, now: int | None) -> int:
        """Take one commit in; how many notes there are more than before it.

        now  its record time; None: it is where a shallow history begins
        """
        ended, begun = self._changes(arrived, place)
        former = _former(ended, begun, self._texts)
        for stay in ended.values():
            self._end(stay, place)
        for path, oid in begun:
            text, id_ = self._texts[path, oid]
            before = former.get(path)
            is_move = before is not None and before.oid == oid and before.id == id_ != ""
            origin = before.origin if is_move and before is not None else self._number
            first = self._first(path, id_, ended.get(path), now)
            stay = _Stay(self._number, path, oid, id_, text, place, origin, first)
            self._open[path] = stay
            self._begun.append(stay)
            self._number += 1
        return len(begun) - len(ended)

    def write(self) -> None:
        """Write what the batch changed."""
        self._connection.executemany(
            "UPDATE stays SET until = ? WHERE number = ?",
            [(stay.until, stay.number) for stay in self._ended],
        )
        self._connection.executemany(
            "INSERT INTO stays VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [stay.row() for stay in self._begun],
        )

    def _changes(
        self, arrived: Arrived, place: int
    ) -> tuple[dict[str, _Stay], list[tuple[str, str]]]:
        """The stays that end with a commit, by path, and the (path, blob id) that begin."""
        ended: dict[str, _Stay] = {}
        begun: list[tuple[str, str]] = []
        for path, oid in arrived.changed:
            stay = self._open.get(path)
            if stay is not None and not oid and path in arrived.retired:
                values = (stay.number, place)
                self._connection.execute("INSERT INTO retired VALUES(?, ?, NULL)", values)
                self._has_retired = True
                self._retire(stay)
                continue
            if stay is not None and self._has_retired:
                self._bring_back(stay, place)
            if stay is not None and stay.oid == oid:
                continue  # only its mode changed, or it is back from its retirement
            if stay is not None:
                ended[path] = stay
            if oid and (path, oid) in self._texts:
                begun.append((path, oid))
        for path, oid in begun if self._has_retired else ():
            waiting = self._retired.get(self._texts[path, oid][1], ())
            for stay in sorted(waiting, key=lambda each: each.number):
                self._bring_back(stay, place)  # back under another name
                ended.setdefault(stay.path, stay)
        return ended, begun

    def _end(self, stay: _Stay, place: int) -> None:
        stay.until = place
        if stay.number < self._in_file:
            self._ended.append(stay)
        if self._open.get(stay.path) is stay:
            del self._open[stay.path]

    def _retire(self, stay: _Stay) -> None:
        if stay.id:
            self._retired.setdefault(stay.id, []).append(stay)

    def _bring_back(self, stay: _Stay, place: int) -> None:
        waiting = self._retired.get(stay.id, [])
        if stay in waiting:
            waiting.remove(stay)
        self._connection.execute(
            "UPDATE retired SET until = ? WHERE stay = ? AND until IS NULL", (place, stay.number)
        )

    def _first(self, path: str, id_: str, ended: _Stay | None, now: int | None) -> int | None:
        """Record time of the first version of a note; None when that is before the history begins.

        A note is matched by its id; without one by its path, and one that was given an id goes on
        from what lay at its path without.
        """
        note = (id_, "") if id_ else ("", path)
        known = [now, self._firsts.get(note, now)]
        if id_ and ended is not None and not ended.id:
            known.append(ended.first)
        times = [each for each in known if each is not None]
        first = min(times) if len(times) == len(known) else None
        self._firsts[note] = first
        return first


def _former(
    ended: Mapping[str, _Stay],
    begun: Sequence[tuple[str, str]],
    texts: Texts,
) -> dict[str, _Stay]:
    """What each new stay goes on from: the same path, else the same id, equal bytes first."""
    former: dict[str, _Stay] = {}
    if not ended:
        return former
    ids = {path: texts[path, oid][1] for path, oid in begun}
    free: dict[str, list[_Stay]] = {}
    for path, stay in ended.items():
        if ids.get(path) == stay.id:
            former[path] = stay
        elif stay.id:
            free.setdefault(stay.id, []).append(stay)
    for are_equal in (True, False):
        for path, oid in begun:
            waiting = free.get(ids[path], [])
            fitting = [stay for stay in waiting if not are_equal or stay.oid == oid]
            if path not in former and fitting:
                former[path] = fitting[0]
                waiting.remove(fitting[0])
    return former


def _rows_in(
    connection: sqlite3.Connection, query: str, values: Iterable[str], after: str = ""
) -> Iterator[tuple[Any, ...]]:
    """Rows of a query that ends with the name of a column, where it is one of the values."""
    for some, marks in batches(list(values)):
        yield from connection.execute(f"{query} IN ({marks}) {after}", some).fetchall()


T = TypeVar("T")


class Past(Index):
    """An open file of versions. Errors as in `Session`; one thread at a time."""

    @classmethod
    def open(
        cls, file: Path, *, identity: str, languages: Sequence[str] = ("en",), zone: str = "UTC"
    ) -> Self:
        """The past in a file; an empty one when there is no file."""
        own = f"{identity} past {tables.VERSION}"
        made = super().open(file, identity=own, languages=languages, zone=zone)
        made._begin_as(identity)
        return made

    @classmethod
    def copy(
        cls, file: Path, *, identity: str, languages: Sequence[str] = ("en",), zone: str = "UTC"
    ) -> Self:
        """The past of a file, or an empty one, in memory."""
        own = f"{identity} past {tables.VERSION}"
        made = super().copy(file, identity=own, languages=languages, zone=zone)
        made._begin_as(identity)
        return made

    def _begin_as(self, identity: str) -> None:
        self.identity = identity
        try:
            self._make()
        except BaseException:
            # On a disk that takes no table, four descriptors stayed open until the next collection.
            self.close()  # nobody else has it, and its open files would outlive the command
            raise

    @guarded
    def _make(self) -> None:
        if tables.are_made(self._connection):
            return
        with self.writing():
            if not tables.are_made(self._connection):
                tables.make_tables(self._connection)

    # --- the chain -------------------------------------------------------------------------

    @guarded
    def head(self) -> tuple[str, int | None]:
        """The last commit that is known, and its effective record time; '' when there is none."""
        row = self._connection.execute(
            "SELECT commit_id, at FROM chain ORDER BY place DESC LIMIT 1"
        ).fetchone()
        return ("", None) if row is None else (str(row[0]), int(row[1]))

    @guarded
    def length(self) -> int:
        """How many commits are known."""
        row = self._connection.execute("SELECT max(place) FROM chain").fetchone()
        return 0 if row[0] is None else int(row[0]) + 1

    @guarded
    def place_of(self, commit: str) -> int | None:
        """Place of a commit in the chain, from 0; None when it is not on it."""
        row = self._connection.execute(
            "SELECT place FROM chain WHERE commit_id = ?", (commit,)
        ).fetchone()
        return None if row is None else int(row[0])

    @guarded
    def commit_at(self, place: int) -> tuple[str, int]:
        """Commit at a place of the chain, and its effective record time."""
        commit, at = self._connection.execute(
            "SELECT commit_id, at FROM chain WHERE place = ?", (place,)
        ).fetchone()
        return str(commit), int(at)

    @guarded
    def known_at(self, at_ms: int) -> int | None:
        """Place of the last commit that was known at an instant; None when none was."""
        row = self._connection.execute(
            "SELECT max(place) FROM chain WHERE at <= ?", (at_ms,)
        ).fetchone()
        return None if row[0] is None else int(row[0])

    @guarded
    def common_prefix_length(self, chain: Sequence[str]) -> int:
        """How many of the first commits of a chain (oldest first) are those that are known."""
        known = self._connection.execute("SELECT commit_id FROM chain ORDER BY place").fetchall()
        return bisect_right(
            range(min(len(known), len(chain))), 0, key=lambda i: known[i][0] != chain[i]
        )

    @guarded
    def has_retired(self) -> bool:
        """Whether `compact` has taken notes out of the folder."""
        found = self._connection.execute("SELECT 1 FROM retired WHERE until IS NULL LIMIT 1")
        return found.fetchone() is not None

    @guarded
    def truncate(self, keep: int) -> None:
        """Forget all commits but the first `keep`, and what only they brought."""
        self._writing_now().remove(tables.truncate(self._connection, keep))

    @guarded
    def missing(self, place: int | None = None) -> tuple[str, ...]:
        """Blob ids of texts that the repository did not have, at a place or anywhere; sorted."""
        alive = "" if place is None else " AND since <= :at AND (until IS NULL OR until > :at)"
        rows = self._connection.execute(
            f"SELECT DISTINCT oid FROM stays WHERE text IS NULL{alive}", {"at": place}
        )
        return tuple(sorted(str(oid) for (oid,) in rows))

    # --- writing ---------------------------------------------------------------------------

    @guarded
    def known_texts(
        self, pairs: Iterable[tuple[str, str]]
    ) -> dict[tuple[str, str], tuple[int, str]]:
        """(number, id) of those of the (path, blob id) that are known."""
        return known_texts(self._connection, pairs)

    @guarded
    def add(
        self,
        commits: Iterable[Arrived],
        rows: Iterable[Row],
        *,
        missing: Mapping[tuple[str, str], str],
        is_cut: bool,
    ) -> None:
        """Add commits to the end of the chain, oldest first, with the texts that are new.

        missing  id by (path, blob id) of texts that the repository does not have
        is_cut   the first of them is where a shallow history begins
        """
        self._writing_now()
        connection = self._connection
        arriving = list(commits)
        texts: dict[tuple[str, str], tuple[int | None, str]] = {}
        texts.update(add_texts(connection, rows))
        pairs = dict.fromkeys(pair for each in arriving for pair in each.changed if pair[1])
        others = (pair for pair in pairs if pair not in texts and pair not in missing)
        texts.update(known_texts(connection, others))
        texts.update({pair: (None, id_) for pair, id_ in missing.items()})
        add_commits(connection, arriving, texts, is_cut=is_cut)

    @guarded
    def unread(self, limit: int) -> tuple[tuple[str, str], ...]:
        """(path, blob id) of texts whose words are not in the postings yet, at most `limit`."""
        rows = self._connection.execute(
            "SELECT path, oid FROM texts WHERE NOT is_read ORDER BY number LIMIT ?", (limit,)
        )
        return tuple((str(path)[len(oid) + 1 :], str(oid)) for path, oid in rows)

    @guarded
    def read(self, batch: Prepared) -> None:
        """Take the words of texts into the postings."""
        self._writing_now().put_prepared(batch)
        self._connection.executemany(
            "UPDATE texts SET is_read = 1 WHERE path = ?", [(path,) for path, _ in batch.files]
        )

    # --- reading ---------------------------------------------------------------------------

    @property
    def connection(self) -> sqlite3.Connection:
        """For the views of the past alone; their methods are called inside `run_guarded`."""
        return self._flushed_connection()

    @guarded
    def run_guarded(self, look: Callable[[], T]) -> T:
        """What a look at the file finds, with errors of SQLite as errors of this program."""
        return look()

    @guarded
    def versions(self, *, id: str = "", path: str = "") -> tuple[Version, ...]:
        """All versions of a note, oldest first: by its id, or by a path that it has had.

        A note that was given its id later begins with what lay at its path before.
        """
        return tables.versions(self._connection, id_=id, path=path)

    def _read_spans(self) -> Spans:
        from vaultmem.storage.index.past_tables import spans_of_past  # saves 2 modules

        return spans_of_past(self._connection)

    @guarded
    def record_times(self) -> dict[str, tuple[str, int, int | None]]:
        """By path of each note of the last commit: blob id, record time of what it says, and of
        its first version (None: not known)."""
        rows = self._connection.execute(
            "SELECT s.path, s.oid, c.at, s.first FROM stays s JOIN stays o ON o.number = s.origin "
            "JOIN chain c ON c.place = o.since WHERE s.until IS NULL"
        )
        return {path: (oid, at, first) for path, oid, at, first in rows}

    @guarded
    def touch_times(self) -> dict[str, int]:
        """By id of each note: when somebody gave it other bytes last (UTC ms); maintenance is
        nobody: that it looked at a note is no use of it."""
        rows = self._connection.execute(
            # Learning marks the events that it looked through: counted as a use, each night kept
            # every event out of the archive for 90 days more. Of 45 events that a dry run named in
            # a simulated year none went a week after the night.
            "SELECT s.id, max(c.at) FROM stays s JOIN stays o ON o.number = s.origin "
            "JOIN chain c ON c.place = o.since WHERE s.id <> '' AND c.actor <> 'maintenance' "
            "GROUP BY s.id"
        )
        return dict(rows.fetchall())

    @guarded
    def holds(self, oids: Iterable[str]) -> frozenset[str]:
        """Those of the blob ids that some note of the chain has had."""
        found: set[str] = set()
        for some, marks in batches(sorted(set(oids))):
            rows = self._connection.execute(f"SELECT oid FROM stays WHERE oid IN ({marks})", some)
            found.update(oid for (oid,) in rows)
        return frozenset(found)

    @guarded
    def items_since(self, at_ms: int | None) -> Iterator[Version]:
        """Versions of items that were recorded, or ended, from an instant on (None: all of them),
        oldest first, then by path."""
        return tables.items_since(self._connection, at_ms)

    @guarded
    def versions_about(self, subject: str, predicate: str = "") -> tuple[Version, ...]:
        """Versions of items that had this slot, oldest first; '': any predicate."""
        return tables.about(self._connection, subject, predicate)

    @guarded
    def versions_between(
        self, after: int | None, until: int
    ) -> tuple[tuple[Version, ...], frozenset[int], frozenset[int]]:
        """As `tables.between`: what came or went after one place, up to another."""
        return tables.between(self._connection, after, until)

    @guarded
    def first_recorded(self, *, id: str = "", path: str = "") -> int | None:
        """Record time of the first version of a note; None: it has none, or that is not known."""
        where, value = ("id = ? AND id <> ''", id) if id else ("path = ?", path)
        least, unknown = self._connection.execute(
            f"SELECT min(first), count(*) - count(first) FROM stays WHERE {where}", (value,)
        ).fetchone()
        return None if unknown or least is None else int(least)

    @guarded
    def dump(self) -> dict[str, object]:
        """The logical content, free of numbers: equal for equal histories and words asked for."""
        return {**tables.dump(self._flushed_connection()), "words": super().dump()}


def text_row(record: Record, path: str, oid: str) -> Row:
    """Values of TEXT_COLUMNS: what a record says, under the key of its path and bytes."""
    found = [] if isinstance(record, Item) else passages(record)
    values = note_values(record, found)
    linked: Row = ("", "")
    if isinstance(record, Item):
        linked = (SEPARATOR.join(record.supersedes), SEPARATOR.join(record.superseded_by))
    return (tables.key(path, oid), *values[1:], *linked)


def key_path(path: PurePosixPath, oid: str) -> PurePosixPath:
    """The path of a text as `PurePosixPath`."""
    return PurePosixPath(tables.key(str(path), oid))
