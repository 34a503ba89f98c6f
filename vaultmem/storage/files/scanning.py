"""Find what changed in the working tree since the last scan, by stat alone.

Correctness comes from here and never from a watcher. With nothing changed the cost is one lstat
a known file: 28 ms for 10,000 files in one process, 18 ms when a forked child takes half
(2 cores, Linux 6.18), so large vaults are compared in two processes; `ScanAhead` lets a child
begin while the caller imports its modules.
"""

from __future__ import annotations

import marshal
import os
import stat
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path, PurePosixPath

from vaultmem.base import UnsafePathError, disk_error, is_of_some_files
from vaultmem.model import FolderState, Problem, Scan, Severity
from vaultmem.storage.files import forking
from vaultmem.storage.files import listing as stats
from vaultmem.storage.files.globs import Patterns
from vaultmem.storage.files.layout import NOTE_LIMIT, OWN, TOPS, is_companion
from vaultmem.storage.files.listing import Listing, Wanted, list_folder, only_notes, printable

# One pass over the working tree: which folders to list, and which files to ask for their stat.


class Walk:
    """One scan: from the top folders down, then the files of the folders that look untouched."""

    def __init__(
        self,
        root: str,
        known: Mapping[str, FolderState],
        *,
        tops: Sequence[str],
        include: Sequence[str],
        limit: int,
    ) -> None:
        self._root = root
        self._known = known
        self._tops = tuple(tops)
        self._patterns = Patterns(include)
        self._limit = limit
        self._start_ns = 0
        self._visited: set[str] = set()
        self._same: list[FolderState] = []  # folders whose own mtime is as remembered
        self._states: list[FolderState] = []
        self._changed: list[str] = []
        self._touched: list[str] = []
        self._new_folders: list[str] = []
        self._removed: list[str] = []
        self._oversize: list[str] = []
        self._problems: list[Problem] = []
        self._listed: list[str] = []
        self._ignored: dict[str, int] = {}
        self._files = 0

    def descend(self) -> None:
        """Visit every folder, top-down, so that none is reached through a link."""
        self._start_ns = time.time_ns()
        for top in self._tops:
            self._visit_tree(top, is_top=True)
        for start in self._patterns.starts():
            if start.partition("/")[0] not in (*self._tops, OWN):
                self._visit_tree(start, is_top=False)
        if "" not in self._visited:  # settings, tables and canvases beside the folders of notes
            self._visit("", is_top=False, is_note_tree=False)

    def _visit_tree(self, top: str, *, is_top: bool) -> None:
        waiting = [top]
        while waiting:
            path = waiting.pop()
            folders = self._visit(path, is_top=is_top and path == top, is_note_tree=is_top)
            prefix = path + "/" if path else ""
            for name in reversed(folders):
                if is_top or self._may_include(prefix + name):
                    waiting.append(prefix + name)

    def _may_include(self, path: str) -> bool:
        return path not in self._tops and self._patterns.reach(path)

    def _visit(self, path: str, *, is_top: bool, is_note_tree: bool) -> tuple[str, ...]:
        """Take one folder in; the names of its subfolders."""
        file = f"{self._root}/{path}" if path else self._root
        try:
            found = os.lstat(file) if path else os.stat(file)
        except FileNotFoundError:
            return ()
        except OSError as error:
            return self._unreadable(path, error)
        if not stat.S_ISDIR(found.st_mode):
            if is_top:
                raise UnsafePathError(
                    f"'{path}' is a link or a file, not a folder of notes",
                    hint="put the folder itself there",
                )
            return ()
        state = self._known.get(path)
        if state is not None and state.mtime_ns == found.st_mtime_ns:
            self._visited.add(path)
            self._same.append(state)
            return state.folders
        return self._list(path, found.st_mtime_ns, is_note_tree=is_note_tree)

    def _list(self, path: str, mtime_ns: int, *, is_note_tree: bool) -> tuple[str, ...]:
        file = f"{self._root}/{path}" if path else self._root
        try:
            listing = list_folder(
                file,
                path,
                wanted=only_notes if is_note_tree else self._wanted_in(path),
                start_ns=self._start_ns,
                limit=self._limit,
                is_vault=not path,
            )
        except FileNotFoundError:
            return ()
        except OSError as error:
            return self._unreadable(path, error)
        if not path and "" not in self._patterns.starts():
            # Nothing below the root is looked at by this: what it is called is not our business.
            listing.folders.clear()
            listing.problems = [
                each for each in listing.problems if each.path.name in listing.files
            ]
        state = listing.state(mtime_ns)
        self._visited.add(path)
        self._take_listing(listing, state)
        return state.folders

    def _wanted_in(self, path: str) -> Wanted:
        return lambda name: is_companion(path, name) or self._patterns.match(path, name)

    def _take_listing(self, listing: Listing, state: FolderState) -> None:
        before = self._known.get(state.path)
        if state != before:
            self._states.append(state)
        if before is None:
            self._new_folders.append(state.path)
        self._listed.append(state.path)
        self._problems += listing.problems
        for rule, count in listing.ignored.items():
            self._ignored[rule] = self._ignored.get(rule, 0) + count
        self._files += len(state.names)
        old = {} if before is None else stats.by_name(before)
        for name, packed in stats.by_name(state).items():
            if name in listing.oversize:
                self._oversize.append(_join(state.path, name))
            elif old.get(name) != packed or stats.is_racy(packed):
                self._changed.append(_join(state.path, name))
                if stats.is_touched(old.get(name), packed):
                    self._touched.append(_join(state.path, name))
            old.pop(name, None)
        self._removed += [_join(state.path, name) for name in old]

    def _unreadable(self, path: str, error: OSError) -> tuple[str, ...]:
        """Keep what is known of a folder that cannot be read: its notes are not gone."""
        if not is_of_some_files(error):
            raise disk_error(error, doing="list", what=path or ".") from error
        self._problems.append(
            Problem(
                path=PurePosixPath(printable(path) or "."),
                code="folder-unreadable",
                message=f"the folder cannot be read: {error.strerror}",
                hint="check who owns it and its permissions",
            )
        )
        for other, state in self._known.items():
            if other == path or other.startswith(path + "/"):
                self._visited.add(other)
                self._files += len(state.names)
        return ()

    def compare(self, split_files: int | None) -> None:
        """Ask for the stat of every file in the folders that look untouched.

        split_files  None: never in a second process
        """
        ours, theirs = self._same, list[FolderState]()
        child: forking.Child | None = None
        if split_files is not None and sum(len(s.names) for s in ours) >= split_files:
            ours, theirs = _halve(ours)
            child = forking.fork(lambda: marshal.dumps(self._differences(theirs)))
        found = self._differences(ours)
        answer = child.answer() if child is not None else None
        found += self._differences(theirs) if answer is None else marshal.loads(answer)
        for state in self._same:
            self._files += len(state.names)
        for path, packed in found:
            self._take_difference(self._known[path], packed)

    def _differences(self, states: Iterable[FolderState]) -> list[tuple[str, bytes | None]]:
        found = []
        for state in states:
            packed = stats.stats_of(f"{self._root}/{state.path}", state.names)
            if packed != state.stats:
                found.append((state.path, packed))
        return found

    def _take_difference(self, state: FolderState, packed: bytes | None) -> None:
        places = () if packed is None else stats.differing(state, packed)
        if (
            packed is None
            or stats.has_other_names(state, packed, places)
            or any(stats.size_at(state.stats, place) > self._limit for place in places)
        ):
            # A file went away during the scan, or has numbers that only the listing can pack, or
            # what the listing says of its names or of its size is no longer so.
            self._files -= len(state.names)
            is_note_tree = state.path.partition("/")[0] in self._tops
            self._list(state.path, state.mtime_ns, is_note_tree=is_note_tree)
            return
        for place in places:
            too_large = stats.size_at(packed, place) > self._limit
            path = _join(state.path, state.names[place])
            (self._oversize if too_large else self._changed).append(path)
            if too_large:
                self._problems.append(_too_large(path, self._limit))
            elif stats.is_touched(*(stats.at(each, place) for each in (state.stats, packed))):
                self._touched.append(path)
        settled = stats.settle(packed, places, self._start_ns)
        if settled != state.stats:
            self._states.append(
                FolderState(
                    path=state.path,
                    mtime_ns=state.mtime_ns,
                    names=state.names,
                    folders=state.folders,
                    stats=settled,
                )
            )

    def result(self) -> Scan:
        """Everything found, sorted; known folders that were not met are gone."""
        gone = [path for path in self._known if path not in self._visited]
        for path in gone:
            self._removed += [_join(path, name) for name in self._known[path].names]
        return Scan(
            changed=tuple(sorted(self._changed)),
            touched=tuple(sorted(self._touched)),
            new_folders=tuple(sorted(self._new_folders)),
            removed=tuple(sorted(self._removed)),
            oversize=tuple(sorted(self._oversize)),
            folders=tuple(sorted(self._states, key=lambda state: state.path)),
            gone_folders=tuple(sorted(gone)),
            problems=tuple(sorted(self._problems, key=lambda p: (p.path, p.code))),
            listed=tuple(sorted(self._listed)),
            ignored=dict(sorted(self._ignored.items())),
            files=self._files,
        )


def _too_large(path: str, limit: int) -> Problem:
    return Problem(
        path=PurePosixPath(path),
        code="too-large",
        message=f"the file grew beyond the {limit:,} bytes that are read",
        hint="keep large files outside the folders of notes",
        severity=Severity.WARNING,
    )


def _join(folder: str, name: str) -> str:
    return f"{folder}/{name}" if folder else name


def _halve(states: Sequence[FolderState]) -> tuple[list[FolderState], list[FolderState]]:
    """Two parts with about the same number of files."""
    half = sum(len(state.names) for state in states) // 2
    ours: list[FolderState] = []
    count = 0
    for place, state in enumerate(states):
        if count >= half:
            return ours, list(states[place:])
        ours.append(state)
        count += len(state.names)
    return ours, []


# Below this a fork (about 1 ms) costs more than it saves.
SPLIT_FILES = 4_000
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
