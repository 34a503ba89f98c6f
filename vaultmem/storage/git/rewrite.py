"""A history without some of its words, worked out in memory; rewritten commits recognised.

Every commit stays, with author, dates and trailers, so record times and answers about the past
stay; what does not hold the words keeps its id. A changed commit loses its signature, which
would not fit any more.
"""

from __future__ import annotations

import hashlib
import re
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from vaultmem.base import TYPE_CHECKING, NamedTuple
from vaultmem.model import blob_oid
from vaultmem.storage.git.engine import Engine
from vaultmem.storage.git.packs import quote_path
from vaultmem.storage.git.survey import NOTES, Survey, run
from vaultmem.storage.notes import split

if TYPE_CHECKING:
    from vaultmem.storage.notes import Erasure

_KINDS = {"commit": 1, "tree": 2, "blob": 3, "tag": 4}
_FAST = 1  # level of compression; what stays is packed again, with deltas


def oid_of(kind: str, data: bytes, algorithm: str) -> str:
    """Git's id of an object."""
    return hashlib.new(algorithm, f"{kind} {len(data)}\0".encode() + data).hexdigest()


def pack(objects: Mapping[str, tuple[str, bytes]], algorithm: str) -> bytes:
    """The objects (kind, bytes) as one pack (gitformat-pack, version 2), whole, without deltas."""
    parts = [b"PACK", (2).to_bytes(4, "big"), len(objects).to_bytes(4, "big")]
    for kind, data in objects.values():
        size, number = len(data) >> 4, (_KINDS[kind] << 4) | (len(data) & 15)
        head = bytearray()
        while size:
            head.append(number | 0x80)
            number, size = size & 0x7F, size >> 7
        head.append(number)
        parts += (bytes(head), zlib.compress(data, _FAST))
    whole = b"".join(parts)
    return whole + hashlib.new(algorithm, whole).digest()


def write_pack(engine: Engine, folder: Path, data: bytes) -> None:
    """Put a pack with its index into the object folder `folder`, beside the vault's objects."""
    run(engine, "index-pack", "--stdin", stdin=data, environment=borrowing(engine, folder))


def pack_reachable(engine: Engine, folder: Path, tips: Iterable[str], *, beside: Path) -> str:
    """Put all that the tips reach into one pack in `folder`; its name without ending.

    beside  object folder that is read beside the vault's
    """
    out = run(
        engine,
        *("pack-objects", "-q", "--revs", "--delta-base-offset", "--window=10", "--depth=50"),
        str(folder / "pack" / "pack"),
        stdin="".join(f"{oid}\n" for oid in sorted(set(tips))).encode(),
        environment=borrowing(engine, beside),
    )
    return f"pack-{out.decode('ascii').strip()}"


def borrowing(engine: Engine, folder: Path) -> dict[str, str]:
    """An environment in which git writes objects to `folder` and reads the vault's too."""
    return {
        "GIT_OBJECT_DIRECTORY": str(folder),
        "GIT_ALTERNATE_OBJECT_DIRECTORIES": quote_path(engine.repository.objects),
    }


_SIGNATURE = re.compile(rb"-----BEGIN (?:PGP|SSH|SIGNED)[^\n]*-----\n.*\Z", re.DOTALL)
_COMMIT_ID = re.compile(rb"\b(?:[0-9a-f]{64}|[0-9a-f]{40})\b")
# Headers that vouch for the bytes of this commit or hold those of a tag that was merged.
_VOUCHING = (b"gpgsig", b"gpgsig-sha256", b"mergetag")
_OWN_ID = re.compile(rb"^id:[ \t]*[\"\']?([ir]-[0-9a-z]+)", re.MULTILINE)
_FOLDER = b"40000"
# Names of other objects for an object, by its id; and what git's own rewriting leaves behind.
_DROPPED = ("refs/replace/", "refs/original/")


class Rewriting:
    """What becomes of each object. `prepare` first, then look at the rest."""

    def __init__(self, survey: Survey, erasure: Erasure) -> None:
        self.survey = survey
        self.erasure = erasure
        self.algorithm = survey.engine.repository.algorithm
        self.made: dict[str, tuple[str, bytes]] = {}  # new id -> kind, bytes
        self.blobs: dict[str, str | None] = {}  # only what changes; None: it goes
        self.commits: dict[str, str] = {}  # all of them
        self.tags: dict[str, str] = {}
        self.messages = 0  # commit messages that said it
        self._trees: dict[str, str | None] = {}
        self._names: dict[bytes, bytes | None] = {}  # only what changes

    def prepare(self) -> None:
        """Work everything out: files, folders, commits, notes on commits, tags."""
        for one in self.survey.blobs():
            if is_note_of(one.data, self.erasure.ids):
                self.blobs[one.oid] = None
                continue
            data = self.erasure.clean(one.data)
            if data is not one.data:
                self.blobs[one.oid] = self._make("blob", data)
        self._rename()
        of_notes = self.survey.commit_only_of(
            [ref.name for ref in self.survey.refs if ref.name.startswith(NOTES)]
        )
        # Parents come before their children in this order, so each new parent is known.
        for oid in self.survey.order:
            if oid not in of_notes:
                self.commits[oid] = self._commit(oid, self.tree)
        # Files of `git notes` are named after the commits that they are about, whose new ids have
        # to be known first.
        for oid in self.survey.order:
            if oid in of_notes:
                self.commits[oid] = self._commit(oid, self._tree_of_notes)
        for oid in self.survey.tags:
            self.tag(oid)

    def _rename(self) -> None:
        for name in self.survey.names():
            stem, dot, ending = name.decode("utf-8", "surrogateescape").rpartition(".")
            if not dot:
                stem, ending = ending, ""
            if self.erasure.is_gone(stem):
                self._names[name] = None
            elif (other := self.erasure.name(stem)) != stem:
                self._names[name] = f"{other}{dot}{ending}".encode("utf-8", "surrogateescape")

    def _make(self, kind: str, data: bytes) -> str:
        if kind == "blob":
            oid = str(blob_oid(data, algorithm=self.algorithm))
        else:
            oid = oid_of(kind, data, self.algorithm)
        self.made[oid] = (kind, data)
        return oid

    def tree(self, oid: str) -> str:
        """The folder as it becomes; the empty folder where nothing is left."""
        found = self._tree(oid)
        return self._make("tree", b"") if found is None else found

    def _tree(self, oid: str) -> str | None:
        if oid in self._trees:
            return self._trees[oid]
        rows: list[tuple[bytes, bytes, bytes]] = []
        is_changed = False
        for mode, name, raw in self.survey.entries(oid):
            new_name: bytes | None = name
            new: str | None = raw.hex()
            if mode == _FOLDER:
                new = self._tree(raw.hex())
            # A submodule names a commit of another repository, which is none of ours to rewrite.
            elif mode != b"160000":
                new_name = self._names.get(name, name)
                new = self.blobs.get(raw.hex(), raw.hex())
            if new is None or new_name is None:
                is_changed = True
                continue
            is_changed = is_changed or new_name != name or new != raw.hex()
            rows.append((mode, new_name, bytes.fromhex(new)))
        if is_changed:
            self._trees[oid] = self._make("tree", _tree_bytes(rows)) if rows else None
        else:
            self._trees[oid] = oid
        return self._trees[oid]

    def _tree_of_notes(self, oid: str) -> str:
        """Notes lie under the id of what they are about; all in one folder, as git allows."""
        rows: dict[bytes, tuple[bytes, bytes]] = {}
        is_changed = self._collect(oid, b"", rows)
        if not is_changed:
            return oid
        return self._make("tree", _tree_bytes([(m, name, raw) for name, (m, raw) in rows.items()]))

    def _collect(self, oid: str, above: bytes, rows: dict[bytes, tuple[bytes, bytes]]) -> bool:
        is_changed = False
        for mode, name, raw in self.survey.entries(oid):
            if mode == _FOLDER:
                is_changed = self._collect(raw.hex(), above + name, rows) or is_changed
                continue
            about = (above + name).decode("ascii", "replace")
            blob = self.blobs.get(raw.hex(), raw.hex())
            now = self.replacement(about)
            is_changed = is_changed or now != about or blob != raw.hex()
            if blob is not None and now is not None:
                rows[now.encode("ascii", "replace")] = (mode, bytes.fromhex(blob))
        return is_changed

    def replacement(self, oid: str) -> str | None:
        """What stands in place of any object; None: nothing."""
        if oid in self.commits:
            return self.commits[oid]
        if oid in self.survey.tags:
            return self.tag(oid)
        if oid in self.survey.trees:
            return self.tree(oid)
        return self.blobs.get(oid, oid)

    def _commit(self, oid: str, tree_of: Callable[[str], str]) -> str:
        data = self.survey.commits[oid]
        head, gap, message = data.partition(b"\n\n")
        said = self.erasure.clean(message)
        self.messages += said is not message
        # Trailers name commits (`Vaultmem-Undoes`): they go on naming the same ones.
        said = _COMMIT_ID.sub(self._renamed_commit, said)
        lines: list[bytes] = []
        dropping = False
        is_changed = said != message
        for line in head.split(b"\n"):
            if line.startswith(b"tree "):
                old = line[5:].decode("ascii")
                new = tree_of(old)
                line = b"tree " + new.encode("ascii")
                is_changed = is_changed or new != old
            elif line.startswith(b"parent "):
                old = line[7:].decode("ascii")
                new = self.commits[old]
                line = b"parent " + new.encode("ascii")
                is_changed = is_changed or new != old
            lines.append(line)
        if not is_changed:
            return oid
        kept: list[bytes] = []
        for line in lines:
            if not line.startswith(b" "):
                dropping = line.partition(b" ")[0] in _VOUCHING
            if not dropping:
                kept.append(line)
        return self._make("commit", b"\n".join(kept) + gap + said)

    def _renamed_commit(self, found: re.Match[bytes]) -> bytes:
        oid = found[0].decode("ascii")
        return self.commits.get(oid, oid).encode("ascii")

    def tag(self, oid: str) -> str:
        """The tag as it becomes."""
        if oid in self.tags:
            return self.tags[oid]
        data = self.survey.tags[oid]
        head, gap, message = data.partition(b"\n\n")
        about = head.split(b"\n", 1)[0][7:].decode("ascii")
        now = self.replacement(about)
        said = self.erasure.clean(message)
        self.messages += said is not message
        self.tags[oid] = oid
        if now is None:
            now = self._make("blob", b"")
        if now != about or said is not message:
            head = head.replace(about.encode("ascii"), now.encode("ascii"), 1)
            self.tags[oid] = self._make("tag", head + gap + _SIGNATURE.sub(b"", said))
        return self.tags[oid]

    def refs(self) -> tuple[tuple[str, str, str], ...]:
        """(name, old, new) of each reference; new '': it goes."""
        found = []
        for ref in self.survey.refs:
            new = self.replacement(ref.oid)
            if ref.name.startswith(_DROPPED) or new is None:
                new = ""
            found.append((ref.name, ref.oid, new))
        return tuple(found)

    def files_of(self, commit: str) -> dict[str, str]:
        """Path -> id of the files of a commit, old or new."""
        found: dict[str, str] = {}
        self._list(self.tree_of_commit(commit), "", found)
        return found

    def _list(self, tree: str, above: str, found: dict[str, str]) -> None:
        data = self.made[tree][1] if tree in self.made else self.survey.trees[tree]
        for mode, name, raw in self.survey.entry.findall(data):
            path = above + name.decode("utf-8", "surrogateescape")
            if mode == _FOLDER:
                self._list(raw.hex(), f"{path}/", found)
            else:
                found[path] = raw.hex()

    def changed_commits(self) -> int:
        """Commits that get another id."""
        return sum(old != new for old, new in self.commits.items())

    def extend(self, tree: str, parent: str, identity: str, message: bytes) -> str:
        """One more commit on top, with the folder that is given."""
        head = f"tree {tree}\nparent {parent}\nauthor {identity}\ncommitter {identity}\n\n"
        return self._make("commit", head.encode("utf-8") + message)

    def tree_of_commit(self, oid: str) -> str:
        """Id of the folder of a commit as it becomes."""
        data = self.made[oid][1] if oid in self.made else self.survey.commits[oid]
        return data[5 : data.index(b"\n")].decode("ascii")


def is_note_of(data: bytes, ids: frozenset[str]) -> bool:
    """Whether the front matter of these bytes says that it is one of these notes."""
    return note_of(data, ids) is not None


def note_of(data: bytes, ids: frozenset[str]) -> str | None:
    """Which of these notes the front matter says that it is; None: none of them."""
    # A byte order mark may stand before the fence, hence six bytes.
    if b"---" not in data[:6] or not any(id_.encode() in data for id_ in ids):
        return None
    found = _OWN_ID.search(split(data).block)
    id_ = found[1].decode("ascii", "replace") if found is not None else ""
    return id_ if id_ in ids else None


def _tree_bytes(rows: Iterable[tuple[bytes, bytes, bytes]]) -> bytes:
    """A folder as git stores it; of two files with one name the first stays."""
    unique: dict[bytes, tuple[bytes, bytes, bytes]] = {}
    for mode, name, raw in rows:
        unique.setdefault(name, (mode, name, raw))
    # Git orders a folder as if its name ended in a stroke; a tree in another order is damaged to
    # `fsck`.
    ordered = sorted(
        unique.values(), key=lambda row: row[1] + b"/" if row[0] == _FOLDER else row[1]
    )
    return b"".join(mode + b" " + name + b"\0" + raw for mode, name, raw in ordered)


# --- twins: commits that a rewriting made in the place of others ---

# Erasing keeps author, committer, dates and the recorded millisecond of every commit, and the
# parents of the first one that changes. So two lines of commits of which one was rewritten begin to
# differ with twins. Nothing that was derived from the erased text is needed to see it.
_FIELDS = (
    *("%m", "%H", "%P", "%an%n%ae%n%at%n%cn%n%ce%n%ct"),
    *("%(trailers:key=Vaultmem-Recorded-At,valueonly)", "%(trailers:key=Vaultmem-Op,valueonly)"),
)


class Commit(NamedTuple):
    """What is compared of a commit."""

    oid: str
    parents: tuple[str, ...]
    made: tuple[str, str]  # who and when; when recorded
    op: str


class Apart(NamedTuple):
    """What each of two lines of commits has and the other has not."""

    ours: tuple[Commit, ...]
    theirs: tuple[Commit, ...]

    def are_twins(self) -> bool:
        """Whether one side is a rewriting of the other, from where they part."""
        return not _first(self.ours).isdisjoint(_first(self.theirs))

    def only_theirs(self) -> int:
        """How many commits of theirs have no twin here."""
        return (
            Counter(each.made for each in self.theirs) - Counter(each.made for each in self.ours)
        ).total()


def _first(side: tuple[Commit, ...]) -> frozenset[tuple[tuple[str, ...], tuple[str, str]]]:
    """The commits of a side that stand on none of it."""
    there = {each.oid for each in side}
    return frozenset((each.parents, each.made) for each in side if there.isdisjoint(each.parents))


def apart(engine: Engine, ours: str, theirs: str) -> Apart:
    """How two lines of commits differ."""
    form = "%x00".join(_FIELDS) + "%x00%x01"
    out = run(engine, "log", "--left-right", f"--format=tformat:{form}", f"{ours}...{theirs}")
    sides: dict[str, list[Commit]] = {"<": [], ">": []}
    for each in out.decode("utf-8", "replace").split("\0\x01"):
        fields = each.lstrip("\n").split("\0")
        if len(fields) == len(_FIELDS):
            side, oid, parents, made, recorded, op = fields
            found = Commit(oid, tuple(parents.split()), (made, recorded.strip()), op.strip())
            sides[side].append(found)
    return Apart(tuple(sides["<"]), tuple(sides[">"]))
