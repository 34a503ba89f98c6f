"""Which items hold when: the intervals of validity, for a drawing."""

from __future__ import annotations

from collections.abc import Sequence

from vaultmem.base import TYPE_CHECKING, BadInputError, UnknownNoteError
from vaultmem.history.moment import Sight, seeing
from vaultmem.model import (
    ENDED,
    LASTING,
    STREAMS,
    Filters,
    NoteRow,
    Timeline,
    TimelineRow,
    part_key,
    slot_key,
)
from vaultmem.vault import level

if TYPE_CHECKING:
    from vaultmem.model import Progress
    from vaultmem.vault import Parts


def timeline(
    parts: Parts,
    subject: str = "",
    predicate: str = "",
    *,
    streams: Sequence[str] = (),
    progress: Progress | None = None,
) -> Timeline:
    """Items with their intervals, by slot, start of validity and id; what is retired too.

    subject, predicate  only items of this slot; '': of any
    streams             only items in one of these
    raises              UnknownNoteError when there is no such item
    """
    if predicate and not subject:
        raise BadInputError("a predicate needs its subject", hint="vaultmem timeline SUBJECT ...")
    for stream in streams:
        if stream not in STREAMS:
            raise BadInputError(
                f"no stream is called '{stream}'", hint=f"streams: {', '.join(STREAMS)}"
            )

    def look(sight: Sight) -> tuple[TimelineRow, ...]:
        filters = Filters(types=("item",), streams=tuple(streams))
        rows = [row for row in sight.list(filters, limit=None) if _is_of(row, subject, predicate)]
        return tuple(_row(sight, row) for row in sorted(rows, key=_order))

    rows = level.reading(
        parts,
        lambda: seeing(parts, look, as_of=None, known_at=None, words=False, progress=progress),
    )
    about = " ".join(part for part in (subject, predicate, *streams) if part)
    if not rows:
        raise UnknownNoteError(
            f"there is no item of '{about}'" if about else "there is no item yet",
            hint="`vaultmem list --type item --json` shows the subjects and predicates of items"
            if about
            else "`vaultmem remember` makes some",
        )
    now = parts.clock.now()
    times = [ms for row in rows for ms in (_begins(row), row.valid_until) if ms is not None]
    return Timeline(
        about=about,
        now=now,
        begins=min([*times, now]),
        ends=max([*times, now]),
        rows=tuple(rows),
    )


def _is_of(row: NoteRow, subject: str, predicate: str) -> bool:
    if not subject:
        return True
    if part_key(row.subject) != part_key(subject):
        return False
    return not predicate or slot_key(subject, predicate) == slot_key(row.subject, row.predicate)


def _row(sight: Sight, row: NoteRow) -> TimelineRow:
    path = "" if row.id else str(row.path)
    return TimelineRow(
        id=row.id,
        path=row.path,
        statement=row.statement,
        status=row.status,
        stream=row.stream,
        subject=row.subject,
        predicate=row.predicate,
        object=row.object,
        valid_from=row.valid_from,
        valid_until=row.valid_until,
        recorded_at=sight.past.first_recorded(id=row.id, path=path),
        held=row.status in LASTING or (row.status in ENDED and row.valid_until is not None),
    )


def _begins(row: TimelineRow) -> int | None:
    return row.recorded_at if row.valid_from is None else row.valid_from


def _order(row: NoteRow) -> tuple[str, bool, int, str, str]:
    """Items in no slot stand last; of a slot, what has no start stands first."""
    slot = slot_key(row.subject, row.predicate)
    return (
        slot or "\U0010ffff",
        row.valid_from is not None,
        row.valid_from or 0,
        row.id,
        str(row.path),
    )
