"""Which items quote a passage of their source."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import PurePosixPath
from typing import Any

from vaultmem.base.records import NamedTuple
from vaultmem.model.answers import Found, NoteRow, Passage
from vaultmem.storage.index.store.lists import in_lists
from vaultmem.storage.index.store.rows import NOTE_COLUMNS, note_row
from vaultmem.storage.index.store.sqlite import sqlite3


class Quoting(NamedTuple):
    """An item, and the passage that is its statement."""

    note: NoteRow
    passage: Passage


def quoting(
    connection: sqlite3.Connection, found: Iterable[Found]
) -> dict[tuple[PurePosixPath, int], tuple[Quoting, ...]]:
    """By (path, seq): the items that quote a passage of their source, by id; others are absent."""
    answers = {}
    some = list(found)
    resources = _resources(connection, {str(one.path) for one in some})
    for one in some:
        path, text = str(one.path), one.passage.text
        if path not in resources:
            continue
        rows = connection.execute(
            f"SELECT p.line, p.text, {_QUOTING_COLUMNS} FROM notes r "
            "JOIN links l ON l.target = r.id JOIN notes n ON n.first = l.note "
            "JOIN passages p ON p.id = n.first "
            "WHERE r.path = ? AND r.type = 'resource' AND r.id <> '' AND n.type = 'item' "
            "AND coalesce(n.quote, n.statement) <> '' "
            "AND (instr(?, coalesce(n.quote, n.statement)) "
            "OR instr(coalesce(n.quote, n.statement), ?)) ORDER BY n.id, n.path",
            (path, text, text),
        )
        items = tuple(_quoting(row) for row in rows)
        if items:
            answers[one.path, one.passage.seq] = items
    return answers


def _resources(connection: sqlite3.Connection, paths: Iterable[str]) -> set[str]:
    """Those of the paths that are of resources with an id: what items quote."""
    resources: set[str] = set()
    for some, marks in in_lists(sorted(paths)):
        rows = connection.execute(
            # By path: `+` keeps SQLite from going through all resources instead.
            f"SELECT path FROM notes WHERE path IN ({marks}) AND +type = 'resource' AND +id <> ''",
            some,
        )
        resources.update(path for (path,) in rows)
    return resources


_QUOTING_COLUMNS = ", ".join(f"n.{column}" for column in NOTE_COLUMNS.split(", "))


def _quoting(row: tuple[Any, ...]) -> Quoting:
    note_of_item = note_row(row[2:])
    text = note_of_item.statement if row[1] is None else row[1]
    return Quoting(note_of_item, Passage(text=text, seq=0, line=row[0]))
