"""Date phrases in German, Spanish, French, Russian, Chinese and Japanese.

As strict as the English rules: a phrase that could say something else is none. What tables of
words a language has is in `spoken_words.py`; patterns are compiled when a text holds such a word.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache

from vaultmem.base import NamedTuple
from vaultmem.language.dates.calendar import (
    Period,
    day_of,
    month_of,
    season_of,
    unit_around,
    weekend_of,
    year_of,
)
from vaultmem.language.dates.english import weekday_after
from vaultmem.language.dates.spoken_words import LANGUAGES, Language
from vaultmem.language.time import civil_from_days, days_from_civil, days_in_month

_FIRST_YEAR, _LAST_YEAR = 1900, 2100
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*(?:'hui)?")

_Read = Callable[[re.Match[str], int], Period | None]


class Phrase(NamedTuple):
    """Characters `[start, end)` of a text that name a period."""

    start: int
    end: int
    period: Period
    relation: str  # at, since or until


class _Rule(NamedTuple):
    pattern: re.Pattern[str]
    read: _Read
    lasts: bool  # what is named is a beginning


def phrases(text: str, today: int) -> list[Phrase]:
    """The phrases of a text that is read on a day, in order and without overlap."""
    lower = text.lower().replace("’", "'")
    if len(lower) != len(text):  # 'İ' is two letters in lower case: places would be others
        return []
    found: list[Phrase] = []
    said = frozenset(_WORD.findall(lower))
    for place, language in enumerate(LANGUAGES):
        # A phrase is looked for where a word of its language is: 190 words tell, and no bare
        # weekday or 'morgen'.
        if language.spaced and said.isdisjoint(_telling(place)):
            continue
        if not language.told_by or re.search(language.told_by, lower):
            found += _in_language(place, lower, today)
    found.sort(key=lambda one: (one.start, -one.end))
    kept: list[Phrase] = []
    for one in found:
        if not kept or one.start >= kept[-1].end:
            kept.append(one)
    return kept


@cache
def _telling(place: int) -> frozenset[str]:
    language = LANGUAGES[place]
    since = (*language.since.split("|"), "il") if language.spaced else ()
    return language.telling().union(word for word in since if len(word) > 1)


def _in_language(place: int, lower: str, today: int) -> Iterator[Phrase]:
    language = LANGUAGES[place]
    for rule in _rules(place):
        for match in rule.pattern.finditer(lower):
            period = rule.read(match, today)
            if period is not None:
                start, end, relation = _with_relation(language, lower, match)
                relation = "since" if rule.lasts else relation
                if relation != "until" or not period.first <= today < period.until:
                    yield Phrase(start, end, period, relation)  # 'until today' is no end


def _with_relation(language: Language, lower: str, match: re.Match[str]) -> tuple[int, int, str]:
    """Where a phrase begins and ends with what stands before or behind it, and what that makes."""
    start, end = match.span()
    if re.match(f"(?:{language.since})\\b", match.group()) and language.since:
        return start, end, "since"
    for words, relation in ((language.since, "since"), (language.until, "until")):
        gap = r"\s+(?:dem |der |den |zum |el |la |los |le |l')?" if language.spaced else ""
        before = words and re.search(
            rf"(?<!\w)(?:{words}){gap}$" if language.spaced else f"(?:{words})$",
            lower[max(0, start - 24) : start],
        )
        if before:
            return start - len(before.group()), end, relation
    after = language.from_here and re.match(language.from_here, lower[end : end + 4])
    if after:
        return start, end + len(after.group()), "since"
    return start, end, "at"


# --- patterns ------------------------------------------------------------------------------------


def _any(words: Iterable[str]) -> str:
    ordered = sorted(words, key=lambda word: (-len(word), word))
    return "|".join(r"\s+".join(map(re.escape, word.split())) for word in ordered)


@cache
def _rules(place: int) -> tuple[_Rule, ...]:
    """The rules of the language at a place of LANGUAGES."""
    language = LANGUAGES[place]
    nouns = {**language.units, **language.weekdays, **language.seasons}
    places = {
        "step": _any(language.steps),
        "noun": _any((*nouns, *language.weekends)),
        "unit": _any(language.units),
        "weekday": _any(language.weekdays),
        "number": rf"\d{{1,3}}|{_any(language.numbers)}",
        "month": _any(language.months),
        "day": r"\d{1,2}",
        "year": r"\d{4}",
    }
    groups = {name: f"(?P<{name}>{words})" for name, words in places.items()}
    groups["weekday"] = f"(?P<noun>{places['weekday']})"

    def compile_rule(template: str) -> re.Pattern[str]:
        body = template.replace(" ", r"\s+")
        for name, group in groups.items():
            body = body.replace(f"{{{name}}}", group)
        return re.compile(rf"(?<!\w){body}(?!\w)" if language.spaced else rf"(?<!\d){body}")

    readers: tuple[tuple[tuple[str, ...], _Read, bool], ...] = (
        ((f"(?P<near>{_any(language.near)})",), _near(language.near), False),
        (language.stepped, _step_reader(language), False),
        (language.ago, _count_reader(language), False),
        (language.lasting, _count_reader(language), True),
        (language.dated, _date_reader(language.months), False),
        (language.monthly, _monthly(language.months), False),
        (language.yearly, _yearly, False),
    )
    return tuple(
        _Rule(compile_rule(template), read, lasts)
        for templates, read, lasts in readers
        for template in templates
    )


# --- what they mean ------------------------------------------------------------------------------


def _near(days: Mapping[str, int]) -> _Read:
    return lambda match, today: day_of(today + days[match["near"]])


def _step_reader(language: Language) -> _Read:
    def read(match: re.Match[str], today: int) -> Period | None:
        step, noun = language.steps[" ".join(match["step"].split())], match["noun"]
        noun = " ".join(noun.split())
        if noun in language.weekends:
            return weekend_of(today + 7 * step)
        if noun in language.weekdays:
            return _weekday(today, language.weekdays[noun], step)
        if noun in language.seasons:
            return _season(today, language.seasons[noun], step, is_of_year="年" in noun)
        unit = language.units[noun]
        return None if unit == "day" else unit_around(today, unit, step)

    return read


def _weekday(today: int, wanted: int, step: int) -> Period:
    """Last: the nearest one before today. Next: in the coming ISO week. This: today or after."""
    if step < 0:
        return day_of(weekday_after(today, wanted, -1))
    if step == 0:
        return day_of(weekday_after(today - 1, wanted, 1))
    return day_of(unit_around(today, "week", 1).first + wanted)


def _season(today: int, first_month: int, step: int, *, is_of_year: bool) -> Period | None:
    """Last: the one that ended last; '去年夏天' is the summer of last year."""
    year = civil_from_days(today)[0]
    if is_of_year:
        return season_of(year + step, first_month)
    around = [season_of(year + shift, first_month) for shift in (-2, -1, 0, 1)]
    if step < 0:
        return [season for season in around if season.until <= today][-1]
    if step > 0:
        return next((season for season in around if season.first > today), None)
    return next((season for season in around if season.until > today), None)


def _count_reader(language: Language) -> _Read:
    def read(match: re.Match[str], today: int) -> Period:
        said = match["number"]
        count = int(said) if said.isdecimal() else language.numbers[said]
        return unit_around(today, language.units[match["unit"]], -count)

    return read


def _date_reader(months: Mapping[str, int]) -> _Read:
    def read(match: re.Match[str], today: int) -> Period | None:
        day, month = int(match["day"]), months[match["month"]]
        if match["year"]:
            return _day(int(match["year"]), month, day)
        around = civil_from_days(today)[0]
        near = [_day(year, month, day) for year in (around - 1, around, around + 1)]
        known = [period for period in near if period is not None]
        return min(known, key=lambda period: abs(period.first - today), default=None)

    return read


def _day(year: int, month: int, day: int) -> Period | None:
    if not (_FIRST_YEAR <= year <= _LAST_YEAR and 1 <= day <= days_in_month(year, month)):
        return None
    return day_of(days_from_civil(year, month, day))


def _monthly(months: Mapping[str, int]) -> _Read:
    def read(match: re.Match[str], today: int) -> Period | None:
        year = int(match["year"])
        known = _FIRST_YEAR <= year <= _LAST_YEAR
        return month_of(year, months[match["month"]]) if known else None

    return read


def _yearly(match: re.Match[str], today: int) -> Period | None:
    year = int(match["year"])
    return year_of(year) if _FIRST_YEAR <= year <= _LAST_YEAR else None
