"""Answer a question from the index, level with the disk."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from vaultmem.errors import BadInputError
from vaultmem.frozen import replace
from vaultmem.model.recall import Answer, Filters, Hit
from vaultmem.operations import sync

if TYPE_CHECKING:
    from vaultmem.operations.parts import Parts

MOST_HITS = 1_000
# Notes that are no items have no status. What is superseded or retracted answers when asked for.
CURRENT = ("", "active", "candidate")


def recall(parts: Parts, query: str, *, limit: int | None, filters: Filters) -> Answer:
    """At most `limit` notes that hold now, best first; no hits means 'no memory found'."""
    current = filters if filters.statuses else replace(filters, statuses=CURRENT)
    wanted = _limit(limit, parts.settings.recall_k)
    return sync.reading(parts, lambda: ask(parts, query, limit=wanted, filters=current))


def search(
    parts: Parts,
    query: str,
    *,
    limit: int | None,
    filters: Filters,
    by: Literal["note", "passage"] = "note",
) -> Answer:
    """Notes of every kind and status with the query's words, best first."""
    wanted = _limit(limit, parts.settings.search_limit)
    return sync.reading(parts, lambda: ask(parts, query, limit=wanted, filters=filters, by=by))


def _limit(limit: int | None, default: int) -> int:
    wanted = default if limit is None else limit
    if not 1 <= wanted <= MOST_HITS:
        raise BadInputError(
            f"{wanted} hits cannot be given", hint=f"ask for 1 to {MOST_HITS} of them"
        )
    return wanted


def ask(
    parts: Parts,
    query: str,
    *,
    limit: int = 5,
    filters: Filters | None = None,
    by: Literal["note", "passage"] = "note",
) -> Answer:
    """The index's answer as it is now, without looking at the disk first."""
    wanted = filters if filters is not None else Filters()
    found = parts.index.search(
        query, limit=limit * 4, filters=wanted, fuzzy=parts.settings.recall_fuzzy
    )
    rows = parts.index.notes({each.path for each in found.found})
    pending = {state.path for state in parts.index.pending()}
    hits: dict[object, Hit] = {}
    for each in found.found:
        key = each.path if by == "note" else (each.path, each.passage.seq)
        if key not in hits:
            hits[key] = Hit(
                note=rows[each.path],
                score=each.score,
                passages=(each.passage,),
                parts=each.parts,
                pending=str(each.path) in pending,
            )
    return Answer(
        query=query,
        hits=tuple(hits.values())[:limit],
        repairs=found.repairs,
        terms=found.terms,
        filters=wanted,
        searched=sum(parts.index.counts().notes.values()),
    )
