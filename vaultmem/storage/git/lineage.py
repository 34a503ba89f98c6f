"""The commits of a vault as a graph, and single ones in detail: what an audit compares.

Messages, trees and links of commits are whatever somebody wrote; only ids are certain, because
git names a commit by all that it holds.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence

from vaultmem.base import TYPE_CHECKING, NamedTuple, dataclass
from vaultmem.model import TRAILERS, TrustEvent, events_of
from vaultmem.storage.git import read_history as log
from vaultmem.storage.git.engine import Engine
from vaultmem.storage.git.identity import seconds_of
from vaultmem.storage.git.read_history import parse_commits, parse_trailers

if TYPE_CHECKING:
    from vaultmem.storage.git.read_history import ChainCommit
_FORMAT = "%x00".join(("commit", "%H", "%P", "%ct", "%an", "%ae", "%B")) + "%x00"
_VALUES = 6
_AT_ONCE = 50_000  # objects that are held in memory: commits and folders are small
_GONE = frozenset("0")


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
        from vaultmem.storage.git.erase.rewrite import oid_of  # saves 20 modules

        asked = "".join(f"{oid}\n" for oid in oids).encode()
        out = self._engine.run("cat-file", "--batch", "--buffer", stdin=asked)
        place = 0
        for oid in oids:
            end = out.index(b"\n", place)
            words = out[place:end].decode("ascii", "replace").split(" ")
            place = end + 1
            # '<id> missing' has two words.
            if len(words) != 3:
                continue
            size = int(words[2])
            if (
                oid_of(words[1], out[place : place + size], self._engine.repository.algorithm)
                != oid
            ):
                yield oid
            place += size + 1

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
        """Commits of the first-parent chain with what they changed, as `read_history.main_line`."""
        return log.main_line(self._engine, head, since=since)

    def first_parents(self, head: str) -> tuple[str, ...]:
        """Ids of the first-parent chain, oldest first."""
        return log.first_parents(self._engine, head)

    def removed_by(self, op: str, head: str, *, since: str) -> frozenset[str]:
        """Paths that commits of an operation took away, of those that `since` does not reach."""
        return log.removed_by(self._engine, op, head, since=since)

    def remade(self, head: str, *, apart_ms: int) -> tuple[str, ...]:
        """Commits made far from when they say they were recorded, oldest first."""
        return log.remade(self._engine, head, apart_ms=apart_ms)

    def boundaries(self) -> tuple[str, ...]:
        """Commits whose parents this repository does not have (a shallow clone), sorted."""
        return log.boundaries(self._engine)

    def needless_cuts(self) -> tuple[str, ...]:
        """Commits whose parents are here and which `.git/shallow` cuts off all the same, sorted."""
        return log.needless_cuts(self._engine)

    def _details(self, commits: Sequence[str], what: str) -> Iterator[Detail]:
        if not commits:
            return
        # A merge is told against its first parent (`--first-parent -m`) and the first commit with
        # all its files (`--root`), whatever settings say; `--no-textconv` and `--no-ext-diff` keep
        # the programs that settings name from being run.
        arguments = ["log", "--no-walk=unsorted", "--stdin", "--first-parent", "-m", "-z", what]
        arguments += ["--no-abbrev", "--no-renames", "--no-color", "--no-ext-diff", "--root"]
        arguments += ["--no-textconv", "--no-show-signature", f"--format=tformat:{_FORMAT}"]
        out = self._engine.run(*arguments, stdin="\n".join(commits).encode() + b"\n")
        for values, changes in parse_commits(iter(out.split(b"\0")), _VALUES):
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
