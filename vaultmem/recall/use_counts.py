"""How often notes were used: how days add up, the file that unites devices, the counts as of now.

algorithms.md 5.3 (at most one access a note and session) and 7.4 (a note rises by one for each
night after a day on which it was used, at most by the cap, and sinks by one for 30 days without).
Counted by days, not by runs: a missed night loses nothing, one that ran twice adds nothing.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from datetime import date
from pathlib import Path

from vaultmem.base import TYPE_CHECKING, Any, TypeGuard
from vaultmem.language import DAY_MS
from vaultmem.model import Access, Use, Uses, unite_uses
from vaultmem.recall.ranking import served
from vaultmem.storage.files import ACCESS
from vaultmem.storage.notes import ROWS

if TYPE_CHECKING:
    from vaultmem.vault import Vault
SINKS_AFTER_DAYS = 30


def add_days(
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
            use = _use_on_day(use, min(day, today), today=today, cap=cap)
        if use is not None:
            found.setdefault(id_, {})[device] = use
    return found


def _use_on_day(use: Use | None, day: int, *, today: int, cap: int) -> Use:
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


# --- `.vaultmem/state/access.json` ---

# A note a line, sorted, so that the same uses are the same bytes on every device and Git shows what
# a night added. Devices are united by the larger numbers. The file may come from anybody who can
# push, or hold the marks of a merge that somebody made by hand: rows are read one by one, what is
# none is passed over, and there is a bound to them.
MOST_BYTES = 4_000_000
MOST_NOTES = 40_000
_MOST_DEVICES = 64
_MOST_NAME = 64
_MOST_DAYS = 100_000
_EPOCH = date(1970, 1, 1).toordinal()
_LENGTH_OF_END = 40
_LINE = re.compile(r'("[^"\\]{1,64}": \{.*\}),?')


def read_uses(root: Path) -> Uses:
    """The uses of a vault; none where there is no such file, or none that can be read."""
    try:
        with open(root / ACCESS, "rb") as file:
            return parse_uses(file.read(MOST_BYTES + 1))
    except OSError:
        return {}


def parse_uses(data: bytes) -> Uses:
    """The uses in a file; what is no row of ours is passed over."""
    if len(data) > MOST_BYTES:
        return {}
    text = data.decode("utf-8", "replace")
    try:
        loaded = json.loads(text)
    except (ValueError, RecursionError):
        return _salvage_rows(text)
    return dict(_rows(loaded.get("access") if isinstance(loaded, dict) else None))


def render_uses(uses: Uses) -> bytes:
    """The file of these uses; `parsed` reads them back. Of too many, those used last."""
    lines: dict[str, str] = {}
    room = MOST_BYTES - len(ROWS) - _LENGTH_OF_END
    # Those used last: of three devices and 40,000 notes the file would be longer than what is read,
    # and then none of it counted.
    for id_ in sorted(uses, key=lambda id_: (-_last(uses, id_), id_))[:MOST_NOTES]:
        told = {name: _encode_use(use) for name, use in sorted(uses[id_].items())}
        line = f"{json.dumps(id_)}: {json.dumps(told)}"
        room -= len(line) + len(",\n")
        if room < 0:
            break  # a longer file would not be read at all
        lines[id_] = line
    body = ",\n".join(lines[id_] for id_ in sorted(lines))
    return f'{ROWS}{body}{chr(10) if body else ""}}}, "format": 1}}\n'.encode("ascii")


def merge_use_files(ours: bytes, theirs: bytes) -> bytes:
    """The uses of both files in one."""
    return render_uses(unite_uses(parse_uses(ours), parse_uses(theirs)))


def _last(uses: Uses, id_: str) -> int:
    return max((use.last for use in uses[id_].values()), default=0)


def _encode_use(use: Use) -> list[object]:
    return [use.days, date.fromordinal(use.last + _EPOCH).isoformat(), use.level]


def _salvage_rows(text: str) -> Uses:
    """Rows of a file that is no JSON as a whole, such as one with marks of a conflict."""
    found: dict[str, dict[str, Use]] = {}
    for line in text.splitlines():
        row = _LINE.fullmatch(line.strip())
        with suppress(ValueError, RecursionError):
            told = dict(_rows(json.loads(f"{{{row[1]}}}"))) if row else {}
            # The rows of a note with one another: each with all would be slow in a long file.
            found |= unite_uses({id_: found[id_] for id_ in told if id_ in found}, told)
    return found


def _rows(found: Any) -> Iterator[tuple[str, dict[str, Use]]]:
    if not isinstance(found, dict):
        return
    for id_, devices in sorted(found.items())[:MOST_NOTES]:
        if not _is_name(id_) or not isinstance(devices, dict) or len(devices) > _MOST_DEVICES:
            continue
        uses = {name: _use(told) for name, told in devices.items() if _is_name(name)}
        kept = {name: use for name, use in uses.items() if use is not None}
        if kept:
            yield id_, kept


def _use(told: Any) -> Use | None:
    if not isinstance(told, list) or len(told) != 3:
        return None
    days, last, level = told
    if not (_is_count(days, _MOST_DAYS) and days and _is_count(level, _MOST_DAYS)):
        return None
    try:
        day = date.fromisoformat(last).toordinal() - _EPOCH
    except (TypeError, ValueError):
        return None
    return Use(days=days, last=day, level=level) if day >= 0 else None


# For Python True is an int.
def _is_count(number: object, most: int) -> TypeGuard[int]:
    return isinstance(number, int) and not isinstance(number, bool) and 0 <= number <= most


def _is_name(text: object) -> TypeGuard[str]:
    return isinstance(text, str) and 0 < len(text) <= _MOST_NAME and text.isascii()


# --- counts of all devices ---


# Recalls write to the log of the device alone (served.py). Once a night its days go into a file of
# the vault, so that a use on one device counts on all of them.
def accesses(vault: Vault) -> dict[str, Access]:
    """The uses of each note (by id) that was used, on all devices.

    Days and times are those of this moment; a note rises in the night only.
    """
    today, known, used = today_of(vault), read_uses(vault.root), served.times(vault)
    risen = _priorities(vault, known)
    return {
        id_: Access(
            last=max(
                max(min(use.last, today) for use in devices.values()) * DAY_MS,
                max(used.get(id_, ()), default=0),
            ),
            days=sum(use.days for use in devices.values()),
            priority=risen.get(id_, 0),
        )
        for id_, devices in uses_now(vault, known, used).items()
    }


def priorities(vault: Vault) -> dict[str, int]:
    """How far notes (by id) stand above their importance for being used; absent: not at all."""
    return _priorities(vault, read_uses(vault.root))


def _priorities(vault: Vault, known: Uses) -> dict[str, int]:
    today, cap = today_of(vault), vault.settings.maintenance_promotion_cap
    risen = ((id_, priority(of.values(), today=today, cap=cap)) for id_, of in known.items())
    return {id_: level for id_, level in risen if level}


def uses_now(vault: Vault, known: Uses, used: Mapping[str, list[int]]) -> dict[str, dict[str, Use]]:
    """What is known of all devices with what the log of this one adds.

    used  id -> times, UTC ms
    """
    return add_days(
        known,
        {id_: {at // DAY_MS for at in times} for id_, times in used.items()},
        device=vault.settings.device,
        today=today_of(vault),
        cap=vault.settings.maintenance_promotion_cap,
    )


def today_of(vault: Vault) -> int:
    """The number of the day, UTC: the same on devices in any zone."""
    return vault.clock.now() // DAY_MS
