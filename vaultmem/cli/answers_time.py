"""Answers about another time: which clock they used, and what came later."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from vaultmem.base import TYPE_CHECKING
from vaultmem.cli.note_lines import moment as minute
from vaultmem.cli.note_lines import one_line

if TYPE_CHECKING:
    from vaultmem.model import Later, Moment

SHOWN_ID = 8  # characters of a commit id
_MIDNIGHT = " 00:00"


def moment_line(moment: Moment, zone: str) -> str:
    """By which clocks a question was answered, in words."""
    held = "" if moment.valid_at is None else _day(moment.valid_at, zone)
    if moment.known_at is None:
        return f"what held on {held} (valid time), as known now"
    known = f"{_day(moment.known_at, zone)} (record time{_commit(moment)})"
    if moment.begins is not None:
        begins = _day(moment.begins, zone)
        return f"nothing was known on {known}: the history of this vault begins on {begins}"
    if moment.valid_at is None:
        return f"what was known on {known}, of the statuses asked for"
    if moment.valid_at == moment.known_at:
        return f"what was known on {known} and held then"
    return f"what held on {held} (valid time), as known on {known}"


def later_lines(later: Iterable[Later], zone: str) -> Iterator[str]:
    """What came after, one line each: `then PostgreSQL; SQLite since 2026-02-04, commit ...`."""
    for each in later:
        commit = f"commit {each.commit[:SHOWN_ID]}" if each.commit else "not committed yet"
        recorded = "" if each.recorded_at is None else f" on {_day(each.recorded_at, zone)}"
        since = "" if each.valid_from is None else _day(each.valid_from, zone)
        text = one_line(each.text).rstrip(".")
        if each.what == "changed":
            then = f"then {each.then}" if each.then else "later"
            yield f"{then}{';' if each.then else ':'} {text} since {since or recorded}, {commit}"
        elif each.what == "corrected":
            then = f"'{each.then}' was " if each.then else ""
            yield f"{then}corrected{recorded}: {text}, {commit}"
        elif each.what == "ended":
            yield f"ended on {since}, {commit}"
        else:
            yield f"{each.what}{recorded}, {commit}"


def _commit(moment: Moment) -> str:
    named = f"{moment.revision}, " if moment.revision else ""
    return f", {named}commit {moment.commit[:SHOWN_ID]}" if moment.commit else ""


def _day(ms: int, zone: str) -> str:
    """Date and minute; the date alone at midnight."""
    return minute(ms, zone).removesuffix(_MIDNIGHT)
