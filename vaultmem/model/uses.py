"""How often notes were used, as devices tell each other. Days are counted from 1970-01-01, UTC."""

from __future__ import annotations

from collections.abc import Mapping

from vaultmem.base import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Use:
    """The uses of one note on one device."""

    days: int  # on which it was used, >= 1: a day stands for a session
    last: int  # the newest of them
    level: int  # how far it had risen on that day, >= 0


Uses = Mapping[str, Mapping[str, Use]]  # id of the note -> name of the device -> its uses


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    """The uses of one note on all devices."""

    last: int  # UTC ms; of other devices the beginning of the day
    days: int
    priority: int  # 0 up to the cap: how far it stands above others for being used


def unite_uses(one: Uses, other: Uses) -> dict[str, dict[str, Use]]:
    """What either side knows: of one device the more days, and the later last one.

    Commutative, associative and idempotent: devices may exchange it in any order, any number of
    times.
    """
    found = {id_: dict(devices) for id_, devices in one.items()}
    for id_, devices in other.items():
        mine = found.setdefault(id_, {})
        for device, use in devices.items():
            mine[device] = _later(mine[device], use) if device in mine else use
    return found


def _later(one: Use, other: Use) -> Use:
    last, level = max((one.last, one.level), (other.last, other.level))
    return Use(days=max(one.days, other.days), last=last, level=level)
