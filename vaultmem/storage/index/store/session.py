"""An open index file: its connection, its transactions, and what to think of its errors."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from vaultmem.base import TYPE_CHECKING, IndexDamagedError, Self
from vaultmem.language import Stems
from vaultmem.storage.index.store import file as storage
from vaultmem.storage.index.store import seal
from vaultmem.storage.index.store.file import guarded
from vaultmem.storage.index.store.sqlite import sqlite3

if TYPE_CHECKING:
    from vaultmem.storage.index.store.put_notes import Writer

BUSY_SECONDS = seal.BUSY_SECONDS
LOG_BYTES = 8_000_000  # of the write-ahead log: from here on a commit moves it into the main file


class Session:
    """A connection to an index file, with at most one transaction of its own at a time.

    Errors are IndexDamagedError when the file cannot be trusted (build a new one with
    `create`), BusyError when another process writes for longer than `BUSY_SECONDS`, DiskError
    when the disk refuses.
    """

    def __init__(
        self,
        connection: sqlite3.Connection,
        file: Path,
        *,
        identity: str,
        languages: tuple[str, ...],
        zone: str,
    ) -> None:
        self.file = file
        self.identity = identity
        self.languages = languages
        self.zone = zone
        self._connection = connection
        self._stems = Stems(languages)
        self._writer: Writer | None = None
        self._transactions = 0  # begun so far
        self._depth = 0
        self._is_snapshot = False  # what is read is of one moment, until `snapshot` ends
        self.is_open = True
        self.is_copy = False  # in memory: what it learns is forgotten when it is closed

    @classmethod
    def open(
        cls, file: Path, *, identity: str, languages: Sequence[str] = ("en",), zone: str = "UTC"
    ) -> Self:
        """The index in a file; an empty one when there is no file."""
        meta = {"identity": identity, "languages": " ".join(languages), "zone": zone}
        try:
            connection = storage.connect(file, busy_seconds=BUSY_SECONDS)
        except sqlite3.DatabaseError as error:
            raise storage.translate_error(error, file) from error
        except UnicodeDecodeError as error:  # SQLite quotes the damage in its message
            raise IndexDamagedError(file, "its tables are not readable") from error
        try:
            storage.prepare(connection, meta)
            storage.verify(connection, file, meta)
            reason = seal.doubt(connection, file)
            if reason:
                raise IndexDamagedError(file, reason)
        except BaseException as error:
            connection.close()
            if isinstance(error, sqlite3.DatabaseError):
                raise storage.translate_error(error, file) from error
            if isinstance(error, UnicodeDecodeError):
                raise IndexDamagedError(file, "its tables are not readable") from error
            raise
        return cls(connection, file, identity=identity, languages=tuple(languages), zone=zone)

    @classmethod
    def copy(
        cls, file: Path, *, identity: str, languages: Sequence[str] = ("en",), zone: str = "UTC"
    ) -> Self:
        """The index of a file, or an empty one, in memory: for reading where no disk helps."""
        meta = {"identity": identity, "languages": " ".join(languages), "zone": zone}
        connection = storage.connect_copy(file)
        try:
            storage.prepare(connection, meta)
            storage.verify(connection, file, meta)
        except (sqlite3.DatabaseError, UnicodeDecodeError, IndexDamagedError):
            connection.close()
            connection = sqlite3.connect(":memory:", isolation_level=None)
            storage.prepare(connection, meta)
        made = cls(connection, file, identity=identity, languages=tuple(languages), zone=zone)
        made.is_copy = True
        return made

    def reopen_empty(self) -> Self:
        """An empty index in place of this one, which is closed."""
        self.close()
        return self.create(
            self.file, identity=self.identity, languages=self.languages, zone=self.zone
        )

    def reopen_in_memory(self) -> Self:
        """A copy of this one in memory; this one is closed."""
        self.close()
        return self.copy(
            self.file, identity=self.identity, languages=self.languages, zone=self.zone
        )

    @classmethod
    def create(
        cls, file: Path, *, identity: str, languages: Sequence[str] = ("en",), zone: str = "UTC"
    ) -> Self:
        """An empty index in place of whatever the file holds."""
        storage.delete_files(file)
        return cls.open(file, identity=identity, languages=languages, zone=zone)

    def close(self) -> None:
        """Give the file back; an open transaction is rolled back. Closing twice is no error."""
        self.is_open = self._is_snapshot = False
        if self.is_copy:
            self._connection.close()
        else:
            seal.close(self._connection, self.file)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- transactions --------------------------------------------------------------------

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """All that is read in it is of one moment, whatever others commit meanwhile.

        Without it a row that one statement names may be gone for the next: a recall beside a
        writer ended in a KeyError between ranking passages and reading their notes. Nobody waits
        for it: a commit of others goes into the log. Inside `writing` or another one it is part
        of that; a write of our own in it begins a new moment. 20 us.
        """
        if self._depth or self._is_snapshot:
            yield
            return
        self._begin_snapshot()
        try:
            yield
        finally:
            if self._is_snapshot:  # not closed meanwhile
                self._end_snapshot()

    @guarded
    def _begin_snapshot(self) -> None:
        # Of 23 readers that were disturbed by a second connection at five of their statements, 8
        # failed without this: 5 with a KeyError, 3 with a mixture of two moments.
        self._connection.execute("BEGIN")
        self._is_snapshot = True
        # The first statement fixes the moment, and a clock that is asked later is past it: what
        # was committed before it holds by then.
        self._connection.execute("SELECT 1 FROM meta LIMIT 1").fetchone()

    def _end_snapshot(self) -> None:
        self._is_snapshot = False
        with suppress(sqlite3.Error):  # damage that was met has ended it
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")

    @contextmanager
    def writing(self) -> Iterator[None]:
        """One transaction: all of it, or after an error nothing. Inside another one: part of it."""
        if self._depth:
            self._depth += 1
            try:
                yield
            finally:
                self._depth -= 1
            return
        self._depth = 1
        try:
            self._begin()
            yield
            self._commit()
        except BaseException as error:
            self._roll_back()
            if isinstance(error, storage.SUSPECT) and (reason := self.flaw()):
                raise IndexDamagedError(self.file, reason) from error
            raise
        finally:
            self._depth = 0
            if self._is_snapshot:
                self._begin_snapshot()

    @guarded
    def _begin(self) -> None:
        if self._writer is None:
            from vaultmem.storage.index.store.put_notes import Writer  # saves 32 modules

            self._writer = Writer(self._connection, self._stems, zone=self.zone)
            # The seal has to be told when the log goes into the file: `move_log` does both.
            self._connection.execute("PRAGMA wal_autocheckpoint=0")
            self._connection.execute("PRAGMA journal_size_limit=0")
        if self._is_snapshot and self._connection.in_transaction:
            self._connection.execute("ROLLBACK")  # nothing is written in a moment of the past
        self._connection.execute("BEGIN IMMEDIATE")
        if not self.is_copy:
            seal.before_writing(self.file)
        self._transactions += 1
        self._writer.begin()

    @guarded
    def _commit(self) -> None:
        if self._writer is not None:
            self._writer.write()
        self._connection.execute("COMMIT")
        if not self.is_copy and seal.log_bytes(self.file) >= LOG_BYTES:
            # What was committed is safe in the log: no error of this is one of the commit.
            with suppress(sqlite3.OperationalError):
                seal.move_log(self._connection, self.file)

    def _roll_back(self) -> None:
        if self._writer is not None:
            self._writer.forget()
        if self._connection.in_transaction:
            self._connection.execute("ROLLBACK")

    def _writing_now(self) -> Writer:
        """The writer of the open transaction; a write outside of one is a bug of the caller."""
        if self._writer is None or not self._depth:
            raise RuntimeError("write to the index only inside `with index.writing():`")
        return self._writer

    def _flushed_connection(self) -> sqlite3.Connection:
        """The connection, when everything put in this transaction can be read."""
        if self._depth and self._writer is not None:
            self._writer.write()
        return self._connection

    def flaw(self) -> str:
        """Why the file cannot be trusted, after a look at all of it; '' when nothing is wrong."""
        from vaultmem.storage.index.store.soundness import flaw  # saves 18 modules

        # In a transaction the tables need not agree yet; the end of it asks again.
        return "" if self._depth and self._connection.in_transaction else flaw(self._connection)
