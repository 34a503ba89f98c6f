"""Phrases that name a day or period by one word: 'by Friday', 'since 2019', 'the 15th', 'Q3'.

A rule looks at one word of a sentence and answers with a `Match` or with None.
"""

from __future__ import annotations

import re

from vaultmem.language.dates import words as dw
from vaultmem.language.dates.calendar import day_of, quarter_of, season_of, weekend_of, year_of
from vaultmem.language.dates.context import (
    Match,
    Words,
    direction,
    in_title,
    is_closed,
    preposition,
)
from vaultmem.language.dates.english import (
    FIRST_BARE_YEAR,
    LAST_BARE_YEAR,
    days_of,
    month_date,
    numeric_date,
    year_at,
)
from vaultmem.language.time import civil_from_days, days_from_civil, weekday

_ORDINAL = r"(\d{1,2})(st|nd|rd|th)"


def weekday_after(today: int, wanted: int, way: int) -> int:
    """The nearest such weekday strictly after (`way` 1) or before (-1) a day."""
    if way > 0:
        return today + 1 + (wanted - weekday(today + 1)) % 7
    return today - 1 - (weekday(today - 1) - wanted) % 7


def holiday_after(today: int, date: tuple[int, int], way: int) -> int:
    """The nearest such (month, day) strictly after (`way` 1) or before (-1) a day."""
    year = civil_from_days(today)[0]
    days = [days_from_civil(year + shift, *date) for shift in (-1, 0, 1)]
    if way > 0:
        return next(day for day in days if day > today)
    return next(day for day in reversed(days) if day < today)


def bare_year(words: Words, i: int) -> Match | None:
    """'in 2019', 'since 2019'; 'in 2000 shops' is a number."""
    word = words.lower[i]
    if len(word) != 4 or not word.isdecimal():
        return None
    year = int(word)
    if not FIRST_BARE_YEAR <= year <= LAST_BARE_YEAR:
        return None
    prep = preposition(words, i)
    if not words.whole and prep in ("", "on", "at", "to", "for", "of", "over", "about", "around"):
        return None
    if not is_closed(words, i + 1):
        return None
    return Match(start=i, end=i + 1, period=year_of(year))


def ordinal_day(words: Words, i: int) -> Match | None:
    """'on the 15th', 'by the 15th', 'on the 3rd of next month'; 'the 15th floor' is none."""
    found = re.fullmatch(_ORDINAL, words.lower[i])
    prep = preposition(words, i)
    if found is None or not is_closed(words, i + 1):
        return None
    if not (words.whole or prep in dw.SINCE | dw.UNTIL | dw.BY or prep == "on"):
        return None
    step = dw.STEPS.get(words.at(i + 2)) if words.at(i + 3) == "month" else None
    if words.capital(i + 1) or (words.at(i + 1) == "of" and step is None):
        return None
    year, month, today = civil_from_days(words.today)
    day, end = int(found[1]), i + 1
    if step is not None and words.at(i + 1) == "of":
        month, end = month + step, i + 4
    else:
        way = direction(words, i, end, prep)
        if way == 0:
            return None
        month += (way > 0 and day < today) - (way < 0 and day > today)
    year, month = year + (month - 1) // 12, (month - 1) % 12 + 1
    start = i - 1 if words.at(i - 1) == "the" else i
    return Match(start=start, end=end, period=days_of(year, month, day, day))


def bare_weekday(words: Words, i: int) -> Match | None:
    """'on Friday', 'by Friday', 'due Friday'; never 'Fridays' or 'every Friday'."""
    word, after = words.lower[i], words.at(i + 1)
    prep = preposition(words, i)
    if not (words.capital(i) or words.whole) or (not prep and not words.whole):
        return None
    if after in dw.WEEKDAYS or words.at(i + 2) in dw.WEEKDAYS or words.at(i - 2) in dw.WEEKDAYS:
        return None  # 'from Monday to Friday'
    if prep in ("of", "in", "over", "about", "around"):
        return None
    if prep == "from" and words.at(i - 2) in dw.UNITS:
        return None  # 'two weeks from Friday'
    end = i + 2 if after in dw.PARTS_OF_DAY else i + 1
    if not is_closed(words, end) or words.capital(end):
        return None
    way = direction(words, i, end, prep)
    if way == 0:
        return None
    today = words.today - 1 if way > 0 and prep not in ("on", "at") else words.today
    today = words.today + 1 if prep == "since" else today
    return Match(start=i, end=end, period=day_of(weekday_after(today, dw.WEEKDAYS[word], way)))


def bare_weekend(words: Words, i: int) -> Match | None:
    """'at the weekend', 'over the weekend': the last or the next one by tense."""
    prep = preposition(words, i)
    if words.at(i - 1) != "the" or prep in ("", "of", "in", "about", "around"):
        return None
    way = direction(words, i, i + 1, prep)
    if way == 0 or not is_closed(words, i + 1):
        return None
    late = weekday(words.today) >= 5
    return Match(
        start=i - 1, end=i + 1, period=weekend_of(words.today - (7 if way < 0 and not late else 0))
    )


def quarter(words: Words, i: int) -> Match | None:
    """'Q3 2026', 'Q1 of next year', 'in Q3'; the quarter of this year without a number."""
    if words.raw[i][0] != "Q" and not words.whole:
        return None
    year, end = year_at(words, i + 1)
    this_year = civil_from_days(words.today)[0]
    if words.lower[i + 1 : i + 2] == ("of",) and words.at(i + 3) == "year":
        step = dw.STEPS.get(words.at(i + 2))
        year, end = (this_year + step, i + 4) if step is not None else (year, end)
    if year is None:
        if not (words.whole or preposition(words, i)):
            return None
        year, end = this_year, i + 1
    return Match(start=i, end=end, period=quarter_of(year, int(words.lower[i][1])))


def season_year(words: Words, i: int) -> Match | None:
    """'summer 2019', 'the summer of 2019'; a bare season says no year."""
    year, end = year_at(words, i + 1)
    if year is None:
        return None
    return Match(start=i, end=end, period=season_of(year, dw.SEASONS[words.lower[i]]))


def holiday(words: Words, i: int) -> Match | None:
    """'for Christmas', 'before New Year's Eve', 'on Halloween'; 'Christmas tree' is none."""
    word, end = words.lower[i], i + 1
    if word == "new":
        word, end = "new year's", i + 2
        if words.at(i + 1) != "year's":
            return None
    if words.at(end) == "eve" and word + " eve" in dw.HOLIDAYS:
        word, end = word + " eve", end + 1
    elif words.at(end) == "day":
        end += 1
    prep = preposition(words, i)
    if word not in dw.HOLIDAYS or not is_closed(words, end) or in_title(words, end):
        return None
    if not (prep or words.whole):
        return None
    way = direction(words, i, end, prep)
    if way == 0:
        return None
    return Match(
        start=i, end=end, period=day_of(holiday_after(words.today, dw.HOLIDAYS[word], way))
    )


ABSOLUTE = {
    **dict.fromkeys(dw.MONTHS, (month_date,)),
    **dict.fromkeys(dw.WEEKDAYS, (bare_weekday,)),
    **dict.fromkeys(dw.SEASONS, (season_year,)),
    **dict.fromkeys(("q1", "q2", "q3", "q4"), (quarter,)),
    **dict.fromkeys(("christmas", "halloween", "valentine's", "new"), (holiday,)),
    "weekend": (bare_weekend,),
}
NUMERIC = (numeric_date, ordinal_day, bare_year)
