"""Versions, differences and timelines as lines a person reads."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from vaultmem.cli.answers import moment, one_line
from vaultmem.model.time import format_instant

if TYPE_CHECKING:
    from vaultmem.model.histories import HistoryVersion, VersionHistory

SHORT_COMMIT = 8


def history_lines(found: VersionHistory, zone: str) -> Iterator[str]:
    """One paragraph a version, oldest first."""
    ids = {version.id for version in found.versions}
    for number, version in enumerate(found.versions):
        if number:
            yield ""
        yield from _version_lines(version, zone, names=len(ids) > 1)


def _version_lines(version: HistoryVersion, zone: str, *, names: bool) -> Iterator[str]:
    who = [version.actor] if version.actor else []
    if version.pending:
        yield f"not committed yet  {one_line(version.statement)}"
    else:
        when = moment(version.recorded_at, zone)
        yield f"{version.commit[:SHORT_COMMIT]}  {when}  {one_line(version.statement)}"
        who.insert(0, version.op)
    for change in version.changes:
        yield f"    {one_line(change)}"
    facts = [word for word in (version.status,) if word not in ("", "active")]
    if version.type == "item":
        facts.insert(0, f"holds {interval(version.valid_from, version.valid_until, zone)}")
    if version.superseded_at is not None:
        verb = "gone" if version.is_gone else "replaced"
        by = version.superseded_by_commit[:SHORT_COMMIT]
        facts.append(f"{verb} {moment(version.superseded_at, zone)} ({by})")
    if version.retired_at is not None:
        facts.append(f"retired {moment(version.retired_at, zone)}, kept in the history")
    if not version.pending:
        facts.append(" by ".join(who))
    if version.session:
        facts.append(f"session {version.session}")
    origin = version.source or ((version.commit_source,) if version.commit_source else ())
    if origin:
        facts.append(f"from {', '.join(origin)}")
    if names:
        facts.append(version.id or str(version.path))
    yield f"    {' · '.join(one_line(fact) for fact in facts)}"


def interval(begins: int | None, ends: int | None, zone: str) -> str:
    """`2026-02-02 to 2026-02-04`; an open side is left out."""
    if begins is None and ends is None:
        return "always"
    if ends is None:
        return f"from {_date(begins, zone)}"
    return (
        f"until {_date(ends, zone)}"
        if begins is None
        else (f"from {_date(begins, zone)} to {_date(ends, zone)}")
    )


def _date(ms: int | None, zone: str) -> str:
    """The day, with the minute where there is one."""
    if ms is None:
        return ""
    try:
        return format_instant(ms, zone)[:16].replace("T", " ")
    except ValueError:  # outside the calendar: the number rather than nothing
        return f"{ms} ms"
