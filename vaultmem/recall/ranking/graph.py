"""The graph of what holds: notes, what links them, and the entities that they name.

Pure, from rows and links that somebody read. A cached ranking over facts that ended would be wrong
(algorithms.md 3.9), so it is built of the notes that hold at the time asked about, each time anew.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property

from vaultmem.model.answers import NoteRow
from vaultmem.model.notes import RELATIONS
from vaultmem.model.slots import part_key
from vaultmem.recall.ranking.expansion import Reached, expanded

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
        return _sorted(self._out.get(path, {}))

    def backlinks(self, path: str) -> list[tuple[str, str]]:
        """(relation, path) of the notes that lead to a note."""
        return _sorted(self._in.get(path, {}))

    def names_of(self, path: str) -> list[str]:
        """Keys of the entities that a note names, sorted."""
        return sorted(key for key, paths in self.entities.items() if path in paths)

    def beside(self, path: str) -> list[tuple[str, str]]:
        """(relation, path) one step away in either direction; what is quoted is not a step."""
        both = [*self.links(path), *self.backlinks(path)]
        steps = dict.fromkeys(pair for pair in both if pair[0] != SOURCE)
        return sorted(steps, key=_place)

    def reached(
        self,
        hits: Mapping[str, float],
        *,
        hops: int,
        decay: float,
        limit: int,
        without: Collection[str] = (),
    ) -> list[Reached]:
        """Hits (path -> score), then what links to them or from them (`expansion.expanded`)."""
        return expanded(
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
        most = max(1, bisect_left(ranked, ranked[-1])) if ranked else 1
        return [
            (one, other, weight * (0.5 + 0.5 * bisect_left(ranked, count) / most))
            for (one, other, weight), count in zip(walks, used, strict=True)
        ]

    def standing(self, *, damping: float, tolerance: float) -> dict[str, float]:
        """PageRank of each note among notes and entities: path -> 0..1."""
        from vaultmem.recall.ranking.pagerank import pagerank

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
        from vaultmem.recall.ranking.pagerank import pagerank

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


def _sorted(targets: Mapping[str, Collection[str]]) -> list[tuple[str, str]]:
    pairs = [(relation, path) for path, relations in targets.items() for relation in relations]
    return sorted(pairs, key=_place)


def _place(pair: tuple[str, str]) -> tuple[int, str]:
    return _ORDER.get(pair[0], len(_ORDER)), pair[1]
