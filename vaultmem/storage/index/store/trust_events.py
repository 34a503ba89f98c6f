"""What the history records about trust, and the level that each note has because of it.

Events are kept as they were read; `levels` holds what they come to. Rows of notes carry the
lower of that and what their front matter claims, so a question joins nothing.
"""

from __future__ import annotations

from collections.abc import Iterable

from vaultmem.base import Any
from vaultmem.model import UNDONE, USER, TrustEvent, is_below, lowest, recorded_levels
from vaultmem.storage.index.store.sqlite import sqlite3

Row = tuple[Any, ...]

# Places in a row that is about to be inserted into `notes`.
_ID, _TRUST, _CLAIMS = 4, 23, 25


def levels(connection: sqlite3.Connection, ids: Iterable[str]) -> dict[str, str]:
    """Recorded level of those of the ids that have one."""
    found = {}
    for id_ in ids:
        row = connection.execute("SELECT level FROM levels WHERE id = ?", (id_,)).fetchone()
        if row is not None:
            found[id_] = str(row[0])
    return found


def learn(connection: sqlite3.Connection, events: Iterable[TrustEvent], *, is_whole: bool) -> None:
    """Add events (`is_whole`: in place of all that was known), and bring rows level with them."""
    given = tuple(events)
    touched = {event.id for event in given}
    if is_whole:
        touched.update(id_ for (id_,) in connection.execute("SELECT id FROM levels"))
        connection.execute("DELETE FROM events")
        connection.execute("DELETE FROM levels")
    elif any(event.level == UNDONE for event in given):
        # What was taken back may have been an approval, or the taking back of one.
        approved = connection.execute("SELECT DISTINCT id FROM events WHERE level = ?", (USER,))
        touched.update(id_ for (id_,) in approved)
    if not touched:
        return
    connection.executemany(
        "INSERT OR IGNORE INTO events VALUES(?, ?, ?)",
        [(event.id, event.commit, event.level) for event in given],
    )
    undone = _events(connection, "level = ?", UNDONE)
    for id_ in sorted(touched):
        of_id = _events(connection, "id = ?", id_)
        is_approved = any(event.level == USER for event in of_id)
        level = recorded_levels((*undone, *of_id) if is_approved else of_id).get(id_)
        if level is None:
            connection.execute("DELETE FROM levels WHERE id = ?", (id_,))
        else:
            connection.execute("INSERT OR REPLACE INTO levels VALUES(?, ?)", (id_, level))
        _bring_level(connection, id_, level or USER)


def _events(connection: sqlite3.Connection, where: str, value: str) -> tuple[TrustEvent, ...]:
    rows = connection.execute(
        f"SELECT id, commit_id, level FROM events WHERE {where} ORDER BY id, commit_id", (value,)
    )
    return tuple(TrustEvent(id=id_, commit=commit, level=level) for id_, commit, level in rows)


def _bring_level(connection: sqlite3.Connection, id_: str, level: str) -> None:
    rows = connection.execute("SELECT first, claims FROM notes WHERE id = ? AND id <> ''", (id_,))
    for first, claims in rows.fetchall():
        connection.execute(
            "UPDATE notes SET trust = ? WHERE first = ?", (lowest(claims, level), first)
        )


def with_levels(connection: sqlite3.Connection, rows: Iterable[Row]) -> list[Row]:
    """Rows of notes to be inserted, each with the trust that its record gives it."""
    given = list(rows)
    if connection.execute("SELECT 1 FROM levels LIMIT 1").fetchone() is None:
        return given
    known = levels(connection, {row[_ID] for row in given if row[_ID]})
    return [
        (*row[:_TRUST], lowest(row[_CLAIMS], known[row[_ID]]), *row[_TRUST + 1 :])
        if row[_ID] in known
        else row
        for row in given
    ]


def overclaimed_notes(connection: sqlite3.Connection) -> tuple[tuple[str, str, str], ...]:
    """(path, claimed level, level) of notes that claim more trust than their record gives."""
    rows = connection.execute("SELECT path, claims, trust FROM notes WHERE claims <> trust")
    return tuple(sorted(row for row in rows if is_below(row[2], row[1])))
