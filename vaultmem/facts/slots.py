"""What the items of a slot say, found by their words.

A slot of many values ("what I like") may hold a good part of a vault, and an import or an edited
list may add thousands: each new one is compared only with those that it may mean something for.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from vaultmem.facts.beginnings import Beginnings
from vaultmem.facts.contradiction import Stated
from vaultmem.model.slots import part_key, slot_key

if TYPE_CHECKING:
    from vaultmem.model.answers import NoteRow
    from vaultmem.model.notes import Item
    from vaultmem.vault.vault import Parts

Said = tuple[PurePosixPath, Stated]
# Looks into a slot, after which all of it is read once: one `remember` asks the index each time.
_OFTEN = 16
MOST_BESIDE = 8
"""Values of one breath that a value of the same slot is held against: the person is asked about
each pair, and a list of thousands of them would be asked about without end."""


class SlotWords:
    """Statements of one slot and where they stand; they are added and never taken away."""

    def __init__(self) -> None:
        self.asked = 0  # times that somebody looked into the slot
        self.is_whole = False  # what the index has of the slot is here, too
        self._said: list[Said] = []
        self._paths: set[PurePosixPath] = set()
        self._statements = Beginnings()
        self._values = Beginnings()
        self._by_value: dict[str, list[int]] = {}

    def add(self, path: PurePosixPath, stated: Stated) -> None:
        """A statement of the slot."""
        number = len(self._said)
        self._said.append((path, stated))
        self._paths.add(path)
        self._statements.add(stated.statement, number)
        self._values.add(stated.object, number)
        self._by_value.setdefault(part_key(stated.object), []).append(number)

    def values(self) -> set[str]:
        """The different values, by their keys."""
        return set(self._by_value)

    def among(self, paths: Collection[PurePosixPath]) -> list[PurePosixPath]:
        """Those of these files that state something here."""
        return [path for path in paths if path in self._paths]

    def all(self) -> list[Said]:
        """Everything, in the order in which it was added."""
        return list(self._said)

    def all_but(
        self, beside: Collection[PurePosixPath], path: PurePosixPath, *, like: str
    ) -> list[Said]:
        """Everything in the order in which it was added; of what was said in the same breath as
        this file's statement only what is like it, and the few that came just before it."""
        if not beside:
            return self.all()
        before: list[Said] = []
        found: list[Said] = []
        is_before = True
        for said in self._said:
            if said[0] not in beside:
                found.append(said)
            elif said[0] == path:
                is_before = False
            elif is_before:
                before.append(said)
        return [*found, *self.like(like), *before[-MOST_BESIDE:]]

    def like(self, statement: str) -> list[Said]:
        """What says the same, more or less than a statement, as far as its words tell."""
        return self._numbered(self._statements.around(statement))

    def about(self, value: str) -> list[Said]:
        """What has the same value, or one of which either goes on where the other ends."""
        same = self._by_value.get(part_key(value), ())
        return self._numbered([*same, *self._values.around(value)])

    def _numbered(self, numbers: Iterable[int]) -> list[Said]:
        return [self._said[number] for number in sorted(set(numbers))]


class Slots:
    """Statements by slot: those of the index, and those that it does not know yet."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._by_key: dict[str, SlotWords] = {}

    def added(self, path: PurePosixPath, stated: Stated) -> None:
        """A statement that the index does not know."""
        key = slot_key(stated.subject, stated.predicate)
        if key:
            self._by_key.setdefault(key, SlotWords()).add(path, stated)

    def values(self, key: str) -> set[str]:
        """Keys of the values that were seen in the slot of a key; the index may know others."""
        words = self._by_key.get(key)
        return set() if words is None else words.values()

    def look(
        self,
        subject: str,
        predicate: str,
        *,
        near: str,
        pick: Callable[[SlotWords], Sequence[Said]],
        changed: Collection[PurePosixPath],
    ) -> tuple[list[PurePosixPath], list[Said]]:
        """Files of the slot that are among `changed`, and what else may be wanted of it.

        near  a value: only what may have one that begins so; '': any
        pick  all that can be wanted, and more, by its words
        """
        key = slot_key(subject, predicate)
        if not key:
            return [], []
        words = self._by_key.setdefault(key, SlotWords())
        words.asked += 1
        said: list[Said] = []
        if not words.is_whole:
            near = near if words.asked < _OFTEN else ""
            rows = self._parts.index.items_in_slot(subject, predicate, near=near)
            said = [(row.path, stated_of(row)) for row in rows]
        if said and words.asked >= _OFTEN:
            for path, stated in said:
                words.add(path, stated)
            said = []
        words.is_whole = words.asked >= _OFTEN
        touched = [path for path, _ in said if path in changed] + words.among(changed)
        return touched, [*said, *pick(words)]


def stated_of(item: Item | NoteRow) -> Stated:
    """What an item says, as it is compared."""
    return Stated(
        statement=item.statement,
        subject=item.subject,
        predicate=item.predicate,
        object=item.object,
        valid_from=item.valid_from,
        valid_until=item.valid_until,
    )
