"""The past of a vault: every version that a note had on the main line, in a file of its own.

A disposable reading of the history, as the index is one of the files; built when a question about
another time is asked for the first time, and brought level then. Texts are notes here, under the
paths that `past_tables.key` gives them, so the same postings and the same search serve both; they
are read into the postings only when words are asked for.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath

from vaultmem.base import TYPE_CHECKING, Self, TypeVar
from vaultmem.model import Item
from vaultmem.storage.index.database import Index
from vaultmem.storage.index.past import adding, tables
from vaultmem.storage.index.past.adding import Arrived
from vaultmem.storage.index.past.tables import Row
from vaultmem.storage.index.store.file import guarded
from vaultmem.storage.index.store.record_rows import note_values
from vaultmem.storage.index.store.rows import SEPARATOR
from vaultmem.storage.index.text.passages import passages

if TYPE_CHECKING:
    import sqlite3

    from vaultmem.model import Record, Version
    from vaultmem.storage.index.store.put_notes import Prepared
    from vaultmem.storage.index.time_spans import Spans

T = TypeVar("T")


class Past(Index):
    """An open file of versions. Errors as in `Session`; one thread at a time."""

    @classmethod
    def open(
        cls, file: Path, *, identity: str, languages: Sequence[str] = ("en",), zone: str = "UTC"
    ) -> Self:
        """The past in a file; an empty one when there is no file."""
        own = f"{identity} past {tables.VERSION}"
        made = super().open(file, identity=own, languages=languages, zone=zone)
        made._begin_as(identity)
        return made

    @classmethod
    def copy(
        cls, file: Path, *, identity: str, languages: Sequence[str] = ("en",), zone: str = "UTC"
    ) -> Self:
        """The past of a file, or an empty one, in memory."""
        own = f"{identity} past {tables.VERSION}"
        made = super().copy(file, identity=own, languages=languages, zone=zone)
        made._begin_as(identity)
        return made

    def _begin_as(self, identity: str) -> None:
        self.identity = identity
        try:
            self._make()
        except BaseException:
            self.close()  # nobody else has it, and its open files would outlive the command
            raise

    @guarded
    def _make(self) -> None:
        if tables.are_made(self._connection):
            return
        with self.writing():
            if not tables.are_made(self._connection):
                tables.make_tables(self._connection)

    # --- the chain -------------------------------------------------------------------------

    @guarded
    def head(self) -> tuple[str, int | None]:
        """The last commit that is known, and its effective record time; '' when there is none."""
        row = self._connection.execute(
            "SELECT commit_id, at FROM chain ORDER BY place DESC LIMIT 1"
        ).fetchone()
        return ("", None) if row is None else (str(row[0]), int(row[1]))

    @guarded
    def length(self) -> int:
        """How many commits are known."""
        row = self._connection.execute("SELECT max(place) FROM chain").fetchone()
        return 0 if row[0] is None else int(row[0]) + 1

    @guarded
    def place_of(self, commit: str) -> int | None:
        """Place of a commit in the chain, from 0; None when it is not on it."""
        row = self._connection.execute(
            "SELECT place FROM chain WHERE commit_id = ?", (commit,)
        ).fetchone()
        return None if row is None else int(row[0])

    @guarded
    def commit_at(self, place: int) -> tuple[str, int]:
        """Commit at a place of the chain, and its effective record time."""
        commit, at = self._connection.execute(
            "SELECT commit_id, at FROM chain WHERE place = ?", (place,)
        ).fetchone()
        return str(commit), int(at)

    @guarded
    def known_at(self, at_ms: int) -> int | None:
        """Place of the last commit that was known at an instant; None when none was."""
        row = self._connection.execute(
            "SELECT max(place) FROM chain WHERE at <= ?", (at_ms,)
        ).fetchone()
        return None if row[0] is None else int(row[0])

    @guarded
    def shared(self, chain: Sequence[str]) -> int:
        """How many of the first commits of a chain (oldest first) are those that are known."""
        known = self._connection.execute("SELECT commit_id FROM chain ORDER BY place").fetchall()
        return bisect_right(
            range(min(len(known), len(chain))), 0, key=lambda i: known[i][0] != chain[i]
        )

    @guarded
    def has_retired(self) -> bool:
        """Whether `compact` has taken notes out of the folder."""
        found = self._connection.execute("SELECT 1 FROM retired WHERE until IS NULL LIMIT 1")
        return found.fetchone() is not None

    @guarded
    def truncate(self, keep: int) -> None:
        """Forget all commits but the first `keep`, and what only they brought."""
        self._writing_now().remove(tables.truncate(self._connection, keep))

    @guarded
    def missing(self, place: int | None = None) -> tuple[str, ...]:
        """Blob ids of texts that the repository did not have, at a place or anywhere; sorted."""
        alive = "" if place is None else " AND since <= :at AND (until IS NULL OR until > :at)"
        rows = self._connection.execute(
            f"SELECT DISTINCT oid FROM stays WHERE text IS NULL{alive}", {"at": place}
        )
        return tuple(sorted(str(oid) for (oid,) in rows))

    # --- writing ---------------------------------------------------------------------------

    @guarded
    def known_texts(
        self, pairs: Iterable[tuple[str, str]]
    ) -> dict[tuple[str, str], tuple[int, str]]:
        """(number, id) of those of the (path, blob id) that are known."""
        return adding.known_texts(self._connection, pairs)

    @guarded
    def add(
        self,
        commits: Iterable[Arrived],
        rows: Iterable[Row],
        *,
        missing: Mapping[tuple[str, str], str],
        is_cut: bool,
    ) -> None:
        """Add commits to the end of the chain, oldest first, with the texts that are new.

        missing  id by (path, blob id) of texts that the repository does not have
        is_cut   the first of them is where a shallow history begins
        """
        self._writing_now()
        connection = self._connection
        arriving = list(commits)
        texts: dict[tuple[str, str], tuple[int | None, str]] = {}
        texts.update(adding.add_texts(connection, rows))
        pairs = dict.fromkeys(pair for each in arriving for pair in each.changed if pair[1])
        others = (pair for pair in pairs if pair not in texts and pair not in missing)
        texts.update(adding.known_texts(connection, others))
        texts.update({pair: (None, id_) for pair, id_ in missing.items()})
        adding.add_commits(connection, arriving, texts, is_cut=is_cut)

    @guarded
    def unread(self, limit: int) -> tuple[tuple[str, str], ...]:
        """(path, blob id) of texts whose words are not in the postings yet, at most `limit`."""
        rows = self._connection.execute(
            "SELECT path, oid FROM texts WHERE NOT is_read ORDER BY number LIMIT ?", (limit,)
        )
        return tuple((str(path)[len(oid) + 1 :], str(oid)) for path, oid in rows)

    @guarded
    def read(self, batch: Prepared) -> None:
        """Take the words of texts into the postings."""
        self._writing_now().put_prepared(batch)
        self._connection.executemany(
            "UPDATE texts SET is_read = 1 WHERE path = ?", [(path,) for path, _ in batch.files]
        )

    # --- reading ---------------------------------------------------------------------------

    @property
    def connection(self) -> sqlite3.Connection:
        """For the views of the past alone; their methods are called inside `looked`."""
        return self._settled()

    @guarded
    def looked(self, look: Callable[[], T]) -> T:
        """What a look at the file finds, with errors of SQLite as errors of this program."""
        return look()

    @guarded
    def versions(self, *, id: str = "", path: str = "") -> tuple[Version, ...]:
        """All versions of a note, oldest first: by its id, or by a path that it has had.

        A note that was given its id later begins with what lay at its path before.
        """
        from vaultmem.storage.index.past import past_records as reading  # saves 2 modules

        return reading.versions(self._connection, id_=id, path=path)

    def _read_spans(self) -> Spans:
        from vaultmem.storage.index.time_spans import spans_of_past  # saves 2 modules

        return spans_of_past(self._connection)

    @guarded
    def recorded(self) -> dict[str, tuple[str, int, int | None]]:
        """By path of each note of the last commit: blob id, record time of what it says, and of
        its first version (None: not known)."""
        from vaultmem.storage.index.past import past_records as reading  # saves 2 modules

        return reading.recorded(self._connection)

    @guarded
    def touched(self) -> dict[str, int]:
        """By id of each note: when somebody gave it other bytes last (UTC ms); maintenance is
        nobody: that it looked at a note is no use of it."""
        from vaultmem.storage.index.past import past_records as reading  # saves 2 modules

        return reading.touched(self._connection)

    @guarded
    def holds(self, oids: Iterable[str]) -> frozenset[str]:
        """Those of the blob ids that some note of the chain has had."""
        from vaultmem.storage.index.past import past_records as reading  # saves 2 modules

        return reading.held(self._connection, oids)

    @guarded
    def items_since(self, at_ms: int | None) -> Iterator[Version]:
        """Versions of items that were recorded, or ended, from an instant on (None: all of them),
        oldest first, then by path."""
        from vaultmem.storage.index.past import past_records as reading  # saves 2 modules

        return reading.items_since(self._connection, at_ms)

    @guarded
    def versions_about(self, subject: str, predicate: str = "") -> tuple[Version, ...]:
        """Versions of items that had this slot, oldest first; '': any predicate."""
        from vaultmem.storage.index.past import past_records as reading  # saves 2 modules

        return reading.about(self._connection, subject, predicate)

    @guarded
    def versions_between(
        self, after: int | None, until: int
    ) -> tuple[tuple[Version, ...], frozenset[int], frozenset[int]]:
        """As `past_spans.between`: what came or went after one place, up to another."""
        from vaultmem.storage.index.past import past_records as reading  # saves 2 modules

        return reading.between(self._connection, after, until)

    @guarded
    def first_recorded(self, *, id: str = "", path: str = "") -> int | None:
        """Record time of the first version of a note; None: it has none, or that is not known."""
        where, value = ("id = ? AND id <> ''", id) if id else ("path = ?", path)
        least, unknown = self._connection.execute(
            f"SELECT min(first), count(*) - count(first) FROM stays WHERE {where}", (value,)
        ).fetchone()
        return None if unknown or least is None else int(least)

    @guarded
    def dump(self) -> dict[str, object]:
        """The logical content, free of numbers: equal for equal histories and words asked for."""
        return {**tables.dump(self._settled()), "words": super().dump()}


def text_row(record: Record, path: str, oid: str) -> Row:
    """Values of TEXT_COLUMNS: what a record says, under the key of its path and bytes."""
    found = [] if isinstance(record, Item) else passages(record)
    values = note_values(record, found)
    linked: Row = ("", "")
    if isinstance(record, Item):
        linked = (SEPARATOR.join(record.supersedes), SEPARATOR.join(record.superseded_by))
    return (tables.key(path, oid), *values[1:], *linked)


def keyed(path: PurePosixPath, oid: str) -> PurePosixPath:
    """The path of a text as `PurePosixPath`."""
    return PurePosixPath(tables.key(str(path), oid))
