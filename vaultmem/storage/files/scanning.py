"""Find what changed in the working tree since the last scan, by stat alone.

Correctness comes from here and never from a watcher. With nothing changed the cost is one lstat
a known file: 28 ms for 10,000 files in one process, 18 ms when a forked child takes half
(2 cores, Linux 6.18), so large vaults are compared in two processes; `ScanAhead` lets a child
begin while the caller imports its modules.
"""

from __future__ import annotations

import contextlib
import gc
import marshal
import os
import stat
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path, PurePosixPath

from vaultmem.base import SettingsError, UnsafePathError, disk_error, is_of_some_files
from vaultmem.model import FolderState, Problem, Scan, Severity
from vaultmem.storage.files import listing as stats
from vaultmem.storage.files.layout import (
    AGENTS,
    NOTE_LIMIT,
    OWN,
    TOPS,
    is_companion,
    is_of_agents,
)
from vaultmem.storage.files.listing import (
    Listing,
    Wanted,
    any_file,
    list_folder,
    only_notes,
    printable,
)

# `include` globs: `*` and `?` within a name, `**` for any number of folders.


_WILD = frozenset("*?[")


class Patterns:
    """Globs split into components, asked about paths relative to the vault."""

    def __init__(self, globs: Sequence[str]) -> None:
        self._globs = tuple(_split(glob) for glob in globs)

    def match(self, folder: str, name: str) -> bool:
        """Whether the file `name` in `folder` ('' is the root) is named by a glob."""
        parts = (*_parts(folder), name)
        return any(_matches(parts, glob) for glob in self._globs)

    def reach(self, folder: str) -> bool:
        """Whether a file in or below `folder` can be named by a glob."""
        parts = _parts(folder)
        return any(_reaches(parts, glob) for glob in self._globs)

    def covers(self, folder: str) -> bool:
        """Whether a scan for files that the globs name lists `folder`."""
        parts = _parts(folder)
        return any(
            parts[: len(fixed := _literal_prefix(glob))] == fixed and _reaches(parts, glob)
            for glob in self._globs
        )

    def starts(self) -> tuple[str, ...]:
        """Folders to look in: the part of each glob before its first wildcard, none twice."""
        found = {"/".join(_literal_prefix(glob)) for glob in self._globs}
        return tuple(
            sorted(
                path
                for path in found
                if not any(_is_below(path, other) for other in found if other != path)
            )
        )


def _is_below(path: str, other: str) -> bool:
    return not other or path.startswith(other + "/")


def _split(glob: str) -> tuple[str, ...]:
    parts = tuple(part for part in glob.split("/") if part not in ("", "."))
    if glob.startswith("/") or ".." in parts or "\\" in glob or not parts:
        raise SettingsError(
            f"include: '{glob}' does not name files inside the vault",
            hint="write it relative to the vault, for example 'notes/**/*.md'",
        )
    return parts


def _parts(folder: str) -> tuple[str, ...]:
    return tuple(folder.split("/")) if folder else ()


def _literal_prefix(glob: tuple[str, ...]) -> tuple[str, ...]:
    for place, part in enumerate(glob[:-1]):
        if not _WILD.isdisjoint(part):
            return glob[:place]
    return glob[:-1]


def _matches(parts: Sequence[str], glob: Sequence[str]) -> bool:
    """Whole path against whole glob; linear in their product, so no glob can hang a scan."""
    fits = [True] + [False] * len(parts)
    for wanted in glob:
        after = [wanted == "**" and fits[0]] + [False] * len(parts)
        for place, part in enumerate(parts, start=1):
            if wanted == "**":
                after[place] = fits[place] or after[place - 1]
            else:
                after[place] = fits[place - 1] and _fits(part, wanted)
        fits = after
    return fits[-1]


def _reaches(parts: Sequence[str], glob: Sequence[str]) -> bool:
    for place, wanted in enumerate(glob[:-1]):
        if wanted == "**" or place == len(parts):
            return True
        if not _fits(parts[place], wanted):
            return False
    return len(parts) <= len(glob) - 1


def _fits(name: str, wanted: str) -> bool:
    if _WILD.isdisjoint(wanted):
        return name == wanted
    import fnmatch

    return fnmatch.fnmatchcase(name, wanted)


# Work done in a forked copy of this process, where that is possible and safe.


_LENGTH_BYTES = 8
_CHUNK = 1 << 20


class Child:
    """A forked process that sends bytes back and ends; it must be asked or killed."""

    def __init__(self, pid: int, fd: int) -> None:
        self._pid = pid
        self._fd = fd

    def answer(self) -> bytes | None:
        """What the child's work returned; None when it failed. Waits, leaves no zombie."""
        chunks = []
        try:
            while chunk := os.read(self._fd, _CHUNK):
                chunks.append(chunk)
        finally:
            os.close(self._fd)
            self._reap()
        # A child that was killed while it wrote leaves a pipe that ends as any other: only the
        # announced length tells that the answer is cut off.
        data = b"".join(chunks)
        body = data[_LENGTH_BYTES:]
        if len(data) < _LENGTH_BYTES or len(body) != int.from_bytes(data[:_LENGTH_BYTES], "big"):
            return None
        return body

    def kill(self) -> None:
        """End the child without an answer."""
        os.close(self._fd)
        with contextlib.suppress(ProcessLookupError):
            os.kill(self._pid, 9)
        self._reap()

    def _reap(self) -> None:
        # Where the host program ignores SIGCHLD the kernel has reaped it already.
        with contextlib.suppress(ChildProcessError):
            os.waitpid(self._pid, 0)


def can_fork() -> bool:
    """Whether this process may be copied: POSIX, and no thread that could hold a lock."""
    if not hasattr(os, "fork"):
        return False
    try:
        # Threads that a library started without Python (those of numpy, say) are not in
        # `threading`; the kernel counts all of them. A lock that one of them held would stay locked
        # in the child.
        return len(os.listdir("/proc/self/task")) == 1
    except OSError:
        threading = sys.modules.get("threading")
        return threading is None or threading.active_count() == 1


def fork(work: Callable[[], bytes]) -> Child | None:
    """Start `work` in a child; None where there is no forking, then the caller does it.

    The child runs nothing but `work`: no exit handlers, no flushing of the parent's buffers.
    """
    if not can_fork():
        return None
    reading, writing = os.pipe()
    try:
        pid = os.fork()
    except OSError:  # out of processes or memory
        os.close(reading)
        os.close(writing)
        return None
    if pid == 0:
        _be_child(work, writing)
    os.close(writing)
    return Child(pid, reading)


def _be_child(work: Callable[[], bytes], fd: int) -> None:
    status = 1
    try:
        # A collection in the child would copy every page that holds an object (40 -> 30 ms).
        gc.disable()
        body = work()
        data = memoryview(len(body).to_bytes(_LENGTH_BYTES, "big") + body)
        while data:
            data = data[os.write(fd, data) :]
        status = 0
    finally:
        os._exit(status)


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
            # Below the root a link in the place of a folder has to be seen as one; the root may be
            # a link.
            found = os.lstat(file) if path else os.stat(file)
        except FileNotFoundError:
            return ()
        except OSError as error:
            return self._unreadable(path, error)
        if not stat.S_ISDIR(found.st_mode):
            # Of `agents`, vaults had a file or a link of their own before it was a folder of notes.
            if is_top and (path != AGENTS or path in self._known):
                raise UnsafePathError(
                    f"'{path}' is a link or a file, not a folder of notes",
                    hint="put the folder itself there",
                )
            return ()
        # The mtime of a folder changes with the names in it and not with what its files hold, so
        # only the listing can be spared; each file is asked in `compare`. A folder that changed
        # within the tick of the clock is remembered with 0, which equals no mtime.
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
                wanted=self._wanted_in(path, is_note_tree=is_note_tree),
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

    def _wanted_in(self, path: str, *, is_note_tree: bool) -> Wanted:
        if is_note_tree:
            return any_file if is_of_agents(path) else only_notes
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
            # A file saved again with the same bytes is read, too: nobody had synced it, and after a
            # power cut xfs kept it empty (cut 39 of seed 3, tests.faults.powercuts).
            elif old.get(name) != packed or stats.is_racy(packed):
                self._changed.append(_join(state.path, name))
                if stats.is_touched(old.get(name), packed):
                    self._touched.append(_join(state.path, name))
            old.pop(name, None)
        self._removed += [_join(state.path, name) for name in old]

    def _unreadable(self, path: str, error: OSError) -> tuple[str, ...]:
        """Keep what is known of a folder that cannot be read: its notes are not gone."""
        # Rows of a folder that could not be listed for a moment were dropped once, which two-way
        # editing took for an empty list.
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
        child: Child | None = None
        if split_files is not None and sum(len(s.names) for s in ours) >= split_files:
            ours, theirs = _halve(ours)
            # Marshal is the quickest for plain tuples, and both ends are one program of one
            # version: it is never stored.
            child = fork(lambda: marshal.dumps(self._differences(theirs)))
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
            # A person's new folder is made durable by its name, too: the strict disk lost `items/`
            # with a note in it.
            new_folders=tuple(sorted(self._new_folders)),
            removed=tuple(sorted(self._removed)),
            oversize=tuple(sorted(self._oversize)),
            # A folder that changed is listed whole: told by our own writes alone, the conflict copy
            # of a canvas was not seen after a pull. To spare the listing saved 13 ms of an edit.
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

    def __init__(self, child: Child) -> None:
        self._child: Child | None = child

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

    child = fork(work)
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
