"""Which facts compete: others were said against one of them so often that all are to be shown.

Statements that exclude each other, where nothing says which is right, are linked by `contradicts`
(`facts/contradictions.py`). From `facts.competing_from` such notes on, whoever is given one is told
the others (algorithms 6.4). Nearly every vault has no such link: that costs one look into an index.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from vaultmem.base import TYPE_CHECKING, replace
from vaultmem.model import USER, Rival, is_current
from vaultmem.storage import index

if TYPE_CHECKING:
    from vaultmem.model import Hit, NoteRow
    from vaultmem.vault import Parts

_MOST_SHOWN = 3


class Rivals:
    """The competing facts of a vault at one instant (UTC ms)."""

    def __init__(self, parts: Parts, now: int) -> None:
        self._parts, self._now = parts, now
        self._least = parts.settings.facts_competing_from
        self._links = parts.index.typed_links("contradicts") if self._least else ()

    def of(self, note: NoteRow) -> tuple[Rival, ...]:
        """What is said otherwise, the newest first; () for a fact that nothing competes with."""
        if not self._links or note.type != "item" or not is_current(note, self._now):
            return ()
        found: dict[str, NoteRow] = {}
        for about in (note, *self._named_by(note)):
            others = self._against(about)
            if len(others) >= self._least:
                found |= {str(each.path): each for each in (about, *others)}
        found.pop(str(note.path), None)
        newest = sorted(found.values(), key=lambda each: (-(each.valid_from or 0), each.id))
        return tuple(
            Rival(id=each.id, path=each.path, statement=each.statement)
            for each in newest[:_MOST_SHOWN]
        )

    def _against(self, note: NoteRow) -> list[NoteRow]:
        """Notes of the person's own words that hold and speak against a note."""

        keys = {note.id, index.link_key(note.path.stem)}
        rows = [self._parts.index.note(path) for path, key in self._links if key in keys]
        return [
            row
            for row in rows
            if row is not None and row.trust in ("", USER) and is_current(row, self._now)
        ]

    def _named_by(self, note: NoteRow) -> Iterator[NoteRow]:
        """Notes that hold, against which a note speaks."""
        for path, key in self._links:
            row = self._parts.index.resolve_link(key) if path == note.path else None
            if row is not None and is_current(row, self._now):
                yield row


def with_rivals(parts: Parts, hits: Sequence[Hit], now: int) -> Sequence[Hit]:
    """Hits that say what competes with them."""
    rivals = Rivals(parts, now)
    told = [rivals.of(hit.note) for hit in hits]
    if not any(told):
        return hits
    return [replace(hit, rivals=found) for hit, found in zip(hits, told, strict=True)]
