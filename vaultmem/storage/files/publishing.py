"""Give files of a vault new bytes: compare and swap, before-or-after, durable.

All fingerprints are checked before the first byte is written. New bytes go to temporary files
in the vault, are made durable, and change places with the old ones in one step each; what came
out is looked at again, so an edit that a person saved in that very moment goes back and the
whole publication is undone. Protocol and figures: reliability.md 5.1 steps 5 to 7.
"""

from __future__ import annotations

import contextlib
import os
import signal
import stat
import time
from collections.abc import Callable, Sequence
from pathlib import Path, PurePosixPath

from vaultmem.base import (
    DiskError,
    MissingFileError,
    StaleFileError,
    UnsafePathError,
    VaultmemError,
)
from vaultmem.model import Oid, Remove, Write, blob_oid
from vaultmem.storage.files import temporaries
from vaultmem.storage.files.folders import READ_FLAGS, Folder, OpenFolders, refusal
from vaultmem.storage.files.layout import TMP, check_path, key
from vaultmem.storage.files.reading import read_in
from vaultmem.storage.files.temporaries import OLD, SAVED, Entry

# --- the exchange of one file with its temporary ---

# The window in which a person's save could be lost is closed by looking at what came out of the
# exchange, not by looking before it: 0 lost in 12,000 saves against 5 in 600 for compare, then
# rename (reliability.md section 0, finding 8).
# How often at most one exchange gives a person's bytes back: see `_replace`, and `take_back`.
_GIVEN_BACK = 8


class Exchange:
    """A target in `folder` and a temporary file in `tmp` on the same file system."""

    __slots__ = ("entry", "fingerprint", "folder", "temporary", "tmp")

    def __init__(
        self,
        *,
        entry: Entry,
        temporary: str,
        tmp: Folder,
        folder: Folder,
        fingerprint: Callable[[bytes], Oid],
    ) -> None:
        self.entry = entry
        self.temporary = temporary
        self.tmp = tmp
        self.folder = folder
        self.fingerprint = fingerprint

    def carry_out(self) -> None:
        """Publish the change; raises StaleFileError with the person's edit back in place.

        Other errors of the operating system pass through as OSError, with nothing changed.
        """
        if self.entry.before is None:
            self._publish_new()
        elif self.entry.after is None:
            self._remove()
        else:
            self._replace()

    def take_back(self) -> None:
        """Undo `carry_out`, unless somebody has changed the file since: then it stays."""
        if self.entry.before is None:
            # The file is moved away and looked at, never unlinked: an editor may have saved into it
            # since it was published, and that save goes back.
            self._move_away()
            if self._oid_on_disk(self.tmp, self.temporary) != self.entry.after:
                self._move_back()
        elif self.entry.after is None:
            self._move_back()
        elif self._swap():
            if self._oid_on_disk(self.tmp, self.temporary) != self.entry.after:
                self._give_back()
        elif self._oid_on_disk(self.folder, self.entry.path.name) == self.entry.after:
            self._put_over(self.temporary)

    def _publish_new(self) -> None:
        name = self.entry.path.name
        try:
            temporaries.rename_to_free(self.tmp, self.temporary, self.folder, name)
        except FileExistsError:
            raise self._stale(self._oid_on_disk(self.folder, name)) from None

    def _remove(self) -> None:
        try:
            self._move_away()
        except FileNotFoundError:
            raise self._stale(None) from None
        found = self._found_or(self._move_back)
        if found != self.entry.before:
            self._move_back()
            raise self._stale(found)

    def _replace(self) -> None:
        # This look keeps an edit that was saved before now from leaving its place even for a
        # moment. It protects nothing: an editor may save right behind it, so what comes out of the
        # exchange is looked at as well.
        found = self._oid_on_disk(self.folder, self.entry.path.name)
        if found != self.entry.before:
            raise self._stale(found)
        try:
            if not self._swap():
                self._replace_by_link()
                return
        except FileNotFoundError:
            raise self._stale(None) from None
        found = self._found_or(self._swap)
        if found == self.entry.before:
            return
        self._give_back()
        if self._oid_on_disk(self.tmp, self.temporary) not in (self.entry.after, None, found):
            # Yet another save landed between the two: the newest one stays in place, and
            # the temporary file with the one before it is kept by `recover`. Which one that is
            # may have changed while we looked.
            self._give_back()
            if self._is_newer_outside():
                self._give_back()
        raise self._stale(found)

    def _give_back(self) -> None:
        """Put a person's bytes from the temporary file into their place again.

        A second name of them stays beside it for `recover`: an editor that has loaded the file
        while ours was there, or an older one, removes what is in its place now without having
        seen it (1 save of some 50,000, by an editor that saves by deletion).
        """
        # And a copy: an editor that saves in place, and has loaded the file while ours was there,
        # writes its next save over these very bytes, by whatever name. On a machine with six times
        # as many processes as cores 6 of 79,000 saves went so.
        for keep in (self._link_saved, self._copy_saved):
            for number in range(_GIVEN_BACK):
                try:
                    keep(f"{self.temporary}.{SAVED}{number}")
                except FileExistsError:
                    continue
                except (OSError, VaultmemError):  # no links, or the file is gone: all that can be
                    pass
                break
        # When the editor has the file away for a moment, the bytes stay where they are.
        with contextlib.suppress(FileNotFoundError):
            self._swap()

    def _link_saved(self, name: str) -> None:
        self.tmp.link(self.temporary, self.tmp, name)

    def _copy_saved(self, name: str) -> None:
        # Nobody may read the copy who could not read the note.
        mode = stat.S_IMODE(self.tmp.lstat(self.temporary).st_mode)
        fd = temporaries.create(self.tmp, name, b"", mode=mode)
        try:
            # Read as late as can be: what is saved behind it and not seen is not in the copy.
            left = memoryview(read_in(self.tmp, self.entry.path, name=self.temporary))
            while left:
                left = left[os.write(fd, left) :]
        finally:
            os.close(fd)

    def _is_newer_outside(self) -> bool:
        """Whether the temporary file was saved after the one in its place, as far as times tell."""
        places = ((self.tmp, self.temporary), (self.folder, self.entry.path.name))
        try:
            outside, inside = (os.stat(at.at(name), dir_fd=at.fd) for at, name in places)
        except FileNotFoundError:  # an editor that renames has taken it
            return False
        return outside.st_mtime_ns > inside.st_mtime_ns

    def _replace_by_link(self) -> None:
        """Without an exchange: keep a second name of the old file, look, rename over it.

        What an editor writes in place is then still reachable. An editor that itself renames
        within the microseconds between the look and the rename would be overwritten; systems
        where that can happen offer the exchange (Linux, macOS) or refuse the rename (Windows).
        """
        old = f"{self.temporary}.{OLD}"
        if not self._link(old):
            self._put_over(self.temporary)
            return
        seen = self._oid_on_disk(self.tmp, old)
        if seen != self.entry.before or not self._is_target(old):
            self.tmp.unlink(old)
            raise self._stale(seen)
        self._put_over(self.temporary)
        found = self._oid_on_disk(self.tmp, old)
        if found != self.entry.before:
            self._put_over(old)
            raise self._stale(found)
        self.tmp.rename(old, self.tmp, self.temporary)

    def _link(self, name: str) -> bool:
        try:
            self.folder.link(self.entry.path.name, self.tmp, name)
        except FileNotFoundError:
            raise
        except OSError as error:
            if error.errno in temporaries.NO_LINKS:
                return False
            raise
        return True

    def _is_target(self, name: str) -> bool:
        ours, target = self.tmp.lstat(name), self.folder.lstat(self.entry.path.name)
        return os.path.samestat(ours, target)

    def _swap(self) -> bool:
        return temporaries.swap(self.tmp, self.temporary, self.folder, self.entry.path.name)

    def _put_over(self, temporary: str) -> None:
        os.replace(
            self.tmp.at(temporary),
            self.folder.at(self.entry.path.name),
            src_dir_fd=self.tmp.fd,
            dst_dir_fd=self.folder.fd,
        )

    def _move_away(self) -> None:
        self.folder.rename(self.entry.path.name, self.tmp, self.temporary)

    def _move_back(self) -> None:
        """Give the file its name again; when that is taken, it stays for `recover` to keep."""
        try:
            temporaries.rename_to_free(self.tmp, self.temporary, self.folder, self.entry.path.name)
        except FileExistsError:
            return

    def _found_or(self, take_back: Callable[[], object]) -> Oid | None:
        """Fingerprint of the temporary file; when it cannot be read, all is taken back."""
        try:
            return self._oid_on_disk(self.tmp, self.temporary)
        except DiskError:
            take_back()
            raise

    def _oid_on_disk(self, folder: Folder, name: str) -> Oid | None:
        """Fingerprint of a file; None when there is none, '' when it is no regular file.

        raises DiskError when the system refuses to read it: that says nothing about the file
        """
        try:
            return self.fingerprint(read_in(folder, self.entry.path, name=name))
        except MissingFileError:
            return None
        except DiskError:
            raise
        except VaultmemError:
            return Oid("")

    def _stale(self, found: Oid | None) -> StaleFileError:
        return StaleFileError(self.entry.path, expected=self.entry.before, found=found)


# Temporary files written before the first of them is synced; bounded by open descriptors.
_BATCH = 64

Change = Write | Remove


def publish(
    root: Path,
    changes: Sequence[Change],
    *,
    algorithm: str = "sha1",
    sleep: Callable[[float], None] = time.sleep,
    placed: list[str] | None = None,
) -> str:
    """Carry out all changes, or none of them; durable when this returns.

    returns    the publication's tag, for `take_back`
    placed     gains the tag as soon as all files are in their places: a signal may come between
               that moment and the return, and then nobody else would know of them

    algorithm  of the fingerprints: the object format of the repository
    raises     StaleFileError   a file is not as it was planned against
               UnsafePathError  a path through a link, or a second spelling of an existing name
               DiskError        the disk is full, read-only or failing
    The displaced files stay in `.vaultmem/tmp` until `recover` finds that no editor wrote to
    them late. Must run inside the writer lock.
    """
    if not changes:
        return ""
    paths = [change.path for change in changes]
    if len(set(paths)) != len(paths):
        raise ValueError("two changes of one publication have the same path")
    for path in paths:
        check_path(path)
    with contextlib.closing(_Publication(root, changes, algorithm, sleep)) as publication:
        publication.verify()
        publication.prepare()
        placed = [] if placed is None else placed
        publication.carry_out(placed)
        publication.finish(placed)
        return publication.tag


def take_back(root: Path, changes: Sequence[Change], tag: str, *, algorithm: str = "sha1") -> None:
    """Undo a publication just made, inside the same lock: what is not committed is not done.

    The displaced files change places again, which takes no space: a full disk is the usual
    reason. What somebody has changed since stays.
    """
    if not changes:
        return
    publication = _Publication(root, changes, algorithm, time.sleep, tag=tag)
    with contextlib.closing(publication):
        publication.take_back()


class _Publication:
    """The state of one publication: open folders, temporary files, what is done already."""

    def __init__(
        self,
        root: Path,
        changes: Sequence[Change],
        algorithm: str,
        sleep: Callable[[float], None],
        *,
        tag: str = "",
    ) -> None:
        self._root = root
        self._folders = OpenFolders(root)
        self._changes = changes
        self._algorithm = algorithm
        self._sleep = sleep
        self.tag = tag or temporaries.new_tag(time.time_ns())
        self._entries = tuple(self._entry(change) for change in changes)
        self._created: list[str] = []  # temporary files that hold only bytes of ours
        self._done: list[int] = []
        self._names: dict[PurePosixPath, dict[str, str]] = {}  # folder -> key -> name

    def _entry(self, change: Change) -> temporaries.Entry:
        after = self._oid(change.content) if isinstance(change, Write) else None
        return temporaries.Entry(path=change.path, before=change.expects, after=after)

    def _oid(self, data: bytes) -> Oid:
        return blob_oid(data, algorithm=self._algorithm)

    def close(self) -> None:
        """Let go of every folder."""
        self._folders.close()

    def verify(self) -> None:
        """Raise unless every file has the fingerprint it was planned against."""
        empty = self._oid(b"")
        for change in self._changes:
            # A file that had content and reads as empty may be in the middle of a save, so the read
            # is repeated; where the plan itself saw an empty file, there is nothing to wait for.
            patient = change.expects not in (None, empty)
            found = self._fingerprint(change.path, had_content=patient)
            if found != change.expects:
                raise StaleFileError(change.path, expected=change.expects, found=found)
            if found is None:
                self._refuse_twin(change.path)

    def _fingerprint(self, path: PurePosixPath, *, had_content: bool = False) -> Oid | None:
        try:
            folder = self._folders.get(path.parent)
            data = read_in(folder, path, had_content=had_content, sleep=self._sleep)
        except MissingFileError:
            return None
        return self._oid(data)

    def _refuse_twin(self, path: PurePosixPath) -> None:
        """A new name that some systems take for an existing one would replace it there."""
        for folder, name in _steps(path):
            names = self._names_in(folder)
            twin = names.setdefault(key(name), name)
            if twin != name:
                raise UnsafePathError(
                    f"'{path}' cannot be made: many systems take '{name}' for '{twin}', "
                    "which is there already",
                    hint=f"rename '{twin}', or choose another name",
                )

    def _names_in(self, folder: PurePosixPath) -> dict[str, str]:
        if folder not in self._names:
            try:
                names = sorted(self._folders.get(folder).names())
            except MissingFileError:
                names = []
            except OSError as error:
                raise refusal(folder, error, doing="list") from error
            self._names[folder] = {key(name): name for name in names}
        return self._names[folder]

    def prepare(self) -> None:
        """Write every new content to a durable temporary file."""
        path = self._changes[0].path
        waiting: list[int] = []
        try:
            for number, change in enumerate(self._changes):
                path = change.path
                if isinstance(change, Write):
                    waiting.append(self._create(str(number), change.content, self._mode(change)))
                    self._keep_traits(change, waiting[-1])
                if len(waiting) >= _BATCH:
                    _sync_all(waiting)
            # The log is made last and synced with the contents, before the first exchange:
            # `recover` takes a log without its check sum as proof that no file was published.
            waiting.append(self._create(temporaries.LOG, temporaries.encode_log(self._entries)))
            _sync_all(waiting)
        except BaseException as error:
            for fd in waiting:
                os.close(fd)
            self._drop_created()
            if isinstance(error, OSError):
                raise refusal(path, error, doing="write") from error
            raise

    def _create(self, ending: str, data: bytes, mode: int | None = None) -> int:
        name = f"{self.tag}.{ending}"
        folder = self._tmp()
        # The name is noted before the file is made: on a full disk half of the bytes may be there
        # already (tests/storage/files/test_files.py::test_a_full_disk_leaves_the_old_bytes).
        self._created.append(name)
        return temporaries.create(folder, name, data, mode=mode)

    def _tmp(self) -> Folder:
        return self._folders.get(TMP, create=True)

    def _mode(self, change: Write) -> int | None:
        if change.expects is None:
            return None
        folder = self._folders.get(change.path.parent)
        if folder.fd is None:
            return None  # permissions of this kind are a POSIX matter
        try:
            found = folder.lstat(change.path.name)
        except FileNotFoundError:  # an editor that saves by deletion, since `verify`
            raise StaleFileError(change.path, expected=change.expects, found=None) from None
        return stat.S_IMODE(found.st_mode)

    def _keep_traits(self, change: Write, fd: int) -> None:
        """The new file belongs to whom the old one did and has its extended attributes.

        As far as the system lets us: only root may give a file away, and some attributes are
        the system's own. A note without them is better than a note not written.
        """
        if change.expects is None or not hasattr(os, "listxattr"):
            return
        folder = self._folders.get(change.path.parent)
        try:
            old = os.open(folder.at(change.path.name), READ_FLAGS, dir_fd=folder.fd)
        except FileNotFoundError:  # an editor has it away for a moment
            raise StaleFileError(change.path, expected=change.expects, found=None) from None
        try:
            found = os.fstat(old)
            with contextlib.suppress(OSError):
                if (found.st_uid, found.st_gid) != (os.geteuid(), os.getegid()):
                    os.fchown(fd, found.st_uid, found.st_gid)
            with contextlib.suppress(OSError):
                for name in os.listxattr(old):
                    with contextlib.suppress(OSError):
                        os.setxattr(fd, name, os.getxattr(old, name))
        finally:
            os.close(old)

    def _drop_created(self) -> None:
        for name in self._created:
            with contextlib.suppress(OSError):
                self._tmp().unlink(name)

    def carry_out(self, placed: list[str]) -> None:
        """Put each new file in its place; when one cannot be, take the others back."""
        path = self._changes[0].path
        try:
            for number, entry in enumerate(self._entries):
                path = entry.path
                self._exchange(number).carry_out()
                self._done.append(number)
            # A rename is durable only when the folder is synced. All of them are synced once at the
            # end: the log finishes what a power cut leaves half done in between.
            for folder in sorted({entry.path.parent for entry in self._entries}):
                path = folder
                self._folders.get(folder).fsync()
            placed.append(self.tag)
        except BaseException as error:
            placed.clear()
            # A refused exchange has put its own file back. After any other error it may have
            # stopped half way, so the log has to stay for `recover`.
            self._undo(is_whole=isinstance(error, StaleFileError))
            if isinstance(error, OSError):
                raise refusal(path, error, doing="write") from error
            raise

    def _exchange(self, number: int) -> Exchange:
        entry = self._entries[number]
        return Exchange(
            entry=entry,
            temporary=f"{self.tag}.{number}",
            tmp=self._tmp(),
            folder=self._folders.get(entry.path.parent, create=entry.after is not None),
            fingerprint=self._oid,
        )

    def _undo(self, *, is_whole: bool = True) -> None:
        """Take back what is done; `is_whole` False: one exchange failed half way through."""
        is_undone = is_whole
        # Backwards: the order of the changes is one in which no note on disk names one that is not
        # there (tests/vault/test_working_copy.py), and taken back from its end it still is.
        for number in reversed(self._done):
            try:
                self._exchange(number).take_back()
            except (OSError, VaultmemError):
                # A second failure on top of the first: `recover` finds the rest by the log.
                is_undone = False
        with contextlib.suppress(OSError, VaultmemError):
            self._drop_ours(is_undone=is_undone)

    def take_back(self) -> None:
        """Undo all of it. Killed on the way, `recover` finishes the publication by its log."""
        tmp = self._tmp()
        with contextlib.suppress(OSError):
            tmp.rename(f"{self.tag}.{temporaries.DONE}", tmp, f"{self.tag}.{temporaries.LOG}")
        # Files change places back, which takes no space: when git found none they had stayed
        # published.
        self._done = list(range(len(self._entries)))
        self._undo()
        for folder in sorted({entry.path.parent for entry in self._entries}):
            with contextlib.suppress(OSError, VaultmemError):
                self._folders.get(folder).fsync()

    def _drop_ours(self, *, is_undone: bool) -> None:
        """Remove temporary files with nothing but our own bytes, and the log when all went.

        is_undone  nothing of ours is in place any more: what is left waits for `recover` as the
                   displaced files of a whole publication do, and is not finished by it
        """
        tmp = self._tmp()
        for number, entry in enumerate(self._entries):
            name = f"{self.tag}.{number}"
            # Ours was in place for a moment: an editor may have opened it there. Asked before the
            # bytes are read: one that closed it in between had written.
            is_written = is_being_written(tmp, name)
            try:
                data = read_in(tmp, entry.path, name=name)
            except MissingFileError:
                continue
            if self._oid(data) == entry.after and not is_written:
                tmp.unlink(name)
        log = f"{self.tag}.{temporaries.LOG}"
        is_left = any(name.startswith(f"{self.tag}.") and name != log for name in tmp.names())
        with contextlib.suppress(FileNotFoundError):  # only new files: it is gone already
            if not is_left:
                tmp.unlink(log)
            elif is_undone:
                tmp.rename(log, tmp, f"{self.tag}.{temporaries.DONE}")

    def finish(self, placed: list[str]) -> None:
        """Say in the log that all is done; without displaced files there is nothing to say."""
        tmp = self._tmp()
        log = f"{self.tag}.{temporaries.LOG}"
        try:
            if all(entry.before is None for entry in self._entries):
                tmp.unlink(log)
                return
            tmp.rename(log, tmp, f"{self.tag}.{temporaries.DONE}")
        except OSError as error:
            placed.clear()
            self._undo()
            raise refusal(self._root, error, doing="write to the vault") from error


def _steps(path: PurePosixPath) -> list[tuple[PurePosixPath, str]]:
    """Each component of a path with the folder it is in, from the top."""
    return [(PurePosixPath(*path.parts[:depth]), part) for depth, part in enumerate(path.parts)]


def _sync_all(descriptors: list[int]) -> None:
    """Make the files durable and close them; an fsync that fails is final (never retried)."""
    while descriptors:
        # After an fsync that failed Linux may take the lost pages for clean, so that a second one
        # would succeed without the bytes. The descriptor leaves the list only when it is synced:
        # `prepare` closes what is left in it.
        fd = descriptors[0]
        os.fsync(fd)
        descriptors.pop(0)
        os.close(fd)


def is_being_written(folder: Folder, name: str) -> bool:
    """Whether another open file description may write to it; False where the system cannot tell.

    Linux gives a read lease only on a file that nobody has open for writing.
    """
    try:
        import fcntl
    except ImportError:  # Windows, where an open file cannot be displaced at all
        return False
    if not hasattr(fcntl, "F_SETLEASE"):
        return False
    try:
        fd = os.open(folder.at(name), READ_FLAGS, dir_fd=folder.fd)
    except OSError:
        return False
    try:
        # Whoever opens it during the lease has a signal sent to us; this one is ignored by default,
        # the usual one (SIGIO) would end the process.
        fcntl.fcntl(fd, fcntl.F_SETSIG, signal.SIGURG)
        fcntl.fcntl(fd, fcntl.F_SETLEASE, fcntl.F_RDLCK)
    except BlockingIOError:
        return True
    except OSError:  # a file system without leases, or a file of another user
        return False
    finally:
        with contextlib.suppress(OSError):
            fcntl.fcntl(fd, fcntl.F_SETLEASE, fcntl.F_UNLCK)
        os.close(fd)
    return False
