"""Two lines of commits: where they part, what each changed, a commit that joins them.

Nothing here touches a file of the working tree. The commit is made first, with all its objects
durable; the branch goes to it when the files are published (`advance`).
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable, Mapping, Sequence

from vaultmem.base import HistoryError, NamedTuple
from vaultmem.storage.git import staging
from vaultmem.storage.git.commit import REF_WAIT_SECONDS, Move, PreparedMove, quote_path
from vaultmem.storage.git.engine import Engine
from vaultmem.storage.git.identity import seconds_of, signature
from vaultmem.storage.git.packs import Import
from vaultmem.storage.git.read_history import parse_trailers
from vaultmem.storage.git.refs import Head, read_head
from vaultmem.storage.git.staging import hold_index

FILE = "100644"
INDEX_WAIT_SECONDS = 2.0
"""How long to wait for git's lock on the index; nothing was done before, so again later."""


class Entry(NamedTuple):
    """What a tree has at a path."""

    mode: str  # six octal digits: 100644, 100755, 120000 (link), 160000 (submodule)
    oid: str


Changes = Mapping[str, Entry | None]
"""Path -> what is there now; None: nothing any more."""


class About(NamedTuple):
    """What a commit says of itself."""

    at_ms: int  # committer time
    parents: tuple[str, ...]
    trailers: Mapping[str, str]
    subject: str


def about(engine: Engine, oid: str) -> About:
    """Time, parents and message of a commit."""
    head, _, message = engine.run("cat-file", "commit", oid).partition(b"\n\n")
    parents: list[str] = []
    seconds = 0
    for line in head.split(b"\n"):
        if line.startswith(b"parent "):
            parents.append(line[7:].decode("ascii"))
        elif line.startswith(b"committer "):
            seconds = seconds_of(line.rsplit(b" ", 2)[-2])
    text = message.decode("utf-8", "replace")
    return About(
        at_ms=seconds * 1000,
        parents=tuple(parents),
        trailers=parse_trailers(text),
        subject=text.partition("\n")[0],
    )


def join(
    engine: Engine,
    parents: Sequence[str],
    content: Mapping[str, Entry | bytes | None],
    *,
    message: str,
    at_ms: int,
    identity: tuple[str, str],
) -> str:
    """Id of a new commit on top of all parents; durable, and on no branch yet.

    content  against the tree of the first parent: an object that is there already, new bytes
             (as a plain file), or None where the path goes
    """
    branch = f"refs/heads/e-{os.getpid()}-{time.monotonic_ns()}"
    # As of every commit of ours, the time is never before that of a parent, or `git log --since`
    # stops early.
    seconds = max([at_ms // 1000, *(about(engine, oid).at_ms // 1000 for oid in parents)])
    words = message.replace("\0", "").encode("utf-8", "replace")
    parts = [
        f"reset {branch}\nfrom {parents[0]}\n\ncommit {branch}\nmark :1\n"
        f"author {signature(*identity, at_ms // 1000)}\n"
        f"committer {signature(*identity, seconds)}\ndata {len(words)}\n".encode(),
        words,
        b"\n",
        *(f"merge {oid}\n".encode() for oid in parents[1:]),
    ]
    # What goes is taken out first: a folder may take the place of a file of its name, and a removal
    # behind it would remove that folder.
    for path, entry in sorted(content.items(), key=lambda pair: pair[1] is not None):
        name = quote_path(path)
        if entry is None:
            parts += (b"D ", name, b"\n")
        elif isinstance(entry, bytes):
            parts += (f"M {FILE} inline ".encode(), name, b"\ndata %d\n" % len(entry), entry, b"\n")
        else:
            parts += (f"M {entry.mode} {entry.oid} ".encode(), name, b"\n")
    parts.append(b"\nget-mark :1\ndone\n")
    importing = Import(engine, b"".join(parts))
    try:
        [oid] = importing.finish()
    finally:
        importing.abandon()
        with contextlib.suppress(FileNotFoundError):
            os.unlink(engine.folder / branch)
    return oid


def advance(
    engine: Engine,
    head: Head,
    new: str,
    changed: Changes,
    *,
    reason: str,
    identity: tuple[str, str],
    at_ms: int,
    sleep: Callable[[float], None] = time.sleep,
) -> None:
    """Move the branch from `head` to a commit that has it below it; durable when it returns.

    at_ms    committer time of the commit, for the log of the branch
    changed  what differs between the two: these paths of the person's index follow
    raises   HeadMovedError, RepositoryBusyError; nothing has moved then
    """
    before = staging.read_unsettled(engine)
    move = PreparedMove(
        engine.repository,
        Move(
            ref=head.ref,
            old=head.oid,
            new=new,
            reason=reason,
            signature=signature(*identity, at_ms // 1000),
        ),
        sleep=sleep,
    )
    try:
        hold = hold_index(engine, wait_seconds=INDEX_WAIT_SECONDS, sleep=sleep)
    except BaseException:
        move.discard()
        raise
    is_ours = hold.is_ours
    index: staging.IndexUpdate | None = None
    try:
        staging.write_unsettled(engine, before | changed.keys())
        with contextlib.suppress(HistoryError):  # of a kind we do not touch: settled later
            index = staging.IndexUpdate(engine, changed, hold=hold, sleep=sleep)
            index.lock(wait_seconds=0)
        try:
            if index is not None:
                # Before the branch, as with every commit of ours: `IndexUpdate.place` says why.
                index.place()
            move.carry_out(wait_seconds=REF_WAIT_SECONDS)
        except BaseException:
            now = read_head(engine.repository).oid
            was_read = index is not None and now != head.oid and index.is_in(now)
            # The paths stay remembered when HEAD holds them: an index that went back to what it was
            # would take the note out with the next commit.
            if now != new:
                kept = before | changed.keys() if was_read else before
                staging.write_unsettled(engine, kept)
                if index is not None and was_read:  # or the next commit would take them out again
                    index.install()
            elif index is not None:  # a signal behind the move
                index.install()
            raise
        with contextlib.suppress(OSError):  # the branch has moved: what fails now is done later
            if index is not None:
                index.install()
                if is_ours:
                    staging.write_unsettled(engine, before - changed.keys())
    finally:
        move.discard()
        if index is not None:
            index.discard()
        hold.release()
