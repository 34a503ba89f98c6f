"""Objects by name or id: which commit a person means, many blobs at once, and damage."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from vaultmem.errors import BadInputError, HistoryError
from vaultmem.vault import git_refs
from vaultmem.vault.git_engine import Engine

_HEX = frozenset("0123456789abcdef")
_SHORTEST_ID = 4
_PREFIXES = ("", "refs/", "refs/tags/", "refs/heads/", "refs/remotes/")
_FSCK_NOTES = ("notice:", "warning", "dangling ", "Checking ")


def resolve(engine: Engine, head: str | None, rev: str) -> str:
    """Id of the commit that `rev` names in the vault; raises BadInputError when it names none."""
    name = rev
    for place, char in enumerate(rev):
        if char in "~^":
            name = rev[:place]
            break
    oid = head if name in ("HEAD", "@") else _named(engine, name)
    found = None
    if oid is not None:
        asked = f"{oid}{rev[len(name) :]}^{{commit}}"
        found = engine.ask("rev-parse", "--verify", "--quiet", "--end-of-options", asked)
    if not found:
        raise BadInputError(
            f"'{rev}' names no commit of this vault", hint="`vaultmem log` lists them"
        )
    return found.decode("ascii").strip()


def _named(engine: Engine, name: str) -> str | None:
    """What the name stands for, by the vault's references: the engine has none."""
    for prefix in _PREFIXES:
        try:
            oid = git_refs.read_ref(engine.repository, prefix + name)
        except HistoryError:
            continue
        if oid is not None:
            return oid
    is_id = _SHORTEST_ID <= len(name) <= len(engine.repository.zero) and _HEX.issuperset(name)
    return name if is_id else None


def blobs(engine: Engine, oids: Iterable[str]) -> Iterator[tuple[str, bytes | None]]:
    """Each blob id with its bytes, or None when there is no such blob; by one process."""
    wanted = list(oids)
    if not wanted:
        return
    out = engine.run("cat-file", "--batch", stdin="\n".join(wanted).encode() + b"\n")
    place = 0
    for oid in wanted:
        end = out.index(b"\n", place)
        words = out[place:end].split(b" ")
        place = end + 1
        if words[-1] in (b"missing", b"ambiguous"):
            yield oid, None
            continue
        size = int(words[-1])
        yield oid, out[place : place + size]
        place += size + 1


def damage(engine: Engine, head: str, *, deep: bool) -> tuple[str, ...]:
    """What `git fsck` finds wrong in all that `head` reaches, each line once."""
    from vaultmem.vault.git_import import drop_dead_branches

    drop_dead_branches(engine)
    how = "--full" if deep else "--connectivity-only"
    finished = engine.start("fsck", how, "--no-dangling", "--no-progress", head).wait()
    said = (finished.out + finished.err).decode("utf-8", "replace").splitlines()
    # The exit code alone says nothing: it is 0 for a commit in a pack that is cut off.
    found = [line for line in said if line and not line.startswith(_FSCK_NOTES)]
    return tuple(dict.fromkeys(found))
