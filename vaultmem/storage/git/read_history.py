"""Read the history: log, trees, differences, versions of a note across renames.

The history of a vault is its first-parent chain (algorithms.md 2.5): a merged side branch counts
as one commit, with what it changed against the main line.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import PurePosixPath

from vaultmem import base
from vaultmem.base import TYPE_CHECKING, HistoryError, dataclass, field
from vaultmem.model import id_in_name
from vaultmem.storage.files import (
    TOPS,
    Patterns,
    ignored_by,
    is_companion,
    is_markdown,
    is_note_name,
    is_utf8,
)
from vaultmem.storage.git.engine import Engine
from vaultmem.storage.git.identity import seconds_of

if TYPE_CHECKING:
    from pathlib import Path


OP = "Vaultmem-Op"
_FIELDS = ("commit", "%H", "%P", "%ct", "%an", "%ae", "%B")
FORMAT = "%x00".join(_FIELDS) + "%x00"
VALUES = len(_FIELDS) - 1
_LINK, _SUBMODULE = "120000", "160000"
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
        wanted = [entry for entry in found if has_op(entry, op)]
        # A message may mention the trailer without having it: then git found too many.
        if len(wanted) >= limit or len(found) < asked:
            return tuple(wanted[:limit])
        asked *= 4


def has_op(entry: LogEntry, op: str | None) -> bool:
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
    arguments += [f"--max-count={limit}", f"--format=tformat:{FORMAT}", "--full-diff"]
    if op is not None:
        arguments += ["--fixed-strings", f"--grep={OP}: {op}"]
    out = engine.run(*arguments, start, "--", *paths)
    return parse_log(out)


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


def parse_log(out: bytes) -> Iterator[LogEntry]:
    for values, changes in parse_commits(iter(out.split(b"\0")), VALUES):
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


def tree(engine: Engine, commit: str, folders: Sequence[str]) -> dict[str, str]:
    """Path -> blob id of the regular files of a commit below the folders (or of these files)."""
    listed = engine.list_tree(commit, folders)
    return {path: oid for mode, oid, path in listed if mode not in (_LINK, _SUBMODULE)}


def changed_blobs(engine: Engine, old: str, new: str, folders: Sequence[str]) -> dict[str, str]:
    """Path -> blob id in `new`, of the files that differ from `old`; '' where it is gone."""
    if old == new:
        return {}
    changed = engine.compare_trees(old, new, folders)
    return {
        path: "" if mode in ("000000", _LINK, _SUBMODULE) else oid for mode, oid, path in changed
    }


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
            found.append(base.replace(entry, changed=names))
            if former:
                start, path = entry.parent, former
                break
        if not former or len(found) >= limit:
            break
    return tuple(found)


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


# Which paths of a commit are notes, by their names alone.


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
            # Judged once a folder, with git's log read through a buffer: 10,000 commits take 2.1 s
            # in place of 3.5.
            found = folders[folder] = (is_read and is_utf8(folder or "."), parts[0] in TOPS)
        is_read, is_of_notes = found
        if not is_read or ignored_by(name) or not is_utf8(name):
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
        # Settings, tables and canvases are followed as files without rows; edits of them were never
        # committed.
        if not is_companion(folder, name):
            return is_note(path)
        parts = path.split("/")
        if any(ignored_by(part) for part in parts) or not is_utf8(path):
            return False
        return not folder or parts[0] in TOPS or patterns.covers(folder)

    return is_tracked


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
