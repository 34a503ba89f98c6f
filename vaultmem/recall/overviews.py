"""Events told shorter by day, week, month and year: a tree over what happened. Pure.

RAPTOR (Sarthi et al. 2024) clusters by likeness of vectors; a person's life is asked about by
time, so here the tree is that of the calendar, as algorithms.md 5.14 has it. What has one child
only is no node: the child takes its place. Only periods that are over are told, so that what is
told stays; the root, a year, grows by a month at a time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from vaultmem.base.records import NamedTuple, dataclass
from vaultmem.language.time import civil_from_days, days_from_civil
from vaultmem.model.ids import item_id

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
        for (first, last), below in _grouped(level, nodes):
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


def _grouped(level: str, nodes: Sequence[_Node]) -> list[tuple[tuple[int, int], list[_Node]]]:
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
