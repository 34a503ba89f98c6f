"""What earlier publications left in `.vaultmem/tmp`: finish it, drop it, or keep it in sight.

A publication that died half way is finished: its files belong together.

A displaced file is dropped only when its bytes are those that were replaced. Anything else in it
is an edit that a person saved into the old file at the moment it was replaced, and becomes a
file beside the note.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path, PurePosixPath

from vaultmem.base import MissingFileError, StaleFileError, UnsafePathError, VaultmemError
from vaultmem.model import Oid, Problem, Severity, blob_oid
from vaultmem.storage.files import temporaries
from vaultmem.storage.files.folders import Folder, OpenFolders, open_folder, refusal
from vaultmem.storage.files.layout import TMP, check_path, kept_name
from vaultmem.storage.files.locking import is_process_gone
from vaultmem.storage.files.publishing import Exchange, is_being_written
from vaultmem.storage.files.reading import read_in

# An editor that had the old file open may write to it after it was displaced.
LATE_WRITER_NS = 2_000_000_000
_SHA1_DIGITS = 40


def recover(root: Path, *, now_ns: int | None = None) -> tuple[Problem, ...]:
    """Clean up after publications that are over or died; the edits that had to be kept aside.

    now_ns  the wall clock; None: this moment. Publications that ended less than 2 s ago wait
            for the next call. Must run inside the writer lock: whatever is there is then of
            the past. Idempotent, and harmless when interrupted.
    """
    try:
        tmp = open_folder(root, TMP.parts)
    except MissingFileError:
        return ()
    folders = OpenFolders(root)
    try:
        groups = _groups(tmp.names())
        if not groups:
            return ()
        now = time.time_ns() if now_ns is None else now_ns
        problems = [_Leftover(tmp, folders, tag, groups[tag]).clean(now) for tag in sorted(groups)]
        return tuple(problem for found in problems for problem in found)
    except OSError as error:
        raise refusal(root, error, doing="write to the vault") from error
    finally:
        folders.close()
        tmp.close()


def is_due(root: Path, *, now_ns: int | None = None) -> bool:
    """Whether `recover` would find something to do: looked at without the lock, by names alone.

    A publication that another process is in the middle of is not due.
    """
    try:
        tmp = open_folder(root, TMP.parts)
    except VaultmemError:
        return False
    with contextlib.closing(tmp):
        now = time.time_ns() if now_ns is None else now_ns
        groups = _groups(tmp.names())
        return any(_is_due(tmp, tag, endings, now) for tag, endings in groups.items())


def is_cut_off(root: Path) -> bool:
    """Whether a publication did not reach its end; to be asked under the writer lock."""
    try:
        tmp = open_folder(root, TMP.parts)
    except MissingFileError:
        return False
    with contextlib.closing(tmp):
        return any(temporaries.DONE not in endings for endings in _groups(tmp.names()).values())


def seconds_until_due(root: Path) -> float | None:
    """Seconds until all that finished publications left may go; None: nothing is left by one."""
    try:
        tmp = open_folder(root, TMP.parts)
    except VaultmemError:
        return None
    with contextlib.closing(tmp):
        now = time.time_ns()
        ages: list[int] = []
        for tag, endings in _groups(tmp.names()).items():
            if temporaries.DONE in endings:
                with contextlib.suppress(FileNotFoundError):  # just cleaned up by another
                    ages.append(_age_ns(tmp, f"{tag}.{temporaries.DONE}", now))
    return max(0, LATE_WRITER_NS - min(ages)) / 1e9 if ages else None


def _is_due(tmp: Folder, tag: str, endings: Sequence[str], now_ns: int) -> bool:
    if temporaries.DONE not in endings:
        number, made_at_ns = temporaries.maker_of(tag)
        return is_process_gone(number, seen_at_ns=made_at_ns)
    try:
        return _age_ns(tmp, f"{tag}.{temporaries.DONE}", now_ns) >= LATE_WRITER_NS
    except FileNotFoundError:
        return False  # another process has just cleaned up


def _age_ns(folder: Folder, name: str, now_ns: int) -> int:
    found = os.lstat(folder.at(name)) if folder.fd is None else os.stat(name, dir_fd=folder.fd)
    age = now_ns - found.st_mtime_ns
    return age if age >= 0 else LATE_WRITER_NS  # the clock was set back


def _groups(names: Iterable[str]) -> dict[str, list[str]]:
    """Endings of our files by tag; files of somebody else are not ours to judge."""
    groups: dict[str, list[str]] = {}
    for name in sorted(names):
        split = temporaries.split_name(name)
        if split is not None:
            groups.setdefault(split[0], []).append(split[1])
    return groups


class _Leftover:
    """The files of one publication."""

    def __init__(self, tmp: Folder, folders: OpenFolders, tag: str, endings: list[str]) -> None:
        self._tmp = tmp
        self._folders = folders
        self._tag = tag
        self._files = [end for end in endings if end not in (temporaries.LOG, temporaries.DONE)]
        self._is_done = temporaries.DONE in endings
        self._has_log = self._is_done or temporaries.LOG in endings

    def clean(self, now_ns: int) -> list[Problem]:
        """Deal with each file, then drop the log."""
        if not self._has_log:  # died before the first file was published: all of it is ours
            return self._drop_all()
        log = temporaries.DONE if self._is_done else temporaries.LOG
        if self._is_done and _age_ns(self._tmp, self._name(log), now_ns) < LATE_WRITER_NS:
            return []
        entries = temporaries.decode_log(read_in(self._tmp, TMP / log, name=self._name(log)))
        if entries is None:
            # The log is durable before the first file is published, so none was.
            return [_damage_problem(self._name(log))] if self._is_done else self._drop_all(log)
        # A vault that came from elsewhere may bring a log of its own making, with paths that lead
        # out of the vault (tests/storage/files/test_files.py::test_a_log_that_somebody_forged).
        try:
            for entry in entries:
                check_path(entry.path)
        except UnsafePathError as unsafe:
            return [_not_ours(self._name(log), unsafe)]
        was_done = self._is_done
        if not was_done:
            self._finish(entries)
        problems, waits = [], False
        for ending in self._files:
            number = int(ending.partition(".")[0])
            if number >= len(entries):
                continue
            # Of one that was cut off, the writer may be this very process, ended by a signal.
            if was_done and is_being_written(self._tmp, self._name(ending)):
                # One of 8,000 saves was lost on a loaded machine: the editor was held up for more
                # than two seconds between emptying the file and writing it.
                waits = True  # a save slower than the two seconds; the next call looks again
                continue
            problems += self._settle(ending, entries[number])
        if not waits:
            self._drop(log)
        return problems

    def _drop_all(self, *logs: str) -> list[Problem]:
        for ending in (*self._files, *logs):
            self._drop(ending)
        return []

    def _finish(self, entries: Sequence[temporaries.Entry]) -> None:
        """Publish the rest of a publication that died half way, so that it is whole.

        Half of an operation is worse than none: an item whose bullet never got its id would be
        adopted a second time. All new bytes were durable before the first file was published.
        What somebody has changed since is left as it is.
        """
        # Killed before the first exchange, nothing is half done: the vault stays as it was, and
        # `_settle` drops the new bytes.
        if not any(self._is_published(entry) for entry in entries):
            return
        for number, entry in enumerate(entries):
            # All new bytes are durable before the first file is published, so what died half way is
            # finished: an item whose bullet never got its id was adopted a second time.
            if not self._waits(number, entry):
                continue
            exchange = Exchange(
                entry=entry,
                temporary=self._name(str(number)),
                tmp=self._tmp,
                folder=self._folders.get(entry.path.parent, create=entry.after is not None),
                fingerprint=_fingerprint(entry),
            )
            with contextlib.suppress(StaleFileError):
                exchange.carry_out()
                exchange.folder.fsync()
        # Whole now: what was taken away stays away.
        self._is_done = all(self._is_published(entry) for entry in entries)
        self._files = _groups(self._tmp.names()).get(self._tag, [])
        self._files = [end for end in self._files if end not in (temporaries.LOG, temporaries.DONE)]

    def _is_published(self, entry: temporaries.Entry) -> bool:
        found = self._target(entry.path, entry.before or entry.after or "")
        return found == entry.after and found != entry.before

    def _waits(self, number: int, entry: temporaries.Entry) -> bool:
        """Whether the change is not made yet, and can be."""
        if self._target(entry.path, entry.before or entry.after or "") != entry.before:
            return False
        try:
            data = read_in(self._tmp, entry.path, name=self._name(str(number)))
        except MissingFileError:
            return entry.after is None
        return entry.after is not None and _fingerprint(entry)(data) == entry.after

    def _name(self, ending: str) -> str:
        return f"{self._tag}.{ending}"

    def _drop(self, ending: str) -> None:
        with contextlib.suppress(FileNotFoundError):
            self._tmp.unlink(self._name(ending))

    def _settle(self, ending: str, entry: temporaries.Entry) -> list[Problem]:
        data = read_in(self._tmp, entry.path, name=self._name(ending))
        known = entry.before or entry.after or ""
        oid = _fingerprint(entry)(data)
        target = self._target(entry.path, known)
        if not self._is_done and target is None and oid == entry.before:
            self._put_back(ending, entry.path)
        elif not data or oid in (entry.before, entry.after, target):
            # An empty file holds no edit: an editor emptied it and wrote nothing. While it still
            # has it open for writing, `clean` passes it over.
            self._drop(ending)
        elif temporaries.SAVED in ending and self._says_all(entry.path, data):
            self._drop(ending)  # the editor went on from it, as nearly always
        else:
            return [self._keep(ending, entry.path, oid)]
        return []

    def _says_all(self, path: PurePosixPath, data: bytes) -> bool:
        """Whether each line of these bytes stands in the file."""
        try:
            lines = read_in(self._folders.get(path.parent), path).splitlines()
        except VaultmemError:
            return False
        return set(data.splitlines()) <= set(lines)

    def _target(self, path: PurePosixPath, known: str) -> Oid | None:
        try:
            data = read_in(self._folders.get(path.parent), path)
        except VaultmemError:
            return None
        return blob_oid(data, algorithm="sha1" if len(known) == _SHA1_DIGITS else "sha256")

    def _put_back(self, ending: str, path: PurePosixPath) -> None:
        """The publication died between taking the file away and being complete."""
        folder = self._folders.get(path.parent, create=True)
        temporaries.rename_to_free(self._tmp, self._name(ending), folder, path.name)
        folder.fsync()

    def _keep(self, ending: str, path: PurePosixPath, oid: Oid) -> Problem:
        folder = self._folders.get(path.parent, create=True)
        kept = path.with_name(kept_name(path.name, oid))
        try:
            temporaries.rename_to_free(self._tmp, self._name(ending), folder, kept.name)
        except FileExistsError:
            self._drop(ending)  # the name holds its fingerprint: it was kept before
        folder.fsync()
        return Problem(
            path=kept,
            code="edit-kept",
            message=f"an edit of '{path.name}' was saved while the file was being replaced",
            hint=f"take over what is missing in '{path.name}', then delete this file",
            severity=Severity.WARNING,
        )


def _not_ours(name: str, unsafe: UnsafePathError) -> Problem:
    return Problem(
        path=TMP / name,
        code="foreign-leftover",
        message=f"this file was not written by vaultmem: {unsafe.message}",
        hint="delete it, and ask where the vault came from",
    )


def _damage_problem(name: str) -> Problem:
    return Problem(
        path=TMP / name,
        code="damaged-leftover",
        message="this file says which edits the files beside it may hold, and cannot be read",
        hint="look whether those files hold an edit that you miss, then delete them all",
    )


def _fingerprint(entry: temporaries.Entry) -> Callable[[bytes], Oid]:
    """How the bytes of this entry are fingerprinted: by the object format of its repository."""
    known = entry.before or entry.after or ""
    algorithm = "sha1" if len(known) == _SHA1_DIGITS else "sha256"
    return lambda data: blob_oid(data, algorithm=algorithm)
