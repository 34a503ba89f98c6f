"""Rows of notes as `NoteRow`, and filters as SQL."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import PurePosixPath
from typing import Any

from vaultmem.model.answers import Filters, NoteRow
from vaultmem.model.trust import UNTRUSTED, USER, writer_shown

NOTE_COLUMNS = (
    "path, oid, id, type, kind, status, stream, title, statement, categories, tags, date, "
    "valid_from, valid_until, importance, confidence, confidence_at, pinned, hard, source, quote, "
    "trust, writer, claims, subject, predicate, object, critical, due, said_after, asked"
)
# Statuses of notes that answer unless somebody asks for others; '' is a note that is no item.
# The column `silent` says of a note that its status is none of these.
ANSWERING = ("", "active")
SEPARATOR = "\n"  # of lists in a column
MARK = "\x1f"  # begins a link target that says more than where it leads; no link key has it
ENTITY = "entity"  # that an item names, by its key
CALLED = "called"  # what a link calls a note; see called.py

_MOST_PATHS = 4_096  # that are remembered, about 1 MB


@lru_cache(_MOST_PATHS)
def path_of(text: str) -> PurePosixPath:
    """The path that a column holds; the same object for the same text, as parsing one takes 4 us.

    A hit and its note have the same path, and those of one question come back in the next.
    """
    return PurePosixPath(text)


def note_row(values: Sequence[Any]) -> NoteRow:
    """The note of a row that holds NOTE_COLUMNS."""
    return NoteRow(
        path=path_of(values[0]),
        oid=values[1],
        id=values[2],
        type=values[3],
        kind=values[4],
        status=values[5],
        stream=values[6],
        title=values[8] if values[7] is None else values[7],
        statement=values[8],
        categories=_listed(values[9]),
        tags=_listed(values[10]),
        date=values[11],
        valid_from=values[12],
        valid_until=values[13],
        importance=values[14],
        confidence=values[15],
        confidence_at=values[16],
        pinned=bool(values[17]),
        hard=bool(values[18]) and values[21] != UNTRUSTED,  # only the person makes exceptions
        source=_listed(values[19]),
        quote=values[8] if values[20] is None else values[20],
        trust=values[21],
        writer=writer_shown(values[22], trust=values[21], claims=values[23]),
        subject=values[24],
        predicate=values[25],
        object=values[26],
        # Others' words would stand first in every context: only the person's are critical.
        critical=values[27] if values[21] == USER else "",
        due=values[28],
        said_after=values[29],
        asked=values[30],
    )


def _listed(text: str) -> tuple[str, ...]:
    return tuple(text.split(SEPARATOR)) if text else ()


def condition(filters: Filters, *, path: str = "path") -> tuple[str, list[object]]:
    """An SQL condition on `notes` and its parameters; '1' when everything passes.

    path  the column with the path of a note, where the statement joins other tables
    """
    parts: list[str] = []
    values: list[object] = []
    for column, wanted in (
        ("type", filters.types),
        ("kind", filters.kinds),
        ("stream", filters.streams),
        ("status", filters.statuses),
        ("trust", filters.trusts),
    ):
        if wanted:
            parts.append(f"{column} IN ({', '.join('?' * len(wanted))})")
            values += wanted
    for column, wanted in (("categories", filters.categories), ("tags", filters.tags)):
        if wanted:
            # Obsidian: tags ignore case, and `project` means `project/x` too.
            held = (
                f"instr(char(10) || lower(replace({column}, '/', char(10) || '/')) || char(10), ?)"
            )
            parts.append("(" + " OR ".join([held] * len(wanted)) + ")")
            values += [f"\n{_nested(name)}\n" for name in wanted]
    if filters.entities:
        from vaultmem.model.slots import part_key

        marks = ", ".join("?" * len(filters.entities))
        parts.append(
            f"{path} IN (SELECT n.path FROM links l JOIN notes n ON n.first = l.note "
            f"WHERE l.target IN ({marks}))"
        )
        values += [f"{MARK}{ENTITY}{MARK}{part_key(name)}" for name in filters.entities]
    if filters.hard:
        parts.append("hard AND trust <> ?")  # only the person makes exceptions
        values.append(UNTRUSTED)
    if filters.critical:
        parts.append("critical <> '' AND trust = ?")
        values.append(USER)
    if filters.since is not None:
        parts.append("dated_to >= ?")
        values.append(filters.since)
    if filters.until is not None:
        parts.append("dated_from < ?")
        values.append(filters.until)
    return " AND ".join(parts) or "1", values


def _nested(name: str) -> str:
    return name.lower().replace("/", "\n/")
