"""Make commits: all objects by one `git fast-import`, then one move of the branch.

Exactly our paths change on top of the parent's tree, so what a person has staged stays staged and
uncommitted. The person's index is brought level at the same time in a second process. Figures
and what was rejected: performance.md C; a pack a call is consolidated later (git/packs.py).

The branch moves by git's own protocol for loose references (`<ref>.lock` made so that it must not
exist, the old value compared under it, renamed into place), so git and vaultmem exclude each
other. No git process runs in the person's repository: no hook or setting of it can act, and a
commit costs 2 to 3 ms less than with `git update-ref`, which syncs neither reflog nor folder.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from pathlib import Path, PurePosixPath

from vaultmem.base import (
    TYPE_CHECKING,
    HeadMovedError,
    HistoryError,
    NamedTuple,
    RepositoryBusyError,
)
from vaultmem.model import blob_oid
from vaultmem.storage.files import check_path, refusal
from vaultmem.storage.git import refs as locks
from vaultmem.storage.git import staging
from vaultmem.storage.git.engine import Engine
from vaultmem.storage.git.identity import seconds_of, signature
from vaultmem.storage.git.packs import Import
from vaultmem.storage.git.refs import HEAD, Head, read_head
from vaultmem.storage.git.repository import LOCK, Repository

if TYPE_CHECKING:
    from vaultmem.storage.git.staging import IndexHold


class Move(NamedTuple):
    """A reference about to get a new value."""

    ref: str
    old: str | None  # None: it must not exist
    new: str
    reason: str  # one line for the reflog
    signature: str  # `Name <mail> seconds +0000`


class PreparedMove:
    """A move whose new value is durable on disk already, so that the lock is held briefly.

    The lock is a second name of a file in `.git/vaultmem`: if this process dies while holding
    it, the two names tell later runs that the lock is ours and nobody's any more.
    """

    def __init__(
        self, repository: Repository, move: Move, *, sleep: Callable[[float], None] = time.sleep
    ) -> None:
        self._repository = repository
        self._move = move
        self._sleep = sleep
        self._temporary = locks.new_file(repository.git_dir, "ref")
        self._target = repository.git_dir / move.ref
        self._lock = self._target.with_name(self._target.name + LOCK)
        self._grown: list[Path] = []  # folders with names that are new, beside the reference's
        locks.write_durably(self._temporary, f"{move.new}\n".encode())

    def carry_out(self, *, wait_seconds: float) -> None:
        """Move the reference; raises HeadMovedError or RepositoryBusyError, nothing moved."""
        logs: list[Path] = []
        try:
            self._take_lock(wait_seconds)
            try:
                self._require_old()
                self._log(logs)
                os.replace(self._lock, self._target)
            except BaseException:
                self._take_back(logs)
                with contextlib.suppress(FileNotFoundError):
                    os.unlink(self._lock)
                raise
            # The folders of the reflogs are new with the first commit, and were not synced: seen on
            # a disk that keeps only what it was told to sync (tests/faults).
            for folder in dict.fromkeys([self._target.parent, *self._grown]):
                locks.sync_folder(folder)
            for log in logs:
                locks.sync_file(log)
        except OSError as error:
            raise refusal(self._target, error, doing="move") from error
        finally:
            self.discard()

    def discard(self) -> None:
        """Give up; harmless after `carry_out`."""
        with contextlib.suppress(FileNotFoundError):
            os.unlink(self._temporary)

    def _take_lock(self, wait_seconds: float) -> None:
        self._make(self._lock.parent)
        locks.take_name(self._temporary, self._lock, wait_seconds=wait_seconds, sleep=self._sleep)

    def _make(self, folder: Path) -> None:
        """The folder with those above it; where names are new is noted."""
        # A folder with a new name is noted for the sync above it: those of the reflog were not
        # synced after the first commit.
        missing = []
        while not folder.exists():
            missing.append(folder)
            folder = folder.parent
        for each in reversed(missing):
            each.mkdir(exist_ok=True)
            self._grown.append(each.parent)

    def _require_old(self) -> None:
        """Compare under the lock; HEAD, too, must still lead to this reference."""
        now = read_head(self._repository)
        if now.ref != self._move.ref or now.oid != self._move.old:
            raise HeadMovedError(
                f"the branch moved from {_short(self._move.old)} to {_short(now.oid)} "
                "while a commit was prepared",
                hint="run the command again",
            )

    def _log(self, logs: list[Path]) -> None:
        """Append to the reflogs before the move, as git does; adds the files that grow."""
        config = self._repository.config
        for name in dict.fromkeys([HEAD, self._move.ref]):
            file = self._repository.git_dir / "logs" / name
            if not config.is_true("core.logallrefupdates", default=True) and not file.exists():
                continue
            if not file.exists():
                self._make(file.parent)
                self._grown.append(file.parent)
            locks.append(file, self._line())
            logs.append(file)

    def _line(self) -> bytes:
        old = self._move.old or self._repository.zero
        reason = " ".join(self._move.reason.split())
        line = f"{old} {self._move.new} {self._move.signature}\t{reason}\n"
        return line.encode("utf-8", "replace")

    def _take_back(self, logs: list[Path]) -> None:
        """Take our line out again where the branch was to be made.

        A log without its reference says that the branch was lost, and every command would stop.
        Beside a reference that stands, a line too many is harmless, as git knows.
        """
        line = self._line()
        for log in logs if self._move.old is None else ():
            with contextlib.suppress(OSError), open(log, "r+b") as opened:
                size = opened.seek(0, os.SEEK_END)
                opened.seek(max(size - len(line), 0))
                if opened.read() == line:
                    opened.truncate(size - len(line))


def _short(oid: str | None) -> str:
    return oid[:10] if oid else "nothing"


INDEX_WAIT_SECONDS = 0.05
"""How long the first attempt at a commit waits for git's lock on the index; the next holds it."""
REF_WAIT_SECONDS = 2.0
_LAST = "last"
_FILE, _PROGRAM = "100644", "100755"


class CommitDraft(NamedTuple):
    """A commit to be: its message, its time, and the paths that it changes.

    A named tuple, because a frozen dataclass costs every cold command 0.4 ms.
    """

    message: str
    at_ms: int  # UTC ms
    changes: Mapping[str, bytes | None]  # None: the path is taken out


class Recording:
    """Commits under way: git is at work since this was made. Ends with `finish` or `abandon`.

    No commit is made of a draft that gives every path the bytes it has: an index that was wrong
    about the last commit once made a commit of 18,741 notes that changed none of them.
    """

    def __init__(
        self,
        engine: Engine,
        root: Path,
        drafts: Sequence[CommitDraft],
        *,
        head: Head,
        identity: tuple[str, str],
        hold: IndexHold | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """Let git begin. `hold`: the lock on the index, held and released by the caller."""
        self._engine = engine
        self._hold = hold
        self._head = head
        self._drafts = drafts
        self._identity = identity
        self._sleep = sleep
        # The number of this process stands in the name, so that `drop_dead_branches` can tell a
        # reference whose maker was killed.
        self._branch = f"refs/heads/e-{os.getpid()}-{time.monotonic_ns()}"
        changes = {path: data for draft in drafts for path, data in draft.changes.items()}
        for path in changes:
            check_path(PurePosixPath(path))
        modes = self._modes = _modes(root, changes, engine)
        self._times = _times(drafts, parent_seconds=_commit_seconds(engine, head.oid))
        self._pending_before = staging.read_unsettled(engine)
        self._paths = frozenset(changes)
        self._index: staging.IndexUpdate | None = None  # None: settled later
        self._importing: Import | None = None  # None: it could not begin
        try:
            # The paths are remembered before git begins: if this process dies between the index and
            # the branch, the next command brings them into the index.
            staging.write_unsettled(engine, self._pending_before | self._paths)
            self._index = _begin_index(engine, changes, modes, hold=hold, sleep=sleep)
            self._importing = Import(engine, self._stream(modes))
        except BaseException as error:
            self._give_up()
            raise _translate_error(error, engine) from error

    def finish(self, announce: Callable[[Sequence[str]], None] | None = None) -> list[str]:
        """Ids of the commits, oldest first, '' for a draft that changes nothing; durable.

        announce  told the ids before the branch moves (what it raises, gives up); None: nobody
        raises HeadMovedError       the branch is not where it was
               RepositoryBusyError  git's lock on the index or the branch cannot be had
        and nothing has changed then.
        """
        oids: list[str] = []
        try:
            oids = self._objects()
            # After `reindex` a vault with `include` committed 18,741 notes that had not changed.
            if not any(oids):
                self._install_unchanged()
                self._give_up()
                return oids
            new = next(filter(None, reversed(oids)))
            if announce is not None:
                announce(oids)
            move = PreparedMove(self._engine.repository, self._move(new), sleep=self._sleep)
            try:
                self._lock_index()
                if self._index is not None:
                    # The index goes first, then the branch: `git commit -a` reads HEAD before the
                    # index, and dropped our new notes from HEAD in one of 570 commits made beside
                    # ours.
                    self._index.place()
                move.carry_out(wait_seconds=REF_WAIT_SECONDS)
            finally:
                move.discard()
        except BaseException as error:
            self._give_up(oids)
            raise _translate_error(error, self._engine) from error
        # The commits are made: what fails from here on is done at the next call.
        with contextlib.suppress(OSError):
            self._install_index(new)
            _remember(self._engine, new, self._times[-1])
        return oids

    def abandon(self) -> None:
        """Stop without a commit."""
        self._give_up()

    def _stream(self, modes: Mapping[str, str]) -> bytes:
        """Input of fast-import: one commit a draft, each asked for its id and its tree."""
        parts = [f"reset {self._branch}\n".encode()]
        if self._head.oid is not None:
            parts.append(f'from {self._head.oid}\n\nls {self._head.oid} ""\n'.encode())
        for mark, (draft, seconds) in enumerate(zip(self._drafts, self._times, strict=True), 1):
            # `git fsck` complains of a NUL in a commit (nulInCommit).
            message = draft.message.replace("\0", "").encode("utf-8", "replace")
            # The author has the time of the clock, which may be set back; only the committer time
            # is kept from going backwards.
            author = signature(*self._identity, draft.at_ms // 1000)
            committer = signature(*self._identity, seconds)
            parts.append(
                f"commit {self._branch}\nmark :{mark}\nauthor {author}\n"
                f"committer {committer}\ndata {len(message)}\n".encode()
            )
            parts += (message, b"\n")
            for path, data in draft.changes.items():
                if data is None:
                    parts += (b"D ", quote_path(path), b"\n")
                else:
                    head = f"M {modes[path]} inline ".encode()
                    parts += (head, quote_path(path), b"\ndata %d\n" % len(data), data, b"\n")
            parts.append(b'\nget-mark :%d\nls :%d ""\n' % (mark, mark))
        parts.append(b"done\n")
        return b"".join(parts)

    def _objects(self) -> list[str]:
        """Ids of the commits; '' for a draft that changes nothing, of which there is none."""
        oids, is_empty = self._finish_import()
        # Notes that were in the history already made an empty commit of 18,741 notes.
        if not any(is_empty):
            return oids
        # Those above would have it below them: all are made anew without it.
        drafts, times = self._drafts, self._times
        kept = [place for place, empty in enumerate(is_empty) if not empty]
        oids = [""] * len(drafts)
        if kept:
            self._drafts = [drafts[place] for place in kept]
            self._times = [times[place] for place in kept]
            self._importing = Import(self._engine, self._stream(self._modes))
            for place, oid in zip(kept, self._finish_import()[0], strict=True):
                oids[place] = oid
        return oids

    def _finish_import(self) -> tuple[list[str], list[bool]]:
        """What git made: the commits, and whether each has the tree of the one below it."""
        out = self._importing.finish() if self._importing is not None else []
        self._drop_branch()
        # The answer to `get-mark` is an id alone, that to `ls` has a mode and a kind before it.
        oids = [line for line in out if " " not in line]
        trees = [line.split()[2] for line in out if line.startswith("040000 tree ")]
        if len(oids) != len(self._drafts):
            raise HistoryError(f"git made {len(oids)} of {len(self._drafts)} commits")
        if self._head.oid is None or len(trees) != len(oids) + 1:
            # No tree before the first commit; and git names none that holds nothing.
            return oids, [False] * len(oids)
        return oids, [tree == below for below, tree in pairwise(trees)]

    def _drop_branch(self) -> None:
        """The engine's own reference was a means to an end."""
        with contextlib.suppress(FileNotFoundError):
            os.unlink(self._engine.folder / self._branch)

    def _move(self, new: str) -> Move:
        subject = self._drafts[-1].message.partition("\n")[0]
        kind = "commit" if self._head.oid else "commit (initial)"
        return Move(
            ref=self._head.ref,
            old=self._head.oid,
            new=new,
            reason=f"{kind}: {subject}",
            signature=signature(*self._identity, self._times[-1]),
        )

    def _lock_index(self) -> None:
        if self._index is None:
            return
        try:
            self._index.lock(wait_seconds=INDEX_WAIT_SECONDS)
        except RepositoryBusyError:
            raise  # without our paths in it the person's next commit would take them out again
        except HistoryError:  # damaged: the paths stay remembered
            self._index.discard()
            self._index = None

    def _install_index(self, head: str) -> None:
        if self._index is None:
            return
        before = self._index.before
        try:
            self._index.install()
        finally:
            self._index.discard()
        if self._hold is None or self._hold.is_ours:
            staging.write_unsettled(self._engine, self._pending_before)
        staging.carry_staged(
            self._engine, before, self._head.oid or "", head=head, committed=self._paths
        )

    def _install_unchanged(self) -> None:
        """Bring remembered paths into the index that HEAD has as these drafts would have them."""
        # Where the person's own commit had read the index as we placed it, HEAD holds our note and
        # the index does not: their next commit would have taken it out again.
        if self._index is None or not self._pending_before & self._paths:
            return
        with contextlib.suppress(RepositoryBusyError, OSError):  # they stay remembered
            self._lock_index()
            if self._index is not None:
                self._index.install()
                self._pending_before -= self._paths

    def _give_up(self, oids: Sequence[str] = ()) -> None:
        """Leave everything as it was, unless a failure came after the branch had moved."""
        if self._importing is not None:
            self._importing.abandon()
        has_moved = was_read = False
        with contextlib.suppress(OSError, HistoryError):
            new = next(filter(None, reversed(oids)), "")
            head = read_head(self._engine.repository).oid
            has_moved = bool(new) and head == new
            if self._index is not None and not has_moved and head != self._head.oid:
                was_read = self._index.is_in(head)
        self._drop_branch()
        # What fails here is done at the next call, by the paths that are remembered.
        with contextlib.suppress(OSError, HistoryError):
            if self._index is not None and (has_moved or was_read):
                # With the old index the next commit of somebody would take the paths out again.
                self._index.install()
            elif self._index is not None:
                self._index.discard()
            if not has_moved and not was_read:
                staging.write_unsettled(self._engine, self._pending_before)


def _translate_error(error: BaseException, engine: Engine) -> BaseException:
    """The error for a caller: what the operating system says becomes a DiskError."""
    if isinstance(error, OSError):
        return refusal(
            engine.repository.git_dir.parent, error, doing="write to the repository of the vault"
        )
    return error


def require_head(head: Head, expects: str | None) -> None:
    """Raise HeadMovedError unless HEAD is where the commits were planned on top of."""
    if head.oid != expects:
        raise HeadMovedError(
            "the branch moved since the change was planned", hint="run the command again"
        )


def _begin_index(
    engine: Engine,
    changes: Mapping[str, bytes | None],
    modes: Mapping[str, str],
    *,
    hold: IndexHold | None,
    sleep: Callable[[float], None],
) -> staging.IndexUpdate | None:
    algorithm = engine.repository.algorithm
    entries = {
        path: None if data is None else (modes[path], str(blob_oid(data, algorithm=algorithm)))
        for path, data in changes.items()
    }
    if not entries:
        return None
    try:
        return staging.IndexUpdate(engine, entries, hold=hold, sleep=sleep)
    except HistoryError:  # the index is of a kind we do not touch: remembered, and reported
        return None


def _modes(root: Path, changes: Mapping[str, bytes | None], engine: Engine) -> dict[str, str]:
    """What git would store of each file's permissions: whether it is a program."""
    if os.name == "nt" or not engine.repository.config.is_true("core.filemode", default=True):
        return dict.fromkeys(changes, _FILE)
    found = {}
    for path in changes:
        try:
            # Git looks at the owner's right alone as well.
            is_program = os.lstat(root / path).st_mode & 0o100
        except OSError:
            is_program = 0
        found[path] = _PROGRAM if is_program else _FILE
    return found


def _times(drafts: Sequence[CommitDraft], *, parent_seconds: int) -> list[int]:
    """Committer times: never before the parent's, or `git log --since` would stop early."""
    found = []
    latest = parent_seconds
    for draft in drafts:
        latest = max(latest, draft.at_ms // 1000)
        found.append(latest)
    return found


def _commit_seconds(engine: Engine, oid: str | None) -> int:
    """Committer time of a commit; remembered for the last one of ours."""
    if oid is None:
        return 0
    try:
        known, _, seconds = (engine.folder / _LAST).read_text(encoding="ascii").partition(" ")
    except (OSError, UnicodeDecodeError):
        known, seconds = "", ""
    if known == oid and seconds.isdecimal():
        return seconds_of(seconds)
    for line in engine.run("cat-file", "commit", oid).split(b"\n"):
        if line.startswith(b"committer "):
            return seconds_of(line.rsplit(b" ", 2)[-2])
    return 0


def _remember(engine: Engine, oid: str, seconds: int) -> None:
    """Not durable, on purpose: without it the next commit asks git."""
    (engine.folder / _LAST).write_text(f"{oid} {seconds}", encoding="ascii")


def quote_path(path: str) -> bytes:
    """A path for fast-import: quoted as in C where its line would not say it plainly."""
    plain = path.encode()
    if b"\n" not in plain and not plain.startswith(b'"'):
        return plain
    return b'"' + plain.replace(b"\\", b"\\\\").replace(b'"', b'\\"').replace(b"\n", b"\\n") + b'"'
