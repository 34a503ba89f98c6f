"""The git remote of a vault: where its branch is, what it has, and sending commits there.

Everything runs in the engine directory with an explicit address and explicit programs, so no
setting of the vault can redirect a transfer or run anything (reliability.md 3.1, T2, T16). What
is fetched goes to references of the engine; the person's branches, FETCH_HEAD and index do not
notice. Each transfer has a limit of time and size, and ends with all the processes that it started.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from vaultmem.base import (
    TYPE_CHECKING,
    DiskError,
    HistoryDamagedError,
    HistoryError,
    NamedTuple,
    OtherFormatError,
    RemoteDeniedError,
    RemoteMovedError,
    RemoteProtocolError,
    RemoteUnreachableError,
    VaultmemError,
)
from vaultmem.config import shown_url, transport_of
from vaultmem.storage.git import join as git_join
from vaultmem.storage.git import mend, process, staging, survey
from vaultmem.storage.git import refs as locks
from vaultmem.storage.git.bounded_process import Heard, Transfer, transfer_environment
from vaultmem.storage.git.commit import require_head
from vaultmem.storage.git.engine import Engine
from vaultmem.storage.git.identity import read_identity
from vaultmem.storage.git.join import About, Changes, Entry
from vaultmem.storage.git.packs import drop_dead_branches
from vaultmem.storage.git.process import Finished
from vaultmem.storage.git.refs import is_oid, read_head

if TYPE_CHECKING:
    from vaultmem.storage.git.rewrite import Apart


# From what git says about a remote to an error that says what to do.

_LONGEST = 300
_DENIED = re.compile(
    r"Authentication failed|could not read (?:Username|Password)|terminal prompts disabled|"
    r"Permission denied|returned error: 40[13]|HTTP 40[13]|Access denied|access denied|"
    r"invalid credentials|not authorized",
    re.IGNORECASE,
)
_REDIRECT = re.compile(r"redirect|returned error: 30[1278]", re.IGNORECASE)
_HOST_KEY = re.compile(r"Host key verification failed|REMOTE HOST IDENTIFICATION HAS CHANGED")
_NOT_THERE = re.compile(
    r"does not appear to be a git repository|repository '[^']*' not found|not a git repository|"
    r"Repository not found|returned error: 404|does not exist|dubious ownership",
    re.IGNORECASE,
)
_HOSTILE = re.compile(
    r"fsck error|error in object|index-pack (?:failed|died)|invalid index-pack output|"
    r"bad object|unresolved deltas|did not send all necessary objects|remote did not send|"
    r"mismatched algorithms|bad pack|packfile|hash mismatch|corrupt",
    re.IGNORECASE,
)
_BROKEN_OFF = re.compile(
    r"early EOF|unexpected disconnect|hung up|Connection reset|transfer closed"
)
_STALE = (
    "stale info",
    "fetch first",
    "non-fast-forward",
    "cannot lock ref",
    "failed to update ref",
)


def failure(finished: Finished, url: str) -> VaultmemError:
    """The error for a transfer that failed. A remote's words are shown, but never believed."""
    text = shown_url(finished.err.decode("utf-8", "replace"))
    said = _error_line(text)
    where = shown_url(url)
    if "No space left on device" in text:
        return DiskError("no space is left for what the remote sends", hint="free some space")
    if _REDIRECT.search(text):
        return RemoteDeniedError(
            f"'{where}' leads to another address, and is not followed there: {said}",
            hint="`vaultmem remote set URL` with the new address, if it is right",
        )
    if _HOST_KEY.search(text):
        return RemoteDeniedError(
            f"ssh does not know the host of '{where}'",
            hint="connect once with ssh yourself, and compare its key",
        )
    if _DENIED.search(text):
        return RemoteDeniedError(
            f"'{where}' does not let you in: {said}",
            hint="set up git's credential helper or your ssh agent, or run this in a terminal",
        )
    if _NOT_THERE.search(text):
        return RemoteUnreachableError(
            f"there is no repository at '{where}': {said}",
            hint="`vaultmem remote show` says what is set; make the repository there first",
        )
    if _HOSTILE.search(text) and not _BROKEN_OFF.search(text):
        return RemoteProtocolError(
            f"what '{where}' sends cannot be used: {said}",
            hint="nothing of it was taken in; look at the repository there with `git fsck`",
        )
    if finished.code < 0:
        return HistoryError(f"git was ended by signal {-finished.code} while it talked to a remote")
    return RemoteUnreachableError(
        f"'{where}' cannot be reached: {said}",
        hint="everything here is kept; run the command again when it can be",
    )


def rejection(finished: Finished, url: str) -> VaultmemError | None:
    """The error for a push that was answered with no; None: it was not answered."""
    for line in finished.out.decode("utf-8", "replace").splitlines():
        flag, _, rest = line.partition("\t")
        if flag != "!":
            continue
        why = rest.rpartition("\t")[2]
        if any(word in why for word in _STALE):
            return RemoteMovedError(
                f"another device was faster: the branch of '{shown_url(url)}' has moved",
                hint="run the command again",
            )
        return RemoteDeniedError(
            f"'{shown_url(url)}' does not take the commits: {_error_line(why)}",
            hint="its rules decide that: a protected branch, a hook, or a branch checked out there",
        )
    return None


def _error_line(text: str) -> str:
    """The line that matters most: git's first `fatal:` or `error:`, else the first line."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    marked = [line for line in lines if line.startswith(("fatal:", "error:", "ERROR:"))]
    chosen = (marked or lines or ["git gave no reason"])[0]
    return chosen.removeprefix("fatal: ").removeprefix("error: ")[:_LONGEST]


_LOCAL = "refs/vaultmem/local"
_PACKED = "packed-refs"
_SETTINGS = (
    "transfer.fsckObjects=true",
    "transfer.credentialsInUrl=die",
    "transfer.hideRefs=refs/vaultmem",
    # fetch.unpackLimit: what comes stays a pack, whatever its size, which `discard` removes by its
    # name. http.lowSpeed: a remote that hangs is given up after a minute without a byte.
    "fetch.unpackLimit=1",
    "http.followRedirects=false",
    "http.lowSpeedLimit=1",
    "http.lowSpeedTime=60",
    "submodule.recurse=false",
    "push.recurseSubmodules=no",
    "push.gpgSign=false",
    "core.askPass=",
)

# Said on the command line, these win over whatever the settings of a folder remote say.
_HARMLESS = " ".join(
    f"-c {setting}"
    for setting in (
        "core.hooksPath=/dev/null",
        "core.fsmonitor=false",
        "core.alternateRefsCommand=true",
        "receive.autogc=false",
        "receive.denyCurrentBranch=refuse",
        "gc.auto=0",
        "core.commitGraph=false",
        "core.multiPackIndex=false",
        "pack.useBitmaps=false",
    )
)


class Limits(NamedTuple):
    """How much of it there may be."""

    seconds: float
    max_bytes: int


class RemoteRepository:
    """One branch of a remote, as seen from one vault."""

    def __init__(
        self,
        engine: Engine,
        environment: Mapping[str, str],
        *,
        url: str,
        branch: str,
        limits: Limits,
        heard: Heard = lambda what, done, total: None,
    ) -> None:
        self._engine = engine
        self._environment = environment
        self._protocol = transport_of(url)
        self._url = url
        self._ref = f"refs/heads/{branch}"
        # By address: another remote, whose branch is behind, is not one that was set back.
        self._known = f"refs/vaultmem/remotes/{_key(url)}/{branch}"
        self._incoming = f"refs/vaultmem/incoming/{branch}"
        self._limits = limits
        self._heard = heard
        self._packs_before: frozenset[str] | None = None  # None: nothing was fetched
        self._talking: dict[str, str] | None = None  # variables, from the first talk on

    @property
    def branch(self) -> str:
        """Name of the branch there."""
        return self._ref.removeprefix("refs/heads/")

    def known_tip(self) -> str | None:
        """Where the branch was when this vault last had all of it; None: never, or forgotten."""
        return self._read(self._known)

    def remember(self, oid: str) -> None:
        """This vault has all that the branch had at this commit."""
        # A reference that is there already is not written again, as each asks a process of git: a
        # push takes 7 in place of 11.
        if self.known_tip() != oid:
            self._engine.run("update-ref", "--no-deref", self._known, oid)

    def _serving(self, program: str) -> str:
        """The option that names git's program for the other side.

        On another host it runs there, as its owner set it up. In a folder (a stick, a share) it
        runs here and as the person: nothing in that repository may then name a program.
        """
        if self._protocol != "file":
            return f"--{program}=git-{program}"
        # Pushing to a folder from a stranger ran its hooks as the person.
        return f"--{program}=git {_HARMLESS} {program}"

    def head(self) -> str | None:
        """Where the branch is now; None: the remote is empty.

        raises RemoteProtocolError when it has other branches only, or another object format
        """
        out = self._talk("ls-remote", "--heads", self._serving("upload-pack"), "--", self._url)
        heads: dict[str, str] = {}
        for line in out.out.decode("utf-8", "replace").splitlines():
            found, _, name = line.partition("\t")
            heads[name] = found
        oid = heads.get(self._ref)
        if oid is not None and len(oid) != len(self._engine.repository.zero):
            theirs = "sha1" if len(oid) == 40 else "sha256"
            raise OtherFormatError(
                f"the remote keeps its objects by {theirs}, this vault by "
                f"{self._engine.repository.algorithm}",
                algorithm=theirs,
                hint="`vaultmem init --from URL FOLDER` makes a vault that fits the remote",
            )
        if oid is None and heads:
            names = ", ".join(sorted(name.removeprefix("refs/heads/") for name in heads)[:5])
            raise RemoteProtocolError(
                f"the remote has no branch '{self.branch}', but: {names}",
                hint="`vaultmem remote set URL --branch NAME` chooses another one",
            )
        return oid

    def fetch(self, *, have: str | None) -> str | None:
        """Bring all commits of the branch here; where it is, or None for an empty remote.

        have  the vault's own head, so that only what is new is sent
        """
        self._engine.repository.require_own()
        drop_dead_branches(self._engine)
        self._packs_before = self._packs()
        oid = self.head()
        if oid is None or self._is_whole(oid, have):
            return oid
        with self._local_reference(have):
            self._talk(
                "fetch",
                *("--no-tags", "--no-recurse-submodules", "--no-write-fetch-head"),
                *("--no-auto-maintenance", "--progress", self._serving("upload-pack")),
                "--",
                self._url,
                f"+{self._ref}:{self._incoming}",
            )
        locks.sync_folder(self._engine.repository.objects / "pack")
        found = self._read(self._incoming)
        if found is None:
            raise RemoteProtocolError("the remote sent no commit of the branch")
        return found

    def discard(self) -> None:
        """Remove what was fetched: nothing of the vault stands on it."""
        self._engine.ask("update-ref", "-d", self._incoming)
        if self._packs_before is None:
            return
        folder = self._engine.repository.objects / "pack"
        for name in sorted(
            self._packs() - self._packs_before, key=lambda n: not n.endswith(".idx")
        ):
            (folder / name).unlink(missing_ok=True)

    def _packs(self) -> frozenset[str]:
        with contextlib.suppress(FileNotFoundError):
            return frozenset(os.listdir(self._engine.repository.objects / "pack"))
        return frozenset()

    def push(self, oid: str, *, expects: str | None) -> None:
        """Let the branch there be at this commit, if it still is at `expects`.

        The caller has seen to it that the commit has `expects` below it.
        raises RemoteMovedError when it is elsewhere, RemoteDeniedError when it may not move
        """
        drop_dead_branches(self._engine)
        if lost := mend.read(self._engine).lost:
            raise HistoryDamagedError(
                f"nothing was sent: {len(lost)} commits of this history cannot be read, and the "
                "remote would be damaged, too",
                hint="bring them back from a clone or a backup, then `vaultmem check --fix`; "
                "`vaultmem check` names them",
            )
        finished = self._start(
            "push",
            *("--porcelain", "--no-verify", "--no-signed", "--no-recurse-submodules"),
            *("--no-follow-tags", "--progress", self._serving("receive-pack")),
            # The value is named: without it git compares with a remote-tracking reference, of which
            # the engine has none.
            f"--force-with-lease={self._ref}:{expects or ''}",
            "--",
            self._url,
            f"{oid}:{self._ref}",
        )
        if finished.code != 0:
            raise rejection(finished, self._url) or failure(finished, self._url)
        self.remember(oid)

    @contextlib.contextmanager
    def _local_reference(self, have: str | None) -> Iterator[None]:
        """The engine has no references of the vault: without one, all would be sent again."""
        known = self.known_tip()
        # What a refused pull had fetched may be gone by `git gc`: it was taken for a rewritten
        # branch.
        if known is not None and not self._engine.has_commit(known):
            self._engine.run("update-ref", "-d", self._known)
        if self._may_be_there(self._incoming):
            self._engine.ask("update-ref", "-d", self._incoming)
        if have is not None:
            self._engine.run("update-ref", "--no-deref", _LOCAL, have)
        try:
            yield
        finally:
            if self._may_be_there(_LOCAL):
                self._engine.ask("update-ref", "-d", _LOCAL)

    def _is_whole(self, oid: str, have: str | None) -> bool:
        """Whether the commit is here with all that is below it.

        That its object exists says little: what an interrupted or forged transfer left exists.
        References move only after git has checked that everything is there; but what only ours
        hold, the person's `git gc` may clear away, as it does not know of them.
        """
        if have is not None and self._engine.is_ancestor(oid, have):
            return True
        # What a refused pull had fetched was cleared by `git gc`, and the next pull took the branch
        # for a rewritten one.
        if oid not in (self.known_tip(), self._read(self._incoming)):
            return False
        below = [oid] if have is None else [oid, f"^{have}"]
        return self._engine.ask("rev-list", "--objects", "--quiet", *below) is not None

    def _read(self, ref: str) -> str | None:
        """Where a reference of the engine is: mostly a file, for which no git has to start.

        A pull asked git seven times for what stood in two files, 2 ms each.
        """
        with contextlib.suppress(OSError, UnicodeDecodeError):
            text = (self._engine.folder / ref).read_text(encoding="ascii").removesuffix("\n")
            if is_oid(self._engine.repository, text):
                return text
        if not self._may_be_there(ref):
            return None
        found = self._engine.ask("rev-parse", "--verify", "--quiet", "--end-of-options", ref)
        return found.decode("ascii").strip() if found else None

    def _may_be_there(self, ref: str) -> bool:
        """Whether a reference of the engine has a file, or may stand in the one of many."""
        folder = self._engine.folder
        return os.path.lexists(folder / ref) or os.path.lexists(folder / _PACKED)

    def _talk(self, *arguments: str) -> Finished:
        """Run a command that asks the remote; raises an error that says what is wrong."""
        finished = self._start(*arguments)
        if finished.code != 0:
            raise failure(finished, self._url)
        return finished

    def _start(self, *arguments: str) -> Finished:
        may_ask = sys.stdin is not None and sys.stdin.isatty() and sys.stderr.isatty()
        git = process.find_git(self._engine.search_path)
        settings = [word for setting in _SETTINGS for word in ("-c", setting)]
        # One exchange talks two or three times: the person's settings are copied once for it.
        if self._talking is None:
            self._talking = transfer_environment(
                self._engine, self._environment, protocol=self._protocol, may_ask=may_ask
            )
        transfer = Transfer(
            (git, *settings, *arguments),
            self._talking,
            may_ask=may_ask,
            seconds=self._limits.seconds,
            max_bytes=self._limits.max_bytes,
            heard=self._heard,
        )
        return transfer.wait()


def _key(url: str) -> str:
    """A short name for an address, without the address in it."""
    # By its address: with one tip for all, a second remote whose branch is behind was called set
    # back.
    return hashlib.sha256(url.encode("utf-8", "surrogateescape")).hexdigest()[:16]


class Exchange:
    """What exchanging commits with remotes needs of the history, bound to one vault."""

    def __init__(
        self,
        engine: Engine,
        environment: Mapping[str, str],
        *,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._engine = engine
        self._environment = environment
        self._sleep = sleep
        self._ancestors: dict[tuple[str, str], bool] = {}
        self._about: dict[str, About] = {}

    def remote(
        self, url: str, branch: str, *, seconds: float, max_bytes: int, heard: Heard
    ) -> RemoteRepository:
        """The branch of the remote at an address; what was known of commits is asked anew."""
        self._ancestors.clear()
        self._about.clear()
        return RemoteRepository(
            self._engine,
            self._environment,
            url=url,
            branch=branch,
            limits=Limits(seconds=seconds, max_bytes=max_bytes),
            heard=heard,
        )

    def mail(self) -> str:
        """The address that commits of this person carry."""
        return read_identity(self._engine, self._environment)[1]

    def origin(self) -> str:
        """What the vault's own `.git/config` names as its remote: a suggestion at most."""
        return self._engine.repository.config.get("remote.origin.url") or ""

    def remotes(self) -> tuple[str, ...]:
        """Every address that the vault's own `.git/config` names, for fetching or sending."""
        settings = self._engine.repository.config.settings
        endings = (".url", ".pushurl")
        return tuple(
            value
            for name, value in settings
            if name.startswith("remote.") and name.endswith(endings) and value
        )

    def is_ancestor(self, old: str, new: str) -> bool:
        """Whether everything of `old` is in `new`; asked once for two commits that are here."""
        known = self._ancestors.get((old, new))
        if known is None:
            known = self._engine.is_ancestor(old, new)
            if known is not None:
                self._ancestors[old, new] = known
        return bool(known)

    def merge_bases(self, ours: str, theirs: str) -> tuple[str, ...]:
        """The commits in which both lines last agreed, oldest first; none: nothing in common.

        Several when the lines crossed: each had merged the other before it was merged itself.
        Ties by id, so that the order is the same on every device.
        """
        found = self._engine.ask("merge-base", "--all", ours, theirs)
        bases = found.decode("ascii").split() if found else []
        if len(bases) < 2:
            return tuple(bases)
        return tuple(sorted(bases, key=lambda oid: (self.about(oid).at_ms, oid)))

    def about(self, oid: str) -> About:
        """What a commit says of itself; asked once."""
        if oid not in self._about:
            self._about[oid] = git_join.about(self._engine, oid)
        return self._about[oid]

    def entries(self, commit: str) -> dict[str, Entry]:
        """Everything in the tree of a commit, links and submodules included."""
        return {path: Entry(mode, oid) for mode, oid, path in self._engine.list_tree(commit)}

    def changes(self, old: str | None, new: str) -> dict[str, Entry | None]:
        """What `new` changed against `old` (None: the empty tree), in the whole tree."""
        old = old or staging.EMPTY_TREE[self._engine.repository.algorithm]
        changed = self._engine.compare_trees(old, new) if old != new else ()
        return {path: None if mode == "000000" else Entry(mode, oid) for mode, oid, path in changed}

    def sizes(self, oids: Iterable[str]) -> dict[str, int]:
        """Bytes of each object that is there."""
        wanted = sorted(set(oids))
        if not wanted:
            return {}
        asked = "\n".join(wanted).encode() + b"\n"
        out = self._engine.run("cat-file", "--batch-check=%(objectname) %(objectsize)", stdin=asked)
        found = {}
        for line in out.decode("ascii").splitlines():
            oid, _, size = line.partition(" ")
            if size.isdigit():
                found[oid] = int(size)
        return found

    def commits_between(self, old: str | None, new: str) -> int:
        """How many commits `new` has that `old` has not."""
        if old == new:
            return 0
        asked = [new] if old is None else [new, f"^{old}"]
        return int(self._engine.run("rev-list", "--count", *asked))

    def commits(self, old: str | None, new: str) -> tuple[str, ...]:
        """Those that `new` has and `old` has not, parents first; `new` is the last one."""
        asked = [new] if old is None else [new, f"^{old}"]
        out = self._engine.run("rev-list", "--topo-order", "--reverse", *asked)
        return tuple(out.decode("ascii").split())

    def apart(self, ours: str, theirs: str) -> Apart:
        """What each has and the other has not, so that a rewriting can be told."""
        from vaultmem.storage.git.rewrite import apart  # saves 6 modules

        return apart(self._engine, ours, theirs)

    def new_files(self, ours: str, theirs: str) -> Iterator[tuple[str, bytes]]:
        """(path, bytes) of every version of a file that `theirs` has and `ours` has not.

        ours  '': nothing
        """
        out = survey.run(
            self._engine, "rev-list", "--objects", theirs, *([f"^{ours}"] if ours else [])
        )
        lines = (line.partition(b" ") for line in out.split(b"\n") if line)
        names = {oid.decode("ascii"): name.decode("utf-8", "replace") for oid, _, name in lines}
        kinds = survey.kinds_and_sizes(self._engine, "\n".join(names).encode())
        wanted = [(oid, size) for oid, (kind, size) in kinds.items() if kind == "blob"]
        for one in survey.read_objects(self._engine, wanted):
            yield names[one.oid], one.data

    def join(
        self,
        parents: Sequence[str],
        content: Mapping[str, Entry | bytes | None],
        *,
        message: str,
        at_ms: int,
    ) -> str:
        """Id of a durable commit with these parents, on no branch yet."""
        identity = read_identity(self._engine, self._environment)
        return git_join.join(
            self._engine, parents, content, message=message, at_ms=at_ms, identity=identity
        )

    def advance(self, expects: str | None, new: str, changed: Changes, *, reason: str) -> None:
        """Move the branch from `expects` to `new`, and the person's index with it."""
        head = read_head(self._engine.repository)
        require_head(head, expects)
        git_join.advance(
            self._engine,
            head,
            new,
            changed,
            reason=reason,
            identity=read_identity(self._engine, self._environment),
            at_ms=self.about(new).at_ms,
            sleep=self._sleep,
        )
