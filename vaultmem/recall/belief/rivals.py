"""Which facts compete: others were said against one of them so often that all are to be shown.

Statements that exclude each other, where nothing says which is right, are linked by `contradicts`
(`facts/contradictions.py`). From `facts.competing_from` such notes on, whoever is given one is told
the others (algorithms 6.4). Nearly every vault has no such link: that costs one look into an index.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import PurePosixPath

from vaultmem.base import TYPE_CHECKING, replace
from vaultmem.language import canonical
from vaultmem.model import USER, Rival, is_current
from vaultmem.storage import index

if TYPE_CHECKING:
    from vaultmem.model import Found, Hit, NoteRow
    from vaultmem.vault import Vault

LEARNED = "rule"


class Twins:
    """What some notes say, to be asked whether others say the same."""

    def __init__(self, rows: Iterable[NoteRow]) -> None:
        self._by_words: dict[str, list[NoteRow]] = {}
        self._by_source: dict[str, list[NoteRow]] = {}
        for row in rows:
            if row.type == "item" and row.statement:
                self._by_words.setdefault(canonical(row.statement), []).append(row)
                for name in row.source:
                    self._by_source.setdefault(name, []).append(row)

    def has(self, row: NoteRow) -> bool:
        """Whether a rule says what one of the notes says, or a note what one of the rules does.

        By their words; or by a sentence of a text that both are from and that both quote.
        """
        if row.type != "item":
            return False
        same = self._by_words.get(canonical(row.statement), ())
        near = [other for name in row.source for other in self._by_source.get(name, ())]
        return any(_are_twins(row, other) for other in same) or any(
            _are_twins(row, other) and _quote_alike(row, other) for other in near
        )


def without_twins(
    found: Sequence[Found], notes: Mapping[PurePosixPath, NoteRow]
) -> Sequence[Found]:
    """Passages without those of rules of which an item was found, too."""
    rules = [row for row in notes.values() if row.kind == LEARNED]
    if not rules:
        return found
    said = Twins(row for row in notes.values() if row.kind != LEARNED)
    gone = {row.path for row in rules if said.has(row)}
    return [each for each in found if each.path not in gone] if gone else found


def _are_twins(one: NoteRow, other: NoteRow) -> bool:
    return (one.kind == LEARNED) != (other.kind == LEARNED) and one.trust == other.trust


def _quote_alike(one: NoteRow, other: NoteRow) -> bool:
    """Whether one quote is the other, or a part of it: a rule leaves out what is around a wish."""
    left, right = canonical(one.quote), canonical(other.quote)
    return bool(left and right) and (left in right or right in left)


_MOST_SHOWN = 3


class Rivals:
    """The competing facts of a vault at one instant (UTC ms)."""

    def __init__(self, vault: Vault, now: int) -> None:
        self._vault, self._now = vault, now
        self._least = vault.settings.facts_competing_from
        self._links = vault.index.typed_links("contradicts") if self._least else ()

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
        rows = [self._vault.index.note(path) for path, key in self._links if key in keys]
        return [
            row
            for row in rows
            if row is not None and row.trust in ("", USER) and is_current(row, self._now)
        ]

    def _named_by(self, note: NoteRow) -> Iterator[NoteRow]:
        """Notes that hold, against which a note speaks."""
        for path, key in self._links:
            row = self._vault.index.resolve_link(key) if path == note.path else None
            if row is not None and is_current(row, self._now):
                yield row


def with_rivals(vault: Vault, hits: Sequence[Hit], now: int) -> Sequence[Hit]:
    """Hits that say what competes with them."""
    rivals = Rivals(vault, now)
    told = [rivals.of(hit.note) for hit in hits]
    if not any(told):
        return hits
    return [replace(hit, rivals=found) for hit, found in zip(hits, told, strict=True)]
