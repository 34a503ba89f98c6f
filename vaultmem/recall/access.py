"""`.vaultmem/state/access.json`: on how many days each device used each note, and when last.

A note a line, sorted, so that the same uses are the same bytes on every device and Git shows what a
night added. Devices are united by the larger numbers. The file may come from anybody who can push,
or hold the marks of a merge that somebody made by hand: rows are read one by one, what is none is
passed over, and there is a bound to them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from datetime import date
from pathlib import Path
from typing import Any, TypeGuard

from vaultmem.model.uses import Use, Uses, united
from vaultmem.storage.files.layout import ACCESS
from vaultmem.storage.notes.erasing import ROWS

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
            return parsed(file.read(MOST_BYTES + 1))
    except OSError:
        return {}


def parsed(data: bytes) -> Uses:
    """The uses in a file; what is no row of ours is passed over."""
    if len(data) > MOST_BYTES:
        return {}
    text = data.decode("utf-8", "replace")
    try:
        loaded = json.loads(text)
    except (ValueError, RecursionError):
        return _salvaged(text)
    return dict(_rows(loaded.get("access") if isinstance(loaded, dict) else None))


def rendered(uses: Uses) -> bytes:
    """The file of these uses; `parsed` reads them back. Of too many, those used last."""
    lines: dict[str, str] = {}
    room = MOST_BYTES - len(ROWS) - _LENGTH_OF_END
    for id_ in sorted(uses, key=lambda id_: (-_last(uses, id_), id_))[:MOST_NOTES]:
        told = {name: _told(use) for name, use in sorted(uses[id_].items())}
        line = f"{json.dumps(id_)}: {json.dumps(told)}"
        room -= len(line) + len(",\n")
        if room < 0:
            break  # a longer file would not be read at all
        lines[id_] = line
    body = ",\n".join(lines[id_] for id_ in sorted(lines))
    return f'{ROWS}{body}{chr(10) if body else ""}}}, "format": 1}}\n'.encode("ascii")


def merged(ours: bytes, theirs: bytes) -> bytes:
    """The uses of both files in one."""
    return rendered(united(parsed(ours), parsed(theirs)))


def _last(uses: Uses, id_: str) -> int:
    return max((use.last for use in uses[id_].values()), default=0)


def _told(use: Use) -> list[object]:
    return [use.days, date.fromordinal(use.last + _EPOCH).isoformat(), use.level]


def _salvaged(text: str) -> Uses:
    """Rows of a file that is no JSON as a whole, such as one with marks of a conflict."""
    found: dict[str, dict[str, Use]] = {}
    for line in text.splitlines():
        row = _LINE.fullmatch(line.strip())
        with suppress(ValueError, RecursionError):
            told = dict(_rows(json.loads(f"{{{row[1]}}}"))) if row else {}
            # The rows of a note with one another: each with all would be slow in a long file.
            found |= united({id_: found[id_] for id_ in told if id_ in found}, told)
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


def _is_count(number: object, most: int) -> TypeGuard[int]:
    return isinstance(number, int) and not isinstance(number, bool) and 0 <= number <= most


def _is_name(text: object) -> TypeGuard[str]:
    return isinstance(text, str) and 0 < len(text) <= _MOST_NAME and text.isascii()
