"""Tables of the past: the chain of commits, the texts of notes, and where each text stayed.

A *text* is the bytes of one path. A *stay* is one path holding one text from one place of the
chain to another; it is closed once and never otherwise changed. A version of a note is the stays
of equal `origin`: the same bytes at other paths are the same version, moved. A note that `compact`
took out of the folder is *retired*: its stay goes on, since nothing that it says has changed.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import PurePosixPath

from vaultmem.base import Any, NamedTuple
from vaultmem.model import Version, holds_at, part_key, said_by
from vaultmem.storage.index.store.record_rows import NOTE_VALUES
from vaultmem.storage.index.store.rows import (
    MOST_PARAMETERS,
    NOTE_COLUMNS,
    note_row,
    split_list,
)
from vaultmem.storage.index.store.sqlite import sqlite3

Row = tuple[Any, ...]

VERSION = 9
"""Raise it with every change here: the file of another version is built anew."""
TEXT_COLUMNS = f"{NOTE_VALUES}, replaces, replaced_by"
_TABLES = (
    """CREATE TABLE chain(
  place INTEGER PRIMARY KEY, commit_id TEXT NOT NULL, at INTEGER NOT NULL, notes INTEGER NOT NULL,
  op TEXT NOT NULL, actor TEXT NOT NULL, source_id TEXT NOT NULL, session TEXT NOT NULL,
  headline TEXT NOT NULL)""",
    "CREATE UNIQUE INDEX chain_commit ON chain(commit_id)",
    # `path` of a text is its blob id, then the path: unique, and its name stays what it was.
    f"CREATE TABLE texts(number INTEGER PRIMARY KEY, {TEXT_COLUMNS}, is_read INTEGER NOT NULL)",
    "CREATE UNIQUE INDEX texts_path ON texts(path)",
    "CREATE INDEX texts_unread ON texts(number) WHERE NOT is_read",
    # A stay without a text is one whose bytes the repository does not have.
    """CREATE TABLE stays(
  number INTEGER PRIMARY KEY, path TEXT NOT NULL, oid TEXT NOT NULL, id TEXT NOT NULL,
  text INTEGER, since INTEGER NOT NULL, until INTEGER, origin INTEGER NOT NULL, first INTEGER)""",
    "CREATE TABLE retired(stay INTEGER NOT NULL, since INTEGER NOT NULL, until INTEGER)",
    "CREATE INDEX retired_stay ON retired(stay)",
    "CREATE INDEX stays_path ON stays(path)",
    "CREATE INDEX stays_id ON stays(id) WHERE id <> ''",
    "CREATE INDEX stays_since ON stays(since)",
    "CREATE INDEX stays_until ON stays(until)",
    "CREATE INDEX stays_text ON stays(text)",
)


def make_tables(connection: sqlite3.Connection) -> None:
    """Make them, in an open transaction."""
    for statement in _TABLES:
        connection.execute(statement)


def are_made(connection: sqlite3.Connection) -> bool:
    """Whether the tables are there."""
    found = connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'chain'").fetchone()
    return found is not None


def key(path: str, oid: str) -> str:
    """Path of a text among the notes of the past."""
    return f"{oid}/{path}"


def truncate(connection: sqlite3.Connection, keep: int) -> list[str]:
    """Take the chain back to its first `keep` commits; keys of the texts that nothing holds now."""
    touched = connection.execute(
        "SELECT DISTINCT text FROM stays WHERE since >= ? AND text IS NOT NULL", (keep,)
    ).fetchall()
    connection.execute("DELETE FROM stays WHERE since >= ?", (keep,))
    connection.execute("UPDATE stays SET until = NULL WHERE until >= ?", (keep,))
    connection.execute("DELETE FROM retired WHERE since >= ?", (keep,))
    connection.execute("UPDATE retired SET until = NULL WHERE until >= ?", (keep,))
    connection.execute("DELETE FROM chain WHERE place >= ?", (keep,))
    gone = []
    for (number,) in touched:
        if connection.execute("SELECT 1 FROM stays WHERE text = ?", (number,)).fetchone():
            continue
        (path,) = connection.execute(
            "SELECT path FROM texts WHERE number = ?", (number,)
        ).fetchone()
        connection.execute("DELETE FROM texts WHERE number = ?", (number,))
        gone.append(str(path))
    return gone


def dump(connection: sqlite3.Connection) -> dict[str, object]:
    """The logical content of these tables, free of numbers: equal for equal histories."""
    texts = {
        number: row
        for number, *row in connection.execute(f"SELECT number, {TEXT_COLUMNS} FROM texts")
    }
    stays = connection.execute(
        "SELECT number, path, oid, id, text, since, until, origin, first FROM stays"
    ).fetchall()
    begin = {number: (since, path) for number, path, _, _, _, since, *_ in stays}
    return {
        "chain": connection.execute("SELECT * FROM chain ORDER BY place").fetchall(),
        "texts": sorted((tuple(row) for row in texts.values()), key=lambda row: str(row[0])),
        "retired": sorted(
            (begin[number], since, str(until))
            for number, since, until in connection.execute("SELECT * FROM retired")
        ),
        "stays": sorted(
            (since, path, oid, id_, str(until), begin[origin], str(first), text is None)
            for _, path, oid, id_, text, since, until, origin, first in stays
        ),
    }


# Versions of notes as records, from the tables of the past.

_NOTE = tuple(f"t.{column}" for column in NOTE_COLUMNS.split(", "))
_COLUMNS = ", ".join(
    (
        *("s.number", "s.path", "s.oid", "s.id", "s.origin", "s.first", "s.until"),
        *("c.commit_id", "c.at", "c.op", "c.actor", "c.source_id", "c.session"),
        *("c.headline", "c.place"),
        *("e.commit_id", "e.at", "q.commit_id", "q.at", "t.number IS NULL"),
        *("t.replaces", "t.replaced_by"),
        *_NOTE,
    )
)
_STAYS = (
    f"SELECT {_COLUMNS} FROM stays s JOIN chain c ON c.place = s.since "
    "LEFT JOIN chain e ON e.place = s.until LEFT JOIN texts t ON t.number = s.text "
    "LEFT JOIN retired r ON r.stay = s.number AND r.until IS NULL "
    "LEFT JOIN chain q ON q.place = r.since"
)
_OWN = len(("number", "place", "blob", "id", "origin", "first", "until"))
_LINKED_AT = _OWN + 8 + 5
_NOTE_AT = _LINKED_AT + 2

Stay = Sequence[Any]


def versions(connection: sqlite3.Connection, *, id_: str, path: str) -> tuple[Version, ...]:
    """All versions of a note, oldest first."""
    ids = {id_} if id_ else set()
    if path:
        rows = connection.execute("SELECT DISTINCT id FROM stays WHERE path = ?", (path,))
        ids |= {found for (found,) in rows if found}
    numbers = _numbers(connection, "path = ? AND id = ''", path) if path else set()
    for each in ids:
        numbers |= _numbers(connection, "id = ? AND id <> ''", each)
        # What was given this id: the stays without one that ended where it began.
        numbers |= _numbers(
            connection,
            "number IN (SELECT f.number FROM stays n JOIN stays f ON f.path = n.path "
            "WHERE n.id = ? AND n.id <> '' AND f.id = '' AND n.since >= f.until)",
            each,
        )
    return _versions(connection, numbers)


def items_since(connection: sqlite3.Connection, at_ms: int | None) -> Iterator[Version]:
    """Versions of items recorded or ended from an instant on (None: all), oldest first."""
    origins = connection.execute(
        "SELECT s.number FROM stays s JOIN chain c ON c.place = s.since "
        "JOIN texts t ON t.number = s.text WHERE s.number = s.origin AND t.type = 'item' "
        "AND (:at IS NULL OR c.at >= :at OR s.number IN (SELECT l.origin FROM stays l "
        "JOIN chain e ON e.place = l.until WHERE e.at >= :at)) "
        "ORDER BY s.since, s.path, s.number",
        {"at": at_ms},
    ).fetchall()
    for start in range(0, len(origins), MOST_PARAMETERS):
        yield from _versions(connection, [n for (n,) in origins[start : start + MOST_PARAMETERS]])


def _numbers(connection: sqlite3.Connection, where: str, value: str) -> set[int]:
    return _column(connection.execute(f"SELECT DISTINCT origin FROM stays WHERE {where}", (value,)))


def _versions(connection: sqlite3.Connection, origins: Iterable[int]) -> tuple[Version, ...]:
    """The versions that begin with these stays, oldest first, then by path."""
    return tuple(version for _, version in numbered_versions(connection, origins))


def numbered_versions(
    connection: sqlite3.Connection, origins: Iterable[int]
) -> tuple[tuple[int, Version], ...]:
    """The versions that begin with these stays, with their numbers; oldest first, then by path."""
    stays: list[Stay] = []
    wanted = sorted(origins)
    for start in range(0, len(wanted), MOST_PARAMETERS):
        some = wanted[start : start + MOST_PARAMETERS]
        # All stays of a version have the id of its first one: an index of origins is not needed.
        # By a look at all stays `compact` of 2,141 items in 20,000 commits took 17 s; now 1 to 1.8.
        marks = ", ".join(["(?)"] * len(some))
        stays += connection.execute(
            f"WITH wanted(number) AS (VALUES {marks}) {_STAYS} WHERE s.number IN ("
            "SELECT number FROM wanted UNION SELECT m.number FROM wanted w "
            "JOIN stays o ON o.number = w.number JOIN stays m ON m.id = o.id "
            "WHERE o.id <> '' AND m.id <> '' AND m.origin = o.number) ORDER BY s.number",
            some,
        ).fetchall()
    by_origin: dict[int, list[Stay]] = {}
    for stay in stays:
        by_origin.setdefault(stay[4], []).append(stay)
    found = [
        ((of_one[0][_OWN + 7], str(of_one[0][1]), origin), _version(connection, of_one))
        for origin, of_one in by_origin.items()
    ]
    found.sort(key=lambda each: each[0])
    return tuple((key[2], version) for key, version in found)


def _version(connection: sqlite3.Connection, stays: Sequence[Stay]) -> Version:
    first, last = stays[0], stays[-1]
    _, path, oid, id_, _, recorded, until = last[:_OWN]
    commit, at, op, actor, source, session, headline, place = first[_OWN : _OWN + 8]
    ended_by, ended_at, retired_by, retired_at, is_missing = last[_OWN + 8 : _LINKED_AT]
    note = note_row(last[_NOTE_AT:]) if not is_missing else None
    replaces, replaced_by = last[_LINKED_AT:_NOTE_AT]
    return Version(
        path=PurePosixPath(path),
        oid=oid,
        commit=commit,
        recorded_at_ms=at,
        superseded_at_ms=ended_at,
        superseded_by_commit=ended_by or "",
        retired_at_ms=retired_at if until is None else None,
        retired_by_commit=(retired_by or "") if until is None else "",
        is_gone=until is not None and not _goes_on(connection, id_, path, until),
        is_cut=recorded is None and place == 0,
        first_recorded_ms=recorded,
        former_paths=tuple(PurePosixPath(stay[1]) for stay in stays[:-1]),
        op=op,
        actor=actor,
        commit_source=source,
        commit_session=session,
        commit_subject=headline,
        id=id_,
        supersedes=split_list(replaces),
        superseded_by=split_list(replaced_by),
        **(said_by(note) if note else {}),
    )


def _goes_on(connection: sqlite3.Connection, id_: str, path: str, place: int) -> bool:
    """Whether the commit that ended a stay gave the note another one."""
    row = connection.execute(
        "SELECT 1 FROM stays WHERE since = ? AND ((id = ? AND id <> '') OR path = ?)",
        (place, id_, path),
    ).fetchone()
    return row is not None


# Versions asked for by what they are about, and by when they came and went.


def about(connection: sqlite3.Connection, subject: str, predicate: str) -> tuple[Version, ...]:
    """Versions of items that had this slot (`model.slots`), oldest first; '': any predicate."""
    wanted, asked = part_key(subject), part_key(predicate)
    said = connection.execute(
        "SELECT DISTINCT subject, predicate FROM texts WHERE subject <> '' AND predicate <> ''"
    )
    pairs = [
        pair
        for pair in said.fetchall()
        if part_key(pair[0]) == wanted and asked in ("", part_key(pair[1]))
    ]
    origins: set[int] = set()
    for pair in pairs:
        rows = connection.execute(
            "SELECT DISTINCT s.origin FROM stays s JOIN texts t ON t.number = s.text "
            "WHERE t.subject = ? AND t.predicate = ?",
            pair,
        )
        origins |= _column(rows)
    return tuple(version for _, version in numbered_versions(connection, origins))


def between(
    connection: sqlite3.Connection, after: int | None, until: int
) -> tuple[tuple[Version, ...], frozenset[int], frozenset[int]]:
    """Versions that came or went with the commits after one place, up to and with another.

    after    None: from the beginning
    returns  the versions, oldest first; the places among them of those that were there at
             `after`, and of those that were there at `until`
    """
    since = -1 if after is None else after
    rows = connection.execute(
        "SELECT DISTINCT origin FROM stays "
        "WHERE (since > :a AND since <= :b) OR (until > :a AND until <= :b)",
        {"a": since, "b": until},
    )
    found = numbered_versions(connection, _column(rows))
    origins = [origin for origin, _ in found]
    then, now = (_alive(connection, origins, place) for place in (since, until))
    return (
        tuple(version for _, version in found),
        frozenset(n for n, origin in enumerate(origins) if origin in then),
        frozenset(n for n, origin in enumerate(origins) if origin in now),
    )


def _alive(connection: sqlite3.Connection, origins: Iterable[int], place: int) -> set[int]:
    rows = connection.execute(
        "SELECT origin FROM stays WHERE since <= ? AND (until IS NULL OR until > ?)",
        (place, place),
    )
    return _column(rows).intersection(origins)


def _column(rows: Iterable[tuple[int]]) -> set[int]:
    return {number for (number,) in rows}


# Which passages may answer a question about another time: asked of candidates, one by one.
#
# The rows are read once a state of the file, into arrays; what a question adds is two numbers.

_RECORDED = "SELECT first, first + size, path, id, type, status, valid_from, valid_until FROM notes"
_PAST = (
    "SELECT n.first, n.first + n.size, s.path, s.id, t.type, t.status, t.valid_from, t.valid_until,"
    " t.claims, s.first, s.since, s.until, r.stay IS NOT NULL FROM notes n "
    "JOIN texts t ON t.path = n.path JOIN stays s ON s.text = t.number "
    "LEFT JOIN retired r ON r.stay = s.number AND r.until IS NULL"
)


class Span(NamedTuple):
    """A note, for as long as its text stayed there."""

    path: str
    id: str
    type: str
    status: str
    valid_from: int | None
    valid_until: int | None
    claims: str = ""  # the trust it claims; the past alone needs it
    recorded: int | None = None  # UTC ms of its first version; None: not known here
    since: int = 0  # places of the chain, half open
    until: int | None = None
    is_retired: int = 0  # 1: `compact` took it out of the folder

    def holds_at(self, at_ms: int, recorded: int | None) -> bool:
        """Whether what it says held at an instant; what is no item says nothing of that."""
        return self.type != "item" or holds_at(
            at_ms,
            status=self.status,
            valid_from=self.valid_from,
            valid_until=self.valid_until,
            recorded_at=recorded,
        )

    def is_known_at(self, place: int) -> bool:
        """Whether the commit at a place of the chain holds it."""
        return self.since <= place and (self.until is None or place < self.until)


class Spans:
    """All notes of a file by their passages. A text of the past may have stayed several times."""

    def __init__(self, rows: Iterable[Sequence[object]]) -> None:
        self._firsts: list[int] = []
        self._ends: list[int] = []
        self._spans: list[list[Span]] = []
        for first, end, *values in rows:
            if not self._firsts or first != self._firsts[-1]:
                self._firsts.append(first)  # type: ignore[arg-type]  # columns of integers
                self._ends.append(end)  # type: ignore[arg-type]
                self._spans.append([])
            self._spans[-1].append(Span(*values))  # type: ignore[arg-type]

    def passing(self, wanted: Callable[[Span], bool]) -> Callable[[int], bool]:
        """Whether a passage is of a note that is wanted; each note is asked once."""
        known: dict[int, bool] = {}

        def passes(passage: int) -> bool:
            note = bisect_right(self._firsts, passage) - 1
            if note < 0 or passage >= self._ends[note]:
                return False
            answer = known.get(note)
            if answer is None:
                answer = known[note] = any(wanted(span) for span in self._spans[note])
            return answer

        return passes


def spans_of_index(connection: sqlite3.Connection) -> Spans:
    """The notes as they are now."""
    return Spans(connection.execute(f"{_RECORDED} ORDER BY first"))


def spans_of_past(connection: sqlite3.Connection) -> Spans:
    """The texts of the past, as far as their words have been read."""
    return Spans(connection.execute(f"{_PAST} ORDER BY n.first"))
