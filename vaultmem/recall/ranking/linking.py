"""The graph of a vault, read when somebody asks for it: neighbours of hits, links of a note."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from vaultmem import language, safety
from vaultmem.base import TYPE_CHECKING, dataclass, replace
from vaultmem.model import LIMITED, USER, Filters, Found, Hit, NoteRow, Ordering, Part
from vaultmem.recall.enough import holds
from vaultmem.recall.freshness import Ages

if TYPE_CHECKING:
    from vaultmem.history import Snapshot
    from vaultmem.recall.ranking.graph import Graph
    from vaultmem.vault import Notes as Source
    from vaultmem.vault import Vault


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What was asked, of which notes, and how the answer is to be ranked."""

    text: str
    ordering: Ordering
    filters: Filters  # with the statuses that may answer
    limit: int  # notes wanted
    now: int  # UTC ms of the time asked about
    snapshot: Snapshot | None  # None: notes as they are
    found: Sequence[Found] = ()


def graph_of(vault: Vault, asked: Question, *, with_idle: bool = False) -> Graph:
    """Notes that held at the time asked about, with their links and entities as known then.

    Of now, what nobody used for long is left out but for `with_idle`, and links that were used
    count more.
    """
    from vaultmem.recall.ranking.graph import Graph  # saves 116 modules

    notes = standing_notes(vault, replace(asked, filters=Filters()))
    if asked.snapshot is not None:
        return Graph(notes, asked.snapshot.edges())
    ages = Ages(vault, now=asked.now)
    uses = {str(note.path): days for note in notes if (days := ages.days_used(note))}
    kept = notes if with_idle else [note for note in notes if not ages.is_idle(note)]
    return Graph(kept, vault.index.edges(), uses=uses)


def standing_notes(vault: Vault, asked: Question) -> list[NoteRow]:
    """All notes that pass the filters and hold at the time asked about, newest first."""
    if asked.snapshot is not None:
        return [*asked.snapshot.list(asked.filters, limit=None)]
    return [row for row in vault.index.list(asked.filters) if holds(row, asked.now)]


def hit_of(note: NoteRow, source: Source, *, score: float = 0.0, part: Part | None = None) -> Hit:
    """A note that answers without having been found by its words."""
    parts = () if part is None else (part,)
    return Hit(note=note, score=score, passages=source.passages(note.path)[:1], parts=parts)


def may_be_shown(note: NoteRow, source: Source) -> bool:
    """Whether a note that no word of the question found may answer.

    The person's own may; of others only what does not talk to an assistant, and nothing from
    outside: a link must not bring in what the words of a question did not ask for.
    """
    if note.trust == USER or note.type == "page":
        return True
    if note.trust != LIMITED:
        return False

    texts = (note.title, note.statement, *(p.text for p in source.passages(note.path)[:1]))
    return not any(map(safety.suspicion, texts))


def expand_hits(
    vault: Vault, hits: Sequence[Hit], asked: Question, source: Source
) -> tuple[Hit, ...]:
    """The hits, then notes that they link to or that link to them: at most as many again."""
    if not hits:
        return ()
    settings, graph = vault.settings, graph_of(vault, asked)
    allowed = {str(row.path) for row in standing_notes(vault, asked)}
    by_path = {str(hit.note.path): hit for hit in hits}
    without = graph.notes.keys() - by_path.keys() - allowed
    reached = graph.expand(
        {path: hit.score for path, hit in by_path.items()},
        hops=settings.links_hops,
        decay=settings.links_hop_decay,
        limit=2 * max(asked.limit, len(hits)),
        without=without,
    )
    found = list(hits)
    for one in reached:
        if one.hops == 0:
            continue
        note = graph.notes[one.id]
        if may_be_shown(note, source):
            why = _reason(graph.relation(one.id, one.via), one.via, graph.notes)
            part = Part(name="link", value=one.score, note=why)
            found.append(hit_of(note, source, score=one.score, part=part))
    return tuple(found)


def _reason(relation: str, via: str, notes: Mapping[str, NoteRow]) -> str:
    other = notes[via]
    name = other.statement if other.type == "item" and other.statement else other.title
    return f"{relation}: '{name}'"


def diverse(hits: Sequence[Hit], *, balance: float, limit: int) -> tuple[Hit, ...]:
    """At most `limit` hits, of those that say the same the later ones after the others."""
    from vaultmem.recall.ranking.diversity import diverse as chosen  # saves 1 module
    from vaultmem.recall.ranking.diversity import jaccard  # saves 1 module

    best = max((hit.score for hit in hits), default=0.0)
    by_path = {str(hit.note.path): hit for hit in hits}
    texts = {
        path: language.content_words(hit.note.statement or "\n".join(p.text for p in hit.passages))
        for path, hit in by_path.items()
    }
    scores = {
        path: max(0.0, hit.score) / best if best > 0 else 0.0 for path, hit in by_path.items()
    }
    order = chosen(
        scores,
        lambda one, other: jaccard(texts[one], texts[other]),
        balance=balance,
        limit=limit,
    )
    return tuple(by_path[path] for path in order)
