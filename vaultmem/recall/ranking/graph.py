"""The graph of what holds: notes, links and entities; steps through it, and standing in it.

Pure, from rows and links that somebody read. A cached ranking over facts that ended would be wrong
(algorithms.md 3.9), so it is built of the notes that hold at the time asked about, each time anew.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cached_property

import numpy as np
import numpy.typing as npt

from vaultmem.base import BadInputError, dataclass
from vaultmem.model import RELATIONS, NoteRow, part_key

# --- one step further along links ---


# Algorithms.md 5.5, after A-MEM (Xu et al. 2025), which follows links when it reads.
@dataclass(frozen=True, slots=True, kw_only=True)
class Reached:
    """A node that a walk along links came to."""

    id: str
    hops: int  # 0: a hit itself
    score: float  # of the best hit that it was reached from, times decay ** hops
    via: str = ""  # the node one step before; '': a hit


def expand_breadth_first(
    hits: Mapping[str, float],
    links: Callable[[str], Iterable[str]],
    *,
    hops: int = 1,
    limit: int,
    decay: float = 0.5,
    is_over: Callable[[str], bool] = lambda _: False,
) -> list[Reached]:
    """Hits in their order, then what they link to, breadth first; each id once, at most `limit`.

    hits     id -> score, best first
    links    of an id, in the order in which they are followed
    is_over  ids that do not hold any more: neither answered with nor walked through
    """
    reached = {
        id_: Reached(id=id_, hops=0, score=score) for id_, score in hits.items() if not is_over(id_)
    }
    last = list(reached.values())
    for hop in range(1, hops + 1):
        found: dict[str, Reached] = {}
        for one in last:
            for id_ in links(one.id):
                score = one.score * decay
                known = found.get(id_)
                if id_ in reached or is_over(id_) or (known is not None and known.score >= score):
                    continue
                # A better way to a node keeps the place at which it was first come to.
                found[id_] = Reached(id=id_, hops=hop, score=score, via=one.id)
        reached |= found
        last = list(found.values())
    return list(reached.values())[: max(limit, 0)]


ENTITY, SOURCE = "entity", "source"
_ORDER = {relation: place for place, relation in enumerate((*RELATIONS, "link", SOURCE))}
_MEMORIES = ("item", "resource", "page")  # lists (categories, streams) link to everything in them

Link = tuple[str, str, str]  # path, relation, path or key of an entity


class Graph:
    """Notes that hold, by path, with their links in both directions."""

    def __init__(
        self,
        notes: Iterable[NoteRow],
        links: Iterable[Link],
        *,
        uses: Mapping[str, int] | None = None,
    ) -> None:
        """Links of notes that are not among `notes` do not count.

        uses  path -> days on which a note was used; absent: 0
        """
        self._uses = uses or {}
        self.notes: Mapping[str, NoteRow] = {
            str(note.path): note for note in notes if note.type in _MEMORIES
        }
        self._out: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
        self._in: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
        self.entities: dict[str, list[str]] = defaultdict(list)  # key -> paths
        for path, relation, target in links:
            if path not in self.notes:
                continue
            if relation == ENTITY:
                self.entities[target].append(path)
            elif target in self.notes:
                self._out[path][target].add(relation)
                self._in[target][path].add(relation)

    def links(self, path: str) -> list[tuple[str, str]]:
        """(relation, path) that a note leads to, typed links first, then by path."""
        return _sort_links(self._out.get(path, {}))

    def backlinks(self, path: str) -> list[tuple[str, str]]:
        """(relation, path) of the notes that lead to a note."""
        return _sort_links(self._in.get(path, {}))

    def names_of(self, path: str) -> list[str]:
        """Keys of the entities that a note names, sorted."""
        return sorted(key for key, paths in self.entities.items() if path in paths)

    def beside(self, path: str) -> list[tuple[str, str]]:
        """(relation, path) one step away in either direction; what is quoted is not a step."""
        both = [*self.links(path), *self.backlinks(path)]
        steps = dict.fromkeys(pair for pair in both if pair[0] != SOURCE)
        return sorted(steps, key=_place)

    def expand(
        self,
        hits: Mapping[str, float],
        *,
        hops: int,
        decay: float,
        limit: int,
        without: Collection[str] = (),
    ) -> list[Reached]:
        """Hits (path -> score), then what links to them or from them (`expand_breadth_first`)."""
        return expand_breadth_first(
            hits,
            self._used_first,
            hops=hops,
            limit=limit,
            decay=decay,
            is_over=lambda path: path in without,
        )

    def _used_first(self, path: str) -> list[str]:
        others = [other for _, other in self.beside(path)]
        return sorted(others, key=lambda other: -self._uses.get(other, 0))

    def relation(self, path: str, other: str) -> str:
        """The first relation between two notes, in either direction; '' when there is none."""
        return next((kind for kind, each in self.beside(path) if each == other), "")

    # --- standing ------------------------------------------------------------------------------

    @cached_property
    def _nodes(self) -> dict[str, int]:
        """Number of each note, then of each entity (its key behind a character no path has)."""
        names = [*sorted(self.notes), *(f"\0{key}" for key in sorted(self.entities))]
        return {name: number for number, name in enumerate(names)}

    @cached_property
    def _walks(self) -> list[tuple[int, int, float]]:
        """A link leads one way; a note and what it names lead to each other."""
        nodes = self._nodes
        walks = [
            (nodes[path], nodes[target], float(len(relations)))
            for path, targets in self._out.items()
            for target, relations in targets.items()
        ]
        for key, paths in self.entities.items():
            entity = nodes[f"\0{key}"]
            walks += [(nodes[path], entity, 1.0) for path in paths]
            walks += [(entity, nodes[path], 1.0) for path in paths]
        return self._by_use(walks) if self._uses else walks

    def _by_use(self, walks: list[tuple[int, int, float]]) -> list[tuple[int, int, float]]:
        """Links that were used keep their weight, those never used half of it (algorithms 7.4).

        A link was used as often as the less used of the notes at its ends; what lies between goes
        by the share of links that were used less. Nothing is stored: the weights are those of now.
        """
        by_node = {
            self._nodes[path]: days for path, days in self._uses.items() if path in self.notes
        }
        often = max(by_node.values(), default=0)
        first_entity = len(self.notes)

        def days(node: int) -> int:
            return often if node >= first_entity else by_node.get(node, 0)

        used = [min(days(one), days(other)) for one, other, _ in walks]
        ranked = sorted(used)
        # How many were used less than the most used: these keep their whole weight.
        most = max(1, bisect_left(ranked, ranked[-1])) if ranked else 1
        return [
            (one, other, weight * (0.5 + 0.5 * bisect_left(ranked, count) / most))
            for (one, other, weight), count in zip(walks, used, strict=True)
        ]

    def standing(self, *, damping: float, tolerance: float) -> dict[str, float]:
        """PageRank of each note among notes and entities: path -> 0..1."""
        found = pagerank(len(self._nodes), self._walks, damping=damping, tolerance=tolerance)
        return {path: found[number] for path, number in self._nodes.items() if path[0] != "\0"}

    def near(
        self, entities: Sequence[str], *, damping: float, tolerance: float
    ) -> dict[str, float]:
        """Standing from the point of view of entities: path -> > 0; what they do not reach is out.

        A note counts for what it reached itself and for the entities that it names, as HippoRAG
        (Gutierrez et al. 2024) scores passages; links are walked in both directions.
        """
        if not entities:
            return {}

        home = [0.0] * len(self._nodes)
        for key in entities:
            home[self._nodes[f"\0{key}"]] = 1.0
        back = [(target, source, weight) for source, target, weight in self._walks]
        found = pagerank(
            len(self._nodes),
            [*self._walks, *back],
            damping=damping,
            teleport=home,
            tolerance=tolerance,
        )
        scores = {path: found[number] for path, number in self._nodes.items() if path[0] != "\0"}
        for key, paths in self.entities.items():
            for path in paths:
                scores[path] += found[self._nodes[f"\0{key}"]]
        return {path: score for path, score in scores.items() if score > 0}

    def named_in(self, question: str) -> list[str]:
        """Keys of the entities that a question names, word for word; sorted."""
        words = _words(question)
        return sorted(key for key in self.entities if _holds(words, _words(key)))


def _words(text: str) -> list[str]:
    stripped = (word.strip("?!.,;:'\"()[]“”‘’") for word in part_key(text).split())
    words = (word.removesuffix("'s").removesuffix("’s") for word in stripped)
    return [word for word in words if word]


def _holds(words: Sequence[str], wanted: Sequence[str]) -> bool:
    size = len(wanted)
    return size > 0 and any(
        list(words[i : i + size]) == list(wanted) for i in range(len(words) - size + 1)
    )


def _sort_links(targets: Mapping[str, Collection[str]]) -> list[tuple[str, str]]:
    pairs = [(relation, path) for path, relations in targets.items() for relation in relations]
    return sorted(pairs, key=_place)


def _place(pair: tuple[str, str]) -> tuple[int, str]:
    return _ORDER.get(pair[0], len(_ORDER)), pair[1]


# --- PageRank, whole and personalised ---

# Algorithms.md 3.9 and 5.7. Brin and Page 1998; personalised as HippoRAG (Gutierrez et al. 2024)
# uses it. Needs numpy, so nothing on the way to a plain answer imports it.
DAMPING = 0.85
# Of a sum of 1. A change of 1e-4, at which others stop, is the size of a whole score from 10,000
# notes on (algorithms.md 3.9).
TOLERANCE = 1e-9
_MOST_ROUNDS = 10_000

Edge = tuple[int, int, float]  # from, to, weight >= 0


def pagerank(
    nodes: int,
    edges: Sequence[Edge],
    *,
    damping: float = DAMPING,
    teleport: Sequence[float] | None = None,
    tolerance: float = TOLERANCE,
) -> list[float]:
    """The standing of nodes 0..nodes-1, not below 0, together 1; empty without nodes.

    edges      several between the same two add up; an edge to itself counts
    damping    0 <= d < 1: the share that follows edges; the rest goes back to `teleport`
    teleport   (nodes,) not below 0: where a walk begins again; None or all 0: anywhere alike
    tolerance  largest change (summed) at which the ranking has settled
    raises     BadInputError for a node that is not there, a weight or a damping out of its range

    A node without edges gives its standing back to `teleport`. What no walk from there reaches has
    exactly 0.
    """
    if not 0 <= damping < 1:
        raise BadInputError(f"damping lies between 0 and 1 (not 1 itself), not at {damping:g}")
    if nodes == 0:
        return []
    home = _home(nodes, teleport)
    sources, targets, weights = _edge_arrays(nodes, edges)
    given = np.bincount(sources, weights=weights, minlength=nodes)
    dangles = given == 0
    shares = weights / np.where(dangles, 1.0, given)[sources]
    standing = home
    for _ in range(_MOST_ROUNDS):
        walked = np.bincount(targets, weights=standing[sources] * shares, minlength=nodes)
        after = (1 - damping) * home + damping * (walked + standing[dangles].sum() * home)
        change = float(np.abs(after - standing).sum())
        standing = after
        if change <= tolerance * (1 - damping):  # what is still to come is at most this / (1 - d)
            break
    return [float(value) for value in standing]


_Floats = npt.NDArray[np.float64]
_Ints = npt.NDArray[np.int64]


def _home(nodes: int, teleport: Sequence[float] | None) -> _Floats:
    if teleport is None:
        return np.full(nodes, 1 / nodes)
    home = np.asarray(teleport, dtype=np.float64)
    if home.shape != (nodes,) or (home < 0).any() or not np.isfinite(home).all():
        raise BadInputError("teleport has one weight a node, none below 0")
    total = float(home.sum())
    return home / total if total else np.full(nodes, 1 / nodes)


def _edge_arrays(nodes: int, edges: Sequence[Edge]) -> tuple[_Ints, _Ints, _Floats]:
    sources = np.asarray([edge[0] for edge in edges], dtype=np.int64)
    targets = np.asarray([edge[1] for edge in edges], dtype=np.int64)
    weights = np.asarray([edge[2] for edge in edges], dtype=np.float64)
    ends = np.concatenate((sources, targets))
    if ends.size and (ends.min() < 0 or ends.max() >= nodes):
        raise BadInputError(f"an edge leads to a node that is not among the {nodes}")
    if (weights < 0).any() or not np.isfinite(weights).all():
        raise BadInputError("the weight of an edge is not below 0")
    held = weights > 0
    return sources[held], targets[held], weights[held]
