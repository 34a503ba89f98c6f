"""Phrases that count from the day of reading: 'two weeks ago', 'last May', 'end of next month'.

A rule looks at one word of a sentence and answers with a `Match` or with None.
"""

from __future__ import annotations

from vaultmem.language.dates import english as dw
from vaultmem.language.dates.calendar import (
    Period,
    day_of,
    month_of,
    season_of,
    shift_day,
    unit_around,
    weekend_of,
)
from vaultmem.language.dates.english import (
    Match,
    Words,
    holiday_after,
    in_title,
    is_closed,
    number_before,
    tense,
    weekday_after,
)
from vaultmem.language.time import civil_from_days


def _ago(words: Words, i: int) -> Match | None:
    """'two weeks ago', 'two Mondays ago', '3 days from now'."""
    future = words.lower[i] == "now"
    if future and words.at(i - 1) != "from":
        return None
    noun = i - 2 if future else i - 1
    number = number_before(words, noun)
    if number is None:
        return None
    start, count = number
    step = count if future else -count
    word = words.at(noun)
    if word in dw.UNITS:
        period = unit_around(words.today, dw.UNITS[word], step)
    elif word in ("hour", "hours", "minute", "minutes") and not future:
        period = day_of(words.today)
    elif word in ("weekend", "weekends"):
        period = weekend_of(words.today + 7 * step)
    elif word.removesuffix("s") in dw.WEEKDAYS and not future:
        last = weekday_after(words.today, dw.WEEKDAYS[word.removesuffix("s")], -1)
        period = day_of(last - 7 * (count - 1))
    else:
        return None
    return Match(start=start, end=i + 1, period=period)


def _in_units(words: Words, i: int) -> Match | None:
    """'in two weeks', when the sentence looks ahead; 'learned it in two weeks' does not."""
    for j in (i + 2, i + 3, i + 4):
        unit = dw.UNITS.get(words.at(j))
        number = number_before(words, j) if unit else None
        if unit is None or number is None or number[0] != i + 1:
            continue
        if not is_closed(words, j + 1) or words.at(j + 1) == "of":
            return None
        ahead = tense(words, i, i) if i else 1
        if not words.whole and ahead <= 0:
            return None
        day = day_of(shift_day(words.today, unit, number[1]))
        around = unit_around(words.today, unit, number[1])
        return Match(start=i, end=j + 1, period=day if unit == "week" else around, relation="at")
    return None


def _for_units(words: Words, i: int) -> Match | None:
    """'for 4 years' after have or has: since then."""
    for j in (i + 2, i + 3, i + 4):
        unit = dw.UNITS.get(words.at(j))
        number = number_before(words, j) if unit else None
        if unit is None or number is None or number[0] != i + 1:
            continue
        if not any(word in dw.PERFECT for word in words.lower[max(0, i - 12) : i]):
            return None
        if not is_closed(words, j + 1):
            return None
        period = unit_around(words.today, unit, -number[1])
        return Match(start=i, end=j + 1, period=period, relation="since")
    return None


def _near(words: Words, i: int) -> Match | None:
    """today, tonight, yesterday, tomorrow, the day after tomorrow."""
    step = {"yesterday": -1, "today": 0, "tonight": 0, "tomorrow": 1}[words.lower[i]]
    if in_title(words, i) or "like" in (words.at(i - 1), words.at(i - 2)):
        return None  # 'it feels like yesterday'
    if words.at(i - 1) == "from" and words.at(i - 2) in dw.UNITS:
        return None  # 'a week from tomorrow'
    start = i
    if words.at(i - 1) in ("after", "before") and words.at(i - 2) == "day":
        if (words.at(i - 1) == "after") != (step > 0):
            return None
        step *= 2
        start = i - 3 if words.at(i - 3) == "the" else i - 2
    end = i + 2 if words.at(i + 1) in dw.PARTS_OF_DAY else i + 1
    return Match(start=start, end=end, period=day_of(words.today + step))


def _step(words: Words, i: int) -> Match | None:
    """'last Friday', 'next month', 'this past weekend', 'for the last two weeks'."""
    step = dw.STEPS[words.lower[i]]
    start, noun = i, i + 1
    before = words.at(i - 1)
    if words.lower[i] == "this" and words.at(noun) in ("past", "coming", "last", "next"):
        step, noun = dw.STEPS[words.at(noun)], noun + 1
    elif before == "this":
        return None  # found already at 'this'
    elif before == "the":
        return _rolling(words, i, step)
    elif before == "ago":
        return None  # 'two years ago this month'
    elif (
        before in dw.POSSESSIVE
        or before.endswith("'s")
        or (in_title(words, i) and not _begins_with_day(words, i))
    ):
        return None
    word = words.at(noun)
    if words.at(noun + 1) == "of" or before in ("time", "at"):
        return None
    if words.whole and words.at(noun) not in dw.UNITS and _count_at(words, noun) is not None:
        return _rolling(words, i, step)
    if words.lower[i] == "past" and noun == i + 1:
        return None  # 'past week' without 'the' or 'this'
    period = _period_at_step(words, word, step, noun)
    if period is None:
        return None
    end = noun + 1
    if period.granularity == "day" and words.at(end) in dw.PARTS_OF_DAY:
        end += 1
    return Match(start=start, end=end, period=period)


def _begins_with_day(words: Words, i: int) -> bool:
    """Whether a sentence begins 'Last Friday ...': the name of a day has a capital anyway."""
    begins = i == 0 or words.at(i - 1) in (".", "!", "?", ";", ":")
    titled = words.capital(i + 2) and words.at(i + 2) in dw.PARTS_OF_DAY  # 'Last Friday Night'
    return begins and words.at(i + 1) in dw.WEEKDAYS.keys() | dw.MONTHS.keys() and not titled


def _period_at_step(words: Words, word: str, step: int, noun: int) -> Period | None:
    """The `word` that lies `step` from today: a unit, weekday, weekend, month, season, holiday."""
    today = words.today
    if word in dw.UNITS and not word.endswith("s") and word != "day":
        return unit_around(today, dw.UNITS[word], step)
    if word in dw.PARTS_OF_DAY:
        if step == 0:
            return day_of(today)
        return day_of(today - 1) if step < 0 and word == "night" else None
    if word in dw.WEEKDAYS and (len(word) > 3 or words.capital(noun) or words.whole):
        return day_of(_weekday(today, dw.WEEKDAYS[word], step))
    if word == "weekend":
        coming = words.at(noun - 1) == "coming"
        return weekend_of(today + 7 * (0 if coming else step))
    year, month, _ = civil_from_days(today)
    if word in dw.MONTHS and (words.capital(noun) or word in dw.PLAIN_MONTHS or words.whole):
        other = dw.MONTHS[word]
        moved = (other >= month and -1) if step < 0 else (other <= month and 1)
        return month_of(year + (int(moved) if step else 0), other)
    if word in dw.SEASONS and is_closed(words, noun + 1):
        return _season(words, dw.SEASONS[word], step, noun)
    if word in dw.HOLIDAYS and is_closed(words, noun + 1):
        return day_of(holiday_after(today, dw.HOLIDAYS[word], step or 1))
    return None


def _weekday(today: int, wanted: int, step: int) -> int:
    """Last: the nearest one before today. Next: in the coming ISO week. This: today or after."""
    if step < 0:
        return weekday_after(today, wanted, -1)
    if step == 0:
        return weekday_after(today - 1, wanted, 1)
    return unit_around(today, "week", 1).first + wanted


def _season(words: Words, first_month: int, step: int, noun: int) -> Period | None:
    if words.at(noun + 1) in dw.BE_PRESENT or words.at(noun + 1) in ("was", "has"):
        return None  # 'this spring is broken'
    year = civil_from_days(words.today)[0]
    around = [season_of(year + shift, first_month) for shift in (-2, -1, 0, 1)]
    if step < 0:
        return [season for season in around if season.until <= words.today][-1]
    if step > 0:
        return next((season for season in around if season.first > words.today), None)
    return next((season for season in around if season.until > words.today), None)


def _count_at(words: Words, i: int) -> tuple[int, str, int] | None:
    """A number and a unit from `i` on ('two weeks', 'couple of months', 'year')."""
    if words.at(i) in dw.UNITS and not words.at(i).endswith("s"):
        return 1, dw.UNITS[words.at(i)], i + 1
    for noun in (i + 1, i + 2):
        number = number_before(words, noun) if words.at(noun) in dw.UNITS else None
        if number is not None and number[0] == i:
            return number[1], dw.UNITS[words.at(noun)], noun + 1
    return None


def _rolling(words: Words, i: int, step: int) -> Match | None:
    """'(for, in) the last two weeks': up to today; 'in the next year': from today on."""
    counted = _count_at(words, i + 1) if step else None
    before = words.at(i - 2)
    if counted is None or words.at(counted[2]) == "of":
        return None
    if not words.whole and before not in ("for", "in", "over", "during", "within"):
        return None
    count, unit, end = counted
    far = shift_day(words.today, unit, step * count)
    first, until = (far, words.today + 1) if step < 0 else (words.today, far + 1)
    relation = "since" if before == "for" and step < 0 else "by" if step > 0 else "at"
    period = Period(first=first, until=until, granularity="day" if count > 1 else unit)
    return Match(start=i if before == "" else i - 2, end=end, period=period, relation=relation)


RELATIVE = {
    "ago": (_ago,),
    "now": (_ago,),
    "in": (_in_units,),
    "for": (_for_units,),
    **dict.fromkeys(("today", "tonight", "yesterday", "tomorrow"), (_near,)),
    **dict.fromkeys(dw.STEPS, (_step,)),
}
