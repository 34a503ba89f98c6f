"""The times that a question names, and how near to them the passages of the index are.

retrieval.md section 7: a passage of that time counts as much as another rare word; after it the
weight falls slowly, since people tell of things later, and before it fast.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence

from vaultmem.base import NamedTuple
from vaultmem.language import DAY_MS, find_dates, words
from vaultmem.storage.index.search.terms import LEAST_SIMILARITY, distance
from vaultmem.storage.index.store.rows import MOST_PARAMETERS
from vaultmem.storage.index.store.sqlite import sqlite3

DAYS_AFTER = 10.0  # in which nearness falls to 1/e, for what was said after the time
DAYS_BEFORE = 2.0
OTHER_YEARS = 0.6  # of 'in July' without a year: the same days of other years
_MOST_YEARS = 8
_YEAR_DAYS = 365.25
_LEAST = 0.05  # nearness that still says something
MOST_WINDOWS = 40  # each is looked up: the first ones of a text full of dates
MOST_DATED = 1_000  # passages: of a longer time only those that hold a word are looked at

_NAMED = re.compile(
    r"\b(?:january|february|march|april|may|june|july|august|september|october|november|december"
    r"|jan|feb|apr|jun|jul|aug|sept?|oct|nov|dec"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)day|christmas|halloween|valentine's)\b"
)
_MONTH = re.compile(r"\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)")
_LONG_MONTHS = (
    *("january", "february", "march", "april", "august"),
    *("september", "october", "november", "december"),
)
_BESIDE_NUMBER = re.compile(
    r"\b[a-z]{5,10}(?=,? \d)|(?<=\d )[a-z]{5,10}\b|(?<=\d(?:th|st|nd|rd)\s)[a-z]{5,10}\b"
)
_HAS_YEAR = re.compile(r"\d{4}")


class Window(NamedTuple):
    """A time that a question names."""

    from_ms: int
    until_ms: int
    strength: float  # 1; less: the same days of a year that was not meant in the first place

    def nearness(self, from_ms: int, until_ms: int) -> float:
        """0..strength: how near `[from_ms, until_ms]` is; strength where both have a moment."""
        if until_ms < self.from_ms:
            return self.strength * math.exp((until_ms - self.from_ms) / (DAYS_BEFORE * DAY_MS))
        if from_ms >= self.until_ms:
            return self.strength * math.exp((self.until_ms - from_ms) / (DAYS_AFTER * DAY_MS))
        return self.strength


class Named(NamedTuple):
    """The times of a question."""

    windows: tuple[Window, ...]
    words: frozenset[str]  # of the phrases that name them, as the question has them


def times_of(folded: str, now: int, zone: str) -> Named:
    """The times that a folded question names, asked at `now` (UTC ms).

    Letter case is gone: month and day names get their capital back, by which they are known.
    """
    months: dict[str, str] = {}  # by what is written in their place

    def repair_month(found: re.Match[str]) -> str:
        word = found.group()
        if word not in months:
            months[word] = _month_like(word)
        return months[word]

    text = _BESIDE_NUMBER.sub(repair_month, folded)
    text = _NAMED.sub(lambda found: found.group().capitalize(), text)
    windows: list[Window] = []
    named: set[str] = set()
    for mention in find_dates(text, now, zone):
        phrase = mention.text.lower()
        windows += _windows(mention.from_ms, mention.until_ms, phrase, now)
        named.update(words(phrase))
    named.update(word for word, month in months.items() if month in named)
    return Named(tuple(dict.fromkeys(windows))[:MOST_WINDOWS], frozenset(named))


def _month_like(word: str) -> str:
    """The month that a misspelt word beside a number means: 'agust 2023'; else the word."""
    likeness = {
        month: 1 - distance(word, month) / max(len(word), len(month)) for month in _LONG_MONTHS
    }
    month = max(_LONG_MONTHS, key=lambda month: likeness[month])
    return month if likeness[month] >= LEAST_SIMILARITY else word


def _windows(from_ms: int, until_ms: int, text: str, now: int) -> list[Window]:
    """The time, and where no year is said the same days of the years before."""
    windows = [Window(from_ms, until_ms, 1.0)]
    # A time in the question makes R@10 .801 in place of .787 (LoCoMo 0-4, categories 1-4).
    if _MONTH.search(text) and not _HAS_YEAR.search(text):
        for years in range(1, _MOST_YEARS):
            step = round(years * _YEAR_DAYS) * DAY_MS
            is_last = from_ms > now >= from_ms - step and years == 1  # what is asked is mostly past
            strength = 1.0 if is_last else OTHER_YEARS
            windows.append(Window(from_ms - step, until_ms - step, strength))
    return windows


Span = tuple[int, int]  # UTC ms of the first and the last moment


class Dating:
    """Looks up what an index has of some times."""

    def __init__(self, connection: sqlite3.Connection, windows: Sequence[Window]) -> None:
        self._connection = connection
        self._windows = windows
        self._known: dict[int, Span] = {}  # what `passages` has read already

    def passages(self) -> list[int]:
        """The passages of these times, ascending; none where they are too many to be looked at."""
        found: dict[int, Span] = {}
        for window in self._windows:
            rows = self._connection.execute(
                "SELECT p.id, COALESCE(p.date, n.date), "
                "CASE WHEN p.date IS NULL THEN n.valid_until END FROM notes n JOIN passages p "
                "ON p.id >= n.first AND p.id < n.first + n.size "
                "WHERE n.dated_from < ? AND n.dated_to >= ? "
                "AND (p.date IS NULL OR (p.date < ? AND p.date >= ?)) LIMIT ?",
                # One more than is allowed tells that there are too many.
                (window.until_ms, window.from_ms) * 2 + (MOST_DATED + 1 - len(found),),
            )
            found.update((id_, _span(date, until)) for id_, date, until in rows if date is not None)
            if len(found) > MOST_DATED:
                return []
        self._known = found
        return sorted(found)

    def nearness(self, notes: Iterable[tuple[int, Sequence[int]]]) -> dict[int, float]:
        """How near passages are to these times, 0..1; those far from all of them are left out.

        notes  first passage of each note, and its passages that are asked about
        """
        known = self._known
        unknown = [
            (first, new)
            for first, some in notes
            if (new := [passage for passage in some if passage not in known])
        ]
        of_notes = self._dates(
            "SELECT first, date, valid_until FROM notes WHERE first",
            [first for first, _ in unknown],
        )
        asked = [passage for _, some in unknown for passage in some]
        spans = known | self._dates("SELECT id, date, NULL FROM passages WHERE id", asked)
        for first, some in unknown:
            if first in of_notes:
                for passage in some:
                    spans.setdefault(passage, of_notes[first])
        near: dict[int, float] = {}
        for passage, (date, until) in spans.items():
            best = max(window.nearness(date, until) for window in self._windows)
            if best >= _LEAST:
                near[passage] = best
        return near

    def _dates(self, select: str, ids: Sequence[int]) -> dict[int, Span]:
        """By id the time that a row has, those without one left out."""
        found: dict[int, Span] = {}
        for start in range(0, len(ids), MOST_PARAMETERS):
            some = ids[start : start + MOST_PARAMETERS]
            rows = self._connection.execute(f"{select} IN ({', '.join('?' * len(some))})", some)
            found.update((id_, _span(date, until)) for id_, date, until in rows if date is not None)
        return found


def _span(date: int, until: int | None) -> Span:
    return date, date if until is None else max(date, until - 1)
