"""Which time to come a question names: 'next week', 'bis Jahresende', 'en mai'. Pure.

What is told has days ('on 8 May'), and `language/dates` reads those; what is asked has spans, from
now on: 'before Christmas' begins today, and of this week what is left is meant.
"""

from __future__ import annotations

import re

from vaultmem.base import TYPE_CHECKING, NamedTuple, late
from vaultmem.language import civil_from_days, day_start, days_from_civil, find_dates, local_day

if TYPE_CHECKING:
    from vaultmem.language import DateMention

_FEW_DAYS, _FEW_WEEKS, _FEW_MONTHS = 7, 4, 3
_NUMBERS = """
    one ein eine einer un una une een
    two zwei dos deux due twee dois duas
    three drei tres trois tre três
    four vier cuatro quatre quattro quatro
    five fünf cinco cinq cinque vijf
    six sechs seis sei zes
"""
_VALUES = {
    word: number
    for number, line in enumerate(_NUMBERS.strip().splitlines(), 1)
    for word in line.split()
}
_NEXT = r"(?:next|coming|nächsten|kommenden|próxim[oa]s|prochaine?s|prossim[ie]|komende|volgende)"
_FEW = r"(?:few |couple of |paar |quelques |pocos |pocas |paio di |paar )?"
_COUNT = r"(?:(?P<n%d>\d{1,2}|[a-zêü]{2,6}) )?"
_UNIT = r"(?P<u%d>days|weeks|months|tagen?|wochen|monaten?|días|semanas|meses|jours|semaines|mois"
_UNIT += r"|giorni|settimane|mesi|dagen|weken|maanden|dias)\b"
_AHEAD = late(
    rf"\b{_NEXT} {_FEW}{_COUNT % 1}{_UNIT % 1}"
    rf"|\b(?:dans )?(?:les|las|los|die|den|le|i|os|as) {_COUNT % 2}{_NEXT} {_UNIT % 2}"
    rf"|\b(?P<n3>\d{{1,2}}|deux|trois|quatre) {_NEXT} {_UNIT % 3}",
    re.IGNORECASE,
)
# Spans that have no day of their own, in the order in which they are looked for.
_SPANS = {
    "today": r"today|tonight|heute|hoy|aujourd'hui|ce soir|stasera|oggi|vandaag|hoje",
    "tomorrow": r"morgen|mañana|domani|amanhã",
    "weekend": r"(?:at|over|on) the weekend|(?:am|übers|dieses) wochenende|ce week-?end"
    r"|nel (?:weekend|fine settimana)|dit weekend|(?:no|este) fim de semana",
    "next week": r"la settimana prossima|la prossima settimana|volgende week",
    "this week": r"questa settimana|deze week",
    "next month": r"le mois (?:prochain|qui vient)|il mese prossimo|volgende maand"
    r"|(?:no )?mês que vem|próximo mês",
    "this month": r"ce mois(?:-ci)?|questo mese|deze maand|este mês|(?:rest|end) of the month"
    r"|monatsende|fin de mes|fin du mois|fine (?:del )?mese|eind van de maand|fim do mês",
    "christmas": r"weihnachten|heiligabend|navidad(?:es)?|noël|natale|kerst(?:mis)?|natal",
    "this year": r"(?:rest|remainder) of the year|this year|jahresende|rest des jahres|heuer"
    r"|dieses jahr|(?:fin|final|resto) de(?:l)? año|este año|(?:fin|reste) de l'année|fin d'année"
    r"|cette année|fine (?:dell')?anno|quest'anno|dit jaar|einde? van het jaar|jaareinde"
    r"|fim d[eo] ano|este ano",
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
    found = find_dates(text, now, zone, ahead=True)
    if found:
        spans = [_to_come(one, begin, zone) for one in found]
        first, last = min(one for one, _ in spans), max(other for _, other in spans)
        return AskedTime(max(begin, first), last, " ".join(one.text.lower() for one in found))
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
