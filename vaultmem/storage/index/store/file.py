"""The index file: a SQLite database beside the vault, opened cheaply and believed narrowly.

Anything wrong with the file is one error, IndexDamagedError, whose cure is to build it again.
A lock held by another process is not damage (BusyError), nor is a full disk (DiskError).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from functools import wraps
from pathlib import Path

from vaultmem.base import (
    BusyError,
    Concatenate,
    DiskError,
    IndexDamagedError,
    ParamSpec,
    Protocol,
    TypeVar,
    VaultmemError,
)
from vaultmem.storage.index.store import seal
from vaultmem.storage.index.store.seal import PAGE_BYTES
from vaultmem.storage.index.store.sqlite import sqlite3

# Raise it with every change of the tables, of how text becomes words, or of where a passage is cut
# (15: bullets; 16: bold words; 17: length of what was said before;
# 18: what is critical; 19: what tells a home, a job, an age; 20: the question before an answer;
# 21: a dropped g; 22: more sentences that tell a home or a job; 23: projects;
# 24: notes looked through for secrets; 26: the lists of notes, files that are gone; 27: likely
# wishes; 28: lengths by kind of note; 29: items are no texts;
# 32: notes by their day): other files are rebuilt.
SCHEMA_VERSION = 32
APPLICATION_ID = 0x764D656D  # 'vMem'
CACHE_KIB = 16_384

_TABLES = """
CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE folders(
  path TEXT PRIMARY KEY, mtime_ns INTEGER NOT NULL, names TEXT NOT NULL, folders TEXT NOT NULL,
  stats BLOB NOT NULL);
-- `clean` is an oid: of the bytes in which no secret was found.
CREATE TABLE files(
  path TEXT PRIMARY KEY, oid TEXT NOT NULL, head_oid TEXT NOT NULL,
  clean TEXT NOT NULL DEFAULT '') WITHOUT ROWID;
CREATE INDEX files_pending ON files(path) WHERE oid <> head_oid;
CREATE INDEX files_gone ON files(path) WHERE oid = '';
CREATE INDEX files_unsearched ON files(path) WHERE oid <> head_oid AND oid <> clean AND oid <> '';
CREATE TABLE problems(
  origin TEXT NOT NULL, path TEXT NOT NULL, line INTEGER, code TEXT NOT NULL,
  message TEXT NOT NULL, hint TEXT NOT NULL, severity TEXT NOT NULL, fixable INTEGER NOT NULL);
CREATE INDEX problems_path ON problems(path);

-- A note owns the passage ids [first, first + size); three ids after them stay free, so that
-- the neighbours of a passage by id are neighbours in its note, or nothing. A title, quote or
-- passage text that is NULL is the statement.
CREATE TABLE notes(
  first INTEGER PRIMARY KEY, size INTEGER NOT NULL, path TEXT NOT NULL, oid TEXT NOT NULL,
  id TEXT NOT NULL, type TEXT NOT NULL, kind TEXT NOT NULL, status TEXT NOT NULL,
  stream TEXT NOT NULL, title TEXT, statement TEXT NOT NULL, categories TEXT NOT NULL,
  tags TEXT NOT NULL, date INTEGER, valid_from INTEGER, valid_until INTEGER,
  importance INTEGER NOT NULL, confidence REAL, confidence_at INTEGER, pinned INTEGER NOT NULL,
  hard INTEGER NOT NULL, source TEXT NOT NULL, quote TEXT, trust TEXT NOT NULL,
  writer TEXT NOT NULL, claims TEXT NOT NULL, digest INTEGER, silent INTEGER NOT NULL,
  dated_from INTEGER, dated_to INTEGER, subject TEXT NOT NULL, predicate TEXT NOT NULL,
  object TEXT NOT NULL, critical TEXT NOT NULL, due INTEGER, said_after TEXT NOT NULL,
  asked TEXT NOT NULL, project TEXT NOT NULL, slot TEXT NOT NULL, words BLOB NOT NULL);
CREATE UNIQUE INDEX notes_path ON notes(path);
CREATE INDEX notes_id ON notes(id) WHERE id <> '';
CREATE INDEX notes_slot ON notes(slot, valid_from) WHERE slot <> '';
CREATE INDEX notes_ends ON notes(valid_until)
  WHERE valid_until IS NOT NULL AND status = 'active' AND kind NOT IN ('event', 'task', '');
CREATE INDEX notes_digest ON notes(digest) WHERE digest IS NOT NULL;
CREATE INDEX notes_newest ON notes(type, silent, date DESC, path);
CREATE INDEX notes_kind ON notes(kind, silent, date DESC, path) WHERE kind <> '';
CREATE INDEX notes_status ON notes(status, date DESC, path) WHERE silent;
CREATE INDEX notes_hard ON notes(first) WHERE hard;
CREATE INDEX notes_critical ON notes(critical) WHERE critical <> '';
CREATE INDEX notes_stream ON notes(stream, id, path) WHERE stream <> '';
CREATE INDEX notes_silent ON notes(first) WHERE silent;
CREATE INDEX notes_dated ON notes(dated_from, dated_to, first, size) WHERE dated_from IS NOT NULL;
CREATE INDEX notes_project ON notes(project) WHERE project <> '';
CREATE TABLE passages(
  id INTEGER PRIMARY KEY, line INTEGER NOT NULL, speaker TEXT NOT NULL, date INTEGER, text TEXT);
CREATE TABLE names(
  name TEXT NOT NULL, rank INTEGER NOT NULL, note INTEGER NOT NULL,
  PRIMARY KEY(name, rank, note)) WITHOUT ROWID;
CREATE INDEX names_note ON names(note);
-- A target is where a link leads (record_rows.link_key), or its relation and that, or an entity.
CREATE TABLE links(
  note INTEGER NOT NULL, target TEXT NOT NULL, PRIMARY KEY(note, target)) WITHOUT ROWID;
CREATE INDEX links_target ON links(target);

-- What commits record about trust, and the level by id that it comes to; see trust_events.py.
CREATE TABLE events(
  id TEXT NOT NULL, commit_id TEXT NOT NULL, level TEXT NOT NULL,
  PRIMARY KEY(id, commit_id, level)) WITHOUT ROWID;
CREATE TABLE levels(id TEXT PRIMARY KEY, level TEXT NOT NULL) WITHOUT ROWID;

-- A word (folded, as written) without postings is dead and means nothing; see postings.py.
CREATE TABLE words(
  word TEXT PRIMARY KEY, id INTEGER NOT NULL, stem TEXT NOT NULL) WITHOUT ROWID;
CREATE INDEX words_stem ON words(stem);
CREATE TABLE postings(key INTEGER PRIMARY KEY, ids BLOB NOT NULL, tfs BLOB NOT NULL);
CREATE TABLE lengths(block INTEGER PRIMARY KEY, norms BLOB NOT NULL, traits BLOB NOT NULL);
"""

_BUSY = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
_DISK = (
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_NOMEM,
)
_DISK_DETAILS = (
    sqlite3.SQLITE_IOERR_WRITE,
    sqlite3.SQLITE_IOERR_FSYNC,
    sqlite3.SQLITE_IOERR_DIR_FSYNC,
    sqlite3.SQLITE_IOERR_TRUNCATE,
    sqlite3.SQLITE_IOERR_SHMSIZE,
    sqlite3.SQLITE_IOERR_SHMOPEN,
    sqlite3.SQLITE_IOERR_SHMMAP,
    sqlite3.SQLITE_IOERR_DELETE,
)
_ENDINGS = ("", "-wal", "-shm", "-journal", seal.ENDING)
_PRIMARY = 0xFF  # the low byte of an extended result code


class Suspicious(Protocol):
    """Whatever works on an index file, and can say what is wrong with it."""

    file: Path

    def flaw(self) -> str:
        """Why the file cannot be trusted; '' when nothing is wrong."""


P = ParamSpec("P")
R = TypeVar("R")
Owner = TypeVar("Owner", bound=Suspicious)

# What rows that make no sense lead to, and bugs too: a look at the whole file tells them apart.
SUSPECT = (LookupError, TypeError, ValueError, AttributeError, ArithmeticError)


def guarded(
    method: Callable[Concatenate[Owner, P], R],
) -> Callable[Concatenate[Owner, P], R]:
    """The method, with errors of SQLite and of senseless rows as errors of this program."""

    @wraps(method)
    def call(self: Owner, /, *args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return method(self, *args, **kwargs)
        except sqlite3.ProgrammingError:
            raise  # a bug of ours, such as using a closed index
        except sqlite3.DatabaseError as error:
            raise translate_error(error, self.file) from error
        except SUSPECT as error:
            reason = self.flaw()
            if reason:
                raise IndexDamagedError(self.file, reason) from error
            raise

    return call


def translate_error(error: sqlite3.DatabaseError, file: Path) -> VaultmemError:
    """What a caller may do about an error of SQLite."""
    code: int = getattr(error, "sqlite_errorcode", 0)
    primary = code & _PRIMARY
    if primary in _BUSY:
        return BusyError(
            f"another process is writing to the index '{file}'", hint="try again in a moment"
        )
    # A flipped bit in the header makes SQLite take a file that we may write for read-only.
    is_flipped = primary == sqlite3.SQLITE_READONLY and os.access(file, os.W_OK)
    odd = next((each for each in files_of(file) if each.is_dir() or each.is_symlink()), None)
    if odd is not None:
        return IndexDamagedError(file, f"'{odd.name}' is no file")
    if (primary in _DISK or code in _DISK_DETAILS) and not is_flipped:
        return DiskError(
            f"cannot write the index '{file}': {error}",
            hint="check free space, permissions and `ulimit -f` there; your notes are safe",
        )
    return IndexDamagedError(file, str(error))


def connect(file: Path, *, busy_seconds: float) -> sqlite3.Connection:
    """A connection with the pragmas of every session; transactions are begun by hand."""
    connection = sqlite3.connect(file, timeout=busy_seconds, isolation_level=None)
    # A power cut may take the last rows: the index is compared with the files, and never believed
    # (test_an_index_that_lost_its_last_rows_does_not_ask_about_a_plain_edit in tests/faults).
    connection.execute("PRAGMA synchronous=NORMAL")
    # These two are for a file that somebody made to be opened (reliability.md T21): its schema runs
    # no functions, and cells that overlap are an error.
    connection.execute("PRAGMA trusted_schema=OFF")
    connection.execute("PRAGMA cell_size_check=ON")
    connection.execute(f"PRAGMA cache_size=-{CACHE_KIB}")
    return connection


def connect_copy(file: Path) -> sqlite3.Connection:
    """A copy of the index in memory; an empty one where the file cannot be read."""
    # A full or read-only state folder kept `recall` from answering.
    connection = sqlite3.connect(":memory:", isolation_level=None)
    try:
        source = sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)
        try:
            if not seal.doubt(source, file):
                source.backup(connection)
        finally:
            source.close()
    except sqlite3.DatabaseError:
        connection.close()
        connection = sqlite3.connect(":memory:", isolation_level=None)
    return connection


def prepare(connection: sqlite3.Connection, meta: Mapping[str, str]) -> None:
    """Make the tables in a new, empty file; a file that another process made first stays."""
    if _version(connection) or connection.execute("SELECT 1 FROM sqlite_master").fetchone():
        return
    # The size of pages has to be set before the mode: a file with a write-ahead log cannot change
    # it.
    connection.execute(f"PRAGMA page_size={PAGE_BYTES}")
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("BEGIN IMMEDIATE")
    try:
        # Another process may have made the tables between the look above and this lock.
        if not _version(connection):
            for statement in _TABLES.split(";\n"):
                if statement.strip():
                    connection.execute(statement)
            connection.executemany("INSERT INTO meta VALUES(?, ?)", sorted(meta.items()))
            connection.execute(f"PRAGMA application_id={APPLICATION_ID}")
            connection.execute(f"PRAGMA user_version={SCHEMA_VERSION}")
        connection.execute("COMMIT")
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")


def _version(connection: sqlite3.Connection) -> int:
    found: int = connection.execute("PRAGMA user_version").fetchone()[0]
    return found


def verify(connection: sqlite3.Connection, file: Path, meta: Mapping[str, str]) -> None:
    """Raise IndexDamagedError unless the file is of this program, version, vault and settings.

    Reads one page. Damage deeper in the file shows when it is met; a file of an older state of
    the vault is no damage (freshness is a matter of hashes of notes, not of the index).
    """
    version = _version(connection)
    if version != SCHEMA_VERSION:
        raise IndexDamagedError(file, f"its version is {version}, not {SCHEMA_VERSION}")
    if connection.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
        raise IndexDamagedError(file, "it is a database of another program")
    for key, value in meta.items():
        row = connection.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        if row is None or row[0] != value:
            raise IndexDamagedError(file, f"it was made for another {key.replace('_', ' ')}")


def files_of(file: Path) -> tuple[Path, ...]:
    """The database and its side files, whether they are there or not."""
    return tuple(file.with_name(file.name + ending) for ending in _ENDINGS)


def delete_files(file: Path) -> None:
    """Take the database and its side files away, if they are there.

    A folder in the place of one is not ours: it is moved aside, with all that is in it.
    """
    unfinished = file.parent.glob(f"{file.name}{seal.ENDING}.*.tmp")  # by a process that died
    for each in (*files_of(file), *unfinished):
        try:
            if each.is_dir() and not each.is_symlink():
                each.rename(each.with_name(f"{each.name}.aside-{os.urandom(4).hex()}"))
            each.unlink(missing_ok=True)
        except OSError as error:
            raise DiskError(
                f"cannot replace the index '{file}': {error.strerror}",
                hint="close other programs that use it",
            ) from error


def storable(text: str) -> str:
    """The text with lone surrogates replaced: no file in UTF-8 holds them, nor does SQLite."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")
