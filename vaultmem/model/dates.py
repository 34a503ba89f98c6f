"""Relative and absolute English date phrases, resolved against a reference time."""

from __future__ import annotations

from dataclasses import dataclass

from vaultmem.model.time import day_start, local_day

_DAYS = {"yesterday": -1, "today": 0, "tomorrow": 1}


@dataclass(frozen=True, slots=True, kw_only=True)
class DateMention:
    """A date phrase in a text and the half-open interval it means."""

    text: str
    start: int  # character offset in the text
    end: int
    from_ms: int
    until_ms: int
    granularity: str  # one of time.GRANULARITIES
    relation: str = "at"  # at, since, until or by


def read_phrase(text: str, reference: int, zone: str = "UTC") -> DateMention | None:
    """The mention that is the whole of `text`, or None."""
    step = _DAYS.get(text.casefold())
    if step is None:
        return None
    day = local_day(reference, zone) + step
    return DateMention(
        text=text,
        start=0,
        end=len(text),
        from_ms=day_start(day, zone),
        until_ms=day_start(day + 1, zone),
        granularity="day",
    )
