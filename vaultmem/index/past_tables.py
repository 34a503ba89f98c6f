"""Tables of the past: the chain of commits, the texts of notes, and where each text stayed.

A *text* is the bytes of one path. A *stay* is one path holding one text from one place of the
chain to another; it is closed once and never otherwise changed. A version of a note is the stays
of equal `origin`: the same bytes at other paths are the same version, moved. A note that `compact`
took out of the folder is *retired*: its stay goes on, since nothing that it says has changed.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from vaultmem.index.entries import NOTE_VALUES
from vaultmem.index.rows import SEPARATOR
from vaultmem.index.storage import storable

Row = tuple[Any, ...]

VERSION = 3
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


class _Stay(NamedTuple):
    number: int
    path: str
    oid: str
    id: str
    origin: int
    first: int | None


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


def known_texts(
    connection: sqlite3.Connection, pairs: Iterable[tuple[str, str]]
) -> dict[tuple[str, str], tuple[int, str]]:
    """(number, id) of those of the (path, blob id) that are texts already."""
    found = {}
    for path, oid in pairs:
        row = connection.execute(
            "SELECT number, id FROM texts WHERE path = ?", (storable(key(path, oid)),)
        ).fetchone()
        if row is not None:
            found[path, oid] = (int(row[0]), str(row[1]))
    return found


def add_texts(connection: sqlite3.Connection, rows: Iterable[Row]) -> None:
    """Add texts; the rows hold TEXT_COLUMNS."""
    marks = ", ".join("?" * len(TEXT_COLUMNS.split(", ")))
    statement = f"INSERT INTO texts({TEXT_COLUMNS}, is_read) VALUES({marks}, 0)"
    found = list(rows)
    try:
        connection.executemany(statement, found)
    except UnicodeEncodeError:  # rare: some key or text holds lone surrogates
        statement = statement.replace("INSERT INTO", "INSERT OR REPLACE INTO")
        connection.executemany(
            statement,
            [tuple(storable(v) if isinstance(v, str) else v for v in row) for row in found],
        )


Texts = Mapping[tuple[str, str], tuple[int | None, str]]
"""(number, None: its bytes are missing; id of the note) by path and blob id."""


def add_commits(
    connection: sqlite3.Connection, commits: Iterable[Arrived], texts: Texts, *, is_cut: bool
) -> None:
    """Add commits to the end of the chain: stays of what they changed end, those of theirs begin.

    texts   of all their bytes that are notes
    is_cut  the history begins with the first: nobody knows when its notes were recorded
    """
    execute = connection.execute
    last = execute("SELECT place, notes FROM chain ORDER BY place DESC LIMIT 1").fetchone()
    place, notes = (0, 0) if last is None else (last[0] + 1, last[1])
    number = execute("SELECT coalesce(max(number), 0) + 1 FROM stays").fetchone()[0]
    has_retired = execute("SELECT 1 FROM retired LIMIT 1").fetchone() is not None
    chain: list[Row] = []
    for arrived in commits:
        has_retired = has_retired or bool(arrived.retired)
        ended, begun = _changes(connection, arrived, place, texts, has_retired=has_retired)
        former = _former(ended, begun, texts)
        connection.executemany(
            "UPDATE stays SET until = ? WHERE number = ?",
            [(place, stay.number) for stay in ended.values()],
        )
        for path, oid in begun:
            text, id_ = texts[path, oid]
            before = former.get(path)
            is_move = before is not None and before.oid == oid and before.id == id_ != ""
            origin = before.origin if is_move and before is not None else number
            now = None if is_cut else arrived.at_ms
            recorded = _first(connection, path, id_, ended.get(path), now)
            execute(
                "INSERT INTO stays VALUES(?, ?, ?, ?, ?, ?, NULL, ?, ?)",
                (number, storable(path), oid, id_, text, place, origin, recorded),
            )
            number += 1
        notes += len(begun) - len(ended)
        said = (arrived.op, arrived.actor, arrived.source, arrived.session, arrived.subject)
        chain.append((place, arrived.commit, arrived.at_ms, notes, *map(storable, said)))
        place, is_cut = place + 1, False
    connection.executemany("INSERT INTO chain VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)", chain)


def _changes(
    connection: sqlite3.Connection,
    arrived: Arrived,
    place: int,
    texts: Texts,
    *,
    has_retired: bool,
) -> tuple[dict[str, _Stay], list[tuple[str, str]]]:
    """The stays that end with a commit, by path, and the (path, blob id) of those that begin."""
    ended: dict[str, _Stay] = {}
    begun: list[tuple[str, str]] = []
    for path, oid in arrived.changed:
        stay = _open_stay(connection, path)
        if stay is not None and not oid and path in arrived.retired:
            connection.execute("INSERT INTO retired VALUES(?, ?, NULL)", (stay.number, place))
            continue
        if stay is not None and has_retired:
            _bring_back(connection, stay, place)
        if stay is not None and stay.oid == oid:
            continue  # only its mode changed, or it is back from its retirement
        if stay is not None:
            ended[path] = stay
        if oid and (path, oid) in texts:
            begun.append((path, oid))
    for path, oid in begun if has_retired else ():
        for stay in _retired(connection, texts[path, oid][1]):  # back under another name
            _bring_back(connection, stay, place)
            ended.setdefault(stay.path, stay)
    return ended, begun


def _open_stay(connection: sqlite3.Connection, path: str) -> _Stay | None:
    row = connection.execute(
        "SELECT number, path, oid, id, origin, first FROM stays WHERE path = ? AND until IS NULL",
        (storable(path),),
    ).fetchone()
    return None if row is None else _Stay(*row)


def _retired(connection: sqlite3.Connection, id_: str) -> list[_Stay]:
    """Stays of a note that are retired now."""
    rows = connection.execute(
        "SELECT s.number, s.path, s.oid, s.id, s.origin, s.first FROM stays s "
        "JOIN retired r ON r.stay = s.number "
        "WHERE s.id = ? AND s.id <> '' AND s.until IS NULL AND r.until IS NULL",
        (id_,),
    )
    return [_Stay(*row) for row in rows.fetchall()]


def _bring_back(connection: sqlite3.Connection, stay: _Stay, place: int) -> None:
    connection.execute(
        "UPDATE retired SET until = ? WHERE stay = ? AND until IS NULL", (place, stay.number)
    )


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


def _first(
    connection: sqlite3.Connection, path: str, id_: str, ended: _Stay | None, now: int | None
) -> int | None:
    """Record time of the first version of a note; None when that is before the history begins.

    A note is matched by its id; without one by its path, and one that was given an id goes on
    from what lay at its path without.
    """
    where, value = ("id = ? AND id <> ''", id_) if id_ else ("path = ?", storable(path))
    least, unknown = connection.execute(
        f"SELECT min(first), count(*) - count(first) FROM stays WHERE {where}"
        + ("" if id_ else " AND id = ''"),
        (value,),
    ).fetchone()
    known = [now, *([least] if least is not None else []), *([None] if unknown else [])]
    if id_ and ended is not None and not ended.id:
        known.append(ended.first)
    return None if None in known else min(each for each in known if each is not None)


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


def listed(text: str | None) -> tuple[str, ...]:
    """The values of a list in a column."""
    return tuple(text.split(SEPARATOR)) if text else ()


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
