"""Date phrases of an English text, resolved against the date on which it was written."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence

from vaultmem.base import dataclass
from vaultmem.language.dates import english as dw
from vaultmem.language.dates.calendar import Period, day_of, month_of, part_of, unit_around, year_of
from vaultmem.language.dates.english import (
    ABSOLUTE,
    NUMERIC,
    Match,
    Words,
    direction,
    preposition,
    words_of,
)
from vaultmem.language.dates.relative import RELATIVE
from vaultmem.language.time import (
    DAY_MS,
    FIRST_DAY,
    HOUR_MS,
    LAST_DAY,
    MINUTE_MS,
    civil_from_days,
    day_start,
    is_of_time,
    local_day,
    local_to_utc,
    may_tell_date,
    read_instant,
)

Rule = Callable[[Words, int], Match | None]

_CLOCK = r"(\d{1,2})(?:[:.](\d{2}))?(am|pm)?"
_END_OF = {"eod": "day", "eow": "week", "eom": "month", "eoy": "year"}


@dataclass(frozen=True, slots=True, kw_only=True)
class DateMention:
    """A date phrase in a text and the half-open interval `[from_ms, until_ms)` it means."""

    text: str
    start: int  # character offset in the text
    end: int
    from_ms: int
    until_ms: int
    granularity: str  # as of `time.Instant`
    relation: str = "at"  # at, since, until or by; of what is told also stretch or during


def find_dates(
    text: str, reference: int, zone: str = "UTC", *, ahead: bool = False
) -> tuple[DateMention, ...]:
    """The date phrases of a text, in order and without overlap.

    reference   UTC ms when the text was written or said: 'yesterday' counts from there
    zone        in whose calendar days are counted
    ahead       somebody tells it: a day without a year is the next one, unless the verb is past
    returns     nothing for a phrase that is not certain to be a date or has no certain year
    """
    # Every sentence that was told loaded the rules of told dates, 95 kB of code for seven
    # languages.
    if ahead and may_tell_date(text.lower().replace("’", "'")):
        return _with_spoken(find_dates(text, reference, zone), text, reference, zone)
    words = words_of(text, local_day(reference, zone))
    found = [_mention(words, match, text, zone=zone) for match in _ranges(words, _matches(words))]
    mentions = tuple(mention for mention in found if mention is not None)
    if any(map(is_of_time, words.lower)):
        return _with_foreign(mentions, text, words.today, zone)
    return mentions


def _with_foreign(
    mentions: Sequence[DateMention], text: str, today: int, zone: str
) -> tuple[DateMention, ...]:
    """With the phrases of other languages; of two that overlap the first, or the longer."""
    from vaultmem.language.dates.foreign import phrases  # saves 2 modules

    found = [*mentions]
    for start, end, period, relation in phrases(text, today):
        if FIRST_DAY < period.first < period.until < LAST_DAY:
            found.append(
                DateMention(
                    text=text[start:end],
                    start=start,
                    end=end,
                    from_ms=day_start(period.first, zone),
                    until_ms=day_start(period.until, zone),
                    granularity=period.granularity,
                    relation=relation,
                )
            )
    found.sort(key=lambda one: (one.start, -one.end))
    kept: list[DateMention] = []
    for one in found:
        if not kept or one.start >= kept[-1].end:
            kept.append(one)
    return tuple(kept)


def _with_spoken(
    mentions: Sequence[DateMention], text: str, reference: int, zone: str
) -> tuple[DateMention, ...]:
    """With the dates as they are told, which go before what the other rules make of them."""
    from vaultmem.language.dates.spoken import spoken_dates  # saves 4 modules

    found = []
    for one in spoken_dates(text, local_day(reference, zone)):
        if not FIRST_DAY < one.period.first < one.period.until < LAST_DAY:
            continue
        from_ms, granularity = day_start(one.period.first, zone), one.period.granularity
        until_ms = day_start(one.period.until, zone)
        if one.clock is not None:
            from_ms = local_to_utc(one.period.first * DAY_MS + one.clock, zone)
            until_ms, granularity = from_ms + MINUTE_MS, "minute"
        found.append(
            DateMention(
                text=text[one.start : one.end],
                start=one.start,
                end=one.end,
                from_ms=from_ms,
                until_ms=until_ms,
                granularity=granularity,
                relation=one.relation,
            )
        )
    found += [
        mention
        for mention in mentions
        if not any(mention.start < one.end and one.start < mention.end for one in found)
    ]
    return tuple(sorted(found, key=lambda one: one.start))


def may_hold_date(words: Iterable[str]) -> bool:
    """Whether `find_dates` could find anything in a text of these lower-case words; cheap."""
    return any(
        word in _TELLING or (word[:1].isdecimal() and _tells(word)) or is_of_time(word)
        for word in words
    )


def _tells(word: str) -> bool:
    """Whether a number alone could be a date: a year, or digits with points, dashes or 'th'."""
    if word.isdecimal():
        return len(word) == 4 and word[:2] in ("19", "20", "21")
    return True


def read_phrase(text: str, reference: int, zone: str = "UTC") -> DateMention | None:
    """The mention that is the whole of `text`, or None.

    Letter case does not matter here, and what names a day of every year or week ('May 3',
    'Friday') means the last one.
    """
    words = words_of(text, local_day(reference, zone), whole=True)
    for match in _ranges(words, _matches(words)):
        mention = _mention(words, match, text, zone=zone)
        if mention is not None and mention.text == text.strip():
            return mention
    if not any(map(is_of_time, words.lower)):
        return None
    foreign = _with_foreign((), text, words.today, zone)
    return next((mention for mention in foreign if mention.text == text.strip()), None)


def _matches(words: Words) -> list[Match]:
    """The date phrases in order, none inside or across another."""
    found: list[Match] = []
    for i, word in enumerate(words.lower):
        rules = NUMERIC if word[0].isdecimal() else RULES.get(word, ())
        for rule in rules:
            match = rule(words, i)
            if match is not None:
                found.append(match)
                break
    found.sort(key=lambda match: (match.start, -match.end))
    kept: list[Match] = []
    for match in found:
        if not kept or match.start >= kept[-1].end:
            kept.append(match)
    return [match for match in kept if match.period is not None]


def _ranges(words: Words, found: list[Match]) -> list[Match]:
    """'from X to Y' and 'between X and Y' as one match."""
    joined: list[Match] = []
    for match in found:
        last = joined[-1] if joined else None
        if last is not None and last.period and match.period and match.start == last.end + 1:
            before, link = words.at(last.start - 1), words.at(last.end)
            linked = before == "from" and link in (*dw.UNTIL, "to", "-", "–")
            linked = linked or (before == "between" and link == "and")
            if linked and last.period.first < match.period.until:
                period = last.period._replace(until=match.period.until)
                joined[-1] = Match(
                    start=last.start - 1, end=match.end, period=period, relation="at"
                )
                continue
        joined.append(match)
    return joined


def _mention(words: Words, match: Match, text: str, *, zone: str) -> DateMention | None:
    """The match in characters and milliseconds; None beyond the calendar."""
    period = match.period
    if period is None or not FIRST_DAY < period.first < period.until < LAST_DAY:
        return None
    relation, start, end = match.relation, match.start, match.end
    if not relation:
        relation, start = _relation(words, match, past=period.until <= words.today)
    from_ms, until_ms = day_start(period.first, zone), day_start(period.until, zone)
    granularity = period.granularity
    written = read_instant(words.raw[match.start], zone) if end - match.start == 1 else None
    clock = _clock_after(words, end) or _clock_before(words, start, match.start)
    if written is not None and written.granularity in ("minute", "second"):
        from_ms, granularity = written.ms, written.granularity
        until_ms = from_ms + (MINUTE_MS if granularity == "minute" else 1000)
    elif clock is not None and granularity == "day" and period.until == period.first + 1:
        from_ms = local_to_utc(period.first * DAY_MS + clock[2], zone)
        until_ms, granularity = from_ms + MINUTE_MS, "minute"
        start, end = min(start, clock[0]), max(end, clock[1])
    first, last = words.start[start], words.end[end - 1]
    return DateMention(
        text=text[first:last],
        start=first,
        end=last,
        from_ms=from_ms,
        until_ms=until_ms,
        granularity=granularity,
        relation=relation,
    )


def _relation(words: Words, match: Match, *, past: bool) -> tuple[str, int]:
    """What the preposition before a phrase makes of it, and where the phrase then begins."""
    start = match.start
    prep = preposition(words, start)
    if prep == "from" and past and words.at(match.end) not in ("on", "onward", "onwards"):
        return "at", start  # 'a picture from last week'
    if prep in dw.SINCE:
        relation = "since"
    elif prep in dw.UNTIL:
        relation = "until"
    elif prep in dw.BY:
        relation = "by"
    else:
        return "at", start
    first = start - 1
    while first > 0 and words.at(first) in ("the", "about", "around", ":", "early", "late"):
        first -= 1
    if words.at(first - 1) == ("as" if words.at(first) == "of" else "due"):
        first -= 1
    return relation, first


def _clock_after(words: Words, end: int) -> tuple[int, int, int] | None:
    """'at 9:30' or 'at 3 pm' from word `end` on: first word, end, ms of the day."""
    at = words.at(end) == "at"
    read = _clock(words, end + at)
    return (end, read[0], read[1]) if read and (at or read[2]) else None


def _clock_before(words: Words, start: int, date: int) -> tuple[int, int, int] | None:
    """'1:56 pm on' or '5pm' that ends at word `start` or just before the date itself."""
    stop = date - 1 if words.at(date - 1) in ("on", ",") else start
    for first in (stop - 2, stop - 1):
        read = _clock(words, first) if first >= 0 else None
        if read is not None and read[0] == stop:
            return first - (words.at(first - 1) == "at"), stop, read[1]
    return None


def _clock(words: Words, i: int) -> tuple[int, int, bool] | None:
    """A time of day at word `i`: end, ms of the day, whether am or pm stood there."""
    found = re.fullmatch(_CLOCK, words.at(i))
    if found is None:
        return None
    half, end = found[3], i + 1
    if half is None and words.at(end) in ("am", "pm"):
        half, end = words.at(end), end + 1
    hour, minute = int(found[1]), int(found[2] or 0)
    if (half is None and found[2] is None) or minute > 59:
        return None
    if half is not None:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if half == "pm" else 0)
    if hour > 23:
        return None
    return end, hour * HOUR_MS + minute * MINUTE_MS, half is not None


def _part(words: Words, i: int) -> Match | None:
    """'end of next month', 'the beginning of May', 'early 2025', 'mid-June', 'late last year'."""
    part = dw.PARTS[words.lower[i]]
    j = i + 1
    if words.lower[i] in ("early", "mid", "late"):
        j += words.at(j) == "-"
    elif words.at(j) == "of":
        j += 1
    else:
        return None
    j += words.at(j) == "the"
    start = i - 1 if words.at(i - 1) == "the" else i
    inner = _inner(words, j, start)
    if inner is None or inner.period is None or inner.period.until - inner.period.first < 7:
        day = inner is not None and words.at(j) == "day"
        return inner and Match(start=start, end=inner.end, period=inner.period) if day else None
    return Match(start=start, end=inner.end, period=part_of(inner.period, part))


def _inner(words: Words, j: int, start: int) -> Match | None:
    """The month, year or unit whose part is named; its direction is told before the part."""
    word = words.at(j)
    if word in dw.UNITS and words.at(j - 1) in ("the", "of") and not word.endswith("s"):
        return Match(start=j, end=j + 1, period=unit_around(words.today, dw.UNITS[word]))
    if word in dw.STEPS:
        return RELATIVE[word][0](words, j)
    if len(word) == 4 and word.isdecimal() and 1900 <= int(word) <= 2100:
        return Match(start=j, end=j + 1, period=year_of(int(word)))
    if word not in dw.MONTHS or not (words.capital(j) or words.whole):
        return None
    after = words.at(j + 1)
    if len(after) == 4 and after.isdecimal() and 1900 <= int(after) <= 2100:
        return Match(start=j, end=j + 2, period=month_of(int(after), dw.MONTHS[word]))
    way = direction(words, start, j + 1, preposition(words, start))
    year, month, _ = civil_from_days(words.today)
    year += (way > 0 and dw.MONTHS[word] < month) - (way < 0 and dw.MONTHS[word] > month)
    if way == 0:
        return None
    return Match(start=j, end=j + 1, period=month_of(year, dw.MONTHS[word]))


def _shorthand(words: Words, i: int) -> Match | None:
    """EOD, EOW, EOM, EOY in capitals: by the end of today, this week, month or year."""
    if not words.raw[i].isupper():
        return None
    unit = _END_OF[words.lower[i]]
    around = unit_around(words.today, unit)
    last = day_of(around.until - 1)
    period = Period(first=last.first, until=last.until, granularity="day")
    return Match(start=i, end=i + 1, period=period, relation="by")


RULES: Mapping[str, tuple[Rule, ...]] = {
    **ABSOLUTE,
    **RELATIVE,
    **dict.fromkeys(dw.PARTS, (_part,)),
    **dict.fromkeys(_END_OF, (_shorthand,)),
}

_TELLING = (
    frozenset(RULES) - {"in", "for", "now", "new", "ago", *dw.STEPS, *dw.PARTS}
    | frozenset(dw.UNITS)
    | dw.PARTS_OF_DAY
    | {"year's", "weekends", *(day + "s" for day in dw.WEEKDAYS)}
    | {"hour", "hours", "minute", "minutes"}
)
"""Words of which every date phrase without a digit holds at least one."""
