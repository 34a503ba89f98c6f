"""A state of the vault that a person names: a revision, a date, or a phrase such as 'last week'."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.base.errors import BadInputError
from vaultmem.language.time import format_minute, read_instant
from vaultmem.language.when import parse_when
from vaultmem.model.history import Point

if TYPE_CHECKING:
    from vaultmem.storage.index.past.database import Past
    from vaultmem.vault.vault import Parts

_EXAMPLES = "write 2026-02-03, 2026-02-03T12:00+01:00, 'last Tuesday', or a revision such as HEAD~3"
_LEAST_DATE = len("2026-02")  # what is shorter may be the id of a commit


def point(parts: Parts, known: Past, text: str) -> tuple[Point, int | None]:
    """The state that `text` names, and its place in the chain (None: before the first commit).

    A time means the last commit that was known then (algorithms.md 2.5). A date is 00:00 in the
    vault's zone, 'now' the last commit. What could be both is a revision, unless it is a date
    with a month.
    raises  BadInputError for what is neither, and for a commit beside the main line
            HistoryIncompleteError for a time before this clone's history begins
    """
    wanted = text.strip()
    now, zone = parts.clock.now(), parts.settings.timezone
    commit = revision(parts, wanted)
    if commit:
        return _at_commit(known, commit, text)
    if wanted.casefold() == "now":
        return at_place(known, known.length() - 1 if known.length() else None, text)
    try:
        at = parse_when(wanted, now, zone)
    except BadInputError as error:
        raise BadInputError(f"'{text}' names no commit and no time", hint=_EXAMPLES) from error
    place = known.known_at(at)
    if place is None:
        _require_whole(parts, known, at)
    return at_place(known, place, text)


def revision(parts: Parts, text: str) -> str:
    """The commit that `text` names, on any line; '' when it is none, or rather a date."""
    wanted = text.strip()
    is_date = len(wanted) >= _LEAST_DATE and read_instant(wanted, "UTC") is not None
    if not wanted or is_date or wanted.casefold() == "now":
        return ""
    try:
        return parts.history.resolve(wanted)
    except BadInputError:
        return ""


def at_place(known: Past, place: int | None, text: str) -> tuple[Point, int | None]:
    """The state after the commit at a place of the chain."""
    if place is None:
        return Point(asked=text, at=None), None
    commit, at = known.commit_at(place)
    return Point(asked=text, at=at, commit=commit), place


def _at_commit(known: Past, commit: str, text: str) -> tuple[Point, int | None]:
    place = known.place_of(commit)
    if place is None:
        raise BadInputError(
            f"'{text}' is not on the main line of this vault",
            hint="a merged line became known at its merge: `vaultmem log` lists what can be named",
        )
    return at_place(known, place, text)


def _require_whole(parts: Parts, known: Past, at: int) -> None:
    """Raise HistoryIncompleteError when the history is cut off after an instant."""
    if parts.history.lineage().boundaries():
        from vaultmem.history.versions import incomplete

        _, begins = known.commit_at(0)
        raise incomplete(f"it begins {format_minute(begins)} UTC, after {format_minute(at)} UTC")
