"""Facts that something else speaks against: believed less, once for each note that does.

`remember` flags two statements that cannot both be true where nothing says which is (the later one
`contradicts` the other), and changes neither. Here the earlier one is believed less for it, as of
when the later one was said, so it makes no difference when this runs (algorithms 6.4). Its note
names those that counted (`against`).
"""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from vaultmem.base.records import replace
from vaultmem.facts.target import load
from vaultmem.language.time import format_instant
from vaultmem.learn.rule_notes import texts
from vaultmem.model.answers import is_current
from vaultmem.model.jobs import FactChange
from vaultmem.model.notes import MEMORY_TYPES, Item
from vaultmem.model.trust import is_below
from vaultmem.recall.belief.confidence import Sureness

if TYPE_CHECKING:
    from vaultmem.vault.lists.lists import Shelf
    from vaultmem.vault.vault import Parts

CONTRADICTS = "contradicts"
AGAINST = "against"
_ROUND = 6  # decimals of a confidence in a file


def doubt(parts: Parts, shelf: Shelf, *, now: int) -> tuple[FactChange, ...]:
    """The facts that are believed less because of notes that had not counted yet, on a shelf."""
    told = []
    for path, rivals in _pairs(parts).items():
        rows = [parts.index.note(each) for each in (path, *rivals)]
        held = [load(parts, row) for row in rows if row is not None and is_current(row, now)]
        if not held or held[0].path != path:
            continue
        change = _weakened(shelf, held[0], held[1:], now=now)
        if change is not None:
            told.append(change)
    return tuple(told)


def _pairs(parts: Parts) -> dict[PurePosixPath, list[PurePosixPath]]:
    """Path of a note -> those that contradict it, by path; a link both ways is of the later."""
    found: dict[PurePosixPath, list[PurePosixPath]] = {}
    for path, key in parts.index.typed_links(CONTRADICTS):
        known = parts.index.resolve_link(key)
        if known is not None and known.path != path:
            found.setdefault(known.path, []).append(path)
    return dict(sorted(found.items()))


def _weakened(shelf: Shelf, item: Item, rivals: list[Item], *, now: int) -> FactChange | None:
    if MEMORY_TYPES.get(item.kind) != "semantic" or item.confidence is None:
        return None
    if item.hard or item.pinned:
        return None
    counted = texts(item, AGAINST)
    fresh = [
        rival
        for rival in sorted(rivals, key=lambda each: (_said_at(each, now), each.id))
        if rival.id not in counted
        and not is_below(rival.trust, item.trust)  # others make nothing of the person's less sure
        and (_begins(rival), rival.id) > (_begins(item), item.id)
    ]
    if not fresh:
        return None
    settings, after = shelf.parts.settings, item
    for rival in fresh:
        at = min(max(_said_at(rival, now), after.confidence_at or 0), now)
        left = Sureness(settings, at).doubted(after)
        after = replace(after, confidence=left, confidence_at=at)
    assert after.confidence is not None
    assert after.confidence_at is not None
    if not shelf.could_patch(
        item,
        {
            "confidence": round(after.confidence, _ROUND),
            "confidence_at": format_instant(after.confidence_at, settings.timezone),
            AGAINST: (*counted, *(rival.id for rival in fresh)),
        },
    ):
        return None
    sureness = Sureness(settings, now)
    return FactChange(
        what="contradicted",
        id=item.id,
        path=item.path,
        statement=item.statement,
        before=round(sureness.worth(item), 4),
        confidence=round(sureness.worth(after), 4),
        quotes=tuple(rival.statement for rival in fresh),
    )


def _said_at(item: Item, now: int) -> int:
    return now if item.confidence_at is None else item.confidence_at


def _begins(item: Item) -> int:
    return item.valid_from or 0
