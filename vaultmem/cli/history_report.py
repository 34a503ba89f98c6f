"""Intervals of time as bars of characters, as wide as the terminal."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from itertools import groupby
from typing import TYPE_CHECKING

from vaultmem.base.records import NamedTuple
from vaultmem.cli.note_lines import one_line
from vaultmem.language.text import visible
from vaultmem.language.time import format_date
from vaultmem.model.slots import slot_key

if TYPE_CHECKING:
    from vaultmem.model.history import Timeline, TimelineRow

LEAST_WIDTH = 50  # columns; below it nothing can be drawn
_MOST_LABEL = 40
_DATE = len("2026-02-02")


class Pen(NamedTuple):
    """The characters of a bar, one column each."""

    begin: str
    line: str
    end: str
    goes_on: str
    from_ever: str
    unheld: str
    tick: str
    cut: str  # ends a label that is too long; any width


BOX = Pen("├", "─", "┤", "▶", "◀", "┄", "┬", "…")
ASCII = Pen("[", "=", "]", ">", "<", ".", "+", "..")


def pen_for(encoding: str) -> Pen:
    """Box characters where the encoding has them, else ASCII."""
    try:
        "".join(BOX).encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return ASCII
    return BOX


def timeline_lines(found: Timeline, zone: str, *, width: int, pen: Pen) -> Iterator[str]:
    """An axis of dates, then each slot with a bar for every value that it had.

    width  columns of the terminal
    """
    width = max(width, LEAST_WIDTH)
    labels = [_label(row) for row in found.rows]
    room = min(max(map(columns, labels)), _MOST_LABEL, width // 3)
    bar = width - room - 4 - len(_until(found.rows[0], zone, longest=True))
    if bar < _DATE * 2 + 2:  # then without the dates of each bar
        bar = width - room - 4
    axis = _Axis(found.begins, max(found.ends, found.begins + 1), bar)
    yield from _axis_lines(axis, zone, indent=room + 3, pen=pen, now=found.now)
    of_slots = groupby(
        zip(found.rows, labels, strict=True),
        key=lambda each: slot_key(each[0].subject, each[0].predicate),
    )
    for slot, rows in of_slots:
        group = list(rows)
        if slot:
            yield one_line(f"{group[0][0].subject} {group[0][0].predicate}")
        elif len(group) < len(found.rows):
            yield "in no slot"
        for row, label in group:
            drawn = _bar(row, axis, pen)
            dates = _until(row, zone) if bar < width - room - 4 else ""
            yield f"  {padded(label, room, cut=pen.cut)} {drawn:<{bar}} {dates}".rstrip()


class _Axis(NamedTuple):
    """Columns of a span of time."""

    begins: int
    ends: int
    columns: int

    def column(self, ms: int) -> int:
        """0 to columns - 1."""
        share = (ms - self.begins) / (self.ends - self.begins)
        return min(max(int(share * self.columns), 0), self.columns - 1)


def _axis_lines(axis: _Axis, zone: str, *, indent: int, pen: Pen, now: int) -> Iterator[str]:
    first, last = _date(axis.begins, zone), _date(axis.ends, zone)
    gap = axis.columns - len(first) - len(last)
    yield f"{' ' * indent}{first}{' ' * max(gap, 1)}{last}"
    ruler = [pen.line] * axis.columns
    for column in (0, axis.columns - 1, axis.column(now)):
        ruler[column] = pen.tick
    mark = "" if axis.column(now) == axis.columns - 1 else f" ({pen.tick} within: now)"
    yield f"{' ' * indent}{''.join(ruler)}{mark}"


def _bar(row: TimelineRow, axis: _Axis, pen: Pen) -> str:
    """The columns in which the item holds; what never counted is dotted."""
    begins = row.recorded_at if row.valid_from is None else row.valid_from
    start = 0 if begins is None else axis.column(begins)
    stop = axis.columns - 1 if row.valid_until is None else axis.column(row.valid_until)
    stop = max(start, stop)
    line = pen.line if row.held else pen.unheld
    cells = [line] * (stop - start + 1)
    if row.held:
        cells[0] = pen.from_ever if begins is None else pen.begin
        cells[-1] = pen.goes_on if row.valid_until is None else pen.end
    return " " * start + "".join(cells)


def _until(row: TimelineRow, zone: str, *, longest: bool = False) -> str:
    """The dates of a bar, and its status where that is not the usual one."""
    if longest:
        return f"{'x' * _DATE} to {'x' * _DATE}"
    begins = row.recorded_at if row.valid_from is None else row.valid_from
    since = _date(begins, zone)
    if not row.held:
        return f"{row.status}"
    if row.valid_until is None:
        return since
    until = _date(row.valid_until, zone)
    return f"{since} to {until}" if since else f"until {until}"


def _label(row: TimelineRow) -> str:
    said = row.object if row.subject and row.object else row.statement
    return visible(one_line(said)) or visible(one_line(row.id))


def _date(ms: int | None, zone: str) -> str:
    if ms is None:
        return ""
    try:
        return format_date(ms, zone)
    except ValueError:  # outside the calendar
        return str(ms)


def columns(text: str) -> int:
    """How many columns of a terminal a text takes."""
    return sum(map(_columns, text))


def padded(text: str, room: int, *, cut: str = BOX.cut) -> str:
    """The text in exactly so many columns; `cut` ends one that was longer."""
    if columns(text) > room:
        kept = ""
        for char in text:
            if columns(kept) + _columns(char) > room - len(cut):
                break
            kept += char
        text = f"{kept}{cut}"
    return text + " " * (room - columns(text))


def _columns(char: str) -> int:
    if unicodedata.combining(char):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1
