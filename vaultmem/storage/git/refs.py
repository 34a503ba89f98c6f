"""HEAD and branches read as files, and the locks under which they and the index are replaced."""

from __future__ import annotations

import contextlib
import os
import stat
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path, PurePosixPath

from vaultmem.base import (
    HistoryDamagedError,
    MissingFileError,
    NamedTuple,
    RepositoryBusyError,
    VaultmemError,
    is_refusal,
)
from vaultmem.storage.files import is_process_gone, open_folder, read, temporaries
from vaultmem.storage.git.repository import LOCK, Repository

HEAD = "HEAD"
_REF_LIMIT = 4096
_PACKED_LIMIT = 1 << 28
_MOST_LOOKS = 200  # at a branch that is about to get its name, a pause after each
_PAUSE_SECONDS = 0.01
_LONGEST_CHAIN = 5  # as git: MAXDEPTH of symbolic references
_FORBIDDEN = frozenset("\\ ~^:?*[\x7f") | {chr(code) for code in range(32)}


class Head(NamedTuple):
    """Where HEAD is."""

    ref: str  # the reference that a commit moves: a branch, or HEAD itself when detached
    oid: str | None  # None: no commit yet (unborn)

    @property
    def branch(self) -> str | None:
        """Name of the branch; None when HEAD is detached."""
        return self.ref.removeprefix("refs/heads/") if self.ref != HEAD else None


def read_head(repository: Repository) -> Head:
    """Where HEAD is now; raises HistoryDamagedError when that cannot be read."""
    repository.require_whole()
    name = HEAD
    for _ in range(_LONGEST_CHAIN):
        text = _loose(repository, name)
        if text is None:
            if name == HEAD:
                raise _damaged_ref_error(HEAD, "it is missing")
            oid = _read_packed_ref(repository, name)
            if oid is None and (lost := last_logged(repository, name)):
                # Git would take this for a branch without commits, and begin anew.
                text, oid = _read_again(repository, name)
                if text is None and oid is None:
                    raise _damaged_ref_error(
                        name, f"it is missing; by its log it was at {lost[:10]}"
                    )
            if text is None:
                return Head(ref=name, oid=oid)
        if not text.startswith("ref:"):
            return Head(ref=name, oid=_oid(repository, name, text))
        name = text[4:].strip()
        require_ref_name(name)
    raise _damaged_ref_error(HEAD, "it points to itself")


def _read_again(repository: Repository, name: str) -> tuple[str | None, str | None]:
    """A reference that was missing, loose and packed, once nobody is making it any more.

    The first commit of a branch is in its log before the branch has its name, under its lock.
    """
    lock = repository.git_dir / (name + LOCK)
    for _ in range(_MOST_LOOKS):
        is_locked = os.path.lexists(lock)
        text, oid = _loose(repository, name), _read_packed_ref(repository, name)
        if text is not None or oid is not None or not is_locked:
            break
        time.sleep(_PAUSE_SECONDS)
    return text, oid


def last_logged(repository: Repository, name: str) -> str:
    """The value that the log of a reference says it got last; '' when nothing says so."""
    return next(iter(read_reflog(repository, name)), "")


def read_reflog(repository: Repository, name: str) -> tuple[str, ...]:
    """Values that a reference had by its log, newest first; lines that are torn say nothing."""
    try:
        data = read(repository.git_dir, PurePosixPath("logs", name), limit=_PACKED_LIMIT)
    except VaultmemError as error:
        # A reference that the system would not open was taken for lost, and the branch rewound.
        if is_refusal(error):
            raise
        return ()
    digits = len(repository.zero)
    found = []
    for line in reversed(data.split(b"\n")):
        new = line[digits + 1 : 2 * digits + 1].decode("ascii", "replace")
        if line[digits : digits + 1] == b" " and is_oid(repository, new) and new not in found:
            found.append(new)
    return tuple(oid for oid in found if oid != repository.zero)


def is_oid(repository: Repository, text: str) -> bool:
    """Whether this is the id of an object, in full."""
    return len(text) == len(repository.zero) and set(text) <= set("0123456789abcdef")


def read_ref(repository: Repository, name: str) -> str | None:
    """Object id of a full reference name; None when there is none. Not through other names."""
    require_ref_name(name)
    text = _loose(repository, name)
    if text is None:
        return _read_packed_ref(repository, name)
    return None if text.startswith("ref:") else _oid(repository, name, text)


def require_ref_name(name: str) -> None:
    """Refuse what is no full reference name (git-check-ref-format), such as a path outside."""
    parts = name.split("/")
    if (
        parts[0] != "refs"
        or len(parts) < 3
        or any(not part or part[0] == "." or part.endswith(LOCK) for part in parts)
        or ".." in name
        or "@{" in name
        or not _FORBIDDEN.isdisjoint(name)
    ):
        raise _damaged_ref_error(HEAD, f"'{name}' is not the name of a branch")


def _loose(repository: Repository, name: str) -> str | None:
    try:
        data = read(repository.git_dir, PurePosixPath(name), limit=_REF_LIMIT)
    except MissingFileError:
        return None
    except VaultmemError as error:
        # A folder of that name means that the reference itself is only in packed-refs.
        if name != HEAD and (repository.git_dir / name).is_dir():
            return None
        if is_refusal(error):
            raise  # no descriptors left, say: the reference is as it was
        repository.require_own()
        raise _damaged_ref_error(name, error.message) from error
    return data.decode("utf-8", "surrogateescape").strip()


def _oid(repository: Repository, name: str, text: str) -> str:
    if not is_oid(repository, text):
        raise _damaged_ref_error(name, "it is empty" if not text else "it holds no object id")
    return text


def _read_packed_ref(repository: Repository, name: str) -> str | None:
    try:
        data = read(repository.git_dir, PurePosixPath("packed-refs"), limit=_PACKED_LIMIT)
    except MissingFileError:
        return None
    digits = len(repository.zero)
    at = data.find(b" " + name.encode("utf-8", "surrogateescape") + b"\n")
    if at < digits or (at > digits and data[at - digits - 1 : at - digits] != b"\n"):
        return None
    return _oid(repository, name, data[at - digits : at].decode("ascii", "replace"))


def _damaged_ref_error(name: str, why: str) -> HistoryDamagedError:
    return HistoryDamagedError(
        f"the reference '{name}' of the repository cannot be used: {why}",
    )


# --- locks that git respects ---

# What is about to become `.git/index` or a reference is first a file in `.git/vaultmem`. The lock
# is a second name of that file. If the process dies in between, the two names tell the next run
# that the lock is ours and its owner gone; git's own locks say nothing about their owner, which is
# why a stale one blocks everybody until a person removes it (12 to 60 % of kill -9 runs).
OWN_FOLDER = "vaultmem"
"""Folder in `.git` for files that are about to get a name of git's."""

_FIRST_PAUSE_SECONDS = 0.002
_LONGEST_PAUSE_SECONDS = 0.05
# A number of a process may be given again; no step of ours takes this long.
_SURELY_DEAD_SECONDS = 600.0


def new_file(git_dir: Path, kind: str) -> Path:
    """A name for a new file in `.git/vaultmem`; the folder is made when missing."""
    open_folder(git_dir, (OWN_FOLDER,), create=True).close()
    return git_dir / OWN_FOLDER / f"{kind}-{os.getpid()}-{time.monotonic_ns()}"


def take_name(
    file: Path, name: Path, *, wait_seconds: float, sleep: Callable[[float], None]
) -> None:
    """Give `file` a second name that must be free: a lock. Raises RepositoryBusyError.

    A lock that has been there for long already (a program died) is not waited for.
    """
    waited, pause = 0.0, _FIRST_PAUSE_SECONDS
    while True:
        try:
            give_name(file, name)
            return
        except FileExistsError:
            age = age_seconds(name)
            if waited >= wait_seconds or age > wait_seconds + 1:
                raise RepositoryBusyError(
                    f"'{name}' is there for {age:.0f} s: another git program holds it, or died",
                    hint="wait for that program to end; if there is none, delete the file",
                ) from None
        sleep(pause)
        waited += pause
        pause = min(pause * 2, _LONGEST_PAUSE_SECONDS)


def give_name(file: Path, name: Path) -> None:
    """A second name of a file; raises FileExistsError when it is taken."""
    try:
        os.link(file, name)
    except FileExistsError:
        raise
    except OSError:  # no hard links here: a copy serves, only its owner cannot be told later
        fd = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
        os.close(fd)
        with open(file, "rb") as source, open(name, "wb") as target:
            while chunk := source.read(1 << 20):
                target.write(chunk)
            target.flush()
            os.fsync(target.fileno())


def remove(file: Path) -> None:
    """Remove it if it is there, with a second try: a lock that stays keeps the person's git out."""
    try:
        file.unlink(missing_ok=True)
    except OSError:
        file.unlink(missing_ok=True)


def age_seconds(name: Path) -> float:
    """Since the name was given; 0 when there is no such file, or the clock was set back."""
    try:
        return max(0.0, time.time() - os.lstat(name).st_ctime)
    except FileNotFoundError:
        return 0.0


def write_durably(file: Path, data: bytes) -> None:
    """A new file with these bytes, synced; raises OSError."""
    folder = open_folder(file.parent, ())
    try:
        try:
            fd = temporaries.create(folder, file.name, data)
            try:
                os.fsync(fd)
            finally:
                os.close(fd)
        except BaseException:
            with contextlib.suppress(OSError):
                os.unlink(file)
            raise
    finally:
        folder.close()


def append(file: Path, line: bytes) -> None:
    """Add a line at the end in one write, making the file when there is none."""
    flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0)
    fd = os.open(file, flags | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0), 0o666)
    try:
        os.write(fd, line)
        if hasattr(os, "posix_fadvise"):
            os.posix_fadvise(fd, 0, 0, os.POSIX_FADV_DONTNEED)
    finally:
        os.close(fd)


def sync_file(file: Path) -> None:
    """Make the bytes of a file durable."""
    # It is opened for writing, since Windows flushes no file that was opened for reading.
    fd = os.open(file, os.O_RDWR | getattr(os, "O_BINARY", 0))
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


def sync_folder(folder: Path) -> None:
    """Make the names in a folder durable."""
    opened = open_folder(folder, ())
    try:
        opened.fsync()
    finally:
        opened.close()


def has_dead(git_dir: Path) -> bool:
    """Whether a process of ours died and left something in `.git`."""
    try:
        names = os.listdir(git_dir / OWN_FOLDER)
    except FileNotFoundError:
        return False
    return any(_is_dead(git_dir / OWN_FOLDER / name) for name in names)


def release_dead(git_dir: Path) -> tuple[Path, ...]:
    """Remove what processes of ours that died left in `.git`; the locks that were freed."""
    try:
        names = sorted(os.listdir(git_dir / OWN_FOLDER))
    except FileNotFoundError:
        return ()
    freed: list[Path] = []
    for name in names:
        file = git_dir / OWN_FOLDER / name
        if not _is_dead(file):
            continue
        with contextlib.suppress(FileNotFoundError):
            found = os.lstat(file)
            is_named = found.st_nlink > 1 and stat.S_ISREG(found.st_mode)
            for lock in _locks(git_dir) if is_named else ():
                if os.path.samestat(found, os.lstat(lock)):
                    os.unlink(lock)
                    freed.append(lock)
            if stat.S_ISDIR(found.st_mode):
                end_dead(git_dir, file)
            else:
                os.unlink(file)
    return tuple(freed)


def _locks(git_dir: Path) -> Iterator[Path]:
    """Every lock that we may have taken."""
    for name in ("index", "HEAD"):
        if os.path.lexists(git_dir / (name + LOCK)):
            yield git_dir / (name + LOCK)
    for folder, _, files in os.walk(git_dir / "refs" / "heads"):
        for name in files:
            if name.endswith(LOCK):
                yield Path(folder, name)


def _is_dead(file: Path) -> bool:
    """Whether the process that made the file (its number is in the name) is gone."""
    try:
        number = int(file.name.split("-")[1])
    except (IndexError, ValueError):
        return False  # not a name of ours
    try:
        made_at_ns = os.lstat(file).st_ctime_ns
    except FileNotFoundError:
        return False
    return age_seconds(file) > _SURELY_DEAD_SECONDS or is_process_gone(
        number, seen_at_ns=made_at_ns
    )


# In the order of their renaming: git looks for the index first and must find the pack beside it.
_ENDINGS = (".rev", ".pack", ".idx")


def end_dead(git_dir: Path, aside: Path) -> None:
    """Remove the folder of an import whose process died; its git may be ending just now.

    A pack that has begun to take its names takes the others too: without its index it would be
    damage to whoever looks, though nothing names the objects in it.
    """
    import shutil

    packs = git_dir / "objects" / "pack"
    with contextlib.suppress(FileNotFoundError):
        made = os.listdir(aside / "pack")
        # Killed between the two renames an import left a pack without an index, which `check` calls
        # damage and no sync mended.
        begun = {os.path.splitext(name)[0] for name in os.listdir(packs)}
        move_packs(
            [name for name in made if os.path.splitext(name)[0] in begun], aside / "pack", packs
        )
    shutil.rmtree(aside, ignore_errors=True)


def move_packs(names: Iterable[str], folder: Path, packs: Path) -> None:
    """Give packs of one folder their names in another; what is found there is whole."""
    names = sorted(names)
    for ending in _ENDINGS:
        for name in names:
            if name.endswith(ending):
                _rename(folder / name, packs / name)


def _rename(made: Path, name: Path) -> None:
    try:
        os.replace(made, name)
    except PermissionError:  # Windows: the same pack is there, and a git is reading it
        if not name.exists():
            raise
