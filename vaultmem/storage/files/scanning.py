"""Find what changed in the working tree since the last scan, by stat alone.

Correctness comes from here and never from a watcher. With nothing changed the cost is one lstat
a known file: 28 ms for 10,000 files in one process, 18 ms when a forked child takes half
(2 cores, Linux 6.18), so large vaults are compared in two processes, and `start_scan` lets a
child do all of it while the caller imports its modules.
"""

from __future__ import annotations

import marshal
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path, PurePosixPath

from vaultmem.model.notes import FolderState, Problem, Scan, Severity
from vaultmem.storage.files import forking, stats
from vaultmem.storage.files.layout import NOTE_LIMIT, TOPS
from vaultmem.storage.files.walking import Walk

# Below this a fork (about 1 ms) costs more than it saves.
SPLIT_FILES = 4_000
START_FILES = 1_000
# The caller keeps a core busy with its imports until about so many files are compared.
SPLIT_AHEAD_FILES = 20_000


def scan(
    root: Path,
    known: Mapping[str, FolderState],
    *,
    tops: Sequence[str] = TOPS,
    include: Sequence[str] = (),
    limit: int = NOTE_LIMIT,
    split_files: int = SPLIT_FILES,
) -> Scan:
    """What differs between the working tree and `known`, the folder states of earlier scans.

    tops         folders that are read whole (Markdown files)
    include      globs that name further files, relative to the vault
    limit        bytes above which a file is listed and never read
    split_files  from so many known files on a forked child compares half of them
    raises       UnsafePathError, when one of `tops` is a link or a file
    """
    walk = Walk(str(root), known, tops=tops, include=include, limit=limit)
    walk.descend()
    walk.compare(split_files)
    return walk.result()


def touched_since(known: Mapping[str, FolderState], found: Scan) -> list[str]:
    """Files of a scan without memory that are not as they were in `known`, and new folders."""
    touched = [state.path for state in found.folders if state.path not in known]
    for state in found.folders:
        before = known.get(state.path)
        old = {} if before is None else stats.by_name(before)
        for name, now in stats.by_name(state).items():
            if stats.is_touched(old.get(name), now):
                touched.append(f"{state.path}/{name}" if state.path else name)
    return touched


class PendingScan:
    """A scan under way in a child process, or one that waits to be asked for."""

    def __init__(self, walk: Walk, child: forking.Child | None) -> None:
        self._walk = walk
        self._child = child  # None: the scan runs when its result is asked for

    def result(self) -> Scan:
        """The scan; waits for the child, and does its work here if it failed."""
        answer = self._child.answer() if self._child is not None else None
        self._child = None
        if answer is not None:
            return unpack_scan(answer)
        self._walk.descend()
        self._walk.compare(SPLIT_FILES)
        return self._walk.result()

    def cancel(self) -> None:
        """Give the scan up; leaves no process behind."""
        if self._child is not None:
            self._child.kill()
            self._child = None


class ScanAhead:
    """A scan in a child that began before this process had loaded what it needs."""

    def __init__(self, child: forking.Child) -> None:
        self._child: forking.Child | None = child

    def result(self) -> Scan | None:
        """The scan; None when the child failed. May be asked for once."""
        child, self._child = self._child, None
        answer = child.answer() if child is not None else None
        return unpack_scan(answer) if answer is not None else None

    def cancel(self) -> None:
        """Give the scan up; leaves no process behind."""
        if self._child is not None:
            self._child.kill()
            self._child = None


def scan_ahead(
    root: Path, known: Callable[[], Mapping[str, FolderState]], *, include: Sequence[str] = ()
) -> ScanAhead | None:
    """Begin `scan` in a child that also asks for `known`; None where there is no forking."""

    def work() -> bytes:
        walk = Walk(str(root), known(), tops=TOPS, include=include, limit=NOTE_LIMIT)
        walk.descend()
        walk.compare(SPLIT_AHEAD_FILES)
        return pack_scan(walk.result())

    child = forking.fork(work)
    return None if child is None else ScanAhead(child)


def start_scan(
    root: Path,
    known: Mapping[str, FolderState],
    *,
    tops: Sequence[str] = TOPS,
    include: Sequence[str] = (),
    limit: int = NOTE_LIMIT,
    start_files: int = START_FILES,
) -> PendingScan:
    """Begin `scan` in a child, so that the caller can go on; ask for `result()` or `cancel()`."""
    walk = Walk(str(root), known, tops=tops, include=include, limit=limit)
    if sum(len(state.names) for state in known.values()) < start_files:
        return PendingScan(walk, None)

    def work() -> bytes:
        walk.descend()
        walk.compare(None)
        return pack_scan(walk.result())

    return PendingScan(walk, forking.fork(work))


def pack_scan(found: Scan) -> bytes:
    """A scan as bytes for the pipe between two processes of one program."""
    return marshal.dumps(
        (
            found.changed,
            found.touched,
            found.new_folders,
            found.removed,
            found.oversize,
            [(s.path, s.mtime_ns, s.names, s.folders, s.stats) for s in found.folders],
            found.gone_folders,
            [
                (p.path.as_posix(), p.code, p.message, p.line, p.hint, p.severity.value, p.fixable)
                for p in found.problems
            ],
            found.listed,
            dict(found.ignored),
            found.files,
        )
    )


def unpack_scan(data: bytes) -> Scan:
    """Inverse of `pack_scan`."""
    changed, touched, new_folders, removed, oversize, *others = marshal.loads(data)
    folders, gone, problems, listed, ignored, files = others
    return Scan(
        changed=changed,
        touched=touched,
        new_folders=new_folders,
        removed=removed,
        oversize=oversize,
        folders=tuple(
            FolderState(path=path, mtime_ns=mtime_ns, names=names, folders=below, stats=packed)
            for path, mtime_ns, names, below, packed in folders
        ),
        gone_folders=gone,
        problems=tuple(
            Problem(
                path=PurePosixPath(path),
                code=code,
                message=message,
                line=line,
                hint=hint,
                severity=Severity(severity),
                fixable=fixable,
            )
            for path, code, message, line, hint, severity, fixable in problems
        ),
        listed=listed,
        ignored=ignored,
        files=files,
    )
