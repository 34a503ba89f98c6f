"""Which memories say the same in the same words, and which of them stays. Pure.

Letters that are merely alike decide nothing: 'always use tabs' and 'never use tabs' are alike.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from vaultmem.base import dataclass
from vaultmem.language import canonical

_WORD = re.compile(r"[\w'+#./-]+")
# Words without which a statement says the same; a file name or a number is never among them.
_POLITE = frozenset(["please", "bitte", "the", "a", "an", "porfavor"])
_NO_SLOT = ("", "", "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Stated:
    """What has to be known of a memory to find its doubles."""

    id: str
    statement: str
    slot: tuple[str, str, str] = ("", "", "")  # subject, predicate, object as they are compared
    group: tuple[str, ...] = ()  # doubles agree in these: kind, trust, what else sets apart
    stays: bool = False  # pinned or hard: never retired
    is_listed: bool = False  # in a stream that the person reads
    since: tuple[int, str] = (0, "")  # UTC ms and the folder of its day: sorts by age


def key_of(statement: str) -> str:
    """The words of a statement in their order, without articles and 'please'."""
    words = (word.rstrip(".") for word in _WORD.findall(canonical(statement)))
    return " ".join(word for word in words if word not in _POLITE)


def doubles(items: Iterable[Stated]) -> tuple[tuple[Stated, tuple[Stated, ...]], ...]:
    """(the one that stays, the ones that it stands for), by the id of the first.

    One that may not be retired stays, then one that a stream lists, then the oldest.
    """
    groups: dict[tuple[object, ...], list[Stated]] = {}
    for item in items:
        key = key_of(item.statement)
        if key:
            groups.setdefault((key, item.group), []).append(item)
    found = []
    for group in (part for whole in groups.values() for part in _of_one_slot(whole)):
        ranked = sorted(group, key=lambda i: (not i.stays, not i.is_listed, i.since, i.id))
        retired = tuple(item for item in ranked[1:] if not item.stays)
        if retired:
            found.append((ranked[0], retired))
    return tuple(sorted(found, key=lambda pair: pair[0].id))


def _of_one_slot(group: list[Stated]) -> list[list[Stated]]:
    """The group in parts of one slot; without a slot one belongs where there is no choice."""
    slots = sorted({item.slot for item in group} - {_NO_SLOT})
    if len(slots) < 2:
        return [group]
    return [[item for item in group if item.slot == slot] for slot in (_NO_SLOT, *slots)]
