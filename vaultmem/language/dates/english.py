"""English phrases that name a date: their words, what rules see of a sentence, and the rules.

A rule looks at one word of a sentence and answers with a `Match` or with None.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from vaultmem.base import NamedTuple, late
from vaultmem.language.dates.calendar import (
    Period,
    day_of,
    month_of,
    quarter_of,
    season_of,
    weekend_of,
    year_of,
)
from vaultmem.language.time import civil_from_days, days_from_civil, days_in_month, weekday

# --- words that date phrases are made of ---


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _number_groups(groups: str, start: int) -> dict[str, int]:
    """Each word with the number of its comma separated group."""
    return {
        word: number
        for number, group in enumerate(groups.split(","), start)
        for word in group.split()
    }


MONTHS = _number_groups(
    "january jan, february feb, march mar, april apr, may, june jun, july jul, august aug, "
    "september sep sept, october oct, november nov, december dec",
    1,
)
PLAIN_MONTHS = _set("january february july september october november december")
"""Neither a name of a person nor another word: believed without a capital letter too."""
NAMED_MONTHS = _set("april may june august jan")
"""People are called so."""

WEEKDAYS = _number_groups(
    "monday mon, tuesday tue tues, wednesday wed, thursday thu thur thurs, friday fri, "
    "saturday sat, sunday sun",
    0,
)
SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
HOLIDAYS = {  # (month, day)
    "christmas": (12, 25),
    "halloween": (10, 31),
    "valentine's": (2, 14),
    "new year's": (1, 1),
    "christmas eve": (12, 24),
    "new year's eve": (12, 31),
}
UNITS = {
    word: unit
    for unit in ("day", "week", "month", "quarter", "year")
    for word in (unit, unit + "s")
}
NUMBERS = _number_groups("one,two,three,four,five,six,seven,eight,nine,ten,eleven,twelve", 1) | {
    "a": 1,
    "an": 1,
    "couple": 2,
    "fifteen": 15,
    "twenty": 20,
    "thirty": 30,
    "fifty": 50,
}
PARTS_OF_DAY = _set("morning afternoon evening night")
PARTS = {
    "start": "start",
    "beginning": "start",
    "early": "start",
    "middle": "middle",
    "mid": "middle",
    "end": "end",
    "late": "end",
}
STEPS = {
    "last": -1,
    "previous": -1,
    "past": -1,
    "this": 0,
    "current": 0,
    "next": 1,
    "coming": 1,
    "upcoming": 1,
}

SINCE = _set("since from starting effective")
UNTIL = _set("until till til through")
BY = _set("by before due")
AT = _set("on in at for to during over around about of")
PREPOSITIONS = SINCE | UNTIL | BY | AT

POSSESSIVE = _set("my your his her its our their whose every each any another")
PRONOUNS = _set("i we you he she it they")
FUNCTION_WORDS = _set(
    "i we you he she it they my our your his her their its the a an this that these those and or "
    "but so because when while where which who if as at by for from in into of on onto over to "
    "with without until till since before after during is are was were will would has have had "
    "do does did am be been can could should must not then there also already all both"
)

BE_PRESENT = _set("is are am be being i'm we're you're they're it's he's she's that's")
NOT_PAST = _set(
    "need feed speed seed bed red shed wed led indeed hundred embed proceed exceed succeed agreed "
    "breed weed greed bleed sacred kindred naked wicked unified"
)
PAST = _set(
    "was were had did went saw met got made came left took ran bought began gave told said wrote "
    "spoke flew drove ate drank slept felt found held kept knew lost paid read sent sold spent "
    "stood taught thought threw understood won wore grew became broke brought built caught chose "
    "fell forgot heard hid hurt led lit rode rang rose sang sat shook shot swam hung dealt "
    "wasn't weren't didn't hadn't couldn't ago been gone done born"
)
FUTURE = _set(
    "will shall going gonna is are am i'll we'll you'll he'll she'll it'll they'll i'm we're "
    "must should need needs want plan plans planning due deadline todo remind let's can may might "
    "leaves starts begins ends opens closes expires arrives returns meet book schedule won't have "
    "start begin launch leave fly arrive return"
)
# What follows their 'to' was still ahead: 'decided to ship in May'.
RESOLVED = _set("decided agreed planned promised committed resolved arranged intended")
ORDERS = _set("make move put shift push")
PERFECT = _set("have has i've we've you've they've he's she's it's been haven't hasn't")

# --- what the rules see of a text ---

# The grammar is closed and rather misses a date than invents one: a wrong date in a memory is
# worse than none. Weak phrases (a bare weekday, month, year or '15th') count only after a
# preposition, and their direction (the last Friday, the next one) comes from the tense of the
# sentence; when the tense does not tell, nothing is reported.
_TOKEN = late(
    r"\d{4}-\d{2}-\d{2}(?:[Tt ]\d{2}:\d{2}(?::\d{2})?(?:[Zz]|[+-]\d{2}:?\d{2})?)?(?![\w-])"
    r"|[Qq][1-4](?!\w)|\d+(?:[./:-]\d+)*[a-z]*|[^\W\d_]+(?:['’][^\W\d_]+)*|\S"
)
_SENTENCE_ENDS = frozenset(".!?;")
_REACH = 40  # words looked at on each side for a verb: keeps a text without sentence ends linear


class Words(NamedTuple):
    """A text taken apart, with the day it is read on. `whole`: the text claims to be a date."""

    lower: tuple[str, ...]
    raw: tuple[str, ...]
    start: tuple[int, ...]  # character offsets
    end: tuple[int, ...]
    today: int
    whole: bool

    def at(self, i: int) -> str:
        """The word there in lower case, '' outside."""
        return self.lower[i] if 0 <= i < len(self.lower) else ""

    def capital(self, i: int) -> bool:
        """Whether the word there begins with a capital letter."""
        return 0 <= i < len(self.raw) and self.raw[i][0].isupper()


class Match(NamedTuple):
    """Words `[start, end)` that are a date phrase; no period: a known shape that says no date."""

    start: int
    end: int
    period: Period | None
    relation: str = ""  # '': told by the preposition before it


def words_of(text: str, today: int, *, whole: bool = False) -> Words:
    """The text as words, numbers and single marks."""
    found = list(_TOKEN.finditer(text))
    raw = tuple(match.group() for match in found)
    return Words(
        lower=tuple(word.lower().replace("’", "'") for word in raw),
        raw=raw,
        start=tuple(match.start() for match in found),
        end=tuple(match.end() for match in found),
        today=today,
        whole=whole,
    )


def tense(words: Words, start: int, end: int) -> int:
    """-1 past, +1 future, 0 unknown: the verb nearest before the phrase, else the next after."""
    left = start - 1
    while left >= max(0, start - _REACH) and words.lower[left] not in _SENTENCE_ENDS:
        cue = _tense_of(words, left)
        if words.lower[left] in RESOLVED and "to" in words.lower[left + 1 : start][:2]:
            return 1
        if cue:
            return cue
        left -= 1
    right = end
    last = min(len(words.lower), end + _REACH)
    while right < last and words.lower[right] not in _SENTENCE_ENDS:
        cue = _tense_of(words, right)
        if cue:
            return cue
        right += 1
    return 0


def preposition(words: Words, start: int) -> str:
    """The preposition that governs a phrase, past 'the', 'about' or a colon; '' if none."""
    i = start - 1
    while words.at(i) in ("the", "about", "around", "almost", "roughly", "late", "early"):
        i -= 1
    if words.at(i) == ":":
        i -= 1
    if words.at(i) == "of" and words.at(i - 1) == "as":
        return "since"
    if words.at(i) in ("deadline", "duedate"):
        return "due"
    if words.at(i) in ("on", "in", "at", "by") and words.at(i - 1) == "due":
        return "due"
    return words.at(i) if words.at(i) in PREPOSITIONS else ""


def direction(words: Words, start: int, end: int, prep: str) -> int:
    """Where a weak phrase lies: -1 the last one, +1 the next one, 0 unsure."""
    if words.whole or prep == "since":
        return -1
    told = tense(words, start, end)
    noted = len(words.lower) <= 7 and not PRONOUNS & set(words.lower)
    if told == 0 and (prep in BY or prep in UNTIL or noted):
        return 1  # a short note without a verb: 'Dentist on Friday'
    if prep in ("starting", "effective") or (prep in BY and told < 0):
        return 1 if prep not in BY else 0
    return told


def _tense_of(words: Words, i: int) -> int:
    word, before = words.lower[i], words.at(i - 1)
    if word in ("got", "gone") and before in PERFECT:
        return 0
    if word in PAST:
        return -1
    if word.endswith("ed") and len(word) > 3 and word not in NOT_PAST:
        return 0 if before in BE_PRESENT or words.at(i - 2) in BE_PRESENT else -1
    if word == "have":
        return 1 if words.at(i + 1) in ("to", "a", "an", "my", "another", "no") else 0
    return 1 if word in FUTURE or is_order(words.lower, i) else 0


def is_order(words: Sequence[str], place: int) -> bool:
    """Whether somebody asks there to move something: 'Tuner rang, make it the 16th' is ahead.

    Read as past, by 'rang', a moved appointment got a day of the month that was over.
    """
    is_of_it = words[place] in ORDERS and words[place + 1 : place + 2] in (["it"], ("it",))
    return is_of_it and not (place and words[place - 1] in PRONOUNS)


def in_title(words: Words, i: int) -> bool:
    """Whether a word that is usually small stands inside a title: 'Last Week Tonight'."""
    return words.capital(i) and (words.capital(i - 1) or words.capital(i + 1)) and not words.whole


def is_closed(words: Words, i: int) -> bool:
    """Whether the phrase before `i` ends there, rather than describing a noun that follows."""
    word = words.at(i)
    return not word or not word[0].isalnum() or word in FUNCTION_WORDS or words.capital(i)


def number_before(words: Words, i: int) -> tuple[int, int] | None:
    """Where a number that ends just before `i` begins, and its value, if it is exact."""
    j = i - 1
    if words.at(j) == "of" and words.at(j - 1) == "couple":
        j -= 1
    word = words.at(j)
    value = int(word) if word.isdecimal() and len(word) <= 3 else NUMBERS.get(word)
    if value is None:
        return None
    if word == "couple" and words.at(j - 1) in ("a", "last", "next", "past"):
        j -= words.at(j - 1) == "a"
    if words.at(j - 1) in ("over", "than", "least", "half", "and", "-"):
        return None
    return j, value


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
    month = MONTHS[words.lower[i]]
    if not (words.capital(i) or words.lower[i] in PLAIN_MONTHS or words.whole):
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
    return _match_day(words, (start, end), (year, month, int(first), int(last)))


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
    return _match_day(words, (i, end), (year, month, int(first), int(last)))


def _month_year(words: Words, i: int, month: int, *, after: int) -> Match | None:
    j = after + 1 if words.at(after) in ("of", ",") else after
    year, end = year_at(words, j)
    if year is None:
        return None
    return Match(start=i, end=end, period=month_of(year, month))


def _bare_month(words: Words, i: int, month: int) -> Match | None:
    prep = preposition(words, i)
    named = words.lower[i] in NAMED_MONTHS and not words.whole
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


def _match_day(
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
    return WEEKDAYS.get(words.at(place))


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
    if word.isdecimal():
        return None  # 'number 7': three patterns were compiled to say so, .5 ms of a cold `recall`
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


# Phrases that name a day or period by one word: 'by Friday', 'since 2019', 'the 15th', 'Q3'.
#
# A rule looks at one word of a sentence and answers with a `Match` or with None.

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
    if not (words.whole or prep in SINCE | UNTIL | BY or prep == "on"):
        return None
    step = STEPS.get(words.at(i + 2)) if words.at(i + 3) == "month" else None
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
    if after in WEEKDAYS or words.at(i + 2) in WEEKDAYS or words.at(i - 2) in WEEKDAYS:
        return None  # 'from Monday to Friday'
    if prep in ("of", "in", "over", "about", "around"):
        return None
    if prep == "from" and words.at(i - 2) in UNITS:
        return None  # 'two weeks from Friday'
    end = i + 2 if after in PARTS_OF_DAY else i + 1
    if not is_closed(words, end) or words.capital(end):
        return None
    way = direction(words, i, end, prep)
    if way == 0:
        return None
    today = words.today - 1 if way > 0 and prep not in ("on", "at") else words.today
    today = words.today + 1 if prep == "since" else today
    return Match(start=i, end=end, period=day_of(weekday_after(today, WEEKDAYS[word], way)))


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
        step = STEPS.get(words.at(i + 2))
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
    return Match(start=i, end=end, period=season_of(year, SEASONS[words.lower[i]]))


def holiday(words: Words, i: int) -> Match | None:
    """'for Christmas', 'before New Year's Eve', 'on Halloween'; 'Christmas tree' is none."""
    word, end = words.lower[i], i + 1
    if word == "new":
        word, end = "new year's", i + 2
        if words.at(i + 1) != "year's":
            return None
    if words.at(end) == "eve" and word + " eve" in HOLIDAYS:
        word, end = word + " eve", end + 1
    elif words.at(end) == "day":
        end += 1
    prep = preposition(words, i)
    if word not in HOLIDAYS or not is_closed(words, end) or in_title(words, end):
        return None
    if not (prep or words.whole):
        return None
    way = direction(words, i, end, prep)
    if way == 0:
        return None
    return Match(start=i, end=end, period=day_of(holiday_after(words.today, HOLIDAYS[word], way)))


ABSOLUTE = {
    **dict.fromkeys(MONTHS, (month_date,)),
    **dict.fromkeys(WEEKDAYS, (bare_weekday,)),
    **dict.fromkeys(SEASONS, (season_year,)),
    **dict.fromkeys(("q1", "q2", "q3", "q4"), (quarter,)),
    **dict.fromkeys(("christmas", "halloween", "valentine's", "new"), (holiday,)),
    "weekend": (bare_weekend,),
}
NUMERIC = (numeric_date, ordinal_day, bare_year)
