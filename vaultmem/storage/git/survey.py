"""Everything a repository holds, read once, and what is broken in it, found without git."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import re
import struct
import time
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from vaultmem.base import HistoryError, NamedTuple, disk_error
from vaultmem.storage.git import refs
from vaultmem.storage.git.engine import Engine, output_of
from vaultmem.storage.git.objects import parse_batch
from vaultmem.storage.git.packs import IDX_FANOUT, IDX_MAGIC
from vaultmem.storage.git.repository import LOCK, Repository

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
    found = {name: Ref(name, oid, False) for name, oid in _read_packed_refs(git_dir).items()}
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


def _read_packed_refs(git_dir: Path) -> dict[str, str]:
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

    def files_only_below(self, top: bytes) -> frozenset[str]:
        """Ids of files that no commit ever had elsewhere than below this folder of its root."""
        inside: set[str] = set()
        outside: set[str] = set()  # folders, and other files, of the roots
        for data in self.commits.values():
            root = data[5 : data.index(b"\n")].decode("ascii")
            for _, name, raw in self.entries(root) if root in self.trees else ():
                (inside if name == top else outside).add(raw.hex())
        if not inside:
            return frozenset()
        return frozenset(self._files_below(inside) - self._files_below(outside))

    def _files_below(self, objects: Iterable[str]) -> set[str]:
        """The files among these objects, and in and below the folders."""
        waiting, seen, found = list(objects), set[str](), set[str]()
        while waiting:
            oid = waiting.pop()
            if oid in seen:
                continue
            seen.add(oid)
            if oid in self.trees:
                waiting += [raw.hex() for _, _, raw in self.entries(oid)]
            else:
                found.add(oid)
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
    return dict(_parse_sizes(out, engine))


def all_objects(engine: Engine) -> dict[str, tuple[str, int]]:
    """Kind and size of every object of the repository, reachable or not."""
    out = run(
        engine,
        *("cat-file", "--batch-all-objects", "--buffer"),
        "--batch-check=%(objectname) %(objecttype) %(objectsize)",
    )
    return dict(_parse_sizes(out, engine))


def _parse_sizes(out: bytes, engine: Engine) -> Iterator[tuple[str, tuple[str, int]]]:
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
        # A hundred bytes stand for the line that git writes before each object.
        total += size + 100
    if chunk:
        yield from _read(engine, chunk)


def _read(engine: Engine, oids: Sequence[str]) -> Iterator[Object]:
    out = run(engine, "cat-file", "--batch", "--buffer", stdin="\n".join(oids).encode() + b"\n")
    for found in map(Object._make, parse_batch(out, oids)):
        if not found.kind:
            raise HistoryError(
                f"the object {found.oid[:10]} of the repository cannot be read",
                hint="run `vaultmem check --fix`",
            )
        yield found


def run(
    engine: Engine,
    *arguments: str,
    stdin: bytes = b"",
    environment: Mapping[str, str] | None = None,
) -> bytes:
    """Output of a git command that may take minutes."""
    running = engine.start(*arguments, stdin=stdin, environment=environment or {}, seconds=_SECONDS)
    return output_of(arguments, running.wait(), engine.repository.git_dir.parent)


# --- damage, found by looking at files ---

# Git itself goes on without a word over an empty blob, and dies over an empty reference or a bad
# index of a pack. So each kind of file is asked by its own means: objects and packs carry their own
# hash, references and HEAD have a form, locks an age and an owner.
#
# A file that the system refuses to open (no descriptors left, no permission) is not damaged: that
# is a DiskError, and nothing is mended on the strength of it.
STALE_LOCK_SECONDS = 600.0
_CHUNK = 1 << 20
_HEX = frozenset("0123456789abcdef")
# Files that git makes from others, and makes again: each ends with the hash of what is before.
_DERIVED = (".rev", ".bitmap")
# There is nothing of the kind that git keeps there: gone, a folder, a file, a link in a circle.
_NOT_THERE = (errno.ENOENT, errno.EISDIR, errno.ENOTDIR, errno.ELOOP)
# By gitformat-pack: before the rows of a `.rev` stand its magic, its version and the number of the
# hash, four bytes each; an `.idx` is told in packs.py.
_REV_HEAD = 12
_LOW_BITS = 0x7FFFFFFF
_MAGIC = {".pack": b"PACK", ".idx": b"\xfftOc"}


def locks(git_dir: Path) -> Iterator[Path]:
    """Every lock of git's own, in order; links are not followed."""
    for folder, below, files in os.walk(git_dir):
        below.sort()
        if Path(folder) == git_dir:
            below[:] = [name for name in below if name in ("refs", "objects", "logs")]
        elif Path(folder) == git_dir / "objects":
            below[:] = [name for name in below if name in ("info", "pack")]
        yield from (Path(folder, name) for name in sorted(files) if name.endswith(LOCK))


def lock_age_seconds(lock: Path) -> float | None:
    """How old a lock is; None when it is gone."""
    try:
        return time.time() - lock.lstat().st_mtime
    except OSError:
        return None


def holder(lock: Path, root: Path) -> int | None:
    """A process that has the lock open, or is a git at work in the vault; None: there is none.

    Only where the system shows processes as files (Linux); elsewhere age alone must do.
    """
    try:
        numbers = [name for name in os.listdir("/proc") if name.isdecimal()]
    except OSError:
        return None
    for number in numbers:
        if int(number) == os.getpid():
            continue
        process = Path("/proc", number)
        with contextlib.suppress(OSError):
            if any(os.readlink(fd) == str(lock) for fd in _descriptors(process)):
                return int(number)
            name = (process / "comm").read_text().strip()
            if name.startswith("git") and Path(os.readlink(process / "cwd")).is_relative_to(root):
                return int(number)
    return None


def _descriptors(process: Path) -> list[str]:
    try:
        return [entry.path for entry in os.scandir(process / "fd")]
    except OSError:
        return []


def loose_objects(repository: Repository) -> Iterator[tuple[str, Path]]:
    """Id and file of every loose object, by id."""
    digits = len(repository.zero)
    for folder in sorted(_names(repository.objects)):
        if len(folder) != 2 or not _HEX.issuperset(folder):
            continue
        for name in sorted(_names(repository.objects / folder)):
            if len(name) == digits - 2 and _HEX.issuperset(name):
                yield folder + name, repository.objects / folder / name


def is_bad_object(repository: Repository, oid: str, file: Path) -> bool:
    """Whether a loose object is empty, or its bytes are not those of its id."""
    try:
        with _asking(file):
            if not file.lstat().st_size:
                return True
            data = zlib.decompress(file.read_bytes())
    except (FileNotFoundError, zlib.error):
        # Only these are damage: an object that the system would not open (EACCES, EMFILE) was moved
        # aside once, and the branch rewound.
        return True
    return hashlib.new(repository.algorithm, data).hexdigest() != oid


def bad_packs(repository: Repository) -> Iterator[tuple[Path, str]]:
    """Files of packs that are damaged, with how: 'pack', 'index' or 'derived'."""
    folder = repository.objects / "pack"
    names = _names(folder)
    for name in sorted(names):
        file = folder / name
        stem, ending = os.path.splitext(name)
        if ending == ".pack" and stem.startswith("pack-"):
            if not has_own_hash(repository, file):
                yield file, "pack"
            elif f"{stem}.idx" not in names or not _is_index_of(repository, file):
                yield folder / f"{stem}.idx", "index"
        elif ending in _DERIVED or name == "multi-pack-index":
            if not has_own_hash(repository, file) or _is_wrong_reverse(repository, file):
                yield file, "derived"
        elif ending == ".idx" and f"{stem}.pack" not in names:
            yield file, "derived"
    graph = repository.objects / "info" / "commit-graph"
    if graph.exists() and not has_own_hash(repository, graph):
        yield graph, "derived"


def has_own_hash(repository: Repository, file: Path) -> bool:
    """Whether a file ends with the hash of all that is before, and begins as its kind does."""
    width = len(repository.zero) // 2
    digest = hashlib.new(repository.algorithm)
    try:
        with _asking(file), open(file, "rb") as opened:
            left = os.fstat(opened.fileno()).st_size - width
            if left <= 0:
                return False
            first = opened.read(min(_CHUNK, left))
            if not first.startswith(_MAGIC.get(file.suffix, b"")):
                return False
            while first:
                digest.update(first)
                left -= len(first)
                first = opened.read(min(_CHUNK, left)) if left else b""
            return opened.read() == digest.digest()
    except FileNotFoundError:
        return False


def _is_index_of(repository: Repository, pack: Path) -> bool:
    """Whether the index of a pack is whole, and says that it was made of this pack."""
    width = len(repository.zero) // 2
    index = pack.with_suffix(".idx")
    if not has_own_hash(repository, index):
        return False
    return _end(index, 2 * width, width) == _end(pack, width, width)


def _end(file: Path, before_end: int, count: int) -> bytes:
    with _asking(file), open(file, "rb") as opened:
        opened.seek(-before_end, os.SEEK_END)
        return opened.read(count)


def _is_wrong_reverse(repository: Repository, file: Path) -> bool:
    """Whether a whole `.rev` lists the objects of its pack in another order than they lie in.

    Git before 2.41 reads it whatever the settings say; without the index it says nothing.
    """
    index = file.with_suffix(".idx")
    if file.suffix != ".rev" or not os.path.lexists(index):
        return False
    width = len(repository.zero) // 2
    try:
        with _asking(index):
            data = index.read_bytes()
        with _asking(file):
            rows = file.read_bytes()[_REV_HEAD : -2 * width]
    except FileNotFoundError:
        return False
    places = index_offsets(data, width)
    order = sorted(range(len(places)), key=places.__getitem__)
    return rows != struct.pack(f">{len(order)}I", *order)


def index_offsets(data: bytes, width: int) -> tuple[int, ...]:
    """Where each object lies in the pack, by an index of version 2, in the order of their ids.

    width  bytes of an id
    Empty for another version, and for an index that is shorter than it says.
    """
    if not data.startswith(IDX_MAGIC) or len(data) < IDX_FANOUT:
        return ()
    count = int.from_bytes(data[IDX_FANOUT - 4 : IDX_FANOUT], "big")
    small = IDX_FANOUT + count * (width + 4)
    large = small + 4 * count
    if len(data) < large + 2 * width:
        return ()
    offsets = struct.unpack_from(f">{count}I", data, small)
    wide = struct.unpack_from(f">{(len(data) - 2 * width - large) // 8}Q", data, large)
    # With the highest bit set it is a row of the table of 8 byte offsets behind.
    return tuple(
        wide[each & _LOW_BITS] if each > _LOW_BITS and (each & _LOW_BITS) < len(wide) else each
        for each in offsets
    )


def index_flaw(repository: Repository) -> str:
    """What is wrong with the person's index: 'is missing', 'is damaged'; '' for nothing."""
    file = repository.git_dir / "index"
    width = len(repository.zero) // 2
    try:
        with _asking(file):
            data = file.read_bytes()
    except FileNotFoundError:
        return "is missing"
    body, end = data[:-width], data[-width:]
    # `index.skipHash` writes zeros instead of the hash.
    is_whole = hashlib.new(repository.algorithm, body).digest() == end or not any(end)
    return "" if body.startswith(b"DIRC") and is_whole else "is damaged"


def branches(repository: Repository) -> tuple[str, ...]:
    """Full names of branches that have a file, a log or a line in packed-refs, sorted."""
    found = set()
    for top in (repository.git_dir, repository.git_dir / "logs"):
        for folder, _, files in os.walk(top / "refs" / "heads", onerror=_raise_unless_gone):
            for name in files:
                if not name.endswith(LOCK):
                    found.add(Path(folder, name).relative_to(top).as_posix())
    packed = repository.git_dir / "packed-refs"
    with contextlib.suppress(FileNotFoundError), _asking(packed):
        lines = packed.read_bytes().split(b"\n")
        names = (line.partition(b" ")[2].decode("utf-8", "replace") for line in lines)
        found.update(name for name in names if name.startswith("refs/heads/"))
    return tuple(sorted(found))


def names_a_branch(repository: Repository) -> bool:
    """Whether HEAD says where it is, be it a branch or a commit."""
    head = repository.git_dir / refs.HEAD
    try:
        with _asking(head):
            text = head.read_text(encoding="utf-8").strip()
        if text.startswith("ref:"):
            refs.require_ref_name(text[4:].strip())
            return True
    except (FileNotFoundError, UnicodeDecodeError, HistoryError):
        return False
    return refs.is_oid(repository, text)


def likely_branch(repository: Repository) -> str:
    """The branch that HEAD was at: the one whose log ends as that of HEAD does."""
    names = branches(repository)
    last = refs.last_logged(repository, refs.HEAD)
    for name in names:
        if last and last in (refs.last_logged(repository, name), _value(repository, name)):
            return name
    usual = tuple(name for name in ("refs/heads/main", "refs/heads/master") if name in names)
    return (*usual, *names, "refs/heads/main")[0]


def _value(repository: Repository, name: str) -> str | None:
    try:
        return refs.read_ref(repository, name)
    except HistoryError:
        return None


def _names(folder: Path) -> frozenset[str]:
    try:
        with _asking(folder):
            return frozenset(os.listdir(folder))
    except FileNotFoundError:
        return frozenset()


@contextlib.contextmanager
def _asking(file: Path) -> Iterator[None]:
    """What the system refuses as DiskError; that nothing, or another kind, is there as that."""
    try:
        yield
    except OSError as error:
        if error.errno in _NOT_THERE:
            raise FileNotFoundError(error.errno, error.strerror, str(file)) from error
        raise disk_error(error, doing="read", what=file) from error


def _raise_unless_gone(error: OSError) -> None:
    if error.errno not in _NOT_THERE:
        raise disk_error(error, doing="read") from error
