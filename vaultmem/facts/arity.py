"""Whether a slot has one value at a time or many, by the settings and by what stands in it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from vaultmem.model.slots import holds_one, part_key, slot_key

if TYPE_CHECKING:
    from vaultmem.facts.slots import Slots
    from vaultmem.model.notes import Item
    from vaultmem.vault.vault import Parts

Arity = Callable[[str], bool | None]
MOST_ASKED = 8  # values at a time of a slot of which nobody says how many it has


class Arities:
    """Answers are kept: settings do not change under it, and values are added to slots."""

    def __init__(self, parts: Parts, slots: Slots) -> None:
        self._parts = parts
        self._slots = slots
        self._one: dict[str, bool | None] = {}  # by predicate
        self._many: set[str] = set()  # keys of slots in which so many values stand

    def of(self, item: Item) -> Arity:
        """By predicate, whether slots have one value at a time (None: nobody says), for an item.

        Where nobody says, the person is asked about each pair: not without end, and a slot in
        which `MOST_ASKED` values stand has told by itself that it has many.
        """
        key = slot_key(item.subject, item.predicate)
        if key and key not in self._many and self._holds_one(item.predicate) is None:
            newest = self._parts.index.newest_in_slot(
                item.subject, item.predicate, limit=MOST_ASKED
            )
            values = {part_key(row.object) for row in newest} | self._slots.values(key)
            if len(values) >= MOST_ASKED:
                self._many.add(key)
        return (lambda _: False) if key in self._many else self._holds_one

    def is_known(self, predicate: str) -> bool:
        """Whether it is known how many values slots of a predicate have."""
        return self._holds_one(predicate) is not None

    def _holds_one(self, predicate: str) -> bool | None:
        if predicate not in self._one:
            settings = self._parts.settings
            self._one[predicate] = holds_one(
                predicate, single=settings.slots_single, multiple=settings.slots_multiple
            )
        return self._one[predicate]
