"""Mend a repository in small steps that can be repeated; lost objects, and gaps in the history.

Steps come in rounds, because what is missing shows only when what is broken is out of the way:
first files that keep git from starting, then objects and packs, then objects that the files on
disk or the person's index can give back, then where the branch is, at last that index.
Nothing is deleted: a damaged file is moved to a folder in the device state. Order and rules:
reliability.md 5.4.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import shutil
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path, PurePosixPath

from vaultmem import base
from vaultmem.base import HistoryError, NamedTuple, disk_error
from vaultmem.model import blob_oid, pluralise
from vaultmem.storage.git import objects, refs, survey
from vaultmem.storage.git.engine import GAPS_FILE as FILE
from vaultmem.storage.git.engine import Engine, open_engine, output_of
from vaultmem.storage.git.repository import GIT, open_repository

# --- lost objects made again ---

# An object is its bytes, so what is made is the very object that was lost, or nothing.
_LARGEST_FILE = 64 << 20  # of the work tree, looked at for a lost object


def blobs_on_disk(root: Path, oids: Iterable[str], *, algorithm: str) -> Iterator[tuple[str, str]]:
    """Those of the blobs whose bytes are in a file of the work tree, with its path."""
    wanted = set(oids)
    for folder, below, files in os.walk(root) if wanted else ():
        below[:] = sorted(name for name in below if name != GIT)
        for name in sorted(files):
            file = Path(folder, name)
            if file.is_symlink() or not file.is_file() or file.stat().st_size > _LARGEST_FILE:
                continue
            oid = str(blob_oid(file.read_bytes(), algorithm=algorithm))
            if oid in wanted:
                wanted.discard(oid)
                yield oid, file.relative_to(root).as_posix()


def trees_of_index(engine: Engine) -> dict[str, bytes]:
    """Id -> bytes of the trees that the person's index comes to; none when it cannot be read."""
    asked = engine.start("ls-files", "-s", "-z", index=engine.repository.git_dir / "index").wait()
    top: dict[bytes, object] = {}
    for line in asked.out.split(b"\0")[:-1] if asked.code == 0 else ():
        about, _, path = line.partition(b"\t")
        mode, oid, _ = about.split(b" ")
        *folders, name = path.split(b"/")
        place = top
        for folder in folders:
            place = place.setdefault(folder, {})  # type: ignore[assignment]
        place[name] = (mode, bytes.fromhex(oid.decode("ascii")))
    found: dict[str, bytes] = {}
    _tree(top, found, engine.repository.algorithm)
    return found


def _tree(folder: Mapping[bytes, object], found: dict[str, bytes], algorithm: str) -> bytes:
    """Id (raw) of a folder as a tree; it and those below it are put into `found`."""
    rows = []
    for name, inner in folder.items():
        if isinstance(inner, dict):
            rows.append((name + b"/", b"40000", name, _tree(inner, found, algorithm)))
        elif isinstance(inner, tuple):
            rows.append((name, inner[0], name, inner[1]))
    data = b"".join(mode + b" " + name + b"\0" + oid for _, mode, name, oid in sorted(rows))
    digest = hashlib.new(algorithm, b"tree %d\0" % len(data) + data)
    found[digest.hexdigest()] = data
    return digest.digest()


_FRESH_CONFIG = (
    "[core]\n\trepositoryformatversion = 0\n\tfilemode = {filemode}\n"
    "\tbare = false\n\tlogallrefupdates = true\n"
)

_INDEX_ANEW = "make the index of the pack anew"
_BY_ITSELF = "git makes this file again by itself"
_MISSING = re.compile(r"^missing (blob|tree|commit|tag) ([0-9a-f]+)$|to +(blob|tree) ([0-9a-f]+)$")
_HEAD = "HEAD"
# By what git's words about a commit that is not whole are told from those about anything else.
_SAID_OF_DAMAGE = (
    *(b"bad object", b"bad tree", b"missing", b"ould not read", b"nable to read", b"corrupt"),
    *(b"raverse", b"malformed", b"not a tree"),
)


class Step(NamedTuple):
    """One thing that will be done, in words and for `Repair.carry_out`."""

    kind: str
    path: PurePosixPath  # of the file it is about, below the vault
    what: str
    undo: str  # how it can be taken back
    value: str = ""  # new text of a reference; object id
    origin: str = ""  # file on disk that an object is made from


class Repair:
    """The repository of a vault, to be looked at and mended; under the writer lock.

    kept         folder in the device state for originals; made when first needed
    known_heads  commits that this device knew as the head, newest first
    deep         compare every object with what the indexes of packs say (5 s for 20,000 commits)
    """

    def __init__(
        self,
        root: Path,
        state: Path,
        *,
        kept: Path,
        known_heads: Sequence[str] = (),
        environment: Mapping[str, str] | None = None,
        deep: bool = False,
    ) -> None:
        env = os.environ if environment is None else environment
        self._root = root
        self._repository = open_repository(root, environment=env)
        self._engine = open_engine(self._repository, state, env)
        self._git_dir = self._repository.git_dir
        self.kept = kept
        self.known_heads = tuple(known_heads)
        self._is_deep = deep
        self._found_gaps: Gaps | None = None  # None: not looked for
        self._said: dict[str, tuple[str, ...]] = {}

    def plan(self) -> tuple[Step, ...]:
        """What has to be done first; empty when nothing is wrong, or nothing can be done.

        raises  HistoryDamagedError  a folder below `.git` is a link, so nothing is written
        """
        self._repository.require_own()
        locks = tuple(self._locks())
        for look in (
            *(self._structure, self._objects, self._steps_for_forged),
            *(self._missing, self._branch, self._index, self._gaps),
        ):
            found = tuple(look())
            if found:
                return (*locks, *found)
        return locks

    def release_dead(self) -> None:
        """Let go of the locks of a process of ours that died, also in the middle of mending."""
        refs.release_dead(self._git_dir)

    def losses(self) -> tuple[str, ...]:
        """What is wrong in the history and cannot be mended, a line each."""
        tip = self._good_tip()
        return () if tip is None else self._complaints(tip)

    # --- what keeps git from starting ------------------------------------------------------

    def _locks(self) -> Iterator[Step]:
        for lock in survey.locks(self._git_dir):
            age = survey.lock_age_seconds(lock) or 0.0
            if age > survey.STALE_LOCK_SECONDS and not survey.holder(lock, self._root):
                yield self._aside("lock", lock, f"a lock of git, {age / 60:.0f} minutes old")

    def _structure(self) -> Iterator[Step]:
        for name in ("objects", "refs"):
            if not (self._git_dir / name).is_dir():
                yield self._step("folder", self._git_dir / name, "make the folder, which is gone")
        flaw = self._repository.flaw
        if flaw and "is not a folder" not in flaw:
            yield self._step("config", self._git_dir / "config", "write git's usual settings anew")
        try:
            refs.read_head(self._repository)
        except HistoryError:
            if not survey.names_a_branch(self._repository):
                yield self._step(
                    "head",
                    self._git_dir / _HEAD,
                    f"let HEAD be at '{survey.likely_branch(self._repository)}'",
                )

    # --- objects ---------------------------------------------------------------------------

    def _objects(self) -> Iterator[Step]:
        for oid, file in survey.loose_objects(self._repository):
            if survey.is_bad_object(self._repository, oid, file):
                yield self._aside("object", file, f"object {oid[:10]} is empty or damaged")
        for file, how in survey.bad_packs(self._repository):
            if how == "pack":
                yield self._aside("pack", file, "a damaged pack; what is whole in it is taken over")
            elif how == "index":
                yield self._step("pack-index", file, _INDEX_ANEW)
            else:
                yield self._aside("derived", file, _BY_ITSELF)

    def _steps_for_forged(self) -> Iterator[Step]:
        """Whole files that say of the objects what these do not; only once all packs are whole."""
        for file in objects.wrong_derived(self._engine):
            yield self._aside("derived", file, f"it is not what the objects say; {_BY_ITSELF}")
        if self._is_deep:
            for file in objects.wrong_indexes(self._engine):
                yield self._step("pack-index", file, f"{_INDEX_ANEW}: it names other objects")

    def _missing(self) -> Iterator[Step]:
        tip = self._tip()
        gone = self._missing_objects(tip) if tip is not None else {}
        if not gone:
            return
        blobs = [oid for oid, kind in gone.items() if kind == "blob"]
        for oid, path in blobs_on_disk(self._root, blobs, algorithm=self._repository.algorithm):
            yield self._step(
                "blob",
                self._loose(oid),
                f"make the lost object {oid[:10]} from '{path}'",
                value=oid,
                origin=path,
            )
        trees = trees_of_index(self._engine)
        for oid, kind in gone.items():
            if kind == "tree" and oid in trees:
                what = f"make the lost object {oid[:10]} (a folder) from git's index"
                yield self._step("tree", self._loose(oid), what, value=oid)

    def _loose(self, oid: str) -> Path:
        return self._repository.objects / oid[:2] / oid[2:]

    def _tip(self) -> str | None:
        """The commit that is, or should be, the head: of those that exist at all."""
        candidates = self._candidates()
        if candidates and not self._complaints(candidates[0]):
            return candidates[0]
        return next((oid for oid in candidates if self._engine.has_commit(oid)), None)

    def _missing_objects(self, tip: str) -> dict[str, str]:
        """Id -> kind of the objects that the history of `tip` needs and the repository lacks."""
        gone = {}
        for line in self._complaints(tip):
            for match in _MISSING.finditer(line):
                kind, oid = match.group(1) or match.group(3), match.group(2) or match.group(4)
                gone[oid] = kind
        return gone

    def _complaints(self, tip: str) -> tuple[str, ...]:
        if tip not in self._said:  # seconds in a long history, and asked for twice by a look
            self._said[tip] = objects.damage(self._engine, tip, deep=False)
        return self._said[tip]

    # --- where the branch is ---------------------------------------------------------------

    def _branch(self) -> Iterator[Step]:
        ref, now = self._head_ref()
        if (now is None and not self._candidates()) or (now is not None and self._is_good(now)):
            return
        file = self._git_dir / ref
        tip, index = self._good_tip(), self._git_dir / "index"
        if tip is not None:
            yield self._step("branch", file, f"let '{ref}' be at {tip[:10]}", value=tip)
            if tip != self._candidates()[0] and index.exists():
                # What was committed after it would be staged, and so wait for the person.
                yield self._aside("stale", index, "git's index is of a commit that is lost")
        elif file.exists() or any(log.exists() for log in self._logs(ref)):
            what = "no commit is left: the notes become the first commit of a new history"
            yield self._step("anew", file, what)
            if index.exists():
                yield self._aside("stale", index, "git's index is of commits that are lost")

    def _head_ref(self) -> tuple[str, str | None]:
        """The reference that HEAD names, and the commit it is at (None: none that can be read)."""
        try:
            head = refs.read_head(self._repository)
        except HistoryError:
            with contextlib.suppress(OSError, UnicodeDecodeError):
                text = (self._git_dir / _HEAD).read_text(encoding="utf-8").strip()
                return (text[4:].strip() if text.startswith("ref:") else _HEAD), None
            return _HEAD, None
        return head.ref, head.oid

    def _candidates(self) -> tuple[str, ...]:
        """Commits that the head is or was at, the likeliest first."""
        ref, now = self._head_ref()
        logged = refs.read_reflog(self._repository, ref)
        of_head = refs.read_reflog(self._repository, _HEAD)
        # What the last command of ours saw is younger than an older line of a log.
        found = [now or "", *logged[:1], *of_head[:1], *self.known_heads, *logged, *of_head]
        return tuple(oid for oid in dict.fromkeys(found) if refs.is_oid(self._repository, oid))

    def _good_tip(self) -> str | None:
        return next((oid for oid in self._candidates() if self._is_good(oid)), None)

    def _is_good(self, oid: str) -> bool:
        """Whether the commit is there with every file of its tree; its past may have holes.

        One that a walk over its whole history found nothing wrong with is: asked for once more,
        and that it exists, a look at a sound repository took five git processes instead of two.
        """
        if self._said.get(oid) == ():
            return True
        asked = ("rev-list", "--objects", "--no-walk", "--quiet", oid)
        finished = self._engine.start(*asked).wait()
        # A git that could not open a file (EACCES, EMFILE) was taken for a damaged commit, and the
        # branch was set back.
        if finished.code and not any(words in finished.err for words in _SAID_OF_DAMAGE):
            output_of(
                asked, finished, self._root
            )  # git itself does not work: that says nothing about it
        return finished.code == 0

    def _logs(self, ref: str) -> list[Path]:
        return [self._git_dir / "logs" / name for name in dict.fromkeys((ref, _HEAD))]

    # --- the person's index ----------------------------------------------------------------

    def _index(self) -> Iterator[Step]:
        flaw = survey.index_flaw(self._repository)
        _, now = self._head_ref()
        if flaw and now is not None:
            what = f"git's index {flaw}: make it anew from the last commit (nothing is staged then)"
            yield self._step("index", self._git_dir / "index", what, value=now)

    # --- what stays lost -------------------------------------------------------------------

    def _gaps(self) -> Iterator[Step]:
        """Let commands step over what cannot be read; only where something is missing at all."""
        _, now = self._head_ref()
        known = read(self._engine)
        # One lost commit ended log, undo, history and audit with 74 for ever, also about operations
        # made after the repair.
        if now is None or not (known.after or self._complaints(now)):
            return
        self._found_gaps = self._find_gaps(now)
        if self._found_gaps == known:
            return
        file, count = self._git_dir, len(self._found_gaps.lost)
        lost = pluralise(count, "commit")
        what = f"{lost} cannot be read: what looks back steps over them from now on"
        if not count:
            what = "the history can be read again: nothing is stepped over any more"
        undo = "nothing in the repository is changed; `vaultmem check --fix` looks again"
        yield Step("gaps", PurePosixPath(file.relative_to(self._root).as_posix()), what, undo)

    def _find_gaps(self, tip: str) -> Gaps:
        return find(self._engine, tip, (self._head_ref()[0], _HEAD))

    # --- carrying out ----------------------------------------------------------------------

    def carry_out(self, step: Step) -> None:
        """Take one step; raises HistoryError or DiskError, with the original kept or in place."""
        file = self._root / step.path
        try:
            if step.kind == "folder":
                self._keep(file)
                file.mkdir()
            elif step.kind == "config":
                self._keep(file)
                filemode = "false" if os.name == "nt" else "true"
                self._write(file, _FRESH_CONFIG.format(filemode=filemode))
            elif step.kind == "head":
                self._replace(file, f"ref: {survey.likely_branch(self._repository)}\n")
            elif step.kind == "branch":
                self._replace(file, f"{step.value}\n")
            elif step.kind == "anew":
                for each in (file, *self._logs(self._head_ref()[0])):
                    self._keep(each)
            elif step.kind == "pack":
                self._unpack(file)
            elif step.kind == "pack-index":
                self._keep(file)
                self._keep(file.with_suffix(".rev"))
                self._engine.run("index-pack", str(file.with_suffix(".pack")))
            elif step.kind in ("blob", "tree"):
                self._make(step)
            elif step.kind == "gaps":
                write(self._engine, self._found_gaps or self._find_gaps(self._tip() or ""))
            elif step.kind == "index":
                self._keep(file)
                new = refs.new_file(self._git_dir, "index")
                self._engine.run("read-tree", step.value, index=new)
                os.replace(new, file)
            else:
                self._keep(file)
            refs.sync_folder(file.parent if file.parent.is_dir() else self._git_dir)
        except OSError as error:
            raise disk_error(error, doing="mend", what=file) from error

    def _step(self, kind: str, file: Path, what: str, value: str = "", origin: str = "") -> Step:
        path = PurePosixPath(file.relative_to(self._root).as_posix())
        undo = f"what is there now is kept in '{self.kept}'" if os.path.lexists(file) else ""
        return Step(kind, path, what, undo or f"delete '{path}'", value, origin)

    def _aside(self, kind: str, file: Path, what: str) -> Step:
        path = PurePosixPath(file.relative_to(self._root).as_posix())
        undo = f"it is kept in '{self.kept}': move it back"
        return Step(kind, path, f"move it aside: {what}", undo)

    def _keep(self, file: Path) -> Path | None:
        """Move a file to the kept ones; where it is now, None when there was none."""
        if not os.path.lexists(file):
            return None
        place = self.kept / file.relative_to(self._root)
        place.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        while os.path.lexists(place):  # an earlier step, or run, kept another one
            place = place.with_name(f"{place.name}.{time.monotonic_ns()}")
        try:
            os.rename(file, place)
        except OSError:  # the state is on another disk: first the copy, durable, then this
            if file.is_dir() and not file.is_symlink():
                raise
            shutil.copy2(file, place, follow_symlinks=False)
            if not place.is_symlink():
                refs.sync_file(place)
            os.unlink(file)
        refs.sync_folder(place.parent)
        return place

    def _write(self, file: Path, text: str) -> None:
        new = refs.new_file(self._git_dir, "ref")
        refs.write_durably(new, text.encode())
        os.replace(new, file)

    def _replace(self, file: Path, text: str) -> None:
        """Give a reference another text under git's own lock; the old text is kept as a copy."""
        file.parent.mkdir(parents=True, exist_ok=True)
        new = refs.new_file(self._git_dir, "ref")
        refs.write_durably(new, text.encode())
        lock = file.with_name(file.name + ".lock")
        try:
            refs.take_name(new, lock, wait_seconds=2.0, sleep=time.sleep)
            self._keep(file)
            os.replace(lock, file)
        finally:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(new)

    def _unpack(self, file: Path) -> None:
        for ending in (".idx", ".rev", ".bitmap"):
            self._keep(file.with_suffix(ending))
        kept = self._keep(file)
        if kept is not None:  # a pack that is cut off ends in an error, after what is whole
            self._engine.start("unpack-objects", "-r", "-q", stdin=kept.read_bytes()).wait()

    def _make(self, step: Step) -> None:
        if step.kind == "blob":
            data = (self._root / step.origin).read_bytes()
        else:
            data = trees_of_index(self._engine).get(step.value, b"")
        made = self._engine.run("hash-object", "-t", step.kind, "-w", "--stdin", stdin=data)
        if made.decode("ascii").strip() != step.value:
            raise HistoryError(f"'{step.origin}' changed meanwhile", hint="run the command again")


# --- gaps in a history ---

# One lost commit would end every command that looks back, also at what was done long after it. So
# `check --fix` writes down, in the engine, which commits come after a gap and which whole ones came
# before it (git's form of grafts); git started here steps over it. The repository itself stays as
# it is: when the objects come back, the next `check --fix` forgets the gap.
_LOST = "# lost "
_FOLDER = b"40000"


class Gaps(NamedTuple):
    """What is known of the gaps; nothing: there are none."""

    after: Mapping[str, tuple[str, ...]] = {}  # a commit after a gap -> those before it; () none
    lost: tuple[str, ...] = ()  # commits that cannot be read, sorted

    def text(self) -> str:
        """As in the file: comments, and a line of grafts for each commit after a gap."""
        lines = [f"{_LOST}{oid}" for oid in self.lost]
        lines += [" ".join((oid, *parents)) for oid, parents in sorted(self.after.items())]
        return "".join(f"{line}\n" for line in lines)

    def ends(self) -> tuple[str, ...]:
        """Commits before which nothing is known any more, sorted."""
        return tuple(sorted(oid for oid, parents in self.after.items() if not parents))


def read(engine: Engine) -> Gaps:
    """The gaps that were written down."""
    try:
        lines = (engine.folder / FILE).read_text(encoding="ascii").splitlines()
    except (FileNotFoundError, UnicodeDecodeError):
        return Gaps()
    lost = tuple(line.removeprefix(_LOST) for line in lines if line.startswith(_LOST))
    grafts = (line.split() for line in lines if line and not line.startswith("#"))
    return Gaps({oid: tuple(parents) for oid, *parents in grafts}, lost)


def write(engine: Engine, gaps: Gaps) -> None:
    """Write them down, or forget them; raises OSError."""
    file = engine.folder / FILE
    if not gaps.after:
        file.unlink(missing_ok=True)
        return
    base.replace_file(file, gaps.text().encode("ascii"))


def find(engine: Engine, tip: str, names: Sequence[str]) -> Gaps:
    """The gaps in what `tip` reaches; reads every commit and folder that is there.

    names  references whose logs say what came before a commit that is gone
    A commit of which a folder is missing is lost too: nobody can tell what it changed. Texts that
    are missing are none of this: what is asked about them says so.
    """
    whole = _Whole(engine)
    before = _before(engine, names)
    after: dict[str, tuple[str, ...]] = {}
    lost: set[str] = set()
    seen, waiting = {tip}, [tip]
    while waiting:
        commit = waiting.pop()
        parents = whole.parents.get(commit, ())
        found: list[str] = []
        for parent in parents:
            found += [each for each in _next(parent, whole, before, lost) if each not in found]
        if tuple(found) != parents:
            after[commit] = tuple(found)
        fresh = [each for each in found if each not in seen]
        seen.update(fresh)
        waiting += fresh
    return Gaps(after, tuple(sorted(lost)))


def _next(
    commit: str, whole: _Whole, before: Mapping[str, tuple[str, ...]], lost: set[str]
) -> list[str]:
    """The commit itself, or the nearest whole ones before it."""
    found: list[str] = []
    met, waiting = {commit}, [commit]
    while waiting:
        each = waiting.pop(0)
        if whole.is_whole(each):
            found.append(each)
            continue
        lost.add(each)
        # Of a commit that is there without one of its folders the parents are known; of one that is
        # gone, the log of a branch tells at which commit the branch was before.
        below = whole.parents.get(each) or before.get(each, ())
        waiting += [parent for parent in below if parent not in met]
        met.update(below)
    return found


def _before(engine: Engine, names: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """By the logs: what a branch was at before it was at a commit."""
    zero = engine.repository.zero
    found: dict[str, tuple[str, ...]] = {}
    for ref in names:
        moves = refs.read_reflog(engine.repository, ref)
        for new, old in pairwise(moves):
            if old != zero:
                found.setdefault(new, (old,))
    return found


class _Whole:
    """Which commits are there with all their folders."""

    def __init__(self, engine: Engine) -> None:
        kinds = survey.all_objects(engine)
        self._width = len(engine.repository.zero) // 2
        self._folders: dict[str, tuple[str, ...]] = {}  # of a tree
        self._tree_of: dict[str, str] = {}  # of a commit
        self._is_whole: dict[str, bool] = {}  # trees
        self.parents: dict[str, tuple[str, ...]] = {}
        wanted = [(oid, size) for oid, (kind, size) in kinds.items() if kind in ("commit", "tree")]
        for one in survey.read_objects(engine, wanted):
            if one.kind == "tree":
                self._folders[one.oid] = tuple(self._below(one.data))
                continue
            lines = one.data.partition(b"\n\n")[0].decode("ascii", "replace").split("\n")
            self._tree_of[one.oid] = lines[0].removeprefix("tree ")
            named = (line.removeprefix("parent ") for line in lines if line.startswith("parent "))
            self.parents[one.oid] = tuple(named)

    def _below(self, tree: bytes) -> Iterable[str]:
        place = 0
        # By its place: the rest of a tree was copied at each entry, quadratic in the files of a
        # folder.
        while place < len(tree):
            end = tree.index(b"\0", place)
            if tree.startswith(_FOLDER, place):
                yield tree[end + 1 : end + 1 + self._width].hex()
            place = end + 1 + self._width

    def is_whole(self, commit: str) -> bool:
        """Whether a commit can be read, and every folder of it."""
        return commit in self._tree_of and self._is_tree(self._tree_of[commit])

    def _is_tree(self, tree: str) -> bool:
        if tree not in self._is_whole:
            folders = self._folders.get(tree)
            self._is_whole[tree] = folders is not None and all(map(self._is_tree, folders))
        return self._is_whole[tree]
