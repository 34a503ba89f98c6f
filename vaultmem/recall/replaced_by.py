"""What took the place of a memory answers what that one would have answered.

'Which outfit do I drive for?' has no word of 'First week with Llano Freight is in the books.'; it
has those of 'I drive for Caprock.', which is over since. So what is over is looked up, too, and
leads to what holds. Where nothing that holds answers, it is given itself: it says that it is over.
"""

from __future__ import annotations

from collections.abc import Sequence

from vaultmem.base import TYPE_CHECKING, replace
from vaultmem.model import USER, Filters, Hit

if TYPE_CHECKING:
    from vaultmem.model import NoteRow
    from vaultmem.recall.of_project import Asking
    from vaultmem.vault import Vault

OVER = ("superseded", "expired")  # what held once
_MOST = 5  # ended memories that are looked at
_AS_GOOD = 0.8  # share of the best score from which what is over leads to what took its place


def with_successors(
    vault: Vault,
    query: str,
    hits: Sequence[Hit],
    *,
    filters: Filters,
    limit: int,
    now: int,
    asking: Asking | None = None,
) -> Sequence[Hit]:
    """The hits, with what took the place of ended memories that answer as well, at their place.

    filters  those of the person, without statuses
    asking   the project that it is asked in, which weighs them; None: none
    """
    if filters.types and "item" not in filters.types:
        return hits
    # 'Which firm do I drive for?' has no word of 'First week with Tamar Freight', but those of what
    # is over since: of five people's questions about changes 5 of 15 are answered, 2 were.
    ended = replace(filters, types=("item",), statuses=OVER)
    # Where nothing is over, all items are looked through to know it: half of a search of 100,000.
    if not vault.index.list_cached(ended, limit=1):
        return hits
    from vaultmem.recall.belief.corrected import successor_of  # saves 15 modules
    from vaultmem.recall.enough import answering_passages, hits_by_note  # saves 9 modules

    _, found, notes, _ = answering_passages(
        vault, query, limit=_MOST, filters=ended, snapshot=None, by_sense=not hits
    )
    over = hits_by_note(found, notes, quoted_by={}, now=None, limit=_MOST)
    over = tuple(hit for hit in over if hit.note.trust in ("", USER) and hit.note.status in OVER)
    least = _AS_GOOD * hits[0].score if hits else 0.0
    arranged = list(hits)
    for hit in over:
        if hit.score < least:
            continue
        successor = successor_of(vault, hit.note, now)
        if successor is not None and successor.trust in ("", USER):
            gain = asking.gain(successor) if asking is not None else 0.0
            _place(vault, arranged, successor, hit.score * (1 + gain))
    return arranged[:limit] if hits else [*arranged, *over][:limit]


def _place(vault: Vault, hits: list[Hit], note: NoteRow, score: float) -> None:
    """A note among hits where its score belongs; one that is there goes up to it."""
    known = next((hit for hit in hits if hit.note.path == note.path), None)
    if known is not None:
        if known.score >= score:
            return
        hits.remove(known)
    at = next((place for place, hit in enumerate(hits) if hit.score <= score), len(hits))
    hits.insert(at, instead(vault, note, score))


def instead(vault: Vault, note: NoteRow, score: float) -> Hit:
    """A hit of a note that was not found by its own words."""
    return Hit(note=note, score=score, passages=vault.index.passages(note.path)[:1])
