"""The record chain: what each commit of the first-parent line brought, oldest first.

A merge counts as one commit with what it changed against the main line, so a note of another
device becomes known when it is merged (algorithms.md 2.5).
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from vaultmem.base.errors import HistoryError
from vaultmem.base.records import NamedTuple
from vaultmem.language.time import read_instant
from vaultmem.storage.files.layout import TOPS, ignored_by, is_companion, is_markdown
from vaultmem.storage.files.patterns import Patterns
from vaultmem.storage.git.engine import Engine, output_of
from vaultmem.storage.git.identity import LATEST_SECONDS, seconds_of
from vaultmem.storage.git.log import parse_trailers

if TYPE_CHECKING:
    from pathlib import Path

    from vaultmem.storage.git.process import Running

RECORDED_AT = "Vaultmem-Recorded-At"
_FORMAT = "%x00".join(("commit", "%H", "%P", "%ct", "%B")) + "%x00"
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
    arguments += ["--no-show-signature", f"--format=tformat:{_FORMAT}", head]
    arguments += [f"^{since}"] if since else []
    # Into a pipe git writes each commit on its own otherwise: 20,000 writes, and as many reads.
    running = engine.start(*arguments, "--", environment={"GIT_FLUSH": "0"})
    try:
        # Read while git writes: a history is parsed in the time that git takes.
        yield from _parsed(_tokens(running, engine.repository.git_dir.parent))
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
    from vaultmem.storage.git.repair import gaps

    return tuple(sorted({*_shallow(engine), *gaps.read(engine).ends()}))


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
        if is_of_notes and is_markdown(name):
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


def _parsed(tokens: Iterator[bytes]) -> Iterator[ChainCommit]:
    """Fields end with NUL; a change is a token that starts with a colon, then its path."""
    values: list[bytes] = []
    changed: list[tuple[str, str]] = []
    for token in tokens:
        if token[:1] == b"\n":
            token = token.strip(b"\n")
        if token[:1] == b":":
            path = next(tokens, b"").decode("utf-8", "surrogateescape")
            _, mode, _, oid, _ = token.split(b" ")
            changed.append((path, oid.decode("ascii") if mode.startswith(_FILE) else ""))
        elif token == b"commit":
            if values:
                yield _commit(values, changed)
            values, changed = [next(tokens, b"") for _ in range(_VALUES)], []
        elif token:
            raise HistoryError(f"`git log` gave something unexpected: {token[:40]!r}")
    if values:
        yield _commit(values, changed)


def _commit(values: Sequence[bytes], changed: list[tuple[str, str]]) -> ChainCommit:
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
