"""Both clocks as drawings: when things held as bars, when the vault learned of them as marks. Pure.

All places are percents of the width, so that a drawing needs no style and no script to fit.
"""

from __future__ import annotations

from collections.abc import Sequence

from vaultmem.base import Any, NamedTuple
from vaultmem.language import civil, days_from_civil

_DAY_MS = 86_400_000
_MOST_COLUMNS = 72
_MOST_TICKS = 8
_MOST_YEARS = 20  # of the table; older ones are one row
_MONTHS = (1, 2, 3, 4, 6, 12, 24, 60, 120, 240, 600, 1200)  # between two lines of the axis
_LEAST_WIDTH = 0.4  # percent: what held for a day is seen in ten years
_LEAST_SPAN_DAYS = 28
_HIGH = 56.0  # of the tallest column, in pixels


class Span(NamedTuple):
    """When something held, and when the vault learned of it. UTC ms."""

    start: int | None  # None: nobody says
    stop: int | None  # None: it still holds
    recorded: int | None
    held: bool  # False: taken back, or it waits


class Bar(NamedTuple):
    """One line of the drawing."""

    line: Any
    x: float
    width: float
    mark: float | None
    held: bool


class Column(NamedTuple):
    """How much held, and how much was learned, in one stretch of the axis."""

    x: float
    held: float
    learned: float


class Spans(NamedTuple):
    """A drawing."""

    bars: Sequence[Bar]
    ticks: Sequence[tuple[float, str]]
    columns: Sequence[Column]
    width: float  # of a column
    most_held: int
    most_learned: int
    years: Sequence[tuple[str, int, int, int]]  # year, began, ended, learned


def draw(
    shown: Sequence[tuple[Any, Span]], everything: Sequence[Span], *, now: int, zone: str
) -> Spans:
    """Bars for what is shown, columns and a table of years for everything."""
    ends = [now]
    for span in everything:
        ends += [ms for ms in (span.start, span.stop, span.recorded) if ms is not None]
    # A year 9999 that somebody wrote must not press the rest into one pixel: the fiftieth part of
    # all ends may lie outside the axis on each side, and is cut off there.
    ends.sort()
    trim = len(ends) // 50
    begins = ends[trim]
    finish = max(ends[-1 - trim], now)
    begins = min(begins, finish - _LEAST_SPAN_DAYS * _DAY_MS)
    size = finish - begins

    def place(ms: int) -> float:
        return round(100 * min(max(ms - begins, 0), size) / size, 2)

    bars = []
    for line, span in shown:
        start = place(span.start) if span.start is not None else 0.0
        stop = place(span.stop) if span.stop is not None else 100.0
        start = min(start, 100 - _LEAST_WIDTH)
        wide = max(round(stop - start, 2), _LEAST_WIDTH)
        mark = place(span.recorded) if span.recorded is not None else None
        bars.append(Bar(line, start, wide, mark, span.held))
    return Spans(
        bars,
        _ticks(begins, finish, zone),
        *_columns(everything, begins, size),
        _years(everything, zone),
    )


def _columns(
    spans: Sequence[Span], begins: int, size: int
) -> tuple[Sequence[Column], float, int, int]:
    """(columns, width of one, most that held, most that were learned)."""
    count = _MOST_COLUMNS
    changes, learned = [0] * (count + 1), [0] * count

    def cell(ms: int) -> int:
        return min(max((ms - begins) * count // size, 0), count - 1)

    for span in spans:
        if span.recorded is not None:
            learned[cell(span.recorded)] += 1
        if span.held:
            first = cell(span.start) if span.start is not None else 0
            last = cell(span.stop) if span.stop is not None else count - 1
            changes[min(first, last)] += 1
            changes[max(first, last) + 1] -= 1
    held, total = [], 0
    for change in changes[:-1]:
        total += change
        held.append(total)
    most, most_learned = max(held, default=0), max(learned, default=0)
    width = 100 / count
    columns = [
        Column(
            round(number * width, 2),
            round(_HIGH * held[number] / (most or 1), 1),
            round(_HIGH / 2 * learned[number] / (most_learned or 1), 1),
        )
        for number in range(count)
    ]
    return columns, round(width * 0.86, 2), most, most_learned


def _years(spans: Sequence[Span], zone: str) -> Sequence[tuple[str, int, int, int]]:
    """What began, ended and was learned in each year, the newest first; old ones together."""
    counts: dict[int, list[int]] = {}
    known: dict[int, int] = {}
    for span in spans:
        for which, ms in enumerate((span.start, span.stop, span.recorded)):
            if ms is None:
                continue
            day = ms // _DAY_MS
            if day not in known:
                known[day] = _year(ms, zone)
            counts.setdefault(known[day], [0, 0, 0])[which] += 1
    years = sorted(counts, reverse=True)
    found = [(str(year), *_three(counts[year])) for year in years[:_MOST_YEARS]]
    if old := years[_MOST_YEARS:]:
        sums = [sum(counts[year][which] for year in old) for which in range(3)]
        found.append((f"{old[-1]} to {old[0]}", *_three(sums)))
    return found


def _three(numbers: Sequence[int]) -> tuple[int, int, int]:
    return numbers[0], numbers[1], numbers[2]


def _year(ms: int, zone: str) -> int:
    try:
        return civil(ms, zone)[0]
    except (ValueError, OverflowError):  # beyond what a calendar has
        return 1970 + ms // (365 * _DAY_MS)


def _ticks(begins: int, finish: int, zone: str) -> Sequence[tuple[float, str]]:
    """Beginnings of months or years, a few of them."""
    year, month, _ = _date(begins, zone)
    last_year, last_month, _ = _date(finish, zone)
    months = (last_year - year) * 12 + last_month - month
    step = next((each for each in _MONTHS if months // each <= _MOST_TICKS), _MONTHS[-1])
    at = (year * 12 + month - 1) // step * step + step
    found = []
    while at <= last_year * 12 + last_month - 1:
        ms = days_from_civil(at // 12, at % 12 + 1, 1) * _DAY_MS
        x = round(100 * (ms - begins) / (finish - begins), 2)
        label = f"{at // 12}" if step % 12 == 0 else f"{at // 12}-{at % 12 + 1:02}"
        if 0 <= x <= 96:
            found.append((x, label))
        at += step
    return found


def _date(ms: int, zone: str) -> tuple[int, int, int]:
    try:
        return civil(ms, zone)
    except (ValueError, OverflowError):
        return 1970 + ms // (365 * _DAY_MS), 1, 1
