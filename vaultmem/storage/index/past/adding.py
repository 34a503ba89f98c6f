"""Adding to the past: commits at the end of the chain, with the stays that they end and begin.

What a batch needs to know of the file is read in a few questions at its beginning and written in a
few statements at its end; in between it is kept in memory. A question for each path and id of
20,000 commits took three times as long.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from vaultmem.base import Any, NamedTuple
from vaultmem.storage.index.past.tables import TEXT_COLUMNS, Row, key
from vaultmem.storage.index.store.file import storable
from vaultmem.storage.index.store.sqlite import sqlite3

_MOST_PARAMETERS = 900  # SQLite before 3.32 takes 999
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
    wanted = list(values)
    for start in range(0, len(wanted), _MOST_PARAMETERS):
        some = wanted[start : start + _MOST_PARAMETERS]
        marks = ", ".join("?" * len(some))
        yield from connection.execute(f"{query} IN ({marks}) {after}", some).fetchall()
