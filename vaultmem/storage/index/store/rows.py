"""Rows of notes as `NoteRow`, and filters as SQL."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
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


def _nesting_key(name: str) -> str:
    return name.lower().replace("/", "\n/")


# What the index knows of files and folders: the last scan, and the last commit.

_SEPARATOR = "/"  # the one character besides NUL that no file name holds
MOST_PARAMETERS = 900  # SQLite before 3.32 takes 999


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
            names=tuple(names.split(_SEPARATOR)) if names else (),
            folders=tuple(inner.split(_SEPARATOR)) if inner else (),
            stats=stats,
        )
        for path, mtime_ns, names, inner, stats in rows
    }


def folders_in(file: Path) -> dict[str, FolderState]:
    """All folders of an index file, for a process that needs nothing else of it."""
    return folders(sqlite3.connect(file, isolation_level=None))


def set_folders(
    connection: sqlite3.Connection, changed: Iterable[FolderState], removed: Iterable[str]
) -> None:
    """Replace the rows of folders that changed; drop those of folders that are gone."""
    connection.executemany("DELETE FROM folders WHERE path = ?", [(path,) for path in removed])
    connection.executemany(
        "INSERT OR REPLACE INTO folders VALUES(?, ?, ?, ?, ?)",
        [
            (
                folder.path,
                folder.mtime_ns,
                _SEPARATOR.join(folder.names),
                _SEPARATOR.join(folder.folders),
                folder.stats,
            )
            for folder in changed
        ],
    )


def files(connection: sqlite3.Connection, paths: Iterable[str] | None) -> dict[str, FileState]:
    """States of those of the paths that are known, or of all files (None)."""
    if paths is None:
        rows = connection.execute("SELECT path, oid, head_oid FROM files ORDER BY path")
        return _states(rows)
    found: dict[str, FileState] = {}
    wanted = sorted(set(paths))
    for start in range(0, len(wanted), MOST_PARAMETERS):
        some = wanted[start : start + MOST_PARAMETERS]
        marks = ", ".join("?" * len(some))
        found.update(
            _states(
                connection.execute(
                    f"SELECT path, oid, head_oid FROM files WHERE path IN ({marks})", some
                )
            )
        )
    return found


def set_files(connection: sqlite3.Connection, states: Iterable[FileState]) -> None:
    """Replace the states of these files; one that is nowhere any more is forgotten."""
    rows = [(state.path, state.oid, state.head_oid) for state in states]
    connection.executemany(
        "INSERT OR REPLACE INTO files(path, oid, head_oid) VALUES(?, ?, ?)", rows
    )
    _forget_nowhere(connection, [path for path, oid, head in rows if not (oid or head)])


def pending(connection: sqlite3.Connection) -> tuple[FileState, ...]:
    """Files whose bytes on disk are not those of the last commit, by path."""
    rows = connection.execute(
        "SELECT path, oid, head_oid FROM files WHERE oid <> head_oid ORDER BY path"
    )
    return tuple(_states(rows).values())


def unsearched_files(connection: sqlite3.Connection) -> tuple[FileState, ...]:
    """Those of the pending files in whose present bytes somebody has to look for secrets."""
    rows = connection.execute(
        "SELECT path, oid, head_oid FROM files "
        "WHERE oid <> head_oid AND oid <> clean AND oid <> '' ORDER BY path"
    )
    return tuple(_states(rows).values())


def set_clean(connection: sqlite3.Connection, states: Iterable[FileState]) -> None:
    """No secret was found in these bytes; a row that says others by now stays as it is."""
    connection.executemany(
        "UPDATE files SET clean = oid WHERE path = ? AND oid = ?",
        [(state.path, state.oid) for state in states],
    )


def forget_clean(connection: sqlite3.Connection) -> None:
    """Every pending file has to be looked through again."""
    connection.execute("UPDATE files SET clean = '' WHERE clean <> ''")


def is_pending(connection: sqlite3.Connection, path: str) -> bool:
    """Whether the bytes of a file on disk are not those of the last commit."""
    row = connection.execute("SELECT oid <> head_oid FROM files WHERE path = ?", (path,)).fetchone()
    return row is not None and bool(row[0])


def set_head(connection: sqlite3.Connection, oids: Mapping[str, str]) -> None:
    """What the last commit holds of these files ('': not the file)."""
    connection.executemany(
        "INSERT INTO files(path, oid, head_oid) VALUES(?, '', ?) "
        "ON CONFLICT(path) DO UPDATE SET head_oid = excluded.head_oid",
        sorted(oids.items()),
    )
    _forget_nowhere(connection, [path for path, oid in oids.items() if not oid])


def set_gone(connection: sqlite3.Connection, paths: Iterable[str]) -> None:
    """These files are not on disk any more."""
    gone = list(paths)
    connection.executemany("UPDATE files SET oid = '' WHERE path = ?", [(path,) for path in gone])
    _forget_nowhere(connection, gone)


def _forget_nowhere(connection: sqlite3.Connection, paths: Iterable[str]) -> None:
    """Drop those of the files that are neither on disk nor in the last commit."""
    connection.executemany(
        "DELETE FROM files WHERE path = ? AND oid = '' AND head_oid = ''",
        [(path,) for path in paths],
    )


def _states(rows: Iterable[tuple[str, str, str]]) -> dict[str, FileState]:
    return {path: FileState(path=path, oid=oid, head_oid=head) for path, oid, head in rows}
