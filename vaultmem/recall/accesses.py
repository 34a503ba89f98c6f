"""How notes were used: what all devices counted up to their last night, and this one since then.

Recalls write to the log of the device alone (served.py). Once a night its days go into a file of
the vault, so that a use on one device counts on all of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from vaultmem.language.time import DAY_MS
from vaultmem.model.uses import Access, Use, Uses
from vaultmem.recall.access import read_uses
from vaultmem.recall.ranking import served
from vaultmem.recall.uses import folded, priority

if TYPE_CHECKING:
    from vaultmem.vault.vault import Parts


def accesses(parts: Parts) -> dict[str, Access]:
    """The uses of each note (by id) that was used, on all devices.

    Days and times are those of this moment; a note rises in the night only.
    """
    today, known, used = today_of(parts), read_uses(parts.root), served.times(parts)
    risen = _priorities(parts, known)
    return {
        id_: Access(
            last=max(
                max(min(use.last, today) for use in devices.values()) * DAY_MS,
                max(used.get(id_, ()), default=0),
            ),
            days=sum(use.days for use in devices.values()),
            priority=risen.get(id_, 0),
        )
        for id_, devices in uses_now(parts, known, used).items()
    }


def priorities(parts: Parts) -> dict[str, int]:
    """How far notes (by id) stand above their importance for being used; absent: not at all."""
    return _priorities(parts, read_uses(parts.root))


def _priorities(parts: Parts, known: Uses) -> dict[str, int]:
    today, cap = today_of(parts), parts.settings.maintenance_promotion_cap
    risen = ((id_, priority(of.values(), today=today, cap=cap)) for id_, of in known.items())
    return {id_: level for id_, level in risen if level}


def uses_now(parts: Parts, known: Uses, used: Mapping[str, list[int]]) -> dict[str, dict[str, Use]]:
    """What is known of all devices with what the log of this one adds.

    used  id -> times, UTC ms
    """
    return folded(
        known,
        {id_: {at // DAY_MS for at in times} for id_, times in used.items()},
        device=parts.settings.device,
        today=today_of(parts),
        cap=parts.settings.maintenance_promotion_cap,
    )


def today_of(parts: Parts) -> int:
    """The number of the day, UTC: the same on devices in any zone."""
    return parts.clock.now() // DAY_MS
