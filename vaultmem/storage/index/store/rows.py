"""Rows of notes as `NoteRow`, and filters as SQL."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain
from pathlib import Path, PurePosixPath

from vaultmem import model
from vaultmem.base import Any
from vaultmem.model import (
    NO_PROJECT,
    UNTRUSTED,
    USER,
    FileState,
    Filters,
    FolderState,
    NoteRow,
    writer_shown,
)
from vaultmem.storage.index.store.sqlite import sqlite3

NOTE_COLUMNS = (
    "path, oid, id, type, kind, status, stream, title, statement, categories, tags, date, "
    "valid_from, valid_until, importance, confidence, confidence_at, pinned, hard, source, quote, "
    "trust, writer, claims, subject, predicate, object, critical, due, said_after, asked, project"
)
# Statuses of notes that answer unless somebody asks for others; '' is a note that is no item.
# The column `silent` says of a note that its status is none of these.
ANSWERING = ("", "active")
SEPARATOR = "\n"  # of lists in a column
MARK = "\x1f"  # begins a link target that says more than where it leads; no link key has it
ENTITY = "entity"  # that an item names, by its key
CALLED = "called"  # what a link calls a note; see called.py

_MOST_PATHS = 4_096  # that are remembered, about 1 MB
_MOST_ROWS = 2_048  # the same, about 4 MB


@lru_cache(_MOST_PATHS)
def path_of(text: str) -> PurePosixPath:
    """The path that a column holds; the same object for the same text, as parsing one takes 4 us.

    A hit and its note have the same path, and those of one question come back in the next.
    """
    return PurePosixPath(text)


@lru_cache(_MOST_ROWS)
def note_row(values: tuple[Any, ...]) -> NoteRow:
    """The note of a row that holds NOTE_COLUMNS; the same object for the same values.

    One context meets each of its notes in four lists: 740 records made of a vault of 110 notes were
    a twentieth of its time.
    """
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
        categories=split_list(values[9]),
        tags=split_list(values[10]),
        date=values[11],
        valid_from=values[12],
        valid_until=values[13],
        importance=values[14],
        confidence=values[15],
        confidence_at=values[16],
        pinned=bool(values[17]),
        hard=bool(values[18]) and values[21] != UNTRUSTED,  # only the person makes exceptions
        source=split_list(values[19]),
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
        projects=split_projects(values[31]),
    )


def split_list(text: str | None) -> tuple[str, ...]:
    """The values of a list in a column."""
    return tuple(text.split(SEPARATOR)) if text else ()


def project_column(projects: Sequence[str]) -> str:
    """The projects of a note as their column holds them, '' for none: as they are written, a line
    that begins with MARK, then each key that they are found by on a line of its own.
    """
    if not projects:
        return ""
    keys = dict.fromkeys(key for each in projects for key in model.project_keys(each))
    written = MARK.join(each.replace(SEPARATOR, " ") for each in projects)
    return SEPARATOR.join((f"{MARK}{written}", *keys)) if keys else ""


def split_projects(column: str) -> tuple[str, ...]:
    """The projects of a note, as they are written, of what its column holds."""
    return tuple(column.partition(SEPARATOR)[0][len(MARK) :].split(MARK)) if column else ()


def condition(
    filters: Filters, *, path: str = "path", is_of_past: bool = False
) -> tuple[str, list[object]]:
    """An SQL condition on `notes` and its parameters; '1' when everything passes.

    path        the column with the path of a note, where the statement joins other tables
    is_of_past  on the notes of another time, which have other indexes
    """
    narrowest = "" if is_of_past else _narrowest(filters)
    parts: list[str] = list(_LITERALS.get(narrowest, ()))
    if narrowest and filters.statuses and set(filters.statuses) <= set(ANSWERING):
        parts.append("silent = 0")
    values: list[object] = []
    for column, wanted in (
        ("type", filters.types),
        ("kind", filters.kinds),
        ("stream", filters.streams),
        ("status", filters.statuses),
        ("trust", filters.trusts),
    ):
        if wanted:
            # `+`: SQLite, which counts nothing beforehand, looks in no index for it.
            plus = "" if narrowest in ("", column) else "+"
            held = "= ?" if len(wanted) == 1 else f"IN ({', '.join('?' * len(wanted))})"
            parts.append(f"{plus}{column} {held}")
            values += wanted
    for column, wanted in (("categories", filters.categories), ("tags", filters.tags)):
        if wanted:
            # Obsidian: tags ignore case, and `project` means `project/x` too.
            held = (
                f"instr(char(10) || lower(replace({column}, '/', char(10) || '/')) || char(10), ?)"
            )
            parts.append("(" + " OR ".join([held] * len(wanted)) + ")")
            values += [f"\n{_nesting_key(name)}\n" for name in wanted]
    if filters.entities:
        marks = ", ".join("?" * len(filters.entities))
        parts.append(
            f"{path} IN (SELECT n.path FROM links l JOIN notes n ON n.first = l.note "
            f"WHERE l.target IN ({marks}))"
        )
        values += [f"{MARK}{ENTITY}{MARK}{model.part_key(name)}" for name in filters.entities]
    if filters.projects:
        told = ["project = ''"] if NO_PROJECT in filters.projects else []
        keys = [key for each in filters.projects for key in model.wanted_keys(each)]
        told += ["instr(project || char(10), ?)"] * len(keys)
        values += [f"\n{key}\n" for key in keys]
        parts.append("(" + " OR ".join(told or ["0"]) + ")")
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


# What SQLite has to read to know that an index of some notes has all that are wanted.
_LITERALS = {"stream": ("stream <> ''",), "kind": ("kind <> ''",), "status": ("silent",)}


def _narrowest(filters: Filters) -> str:
    """The column in whose index the wanted notes lie together, fewest first."""
    # A context lists notes six times, each by a look at all notes: .7 of its .95 s beside 100,000.
    if filters.hard:
        return "hard"
    if filters.critical:
        return "critical"
    if filters.streams and all(filters.streams):
        return "stream"
    if filters.statuses and set(filters.statuses).isdisjoint(ANSWERING):
        return "status"
    return "kind" if filters.kinds and all(filters.kinds) else "type"


def _nesting_key(name: str) -> str:
    return name.lower().replace("/", "\n/")


# What the index knows of files and folders: the last scan, and the last commit.

SEPARATOR_OF_NAMES = "/"  # the one character besides NUL that no file name holds
MOST_PARAMETERS = 900  # SQLite before 3.32 takes 999


def batches(values: Sequence[str]) -> Iterator[tuple[Sequence[str], str]]:
    """Runs of the values that SQLite takes at once, each with its question marks."""
    for start in range(0, len(values), MOST_PARAMETERS):
        some = values[start : start + MOST_PARAMETERS]
        yield some, ", ".join("?" * len(some))


def file_states(rows: Iterable[tuple[str, str, str]]) -> dict[str, FileState]:
    """States of files by path, of rows with `path, oid, head_oid`."""
    return {path: FileState(path=path, oid=oid, head_oid=head) for path, oid, head in rows}


def folders(
    connection: sqlite3.Connection, paths: Iterable[str] | None = None
) -> dict[str, FolderState]:
    """All folders by path, or those of these that are known."""
    sql = "SELECT path, mtime_ns, names, folders, stats FROM folders"
    rows: Iterable[tuple[str, int, str, str, bytes]]
    if paths is None:
        rows = connection.execute(sql)
    else:
        found = (
            connection.execute(f"{sql} WHERE path = ?", (path,)) for path in dict.fromkeys(paths)
        )
        rows = chain.from_iterable(found)
    return {
        path: FolderState(
            path=path,
            mtime_ns=mtime_ns,
            names=tuple(names.split(SEPARATOR_OF_NAMES)) if names else (),
            folders=tuple(inner.split(SEPARATOR_OF_NAMES)) if inner else (),
            stats=stats,
        )
        for path, mtime_ns, names, inner, stats in rows
    }


def folders_in(file: Path) -> dict[str, FolderState]:
    """All folders of an index file, for a process that needs nothing else of it."""
    return folders(sqlite3.connect(file, isolation_level=None))
