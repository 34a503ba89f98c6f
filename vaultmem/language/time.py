"""Instants and calendar days: ISO 8601 text, UTC milliseconds, and the vault's time zone.

Times are UTC milliseconds since 1970 as `int`. All intervals are half open `[from, until)`.
A zone is an IANA name ('Europe/Berlin'), 'UTC', or a fixed offset ('+02:00'). Nothing here reads
the clock. Calendar arithmetic is done on integers (days since 1970 in the proleptic Gregorian
calendar, Howard Hinnant, 'chrono-compatible low-level date algorithms', 2013) because importing
`datetime` and `zoneinfo` costs more than a whole look-up; they are imported for real zones only.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache

from vaultmem.base import TYPE_CHECKING, SettingsError, dataclass, late

if TYPE_CHECKING:
    from datetime import tzinfo


# Words by which a phrase of time in another language than English is told to be possible.
#
# By themselves they say nothing: `language/dates/foreign.py` reads the phrases, and is loaded where
# a text holds one of these. A test compares them with its tables.


_WORDS = """
dezember dienstag donnerstag februar freitag frühjahr frühling gestern herbst heute jahr jahre
jahren jahres januar juli juni jänner mai mittwoch monat monate monaten monats montag märz
oktober samstag sommer sonnabend sonntag tag tage tagen vorgestern winter woche wochen
wochenende übermorgen
abril agosto anteayer antier ayer año años diciembre domingo día días enero febrero hoy invierno
jueves julio junio lunes martes marzo mayo mes meses miércoles noviembre octubre otoño primavera
semana semanas septiembre setiembre sábado verano viernes
année années ans août après-demain aujourd'hui automne avant-hier avril demain dimanche décembre
février hier hiver janvier jeudi jour jours juillet juin lundi mai mardi mercredi mois novembre
octobre printemps samedi semaine semaines septembre vendredi week-end été
августа августе апреле апреля весна весной весну воскресенье вторник вчера выходные выходных год
года году декабре декабря день дней дня завтра зима зимой зиму июле июля июне июня лет лето
летом мае марта марте мая месяц месяца месяце месяцев неделе недели недель неделю неделя ноябре
ноября октябре октября осень осенью позавчера понедельник послезавтра пятница пятницу сегодня
сентябре сентября среда среду суббота субботу феврале февраля четверг январе января
seit desde depuis il
"""
WORDS = frozenset(_WORDS.split())

# Words of which a date that is told without a digit holds one, in seven languages (a test compares
# them with the tables). Most sentences have none: the rules they save are 95 kB of code, 3 ms.
_TELLING = """
abril after agosto amanhã an anni anno année années ano anos ans anteayer anteontem aout août
april aprile après-demain august augustus aujourd'hui automne autumn autunno avant-hier avril ayer
año años dag dagen day days de december decembre demain depois dezember dezembro dia dias dicembre
diciembre dienstag dimanche dinsdag domani domenica domingo donderdag donnerstag dopodomani
décembre día días eergisteren enero estate fall febbraio febrero februar februari february
fevereiro fevrier freitag fri friday frühjahr frühling février gennaio gestern giorni giorno
giovedi giovedì gisteren giugno herbst herfst heute hier hiver hoje hoy ieri inverno invierno jaar
jahr jahre jahren jahres janeiro januar januari january janvier jaren jeudi jour jours jueves
juillet juin julho juli julio july june junho juni junio jänner l'altro lente luglio lundi lunedi
lunedì lunes maand maandag maanden maart maggio mai maio march mardi mars martedi martedì martes
marzo março may mayo mañana mei mercoledi mercoledì mercredi mes mese meses mesi miercoles
mittwoch miércoles mois mon monat monate monaten monats monday montag month months morgen märz mês
najaar november novembre novembro noviembre october octobre octubre oggi oktober ontem otoño
ottobre outono outubro overmorgen pasado primavera printemps quarta quarta-feira quarter quarters
quinta quinta-feira sabado sabato samedi samstag sat saturday segunda segunda-feira semaine
semaines semana semanas september septembre septiembre setembro setiembre settembre settimana
settimane sexta sexta-feira sommer sonnabend sonntag spring summer sun sunday sábado tag tage
tagen terça terça-feira thu thur thurs thursday today tomorrow tonight tue tues tuesday vandaag
vendredi venerdi venerdì verano verão viernes voorjaar vorgestern vrijdag wed wednesday week weeks
weken winter woche wochen woensdag year years yesterday zaterdag zomer zondag été übermorgen
"""
TELLING = frozenset(_TELLING.split())
SPOKEN_WORD = late(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_DIGIT = late(r"\d")
_UNSPACED = "\u3040"  # the first letter of the scripts of Japanese; those of Chinese follow


def is_of_time(word: str) -> bool:
    """Whether a lower-case word may be part of such a phrase; cheap."""
    return word in WORDS or word[:1] >= _UNSPACED or word.rpartition("'")[2] in WORDS  # l'été


def may_tell_date(lower: str) -> bool:
    """Whether a date that somebody tells can stand in a lower-case text; cheap."""
    return _DIGIT.search(lower) is not None or not TELLING.isdisjoint(SPOKEN_WORD.findall(lower))


MINUTE_MS = 60_000
HOUR_MS = 3_600_000
DAY_MS = 86_400_000

FIRST_DAY = -719_162  # 0001-01-01
LAST_DAY = 2_932_896  # 9999-12-31

_ISO = (
    r"(\d{4})(?:-(\d{2})(?:-(\d{2})"
    r"(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?"
    r" ?(?:([Zz])|([+-])(\d{2}):?(\d{2})(?::?(\d{2}))?)?)?)?)?"
)
_OFFSET = r"([+-])(\d{2}):?(\d{2})(?::?(\d{2}))?"


@cache
def _iso() -> re.Pattern[str]:
    return re.compile(_ISO)


@dataclass(frozen=True, slots=True, kw_only=True)
class Instant:
    """A point in time as text gave it: its start, and how exactly it was written."""

    ms: int  # UTC ms of the start of what was written: 2026-03 is 2026-03-01T00:00
    granularity: str  # year, season, quarter, month, week, weekend, day, minute, second


def parse_instant(text: str, zone: str = "UTC") -> int:
    """UTC ms of an ISO 8601 date or date-time; raises ValueError for anything else.

    A date without a time is 00:00 in `zone`, a time without an offset is in `zone`.
    `2026`, `2026-03` mean their first day. See `read_instant` for the granularity.
    """
    found = read_instant(text, zone)
    if found is None:
        raise ValueError(f"not an ISO date: {text!r}")
    return found.ms


def _days_of(year: int, month: int, day: int) -> int | None:
    if year == 0 or not 1 <= month <= 12 or not 1 <= day <= days_in_month(year, month):
        return None
    return days_from_civil(year, month, day)


def read_instant(text: str, zone: str = "UTC") -> Instant | None:
    """An ISO 8601 date or date-time with its granularity; None when it is not one.

    Accepts `2026`, `2026-03`, `2026-03-11`, `2026-03-11T09:14[:30[.5]][Z|+01:00]`, and a space
    in place of the T. Years 1 to 9999. Second 60 counts as 59; hour 24 is refused.
    """
    # `\d` and `int` take digits of every script.
    if not text.isascii():
        return None
    plain = text.strip()
    year, dash, month, other_dash, day = plain[:4], plain[4:5], plain[5:7], plain[7:8], plain[8:]
    # Most are plain days, for which the pattern need not be compiled (.6 ms of a cold `context`).
    if len(plain) == 10 and dash == other_dash == "-" and (year + month + day).isdecimal():
        days = _days_of(int(year), int(month), int(day))
        if days is None:
            return None
        return Instant(ms=local_to_utc(days * DAY_MS, zone), granularity="day")
    matched = _iso().fullmatch(plain)
    if matched is None:
        return None
    year, month, day, hour, minute, second, fraction = matched.group(1, 2, 3, 4, 5, 6, 7)
    days = _days_of(int(year), int(month or 1), int(day or 1))
    if days is None:
        return None
    granularity = "year" if month is None else "month" if day is None else "day"
    if hour is None:
        return Instant(ms=local_to_utc(days * DAY_MS, zone), granularity=granularity)
    # A leap second counts as the second before it; any other number above 59 is refused below.
    clock = (int(hour), int(minute), min(int(second or 0), 59 if second == "60" else 99))
    if clock[0] > 23 or clock[1] > 59 or clock[2] > 59:
        return None
    local = days * DAY_MS + clock[0] * HOUR_MS + clock[1] * MINUTE_MS + clock[2] * 1000
    local += int((fraction or "0")[:3].ljust(3, "0"))
    granularity = "minute" if second is None else "second"
    if matched.group(8):
        return Instant(ms=local, granularity=granularity)
    if matched.group(9):
        offset = _offset_ms(*matched.group(9, 10, 11, 12))
        if offset is None:
            return None
        return Instant(ms=local - offset, granularity=granularity)
    return Instant(ms=local_to_utc(local, zone), granularity=granularity)


def format_instant(ms: int, zone: str = "UTC") -> str:
    """`2026-03-11` when `ms` is 00:00 in `zone`, else `2026-03-11T09:14:00+01:00`.

    Milliseconds are written only when there are any. `parse_instant` of the result in the same
    zone is `ms` again. Raises ValueError outside the years 1 to 9999.
    """
    offset = offset_ms(ms, zone)
    days, rest = divmod(ms + offset, DAY_MS)
    if not FIRST_DAY <= days <= LAST_DAY:
        raise ValueError(f"outside the years 1 to 9999: {ms} ms")
    year, month, day = civil_from_days(days)
    date = f"{year:04d}-{month:02d}-{day:02d}"
    # Where clocks go back at midnight, 00:00 is there twice: the second one is not told by its
    # date.
    if rest == 0 and local_to_utc(days * DAY_MS, zone) == ms:
        return date
    seconds, millis = divmod(rest, 1000)
    text = f"{date}T{seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}"
    if millis:
        text += f".{millis:03d}"
    sign = "-" if offset < 0 else "+"
    behind = abs(offset) // 1000
    text += f"{sign}{behind // 3600:02d}:{behind // 60 % 60:02d}"
    return f"{text}:{behind % 60:02d}" if behind % 60 else text


def format_minute(ms: int | None, zone: str = "UTC") -> str:
    """What a person reads: `2026-03-11` when `ms` is 00:00 in `zone`, else `2026-03-11 09:14`.

    '' for None; a time outside the years 1 to 9999 as its number, for want of a date.
    """
    if ms is None:
        return ""
    try:
        return format_instant(ms, zone)[:16].replace("T", " ")
    except ValueError:
        return f"{ms} ms"


def format_date(ms: int, zone: str = "UTC") -> str:
    """The calendar day in `zone` that holds `ms`: `2026-03-11`."""
    year, month, day = civil(ms, zone)
    return f"{year:04d}-{month:02d}-{day:02d}"


def known_day(ms: int | None, zone: str = "UTC") -> str:
    """As `format_date`; '' where nobody knows (None), the number where no calendar has the day."""
    if ms is None:
        return ""
    try:
        return format_date(ms, zone)
    except ValueError:
        return str(ms)


def local_day(ms: int, zone: str = "UTC") -> int:
    """Number of the calendar day in `zone` that holds `ms`; 1970-01-01 is 0."""
    return (ms + offset_ms(ms, zone)) // DAY_MS


def day_start(day: int, zone: str = "UTC") -> int:
    """UTC ms at which calendar day `day` (1970-01-01 is 0) begins in `zone`."""
    return local_to_utc(day * DAY_MS, zone)


def civil(ms: int, zone: str = "UTC") -> tuple[int, int, int]:
    """Year, month, day of the calendar day in `zone` that holds `ms`."""
    return civil_from_days(local_day(ms, zone))


def days_from_civil(year: int, month: int, day: int) -> int:
    """Days from 1970-01-01 to a date of the Gregorian calendar, negative before it."""
    year -= month <= 2
    era, year_of_era = divmod(year, 400)
    day_of_year = (153 * ((month + 9) % 12) + 2) // 5 + day - 1
    day_of_era = year_of_era * 365 + year_of_era // 4 - year_of_era // 100 + day_of_year
    return era * 146_097 + day_of_era - 719_468


def civil_from_days(days: int) -> tuple[int, int, int]:
    """Year, month, day of the date that lies `days` days after 1970-01-01."""
    era, day_of_era = divmod(days + 719_468, 146_097)
    leap = day_of_era // 1460 - day_of_era // 36_524 + day_of_era // 146_096
    year_of_era = (day_of_era - leap) // 365
    day_of_year = day_of_era - (365 * year_of_era + year_of_era // 4 - year_of_era // 100)
    shifted = (5 * day_of_year + 2) // 153
    month = shifted + 3 if shifted < 10 else shifted - 9
    return era * 400 + year_of_era + (month <= 2), month, day_of_year - (153 * shifted + 2) // 5 + 1


def days_in_month(year: int, month: int) -> int:
    """28 to 31; `month` is 1..12."""
    if month == 2:
        return 29 if year % 4 == 0 and (year % 100 != 0 or year % 400 == 0) else 28
    return 30 if month in (4, 6, 9, 11) else 31


def weekday(day: int) -> int:
    """Day of the week of calendar day `day` (1970-01-01 is 0): Monday is 0."""
    return (day + 3) % 7


def offset_ms(ms: int, zone: str) -> int:
    """How far local time in `zone` is ahead of UTC at the instant `ms`."""
    if zone == "UTC":
        return 0
    fixed, region = _zone(zone)
    if region is None:
        return fixed
    from datetime import UTC, datetime, timedelta

    clamped = min(max(ms, FIRST_DAY * DAY_MS), (LAST_DAY + 1) * DAY_MS - 1)
    moment = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=clamped)
    try:
        offset = moment.astimezone(region).utcoffset()
    except OverflowError:  # the first or last hours of the calendar
        return 0
    return 0 if offset is None else offset // timedelta(milliseconds=1)


def local_to_utc(local_ms: int, zone: str) -> int:
    """UTC ms of a wall-clock reading, given as ms since 1970 of that wall clock.

    A reading that occurs twice (clocks go back) means the first; one that never occurs (clocks
    go forward) is moved on by the length of the gap, as `datetime` does with fold=0.
    """
    if zone == "UTC":
        return local_ms
    fixed, region = _zone(zone)
    if region is None:
        return local_ms - fixed
    from datetime import datetime, timedelta

    try:
        wall = datetime(1970, 1, 1) + timedelta(milliseconds=local_ms)
        offset = wall.replace(tzinfo=region).utcoffset()
    except OverflowError:
        return local_ms
    return local_ms - (0 if offset is None else offset // timedelta(milliseconds=1))


def check_zone(zone: str) -> str:
    """`zone` itself when it names a time zone; raises SettingsError with a hint otherwise."""
    if zone != "UTC":
        _zone(zone)
    return zone


def _offset_ms(sign: str, hours: str, minutes: str, seconds: str | None) -> int | None:
    """Ms of `+01:30`; None when it is a day or more, which no place on Earth has."""
    total = int(hours) * HOUR_MS + int(minutes) * MINUTE_MS + int(seconds or 0) * 1000
    if total >= DAY_MS or int(minutes) > 59 or int(seconds or 0) > 59:
        return None
    return -total if sign == "-" else total


@lru_cache(maxsize=16)
def _zone(zone: str) -> tuple[int, tzinfo | None]:
    """A fixed offset in ms, or the rules of a region (then the number is 0)."""
    fixed = re.fullmatch(_OFFSET, zone)
    if fixed is not None:
        offset = _offset_ms(*fixed.group(1, 2, 3, 4))
        if offset is not None:
            return offset, None
    if zone.upper() in ("UTC", "GMT", "Z"):
        return 0, None
    from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

    try:
        return 0, ZoneInfo(zone)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise SettingsError(
            f"unknown time zone '{zone}'",
            hint="use a name such as Europe/Berlin, or UTC, or +02:00; on Windows the names "
            "need `pip install tzdata`",
        ) from error
