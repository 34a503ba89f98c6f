"""Versions asked for by what they are about, and by when they came and went."""

from __future__ import annotations

from collections.abc import Iterable

from vaultmem.model.history import Version
from vaultmem.model.slots import part_key
from vaultmem.storage.index.past.reading import numbered
from vaultmem.storage.index.store.sqlite import sqlite3


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
        origins |= _numbers(rows)
    return tuple(version for _, version in numbered(connection, origins))


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
    found = numbered(connection, _numbers(rows))
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
    return _numbers(rows).intersection(origins)


def _numbers(rows: Iterable[tuple[int]]) -> set[int]:
    return {number for (number,) in rows}
