"""Tables of the past: the chain of commits, the texts of notes, and where each text stayed.

A *text* is the bytes of one path. A *stay* is one path holding one text from one place of the
chain to another; it is closed once and never otherwise changed. A version of a note is the stays
of equal `origin`: the same bytes at other paths are the same version, moved. A note that `compact`
took out of the folder is *retired*: its stay goes on, since nothing that it says has changed.
"""

from __future__ import annotations

from vaultmem.base import Any
from vaultmem.storage.index.store.record_rows import NOTE_VALUES
from vaultmem.storage.index.store.rows import SEPARATOR
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


def split_list(text: str | None) -> tuple[str, ...]:
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
