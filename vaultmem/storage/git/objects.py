"""Objects by name or id: which commit a person means, many blobs at once, and damage."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from vaultmem.base import TYPE_CHECKING, BadInputError, HistoryError
from vaultmem.storage.git import refs
from vaultmem.storage.git.engine import AS_IT_IS, Engine, output_of

if TYPE_CHECKING:
    from vaultmem.storage.git.process import Finished

_HEX = frozenset("0123456789abcdef")
# As short as git takes it (MINIMUM_ABBREV).
_SHORTEST_ID = 4
# The order of gitrevisions(7), so that a name means here what it means to git.
_PREFIXES = ("", "refs/", "refs/tags/", "refs/heads/", "refs/remotes/")
_FSCK_NOTES = ("notice:", "warning", "dangling ", "Checking ")
# `git fsck` looks at the same in 8.2 to 10.3 s of CPU for 10,000 commits to one folder, this in 2.6
# to 3.4.
_WALK = ("rev-list", "--objects", "--quiet")
_MOST_SECONDS = 1800.0  # a history of a million folders, from a slow disk


def resolve(engine: Engine, head: str | None, rev: str) -> str:
    """Id of the commit that `rev` names in the vault; raises BadInputError when it names none."""
    name = rev
    for place, char in enumerate(rev):
        if char in "~^":
            name = rev[:place]
            break
    oid = head if name in ("HEAD", "@") else _resolve_name(engine, name)
    found = None
    if oid is not None:
        asked = f"{oid}{rev[len(name) :]}^{{commit}}"
        found = engine.ask("rev-parse", "--verify", "--quiet", "--end-of-options", asked)
    if not found:
        raise BadInputError(
            f"'{rev}' names no commit of this vault", hint="`vaultmem log` lists them"
        )
    return found.decode("ascii").strip()


def _resolve_name(engine: Engine, name: str) -> str | None:
    """What the name stands for, by the vault's references: the engine has none."""
    for prefix in _PREFIXES:
        try:
            oid = refs.read_ref(engine.repository, prefix + name)
        except HistoryError:
            continue
        if oid is not None:
            return oid
    is_id = _SHORTEST_ID <= len(name) <= len(engine.repository.zero) and _HEX.issuperset(name)
    return name if is_id else None


def blobs(engine: Engine, oids: Iterable[str]) -> Iterator[tuple[str, bytes | None]]:
    """Each blob id with its bytes, or None when there is no such blob; by one process.

    An id may also be `COMMIT:PATH`, without an end of line in it.
    """
    wanted = list(oids)
    if not wanted:
        return
    # By one process for all: each of 500 reworded notes was one of its own, 1.5 s of a `sync`.
    asked = "\n".join(wanted).encode("utf-8", "surrogateescape") + b"\n"
    for oid, kind, data in parse_batch(engine.run("cat-file", "--batch", stdin=asked), wanted):
        yield oid, data if kind == "blob" else None


def parse_batch(out: bytes, asked: Iterable[str]) -> Iterator[tuple[str, str, bytes]]:
    """What was asked, kind and bytes of each object that `git cat-file --batch` prints.

    kind  commit, tree, blob or tag; '': there is no such object
    """
    place = 0
    for name in asked:
        end = out.index(b"\n", place)
        words = out[place:end].split(b" ")
        place = end + 1
        if words[-1] in (b"missing", b"ambiguous"):
            yield name, "", b""
            continue
        size = int(words[-1])
        yield name, words[-2].decode("ascii"), out[place : place + size]
        place += size + 1


def texts_at(engine: Engine, commit: str, paths: Iterable[str]) -> dict[str, bytes | None]:
    """Bytes of each of these files in a commit, None where it has none; by one process.

    One more for each name with an end of line in it.
    """
    # A process for each took 1.5 s of a sync that had reworded 500 notes.
    names = {f"{commit}:{path}": path for path in paths}
    odd = [name for name in names if "\n" in name]
    found = {names[name]: engine.ask("cat-file", "blob", name) for name in odd}
    listed = blobs(engine, [name for name in names if name not in odd])
    return found | {names[name]: data for name, data in listed}


def damage(engine: Engine, head: str, *, deep: bool) -> tuple[str, ...]:
    """What `git fsck` finds wrong in all that `head` reaches, each line once.

    deep  the bytes of every object too; else that each is there, and commits and folders readable
    Where only presence is asked for, a walk over the history comes first: it sees the same and
    takes a third of the time (10,000 commits to one folder: 3.2 s, and 9.9 s by fsck), but stops
    at the first fault, so fsck says what is wrong.
    raises  HistoryError: git was ended before it had looked at everything
    """
    from vaultmem.storage.git.packs import drop_dead_branches  # saves 13 modules

    drop_dead_branches(engine)
    # For 10,000 commits a walk by rev-list takes 2.6 to 3.4 s of processor, `fsck
    # --connectivity-only` 8.2 to 10.3, and both look at the same.
    noticed = () if deep else _walk_complaints(engine, head)
    if not deep and not noticed:
        return ()
    how = "--full" if deep else "--connectivity-only"
    arguments = ("fsck", how, "--no-dangling", "--no-progress", head)
    finished = engine.start(*arguments, seconds=_MOST_SECONDS, environment=AS_IT_IS).wait()
    _require_ended_by_itself(engine, "fsck", finished)
    said = (finished.out + finished.err).decode("utf-8", "replace").splitlines()
    # The exit code alone says nothing: it is 0 for a commit in a pack that is cut off.
    found = [line for line in said if line and not line.startswith(_FSCK_NOTES)]
    return tuple(dict.fromkeys(found)) or noticed


def _walk_complaints(engine: Engine, head: str) -> tuple[str, ...]:
    """What a walk over all that `head` reaches says; empty when it finds nothing."""
    asked = (*_WALK, head, "--")
    finished = engine.start(*asked, seconds=_MOST_SECONDS, environment=AS_IT_IS).wait()
    _require_ended_by_itself(engine, _WALK[0], finished)
    return _output_lines(finished)


def wrong_derived(engine: Engine) -> tuple[Path, ...]:
    """Files below `.git/objects` that say of the objects what these do not, by path.

    The graph of commits and the index of many packs, each compared by git with what it was made
    from. The engine believes neither, but the person's own git does. Bitmaps it cannot compare.
    raises  HistoryError: git was ended before it had looked at everything
    """
    objects = engine.repository.objects
    found: list[Path] = []
    for file, command in (
        (objects / "info" / "commit-graph", "commit-graph"),
        (objects / "info" / "commit-graphs" / "commit-graph-chain", "commit-graph"),
        (objects / "pack" / "multi-pack-index", "multi-pack-index"),
    ):
        if not os.path.lexists(file) or (found and command == "commit-graph"):
            continue
        finished = engine.start(command, "verify", "--no-progress", seconds=_MOST_SECONDS).wait()
        _require_ended_by_itself(engine, command, finished)
        if finished.code:
            found.append(file)
    return tuple(found)


def wrong_indexes(engine: Engine) -> tuple[Path, ...]:
    """Indexes of packs that name other objects than the packs hold, by path; reads every object.

    Such an index has a hash of its own that is right, and git believes it: an object is read as
    another one. Packs that are damaged themselves are among them.
    raises  HistoryError: git was ended before it had looked at everything
    """
    found = []
    for index in sorted((engine.repository.objects / "pack").glob("pack-*.idx")):
        finished = engine.start("verify-pack", str(index), seconds=_MOST_SECONDS).wait()
        _require_ended_by_itself(engine, "verify-pack", finished)
        if finished.code:
            found.append(index)
    return tuple(found)


def _output_lines(finished: Finished) -> tuple[str, ...]:
    if not (finished.code or finished.out or finished.err):
        return ()
    said = (finished.out + finished.err).decode("utf-8", "replace").splitlines()
    return tuple(line for line in said if line) or (f"exit code {finished.code}",)


def _require_ended_by_itself(engine: Engine, name: str, finished: Finished) -> None:
    """Raise HistoryError when a signal ended it, as for want of memory: it found nothing out."""
    # `check --deep` took a git that ran out of memory for one that found nothing, and said 'no
    # problems'.
    if finished.code < 0:
        output_of((name,), finished, engine.repository.git_dir.parent)
