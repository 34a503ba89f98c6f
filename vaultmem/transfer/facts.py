"""What facts that come mean for those that are known here: who ends, who waits, what is flagged.

As when the same is remembered (facts/settle.py): an item in the slot of another one
ends it where it begins, or ends itself where that one began; what is believed less ends nothing
and waits. Items of one document are in order among themselves, as where they come from.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from typing import TYPE_CHECKING

from vaultmem.facts.settle import Contradictions, keys_of

if TYPE_CHECKING:
    from vaultmem.model.notes import Item
    from vaultmem.vault.lists.lists import Shelf


def settle_facts(
    shelf: Shelf, items: Sequence[Item], *, known: Container[str], now: int
) -> dict[str, Item]:
    """Bring active items on the shelf into order with those that are here, in their slots.

    known    ids that the document knows, too: where they come from that was settled
    returns  those that met others, as they are now, by id; what ended for them left its lists
    """
    against = Contradictions(shelf)
    zone = shelf.parts.settings.timezone
    found: dict[str, Item] = {}
    for item in sorted(items, key=lambda each: (each.valid_from or 0, each.id)):
        if not (item.subject and item.predicate):
            continue
        rows = shelf.parts.index.items_in_slot(item.subject, item.predicate)
        if all(row.id in known for row in rows):
            continue
        begins = item.valid_from if item.valid_from is not None else now
        verdict = against.settle(item, at=begins, now=now)
        keys = keys_of(item, verdict.item, zone=zone)
        if keys:
            shelf.patch_item(item, keys)
        found[item.id] = verdict.item
    return found
