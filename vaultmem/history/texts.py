"""The texts of earlier versions: their rows and their words, worked out beside the history.

A share of the texts is read from git and understood in a forked child, while this process goes on
reading the log and writing the file. Where nothing can be forked, this process does it in turn.
"""

from __future__ import annotations

import marshal
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, TypeVar

from vaultmem.base.errors import HistoryDamagedError
from vaultmem.base.records import replace
from vaultmem.model.ids import Oid, id_in_name

if TYPE_CHECKING:
    from vaultmem.model.ports import Progress
    from vaultmem.storage.files.forking import Child
    from vaultmem.storage.index.past.database import Past
    from vaultmem.storage.index.past.tables import Row
    from vaultmem.storage.index.store.writer import Prepared
    from vaultmem.vault.vault import Parts

T = TypeVar("T")

# Texts that are worked out in this process; with more, children do.
MANY = 500
CHUNK = 2_500  # texts whose words are read in one transaction
MOST_CHILDREN = 4

Pair = tuple[str, str]  # path and blob id
Worked = tuple[list["Row"], dict[Pair, str]]
"""Rows of texts; the ids (by name) of those whose bytes the repository does not have."""


def workers() -> int:
    """How many children are worth having at a time."""
    return min(os.cpu_count() or 1, MOST_CHILDREN)


class Working:
    """Rows of some texts that are being worked out; to be asked for or killed."""

    def __init__(self, parts: Parts, pairs: Sequence[Pair]) -> None:
        self._parts = parts
        self._pairs = pairs
        self._child: Child | None = None
        if len(pairs) >= MANY:
            from vaultmem.storage.files import forking

            self._child = forking.fork(lambda: marshal.dumps(_worked(parts, pairs)))

    def result(self) -> Worked:
        """The rows; waits for them. Raises HistoryDamagedError where git cannot read."""
        child, self._child = self._child, None
        answer = child.answer() if child is not None else None
        if answer is None:
            return _worked(self._parts, self._pairs)
        worked: Worked = marshal.loads(answer)
        return worked

    def kill(self) -> None:
        """End it; harmless when it has ended."""
        if self._child is not None:
            self._child.kill()
            self._child = None


def _worked(parts: Parts, pairs: Sequence[Pair]) -> Worked:
    limit, zone = parts.settings.limits_note_bytes, parts.settings.timezone
    found = dict(parts.history.blobs(dict.fromkeys(oid for _, oid in pairs)))
    missing = {
        (path, oid): id_in_name(PurePosixPath(path).stem) or ""
        for path, oid in pairs
        if found[oid] is None
    }
    there = ((path, oid, data) for path, oid in pairs if (data := found[oid]) is not None)
    return list(_rows((each for each in there if len(each[2]) <= limit), zone)), missing


def _rows(texts: Iterable[tuple[str, str, bytes]], zone: str) -> Iterator[Row]:
    from vaultmem.storage.index.past.database import text_row
    from vaultmem.storage.notes.schema import decode

    for path, oid, data in texts:
        record = decode(PurePosixPath(path), data, Oid(oid), zone=zone).record
        if record is not None:
            yield text_row(record, path, oid)


def _shared_out(
    todo: Sequence[tuple[str, str, bytes]],
    work: Callable[[Sequence[tuple[str, str, bytes]]], T],
    dumps: Callable[[T], bytes],
    loads: Callable[[bytes], T],
) -> Iterator[T]:
    """What `work` makes of the texts, in order; a share of them in a child for each core."""
    from vaultmem.storage.files import forking

    count = min(os.cpu_count() or 1, MOST_CHILDREN) if len(todo) >= MANY else 1
    size = -(-len(todo) // count) or 1
    shares = [todo[start : start + size] for start in range(0, len(todo), size)]
    children = [
        forking.fork(lambda share=share: dumps(work(share))) if number else None  # type: ignore[misc]
        for number, share in enumerate(shares)
    ]
    try:
        for number, share in enumerate(shares):
            child, children[number] = children[number], None
            answer = child.answer() if child is not None else None
            yield work(share) if answer is None else loads(answer)
    finally:
        for child in children:
            if child is not None:
                child.kill()


def read_words(parts: Parts, past: Past, progress: Progress | None) -> None:
    """Take the words of texts into the postings that are not there yet."""
    from vaultmem.storage.index.store.writer import Prepared

    done = 0
    while pairs := past.unread(CHUNK):
        found = dict(parts.history.blobs(dict.fromkeys(oid for _, oid in pairs)))
        gone = next((path for path, oid in pairs if found[oid] is None), "")
        if gone:
            raise HistoryDamagedError(f"an earlier text of '{gone}' is gone from the repository")
        texts = [(path, oid, data) for path, oid in pairs if (data := found[oid]) is not None]

        def work(some: Sequence[tuple[str, str, bytes]]) -> Prepared:
            return _prepared(parts, some)

        batches = list(_shared_out(texts, work, Prepared.dumps, Prepared.loads))
        with past.writing():
            if past.unread(CHUNK) == pairs:  # another process may have read them meanwhile
                for batch in batches:
                    past.read(batch)
        done += len(pairs)
        if progress is not None:
            progress("reading earlier texts", done, done + len(past.unread(CHUNK)))


def _prepared(parts: Parts, texts: Sequence[tuple[str, str, bytes]]) -> Prepared:
    from vaultmem.model.notes import Decoded
    from vaultmem.storage.index.past.database import keyed
    from vaultmem.storage.index.store.writer import Preparer
    from vaultmem.storage.notes.schema import decode

    zone = parts.settings.timezone
    decoded = []
    for path, oid, data in texts:
        record = decode(PurePosixPath(path), data, Oid(oid), zone=zone).record
        name = keyed(PurePosixPath(path), oid)
        own = None if record is None else replace(record, path=name)
        decoded.append(Decoded(path=name, record=own))
    return Preparer(zone=parts.settings.timezone).prepare(decoded)
