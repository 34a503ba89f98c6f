"""Read many files into the index: children read and work out, this process writes rows.

Two thirds of a first index are reading, decoding and cutting into words, which need no database.
With a child for each core, 10,000 notes take a third of the time.
"""

from __future__ import annotations

import marshal
import os
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from pathlib import PurePosixPath

from vaultmem.base import (
    TYPE_CHECKING,
    MissingFileError,
    VaultmemError,
    is_of_some_files,
    is_refusal,
)
from vaultmem.model import Decoded, FileState, Write, blob_oid
from vaultmem.storage import files, index, notes

if TYPE_CHECKING:
    from vaultmem.model import Remove
    from vaultmem.storage.index import Prepared
    from vaultmem.vault.vault import Vault

# Files a child reads before it hands over: bounds memory, and a fork takes 5 ms.
CHUNK = 5_000
# Chunks of one transaction: about one block of postings, which is then written once.
TOGETHER = 16
# Below this one process is as fast.
MANY = 2_000
MOST_CHILDREN = 4
# Files of one publication from which on a child pays.
MANY_WRITES = 100


def read_in(
    vault: Vault,
    paths: Sequence[str],
    states: Mapping[str, FileState],
    *,
    done: Callable[[int], None],
) -> tuple[list[PurePosixPath], dict[str, str]]:
    """Index the files whose content is new; the paths of those, and why others were not read.

    A file that lies there and cannot be read keeps its rows.
    states  what the index knows of them
    done    told how many files have been looked at so far
    """
    changed: list[PurePosixPath] = []
    refused: dict[str, str] = {}
    looked_at = 0
    batches = _batches(vault, paths, states)
    while looked_at < len(paths):
        with vault.index.writing():
            for chunk, found, unread, batch in islice(batches, TOGETHER):
                vault.index.put_prepared(batch)
                vault.index.set_files(found)
                refused |= unread
                changed += [PurePosixPath(state.path) for state in found]
                looked_at += len(chunk)
                done(looked_at)
    return changed, refused


class ComingRows:
    """Rows of files that are about to be written, worked out while they are."""

    def __init__(self, vault: Vault, changes: Sequence[Write | Remove]) -> None:
        self._writes = [change for change in changes if isinstance(change, Write)]
        self._algorithm = vault.history.algorithm
        self._zones = vault.settings.timezone, vault.index.zone
        self._child: files.scanning.Child | None = None
        # In a child: 1,000 texts of 56 words take 2.5 s, and took 21 when their lists were parsed
        # again for each and nothing was cut meanwhile.
        if len(self._writes) >= MANY_WRITES:
            self._child = files.scanning.fork(lambda: self._work_out().dumps())

    def result(self) -> index.Prepared:
        """The rows; waits for the child, or works them out here."""
        child, self._child = self._child, None
        answer = child.answer() if child is not None else None
        return self._work_out() if answer is None else index.Prepared.loads(answer)

    def cancel(self) -> None:
        """Give them up; leaves no process behind."""
        if self._child is not None:
            self._child.kill()
            self._child = None

    def _work_out(self) -> Prepared:
        zone, index_zone = self._zones
        oids = (blob_oid(each.content, algorithm=self._algorithm) for each in self._writes)
        return index.Preparer(zone=index_zone).prepare(
            notes.decode(each.path, each.content, oid, zone=zone)
            for each, oid in zip(self._writes, oids, strict=True)
        )


Batch = tuple[Sequence[str], list[FileState], dict[str, str], "Prepared"]


def _batches(
    vault: Vault, paths: Sequence[str], states: Mapping[str, FileState]
) -> Iterator[Batch]:
    """Chunks of the paths, in order, with what they came to."""
    preparer = index.Preparer(zone=vault.index.zone)
    chunks = [paths[start : start + CHUNK] for start in range(0, len(paths), CHUNK)]

    def work_out(chunk: Sequence[str]) -> tuple[list[FileState], dict[str, str], index.Prepared]:
        found, decoded, unread = _read(vault, chunk, states)
        return found, unread, preparer.prepare(decoded)

    def in_child(chunk: Sequence[str]) -> bytes:
        found, unread, batch = work_out(chunk)
        rows = [(state.path, state.oid, state.head_oid) for state in found]
        return marshal.dumps((rows, unread, batch.dumps()))

    # The first index of 10,000 notes of one statement each: 2,700 items a second when one process
    # did it all, 7,700 on two cores.
    children = min(os.cpu_count() or 1, MOST_CHILDREN) if len(paths) >= MANY else 0
    running: deque[tuple[Sequence[str], files.scanning.Child | None]] = deque()
    waiting = deque(chunks)
    try:
        while waiting or running:
            while waiting and len(running) < max(children, 1):
                chunk = waiting.popleft()
                work = partial(in_child, chunk)
                child = files.scanning.fork(work) if children else None
                running.append((chunk, child))
            chunk, child = running.popleft()
            answer = child.answer() if child is not None else None
            if answer is None:
                yield (chunk, *work_out(chunk))
                continue
            rows, unread, data = marshal.loads(answer)
            found = [FileState(path=p, oid=oid, head_oid=head) for p, oid, head in rows]
            yield chunk, found, unread, index.Prepared.loads(data)
    finally:
        for _, child in running:
            if child is not None:
                child.kill()


def _read(
    vault: Vault, paths: Sequence[str], states: Mapping[str, FileState]
) -> tuple[list[FileState], list[Decoded], dict[str, str]]:
    """New states and records of the files whose content is new; and why others were not read.

    One that went away since it was listed has a state without an oid.
    """
    from vaultmem.storage.notes import decode  # saves 23 modules

    algorithm, zone = vault.history.algorithm, vault.settings.timezone
    found: list[FileState] = []
    decoded: list[Decoded] = []
    unread: dict[str, str] = {}
    limit = vault.settings.limits_note_bytes
    empty = blob_oid(b"", algorithm=algorithm)
    full = {path for path in paths if path in states and states[path].oid not in ("", empty)}
    notes = map(PurePosixPath, paths)
    for path, data in files.read_each(vault.root, notes, limit=limit, had_content=full):
        name = path.as_posix()
        state = states.get(name)
        head_oid = state.head_oid if state is not None else ""
        if isinstance(data, VaultmemError):
            if is_refusal(data) and not is_of_some_files(data.__cause__):
                raise data
            if isinstance(data, MissingFileError):
                found.append(FileState(path=name, oid="", head_oid=head_oid))
                decoded.append(Decoded(path=path, record=None))
            else:
                unread[name] = _why(data)
            continue
        oid = blob_oid(data, algorithm=algorithm)
        if state is not None and state.oid == oid:
            continue
        found.append(FileState(path=name, oid=oid, head_oid=head_oid))
        decoded.append(decode(path, data, oid, zone=zone))
        if path.parts[0] == files.STREAMS:  # compared with what it was, in a moment
            vault.streams[path, oid] = decoded[-1]
    return found, decoded, unread


def _why(refused: VaultmemError) -> str:
    """What the system said of a file, or else what we say."""
    cause = refused.__cause__
    said = cause.strerror if isinstance(cause, OSError) else None
    return said or refused.message
