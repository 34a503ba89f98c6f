"""Everything a repository holds, read once: references, commits, folders, files by their bytes."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from vaultmem.base.errors import HistoryError
from vaultmem.base.records import NamedTuple
from vaultmem.storage.git import refs
from vaultmem.storage.git.engine import Engine
from vaultmem.storage.git.repository import LOCK

_CHUNK_BYTES = 48 << 20  # of objects that one process hands over at once
_KEPT_BYTES = 128 << 20  # of files; more are read again each time
_SECONDS = 600.0
STASH = "refs/stash"
NOTES = "refs/notes/"
PACKED_REFS = "packed-refs"


class Object(NamedTuple):
    """An object as git keeps it."""

    oid: str
    kind: str  # commit, tree, blob, tag
    data: bytes


class Ref(NamedTuple):
    """A reference that names an object itself, not another reference."""

    name: str
    oid: str
    is_loose: bool


def all_refs(engine: Engine) -> tuple[Ref, ...]:
    """Every reference of the vault's repository, by name; loose files hide packed lines."""
    git_dir = engine.repository.git_dir
    found = {name: Ref(name, oid, False) for name, oid in _packed(git_dir).items()}
    for folder, _, files in os.walk(git_dir / "refs"):
        for file in files:
            name = Path(folder, file).relative_to(git_dir).as_posix()
            if name.endswith(LOCK):
                continue
            text = Path(folder, file).read_text(encoding="utf-8", errors="replace").strip()
            if refs.is_oid(engine.repository, text):
                found[name] = Ref(name, text, True)
            elif text.startswith("ref:"):
                found.pop(name, None)
            else:
                raise HistoryError(
                    f"the reference '{name}' is damaged", hint="run `vaultmem check --fix`"
                )
    return tuple(found[name] for name in sorted(found))


def _packed(git_dir: Path) -> dict[str, str]:
    try:
        text = (git_dir / PACKED_REFS).read_text(encoding="utf-8", errors="surrogateescape")
    except FileNotFoundError:
        return {}
    lines = (line.split(" ", 1) for line in text.splitlines() if line[:1] not in ("#", "^", ""))
    return {pair[1]: pair[0] for pair in lines if len(pair) == 2}


class StashLine(NamedTuple):
    """One entry of the log of the stash: all but the newest stand nowhere else."""

    old: str
    new: str
    rest: str  # who, when and a tab with what


def stash_log(engine: Engine) -> tuple[StashLine, ...]:
    """The entries of the stash, oldest first."""
    file = engine.repository.git_dir / "logs" / STASH
    try:
        text = file.read_text(encoding="utf-8", errors="surrogateescape")
    except FileNotFoundError:
        return ()
    found = []
    for line in text.splitlines():
        old, _, rest = line.partition(" ")
        new, _, rest = rest.partition(" ")
        if refs.is_oid(engine.repository, new):
            found.append(StashLine(old, new, rest))
    return tuple(found)


class Survey:
    """All that the references reach. Commits and folders are kept, files are read on demand."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.refs = all_refs(engine)
        self.head = refs.read_head(engine.repository)
        self.stashes = stash_log(engine)
        tips = {ref.oid for ref in self.refs} | {line.new for line in self.stashes}
        tips |= {self.head.oid} if self.head.oid else set()
        self.tips = tuple(sorted(tips))
        asked = "".join(f"{oid}\n" for oid in self.tips).encode()
        listed = run(
            engine, "rev-list", "--objects", "--no-object-names", "--stdin", stdin=asked
        ).split(b"\n")
        self.kinds = kinds_and_sizes(engine, b"\n".join(dict.fromkeys(filter(None, listed))))
        self.commits: dict[str, bytes] = {}
        self.trees: dict[str, bytes] = {}
        self.tags: dict[str, bytes] = {}
        kept = {"commit": self.commits, "tree": self.trees, "tag": self.tags}
        wanted = [(oid, size) for oid, (kind, size) in self.kinds.items() if kind != "blob"]
        for one in read_objects(engine, wanted):
            kept[one.kind][one.oid] = one.data
        order = run(engine, "rev-list", "--topo-order", "--reverse", "--stdin", stdin=asked)
        self.order = tuple(oid.decode("ascii") for oid in order.split())
        width = len(engine.repository.zero) // 2
        self._names: dict[bytes, set[str]] | None = None
        self._blobs: list[Object] | None = None
        self.entry = re.compile(rb"([0-7]+) ([^\0]+)\0(.{%d})" % width, re.DOTALL)

    def blobs(self) -> Iterator[Object]:
        """Every file of every time, once; kept for the next look where there is room for it."""
        if self._blobs is not None:
            yield from self._blobs
            return
        wanted = [(oid, size) for oid, (kind, size) in self.kinds.items() if kind == "blob"]
        kept: list[Object] | None = [] if sum(s for _, s in wanted) <= _KEPT_BYTES else None
        for one in read_objects(self.engine, wanted):
            if kept is not None:
                kept.append(one)
            yield one
        self._blobs = kept

    def entries(self, tree: str) -> list[tuple[bytes, bytes, bytes]]:
        """(mode, name, raw id) of what is in a folder."""
        return self.entry.findall(self.trees[tree])

    def names(self) -> dict[bytes, set[str]]:
        """Every name of a file there ever was, with the ids of what it held."""
        if self._names is None:
            self._names = self._all_names()
        return self._names

    def _all_names(self) -> dict[bytes, set[str]]:
        found: dict[bytes, set[str]] = {}
        for data in self.trees.values():
            for mode, name, raw in self.entry.findall(data):
                if mode[:1] == b"1" and mode != b"160000":
                    found.setdefault(name, set()).add(raw.hex())
        return found

    def commit_only_of(self, names: Sequence[str]) -> frozenset[str]:
        """Commits that only these references reach."""
        inside = [ref.oid for ref in self.refs if ref.name in names]
        outside = {tip for tip in self.tips if tip not in inside}
        if not inside:
            return frozenset()
        asked = "".join(
            [*(f"{oid}\n" for oid in inside), *(f"^{oid}\n" for oid in sorted(outside))]
        )
        out = run(self.engine, "rev-list", "--stdin", stdin=asked.encode())
        return frozenset(out.decode("ascii").split())


def kinds_and_sizes(engine: Engine, oids: bytes) -> dict[str, tuple[str, int]]:
    """Kind and size of each object id (one a line)."""
    if not oids:
        return {}
    out = run(
        engine,
        *("cat-file", "--batch-check=%(objectname) %(objecttype) %(objectsize)", "--buffer"),
        stdin=oids + b"\n",
    )
    return dict(_sized(out, engine))


def all_objects(engine: Engine) -> dict[str, tuple[str, int]]:
    """Kind and size of every object of the repository, reachable or not."""
    out = run(
        engine,
        *("cat-file", "--batch-all-objects", "--buffer"),
        "--batch-check=%(objectname) %(objecttype) %(objectsize)",
    )
    return dict(_sized(out, engine))


def _sized(out: bytes, engine: Engine) -> Iterator[tuple[str, tuple[str, int]]]:
    for line in out.decode("ascii").splitlines():
        oid, _, rest = line.partition(" ")
        kind, _, size = rest.partition(" ")
        if not size.isdecimal():
            raise HistoryError(
                f"the object {oid[:10]} of the repository is missing",
                hint="run `vaultmem check --fix`",
            )
        yield oid, (kind, int(size))


def read_objects(engine: Engine, wanted: Iterable[tuple[str, int]]) -> Iterator[Object]:
    """The objects (id, size), a few processes for all of them."""
    chunk: list[str] = []
    total = 0
    for oid, size in wanted:
        if chunk and total + size > _CHUNK_BYTES:
            yield from _read(engine, chunk)
            chunk, total = [], 0
        chunk.append(oid)
        total += size + 100
    if chunk:
        yield from _read(engine, chunk)


def _read(engine: Engine, oids: Sequence[str]) -> Iterator[Object]:
    out = run(engine, "cat-file", "--batch", "--buffer", stdin="\n".join(oids).encode() + b"\n")
    place = 0
    for oid in oids:
        end = out.index(b"\n", place)
        words = out[place:end].decode("ascii").split(" ")
        if len(words) != 3:
            raise HistoryError(
                f"the object {oid[:10]} of the repository cannot be read",
                hint="run `vaultmem check --fix`",
            )
        size = int(words[2])
        yield Object(oid, words[1], out[end + 1 : end + 1 + size])
        place = end + size + 2


def run(
    engine: Engine,
    *arguments: str,
    stdin: bytes = b"",
    environment: Mapping[str, str] | None = None,
) -> bytes:
    """Output of a git command that may take minutes."""
    from vaultmem.storage.git.engine import output_of

    running = engine.start(*arguments, stdin=stdin, environment=environment or {}, seconds=_SECONDS)
    return output_of(arguments, running.wait(), engine.repository.git_dir.parent)
