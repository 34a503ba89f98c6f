"""All links at once: from rows of the table `links` to pairs of notes, for the graph of a vault.

Each link means what `reading.resolve_link` says it means; but keys are folded, so of notes whose
paths differ in case alone the first is meant. This reads every note: only what asks for the graph
comes here.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from vaultmem.base import NamedTuple
from vaultmem.model import id_in_name
from vaultmem.storage.index.store.record_rows import link_key
from vaultmem.storage.index.store.rows import CALLED, ENTITY, MARK, SEPARATOR
from vaultmem.storage.index.store.sqlite import sqlite3

LINK, SOURCE = "link", "source"


class Edge(NamedTuple):
    """One note leads to another, or names an entity."""

    path: str
    relation: str  # of model.records.RELATIONS, 'link', 'source' or 'entity'
    target: str  # path of a note; of an entity its key (model.slots.part_key)


NoteOfLinks = tuple[int, str, str, str]  # first passage, path, id, sources as the column has them
Name = tuple[str, int, int]  # name, rank, first passage of its note
Link = tuple[int, str]  # first passage of the note, target


def edges(connection: sqlite3.Connection) -> tuple[Edge, ...]:
    """Every link that leads to another note, and every entity that is named; sorted."""
    return edges_of(
        connection.execute("SELECT first, path, id, source FROM notes").fetchall(),
        connection.execute("SELECT name, rank, note FROM names").fetchall(),
        connection.execute("SELECT note, target FROM links").fetchall(),
    )


def edges_of(
    notes: Iterable[NoteOfLinks], names: Iterable[Name], links: Iterable[Link]
) -> tuple[Edge, ...]:
    """The same from rows of the three tables.

    A typed link is no plain one beside it, and neither is what an item gives as its source.
    """
    targets = _Targets(notes, names)
    marked: dict[tuple[str, str], set[str]] = defaultdict(set)  # (path, key) -> relations
    plain: list[tuple[str, str]] = []
    found: list[Edge] = []
    for note, target in sorted(links):
        path = targets.path(note)
        if not target.startswith(MARK):
            plain.append((path, target))
            continue
        _, relation, key = target.split(MARK, 2)
        if relation == CALLED:
            continue
        if relation == ENTITY:
            found.append(Edge(path, ENTITY, key))
        else:
            marked[path, key].add(relation)
    for path, key in plain:
        other = targets.resolve(key)
        if other is not None and other != path:
            kinds = marked.get((path, key)) or {SOURCE if key in targets.sources(path) else LINK}
            found += [Edge(path, relation, other) for relation in kinds]
    return tuple(sorted(set(found)))


class _Targets:
    """What links may lead to, looked up without asking the database for each of them."""

    def __init__(self, notes: Iterable[NoteOfLinks], names: Iterable[Name]) -> None:
        self._paths: dict[int, str] = {}
        self._sources: dict[str, frozenset[str]] = {}
        self._by_id: dict[str, str] = {}
        self._by_path: dict[str, str] = {}
        for first, path, id_, source in sorted(notes, key=lambda row: row[1]):
            self._paths[first] = path
            if id_:
                self._by_id.setdefault(id_, path)
            self._by_path.setdefault(link_key(path), path)
            if source:
                self._sources[path] = frozenset(map(link_key, source.split(SEPARATOR)))
        self._by_name: dict[str, list[str]] = defaultdict(list)
        for name, _, note in sorted(
            names, key=lambda row: (row[1], len(self._paths[row[2]]), self._paths[row[2]])
        ):
            self._by_name[name].append(self._paths[note])

    def path(self, note: int) -> str:
        """The path of a note."""
        return self._paths[note]

    def sources(self, path: str) -> frozenset[str]:
        """Keys of what a note gives as its source."""
        return self._sources.get(path, frozenset())

    def resolve(self, key: str) -> str | None:
        """The path that a link key means: by id, path, file name or alias; None: no note."""
        if id_in_name(key) == key and key in self._by_id:
            return self._by_id[key]
        if key in self._by_path:
            return self._by_path[key]
        folder, _, name = key.rpartition("/")
        for path in self._by_name.get(name, ()):
            parent = path.rpartition("/")[0].casefold()
            if not folder or f"/{parent}".endswith(f"/{folder}"):
                return path
        return None
