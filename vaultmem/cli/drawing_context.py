"""Who was granted how many tokens of a context, as a table with bars."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from vaultmem.base.records import NamedTuple
from vaultmem.cli.history_report import columns, padded

if TYPE_CHECKING:
    from vaultmem.model.contexts import Pack, Portion

_LEAST_BAR = 10
_MOST_BAR = 48
NAMES = {
    "hard": "hard exceptions",
    "critical": "health, safety, limits",
    "beside": "also known",
    "persona": "how they want it",
    "user": "who they are",
    "rules": "rules, procedures",
    "sessions": "last conversations",
    "facts": "found: facts",
    "events": "found: past",
    "inferred": "inferred",
    "session": "conversation: holds",
    "turns": "conversation: turns",
}
_HEAD = ("", "content", "granted", "used", "lines", "left")


class Shades(NamedTuple):
    """The characters of a bar: in the text, granted and not used, not granted."""

    used: str
    free: str
    over: str


BLOCKS = Shades("█", "░", "·")
ASCII = Shades("#", "-", ".")


def shades_for(encoding: str) -> Shades:
    """Blocks where the encoding has them, else ASCII."""
    try:
        "".join(BLOCKS).encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return ASCII
    return BLOCKS


def context_lines(pack: Pack, *, width: int, shades: Shades) -> Iterator[str]:
    """The budget, then one line a tier or stream, with a bar in one scale.

    width  columns of the terminal
    """
    share = 100 * pack.tokens // pack.budget
    memories = "memory" if len(pack.lines) == 1 else "memories"
    yield (
        f"{pack.tokens} of {pack.budget} tokens ({share} %) by '{pack.counter}', "
        f"{len(pack.lines)} {memories}"
    )
    shown = [each for each in pack.portions if each.content or each.used]
    if not shown:
        return
    told = [_cells(each, pack.budget) for each in shown]
    widths = [max(columns(row[i]) for row in (_HEAD, *told)) for i in range(len(_HEAD))]
    room = min(_MOST_BAR, width - sum(widths) - 2 * len(widths) - 1)
    scale = max(max(each.content, each.used) for each in shown) or 1
    yield _row(_HEAD, widths).rstrip()
    for each, cells in zip(shown, told, strict=True):
        bar = _bar(each, min(each.granted, pack.budget), scale, room, shades)
        yield f"{_row(cells, widths)}  {bar}".rstrip()
    frame = pack.tokens - sum(each.used for each in pack.portions)
    yield f"the rest, {frame} tokens, is headings, dates of sources, and how to use it"


def _cells(each: Portion, budget: int) -> tuple[str, ...]:
    granted = "what is left" if each.granted >= budget else str(each.granted)
    left = str(each.left_out) if each.left_out else ""
    name = NAMES.get(each.name, each.name)
    return name, str(each.content), granted, str(each.used), str(each.lines), left


def _row(cells: tuple[str, ...], widths: list[int]) -> str:
    first, *rest = cells
    told = [f"{cell:>{width}}" for cell, width in zip(rest, widths[1:], strict=True)]
    return "  ".join((padded(first, widths[0]), *told))


def _bar(each: Portion, granted: int, scale: int, room: int, shades: Shades) -> str:
    """Used, then granted and free, then content that was not granted; '' where it has no room."""
    if room < _LEAST_BAR:
        return ""
    ends = [each.used, min(max(granted, each.used), max(each.content, each.used)), each.content]
    places = [round(min(end, scale) * room / scale) for end in ends]
    used = max(places[0], 1 if each.used else 0)
    free = max(places[1] - used, 0)
    over = max(places[2] - used - free, 0)
    return shades.used * used + shades.free * free + shades.over * over
