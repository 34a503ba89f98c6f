"""Whether somebody asks what is coming or to be done: dates, deadlines, tasks, in seven languages.

Such a request shares no word with what it is about ('the boiler man comes on Thursday'), so what is
due is given for it, the soonest first.
"""

from __future__ import annotations

import re

from vaultmem import language
from vaultmem.base import TYPE_CHECKING, NamedTuple, Needing, late
from vaultmem.language import (
    civil_from_days,
    day_start,
    days_from_civil,
    local_day,
    vocabulary,
    word_list,
)

if TYPE_CHECKING:
    from vaultmem.language import DateMention

_ANNOUNCES = Needing(
    r"\bchange (?:of|in) (?:\w+ )?plans?\b|\b(?:every)?things?(?:'s| has)? (?:all )?changed\b"
    r"|\bchanged (?:completely|entirely|everything|our minds?|my mind|again)\b"
    r"|\b(?:had|having) a (?:re|second )thin?k\b|\bon (?:its|their) heads?\b|\bplans have changed\b"
    r"|\b(?:planänderung|alles anders|umentschieden|umgeschmissen|umgeplant|über den haufen)\b"
    r"|\bcambio de (?:planes?|idea|opinión)\b|\b(?:cambiamos|hemos cambiado|cambié|he cambiado) de"
    r" (?:idea|opinión|plan(?:es)?)\b|\b(?:cambia|cambiamos|hemos cambiado) todo\b"
    r"|\bon (?:change|a) (?:tout|changé d'avis|tout changé)\b"
    r"|\bchangement de (?:plan|programme)s?\b"
    r"|\bje change de \w+\b|\bj'ai changé d'avis\b|\bcambio di programma\b|\bcambiato idea\b"
    r"|\bverandering van plan\b|\bmudança de planos\b|\bmudei de ideia\b",
    re.IGNORECASE,
    (
        *("chang", "think", "head", "änder", "anders", "entschied", "schmiss", "plant", "haufen"),
        *("camb", "verander", "mud"),
    ),
)
_LONGEST_ANNOUNCED = 16  # words: a longer one mostly says how


def announces(text: str) -> bool:
    """Whether a short sentence only announces a change."""
    if len(text.split()) > _LONGEST_ANNOUNCED or ":" in text:
        return False
    return _ANNOUNCES.search(text.replace("’", "'")) is not None


_SAID = vocabulary("agenda")

# Which time to come a question names: 'next week', 'bis Jahresende', 'en mai'.
#
# What is told has days ('on 8 May'), and `language/dates` reads those; what is asked has spans,
# from now on: 'before Christmas' begins today, and of this week what is left is meant.

_FEW_DAYS, _FEW_WEEKS, _FEW_MONTHS = 7, 4, 3
_NUMBERS = tuple(told for title, told in _SAID.items() if title.startswith("number "))
_VALUES = {word: number for number, line in enumerate(_NUMBERS, 1) for word in word_list(line)}
_NEXT = rf"(?:{_SAID['next']})"
_FEW = rf"(?:(?:{_SAID['few']}) )?"
_COUNT = r"(?:(?P<n%d>\d{1,2}|[a-zêü]{2,6}) )?"
_UNIT = r"(?P<u%d>days|weeks|months|tagen?|wochen|monaten?|días|semanas|meses|jours|semaines|mois"
_UNIT += r"|giorni|settimane|mesi|dagen|weken|maanden|dias)\b"
_AHEAD = late(
    rf"\b{_NEXT} {_FEW}{_COUNT % 1}{_UNIT % 1}"
    rf"|\b(?:dans )?(?:les|las|los|die|den|le|i|os|as) {_COUNT % 2}{_NEXT} {_UNIT % 2}"
    rf"|\b(?P<n3>\d{{1,2}}|deux|trois|quatre) {_NEXT} {_UNIT % 3}",
    re.IGNORECASE,
)
_SPANS = {
    "today": _SAID["span today"],
    "tomorrow": _SAID["span tomorrow"],
    "weekend": _SAID["span weekend"],
    "next week": _SAID["span next week"],
    "this week": _SAID["span this week"],
    "next month": _SAID["span next month"],
    "this month": _SAID["span this month"],
    "christmas": _SAID["span christmas"],
    "this year": _SAID["span this year"],
}
_FOUND = late(
    r"\b(?:"
    + "|".join(f"(?P<s{at}>{told})" for at, told in enumerate(_SPANS.values()))
    + r")(?!\w)",
    re.IGNORECASE,
)
_OF_MONTH = late(r"\b(?:au|du) mois d(?:e |')|\b(?:en el|del) mes de |\bim monat ", re.IGNORECASE)


class AskedTime(NamedTuple):
    """A time to come. UTC ms, half open."""

    from_ms: int
    until_ms: int | None  # None: none was named
    words: str = ""  # in lower case


def asked_time(question: str, now: int, zone: str) -> AskedTime:
    """The time that a question names, as far as it is to come; of several all from first to last.

    A month or day that is over is that of the next year.
    """
    today = local_day(now, zone)
    begin = day_start(today, zone)
    text = _OF_MONTH.sub("en ", question.replace("’", "'"))
    ahead = _AHEAD.search(text)
    if ahead is not None:
        return AskedTime(begin, day_start(today + _days(ahead), zone), ahead[0].lower())
    # By its room: to read dates takes 5 modules, and few questions ask for what is due.
    found = language.find_dates(text, now, zone, ahead=True)
    if found:
        spans = [_to_come(one, begin, zone) for one in found]
        first, last = min(one for one, _ in spans), max(other for _, other in spans)
        return AskedTime(max(begin, first), last, " ".join(one.text.lower() for one in found))
    # 'What deadlines do I have before the end of the year?' shares no word with 'the application is
    # due November 20': rows of lists have .875 in place of .688.
    named = _FOUND.search(text)
    if named is None or named.lastgroup is None:
        return AskedTime(begin, None)
    first_day, end_day = _span(list(_SPANS)[int(named.lastgroup[1:])], today)
    first_day = max(first_day, today)
    return AskedTime(day_start(first_day, zone), day_start(end_day, zone), named[0].lower())


def _to_come(one: DateMention, begin: int, zone: str) -> tuple[int, int]:
    first, last = one.from_ms, one.until_ms
    if one.relation in ("by", "until"):
        first = begin
    if last <= begin:
        first, last = (_a_year_on(at, zone) for at in (first, last))
    return first, last


def _a_year_on(at: int, zone: str) -> int:
    year, month, day = civil_from_days(local_day(at, zone))
    return day_start(days_from_civil(year + 1, month, min(day, 28) if month == 2 else day), zone)


def _days(found: re.Match[str]) -> int:
    unit = next(each for each in (found["u1"], found["u2"], found["u3"]) if each).lower()
    number = next((each for each in (found["n1"], found["n2"], found["n3"]) if each), "").lower()
    count = int(number) if number.isdigit() else _VALUES.get(number)
    if unit.startswith(("d", "t", "j", "g")):
        return (count or _FEW_DAYS) + 1
    if unit.startswith(("w", "s")):
        return 7 * (count or _FEW_WEEKS) + 1
    return 31 * (count or _FEW_MONTHS) + 1


def _span(name: str, today: int) -> tuple[int, int]:
    """(first day, the day after the last) of a span around today, in days."""
    year, month, _ = civil_from_days(today)
    monday = today - (today + 3) % 7  # 1970-01-01 was a Thursday
    return {
        "today": (today, today + 1),
        "tomorrow": (today + 1, today + 2),
        "weekend": (monday + 5, monday + 7),
        "this week": (monday, monday + 7),
        "next week": (monday + 7, monday + 14),
        "this month": (today, _month(year, month + 1)),
        "next month": (_month(year, month + 1), _month(year, month + 2)),
        "christmas": (today, days_from_civil(year, 12, 26)),
        "this year": (today, _month(year + 1, 1)),
    }[name]


def _month(year: int, month: int) -> int:
    """The first day of a month; the 13th is the first of the next year."""
    return days_from_civil(year + (month - 1) // 12, (month - 1) % 12 + 1, 1)


# Every text in which the pattern below is found has one of these; most questions have none.
_NAMED = Needing(
    # What it is called.
    _SAID["named"],
    re.IGNORECASE,
    _SAID["named needs"].split("|"),
)
_LONGEST = 300  # characters: longer talk tells something, and asks for what it says at the end
_OF_ONE = late(_SAID["of one"], re.IGNORECASE)
_BEFORE_NOW = late(rf"\b(?:{_SAID['before now']})\b", re.IGNORECASE)
_TASKS = late(rf"\b(?:{_SAID['tasks']})\b", re.IGNORECASE)
_MEETINGS = late(rf"\b(?:{_SAID['meetings']})\b", re.IGNORECASE)
TASKS, MEETINGS = "tasks", "meetings"
_ASKING = late(rf"^(?:{_SAID['asking']})$", re.IGNORECASE)


class Agenda(NamedTuple):
    """What is asked for of what is coming. Times are UTC ms."""

    from_ms: int
    until_ms: int | None  # None: no time was named
    wants: str = ""  # TASKS, MEETINGS, '': whatever is coming
    times: str = ""  # the words that name the time


def asks_for_agenda(question: str) -> bool:
    """Whether a request is for what is due, planned or to be done."""
    return len(question) <= _LONGEST and _NAMED.search(question.replace("’", "'")) is not None


def agenda_of(question: str, now: int, zone: str) -> Agenda | None:
    """Of which time what is coming is asked, from now on; None: a question asks something else.

    More is asked than by `asks_for_agenda`: 'When is my appointment?' asks for one thing, and
    'what did I have on' for what is over.
    """
    asked = question.replace("’", "'")
    if not asks_for_agenda(asked) or _OF_ONE.search(asked) or _BEFORE_NOW.search(asked):
        return None

    time = asked_time(asked, now, zone)
    meets, tasks = _MEETINGS.search(asked), _TASKS.search(asked)
    wants = "" if bool(meets) == bool(tasks) else TASKS if tasks else MEETINGS
    return Agenda(time.from_ms, time.until_ms, wants, time.words)


def is_about(word: str, agenda: Agenda) -> bool:
    """Whether a word of such a question, in lower case, says what it is about: 'kitchen'."""
    return _ASKING.search(word) is None and word not in agenda.times


# An hour that is proposed, and wishes that bar hours: 'is a 9 am slot ok?', 'nothing before ten'.

_HOUR_WORDS = _SAID["hour words"]
_CLOCK = r"\d{1,2}(?:[:.h]\d\d)?(?: ?(?:am|pm|a\.m|p\.m|uhr|h|heures?|uur|horas|o'clock)\b)?"
_PROPOSED = late(
    r"\b\d{1,2}[:.]\d\d\b|\b\d{1,2} ?(?:am|pm|a\.m|p\.m|uhr|h|heures?|uur|o'clock)\b"
    rf"|\b(?:{_SAID['at hour']}) (?:\d{{1,2}}|{_HOUR_WORDS})\b",
    re.IGNORECASE,
)
# How the names of hours begin; most questions have neither one nor a digit, and the two patterns
# took a twentieth of a cold `recall` to compile.
_HOURS = frozenset(each.split()[0] for each in _HOUR_WORDS.split("|"))
_AROUND = ".,;:!?¿¡()\"'"
_PROPOSES = late(rf"\b(?:{_SAID['proposes']})\b", re.IGNORECASE)
_BOUNDS = Needing(
    rf"\b(?:{_SAID['bounds']}) (?:{_CLOCK}|{_HOUR_WORDS})\b"
    rf"(?!\.? ?(?:st\b|nd\b|rd\b|th\b|de |of |{_SAID['no hour']}))",
    re.IGNORECASE,
    _SAID["bounds needs"].split("|"),
)


def proposes_hour(question: str) -> bool:
    """Whether a request asks if something may be at an hour: 'is a 9 am slot ok for me?'."""
    if len(question) > _LONGEST or not _may_name_hour(question):
        return False
    if _PROPOSES.search(question) is None:
        return False
    return _PROPOSED.search(question.replace("’", "'")) is not None


def _may_name_hour(question: str) -> bool:
    if any(map(str.isdigit, question)):
        return True
    return any(word.strip(_AROUND) in _HOURS for word in question.lower().split())


def bounds_hours(statement: str) -> bool:
    """Whether a wish bars hours of the day: 'never book me anything before ten'."""
    return _BOUNDS.search(statement.replace("’", "'")) is not None
