"""Versions, differences and timelines as lines a person reads."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from vaultmem.cli.note_lines import moment, one_line
from vaultmem.language.time import format_minute

if TYPE_CHECKING:
    from vaultmem.model.history import (
        Difference,
        DiffReport,
        Elsewhere,
        HistoryVersion,
        Point,
        VersionHistory,
    )

SHORT_COMMIT = 8
MARKS = {"learned": "+", "changed": "~", "dropped": "-"}
_SPOKEN = ("item", "resource")  # what says something; lists only follow


def history_lines(found: VersionHistory, zone: str) -> Iterator[str]:
    """One paragraph a version, oldest first."""
    ids = {version.id for version in found.versions}
    for number, version in enumerate(found.versions):
        if number:
            yield ""
        yield from _version_lines(version, zone, names=len(ids) > 1)


def _version_lines(version: HistoryVersion, zone: str, *, names: bool) -> Iterator[str]:
    if version.elsewhere is not None:
        yield from _elsewhere_lines(version, version.elsewhere, zone, names=names)
        return
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


def _elsewhere_lines(
    version: HistoryVersion, there: Elsewhere, zone: str, *, names: bool
) -> Iterator[str]:
    """What an import brought: both clocks, that of the other vault and that of this one."""
    yield f"imported  {moment(version.recorded_at, zone)}  {one_line(version.statement)}"
    facts = [f"holds {interval(version.valid_from, version.valid_until, zone)}"]
    facts += [version.status] if version.status not in ("", "active") else []
    span = interval(there.recorded_at, there.superseded_at, zone)
    made = " by ".join(word for word in (there.op, there.actor) if word)
    by = ", ".join(word for word in (there.commit[:SHORT_COMMIT], made) if word)
    facts.append(
        f"recorded in {there.vault or 'another vault'} {span}" + (f" ({by})" if by else "")
    )
    facts.append("known here only since the import" + _by(version.commit))
    if names:
        facts.append(version.id)
    yield f"    {' · '.join(one_line(fact) for fact in facts)}"


def _by(commit: str) -> str:
    return f" ({commit[:SHORT_COMMIT]})" if commit else ""


def diff_lines(found: DiffReport, zone: str) -> Iterator[str]:
    """Sentences under what happened to them; then the lists that followed."""
    count = f"{found.commits} commit" + ("" if found.commits == 1 else "s")
    yield f"from {_point(found.start, zone)} to {_point(found.end, zone)}: {count}"
    for what, mark in MARKS.items():
        group = [each for each in found.differences if each.what == what]
        spoken = [each for each in group if each.type in _SPOKEN]
        if spoken:
            yield ""
            yield what
        for each in spoken:
            yield from _difference_lines(each, mark, zone)
    others = [each for each in found.differences if each.type not in _SPOKEN]
    if others:
        yield ""
        yield "lists and pages"
        yield from (f"{MARKS[each.what]} {each.path}" for each in others)
    if not found.differences:
        yield "nothing was learned, changed or dropped"
    if found.pending:
        notes = "1 note" if found.pending == 1 else f"{found.pending} notes"
        yield f"not committed yet, and not looked at: {notes}"


def _difference_lines(each: Difference, mark: str, zone: str) -> Iterator[str]:
    said, *more = each.changes or (each.statement,)
    if each.what == "dropped" or not each.before or each.before == each.statement:
        said, more = each.statement, list(each.changes)
    if each.type == "resource":
        said = f"text '{said}' ({each.path})"
    yield f"{mark} {one_line(said)}"
    yield from (f"    {one_line(change)}" for change in more)
    facts = [moment(each.at, zone), each.kind, each.stream, *each.categories, each.id]
    facts.append(", ".join(commit[:SHORT_COMMIT] for commit in each.commits))
    yield f"    {' · '.join(fact for fact in facts if fact)}"


def _point(point: Point, zone: str) -> str:
    if point.at is None:
        return f"{point.asked} (before the first commit)"
    return f"{moment(point.at, zone)} ({point.commit[:SHORT_COMMIT]})"


def interval(begins: int | None, ends: int | None, zone: str) -> str:
    """`2026-02-02 to 2026-02-04`; an open side is left out."""
    if begins is None and ends is None:
        return "always"
    if ends is None:
        return f"from {format_minute(begins, zone)}"
    return (
        f"until {format_minute(ends, zone)}"
        if begins is None
        else (f"from {format_minute(begins, zone)} to {format_minute(ends, zone)}")
    )
