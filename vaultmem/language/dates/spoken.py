"""When something is to be, as a person tells it: looking ahead, with the time of day.

'The dentist is on 8 May at 2.15pm', 'vom 3. bis 9. März': what has no year is the next one, unless
the verb is past. The rules of notes and questions (`phrases.py`, `foreign.py`) take the nearest or
the last instead and are asked where these are silent.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from vaultmem.base import NamedTuple, late
from vaultmem.language.dates import english as dw
from vaultmem.language.dates.calendar import (
    Period,
    day_of,
    month_of,
    season_of,
    shift_day,
    unit_around,
)
from vaultmem.language.dates.spoken_words import (
    ARTICLE,
    BARE_STRETCH,
    ENGLISH,
    TONGUES,
    Known,
    Tongue,
    any_of,
    names_a_habit,
    patterns_of,
)
from vaultmem.language.dates.tenses import english_tense, start_of_clause
from vaultmem.language.time import (
    HOUR_MS,
    MINUTE_MS,
    SPOKEN_WORD,
    civil_from_days,
    days_from_civil,
    days_in_month,
    weekday,
)

LONGEST = 2_000  # characters of what somebody says; more is data, and read by the other rules
_BEFORE = 64  # characters before a date that say how it is meant

_FIRST_YEAR, _LAST_YEAR = 1900, 2100
_CLOSED = late(
    r"\s*(?:$|[.,;:!?)\"–—-]|(?:at|on|and|for|to|in|until|till|through|from|with|because|so|but|or|"
    r"is|was|this|next|last|instead|not|if|as|which|when|he|she|we|i|they|it|its|my|our|then|now)\b"
    r"|\d{1,2}(?:[:.]\d\d)?\s?[ap]\.?m|(?:19|20)\d\d)"
)
_OTHER_WORDS = frozenset(("may", "march"))
"""Months that are other words, too: believed by a capital or by what follows."""
_OTHER_DAYS = frozenset(("sun", "sat", "wed", "mon"))
# 'Mon fils est allergique' was due on a Monday, 'Sun cream gives me a rash' on a Sunday.
_DAY_FOLLOWS = late(
    r"\s*(?:$|[-–—/&,.;:!?)]|\d|(?:at|and|or|to|till|until|morning|afternoon|evening|night|lunch)\b)"
)
_ORDINARY = frozenset(("segunda", "terça", "quarta", "quinta", "sexta"))
_AFTER_NOON = late(
    r"p\.?m|abends|nachmittags|avonds|middags|tarde|noche|afternoon|evening|noite|pomeriggio|sera|soir|après-midi"
)
_OF_STRETCHES = ("to", "au", "al", "a", "ao", "-", "–", "—")
_EITHER = ("and", "und", "y", "et", "e", "en")  # joins a stretch behind 'between' alone
_BETWEEN = late(r"\b(?:between|zwischen|entre|tra|fra|tussen)\s*(?:\w{2,3}\s+)?$")
_OPENS = late(
    r"\b(?:from|von|vom|du|de|del|dal|da|desde(?: el)?|van|between|zwischen|entre|tra|tussen|do)"
    r"\s*(?:(?:le|el|il|dem|den|the|l'|de|o|dia)\s*)*$"
)
_CONTRAST = late(
    r"[;!?]|:\s|(?<![\d.])\.\s|\b(?:but|aber|sondern|mais|pero|sino|ma|maar|mas|porém)\b"
)
_FULL_DAY = ("de", "it")
_OPENING = 12  # characters: what stands so near the beginning opens the clause with its verb

_DAY_WORDS = {"premier": 1, "primero": 1, "primo": 1, "first": 1, "ersten": 1, "primeiro": 1}
_UNITS = {"woche": "week", "monat": "month", "jahr": "year", "mes": "month", "mese": "month"}
_WEEK_ON = 3  # 'jeudi en huit': a week after the nearest to come
_IN_A_WEEK = late(r"\s+(?:en huit|in (?:einer woche|acht tagen)|over een week)(?!\w)")
_NEXT = 2  # the nearest to come, where 1 is the one of the next week
_NEAREST = late(r"(?:the )?(?:coming|following)|kommende[nrs]?|komende|aanstaande")
# Days to a day that 'desde' means rather than the last one; words of a clause; months to a weekday.
_SOON, _CLAUSE, _MONTHS_ON = 21, 3, 12
_WAS = late(
    r"\b(?:was|were|had|lived|worked|stayed|used|did|war|waren|hatte\w*|wohnte\w*|arbeitete\w*|blieb"
    r"|étai\w+|avai\w+|habitai\w+|travaillai\w+|estaba\w*|estuv\w+|era|vivía\w*|viví|trabaj(?:é|ó|aba)"
    r"|ero|era|erano|avev\w+|viveva|lavorava|was|waren|had|woonde|werkte|estava\w*|estive|tinha"
    r"|morava|morei|trabalh(?:ei|ou|ava))\b"
)
_PLAIN = {"start": "since"} | {each: each for each in ("at", "since", "until", "by")}
_WEEKDAY_CLOSED = late(r"\s*(?:$|[.,;:!?)]|às|à|de (?:manhã|tarde|noite)|\d)")
_OF_EVERY_WEEK = late(r"(?<!pour )\b(?:le|il|di|del|op)\s+$")
_MOVED = late(
    r"(?:moved|pushed|shifted|changed|postponed|rescheduled|bumped|delayed|switched|verschoben"
    r"|verlegt|décalée?s?|reportée?s?|déplacée?s?|avancée?s?|repoussée?s?|mov\w+|cambi\w+|pas\w+"
    r"|aplaz\w+|pospus\w+|spostat\w|rimandat\w|rinviat\w|verplaatst|verzet|mud\w+|adi\w+|remarc\w+)"
    r"(?:\s+\S+){0,4}\s*$"
)
_Clock = tuple[int, int, int]  # where it begins and ends, ms of the day


class Spoken(NamedTuple):
    """Characters `[start, end)` that name a period, and perhaps a time of its day."""

    start: int
    end: int
    period: Period
    relation: str  # at, since, until, by, or during: all of a month or week that goes on
    clock: int | None = None  # ms of the day


class _Atom(NamedTuple):
    """A day, month, weekday or stretch before it is known which one is meant."""

    start: int
    end: int
    kind: str  # day, month, weekday, ordinal, season, period
    day: int = 0
    month: int = 0
    year: int | None = None
    weekday: int | None = None
    period: Period | None = None
    is_end: bool = False  # the last day of it
    step: int | None = None  # a weekday that is told by 'next', 'this', 'last'
    until: int = 0  # the last day, of a stretch whose month stands apart from it


def spoken_dates(text: str, today: int) -> list[Spoken]:
    """The dates of a text that somebody says on a day, in order and without overlap."""
    lower = text.lower().replace("’", "'")
    if len(text) > LONGEST or len(lower) != len(text):
        return []
    place = _tongue_of(SPOKEN_WORD.findall(lower))
    reader = _Reader(
        text=text, lower=lower, today=today, tongue=TONGUES[place], known=patterns_of(place)
    )
    atoms = reader.in_month(reader.atoms())
    found: list[Spoken] = []
    at = 0
    while at < len(atoms):
        one = reader.stretch(atoms[at], atoms[at + 1]) if at + 1 < len(atoms) else None
        at += 2 if one is not None else 1
        one = one or reader.short_stretch(atoms[at - 1]) or reader.single(atoms[at - 1])
        if one is not None and not (found and one.start < found[-1].end):
            found.append(one)
    return found


def _tongue_of(said: Sequence[str]) -> int:
    """Where in TONGUES the language is that most words of a sentence are of; English in doubt."""
    most, chosen = 0, 0
    for place, tongue in enumerate(TONGUES):
        names = tongue.weekdays.keys() | tongue.months.keys() | tongue.near.keys()
        count = sum((word in tongue.known) + 2 * (word in names) for word in said)
        if count > most:
            most, chosen = count, place
    return chosen


class _Reader(NamedTuple):
    """One text in its language, on the day on which it is said."""

    text: str
    lower: str
    today: int
    tongue: Tongue
    known: Known

    def atoms(self) -> list[_Atom]:
        """What the text names, in order: of two that overlap the first, or the longer."""
        found = [
            atom
            for name, pattern in self.known.atoms
            for match in pattern.finditer(self.lower)
            if (atom := self._atom(name, match)) is not None
        ]
        dated = [self._with_year(atom) for atom in _apart(found)]
        kept: list[_Atom] = []
        for atom in _apart(dated):
            last = kept[-1] if kept else None
            if last is not None and self._belong(last, atom):
                if last.kind == "month":
                    kept[-1] = last._replace(kind="day", day=atom.day, end=atom.end)
                else:
                    kept[-1] = atom._replace(start=last.start, weekday=last.weekday)
            else:
                kept.append(atom)
        return [atom for atom in kept if not self._is_alone(atom)]

    def in_month(self, atoms: list[_Atom]) -> list[_Atom]:
        """Two bare days of a stretch are in the month that is named beside them.

        'Im September fahren wir weg, vom 5. bis zum 19.' ended in the month in which it was said.
        """
        named = [atom for atom in atoms if atom.kind == "month"]
        # 'Im September fahren wir nach Juist, vom 5. bis zum 19.', told in June, ended on 20 June:
        # of twelve such sentences in seven languages ten are right, none was.
        match = re.search(BARE_STRETCH, self.lower) if len(named) == 1 else None
        if match is None:
            return atoms
        first, last = (
            int(next(filter(None, told))) for told in (match.groups()[::2], match.groups()[1::2])
        )
        if not 1 <= first < last <= 31:
            return atoms
        month, year = named[0].month, named[0].year
        one = _Atom(match.start(), match.end(), "day", first, month, year)
        kept = [
            atom
            for atom in atoms
            if atom.kind != "month" and (atom.end <= match.start() or atom.start >= match.end())
        ]
        return sorted([*kept, one._replace(until=last)], key=lambda atom: atom.start)

    def _belong(self, one: _Atom, other: _Atom) -> bool:
        """Whether two are one day: 'Saturday, May 23', 'in November this year, on the 3rd'."""
        gap = self.lower[one.end : other.start]
        if one.kind == "weekday" and other.kind in ("day", "ordinal"):
            return re.fullmatch(rf"\s*,?\s*(?:{ARTICLE}\s*)*", gap) is not None
        if one.kind == "month" and other.kind == "ordinal":
            return re.fullmatch(r",?\s*(?:on|am|le|el|il|op|no)?\s*", gap) is not None
        return False

    def _atom(self, name: str, match: re.Match[str]) -> _Atom | None:
        """What a match names; None: nothing after all."""
        start, end = match.span()
        told = {key: value for key, value in match.groupdict().items() if value}
        if name in ("iso", "dotted", "slashed"):
            return self._numeric(name, match)
        if name in ("day first", "month first"):
            return self._day_of_month(match, told, is_month_first=name == "month first")
        if name == "month":
            month, year = self.tongue.months[told["m"]], told.get("y")
            return _Atom(
                start=start, end=end, kind="month", month=month, year=int(year) if year else None
            )
        if name == "weekday":
            return self._day_of_week(start, end, told["w"])
        if name in ("ordinal", "weekday ordinal"):
            day = int(told.get("d") or told["d2"])
            found = self._day_of_week(start, match.end("w"), told["w"]) if "w" in told else None
            if not 1 <= day <= 31 or ("w" in told and found is None):
                return None
            named = None if found is None else found.weekday
            return _Atom(start=start, end=end, kind="ordinal", day=day, weekday=named)
        if name == "season":
            return _Atom(start=start, end=end, kind="season", month=self.tongue.seasons[told["s"]])
        period = self._relative(name, match, told)
        if period is None:
            return None
        kind = "during" if name == "this unit" else "period"
        return _Atom(start=start, end=end, kind=kind, period=period)

    def _day_of_month(
        self, match: re.Match[str], told: dict[str, str], *, is_month_first: bool
    ) -> _Atom | None:
        start, end = match.span()
        day, word = _DAY_WORDS.get(told["d"]) or int(told["d"]), told["m"]
        month = {**self.tongue.short, **self.tongue.months}[word]
        unsure = word in _OTHER_WORDS and not self.text[match.start("m")].isupper()
        closed = _CLOSED.match(self.lower, end)
        if (unsure or (is_month_first and word in _OTHER_WORDS)) and not closed:
            return None  # 'may 12 people come', 'March 3 miles'
        if not 1 <= day <= 31:
            return None
        year = int(told["y"]) if "y" in told else None
        end -= year is None and self.lower[end - 1] == "."  # of the sentence
        return _Atom(start=start, end=end, kind="day", day=day, month=month, year=year)

    def _day_of_week(self, start: int, end: int, word: str) -> _Atom | None:
        if word in _OTHER_DAYS and self.tongue is ENGLISH:
            before = self.text[:start].rstrip()[-1:]
            begins = not before or before in '.!?:;«"“-–—'
            if not self.text[start].isupper() or (
                begins and not _DAY_FOLLOWS.match(self.lower, end)
            ):
                return None  # 'the sun', 'sat'
        if self.tongue is ENGLISH and names_a_habit(self.lower, start, end):
            return None
        found = _Atom(start=start, end=end, kind="weekday", weekday=self.tongue.weekdays[word])
        for pattern, step in self.known.before_weekday:
            stepped = pattern.search(self.lower, max(0, start - 24), start)
            if stepped:
                near = _NEAREST.fullmatch(stepped[0].strip()) is not None
                return found._replace(start=stepped.start(), step=_NEXT if near else step)
        if in_a_week := _IN_A_WEEK.match(self.lower, end):
            return found._replace(end=in_a_week.end(), step=_WEEK_ON)
        for pattern, step in self.known.after_weekday:
            if stepped := pattern.match(self.lower, end):
                return found._replace(end=stepped.end(), step=step)
        return found

    def _relative(self, name: str, match: re.Match[str], told: dict[str, str]) -> Period | None:
        tongue, today = self.tongue, self.today
        if name == "near":
            return day_of(today + tongue.near.get(match.group(), 1))
        if name == "week from":
            count = self._number(told["n"]) if "n" in told else 1
            return day_of(dw.weekday_after(today, tongue.weekdays[told["w"]], 1) + 7 * count)
        unit = _UNITS.get(told.get("unit") or told.get("unit2") or "", "")
        unit = unit or tongue.units.get(told.get("unit") or told.get("unit2") or "", "")
        if name in ("next unit", "this unit"):
            return unit_around(today, unit, 1 if name == "next unit" else 0)
        if name == "end unit":
            return None if unit == "day" else day_of(unit_around(today, unit).until - 1)
        count = self._number(told["n"])
        if unit in ("day", "week"):
            return day_of(shift_day(today, unit, count))
        return unit_around(today, unit, count)

    def _number(self, word: str) -> int:
        return int(word) if word.isdecimal() else self.tongue.numbers[word]

    def _numeric(self, name: str, match: re.Match[str]) -> _Atom | None:
        """ISO, 5.7., 23/6/2026: which of two is the month only where it cannot be the other."""
        day, month, written = int(match["d"]), int(match["m"]), match["y"]
        year = None if written is None else int(written) + (2000 if len(written) == 2 else 0)
        if name == "slashed" and self.tongue is ENGLISH:
            if month > 12 >= day:
                day, month = month, day
            elif day <= 12 and day != month:
                return None  # 3/4: nobody knows
        if not (1 <= month <= 12 and 1 <= day <= 31):
            return None
        if year is None and (day, month) == (24, 7):
            return None  # all the time
        if year is None and not any(
            pattern.search(self.lower, max(0, match.start() - _BEFORE), match.start())
            for _, pattern in self.known.relations
        ):
            before = self.lower[: match.start()].rstrip(" ,").rpartition(" ")[2]
            if before not in self.tongue.weekdays:
                return None
        return _Atom(
            start=match.start(), end=match.end(), kind="day", day=day, month=month, year=year
        )

    def _with_year(self, atom: _Atom) -> _Atom:
        """With 'next year' beside it, and 'end of' before it."""
        if atom.kind == "month":
            ends = self.known.end_of.search(self.lower, max(0, atom.start - 24), atom.start)
            if ends:
                atom = atom._replace(start=ends.start(), is_end=True)
        if atom.year is not None or atom.kind not in ("day", "month", "season"):
            return atom
        this_year = civil_from_days(self.today)[0]
        behind = self.lower[atom.end : atom.end + 40]
        for pattern, step in self.known.years_after:
            found = pattern.match(behind)
            if found:
                return atom._replace(end=atom.end + found.end(), year=this_year + step)
        for pattern, step in self.known.years_before:
            found = pattern.search(self.lower, max(0, atom.start - 40), atom.start)
            if found:
                return atom._replace(year=this_year + step, start=min(atom.start, found.start()))
        return atom

    def _is_alone(self, atom: _Atom) -> bool:
        """Whether a word of the calendar stands there without saying when."""
        before, word = self._before(atom), self.lower[atom.start : atom.end]
        if atom.kind == "month" and atom.year is None:
            if atom.is_end or self._is_linked(atom):
                return False  # 'fin novembre' says a day by itself
            names = word in dw.NAMED_MONTHS and self.tongue is ENGLISH
            if names and re.search(r"\b(?:for|by|from|to|of)\s+$", before):
                return True  # 'a present for June'
            told = (self.known.lone, self.known.end_of, *(p for _, p in self.known.relations[:4]))
            after = self.lower[atom.end : atom.end + 40]
            if any(pattern.match(after) for pattern, _ in self.known.years_after):
                return False
            # They wait for one of their words: a sentence with a season or a month compiled 19
            # patterns of dates, 9 ms of a cold `remember`.
            if any(pattern.search(before) for pattern, _ in self.known.years_before):
                return False
            return not any(pattern.search(before) for pattern in told)
        if atom.kind == "season" and atom.year is None:
            return not self.known.lone.search(before) and not re.search(r"\bau\s$|\bim\s$", before)
        if atom.kind == "weekday" and atom.step is None:
            if word in _ORDINARY:  # 'a segunda filha' is no Monday
                opened = re.search(r"\b(?:na|até|desde a)\s+$", before)
                closed = _WEEKDAY_CLOSED.match(self.lower, atom.end)
                return opened is None or closed is None
            if _OF_EVERY_WEEK.search(before):  # 'le samedi' is every one, unless a time is told
                is_set = self.known.set_for.search(before) is not None
                return not is_set and self._clock(atom.start, atom.end) is None
        return False

    def _is_linked(self, atom: _Atom) -> bool:
        """Whether a stretch to another month begins or ends with this one."""
        behind = self.known.link.match(self.lower, atom.end)
        names = any_of(self.tongue.months)
        if behind and re.match(rf"(?:{names})(?!\w)", self.lower[behind.end() :]):
            return bool(_OPENS.search(self._before(atom)))
        linked = re.search(rf"(?:{names})\s*(?:{self.tongue.link})\s*$", self._before(atom))
        return linked is not None

    def _before(self, atom: _Atom) -> str:
        return self.lower[max(0, atom.start - _BEFORE) : atom.start]

    # --- what it means -----------------------------------------------------------------------

    def single(self, atom: _Atom) -> Spoken | None:
        """One day, month or week with what stands before it; None: unsure which is meant."""
        relation, start = self._relation(atom)
        if self._is_habit(atom):
            return None
        if atom.kind == "period" and relation == "at" and atom.period is not None:
            clock = self._clock(start, atom.end)
            if clock is None and atom.period == day_of(self.today):
                return None  # 'today' by itself is no appointment
            return self._make_spoken(atom, start, atom.period, relation, clock)
        way = self._way(atom, relation)
        if atom.kind == "during":
            if relation != "at" or way < 0 or atom.period is None:
                return None
            return Spoken(atom.start, atom.end, atom.period, "during")
        period = atom.period or self._period(atom, way, is_at=relation == "at")
        if period is None:
            return None
        if atom.kind == "season" and way < 1:
            return None
        return self._make_spoken(
            atom, start, period, _PLAIN[relation], self._clock(start, atom.end)
        )

    def _make_spoken(
        self, atom: _Atom, start: int, period: Period, relation: str, clock: _Clock | None
    ) -> Spoken:
        if atom.is_end:
            period = day_of(period.until - 1)
        if clock is None or period.until - period.first != 1:
            return Spoken(start, atom.end, period, relation)
        return Spoken(min(start, clock[0]), max(atom.end, clock[1]), period, relation, clock[2])

    def stretch(self, one: _Atom, other: _Atom) -> Spoken | None:
        """'from 5 July until 2 August', 'de février à juin'; of what was moved, the new day."""
        link = self.known.link.fullmatch(self.lower, one.end, other.start)
        if link is None or {one.kind, other.kind} - {"day", "month", "ordinal"}:
            return None
        if one.kind == "ordinal" and other.kind == "ordinal" and not self._opens(one):
            return None
        if link["link"] in _EITHER and not _BETWEEN.search(self._before(one)):
            return None
        if one.kind == "ordinal":
            if other.kind != "day":
                return None
            one = one._replace(kind="day", month=other.month, year=other.year)
        if other.year is not None and one.year is None:
            later = (other.month, other.day) < (one.month, one.day)
            one = one._replace(year=other.year - later)
        return self._between(one, other)

    def _opens(self, atom: _Atom) -> bool:
        return _OPENS.search(self._before(atom)) is not None

    def short_stretch(self, atom: _Atom) -> Spoken | None:
        """'3 au 9 mars', 'Nov. 21 to 29', '18-20 June': two days of one month."""
        if atom.kind != "day":
            return None
        if atom.until:
            return self._between(atom, atom._replace(day=atom.until))
        found = self.known.days_before.search(self.lower, max(0, atom.start - 24), atom.start)
        sure = found and (
            found["link"] in _OF_STRETCHES
            or not found[0][len(found["d"])].isspace()  # '3. bis 9. März'
            or _OPENS.search(self.lower, max(0, found.start() - _BEFORE), found.start())
        )
        if found and sure:  # 'in hall 4 until 30 April' is none
            first = atom._replace(start=found.start(), day=int(found["d"]))
            return self._between(first, atom) if first.day < atom.day else None
        found = self.known.days_behind.match(self.lower, atom.end)
        if found and found["link"] not in _EITHER:
            last = atom._replace(end=found.end(), day=int(found["d"]))
            return self._between(atom, last) if last.day > atom.day else None
        return None

    def _between(self, one: _Atom, other: _Atom) -> Spoken | None:
        start = one.start
        opens = _OPENS.search(self._before(one))
        if opens:
            start -= len(self._before(one)) - opens.start()
        if self._is_moved(start):
            return self.single(other)
        way = self._way(one._replace(start=start), "at")
        first = self._period(one, way, is_at=False)
        if first is None:
            return None
        if way > 0 and one.year is None and other.year is None:
            first = self._that_goes_on(one, other) or first
        last = self._first_after(other, first.first)
        if last is None:
            return None
        period = Period(first=first.first, until=last.until, granularity=first.granularity)
        return Spoken(start, other.end, period, "stretch")

    def _that_goes_on(self, one: _Atom, other: _Atom) -> Period | None:
        """The stretch that has begun and is not over, which 'until' leaves the nearest."""
        begun = self._period(one, -1, is_at=False)
        last = begun and self._first_after(other, begun.first)
        return begun if last and last.until > self.today else None

    def _first_after(self, atom: _Atom, day: int) -> Period | None:
        year = civil_from_days(day)[0]
        years = (year, year + 1) if atom.year is None else (atom.year,)
        month = atom.month or civil_from_days(day)[1]
        for each in years:
            found = self._in_year(atom._replace(month=month), each)
            if found is not None and found.until > day:
                return found
        return None

    def _relation(self, atom: _Atom) -> tuple[str, int]:
        before = self._before(atom)
        for relation, pattern in self.known.relations:
            found = pattern.search(before)
            if found:
                return relation, atom.start - len(before) + found.start()
        return "at", atom.start

    def _is_habit(self, atom: _Atom) -> bool:
        """Whether a month or weekday is that of every year or week: 'usually on Friday'."""
        before = self.lower[max(0, atom.start - 24) : atom.start]
        found = list(self.known.habit.finditer(before))
        if not found:
            return False
        close = not before[found[-1].end() :].strip()
        return close or atom.kind in ("weekday", "month", "season", "ordinal")

    def _is_moved(self, start: int) -> bool:
        """Whether an appointment goes from one day to the other: 'moved from 3 May to 5 May'."""
        before = self.lower[max(0, start - _BEFORE) : start]
        return _MOVED.search(before) is not None

    def _way(self, atom: _Atom, relation: str) -> int:
        """-1: the last one is meant, 1: the next."""
        if self.known.set_for.search(self.lower, max(0, atom.start - _BEFORE), atom.start):
            return 1
        if relation == "since":
            return 1 if self._is_soon(atom) else -1
        if relation in ("by", "until") and not _WAS.search(self._before(atom)):
            return 1  # 'I am not allowed to lift till then': what ends then is so now
        told = self._tense(atom)
        return -1 if told < 0 else 1

    def _is_soon(self, atom: _Atom) -> bool:
        """Whether 'desde el 1 de abril', said in March, means the next one: 'from', not 'since'."""
        if not dict(self.known.relations)["start"].search(self._before(atom)):
            return False
        last, coming = (self._period(atom, way, is_at=False) for way in (-1, 1))
        is_far = last is None or self.today - last.until > 6 * _SOON
        return is_far and coming is not None and coming.first - self.today < _SOON

    def _tense(self, atom: _Atom) -> int:
        """The tense of the clause around: the nearest verb before, else the next after."""
        bounds = [found.span() for found in _CONTRAST.finditer(self.lower)]
        low = max((end for start, end in bounds if end <= atom.start), default=0)
        high = min((start for start, end in bounds if start >= atom.end), default=len(self.lower))
        low = start_of_clause(self.lower, low, atom.start)
        comma = self.lower.find(",", atom.end, high)
        is_whole = comma >= 0 and len(self.lower[atom.end : comma].split()) >= _CLAUSE
        if is_whole or (comma >= 0 and atom.start - low > _OPENING):
            high = comma  # another clause, with a verb of its own
        if self.known.past_is is None or self.known.ahead_is is None:
            return english_tense(self.lower, (low, atom.start), (atom.end, high))
        cues = [(found.start(), -1) for found in self.known.past_is.finditer(self.lower)]
        cues += [(found.start(), 1) for found in self.known.ahead_is.finditer(self.lower)]
        cues.sort()
        left = [way for place, way in cues if low <= place < atom.start]
        right = [way for place, way in cues if atom.end <= place < high]
        return left[-1] if left else right[0] if right else 0

    def _period(self, atom: _Atom, way: int, *, is_at: bool) -> Period | None:
        """The day or month that is meant: the last one up to today, or the next from today on."""
        if atom.kind == "weekday" and atom.weekday is not None:
            return day_of(self._weekday(atom, way, is_at=is_at))
        if atom.kind == "ordinal":
            return self._ordinal(atom, way)
        year = civil_from_days(self.today)[0]
        if atom.year is not None:
            return self._in_year(atom, atom.year)
        around = [self._in_year(atom, each) for each in range(year - 8, year + 9)]
        known = [each for each in around if each is not None]
        if atom.weekday is not None:
            named = [each for each in known if weekday(each.first) == atom.weekday]
            near = [each for each in named if abs(each.first - self.today) < 500]
            known = near or known
        past = [each for each in known if each.first <= self.today]
        coming = [each for each in known if each.until > self.today]
        if way < 0:
            return past[-1] if past else None
        return coming[0] if coming else None

    def _ordinal(self, atom: _Atom, way: int) -> Period | None:
        """The day of that number, in the first month in which it is of its weekday, if it has one.

        'El sábado 23', said on 15 April 2026, is 23 May: in April it is a Thursday.
        """
        year, month, day = civil_from_days(self.today)
        month += (way > 0 and atom.day < day) - (way < 0 and atom.day > day) - 1
        steps = [month + (on if way >= 0 else -on) for on in range(_MONTHS_ON if way >= 0 else 2)]
        tried = [self._in_year(atom._replace(month=m % 12 + 1), year + m // 12) for m in steps]
        named = [each for each in tried if each and weekday(each.first) == atom.weekday]
        return named[0] if named else tried[0]

    def _in_year(self, atom: _Atom, year: int) -> Period | None:
        if not _FIRST_YEAR <= year <= _LAST_YEAR:
            return None
        if atom.kind == "month":
            return month_of(year, atom.month)
        if atom.kind == "season":
            return season_of(year, atom.month)
        if not 1 <= atom.day <= days_in_month(year, atom.month):
            return None
        return day_of(days_from_civil(year, atom.month, atom.day))

    def _weekday(self, atom: _Atom, way: int, *, is_at: bool) -> int:
        assert atom.weekday is not None
        if atom.step == 1:
            return unit_around(self.today, "week", 1).first + atom.weekday
        if atom.step == _WEEK_ON:
            return dw.weekday_after(self.today, atom.weekday, 1) + 7
        if atom.step == _NEXT:
            return dw.weekday_after(self.today, atom.weekday, 1)
        if atom.step == 0:
            return dw.weekday_after(self.today - 1, atom.weekday, 1)
        if atom.step == -1 or way < 0:
            return dw.weekday_after(self.today, atom.weekday, -1)
        return dw.weekday_after(self.today - (not is_at), atom.weekday, 1)

    def _clock(self, start: int, end: int) -> _Clock | None:
        """The time of day that stands just behind a date, or just before it."""
        gap = re.match(r"\s*,?\s*", self.lower[end:])
        after = self.known.clock.match(self.lower, end + (gap.end() if gap else 0))
        if after:
            ms = self._ms_of_day(after)
            if ms is not None:
                return end, after.end(), ms
        low = max(0, start - 40)
        for found in self.known.clock.finditer(self.lower, low, start):
            rest = self.known.clock_word.fullmatch(self.lower, found.end(), start)
            ms = self._ms_of_day(found)
            if rest and ms is not None:
                return found.start(), start, ms
        return None

    def _ms_of_day(self, found: re.Match[str]) -> int | None:
        hour, minute = int(found["h"]), int(found["mi"] or 0)
        suffix = f"{found['suffix'] or ''} {found['part'] or ''}"
        is_full = found["at"] and self.tongue.name in _FULL_DAY  # 'um 9' is never 21:00
        if not (found["mi"] or suffix.strip() or is_full) or hour > 23 or minute > 59:
            return None
        if found["sep"] == "." and not (suffix.strip() or found["at"]):
            return None  # 1.50 is a price
        if suffix.strip() and _AFTER_NOON.search(suffix) and hour < 12:
            hour += 12
        if re.match(r"a\.?m", suffix) and hour == 12:
            hour = 0
        return hour * HOUR_MS + minute * MINUTE_MS


def _apart(atoms: list[_Atom]) -> list[_Atom]:
    """In order; of two that overlap the first, or the longer."""
    kept: list[_Atom] = []
    for atom in sorted(atoms, key=lambda atom: (atom.start, -atom.end)):
        if not kept or atom.start >= kept[-1].end:
            kept.append(atom)
    return kept
