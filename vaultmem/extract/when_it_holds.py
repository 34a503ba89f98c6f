"""When something that a person tells holds, and when it is due.

What begins later holds from then, what ends holds until then, and an appointment, deadline or
planned event is due. A date that says none of these is no date of the memory: none is better than
a wrong one.
"""

from __future__ import annotations

from collections.abc import Sequence

from vaultmem.base import NamedTuple, late, replace
from vaultmem.extract.evidence import Reading
from vaultmem.extract.no_evidence import Choice
from vaultmem.language import (
    DAY_MS,
    MINUTE_MS,
    DateMention,
    civil,
    day_start,
    days_from_civil,
    find_dates,
    local_day,
    vocabulary,
)

DATE_IS_VALUE = ("fact:own", "fact:is", "fact:name")  # 'my birthday is 3 May'
_NEVER_DUE = ("procedure:", "rule:")  # by a cue; what is only judged so may well be a date
_VAGUE = ("year", "quarter", "season")  # too long to be an appointment
_EXACT_ONLY = ("preference", "belief")

_SAID = vocabulary("when_it_holds")
_ENDS = late(rf"\b(?:{_SAID['ends']})\b")
_BEGINS = late(rf"\b(?:{_SAID['begins']})\b")
_BACK = late(rf"(?:{_SAID['back']})\b(?:\s+\w+){{0,4}}\s*$")
_MUST = late(rf"\b(?:{_SAID['must']})\b")
_RECURS = late(_SAID["recurs"])
_USED_TO = late(_SAID["used to"])
_INSTEAD = late(rf"(?:\b(?:{_SAID['instead']})(?:\s+(?:{_SAID['before a day']}))*)\s*$")
_CANNOT = late(rf"\b(?:{_SAID['cannot']})(?:\s+(?:{_SAID['before a day']}))*\s*$")
_OF_DEADLINES = ("by", "at", "until", "during")
_SINCE_WHAT = late(rf"\b(?:{_SAID['since what']})\s*$")
_YEAR = late(r"(?:19|20|21)\d\d")


class When(NamedTuple):
    """UTC ms, None: not said. Ends are half open."""

    valid_from: int | None = None
    valid_until: int | None = None
    due: int | None = None


def told_dates(reading: Reading) -> tuple[DateMention, ...]:
    """The dates of what a person tells, looking ahead; those that are only denied left out."""
    situation = reading.situation
    found = find_dates(reading.sentence.masked, situation.reference, situation.zone, ahead=True)
    lower = reading.lower
    # 'The sweep can't do the 4th, it's the 11th now' was due on the 4th.
    able = [each for each in found if not _CANNOT.search(lower[: each.start][-40:])]
    found = tuple(able) or found
    return tuple(
        _since_then(mention, lower, situation.reference, situation.zone)
        for mention in found
        if not _INSTEAD.search(lower[: mention.start][-40:])
    )


def _since_then(mention: DateMention, lower: str, reference: int, zone: str) -> DateMention:
    """The day of what has lasted since: 'since the scare in March' is the March that was.

    'I take 5 mg every morning since the scare in March' was due in the March to come.
    """
    is_ahead = mention.from_ms > reference and not _YEAR.search(mention.text)
    before = lower[: mention.start][-60:]
    first = lower[mention.start :].split(" ", 1)[0]  # 'de' of 'desde la caída de marzo'
    if not is_ahead or not any(map(_SINCE_WHAT.search, (before, before + first))):
        return mention
    from_ms, until_ms = (_year_before(ms, zone) for ms in (mention.from_ms, mention.until_ms))
    return replace(mention, relation="since", from_ms=from_ms, until_ms=until_ms)


def _year_before(ms: int, zone: str) -> int:
    year, month, day = civil(ms, zone)
    return day_start(days_from_civil(year - 1, month, min(day, 28) if month == 2 else day), zone)


def when(reading: Reading, choice: Choice, dates: Sequence[DateMention]) -> When:
    """From when and until when something holds, and when it is due.

    dates  of the sentence, from `told_dates`
    """
    said = reading.situation.said_at
    said = None if said is None else said // MINUTE_MS * MINUTE_MS
    if choice.kind == "task" and not any(one.relation == "stretch" for one in dates):
        return When(valid_from=said, due=_first_day(dates))
    told = _Telling(reading, choice)
    for mention in dates:
        told.take(mention)
    return told.when(said)


def deadline(dates: Sequence[DateMention]) -> DateMention | None:
    """By or at which of the dates of a sentence a task is to be done; a deadline goes first."""
    known = [one for one in dates if one.relation in _OF_DEADLINES]
    known.sort(key=lambda one: _OF_DEADLINES.index(one.relation))
    return known[0] if known else None


def _first_day(dates: Sequence[DateMention]) -> int | None:
    """The first day of what the deadline names; of a week or month that goes on the last."""
    found = deadline(dates)
    if found is None:
        return None
    return found.until_ms - DAY_MS if found.relation == "during" else found.from_ms


class _Telling:
    """What the dates of one sentence come to."""

    def __init__(self, reading: Reading, choice: Choice) -> None:
        self._lower = reading.lower
        self._reference = reading.situation.reference
        self._zone = reading.situation.zone
        self._choice = choice
        self._since: int | None = None
        self._until: int | None = None
        self._due: DateMention | None = None
        self._due_ms: int | None = None
        self._is_over = False

    def take(self, mention: DateMention) -> None:
        """Add what a date says."""
        relation = mention.relation
        if relation == "stretch":
            self._since = mention.from_ms if self._since is None else self._since
            self._until = mention.until_ms if self._until is None else self._until
        elif relation == "during":
            if self._choice.kind in ("fact", "preference", "event") and self._until is None:
                self._until = mention.until_ms
        elif relation == "since":
            self._since = mention.from_ms if self._since is None else self._since
        elif relation == "until":
            if mention.from_ms > self._reference and _MUST.search(self._lower[: mention.start]):
                self._set_due(mention)
            elif self._until is None:
                self._until = mention.until_ms
        elif relation == "by":
            self._set_due(mention)
        else:
            self._take_day(mention)

    def _take_day(self, mention: DateMention) -> None:
        choice = self._choice
        if _RECURS.search(self._lower) and not _YEAR.search(mention.text):
            self._due_ms = self._next_time(mention) if self._due_ms is None else self._due_ms
            return
        if mention.from_ms <= self._reference:
            if _USED_TO.search(self._lower[: mention.start]):
                self._until, self._is_over = mention.from_ms, True
            elif choice.name not in DATE_IS_VALUE and self._since is None:
                self._since = mention.from_ms
                # Of the strict rules, which know no relation for a stretch.
                if mention.text.lower().startswith(("from ", "between ")):
                    self._until = mention.until_ms
            return
        before = self._lower[: mention.start]
        if _BACK.search(before):
            self._until = mention.from_ms if self._until is None else self._until
            return
        ends, begins = _ENDS.search(self._lower), _BEGINS.search(self._lower)
        if ends and ends.start() < mention.start:
            self._until = mention.until_ms if self._until is None else self._until
            self._set_due(mention)
        elif begins and self._since is None and choice.name not in DATE_IS_VALUE:
            self._since = mention.from_ms
        else:
            self._set_due(mention)
        if choice.kind == "event" and self._since is None and not ends:
            self._since = mention.from_ms

    def _set_due(self, mention: DateMention) -> None:
        """The first deadline, or the most exact day."""
        if mention.granularity in _VAGUE or self._choice.name.startswith(_NEVER_DUE):
            return
        if self._choice.kind in _EXACT_ONLY and mention.granularity not in ("day", "minute"):
            return
        if mention.from_ms <= self._reference and mention.granularity != "day":
            return
        known = self._due
        if known is None or (_length(known) > _length(mention) and mention.relation != "by"):
            self._due = mention

    def _next_time(self, mention: DateMention) -> int | None:
        """The next time a day of every year comes, today counted."""
        if mention.granularity not in ("day", "minute"):
            return None
        today = local_day(self._reference, self._zone)
        year, month, day = civil(mention.from_ms, self._zone)
        for shift in range(9):  # 29 February comes every four years, and once in eight
            try:
                near = days_from_civil(year + shift, month, day)
            except ValueError:
                continue
            if near >= today:
                return day_start(near, self._zone)
        return None

    def when(self, said: int | None) -> When:
        """All of it together; what is over before it was said has begun nobody knows when."""
        since = said if self._since is None else self._since
        until = self._until
        if until is not None and since is not None and until <= since:
            since = self._since if self._since is not None and self._since < until else None
        due = self._due_ms
        if due is None and self._due is not None:
            due = self._due.from_ms
        return When(valid_from=since, valid_until=until, due=due)


def _length(mention: DateMention) -> int:
    return mention.until_ms - mention.from_ms
