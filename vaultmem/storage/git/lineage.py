"""The commits of a vault as a graph, and single ones in detail: what an audit compares.

Messages, trees and links of commits are whatever somebody wrote; only ids are certain, because
git names a commit by all that it holds.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence

from vaultmem.base import TYPE_CHECKING, NamedTuple, dataclass
from vaultmem.language import read_instant
from vaultmem.model import TRAILERS, TrustEvent, events_of
from vaultmem.storage.git.engine import Engine, output_of
from vaultmem.storage.git.identity import LATEST_SECONDS, seconds_of
from vaultmem.storage.git.objects import parse_batch
from vaultmem.storage.git.read_history import (
    FORMAT,
    OP,
    VALUES,
    has_op,
    parse_commits,
    parse_log,
    parse_trailers,
)

if TYPE_CHECKING:
    from pathlib import Path

    from vaultmem.storage.git.process import Running

RECORDED_AT = "Vaultmem-Recorded-At"
_CHAIN_FORMAT = "%x00".join(("commit", "%H", "%P", "%ct", "%B")) + "%x00"
_CHAIN_VALUES = 4
_AT_ONCE = 50_000  # objects that are held in memory: commits and folders are small
_GONE = frozenset("0")
_FILE = b"100"  # modes of regular files begin so


class Node(NamedTuple):
    """A commit in the graph."""

    at_ms: int  # committer time, UTC ms
    parents: tuple[str, ...]


class Touched(NamedTuple):
    """One file that a commit changed against its first parent."""

    path: str
    old: str  # blob id; '': it was not there
    new: str  # blob id; '': it is gone


@dataclass(frozen=True, slots=True, kw_only=True)
class Detail:
    """A commit with its message and what it changed."""

    commit: str
    parents: tuple[str, ...]
    at_ms: int
    author: str
    mail: str
    subject: str
    trailers: Mapping[str, str]
    touched: tuple[Touched, ...]


class ChainCommit(NamedTuple):
    """One commit of the chain, and the files that it gave other bytes."""

    commit: str
    parent: str  # first parent; '': it is the first one
    committed_ms: int  # committer time, whole seconds
    claimed_ms: int  # Vaultmem-Recorded-At, else the committer time
    subject: str
    trailers: Mapping[str, str]
    changed: tuple[tuple[str, str], ...]  # (path, blob id), by path; '': no regular file any more


class Lineage:
    """Reads the graph of commits by git processes in the engine."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def is_ancestor(self, older: str, newer: str) -> bool:
        """Whether `newer` contains `older` (or is it); False when either does not exist."""
        return bool(self._engine.is_ancestor(older, newer))

    def graph(self, tips: Sequence[str]) -> dict[str, Node]:
        """Every commit that the tips reach, newest first; 0.15 s for 20,000."""
        if not tips:
            return {}
        out = self._engine.run("rev-list", "--parents", "--timestamp", *tips, "--")
        found = {}
        for line in out.decode("ascii").splitlines():
            seconds, commit, *parents = line.split(" ")
            found[commit] = Node(seconds_of(seconds) * 1000, tuple(parents))
        return found

    def find_altered(self, commits: Iterable[str], head: str) -> tuple[str, ...]:
        """Those of the commits, and of the folders of `head` ('': none), that are not what their
        ids say; sorted.

        Git checks the bytes of an object against its id when it takes it in, not when it reads
        it: what lies under the name of another, or is found by a forged index of a pack, is
        believed. 0.3 s for 20,000 commits. An object that is not there is none of them.
        """
        found = set(self._wrong(list(commits)))
        if head and head not in found:
            found.update(self._wrong(self._folders(head)))
        return tuple(sorted(found))

    def _folders(self, head: str) -> list[str]:
        """Ids of all folders of a commit; of those that git will read."""
        commit = self._engine.ask("cat-file", "commit", head) or b""
        tree = commit.partition(b"\n")[0].removeprefix(b"tree ").decode("ascii", "replace")
        listed = self._engine.ask("ls-tree", "-r", "-d", "-z", "--full-tree", head) or b""
        lines = listed.decode("utf-8", "surrogateescape").split("\0")[:-1]
        return [tree, *(line.partition("\t")[0].rpartition(" ")[2] for line in lines)]

    def _wrong(self, oids: Sequence[str]) -> Iterator[str]:
        for start in range(0, len(oids), _AT_ONCE):
            yield from self._mismatched_oids(list(dict.fromkeys(oids[start : start + _AT_ONCE])))

    def _mismatched_oids(self, oids: Sequence[str]) -> Iterator[str]:
        from vaultmem.storage.git.rewrite import oid_of  # saves 20 modules

        asked = "".join(f"{oid}\n" for oid in oids).encode()
        out = self._engine.run("cat-file", "--batch", "--buffer", stdin=asked)
        algorithm = self._engine.repository.algorithm
        for oid, kind, data in parse_batch(out, oids):
            if kind and oid_of(kind, data, algorithm) != oid:
                yield oid

    def existing(self, commits: Iterable[str]) -> frozenset[str]:
        """Those of the commits that the repository still has, reachable or not."""
        wanted = list(commits)
        if not wanted:
            return frozenset()
        out = self._engine.run("cat-file", "--batch-check", stdin="\n".join(wanted).encode())
        lines = out.decode("ascii", "replace").splitlines()
        return frozenset(line.split(" ")[0] for line in lines if line.split(" ")[1:2] == ["commit"])

    def details(self, commits: Sequence[str], *, files: int) -> Iterator[Detail]:
        """The commits in the given order; each has to exist.

        files  of so many, the first ones, also what they changed: 4 ms each where a folder
               holds 10,000 notes
        """
        yield from self._details(commits[:files], "--raw")
        yield from self._details(commits[files:], "--no-patch")

    def main_line(self, head: str, *, since: str = "") -> Generator[ChainCommit, None, None]:
        """Commits of the first-parent chain that `since` does not reach, oldest first.

        A merge counts as one commit with what it changed against the main line, so a note of
        another device becomes known when it is merged (algorithms.md 2.5).
        Where `since` is on the chain, the first one's parent is `since`; where it is not (history
        was rewritten, or `since` came in with a merge), it is another.
        """
        arguments = ["log", "--first-parent", "-m", "--reverse", "-z", "--raw", "--no-abbrev"]
        arguments += ["--no-renames", "--root", "--no-color", "--no-ext-diff", "--no-textconv"]
        arguments += ["--no-show-signature", f"--format=tformat:{_CHAIN_FORMAT}", head]
        arguments += [f"^{since}"] if since else []
        # Into a pipe git writes each commit on its own otherwise: 20,000 writes, and as many reads.
        running = self._engine.start(*arguments, "--", environment={"GIT_FLUSH": "0"})
        try:
            # Read while git writes: a history is parsed in the time that git takes.
            tokens = _tokens(running, self._engine.repository.git_dir.parent)
            for values, changes in parse_commits(tokens, _CHAIN_VALUES):
                yield _commit(values, changes)
        finally:
            running.kill()

    def first_parents(self, head: str) -> tuple[str, ...]:
        """Ids of the first-parent chain, oldest first; 0.1 s for 20,000."""
        out = self._engine.run("rev-list", "--first-parent", "--reverse", head, "--")
        return tuple(out.decode("ascii").split())

    def removed_by(self, op: str, head: str, *, since: str) -> frozenset[str]:
        """Paths that commits with this Vaultmem-Op took away, on any side of a merge.

        head, since  commits that `head` reaches and `since` ('': none) does not
        """
        arguments = ["log", "-z", "--raw", "--no-abbrev", "--no-renames", "--no-color"]
        arguments += ["--no-ext-diff", "--no-textconv", "--no-show-signature", "--diff-filter=D"]
        arguments += ["--fixed-strings", f"--grep={OP}: {op}", f"--format=tformat:{FORMAT}", head]
        arguments += [f"^{since}"] if since else []
        entries = parse_log(self._engine.run(*arguments, "--"))
        return frozenset(path for each in entries if has_op(each, op) for path in each.changed)

    def remade(self, head: str, *, apart_ms: int) -> tuple[str, ...]:
        """Commits made further than `apart_ms` from when they say they were recorded, oldest first.

        A rebase, squash or amend keeps the message and gives a new committer time. A commit of ours
        is never older than its parents: under a clock that is behind it takes their time over.
        """
        running = self._engine.start(
            *("log", "-z", "--topo-order", "--reverse", "--no-color", "--no-show-signature"),
            *("--format=tformat:%H%x00%P%x00%ct%x00%B", head, "--"),
            environment={"GIT_FLUSH": "0"},
        )
        out = output_of(("log",), running.wait(), self._engine.repository.git_dir.parent)
        tokens = out.decode("utf-8", "replace").split("\0")
        times: dict[str, int] = {}  # committer times, of those that were not made anew
        found = []
        # Not strict: behind the last NUL there is one more, empty piece.
        for commit, parents, seconds, message in zip(
            *(tokens[n::4] for n in range(4)), strict=False
        ):
            committed = seconds_of(seconds) * 1000
            claimed = claimed_ms(parse_trailers(message), committed)
            is_taken_over = committed in (times.get(parent) for parent in parents.split())
            if abs(claimed - committed) > apart_ms and not is_taken_over:
                found.append(commit.strip())
            else:
                times[commit.strip()] = committed
        return tuple(found)

    def boundaries(self) -> tuple[str, ...]:
        """Commits whose parents this repository does not have, sorted.

        A shallow clone has none there; of a damaged history the rest may be lost.
        """
        from vaultmem.storage.git import mend  # saves 8 modules

        return tuple(sorted({*_shallow(self._engine), *mend.read(self._engine).ends()}))

    def needless_cuts(self) -> tuple[str, ...]:
        """Commits whose parents are here and which `.git/shallow` cuts off all the same, sorted.

        A shallow clone has no parents there; who plants the file, or restores it, hides a history.
        """
        found = []
        for commit in sorted(_shallow(self._engine)):
            data = self._engine.ask("cat-file", "commit", commit) or b""
            head = data.partition(b"\n\n")[0].split(b"\n")
            parents = [line[7:].decode("ascii") for line in head if line.startswith(b"parent ")]
            if parents and all(
                self._engine.ask("cat-file", "-e", parent) is not None for parent in parents
            ):
                found.append(commit)
        return tuple(found)

    def _details(self, commits: Sequence[str], what: str) -> Iterator[Detail]:
        if not commits:
            return
        # A merge is told against its first parent (`--first-parent -m`) and the first commit with
        # all its files (`--root`), whatever settings say; `--no-textconv` and `--no-ext-diff` keep
        # the programs that settings name from being run.
        arguments = ["log", "--no-walk=unsorted", "--stdin", "--first-parent", "-m", "-z", what]
        arguments += ["--no-abbrev", "--no-renames", "--no-color", "--no-ext-diff", "--root"]
        arguments += ["--no-textconv", "--no-show-signature", f"--format=tformat:{FORMAT}"]
        out = self._engine.run(*arguments, stdin="\n".join(commits).encode() + b"\n")
        for values, changes in parse_commits(iter(out.split(b"\0")), VALUES):
            yield _detail([value.decode("utf-8", "replace") for value in values], changes)


def _blob(oid: str) -> str:
    return "" if _GONE.issuperset(oid) else oid


def _detail(values: Sequence[str], changes: Sequence[tuple[bytes, str]]) -> Detail:
    touched = []
    for about, path in changes:
        _, _, old, new, _ = about.decode("ascii", "replace").split(" ")
        touched.append(Touched(path, _blob(old), _blob(new)))
    commit, parents, seconds, author, mail, message = values
    return Detail(
        commit=commit,
        parents=tuple(parents.split()),
        at_ms=seconds_of(seconds) * 1000,
        author=author,
        mail=mail,
        subject=message.partition("\n")[0].strip(),
        trailers=parse_trailers(message),
        touched=tuple(touched),
    )


def claimed_ms(trailers: Mapping[str, str], committed_ms: int) -> int:
    """When a commit says that it was recorded; the committer time where it says nothing usable."""
    text = trailers.get(RECORDED_AT)
    found = read_instant(text) if text else None
    if found is None or not 0 <= found.ms <= LATEST_SECONDS * 1000:
        return committed_ms
    return found.ms


def _tokens(running: Running, vault: Path) -> Iterator[bytes]:
    """What stands between the NULs of the output; raises before the last one if git failed.

    So a commit is whole when it is given: the next one has begun, or git has ended well.
    """
    rest = b""
    while piece := running.piece():
        *whole, rest = (rest + piece).split(b"\0")
        yield from whole
    output_of(("log",), running.wait(), vault)
    yield rest


def _commit(values: Sequence[bytes], changes: Sequence[tuple[bytes, str]]) -> ChainCommit:
    changed = []
    for about, path in changes:
        _, mode, _, oid, _ = about.split(b" ")
        changed.append((path, oid.decode("ascii") if mode.startswith(_FILE) else ""))
    commit, parents, seconds, message = (value.decode("utf-8", "replace") for value in values)
    trailers = parse_trailers(message)
    committed = seconds_of(seconds) * 1000
    return ChainCommit(
        commit=commit,
        parent=parents.partition(" ")[0],
        committed_ms=committed,
        claimed_ms=claimed_ms(trailers, committed),
        subject=message.partition("\n")[0].strip(),
        trailers=trailers,
        changed=tuple(sorted(changed)),
    )


def _shallow(engine: Engine) -> list[str]:
    try:
        return (engine.repository.git_dir / "shallow").read_text(encoding="ascii").split()
    except FileNotFoundError:
        return []


# Read what commits record about trust, of all commits that HEAD reaches (merged ones too).


@dataclass(frozen=True, slots=True, kw_only=True)
class TrustRead:
    """What was read, and whether it adds to what was known or replaces it."""

    events: tuple[TrustEvent, ...]
    is_whole: bool  # everything that HEAD reaches, not only what is new


def read_trust(engine: Engine, head: str | None, *, since: str) -> TrustRead:
    """The events of the commits that `since` does not reach; of all when it is '' or left behind.

    One git process, or two after a history was rewritten.
    """
    if head is None:
        return TrustRead(events=(), is_whole=True)
    if since:
        # Three dots: commits that `since` has and HEAD has not are given as well, marked `<`. They
        # tell that the history was rewritten.
        out = _log(engine, f"{since}...{head}")
        if out is not None:
            new, lost = _parse(out)
            if not lost:
                return TrustRead(events=new, is_whole=False)
    new, _ = _parse(_log(engine, head) or b"")
    return TrustRead(events=new, is_whole=True)


def _log(engine: Engine, revisions: str) -> bytes | None:
    return engine.ask(
        *("log", "-z", "--left-right", "--no-color", "--no-show-signature", "--extended-regexp"),
        *("--format=tformat:%m%x00%H%x00%B", f"--grep=^({'|'.join(TRAILERS)}): "),
        *(revisions, "--"),
    )


def _parse(out: bytes) -> tuple[tuple[TrustEvent, ...], bool]:
    """Events of the new commits; whether some commit that was known is gone."""
    tokens = out.decode("utf-8", "replace").split("\0")
    events: list[TrustEvent] = []
    lost = False
    for side, commit, message in zip(tokens[::3], tokens[1::3], tokens[2::3], strict=False):
        if side.strip() == "<":
            lost = True
        else:
            events += events_of(commit, parse_trailers(message))
    return tuple(events), lost
