"""How uses of notes add up: a day counts once, a hot note rises and sinks again. Pure.

algorithms.md 5.3 (at most one access a note and session) and 7.4 (a note rises by one for each
night after a day on which it was used, at most by the cap, and sinks by one for 30 days without).
Counted by days, not by runs: a missed night loses nothing, one that ran twice adds nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from vaultmem.model.uses import Use, Uses

SINKS_AFTER_DAYS = 30


def folded(
    known: Uses,
    used: Mapping[str, Collection[int]],
    *,
    device: str,
    today: int,
    cap: int,
) -> dict[str, dict[str, Use]]:
    """What is known, with the days (numbers) on which a device used notes (by id).

    A day up to the last one known of the device is counted already. A last day that lies ahead (a
    clock that was wrong) is today.
    """
    found = {id_: dict(devices) for id_, devices in known.items()}
    for id_, days in used.items():
        use = found.get(id_, {}).get(device)
        for day in sorted(days):
            use = _used(use, min(day, today), today=today, cap=cap)
        if use is not None:
            found.setdefault(id_, {})[device] = use
    return found


def _used(use: Use | None, day: int, *, today: int, cap: int) -> Use:
    if use is None:
        return Use(days=1, last=day, level=min(1, cap))
    last = min(use.last, today)
    if day <= last:
        return use
    return Use(days=use.days + 1, last=day, level=min(cap, sunk(use, day) + 1))


def sunk(use: Use, day: int) -> int:
    """The level of a note on a later day."""
    return max(0, use.level - max(0, day - use.last) // SINKS_AFTER_DAYS)


def priority(uses: Iterable[Use], *, today: int, cap: int) -> int:
    """How far a note stands above others, 0..cap, from its uses on all devices."""
    return min(cap, sum(sunk(use, today) for use in uses))
