"""The words that date phrases are made of in other languages than English: `dates.txt` of each.

Only phrases that say one thing: German 'morgen' and Spanish 'mañana' (tomorrow, or the morning)
are in none of them, nor is a bare weekday, whose week the tense would have to tell.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from vaultmem.base import NamedTuple
from vaultmem.language.vocabulary import languages_of, phrases, vocabulary

_ENGLISH = ("an", "august", "april", "september", "november", "mars", "weekend")
"""Said in English more often: a phrase with nothing else is missed, or read by its rules."""


class Language(NamedTuple):
    """Patterns over lower-case text; `{...}` stands for any word of a table.

    near      phrase -> days from today
    stepped   'last Friday' by {step} and {noun}; steps -> -2 to 1
    ago       'two weeks ago' by {number} and {unit}
    lasting   'for two weeks' that go on: since then
    dated     '3 May 2023' by {day}, {month} and perhaps {year}
    monthly   'May 2023' by {month} and {year}
    since, until  what makes of the phrase behind it a beginning or an end; '' where a suffix does
    from_here what makes a beginning of the phrase before it; '': nothing
    told_by   pattern that a text must hold; '': one of the words of these tables is enough
    """

    near: Mapping[str, int]
    steps: Mapping[str, int]
    units: Mapping[str, str]
    weekdays: Mapping[str, int]
    seasons: Mapping[str, int]
    months: Mapping[str, int]
    numbers: Mapping[str, int]
    weekends: tuple[str, ...]
    stepped: tuple[str, ...]
    ago: tuple[str, ...]
    lasting: tuple[str, ...]
    dated: tuple[str, ...]
    monthly: tuple[str, ...]
    yearly: tuple[str, ...]
    since: str
    until: str
    from_here: str = ""
    told_by: str = ""
    spaced: bool = True  # words stand apart, so that a phrase begins and ends with one

    def telling(self) -> frozenset[str]:
        """Words of which every phrase holds one, but for those of a year alone."""
        tables = (self.near, self.units, self.weekdays, self.seasons, self.months)
        known = {word for table in tables for word in table} | {*self.weekends}
        return frozenset(word for word in known if " " not in word and word not in _ENGLISH)


def numbers(lines: Sequence[str]) -> dict[str, int]:
    """Each word of a table with its number; a line is `NUMBER WORD|WORD`."""
    return {word: int(number) for word, number in names(lines).items()}


def names(lines: Sequence[str]) -> dict[str, str]:
    """Each word of a table with what it is one of; a line is `NAME WORD|WORD`."""
    told = (line.partition(" ") for line in lines)
    return {word: name for name, _, words in told for word in words.split("|")}


def _language(name: str) -> Language:
    lines, pattern = phrases("dates", name), vocabulary("dates", name)
    return Language(
        near=numbers(lines["near"]),
        steps=numbers(lines["steps"]),
        units=names(lines["units"]),
        weekdays=numbers(lines["weekdays"]),
        seasons=numbers(lines["seasons"]),
        months=numbers(lines["months"]),
        numbers=numbers(lines["numbers"]),
        weekends=lines["weekends"],
        stepped=lines["stepped"],
        ago=lines["ago"],
        lasting=lines["lasting"],
        dated=lines["dated"],
        monthly=lines["monthly"],
        yearly=lines["yearly"],
        since=pattern["since"],
        until=pattern["until"],
        from_here=pattern["from here"],
        told_by=pattern["told by"],
        spaced=not pattern["unspaced"],
    )


# English has rules of its own (english.py); of others a person alone says when (spoken_words.py).
LANGUAGES = tuple(
    _language(name) for name in languages_of("dates") if vocabulary("dates", name)["dated"]
)
