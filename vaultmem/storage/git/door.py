"""The history of a vault: the one door to git. Nothing of git's is seen outside.

Reading HEAD starts no process. Everything else runs git in the engine directory (engine.py), where
nothing that a vault contains can act.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath

from vaultmem.base import TYPE_CHECKING, HistoryError
from vaultmem.storage.files import TMP, TOPS, is_process_gone, open_folder, refusal
from vaultmem.storage.git import refs
from vaultmem.storage.git.engine import Engine, inherited_environment, open_engine, output_of
from vaultmem.storage.git.refs import Head, sync_file, sync_folder
from vaultmem.storage.git.repository import (
    GIT,
    Repository,
    is_repository,
    open_repository,
    require_quiet,
)

if TYPE_CHECKING:
    from git import Repo

    from vaultmem.storage.git.commit import CommitDraft, Recording
    from vaultmem.storage.git.lineage import Lineage, TrustRead
    from vaultmem.storage.git.mend import Gaps
    from vaultmem.storage.git.read_history import LogEntry
    from vaultmem.storage.git.remote import Exchange
    from vaultmem.storage.git.staging import IndexHold

UNSETTLED = "Vaultmem-Unsettled"
_MOST_VERSIONS = 10_000
_INIT_SECONDS = 30.0
_INIT_PREFIX = "init-"


class History:
    """The commits of one vault."""

    def __init__(
        self,
        root: Path,
        repository: Repository,
        engine: Engine,
        environment: Mapping[str, str],
        sleep: Callable[[float], None],
    ) -> None:
        self._root = root
        self._repository = repository
        self._engine = engine
        self._environment = environment
        self._sleep = sleep
        self._exchange: Exchange | None = None  # None: not needed so far
        self._settled: tuple[str, str | None] | None = None  # a head, and what was found for it

    @classmethod
    def open(
        cls,
        root: Path,
        state_dir: Path,
        environment: Mapping[str, str] | None = None,
        *,
        sleep: Callable[[float], None] = time.sleep,
    ) -> History:
        """The history of the vault in the folder `root`; starts no process.

        state_dir    device state of this vault, outside it; the engine is made there
        environment  None: that of this process. Variables that start with GIT_ never reach git
        raises       HistoryError for a kind of repository that is not used, by name
        """
        env = os.environ if environment is None else environment
        repository = open_repository(root, environment=env)
        return cls(root, repository, open_engine(repository, state_dir, env), env, sleep)

    @property
    def algorithm(self) -> str:
        """Object format of the repository, and so of fingerprints: sha1 or sha256."""
        return self._repository.algorithm

    def head(self) -> str | None:
        """Id of the commit that HEAD is at; None before the first one."""
        return self._head().oid

    def branch(self) -> str | None:
        """Name of the branch; None when HEAD is detached."""
        return self._head().branch

    def _head(self) -> Head:
        return refs.read_head(self._repository)

    def in_progress(self) -> str | None:
        """What a person is in the middle of: merge, rebase, cherry-pick, revert, bisect; None."""
        return self._repository.in_progress()

    def is_shallow(self) -> bool:
        """Whether the history is cut off, so that older states cannot be answered."""
        return (self._repository.git_dir / "shallow").exists()

    def gaps(self) -> Gaps:
        """Commits that cannot be read any more, which `check --fix` lets commands step over."""
        from vaultmem.storage.git import mend as git_gaps  # saves 7 modules

        return git_gaps.read(self._engine)

    def odd_settings(self) -> tuple[str, ...]:
        """Settings, hooks and drivers of the repository that a vault does not usually have.

        None of them acts on vaultmem; they act on the person's own git.
        """
        return self._repository.odd_settings()

    def old_locks(self) -> tuple[tuple[str, float], ...]:
        """Locks of git that seem to be left behind: name below `.git`, age in seconds."""
        from vaultmem.storage.git.staging import old_locks  # saves 13 modules

        return old_locks(self._root)

    def record(
        self,
        commits: Sequence[CommitDraft],
        *,
        expects: str | None,
        announce: Callable[[Sequence[str]], None] | None = None,
    ) -> list[str]:
        """Commit on top of HEAD; the ids, oldest first. Durable when this returns.

        expects   the head that the commits were planned on top of; None: no commit yet
        announce  told the ids before the branch moves
        raises   HeadMovedError       HEAD is elsewhere, before or during the call
                 RepositoryBusyError  a merge, rebase or the like is in progress
        Only the given paths change. What a person has staged stays staged, uncommitted.
        """
        if not commits:
            return []
        return self.start_record(commits, expects=expects).finish(announce)

    def start_record(self, commits: Sequence[CommitDraft], *, expects: str | None) -> Recording:
        """Let git begin with `record`, so that the caller can publish the files meanwhile.

        The branch moves only with `finish()`; `abandon()` leaves the repository as it was.
        """
        if not commits:
            raise ValueError("a recording needs at least one commit")
        from vaultmem.storage.git.commit import require_head  # saves 20 modules

        self.require_quiet()
        self.require_own()
        # A lock that a killed process of ours left on the branch would refuse this commit (met by a
        # pull that was killed and finished by the next command).
        refs.release_dead(self._repository.git_dir)
        head = self._head()
        require_head(head, expects)
        return self._recording(commits, head)

    def _recording(
        self, commits: Sequence[CommitDraft], head: Head, hold: IndexHold | None = None
    ) -> Recording:
        from vaultmem.storage.git.commit import Recording  # saves 20 modules

        return Recording(
            self._engine,
            self._root,
            commits,
            head=head,
            identity=self._identity(),
            hold=hold,
            sleep=self._sleep,
        )

    def record_on_top(
        self,
        commits: Sequence[CommitDraft],
        *,
        wait_seconds: float,
        announce: Callable[[Sequence[str]], None] | None = None,
    ) -> tuple[list[str], str | None]:
        """Commit on top of whatever HEAD is; the ids, and the commit below them (None: none).

        Git's lock on the index is held all the while, so that a person who commits without a
        pause cannot come in between for ever.
        raises  RepositoryBusyError  the lock cannot be had within `wait_seconds`, or a merge is on
                HeadMovedError       the branch was moved without that lock, just now
        """
        from vaultmem.storage.git.staging import hold_index  # saves 13 modules

        held = hold_index(self._engine, wait_seconds=wait_seconds, sleep=self._sleep)
        try:
            self.require_quiet()
            self.require_own()
            head = self._head()
            return self._recording(commits, head, held).finish(announce), head.oid
        finally:
            held.release()

    def require_quiet(self) -> None:
        """Raise RepositoryBusyError while a merge, rebase or the like is in progress."""
        require_quiet(self._repository)

    def require_own(self) -> None:
        """Raise HistoryDamagedError, by name, where a folder that is written to is a link."""
        self._repository.require_own()

    def _identity(self) -> tuple[str, str]:
        from vaultmem.storage.git.identity import read_identity  # saves 2 modules

        return read_identity(self._engine, self._environment)

    def settle_index(self) -> bool:
        """Bring paths that an earlier commit could not put into the index there; True: all are.

        False while another git program holds the index. Also frees locks of dead processes.
        """
        from vaultmem.storage.git.staging import is_first, settle_index  # saves 14 modules

        refs.release_dead(self._repository.git_dir)
        if not is_first(self._engine) and not self.unsettled_paths():
            return True
        return settle_index(self._engine, self._root, sleep=self._sleep)

    def needs_care(self) -> bool:
        """Whether a commit of ours left git's index behind or died, or the machine restarted."""
        from vaultmem.storage.git import staging  # saves 14 modules

        if self.unsettled_paths() or staging.is_first(self._engine):
            return True
        return refs.has_dead(self._repository.git_dir)

    def unsettled_paths(self) -> frozenset[str]:
        """Committed paths that the person's index may not have yet."""
        from vaultmem.storage.git import staging  # saves 14 modules

        return staging.read_unsettled(self._engine)

    def tidy(self) -> int:
        """Merge the small packs that commits leave, once there are many; how many went.

        To be called after a write is acknowledged (0.1 s every 40 commits). A failure is left
        to the next call: nothing but the number of packs depends on it.
        """
        from vaultmem.storage.git.packs import consolidate  # saves 15 modules

        try:
            return consolidate(self._engine)
        except (HistoryError, OSError):
            return 0

    def lineage(self) -> Lineage:
        """The graph of commits, for what compares histories."""
        from vaultmem.storage.git.lineage import Lineage  # saves 15 modules

        return Lineage(self._engine)

    def exists(self, commit: str) -> bool:
        """Whether the repository has this commit."""
        return commit == self.head() or self._engine.has_commit(commit)

    def resolve(self, rev: str) -> str:
        """Id of the commit that `rev` names: a branch, tag, (short) id, HEAD, with `~2` or `^`.

        raises BadInputError when it names none
        """
        from vaultmem.storage.git.objects import resolve  # saves 7 modules

        return resolve(self._engine, self.head(), rev)

    def text_at(self, commit: str, path: str) -> bytes | None:
        """Bytes of a file in a commit (an id, `~` and `^` may follow); None when it has none."""
        return self._engine.ask("cat-file", "blob", f"{commit}:{path}")

    def blobs(self, oids: Iterable[str]) -> Iterator[tuple[str, bytes | None]]:
        """Each blob id with its bytes, or None when there is no such blob; by one process."""
        from vaultmem.storage.git import objects  # saves 7 modules

        return objects.blobs(self._engine, oids)

    def texts_at(self, commit: str, paths: Sequence[str]) -> dict[str, bytes | None]:
        """As `text_at`, of many files by one process."""
        from vaultmem.storage.git import objects  # saves 7 modules

        return objects.texts_at(self._engine, commit, paths)

    def tree(self, commit: str, folders: Sequence[str] = TOPS) -> dict[str, str]:
        """Path -> blob id of the regular files of a commit below the folders."""
        from vaultmem.storage.git import read_history as git_log  # saves 8 modules

        return git_log.tree(self._engine, commit, folders)

    def changed_blobs(self, old: str, new: str, folders: Sequence[str] = TOPS) -> dict[str, str]:
        """Path -> blob id in `new` of what differs between two commits; '' where it is gone."""
        from vaultmem.storage.git import read_history as git_log  # saves 8 modules

        return git_log.changed_blobs(self._engine, old, new, folders)

    def trust(self, *, since: str) -> TrustRead:
        """What commits say about trust, but for those that the commit `since` reaches."""
        from vaultmem.storage.git.lineage import read_trust  # saves 15 modules

        return read_trust(self._engine, self.head(), since=since)

    def staged_paths(self, folders: Sequence[str] = TOPS) -> frozenset[str]:
        """Paths that a person has staged: the index has them other than HEAD does."""
        from vaultmem.storage.git import staging  # saves 14 modules

        return staging.staged_paths(self._engine, self.head(), folders)

    def log(
        self,
        *,
        limit: int,
        op: str | None = None,
        paths: Sequence[str] = (),
        all_lines: bool = False,
    ) -> tuple[LogEntry, ...]:
        """Commits of the first-parent chain, newest first, as `read_history.log`."""
        from vaultmem.storage.git import read_history as git_log  # saves 8 modules

        head = self.head()
        if head is None or limit < 1:
            return ()
        return git_log.log(self._engine, head, limit=limit, op=op, paths=paths, all_lines=all_lines)

    def versions(self, path: str, *, limit: int = _MOST_VERSIONS) -> tuple[LogEntry, ...]:
        """Commits that changed a note, newest first, also under its former names."""
        from vaultmem.storage.git import read_history as git_log  # saves 8 modules

        head = self.head()
        return () if head is None else git_log.versions(self._engine, head, path, limit=limit)

    def last_settled(self) -> str | None:
        """The newest commit by an operation that left streams and items in agreement.

        None when there is none. A commit that left something open carries Vaultmem-Unsettled.
        """
        head = self.head()
        # Kept by head: with what else is asked once, a pull that goes forward takes 28 git
        # processes in place of 43.
        if head is not None and (self._settled is None or self._settled[0] != head):
            self._settled = (head, self._find_settled())
        return self._settled[1] if head is not None and self._settled is not None else None

    def _find_settled(self) -> str | None:
        # Nearly always the last operation settled everything, so one commit is read before a
        # hundred are.
        for limit in (1, 100, _MOST_VERSIONS):
            entries = self.log(limit=limit, op="")
            for entry in entries:
                if UNSETTLED not in entry.trailers:
                    return entry.commit
            if len(entries) < limit:
                break
        return None

    def exchange(self) -> Exchange:
        """Fetching from remotes, joining lines of commits, sending them."""
        if self._exchange is None:
            from vaultmem.storage.git.remote import Exchange  # saves 69 modules

            self._exchange = Exchange(self._engine, self._environment, sleep=self._sleep)
        return self._exchange

    def library(self) -> Repo:
        """A repository of GitPython that reads the vault's objects; close it when done.

        For scripts: our own plumbing is quicker and bounded, GitPython has the object model that
        people know. It works on the engine and in its environment, so no setting, hook or filter
        of a vault acts in it either. Read-only by contract: its references and its index are the
        engine's and mean nothing, so commits are named by their ids (`memory.history.log`).
        raises HistoryError  git is not installed
        """
        from vaultmem.storage.git import process  # saves 3 modules

        # GitPython asks for a git program when it is imported, and raises for none by default.
        os.environ.setdefault("GIT_PYTHON_REFRESH", "quiet")
        import git

        git.refresh(process.find_git(self._engine.search_path))
        found = git.Repo(self._engine.folder)
        # It adds to the environment of this process and takes nothing away: where the objects and
        # the settings are is ours, what else a person set for their git (GIT_EXTERNAL_DIFF) is
        # theirs.
        found.git.update_environment(**self._engine.environment)
        return found

    def damage(self, *, deep: bool = False) -> tuple[str, ...]:
        """What `git fsck` finds wrong in all that HEAD reaches, each line once; none: it is whole.

        deep  read every object and check its bytes (5 s for 20,000 commits), not only that
              the objects are there
        """
        from vaultmem.storage.git import objects  # saves 7 modules

        head = self.head()
        return () if head is None else objects.damage(self._engine, head, deep=deep)


def create(
    root: Path, *, algorithm: str = "sha1", environment: Mapping[str, str] | None = None
) -> None:
    """Make the folder a repository, empty, on branch main; no template of the person's is used.

    It is made in `.vaultmem/tmp`, synced, and takes the name `.git` in one step: `git init` syncs
    nothing, and after a power cut in the seconds that follow HEAD may be an empty file, with which
    the repository is of no use (seen at the first cut of tests/faults/powercuts.py).
    raises HistoryError when the folder itself has a `.git` already, or git fails
    """
    import shutil  # with the packers that it knows 6 modules

    if is_repository(root):
        raise HistoryError(f"'{root}' is a Git repository already")
    open_folder(root, TMP.parts, create=True).close()
    _clear_dead(root / TMP)
    made = root / TMP / f"{_INIT_PREFIX}{os.getpid()}"
    try:
        _init(made, algorithm, os.environ if environment is None else environment)
        _sync_below(made / GIT)
        os.rename(made / GIT, root / GIT)
        sync_folder(root)
    except OSError as error:
        raise refusal(PurePosixPath(GIT), error, doing="make") from error
    finally:
        for _ in range(2):  # what is left would stay as long as this process runs
            if made.exists():
                shutil.rmtree(made, ignore_errors=True)


def _init(folder: Path, algorithm: str, environment: Mapping[str, str]) -> None:
    own = inherited_environment(environment) | {
        "HOME": str(folder),
        "LANG": "C",
        "LC_ALL": "C",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": "init.defaultBranch",
        "GIT_CONFIG_VALUE_0": "main",
    }
    from vaultmem.storage.git import process  # a question answered starts none

    git = process.find_git(environment.get("PATH", os.defpath))
    options = ("--quiet", "--template=", f"--object-format={algorithm}")
    arguments = ("init", *options, "--", str(folder))
    finished = process.start((git, *arguments), own, seconds=_INIT_SECONDS).wait()
    output_of(arguments, finished, folder.parent.parent.parent)


def _sync_below(folder: Path) -> None:
    """Make every file and folder in it durable, what is inside first."""
    for at, _, names in os.walk(folder, topdown=False):
        for name in names:
            sync_file(Path(at, name))
        sync_folder(Path(at))


def _clear_dead(folder: Path) -> None:
    """Repositories that a process which died was about to make."""
    import shutil

    for name in os.listdir(folder):
        number = name.removeprefix(_INIT_PREFIX)
        if number == name or not number.isdecimal():
            continue
        with contextlib.suppress(OSError):
            if is_process_gone(int(number), seen_at_ns=os.lstat(folder / name).st_ctime_ns):
                shutil.rmtree(folder / name)
