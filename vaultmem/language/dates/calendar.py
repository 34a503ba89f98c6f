"""Stretches of the calendar: a day, a week, a quarter, a season, and parts of them.

Days are numbered as in `language.time` (1970-01-01 is 0) and belong to no zone.
"""

from __future__ import annotations

from vaultmem.base import NamedTuple
from vaultmem.language.time import civil_from_days, days_from_civil, days_in_month, weekday

UNITS = ("day", "week", "month", "quarter", "year")


class Period(NamedTuple):
    """Calendar days `[first, until)` and how exactly they were named."""

    first: int
    until: int
    granularity: str  # as of `time.Instant`


def day_of(day: int) -> Period:
    """That one day."""
    return Period(first=day, until=day + 1, granularity="day")


def week_of(day: int) -> Period:
    """Monday to Sunday (ISO 8601) around a day."""
    monday = day - weekday(day)
    return Period(first=monday, until=monday + 7, granularity="week")


def weekend_of(day: int) -> Period:
    """Saturday and Sunday of the ISO week that holds a day."""
    saturday = day - weekday(day) + 5
    return Period(first=saturday, until=saturday + 2, granularity="weekend")


def month_of(year: int, month: int) -> Period:
    """A calendar month; months outside 1..12 run on into the years beside."""
    return _months(year, month, 1, "month")


def quarter_of(year: int, quarter: int) -> Period:
    """A quarter 1..4 of a year; numbers outside run on into the years beside."""
    return _months(year, 3 * quarter - 2, 3, "quarter")


def year_of(year: int) -> Period:
    """A calendar year."""
    return _months(year, 1, 12, "year")


def season_of(year: int, first_month: int) -> Period:
    """Three months from `first_month` on: 3 spring, 6 summer, 9 autumn, 12 winter (northern)."""
    return _months(year, first_month, 3, "season")


def unit_around(day: int, unit: str, step: int = 0) -> Period:
    """The `unit` (one of UNITS) that holds a day, or the one `step` units later."""
    if unit == "day":
        return day_of(day + step)
    if unit == "week":
        return week_of(day + 7 * step)
    year, month, _ = civil_from_days(day)
    if unit == "month":
        return month_of(year, month + step)
    if unit == "quarter":
        return quarter_of(year, (month + 2) // 3 + step)
    return year_of(year + step)


def shift_day(day: int, unit: str, step: int) -> int:
    """The day `step` units later; the 31st becomes the last day of a shorter month."""
    if unit == "day":
        return day + step
    if unit == "week":
        return day + 7 * step
    year, month, day_of_month = civil_from_days(day)
    months = month - 1 + step * {"month": 1, "quarter": 3, "year": 12}[unit]
    year, month = year + months // 12, months % 12 + 1
    return days_from_civil(year, month, min(day_of_month, days_in_month(year, month)))


def part_of(period: Period, part: str) -> Period:
    """The start, middle or end third of a period: days of a month, months of a year.

    A week starts on Monday and Tuesday and ends on Friday, Saturday and Sunday; a year starts
    with its first quarter, ends with its last, and May to August is its middle. A single day has
    no parts.
    """
    length = period.until - period.first
    if length == 1:
        return period
    if period.granularity == "year":
        year = civil_from_days(period.first)[0]
        first_month, count = {"start": (1, 3), "middle": (5, 4), "end": (10, 3)}[part]
        return _months(year, first_month, count, "quarter")
    cuts = (2, 4) if period.granularity == "week" else (length // 3, 2 * length // 3)
    first, until = {
        "start": (0, cuts[0]),
        "middle": (cuts[0], cuts[1]),
        "end": (cuts[1], length),
    }[part]
    smaller = "month" if period.granularity == "quarter" else "week"
    return Period(first=period.first + first, until=period.first + until, granularity=smaller)


def _months(year: int, month: int, count: int, granularity: str) -> Period:
    first, until = 12 * year + month - 1, 12 * year + month - 1 + count
    return Period(
        first=days_from_civil(first // 12, first % 12 + 1, 1),
        until=days_from_civil(until // 12, until % 12 + 1, 1),
        granularity=granularity,
    )
