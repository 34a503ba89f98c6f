"""The person's `.git/index`: exactly our paths are updated in it, all else stays as it was.

Git makes a new index beside the old one while the commit is made, and it takes the old one's
place just before the branch moves, under git's own lock, held for microseconds. If the index
changed meanwhile the new one is made again; if it stays locked, the paths are remembered and
settled at the next call. An index that lacks our paths would make the person's next commit take
our files out of HEAD again.

A person (or a plug-in of Obsidian) who runs `git commit -a` again and again moves the branch or
rewrites the index each time before we are done; while the lock is held (`hold_index`) they cannot,
so the second attempt at a commit ends. A lock that somebody holds is waited for, and the commit is
not made without it. Only a lock that nobody can hold any more is passed by: it has not changed for
two seconds and no git program runs in the folder. The file stays; removing it is the person's
decision.

A commit of ours is durable when it is acknowledged, the index need not be: after a power cut it
may be one commit behind. Syncing it would cost every commit three more flushes of the disk;
looking once after each start of the machine costs one git process.
"""

from __future__ import annotations

import contextlib
import os
import stat
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath

from vaultmem import base
from vaultmem.base import (
    HistoryError,
    NamedTuple,
    RepositoryBusyError,
    VaultmemError,
)
from vaultmem.model import blob_oid
from vaultmem.storage.files import read, refusal
from vaultmem.storage.git import refs as locks
from vaultmem.storage.git.engine import Engine, output_of
from vaultmem.storage.git.process import Running
from vaultmem.storage.git.refs import read_head
from vaultmem.storage.git.repository import LOCK

Entries = Mapping[str, tuple[str, str] | None]
"""Path -> mode and blob id; None: the path is taken out."""

EMPTY_TREE = {
    "sha1": "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
    "sha256": "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
}
_UNSETTLED = "unsettled"
_STAGED = "staged"
_PASSING = ".passing"
_MOST_RETRIES = 5
_COMMAND = ("update-index", "-z", "--index-info")


class Stamp(NamedTuple):
    """By what a rewritten index is told from the same one."""

    inode: int
    size: int
    mtime_ns: int

    def __str__(self) -> str:
        return f"{self.inode} {self.size} {self.mtime_ns}"


def index_stamp(engine: Engine) -> Stamp | None:
    """Stamp of the index as it is; None when there is none. Raises HistoryError for a link."""
    try:
        found = os.lstat(_index(engine))
    except FileNotFoundError:
        return None
    if not stat.S_ISREG(found.st_mode):
        raise HistoryError("'.git/index' is not a regular file", hint="put the file itself there")
    return Stamp(inode=found.st_ino, size=found.st_size, mtime_ns=found.st_mtime_ns)


def _index(engine: Engine) -> Path:
    return engine.repository.git_dir / "index"


class IndexUpdate:
    """A new index in the making. Ends with `install` or `discard`."""

    def __init__(
        self,
        engine: Engine,
        entries: Entries,
        *,
        hold: IndexHold | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """Let git begin with it. `hold`: the lock is held already, and released by others."""
        self._engine = engine
        self._entries = entries
        self._hold = hold
        self._stdin = _index_info(entries, zero=engine.repository.zero)
        self._sleep = sleep
        self._index = _index(engine)
        self._lock = self._index.with_name("index" + LOCK)
        self._new = locks.new_file(engine.repository.git_dir, "index")
        self._old = locks.new_file(engine.repository.git_dir, "index")
        self._is_locked = False
        self.is_placed = False  # the new index is where git looks, the branch may not have moved
        self._links: tuple[Path, ...] = ()
        self.before: Stamp | None = None  # None: there was no index
        self._running: Running | None = None
        try:
            self._start()
        except BaseException:
            self.discard()
            raise

    def _start(self) -> None:
        """Begin with a second name of the index: git writes a new file and renames it."""
        self.before = index_stamp(self._engine)
        if self.before is not None:
            _link_or_copy(self._index, self._new)
        self._links = _lend_shared_index(self._engine)
        self._running = self._engine.start(*_COMMAND, stdin=self._stdin, index=self._new)

    def lock(self, *, wait_seconds: float) -> None:
        """Take git's lock with the new index in it; raises RepositoryBusyError, HistoryError."""
        for _ in range(_MOST_RETRIES):
            self._wait()
            if not self._differs():
                return
            if self._hold is not None:
                if index_stamp(self._engine) == self.before:
                    return
                self._remove_new()  # somebody passed by a lock, too
                self._start()
                continue
            locks.take_name(self._new, self._lock, wait_seconds=wait_seconds, sleep=self._sleep)
            self._is_locked = True
            if index_stamp(self._engine) == self.before:
                return
            self._unlock()
            self._remove_new()
            self._start()
        raise RepositoryBusyError(
            "the index of the repository keeps changing", hint="run the command again"
        )

    def _wait(self) -> None:
        running, self._running = self._running, None
        if running is None:
            return
        try:
            output_of(_COMMAND, running.wait(), self._index.parent.parent)
        finally:
            self._return_links()

    def _differs(self) -> bool:
        """Git leaves the file alone when all entries are there already."""
        if self.before is None:
            return self._new.exists()
        found = os.lstat(self._new)
        return (found.st_ino, found.st_mtime_ns) != (self.before.inode, self.before.mtime_ns)

    def place(self) -> None:
        """Put the new index in place of the old one, the lock still held.

        `git commit -a` reads HEAD, then the index, and only then takes the lock. Whoever moves
        HEAD therefore places the index before: with HEAD read before the move that commit is
        refused by git, with HEAD read after it our paths are in the index.
        """
        if self.is_placed or not self._differs():
            return
        # A second name of the old index, by which `discard` gives it back when the branch does not
        # move (test_the_index_is_as_it_was_when_the_branch_does_not_move in tests/faults).
        if self.before is not None:
            _link_or_copy(self._index, self._old)
        self.is_placed = True
        if self._is_locked:
            # The name in our folder stays: with the lock's it tells whose the lock is.
            passing = self._new.with_name(self._new.name + _PASSING)
            _link_or_copy(self._new, passing)
            os.replace(passing, self._index)
        elif self._hold is not None:
            os.replace(self._new, self._index)

    def is_in(self, oid: str | None) -> bool:
        """Whether a commit, of anybody, holds what the index had while it was placed.

        A `git commit` that had git's lock before we had it may read the index as we placed it. Its
        tree holds our paths then, and the index without them would take them out again with the
        next commit (one of some hundred made beside ours on a loaded machine).
        """
        if not self.is_placed or oid is None:
            return False
        try:
            held = tree_entries(self._engine, oid, self._entries.keys())
        except HistoryError:  # it cannot be read
            return False
        return all(held.get(path) == entry for path, entry in self._entries.items())

    def install(self) -> None:
        """Put the new index in place of the old one and let go of the lock."""
        self.place()
        self.is_placed = False
        self._unlock()
        self._remove_new()

    def discard(self) -> None:
        """Leave the index as it was; harmless after `install`."""
        if self._running is not None:
            self._running.kill()
            self._running = None
        self._return_links()
        if self.is_placed:
            self.is_placed = False
            if self.before is not None:
                os.replace(self._old, self._index)
            else:
                self._index.unlink(missing_ok=True)
        self._unlock()
        self._remove_new()

    def _unlock(self) -> None:
        if self._is_locked:
            self._is_locked = False
            locks.remove(self._lock)

    def _remove_new(self) -> None:
        passing = (self._new.with_name(self._new.name + ending) for ending in (LOCK, _PASSING))
        for file in (self._new, self._old, *passing):
            with contextlib.suppress(FileNotFoundError):
                os.unlink(file)

    def _return_links(self) -> None:
        for link in self._links:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(link)
        self._links = ()


def tree_entries(
    engine: Engine, oid: str, paths: Collection[str]
) -> dict[str, tuple[str, str] | None]:
    """What a commit has at these paths; None: nothing."""
    entries: dict[str, tuple[str, str] | None] = dict.fromkeys(sorted(paths))
    for mode, blob, path in engine.list_tree(oid):
        if path in entries:
            entries[path] = (mode, blob)
    return entries


def _index_info(entries: Entries, *, zero: str) -> bytes:
    """Input of `update-index --index-info`: no file is read, so no filter could run."""
    lines = []
    for path, entry in entries.items():
        mode, oid = entry or ("0", zero)
        lines.append(f"{mode} {oid}\t{path}\0")
    return "".join(lines).encode()


def _link_or_copy(source: Path, target: Path) -> None:
    try:
        os.link(source, target)
    except OSError:  # no hard links here
        import shutil

        shutil.copy2(source, target)


def _lend_shared_index(engine: Engine) -> tuple[Path, ...]:
    """A split index keeps its larger part in a file that git looks for in its own directory."""
    lent = []
    for name in os.listdir(engine.repository.git_dir):
        if not name.startswith("sharedindex."):
            continue
        link = engine.folder / name
        source = engine.repository.git_dir / name
        lent.append(link)
        try:
            os.symlink(source, link)
        except FileExistsError:
            continue
        except OSError:  # Windows without the right to make links
            import shutil

            shutil.copy2(source, link)
    return tuple(lent)


@contextlib.contextmanager
def lent_shared_index(engine: Engine) -> Iterator[None]:
    """Let git read a split index from the engine."""
    links = _lend_shared_index(engine)
    try:
        yield
    finally:
        for link in links:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(link)


def read_unsettled(engine: Engine) -> frozenset[str]:
    """Paths of our commits that the person's index may lack."""
    return frozenset(_read_names(engine.folder / _UNSETTLED))


def write_unsettled(engine: Engine, paths: Iterable[str]) -> None:
    """Remember them, also across a crash; none of them forgets."""
    _write_names(engine.folder / _UNSETTLED, sorted(paths))


def staged_paths(engine: Engine, head: str | None, folders: Sequence[str]) -> frozenset[str]:
    """Paths that the index has other than the commit `head` (None: no commit yet) does."""
    head = head or EMPTY_TREE[engine.repository.algorithm]
    stamp = index_stamp(engine)
    if stamp is None:
        return frozenset()
    found = read_staged(engine, stamp, head, folders)
    if found is None:
        index = _index(engine)
        options = ("--cached", "-z", "--name-only", "--no-renames")
        with lent_shared_index(engine):
            out = engine.run("diff-index", *options, head, "--", *folders, index=index)
        found = frozenset(out.decode("utf-8", "surrogateescape").split("\0")[:-1])
        write_staged(engine, stamp, head, folders, found)
    return found - read_unsettled(engine)


def read_staged(
    engine: Engine, stamp: Stamp | None, head: str, folders: Sequence[str]
) -> frozenset[str] | None:
    """The staged paths that were found for this index and head; None: they are not known."""
    names = _read_names(engine.folder / _STAGED)
    if not names or names[0] != _staged_key(stamp, head, folders):
        return None
    return frozenset(names[1:])


def write_staged(
    engine: Engine, stamp: Stamp | None, head: str, folders: Sequence[str], paths: Iterable[str]
) -> None:
    """Remember what is staged in this index against this head."""
    _write_names(engine.folder / _STAGED, [_staged_key(stamp, head, folders), *sorted(paths)])


def _staged_key(stamp: Stamp | None, head: str, folders: Sequence[str]) -> str:
    return f"{stamp} {head} {' '.join(folders)}"


def _read_names(file: Path) -> list[str]:
    try:
        return file.read_bytes().decode("utf-8", "surrogateescape").split("\0")[:-1]
    except FileNotFoundError:
        return []


def _write_names(file: Path, names: Sequence[str]) -> None:
    if not names:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(file)
        return
    text = "".join(f"{name}\0" for name in names)
    try:
        base.replace_file(file, text.encode("utf-8", "surrogateescape"))
    except OSError as error:
        state = file.parent.parent
        raise refusal(state, error, doing="write to the device state") from error


def carry_staged(
    engine: Engine, before: Stamp | None, old_head: str, *, head: str, committed: frozenset[str]
) -> None:
    """After a commit of ours: what was staged still is, but for the committed paths."""
    names = _read_names(engine.folder / _STAGED)
    start = f"{before} {old_head} "
    if not names or not names[0].startswith(start):
        return
    folders = names[0].removeprefix(start).split(" ")
    write_staged(engine, index_stamp(engine), head, folders, set(names[1:]) - committed)


_STAMP = "start"
_LINUX_ID = "/proc/sys/kernel/random/boot_id"
# Elsewhere the start is worked out from two clocks, of which one may be set meanwhile. A start
# that is taken for another one only costs the look.
_TOLERANCE_SECONDS = 120


def is_first(engine: Engine) -> bool:
    """Whether this repository was not looked at since the machine was started."""
    try:
        return (engine.folder / _STAMP).read_text(encoding="ascii") != _start()
    except (OSError, UnicodeDecodeError):
        return True


def mark_checked(engine: Engine) -> None:
    """Remember that it was; not durably, because the next start asks anew."""
    with contextlib.suppress(OSError):
        (engine.folder / _STAMP).write_text(_start(), encoding="ascii")


def _start() -> str:
    try:
        with open(_LINUX_ID, encoding="ascii") as stream:
            return stream.read().strip()
    except OSError:
        return str(round((time.time() - time.monotonic()) / _TOLERANCE_SECONDS))


def behind(engine: Engine, root: Path, head: str) -> frozenset[str]:
    """Paths that HEAD and the disk have alike and the person's index does not.

    Whoever stages a change has it on disk too, so these can only be of an index that is old.
    """
    index = engine.repository.git_dir / "index"
    # A power cut left git's index one commit behind HEAD, with which the next `git commit` would
    # have taken our files out again.
    if not os.path.lexists(index):
        return frozenset()
    raw = engine.run("diff-index", "--cached", "-z", "--no-renames", head, "--", index=index)
    fields = raw.decode("utf-8", "surrogateescape").split("\0")[:-1]
    found = set()
    for about, path in zip(fields[::2], fields[1::2], strict=True):
        in_head = about.split(" ")[2]  # `:mode mode oid oid status`: HEAD first, then the index
        if _on_disk(engine, root, path) == in_head:
            found.add(path)
    return frozenset(found)


def _on_disk(engine: Engine, root: Path, path: str) -> str:
    """Blob id of the file; zeros, as git writes for a path that is not there."""
    try:
        data = read(root, PurePosixPath(path), limit=None)
    except VaultmemError:
        return "" if os.path.lexists(root / path) else engine.repository.zero
    return str(blob_oid(data, algorithm=engine.repository.algorithm))


SETTLE_WAIT_SECONDS = 2.0
"""How long paths that the index may lack wait for git's lock; the next write tries again."""


def settle_index(engine: Engine, root: Path, *, sleep: Callable[[float], None]) -> bool:
    """Bring the remembered paths into the person's index; whether none is left.

    At the first call after a start of the machine, paths that a power cut took out of the index
    are found and remembered first.
    """
    is_first_look = is_first(engine)
    if is_first_look:
        _remember_behind(engine, root)
    is_level = _settle_remembered(engine, sleep)
    if is_first_look:
        # It is marked last: a process that is killed before this lets the next one look again.
        mark_checked(engine)
    return is_level


def _remember_behind(engine: Engine, root: Path) -> None:
    oid = read_head(engine.repository).oid
    if oid is None:
        return
    with lent_shared_index(engine):
        missing = behind(engine, root, oid)
    if missing:
        write_unsettled(engine, read_unsettled(engine) | missing)


def _settle_remembered(engine: Engine, sleep: Callable[[float], None]) -> bool:
    pending = read_unsettled(engine)
    if not pending:
        return True
    try:
        hold = hold_index(engine, wait_seconds=SETTLE_WAIT_SECONDS, sleep=sleep)
    except RepositoryBusyError:
        return False
    try:
        is_level = _settle_held(engine, pending, hold, sleep)
    finally:
        hold.release()
    if is_level:
        write_unsettled(engine, ())
    return is_level


def _settle_held(
    engine: Engine, pending: frozenset[str], hold: IndexHold, sleep: Callable[[float], None]
) -> bool:
    """HEAD is read under the lock: what it holds of the paths is what belongs into the index."""
    oid = read_head(engine.repository).oid
    if oid is None:
        return False
    entries = tree_entries(engine, oid, pending)
    update = IndexUpdate(engine, entries, hold=hold, sleep=sleep)
    try:
        update.lock(wait_seconds=0)
        update.install()
    except RepositoryBusyError:
        return False
    finally:
        update.discard()
    return hold.is_ours


_DEAD_SECONDS = 2.0
# Where nobody can be asked which programs run, a lock must be this old to count as left behind.
_DEAD_UNSEEN_SECONDS = 60.0
_OLD_SECONDS = 600.0
_FIRST_PAUSE_SECONDS = 0.002
_LONGEST_PAUSE_SECONDS = 0.02
_PROCESSES = "/proc"


class Holders(NamedTuple):
    """Git programs that may hold a lock in a repository."""

    can_be_told: bool  # False: this system does not say what runs
    pids: tuple[int, ...]


class IndexHold:
    """Git's lock on the index, ours until `release`; or a dead one of somebody, passed by."""

    def __init__(self, own: Path, lock: Path, *, is_ours: bool) -> None:
        self.is_ours = is_ours
        self._own = own
        self._lock = lock

    def release(self) -> None:
        """Let other git programs at the index again; harmless when done before."""
        if self.is_ours:
            self.is_ours = False
            locks.remove(self._lock)
        locks.remove(self._own)


def hold_index(engine: Engine, *, wait_seconds: float, sleep: Callable[[float], None]) -> IndexHold:
    """Take the lock; raises RepositoryBusyError when it cannot be had within `wait_seconds`."""
    git_dir = engine.repository.git_dir
    own, lock = locks.new_file(git_dir, "hold"), git_dir / ("index" + LOCK)
    os.close(os.open(own, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666))
    try:
        is_ours = _take(own, lock, wait_seconds=wait_seconds, sleep=sleep)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(own)
        raise
    return IndexHold(own, lock, is_ours=is_ours)


def _take(own: Path, lock: Path, *, wait_seconds: float, sleep: Callable[[float], None]) -> bool:
    """True when the lock is ours, False when it stands and nobody holds it."""
    waited = unchanged = 0.0
    pause = _FIRST_PAUSE_SECONDS
    seen: tuple[int, int] | None = None
    while True:
        try:
            locks.give_name(own, lock)
            return True
        except FileExistsError:
            pass
        now = _mark(lock)
        if now != seen:
            # A lock that changes is that of somebody at work, who lets go of it for moments: these
            # are met by short pauses.
            seen, unchanged, pause = now, 0.0, _FIRST_PAUSE_SECONDS
        age = locks.age_seconds(lock)
        # The age of the file counts, too, so that a lock that was left long ago is not watched anew
        # by each command.
        has_rested = now is not None and max(unchanged, age) >= _DEAD_SECONDS
        if has_rested and is_dead(holders_in(lock.parent.parent), age):
            return False
        if waited >= wait_seconds:
            raise _busy(lock, age, holders_in(lock.parent.parent))
        sleep(pause)
        waited += pause
        unchanged += pause
        pause = min(pause * 2, _LONGEST_PAUSE_SECONDS)


def is_dead(holders: Holders, age_seconds: float) -> bool:
    """Whether a lock of this age, unchanged for a while, can have no holder any more."""
    if holders.can_be_told:
        return not holders.pids
    return age_seconds >= _DEAD_UNSEEN_SECONDS


def holders_in(root: Path, *, processes: str = _PROCESSES) -> Holders:
    """Git programs at work in the folder, as far as this system tells (Linux)."""
    try:
        names = [name for name in os.listdir(processes) if name.isdecimal()]
    except OSError:
        names = []
    if not names:
        return Holders(can_be_told=False, pids=())
    found, can_be_told = [], True
    for name in sorted(names, key=int):
        try:
            with open(f"{processes}/{name}/comm", encoding="utf-8", errors="replace") as stream:
                if not stream.read(32).startswith("git"):
                    continue
            place = os.readlink(f"{processes}/{name}/cwd")
        except PermissionError:
            can_be_told = False  # a git of somebody else, who knows where
            continue
        except OSError:
            continue  # it has ended
        if os.path.commonpath([place, root]) == str(root):
            found.append(int(name))
    return Holders(can_be_told=can_be_told, pids=tuple(found))


def _mark(lock: Path) -> tuple[int, int] | None:
    try:
        found = os.lstat(lock)
    except FileNotFoundError:
        return None
    return found.st_ino, found.st_ctime_ns


def _busy(lock: Path, age: float, holders: Holders) -> RepositoryBusyError:
    if holders.pids:
        return RepositoryBusyError(
            f"git (process {holders.pids[0]}) holds '{lock}' for {age:.0f} s",
            hint="finish or close that git command (an open commit message?), then try again",
        )
    return RepositoryBusyError(
        f"'{lock}' is there for {age:.0f} s: another git program holds it, or died",
        hint="wait for that program to end; if there is none, delete the file",
    )


def old_locks(root: Path) -> tuple[tuple[str, float], ...]:
    """Locks of git that may have been left behind: name below `.git`, age in seconds; by name.

    One that is there for ten minutes, or for two seconds with no git program in the folder.
    """
    git_dir = root / ".git"
    files = [git_dir / (name + LOCK) for name in ("HEAD", "index", "packed-refs", "config")]
    files += sorted((git_dir / "refs").rglob("*" + LOCK))
    ages = {file: locks.age_seconds(file) for file in files if os.path.lexists(file)}
    if not ages:
        return ()
    is_quiet = is_dead(holders_in(root), 0.0)
    least = _DEAD_SECONDS if is_quiet else _OLD_SECONDS
    found = [(str(file.relative_to(git_dir)), age) for file, age in ages.items() if age >= least]
    return tuple(sorted(found))
