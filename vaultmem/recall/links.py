"""Links of a note: those it has, those that lead to it, and those that could be added.

What is proposed is worked out when it is asked for and never stored (algorithms.md 5.5).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice

from vaultmem import language, safety
from vaultmem.base import TYPE_CHECKING, replace
from vaultmem.model import USER, Filters, LinkedNote, Links, NoteRow, Ordering, slot_key
from vaultmem.recall.enough import current, hits_by_note
from vaultmem.recall.ranking.linking import Question, graph_of, may_be_shown
from vaultmem.vault import find_note, level

if TYPE_CHECKING:
    from vaultmem.model import Item
    from vaultmem.recall.ranking.graph import Graph
    from vaultmem.vault import Vault

_PASSAGES = 60  # searched for notes alike
# Share of its words that a note must have in common to be proposed, unless both name somebody.
_LEAST_ALIKE = 0.2
_LEAST_SHARED = 1 / 3  # of its content words, where somebody else looks at what is proposed
# What a statement says of another one, by its own words; only English is known here.
_FOLLOWS = re.compile(r"\b(?:because|since then|due to|thanks to|as a result of)\b", re.I)
_CAUSES = re.compile(r"\b(?:led to|caused|causes|therefore|which is why|that is why)\b", re.I)


def links(vault: Vault, ref: str) -> Links:
    """What a note is linked with, both ways, and at most `links.related` proposals."""
    return level.reading(vault, lambda: _links(vault, ref))


def _links(vault: Vault, ref: str) -> Links:
    row = find_note(vault, ref)
    asked = Question(
        text=row.statement or row.title,
        ordering=Ordering(),
        filters=current(Filters(types=("item", "page"))),
        limit=vault.settings.links_related,
        now=vault.clock.now(),
        snapshot=None,
    )
    graph = graph_of(vault, asked, with_idle=True)  # what is written is shown
    path = str(row.path)
    return Links(
        note=row,
        outgoing=_linked_notes(graph, graph.links(path)),
        incoming=_linked_notes(graph, graph.backlinks(path)),
        entities=tuple(graph.names_of(path)),
        proposed=_propose_links(vault, row, graph, asked),
    )


def _linked_notes(graph: Graph, pairs: list[tuple[str, str]]) -> tuple[LinkedNote, ...]:
    return tuple(LinkedNote(relation=kind, note=graph.notes[path]) for kind, path in pairs)


def alike(vault: Vault, statement: str, *, widely: bool = False) -> list[NoteRow]:
    """At most `links.related` of the person's items that hold, the most alike first.

    From the index as it is: what the same text says beside it is its context by its source.
    widely  also those with a third of its words, however common these are: somebody else decides.
            In a vault of a few notes about Lena, her name weighs next to nothing
    """
    index = vault.index
    filters = current(Filters(types=("item",), trusts=(USER,)))
    found = index.search(statement, limit=_PASSAGES, filters=filters, fuzzy=False).found
    notes = index.notes({one.path for one in found})
    hits = hits_by_note(
        [
            one
            for one in found
            # Among five notes about Lena her name weighs next to nothing, so that no two of them
            # were neighbours.
            if one.coverage >= _LEAST_ALIKE
            or (widely and _is_about(statement, notes[one.path].statement, least=_LEAST_SHARED))
        ],
        notes,
        quoted_by={},
        now=vault.clock.now(),
        limit=vault.settings.links_related,
    )
    return [hit.note for hit in hits]


def link_by_rule(vault: Vault, item: Item) -> tuple[Item, list[str]]:
    """A new item with links to known ones by rule; what to tell of it."""
    links, told = list(item.links), []
    linked_to = {*item.supersedes, *(target for _, target in item.links)}
    for other in alike(vault, item.statement):
        if other.path.stem not in linked_to:
            relation, _ = relation_of(item, other)
            links.append((relation, other.path.stem))
            told.append(f"{relation}: {other.statement}")
    return replace(item, links=tuple(links)), told


def _propose_links(
    vault: Vault, row: NoteRow, graph: Graph, asked: Question
) -> tuple[LinkedNote, ...]:
    """The notes most alike that are not linked yet, with a relation by rule; best first."""
    index, own = vault.index, str(row.path)
    found = index.search(asked.text, limit=_PASSAGES, filters=asked.filters, fuzzy=False).found
    hits = hits_by_note(
        found,
        index.notes({one.path for one in found}),
        quoted_by={},
        now=asked.now,
        limit=_PASSAGES,
    )
    alike = {str(one.path) for one in found if one.coverage >= _LEAST_ALIKE}
    shared: dict[str, list[str]] = {}
    for key in graph.names_of(own):
        for path in graph.entities[key]:
            shared.setdefault(path, []).append(key)
    known = {own, *(other for _, other in (*graph.links(own), *graph.backlinks(own)))}
    fresh = (
        hit.note
        for hit in hits
        if str(hit.note.path) not in known
        and (str(hit.note.path) in alike or str(hit.note.path) in shared)
        and may_be_shown(hit.note, index)
    )
    return tuple(
        _proposal(row, note, shared.get(str(note.path), ())) for note in islice(fresh, asked.limit)
    )


def _proposal(row: NoteRow, other: NoteRow, shared: Sequence[str]) -> LinkedNote:
    relation, reason = relation_of(row, other)
    if shared and relation == "related":
        reason = f"both name {', '.join(shared)}"
    return LinkedNote(relation=relation, note=other, reason=reason)


def relation_of(row: NoteRow | Item, other: NoteRow) -> tuple[str, str]:
    """How a note relates to another, of `model.records.RELATIONS`, and why; the first rule wins."""
    slot = slot_key(row.subject, row.predicate)
    if slot and slot == slot_key(other.subject, other.predicate) and row.object != other.object:
        return "contradicts", f"says '{row.object}' where that says '{other.object}'"
    value = safety.disagreement(safety.claims(row.statement), safety.claims(other.statement))
    if value:
        return "contradicts", f"that says '{value}'"
    for relation, cue in (("follows_from", _FOLLOWS), ("causes", _CAUSES)):
        named = cue.search(row.statement)
        if named and _is_about(row.statement[named.end() :], other.statement):
            return relation, f"says '{named.group().lower()}' of it"
    if set(row.source) & set(other.source):
        return "context_of", "from the same source"
    return "related", "has the same words"


def _is_about(clause: str, statement: str, *, least: float = 0.5) -> bool:
    """Whether so much of what a clause says is in a statement."""
    said = set(language.content_words(clause))
    shared = said & set(language.content_words(statement))
    return bool(said) and len(shared) >= least * len(said)
