"""What the index knows of files and folders: the last scan, and the last commit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import chain
from pathlib import Path

from vaultmem.model.notes import FileState, FolderState
from vaultmem.storage.index.store.sqlite import sqlite3

_SEPARATOR = "/"  # the one character besides NUL that no file name holds
_MOST_PARAMETERS = 900  # SQLite before 3.32 takes 999


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
    for start in range(0, len(wanted), _MOST_PARAMETERS):
        some = wanted[start : start + _MOST_PARAMETERS]
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
    connection.executemany("INSERT OR REPLACE INTO files VALUES(?, ?, ?)", rows)
    _forget_nowhere(connection, [path for path, oid, head in rows if not (oid or head)])


def pending(connection: sqlite3.Connection) -> tuple[FileState, ...]:
    """Files whose bytes on disk are not those of the last commit, by path."""
    rows = connection.execute(
        "SELECT path, oid, head_oid FROM files WHERE oid <> head_oid ORDER BY path"
    )
    return tuple(_states(rows).values())


def is_pending(connection: sqlite3.Connection, path: str) -> bool:
    """Whether the bytes of a file on disk are not those of the last commit."""
    row = connection.execute("SELECT oid <> head_oid FROM files WHERE path = ?", (path,)).fetchone()
    return row is not None and bool(row[0])


def set_head(connection: sqlite3.Connection, oids: Mapping[str, str]) -> None:
    """What the last commit holds of these files ('': not the file)."""
    connection.executemany(
        "INSERT INTO files VALUES(?, '', ?) "
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
