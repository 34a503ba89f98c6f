"""Broad questions are answered by overviews: 'what happened in March?', 'summary of the garden'."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from vaultmem.language.stems import content_words
from vaultmem.language.text import fold
from vaultmem.language.time import DAY_MS, days_from_civil, local_day
from vaultmem.model.answers import Filters, Found, Hit, NoteRow, Part, Passage
from vaultmem.model.trust import UNTRUSTED
from vaultmem.recall.broad import asks_for_overview, left_of, level_named, year_named
from vaultmem.recall.overviews import LEVELS, TAG, Overview, bounds, overview_id
from vaultmem.storage.index.search.dates import Window, times_of

if TYPE_CHECKING:
    from vaultmem.vault.vault import Parts

_LONGEST_DAYS = {"day": 2, "week": 10, "month": 45}  # of a time that asks for this level
_MOST = 2
_LOOKED_AT = 20  # overviews with words of the question
_READ_CHARACTERS = 1_000
_OVERVIEWS = Filters(kinds=("reflection",), tags=(TAG,), statuses=("archived",))


def overviews_for(parts: Parts, query: str, *, score: float) -> tuple[Hit, ...]:
    """The overviews that a broad question asks for, at most two; none for any other question.

    score  that they get: the best of the other hits, so that they come first
    """
    folded = fold(query[:_READ_CHARACTERS])
    said = content_words(folded)
    times = times_of(folded, parts.clock.now(), parts.settings.timezone)
    windows, year = times.windows, year_named(said)
    if not windows and year is not None:
        begin, end = (days_from_civil(each, 1, 1) * DAY_MS for each in (year, year + 1))
        windows = (Window(begin, end, 1.0),)
    about = left_of(said, times.words | ({str(year)} if year else set()))
    if not about and windows:
        rows = _of_times(parts, windows, least=level_named(said))
        why = "the time that the question names"
    elif asks_for_overview(said):
        rows = _about(parts, query) if about else _newest(parts)
        why = "the question asks for an overview"
    else:
        return ()
    part = Part(name="overview", value=score, note=why)
    told = ((row, parts.index.passages(row.path)[:1]) for row in rows if row.trust != UNTRUSTED)
    hits = (
        Hit(note=row, score=score, passages=passages, parts=(part,))
        for row, passages in told
        if not any(_gives_orders(row, each) for each in passages)
    )
    return tuple(islice(hits, _MOST))


def _gives_orders(row: NoteRow, passage: Passage) -> bool:
    """As of any hit: a note of that name may have come with a pull or an import."""
    from vaultmem.recall.belief.suspecting import suspicion_of

    one = Found(path=row.path, passage=passage, score=0.0)
    return bool(suspicion_of(one, {row.path: row}))


def _of_times(parts: Parts, windows: tuple[Window, ...], *, least: str) -> list[NoteRow]:
    """The overviews of the times, those meant in the first place first; of the nearest level up.

    least  the lowest level that is meant; '': as long as the time is
    """
    zone = parts.settings.timezone
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
            rows = [row for each in found for row in _rows(parts, level, each)]
            if rows:
                return rows
    return []


def _rows(parts: Parts, level: str, days: tuple[int, int]) -> tuple[NoteRow, ...]:
    named = Overview(
        level=level, first_day=days[0], last_day=days[1], children=(), told=(), count=0
    )
    rows = parts.index.notes_with_id(overview_id(level, named.period))
    # One that was retracted, or that a person made their own by taking the tag out, is none.
    return tuple(row for row in rows if TAG in row.tags and row.status == "archived")[:1]


def _about(parts: Parts, query: str) -> list[NoteRow]:
    """Overviews with the words of the question, the longest times first."""
    from vaultmem.recall.passages import passages_for

    found = passages_for(parts, query, limit=_LOOKED_AT, filters=_OVERVIEWS, sight=None).found
    notes = parts.index.notes({one.path for one in found})
    rows = [notes[path] for path in dict.fromkeys(one.path for one in found) if path in notes]
    return sorted(rows, key=_shortness)


def _shortness(row: NoteRow) -> int:
    """Sorts years before days, by the name that we gave the file; another name comes last."""
    named = row.path.stem.split("-")[1:2]
    return next((i for i, level in enumerate(reversed(LEVELS)) if [level] == named), len(LEVELS))


def _newest(parts: Parts) -> list[NoteRow]:
    rows = parts.index.list(_OVERVIEWS, limit=_MOST)
    return list(rows[:1])
