"""Whether a question asks for the whole of a time or a theme rather than for one memory. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

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
