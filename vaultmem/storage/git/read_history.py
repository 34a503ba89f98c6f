"""Read the history: log, trees, differences, versions of a note across renames.

The history of a vault is its first-parent chain (algorithms.md 2.5): a merged side branch counts
as one commit, with what it changed against the main line.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from pathlib import PurePosixPath

from vaultmem import base
from vaultmem.base import TYPE_CHECKING, HistoryError, NamedTuple, dataclass, field
from vaultmem.language import read_instant
from vaultmem.model import id_in_name
from vaultmem.storage.files import (
    TOPS,
    Patterns,
    ignored_by,
    is_companion,
    is_markdown,
    is_note_name,
)
from vaultmem.storage.git.engine import Engine, output_of
from vaultmem.storage.git.identity import LATEST_SECONDS, seconds_of

if TYPE_CHECKING:
    from pathlib import Path

    from vaultmem.storage.git.process import Running

OP = "Vaultmem-Op"
_FIELDS = ("commit", "%H", "%P", "%ct", "%an", "%ae", "%B")
_FORMAT = "%x00".join(_FIELDS) + "%x00"
_LINK, _SUBMODULE = b"120000", b"160000"
# Each rename that is followed costs a `git log` of its own.
_MOST_RENAMES = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class LogEntry:
    """One commit of the first-parent chain."""

    commit: str
    parent: str  # first parent; '' for the first commit
    at_ms: int  # committer time, UTC ms (git keeps whole seconds)
    author: str
    mail: str
    subject: str
    body: str  # below the subject, trailers included
    trailers: Mapping[str, str] = field(default_factory=dict)  # the last value of a repeated key
    changed: Mapping[str, str] = field(default_factory=dict)  # path -> A, M, D, T

    @property
    def paths(self) -> tuple[PurePosixPath, ...]:
        """What the commit changed against its first parent."""
        return tuple(PurePosixPath(path) for path in self.changed)


def log(
    engine: Engine,
    start: str,
    *,
    limit: int,
    op: str | None = None,
    paths: Sequence[str] = (),
    all_lines: bool = False,
) -> tuple[LogEntry, ...]:
    """Commits from `start` back, newest first, at most `limit`.

    op         only those with this Vaultmem-Op trailer; '' for any such trailer
    paths      only those that change one of these files or folders
    all_lines  also those that merges brought; a merge may come once for each parent
    """
    asked = limit
    while True:
        found = list(_entries(engine, start, asked, op, paths, all_lines=all_lines))
        wanted = [entry for entry in found if _has_op(entry, op)]
        # A message may mention the trailer without having it: then git found too many.
        if len(wanted) >= limit or len(found) < asked:
            return tuple(wanted[:limit])
        asked *= 4


def _has_op(entry: LogEntry, op: str | None) -> bool:
    return op is None or (OP in entry.trailers and op in ("", entry.trailers[OP]))


def _entries(
    engine: Engine,
    start: str,
    limit: int,
    op: str | None,
    paths: Sequence[str],
    *,
    all_lines: bool,
) -> Iterator[LogEntry]:
    # Without `-m` git tells nothing of what a merge changed.
    arguments = ["log", "-m", "-z", "--raw", "--no-abbrev", "--no-renames"]
    arguments += [] if all_lines else ["--first-parent"]
    arguments += ["--no-color", "--no-ext-diff", "--no-textconv", "--no-show-signature"]
    # `--full-diff`: with `paths` git would tell of these alone, and `changed` is all that a commit
    # did.
    arguments += [f"--max-count={limit}", f"--format=tformat:{_FORMAT}", "--full-diff"]
    if op is not None:
        arguments += ["--fixed-strings", f"--grep={OP}: {op}"]
    out = engine.run(*arguments, start, "--", *paths)
    return _parse(out)


def parse_commits(
    tokens: Iterator[bytes], values: int
) -> Iterator[tuple[list[bytes], list[tuple[bytes, str]]]]:
    """The values of each commit, and what it changed: (modes, blobs and status, path).

    Of `git log -z --raw` with a format of `commit` and so many values, each ended by NUL; a
    change is a token that starts with a colon, then its path.
    """
    known: list[bytes] = []
    changed: list[tuple[bytes, str]] = []
    for token in tokens:
        if token[:1] == b"\n":
            token = token.strip(b"\n")
        if token[:1] == b":":
            changed.append((token, next(tokens, b"").decode("utf-8", "surrogateescape")))
        elif token == b"commit":
            if known:
                yield known, changed
            known, changed = [next(tokens, b"") for _ in range(values)], []
        elif token:
            raise HistoryError(f"`git log` gave something unexpected: {token[:40]!r}")
    if known:
        yield known, changed


def _parse(out: bytes) -> Iterator[LogEntry]:
    for values, changes in parse_commits(iter(out.split(b"\0")), len(_FIELDS) - 1):
        told = (value.decode("utf-8", "replace") for value in values)
        status = {
            path: about.rpartition(b" ")[2][:1].decode("ascii", "replace")
            for about, path in changes
        }
        yield _entry(tuple(told), status)


def _entry(values: Sequence[str], changed: Mapping[str, str]) -> LogEntry:
    commit, parents, seconds, author, mail, message = values
    subject, _, body = message.partition("\n")
    return LogEntry(
        commit=commit,
        parent=parents.partition(" ")[0],
        at_ms=seconds_of(seconds) * 1000,
        author=author,
        mail=mail,
        subject=subject.strip(),
        body=body.strip("\n"),
        trailers=parse_trailers(message),
        changed=changed,
    )


def parse_trailers(message: str) -> dict[str, str]:
    """`Key: value` lines of the last paragraph, if it holds nothing else; not of the subject."""
    _, gap, rest = message.rstrip().replace("\r\n", "\n").partition("\n\n")
    last = rest.rpartition("\n\n")[2]
    if not gap:
        return {}
    found: dict[str, str] = {}
    key = ""
    for line in last.splitlines():
        if line[:1] in (" ", "\t") and key:
            found[key] = f"{found[key]} {line.strip()}"
            continue
        key, colon, value = line.partition(":")
        if not colon or not key.replace("-", "").isalnum():
            return {}
        found[key] = value.strip()
    return found


def removed_by(engine: Engine, op: str, head: str, *, since: str) -> frozenset[str]:
    """Paths that commits with this Vaultmem-Op took away, on any side of a merge.

    head, since  commits that `head` reaches and `since` ('': none) does not
    """
    arguments = ["log", "-z", "--raw", "--no-abbrev", "--no-renames", "--no-color"]
    arguments += ["--no-ext-diff", "--no-textconv", "--no-show-signature", "--diff-filter=D"]
    arguments += ["--fixed-strings", f"--grep={OP}: {op}", f"--format=tformat:{_FORMAT}", head]
    arguments += [f"^{since}"] if since else []
    found = [entry for entry in _parse(engine.run(*arguments, "--")) if _has_op(entry, op)]
    return frozenset(path for entry in found for path in entry.changed)


def tree(engine: Engine, commit: str, folders: Sequence[str]) -> dict[str, str]:
    """Path -> blob id of the regular files of a commit below the folders (or of these files)."""
    out = engine.run("ls-tree", "-r", "-z", "--full-tree", commit, "--", *folders)
    found = {}
    for line in out.split(b"\0"):
        about, _, name = line.partition(b"\t")
        if about and not about.startswith((_LINK, _SUBMODULE)):
            path = name.decode("utf-8", "surrogateescape")
            found[path] = about.rpartition(b" ")[2].decode("ascii")
    return found


def changed_blobs(engine: Engine, old: str, new: str, folders: Sequence[str]) -> dict[str, str]:
    """Path -> blob id in `new`, of the files that differ from `old`; '' where it is gone."""
    if old == new:
        return {}
    out = engine.run(
        "diff-tree", "-r", "-z", "--raw", "--no-abbrev", "--no-renames", old, new, "--", *folders
    )
    found = {}
    tokens = iter(out.split(b"\0"))
    for about in tokens:
        if not about:
            continue
        path = next(tokens, b"").decode("utf-8", "surrogateescape")
        _, mode, _, oid, _ = about.split(b" ")
        is_gone = mode in (b"000000", _LINK, _SUBMODULE)
        found[path] = "" if is_gone else oid.decode("ascii")
    return found


def versions(engine: Engine, start: str, path: str, *, limit: int) -> tuple[LogEntry, ...]:
    """Commits that changed a file, newest first, through the renames of it; at most `limit`.

    Where the file was added, it is the same note as a file that this commit took away if their
    ids are equal, or else if git finds them similar. `changed` has only the paths of the note.
    """
    found: list[LogEntry] = []
    for _ in range(_MOST_RENAMES):
        entries = log(engine, start, limit=limit - len(found), paths=(path,))
        former = ""
        for entry in entries:
            status = entry.changed.get(path, "")
            if status == "A" and entry.parent:
                former = _former_name(engine, entry, path)
            names = {path: status} | ({former: "D"} if former else {})
            found.append(_with_changed(entry, names))
            if former:
                start, path = entry.parent, former
                break
        if not former or len(found) >= limit:
            break
    return tuple(found)


def _with_changed(entry: LogEntry, changed: Mapping[str, str]) -> LogEntry:

    return base.replace(entry, changed=changed)


def _former_name(engine: Engine, entry: LogEntry, path: str) -> str:
    """What the file was called before the commit that added it; '' when it is new."""
    gone = sorted(name for name, status in entry.changed.items() if status == "D")
    if not gone:
        return ""
    wanted = _id_of(engine, entry.commit, path)
    if wanted:
        for name in gone:
            if _id_of(engine, entry.parent, name) == wanted:
                return name
    out = engine.run(
        "diff-tree", "-r", "-z", "--raw", "--no-abbrev", "-M50%", entry.parent, entry.commit
    )
    tokens = iter(out.split(b"\0"))
    for about in tokens:
        status = about.rpartition(b" ")[2]
        if not status.startswith((b"R", b"C")):
            next(tokens, b"")
            continue
        old, new = (next(tokens, b"").decode("utf-8", "surrogateescape") for _ in range(2))
        if new == path:
            return old
    return ""


def _id_of(engine: Engine, commit: str, path: str) -> str:
    """Id of a note by its name, or by the `id:` line of its front matter."""
    named = id_in_name(PurePosixPath(path).stem)
    if named:
        return named
    data = engine.ask("cat-file", "blob", f"{commit}:{path}") or b""
    for line in data.split(b"\n", 60)[:60]:
        if line.startswith(b"id:"):
            return line[3:].strip().strip(b"\"'").decode("utf-8", "replace")
    return ""


# The record chain: what each commit of the first-parent line brought, oldest first.
#
# A merge counts as one commit with what it changed against the main line, so a note of another
# device becomes known when it is merged (algorithms.md 2.5).

RECORDED_AT = "Vaultmem-Recorded-At"
_FORMAT_VERSIONS = "%x00".join(("commit", "%H", "%P", "%ct", "%B")) + "%x00"
_VALUES = 4
_FILE = b"100"  # modes of regular files begin so


class ChainCommit(NamedTuple):
    """One commit of the chain, and the files that it gave other bytes."""

    commit: str
    parent: str  # first parent; '': it is the first one
    committed_ms: int  # committer time, whole seconds
    claimed_ms: int  # Vaultmem-Recorded-At, else the committer time
    subject: str
    trailers: Mapping[str, str]
    changed: tuple[tuple[str, str], ...]  # (path, blob id), by path; '': no regular file any more


def main_line(engine: Engine, head: str, *, since: str = "") -> Generator[ChainCommit, None, None]:
    """Commits of the first-parent chain that `since` does not reach, oldest first.

    Where `since` is on the chain, the first one's parent is `since`; where it is not (history was
    rewritten, or `since` came in with a merge), it is another.
    """
    arguments = ["log", "--first-parent", "-m", "--reverse", "-z", "--raw", "--no-abbrev"]
    arguments += ["--no-renames", "--root", "--no-color", "--no-ext-diff", "--no-textconv"]
    arguments += ["--no-show-signature", f"--format=tformat:{_FORMAT_VERSIONS}", head]
    arguments += [f"^{since}"] if since else []
    # Into a pipe git writes each commit on its own otherwise: 20,000 writes, and as many reads.
    running = engine.start(*arguments, "--", environment={"GIT_FLUSH": "0"})
    try:
        # Read while git writes: a history is parsed in the time that git takes.
        tokens = _tokens(running, engine.repository.git_dir.parent)
        for values, changes in parse_commits(tokens, _VALUES):
            yield _commit(values, changes)
    finally:
        running.kill()


def remade(engine: Engine, head: str, *, apart_ms: int) -> tuple[str, ...]:
    """Commits made further than `apart_ms` from when they say they were recorded, oldest first.

    A rebase, squash or amend keeps the message and gives a new committer time. A commit of ours
    is never older than its parents: under a clock that is behind it takes their time over.
    """
    running = engine.start(
        *("log", "-z", "--topo-order", "--reverse", "--no-color", "--no-show-signature"),
        *("--format=tformat:%H%x00%P%x00%ct%x00%B", head, "--"),
        environment={"GIT_FLUSH": "0"},
    )
    out = output_of(("log",), running.wait(), engine.repository.git_dir.parent)
    tokens = out.decode("utf-8", "replace").split("\0")
    times: dict[str, int] = {}  # committer times, of those that were not made anew
    found = []
    # Not strict: behind the last NUL there is one more, empty piece.
    for commit, parents, seconds, message in zip(*(tokens[n::4] for n in range(4)), strict=False):
        committed = seconds_of(seconds) * 1000
        claimed = claimed_ms(parse_trailers(message), committed)
        is_taken_over = committed in (times.get(parent) for parent in parents.split())
        if abs(claimed - committed) > apart_ms and not is_taken_over:
            found.append(commit.strip())
        else:
            times[commit.strip()] = committed
    return tuple(found)


def first_parents(engine: Engine, head: str) -> tuple[str, ...]:
    """Ids of the first-parent chain, oldest first; 0.1 s for 20,000."""
    out = engine.run("rev-list", "--first-parent", "--reverse", head, "--")
    return tuple(out.decode("ascii").split())


def boundaries(engine: Engine) -> tuple[str, ...]:
    """Commits whose parents this repository does not have, sorted.

    A shallow clone has none there; of a damaged history the rest may be lost.
    """
    from vaultmem.storage.git import mend  # saves 8 modules

    return tuple(sorted({*_shallow(engine), *mend.read(engine).ends()}))


def _shallow(engine: Engine) -> list[str]:
    try:
        return (engine.repository.git_dir / "shallow").read_text(encoding="ascii").split()
    except FileNotFoundError:
        return []


def needless_cuts(engine: Engine) -> tuple[str, ...]:
    """Commits at which `.git/shallow` cuts the history off although what is behind is here, sorted.

    A shallow clone has no parents there; who plants the file, or restores it, hides a history.
    """
    found = []
    for commit in sorted(_shallow(engine)):
        data = engine.ask("cat-file", "commit", commit) or b""
        head = data.partition(b"\n\n")[0].split(b"\n")
        parents = [line[7:].decode("ascii") for line in head if line.startswith(b"parent ")]
        if parents and all(engine.ask("cat-file", "-e", parent) is not None for parent in parents):
            found.append(commit)
    return tuple(found)


def note_paths(include: Sequence[str]) -> Callable[[str], bool]:
    """Whether a path of a commit is read as a note, by its name alone."""
    patterns = Patterns(include)
    folders: dict[str, tuple[bool, bool]] = {}  # whether it is read; whether all notes in it are

    def is_note(path: str) -> bool:
        folder, _, name = path.rpartition("/")
        found = folders.get(folder)
        if found is None:
            parts = folder.split("/")
            is_read = not folder or not any(ignored_by(part) for part in parts)
            found = folders[folder] = (is_read and _is_text(folder or "."), parts[0] in TOPS)
        is_read, is_of_notes = found
        if not is_read or ignored_by(name) or not _is_text(name):
            return False
        if is_of_notes and is_note_name(folder, name):
            return True
        return bool(include) and patterns.match(folder, name) and not is_companion(folder, name)

    return is_note


def tracked_paths(include: Sequence[str]) -> Callable[[str], bool]:
    """Whether a path of a commit is followed by the index: a note, or what belongs to the vault."""
    is_note = note_paths(include)
    patterns = Patterns(include)

    def is_tracked(path: str) -> bool:
        folder, _, name = path.rpartition("/")
        if not is_companion(folder, name):
            return is_note(path)
        parts = path.split("/")
        if any(ignored_by(part) for part in parts) or not _is_text(path):
            return False
        return not folder or parts[0] in TOPS or patterns.covers(folder)

    return is_tracked


def _is_text(path: str) -> bool:
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return True


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


def other_notes(root: Path, include: Sequence[str]) -> int:
    """Markdown files that lie outside the folders of notes and that `include` does not name."""
    is_note = note_paths(include)
    return sum(not is_note(path) for path in _markdown(root))


def _markdown(root: Path) -> Iterator[str]:
    for folder, folders, files in os.walk(root):
        folders[:] = [name for name in folders if not ignored_by(name)]
        relative = os.path.relpath(folder, root).replace(os.sep, "/")
        prefix = "" if relative == "." else f"{relative}/"
        for name in files:
            if is_markdown(name) and not ignored_by(name):
                yield prefix + name
