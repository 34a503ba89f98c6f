"""Phrases that name a calendar date: '3 May 2026', 'May 3-5', '25.12.2024', 'since January'.

A rule looks at one word of a sentence and answers with a `Match` or with None.
"""

from __future__ import annotations

import re

from vaultmem.language.dates import words as dw
from vaultmem.language.dates.calendar import Period, month_of
from vaultmem.language.dates.context import Match, Words, direction, is_closed, preposition
from vaultmem.language.time import civil_from_days, days_from_civil, days_in_month, weekday

_DAY = r"(\d{1,2})(st|nd|rd|th)?"
_RANGE = r"(\d{1,2})-(\d{1,2})"
_ISO_DAY = r"(\d{4})[-/](\d{2})[-/](\d{2})(?:[t ](\d{2}):(\d{2}).*)?"
_DOTTED = r"(\d{1,2})\.(\d{1,2})\.(\d{4})"
_SLASHED = r"(\d{1,2})/(\d{1,2})/(\d{4})"
_ISO_MONTH = r"(\d{4})-(\d{2})"
FIRST_YEAR, LAST_YEAR = 1500, 2200  # written out with day or month
FIRST_BARE_YEAR, LAST_BARE_YEAR = 1900, 2100  # 'in 1500' may be a number of things


def month_date(words: Words, i: int) -> Match | None:
    """'3 May', 'May 3rd, 2026', 'May 2026', 'since May'; `i` is the month's name."""
    month = dw.MONTHS[words.lower[i]]
    if not (words.capital(i) or words.lower[i] in dw.PLAIN_MONTHS or words.whole):
        return None
    after = i + 2 if words.at(i + 1) == "." and len(words.lower[i]) <= 4 else i + 1
    return (
        _day_before(words, i, month, after=after)
        or _day_after(words, i, month, after=after)
        or _month_year(words, i, month, after=after)
        or _bare_month(words, i, month)
    )


def _day_before(words: Words, i: int, month: int, *, after: int) -> Match | None:
    j = i - 2 if words.at(i - 1) == "of" else i - 1
    spread = re.fullmatch(_RANGE, words.at(j))
    single = re.fullmatch(_DAY, words.at(j))
    if spread is None and (single is None or (j == i - 2 and not single.group(2))):
        return None
    start = j - 1 if words.at(j - 1) == "the" else j
    year, end = year_at(words, after)
    first, last = spread.groups() if spread else (words.at(j).rstrip("stndrh"),) * 2
    return _dated(words, (start, end), (year, month, int(first), int(last)))


def _day_after(words: Words, i: int, month: int, *, after: int) -> Match | None:
    j = after + 1 if words.at(after) == "the" else after
    spread = re.fullmatch(_RANGE, words.at(j))
    single = re.fullmatch(_DAY, words.at(j))
    if spread is None and single is None:
        return None
    year, end = year_at(words, j + 1)
    plain = single is not None and not single.group(2) and year is None
    if plain and month in (3, 5) and not is_closed(words, j + 1):
        return None  # 'March 3 miles'
    first, last = spread.groups() if spread else (words.at(j).rstrip("stndrh"),) * 2
    return _dated(words, (i, end), (year, month, int(first), int(last)))


def _month_year(words: Words, i: int, month: int, *, after: int) -> Match | None:
    j = after + 1 if words.at(after) in ("of", ",") else after
    year, end = year_at(words, j)
    if year is None:
        return None
    return Match(start=i, end=end, period=month_of(year, month))


def _bare_month(words: Words, i: int, month: int) -> Match | None:
    prep = preposition(words, i)
    named = words.lower[i] in dw.NAMED_MONTHS and not words.whole
    if words.at(i + 1)[:1].isdecimal():
        return None  # 'February 30' is no date, so neither is its February
    if not words.whole:
        if prep in ("", "on", "at", "over", "around", "about", "of", "due"):
            return None
        if named and prep in ("by", "for", "to", "through"):
            return None  # 'a present for June'
        if named and prep == "from" and words.at(i + 1) not in ("to", "until", "on", "onwards"):
            return None
        if words.at(i - 2) in ("believe", "believed", "trust", "interested", "confide"):
            return None
    way = direction(words, i, i + 1, prep)
    if way == 0:
        return None
    year, now, _ = civil_from_days(words.today)
    year += (way > 0 and month < now) - (way < 0 and month > now)
    return Match(start=i, end=i + 1, period=month_of(year, month))


def year_at(words: Words, i: int) -> tuple[int | None, int]:
    """The year written at `i` (after an optional comma) and the end of what was read."""
    j = i + 1 if words.at(i) in (",", "of") else i
    word = words.at(j)
    if len(word) == 4 and word.isdecimal() and FIRST_YEAR <= int(word) <= LAST_YEAR:
        return int(word), j + 1
    return None, i


def _dated(
    words: Words, span: tuple[int, int], date: tuple[int | None, int, int, int]
) -> Match | None:
    """A day or a few days of a month; the weekday or the tense tells a missing year."""
    year, month, first, last = date
    start, end = span
    if year is None:
        found = [days_of(near, month, first, last) for near in _years_around(words.today)]
        known = [period for period in found if period is not None]
        wanted = _weekday_before(words, start)
        if wanted is not None:
            known = [period for period in known if weekday(period.first) == wanted]
        way = direction(words, start, end, preposition(words, start)) if wanted is None else 0
        past = [period for period in known if period.first <= words.today]
        coming = [period for period in known if period.first >= words.today]
        if way < 0 or (way == 0 and past and coming and _nearer(words.today, past, coming)):
            period = past[-1] if past else None
        else:
            period = coming[0] if coming else None
    else:
        period = days_of(year, month, first, last)
    if period is None:
        return None
    if _weekday_before(words, start) is not None:
        start -= 2 if words.at(start - 1) == "," else 1
    return Match(start=start, end=end, period=period)


def _weekday_before(words: Words, start: int) -> int | None:
    """The weekday named just before a date: it tells the year when none is written."""
    place = start - 2 if words.at(start - 1) == "," else start - 1
    return dw.WEEKDAYS.get(words.at(place))


def _nearer(today: int, past: list[Period], coming: list[Period]) -> bool:
    return today - past[-1].first < coming[0].first - today


def _years_around(today: int) -> range:
    year = civil_from_days(today)[0]
    return range(max(year - 4, 1), min(year + 5, 9999))  # 29 February comes every four years


def days_of(year: int, month: int, first: int, last: int) -> Period | None:
    if not (1 <= month <= 12 and 1 <= first <= last <= days_in_month(year, month)):
        return None
    day = days_from_civil(year, month, first)
    return Period(first=day, until=day + last - first + 1, granularity="day")


def numeric_date(words: Words, i: int) -> Match | None:
    """ISO, 31.12.2026, and 31/12/2026 or 12/31/2026 where only one order is possible."""
    word = words.lower[i]
    iso = re.fullmatch(_ISO_DAY, word)
    dotted = re.fullmatch(_DOTTED, word)
    slashed = re.fullmatch(_SLASHED, word)
    if iso:
        year, month, day = int(iso[1]), int(iso[2]), int(iso[3])
    elif dotted:
        year, month, day = int(dotted[3]), int(dotted[2]), int(dotted[1])
    elif slashed:
        day, month, year = int(slashed[1]), int(slashed[2]), int(slashed[3])
        if month > 12 >= day:
            day, month = month, day
        elif day <= 12 and day != month:
            return None  # 3/4/2026: nobody knows
    else:
        return _iso_month(words, i)
    period = days_of(year, month, day, day) if FIRST_YEAR <= year <= LAST_YEAR else None
    return Match(start=i, end=i + 1, period=period)


def _iso_month(words: Words, i: int) -> Match | None:
    found = re.fullmatch(_ISO_MONTH, words.lower[i])
    if found is None or not (words.whole or preposition(words, i)):
        return None
    year, month = int(found[1]), int(found[2])
    if not (FIRST_BARE_YEAR <= year <= LAST_BARE_YEAR and 1 <= month <= 12):
        return None
    return Match(start=i, end=i + 1, period=month_of(year, month))
