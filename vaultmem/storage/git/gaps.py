"""Gaps in a history: commits that cannot be read any more, and where the history goes on.

One lost commit would end every command that looks back, also at what was done long after it. So
`check --fix` writes down, in the engine, which commits come after a gap and which whole ones came
before it (git's form of grafts); git started here steps over it. The repository itself stays as
it is: when the objects come back, the next `check --fix` forgets the gap.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from vaultmem import base
from vaultmem.base import TYPE_CHECKING, NamedTuple
from vaultmem.storage.git import refs as git_refs
from vaultmem.storage.git.engine import GAPS_FILE as FILE

if TYPE_CHECKING:
    from vaultmem.storage.git.engine import Engine

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


def find(engine: Engine, tip: str, refs: Sequence[str]) -> Gaps:
    """The gaps in what `tip` reaches; reads every commit and folder that is there.

    refs  references whose logs say what came before a commit that is gone
    A commit of which a folder is missing is lost too: nobody can tell what it changed. Texts that
    are missing are none of this: what is asked about them says so.
    """
    whole = _Whole(engine)
    before = _before(engine, refs)
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


def _before(engine: Engine, refs: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """By the logs: what a branch was at before it was at a commit."""
    zero = engine.repository.zero
    found: dict[str, tuple[str, ...]] = {}
    for ref in refs:
        moves = git_refs.read_reflog(engine.repository, ref)
        for new, old in pairwise(moves):
            if old != zero:
                found.setdefault(new, (old,))
    return found


class _Whole:
    """Which commits are there with all their folders."""

    def __init__(self, engine: Engine) -> None:
        from vaultmem.storage.git.survey import all_objects, read_objects  # saves 7 modules

        kinds = all_objects(engine)
        self._width = len(engine.repository.zero) // 2
        self._folders: dict[str, tuple[str, ...]] = {}  # of a tree
        self._tree_of: dict[str, str] = {}  # of a commit
        self._is_whole: dict[str, bool] = {}  # trees
        self.parents: dict[str, tuple[str, ...]] = {}
        wanted = [(oid, size) for oid, (kind, size) in kinds.items() if kind in ("commit", "tree")]
        for one in read_objects(engine, wanted):
            if one.kind == "tree":
                self._folders[one.oid] = tuple(self._below(one.data))
                continue
            lines = one.data.partition(b"\n\n")[0].decode("ascii", "replace").split("\n")
            self._tree_of[one.oid] = lines[0].removeprefix("tree ")
            named = (line.removeprefix("parent ") for line in lines if line.startswith("parent "))
            self.parents[one.oid] = tuple(named)

    def _below(self, tree: bytes) -> Iterable[str]:
        place = 0
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
