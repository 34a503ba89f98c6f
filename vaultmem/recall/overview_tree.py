"""Events told shorter by day, week, month and year: a tree over what happened.

RAPTOR (Sarthi et al. 2024) clusters by likeness of vectors; a person's life is asked about by
time, so here the tree is that of the calendar, as algorithms.md 5.14 has it. What has one child
only is no node: the child takes its place. Only periods that are over are told, so that what is
told stays; the root, a year, grows by a month at a time.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from itertools import islice

from vaultmem.base import TYPE_CHECKING, NamedTuple, dataclass
from vaultmem.language import (
    DAY_MS,
    civil_from_days,
    content_words,
    days_from_civil,
    fold,
    local_day,
)
from vaultmem.model import UNTRUSTED, Filters, Found, Hit, NoteRow, Part, Passage, item_id
from vaultmem.storage.index import Window, times_of

if TYPE_CHECKING:
    from vaultmem.vault import Vault
TAG = "overview"  # of the notes of the tree
LEVELS = ("day", "week", "month", "year")
FEWEST_CHILDREN = 2
_TOLD = {"day": 3, "week": 4, "month": 5, "year": 6}  # events that a node tells of
_THEMES = 3
_LONGEST = 160  # characters of an event as it is told
_MONDAY = 4  # of local_day modulo 7: day 0, 1970-01-01, was a Thursday
_THURSDAY, _SUNDAY = 3, 3  # days after the Monday, after the Thursday


@dataclass(frozen=True, slots=True, kw_only=True)
class Happened:
    """An event as the tree needs it."""

    target: str  # link target of its note
    statement: str
    day: int  # number of the local day
    importance: int = 1  # 1..10
    themes: tuple[str, ...] = ()  # categories
    sources: tuple[str, ...] = ()  # link targets


@dataclass(frozen=True, slots=True, kw_only=True)
class Overview:
    """One node of the tree."""

    level: str  # of LEVELS
    first_day: int  # number of the local day
    last_day: int
    children: tuple[tuple[str, str], ...]  # ('event', link target), or (level, its period)
    told: tuple[Happened, ...]  # the events that it names, in time
    count: int  # events below it
    themes: tuple[tuple[str, int], ...] = ()  # categories of most of them

    @property
    def period(self) -> str:
        """The name of the time, the same on every device: 2026-03-09, 2026-03-09/15, 2026-03."""
        year, month, day = civil_from_days(self.first_day)
        if self.level == "year":
            return f"{year:04}"
        if self.level == "month":
            return f"{year:04}-{month:02}"
        name = f"{year:04}-{month:02}-{day:02}"
        return name if self.level == "day" else f"{name}/{day_name(self.last_day)}"

    @property
    def statement(self) -> str:
        """What it says: when, how much, of what, and what mattered most."""
        themes = ", ".join(f"{name} {count}" for name, count in self.themes)
        when = self.period.replace("/", " to ")
        head = f"Overview of {when}, {self.count} events" + (f" ({themes})" if themes else "")
        return f"{head}: {'; '.join(_short(each.statement) for each in self.told)}."


def overview_id(level: str, period: str) -> str:
    """The id of the overview of a period: the same in every vault and on every device."""
    return item_id(f"overview of a {level}", period)


def day_name(day: int) -> str:
    """YYYY-MM-DD."""
    year, month, date = civil_from_days(day)
    return f"{year:04}-{month:02}-{date:02}"


def bounds(level: str, day: int) -> tuple[int, int]:
    """The first and the last day of the period of a level that has a day in it.

    A week is of the month and year that its Thursday is in, so weeks are never cut.
    """
    monday = day - (day - _MONDAY) % 7
    if level == "day":
        return day, day
    if level == "week":
        return monday, monday + 6
    year, month, _ = civil_from_days(monday + _THURSDAY)
    if level == "month":
        first = days_from_civil(year, month, 1)
        until = days_from_civil(year + month // 12, month % 12 + 1, 1)
        return first, until - 1
    return days_from_civil(year, 1, 1), days_from_civil(year + 1, 1, 1) - 1


def hierarchy(events: Iterable[Happened], *, today: int, fewest: int) -> tuple[Overview, ...]:
    """The nodes above the events, days first; none below `fewest` events.

    The same events in any order give the same nodes.
    """
    known = sorted(set(events), key=lambda each: (each.day, each.target))
    if len(known) < fewest:
        return ()
    made: list[Overview] = []
    nodes = [_Node(("event", each.target), (each,)) for each in known]
    for level in LEVELS:
        above: list[_Node] = []
        for (first, last), below in _group_by_period(level, nodes):
            if level != "year" and _end(level, last) >= today:
                continue
            if len(below) < FEWEST_CHILDREN:
                above += below
                continue
            held = tuple(event for node in below for event in node.held)
            found = _overview(level, first, last, [node.child for node in below], held)
            made.append(found)
            above.append(_Node((level, found.period), held))
        nodes = above
    return tuple(made)


class _Node(NamedTuple):
    """An event, or an overview of some."""

    child: tuple[str, str]
    held: tuple[Happened, ...]  # in time


def _group_by_period(
    level: str, nodes: Sequence[_Node]
) -> list[tuple[tuple[int, int], list[_Node]]]:
    groups: dict[tuple[int, int], list[_Node]] = {}
    for node in nodes:
        groups.setdefault(bounds(level, node.held[0].day), []).append(node)
    return sorted(groups.items())


def _end(level: str, last: int) -> int:
    """The day from which a period can gain nothing: a month ends with its last Thursday's week."""
    return last - last % 7 + _SUNDAY if level == "month" else last


def _overview(
    level: str, first: int, last: int, children: list[tuple[str, str]], held: Sequence[Happened]
) -> Overview:
    best = sorted(held, key=lambda each: (-each.importance, each.day, each.target))
    told = sorted(best[: _TOLD[level]], key=lambda each: (each.day, each.target))
    counts = Counter(theme for each in held for theme in each.themes)
    ranked = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    return Overview(
        level=level,
        first_day=first,
        last_day=last,
        children=tuple(children),
        told=tuple(told),
        count=len(held),
        themes=tuple(pair for pair in ranked[:_THEMES] if pair[1] > 1) if level != "day" else (),
    )


def _short(statement: str) -> str:
    text = " ".join(statement.split()).rstrip(".")
    if len(text) <= _LONGEST:
        return text
    return f"{text[:_LONGEST].rsplit(' ', 1)[0]}…"


# Whether a question asks for the whole of a time or a theme rather than for one memory. Pure.

_ASKING = """
    overview summary summarise summarize recap highlights themes
    überblick zusammenfassung rückblick resumen repaso
"""
_GENERIC = """
    happen happened happening did done doing went going gone been busy life thing things everything
    anything something events event week month year day days weeks months time lately recently
    review tell show give remember memories main important most like long whole
    passiert los war gemacht getan alles woche monat jahr tag tage zeit ereignisse wichtig
    pasó paso hice hicimos todo semana mes año día días tiempo eventos importante
"""
_YEAR = re.compile(r"(?:19|20)[0-9]{2}")
_LEVELS = {
    "week": ("week", "woche", "semana"),
    "month": ("month", "monat", "mes"),
    "year": ("year", "jahr", "año"),
}


def asks_for_overview(words: Sequence[str]) -> bool:
    """Whether a word of the question asks for one.

    words  content words in lower case
    """
    return not _asking().isdisjoint(words)


def left_of(words: Sequence[str], of_time: Collection[str]) -> list[str]:
    """The words that say what it is about, beside when; none: it asks for the time as a whole."""
    known = _asking() | set(_GENERIC.split())
    return [word for word in words if word not in known and word not in of_time]


def level_named(words: Sequence[str]) -> str:
    """The kind of time that a question says in so many words: week, month, year; '' none."""
    return next((level for level, names in _LEVELS.items() if set(names) & set(words)), "")


def year_named(words: Sequence[str]) -> int | None:
    """A year that stands there alone: 'a summary of 2026'."""
    found = (int(word) for word in words if _YEAR.fullmatch(word))
    return next(found, None)


def _asking() -> frozenset[str]:
    return frozenset(_ASKING.split())


# Broad questions are answered by overviews: 'what happened in March?', 'summary of the garden'.

_LONGEST_DAYS = {"day": 2, "week": 10, "month": 45}  # of a time that asks for this level
_MOST = 2
_LOOKED_AT = 20  # overviews with words of the question
_READ_CHARACTERS = 1_000
_OVERVIEWS = Filters(kinds=("reflection",), tags=(TAG,), statuses=("archived",))


def overviews_for(vault: Vault, query: str, *, score: float) -> tuple[Hit, ...]:
    """The overviews that a broad question asks for, at most two; none for any other question.

    score  that they get: the best of the other hits, so that they come first
    """
    folded = fold(query[:_READ_CHARACTERS])
    said = content_words(folded)
    times = times_of(folded, vault.clock.now(), vault.settings.timezone)
    windows, year = times.windows, year_named(said)
    if not windows and year is not None:
        begin, end = (days_from_civil(each, 1, 1) * DAY_MS for each in (year, year + 1))
        windows = (Window(begin, end, 1.0),)
    about = left_of(said, times.words | ({str(year)} if year else set()))
    if not about and windows:
        rows = _of_times(vault, windows, least=level_named(said))
        why = "the time that the question names"
    elif asks_for_overview(said):
        rows = _about(vault, query) if about else _newest(vault)
        why = "the question asks for an overview"
    else:
        return ()
    part = Part(name="overview", value=score, note=why)
    told = ((row, vault.index.passages(row.path)[:1]) for row in rows if row.trust != UNTRUSTED)
    # Overviews are found by their id and stand first, so one that a pull brought answered with the
    # orders in it.
    hits = (
        Hit(note=row, score=score, passages=passages, parts=(part,))
        for row, passages in told
        if not any(_gives_orders(row, each) for each in passages)
    )
    return tuple(islice(hits, _MOST))


def _gives_orders(row: NoteRow, passage: Passage) -> bool:
    """As of any hit: a note of that name may have come with a pull or an import."""
    from vaultmem.recall.belief.believed import suspicion_of  # saves 4 modules

    one = Found(path=row.path, passage=passage, score=0.0)
    return bool(suspicion_of(one, {row.path: row}))


def _of_times(vault: Vault, windows: tuple[Window, ...], *, least: str) -> list[NoteRow]:
    """The overviews of the times, those meant in the first place first; of the nearest level up.

    least  the lowest level that is meant; '': as long as the time is
    """
    zone = vault.settings.timezone
    for window in sorted(windows, key=lambda each: -each.strength):
        first = local_day(window.from_ms, zone)
        last = max(first, local_day(window.until_ms - 1, zone))
        span = (window.until_ms - window.from_ms) / DAY_MS
        begin = next((i for i, name in enumerate(LEVELS[:3]) if span <= _LONGEST_DAYS[name]), 3)
        begin = max(begin, LEVELS.index(least or "day"))
        for level in LEVELS[begin : begin + 2]:
            middle = (first + last) // 2
            days = [middle] if level in ("month", "year") else [first, last]
            found = dict.fromkeys(bounds(level, day) for day in days)
            rows = [row for each in found for row in _rows(vault, level, each)]
            if rows:
                return rows
    return []


def _rows(vault: Vault, level: str, days: tuple[int, int]) -> tuple[NoteRow, ...]:
    named = Overview(
        level=level, first_day=days[0], last_day=days[1], children=(), told=(), count=0
    )
    rows = vault.index.notes_with_id(overview_id(level, named.period))
    # One that was retracted, or that a person made their own by taking the tag out, is none.
    return tuple(row for row in rows if TAG in row.tags and row.status == "archived")[:1]


def _about(vault: Vault, query: str) -> list[NoteRow]:
    """Overviews with the words of the question, the longest times first."""
    from vaultmem.recall.ask_index import passages_for  # saves 3 modules

    found = passages_for(vault, query, limit=_LOOKED_AT, filters=_OVERVIEWS, snapshot=None).found
    notes = vault.index.notes({one.path for one in found})
    rows = [notes[path] for path in dict.fromkeys(one.path for one in found) if path in notes]
    return sorted(rows, key=_shortness)


def _shortness(row: NoteRow) -> int:
    """Sorts years before days, by the name that we gave the file; another name comes last."""
    named = row.path.stem.split("-")[1:2]
    return next((i for i, level in enumerate(reversed(LEVELS)) if [level] == named), len(LEVELS))


def _newest(vault: Vault) -> list[NoteRow]:
    rows = vault.index.list(_OVERVIEWS, limit=_MOST)
    return list(rows[:1])
