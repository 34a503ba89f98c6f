"""The words by which people say when, from `dates.txt` of each language, and their patterns.

Patterns are over lower-case text. What stands in one language for two things ('vor' the third of
May, the 'march') is in that language only: a sentence is read in the language it is in.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache

from vaultmem.base import NamedTuple, Needing, late
from vaultmem.language.dates import english as dw
from vaultmem.language.vocabulary import languages_of, phrases, vocabulary, word_list

# --- words of a language ---

# Only phrases that say one thing: German 'morgen' and Spanish 'mañana' (tomorrow, or the morning)
# are in none of them, nor is a bare weekday, whose week the tense would have to tell.
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


class Tongue(NamedTuple):
    """One language. Prepositions are patterns that end just before a date.

    name        of the folder of its words
    known       words that tell the language, beside those of the calendar
    short       short names of months, read beside a number only
    at          what stands before a day
    lone        what stands before a month alone
    since       what makes a beginning in the past of it
    start       what makes a beginning of it, ahead where nothing says that it is past
    until, by   what makes an end, or a deadline of it
    near        a day by one word, in days from today; near_patterns where it is another word, too
    years       (pattern, how many years on) of a year that is told by 'next', 'this', 'last'
    year_words, set_words  of which each text has one that `years`, or `set_for`, is found in
    coming, last, this  what stands beside a weekday for the next, the last, this one
    ahead_in    'in {n} {unit}'; past_is and ahead_is: cues of tense
    set_for     what sets or moves an appointment, before a date that is then ahead
    habit       what is so always: no day is meant
    """

    name: str
    known: frozenset[str]
    months: Mapping[str, int]
    short: Mapping[str, int]
    weekdays: Mapping[str, int]
    seasons: Mapping[str, int]
    units: Mapping[str, str]
    numbers: Mapping[str, int]
    near: Mapping[str, int]
    near_patterns: Mapping[str, str]
    at: str
    lone: str
    since: str
    start: str
    until: str
    by: str
    years: tuple[tuple[str, int], ...]
    year_words: str
    coming: str
    last: str
    this: str
    next_unit: str  # 'next week', with {unit}
    this_unit: str
    ahead_in: str
    end_of: str
    past_is: str
    ahead_is: str
    set_for: str
    set_words: str
    habit: str
    link: str  # between the two days of a stretch
    clock: str  # before a time of day
    ordinal: str  # a day by its number alone


_NEVER = "(?!)"  # of what a language has no word for


def _tongue(name: str) -> Tongue:
    lines, told = phrases("dates", name), vocabulary("dates", name)
    pattern = {section: words or _NEVER for section, words in told.items()}
    years = (line.partition(" ") for line in lines["said years"])
    return Tongue(
        name=name,
        known=frozenset(word_list(told["said known"])),
        months={**numbers(lines["months"]), **numbers(lines["more months"])},
        short=numbers(lines["said short"]),
        weekdays={**numbers(lines["weekdays"]), **numbers(lines["more weekdays"])},
        seasons=numbers(lines["seasons"]),
        units=names(lines["units"]),
        numbers=numbers(lines["numbers"]),
        near=numbers(lines["said near"]),
        near_patterns=_patterns(lines["said near patterns"]),
        at=pattern["said at"],
        lone=pattern["said lone"],
        since=pattern["said since"],
        start=pattern["said start"],
        until=pattern["said until"],
        by=pattern["said by"],
        years=tuple((words, int(step)) for step, _, words in years),
        year_words=told["said year needs"],
        coming=pattern["said coming"],
        last=pattern["said last"],
        this=pattern["said this"],
        next_unit=pattern["said next unit"],
        this_unit=pattern["said this unit"],
        ahead_in=pattern["said ahead in"],
        end_of=pattern["said end of"],
        past_is=told["said past is"],
        ahead_is=told["said ahead is"],
        set_for=pattern["said set for"],
        set_words=told["said set needs"],
        habit=pattern["said habit"],
        link=pattern["said link"],
        clock=pattern["said clock"],
        ordinal=pattern["said ordinal"],
    )


def _patterns(lines: Sequence[str]) -> dict[str, str]:
    return {word: pattern for word, _, pattern in (line.partition(" ") for line in lines)}


def _english() -> Tongue:
    """With the words of the calendar by which notes in English are read."""
    tongue = _tongue("en")
    return tongue._replace(
        months={word: n for word, n in dw.MONTHS.items() if word not in tongue.short},
        weekdays=dw.WEEKDAYS,
        seasons=dw.SEASONS,
        units=dw.UNITS,
        numbers={word: n for word, n in dw.NUMBERS.items() if word != "couple"},
    )


ENGLISH = _english()
TONGUES = (
    ENGLISH,
    *(
        _tongue(name)
        for name in languages_of("dates")
        if name != "en" and vocabulary("dates", name)["said at"]
    ),
)

# --- patterns, one set a language ---

# Compiled when a text of that language holds a word of the calendar or a digit.
ARTICLE = r"(?:the|le|la|l'|el|il|lo|i|den|dem|der|die|de|het|o|a|os|as)"
_ISO = late(r"(?<![\w-])(?P<y>\d{4})-(?P<m>\d{2})-(?P<d>\d{2})(?![\w-])")
_DOTTED = late(
    r"(?<![\w.,])(?P<d>\d{1,2})\.\s?(?P<m>\d{1,2})\.(?:\s?(?P<y>\d{4}|\d{2}(?![:.\d])))?(?!\d)"
)
_SLASHED = late(r"(?<![\w/.,-])(?P<d>\d{1,2})/(?P<m>\d{1,2})(?:/(?P<y>\d{4}|\d{2}))?(?![\w/])")
_ORDINAL_CLOSED = (
    r"(?=\s*(?:$|[.,;:!?)]|(?:at|on|and|for|because|so|but|instead|not|um|und|statt|a las?|y|para"
    r"|à|et|alle|e|om|en|às|aan|per|por|pour|in|with|con|chez|avec|bei|beim|mit|same|to be"
    r"|now|jetzt|nun|maintenant|ahora|ora|adesso|nu|agora|verschoben|verlegt|gelegt|umgebucht)\b|\d{1,2}[:.]\d\d))"
)
# What a day's number has behind a weekday, where without it it may be an hour: 'Saturday 9'.
_MARKED = {"en": r"(?:st|nd|rd|th)", "de": r"\.", "nl": r"(?:e|ste|de)?"}
_ORDINAL_NEEDS = [f"{digit}{end}" for digit in range(10) for end in ("st", "nd", "rd", "th")]
_SUFFIX = (
    r"a\.?m\b\.?|p\.?m\b\.?|uhr|heures?\b|horas?\b|hrs?\b|hs\b|h(?!\w)|uur|o'clock"
    r"|de la (?:mañana|tarde|noche)|in the (?:morning|afternoon|evening)|da (?:manhã|tarde|noite)"
    r"|del? (?:mattino|pomeriggio)|di (?:mattina|sera)|du (?:matin|soir)|de l'après-midi"
)
_PART = (
    "abends|nachmittags|morgens|vormittags|früh|mittags|del mattino|di sera|del pomeriggio"
    "|'s avonds|'s middags|'s ochtends|de la tarde|de la noche|de la mañana"
)

# Days and not hours: with an ordinal, or the article that days have in French, Spanish, Italian.
BARE_STRETCH = (
    r"\b(?:(?:vom|von dem) (\d{1,2})\.? bis(?: zum)? (\d{1,2})\.?"
    r"|(?:from|between) the (\d{1,2})(?:st|nd|rd|th) (?:to|until|till|through|and) the (\d{1,2})"
    r"(?:st|nd|rd|th)|du (\d{1,2})(?:er)? (?:jusqu'au|au) (\d{1,2})|del (\d{1,2}) al (\d{1,2})"
    r"|dal(?:l')?\s?(\d{1,2}) al(?:l')?\s?(\d{1,2})"
    r"|van de (\d{1,2})e tot(?: en met)?(?: de)? (\d{1,2})e"
    r"|do dia (\d{1,2}) ao(?: dia)? (\d{1,2}))"
    r"(?=\s*(?:[.,;:!?)]|$|(?:und|and|et|y|e|en|mit|with|avec|con|met|com)\b))"
)


class Known(NamedTuple):
    """The patterns of one language."""

    atoms: tuple[tuple[str, re.Pattern[str] | Needing], ...]
    years_after: tuple[tuple[Needing, int], ...]
    years_before: tuple[tuple[Needing, int], ...]
    relations: tuple[tuple[str, re.Pattern[str]], ...]
    before_weekday: tuple[tuple[re.Pattern[str], int], ...]
    after_weekday: tuple[tuple[re.Pattern[str], int], ...]
    lone: re.Pattern[str]
    end_of: re.Pattern[str]
    past_is: re.Pattern[str] | None
    ahead_is: re.Pattern[str] | None
    set_for: Needing
    habit: re.Pattern[str]
    link: re.Pattern[str]
    days_behind: re.Pattern[str]
    days_before: re.Pattern[str]
    clock: re.Pattern[str]
    clock_word: re.Pattern[str]


def any_of(words: Iterable[str]) -> str:
    return "|".join(re.escape(word) for word in sorted(words, key=lambda word: (-len(word), word)))


@cache
def patterns_of(place: int) -> Known:
    """The patterns of the language at a place of TONGUES."""
    tongue = TONGUES[place]
    months, short = any_of(tongue.months), any_of({*tongue.months, *tongue.short})
    weekdays, units = any_of(tongue.weekdays), any_of(tongue.units)
    number = rf"\d{{1,2}}|{any_of(tongue.numbers)}"
    year = r"(?:,?\s+(?:de |del |di |do |of )?(?P<y>(?:19|20|21)\d\d)(?![\w:]|\.\d))?"
    suffix = r"(?:st|nd|rd|th|er|º|°|ª|te[nr]?|ste|e)?"
    near = {word: re.escape(word) for word in tongue.near} | {**tongue.near_patterns}
    atoms: tuple[tuple[str, str], ...] = (
        ("iso", _ISO.pattern),
        ("dotted", _DOTTED.pattern),
        ("slashed", _SLASHED.pattern),
        (
            "day first",
            (
                rf"(?<![\w.,:/%])(?P<d>\d{{1,2}}|premier|primero|primo|first|ersten|primeiro){suffix}"
                rf"(?:\.\s?|\s+)(?:of (?:the )?|de |di |d'|del )?(?P<m>{short})(?!\w)\.?{year}"
            ),
        ),
        (
            "month first",
            (
                rf"(?<!\w)(?P<m>{short})\.?\s+(?:the )?(?P<d>\d{{1,2}}){suffix}"
                rf"(?![\w%/-]|[:.]\d|\s?(?:am|pm|uhr|%)){year}"
            ),
        ),
        ("month", rf"(?<![\w'])(?P<m>{months})(?![\w'])(?!\s+\d{{1,2}}\b){year}"),
        ("weekday", rf"(?<![\w-])(?P<w>{weekdays})(?![\w'-])"),
        ("ordinal", rf"(?<!\w)(?:{tongue.ordinal}){_ORDINAL_CLOSED}"),
        (
            "weekday ordinal",
            (
                rf"(?<![\w-])(?P<w>{weekdays}),?\s+(?:(?:the|den|dem|día|dia|le|el|il|de)\s+)?"
                rf"(?P<d>\d{{1,2}}){_MARKED.get(tongue.name, '(?:er|º|°)?')}{_ORDINAL_CLOSED}"
            ),
        ),
        (
            "near",
            rf"(?<!\w)(?:{'|'.join(near[word] for word in sorted(near, key=len)[::-1])})(?!\w)",
        ),
        ("next unit", rf"(?<!\w)(?:{tongue.next_unit})(?!\w)"),
        ("this unit", rf"(?<!\w)(?:{tongue.this_unit})(?!\w)"),
        ("ahead", rf"(?<!\w)(?:{tongue.ahead_in.format(n=number, unit=units)})(?!\w)"),
        ("season", rf"(?<!\w)(?P<s>{any_of(tongue.seasons)})(?![\w'])"),
        ("end unit", rf"(?<!\w)(?:{tongue.end_of})(?P<unit>{units})(?!\w)"),
    )
    if tongue is ENGLISH:
        atoms += (
            ("week from", rf"(?P<n>{number}) weeks? (?:from|on) (?P<w>{weekdays})(?!\w)"),
            ("week from", rf"(?P<w>{weekdays}) week(?![\w'-])"),
        )
    # Most texts that hold a digit name no month: what they lack need not be sought.
    needs: dict[str, Iterable[str]] = {
        "iso": "-",
        "dotted": ".",
        "slashed": "/",
        "week from": ("week",),
        "day first": {*tongue.months, *tongue.short},
        "month": tongue.months,
        "month first": {*tongue.months, *tongue.short},
        "weekday": tongue.weekdays,
        "weekday ordinal": tongue.weekdays,
        "near": near,
        "next unit": {*tongue.units, *tongue.weekdays},
        "this unit": {*tongue.units, *tongue.weekdays},
        "ahead": tongue.units,
        "season": tongue.seasons,
        "end unit": tongue.units,
    }
    if tongue is ENGLISH:
        needs["ordinal"] = _ORDINAL_NEEDS
    gap = rf"(?:\s+|(?<='))(?:{ARTICLE}\s*|día |dia |tag )*$"

    def before(words: str) -> re.Pattern[str]:
        return late(rf"(?<!\w)(?:{words})(?:{gap}|$)")

    def in_year(pattern: str) -> Needing:
        return Needing(pattern, 0, tongue.year_words.split("|"))

    years = r"^\s*,?\s*(?:of |de |del |di |do |in |im |am |no |en )?(?:%s)(?!\w)"
    return Known(
        atoms=tuple(
            (name, Needing(pattern, 0, needs[name]) if name in needs else late(pattern))
            for name, pattern in atoms
        ),
        years_after=tuple((in_year(years % words), step) for words, step in tongue.years),
        years_before=tuple(
            (in_year(rf"(?<!\w)(?:{words})\s*,?\s*(?:in|im|en|a|em|am|on|op|au)?{gap}"), step)
            for words, step in tongue.years
        ),
        relations=(
            ("by", before(tongue.by)),
            ("until", before(tongue.until)),
            ("since", before(tongue.since)),
            ("start", before(tongue.start)),
            ("at", before(tongue.at)),
        ),
        before_weekday=tuple(
            (late(rf"(?<!\w)(?:{words})\s+$"), step)
            for words, step in ((tongue.coming, 1), (tongue.last, -1), (tongue.this, 0))
        ),
        after_weekday=tuple(
            (late(rf"\s+(?:{words})(?!\w)"), step)
            for words, step in ((tongue.coming, 1), (tongue.last, -1))
        ),
        lone=before(tongue.lone),
        end_of=late(rf"(?<!\w)(?:{tongue.end_of})$"),
        past_is=late(rf"(?<!\w)(?:{tongue.past_is})(?!\w)") if tongue.past_is else None,
        ahead_is=late(rf"(?<!\w)(?:{tongue.ahead_is})(?!\w)") if tongue.ahead_is else None,
        set_for=Needing(
            rf"(?<!\w)(?:{tongue.set_for})(?:{gap}|\s*$)", 0, tongue.set_words.split("|")
        ),
        habit=late(rf"(?<!\w)(?:{tongue.habit})(?!\w)"),
        link=late(rf"\s*,?\s*(?P<link>{tongue.link})\s*(?:(?:{ARTICLE}|día|dia)\s*)*"),
        days_behind=late(
            rf"\s*(?P<link>{tongue.link})\s*(?:the )?(?P<d>\d{{1,2}}){suffix}"
            rf"(?![\w:%/]|\.\d|\s?(?:[ap]m|{short})\b|\s*(?:{_SUFFIX}))(?=\s*(?:$|\W|\d{{4}}|at|for|and|with|in))"
        ),
        days_before=late(
            rf"(?<![\w.,:/%])(?P<d>\d{{1,2}}){suffix}\.?\s*(?P<link>{tongue.link})\s*"
            rf"(?:(?:{ARTICLE}|día|dia)\s*)*$"
        ),
        clock=late(
            rf"(?:(?:is |ist |es |est |é |è )?(?P<at>{tongue.clock})\s+)?(?<![\d:.,/])"
            rf"(?P<h>\d{{1,2}})(?:(?:(?P<sep>[:.])|\s?h\s?|\s?uhr\s)(?P<mi>\d{{2}})(?![\d]|\.\d))?"
            rf"(?:\s*(?P<suffix>{_SUFFIX})(?:\s+(?P<part>{_PART}))?|(?![\w:%/]|\.\d))"
        ),
        clock_word=late(r"\s*,?\s*(?:on|am|le|el|il|op|em|no|den|dem|dia|the|de|,)?\s*"),
    )


# 'the Sunday market', 'my Monday shift': the day names the thing, and is none of the calendar. Not
# so 'the Sunday morning', 'my Monday is free'.
_WHOSE_DAY = late(r"\b(?:the|a|my|our|his|her|their|your)\s+$")
_NO_THING = late(
    r"\s+(?:mornings?|afternoons?|evenings?|nights?|noon|lunchtime|the|this|that|next|last|after|before"
    r"|at|from|in|on|of|and|or|but|is|was|are|were|to|till|until|through|off|out|i|we|he|she|they|it"
    r"|you|for|with|when|because|so|if|instead|then|now|again|please|thanks|\d)"
)
_THING = late(r"\s+[a-z]{3,}")


def names_a_habit(lower: str, start: int, end: int) -> bool:
    """Whether a weekday at [start, end) of an English text is the name of what is on each one."""
    whose = _WHOSE_DAY.search(lower, max(0, start - 8), start)
    if whose is None or _THING.match(lower, end) is None:
        return False
    return _NO_THING.match(lower, end) is None
