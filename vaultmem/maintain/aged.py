"""What is kept longer than the person wants it kept: a proposal to forget or erase, by age.

Events and the texts of conversations, documents and clippings (algorithms 6.10); facts, wishes and
rules never go by age. Nothing runs by itself: `forget --aged` lists, and does it when told to.
"""

from __future__ import annotations

from pathlib import PurePosixPath

from vaultmem import history
from vaultmem.base import TYPE_CHECKING, BadInputError
from vaultmem.language import DAY_MS
from vaultmem.model import Aged, AgedNote, Filters, NoteRow, id_in_name, shorten
from vaultmem.vault import level

if TYPE_CHECKING:
    from vaultmem.vault import Parts

_SHOWN = 90  # characters of a statement


def find_aged(parts: Parts, *, days: int | None = None) -> Aged:
    """Notes that have been in the vault for more than so many days, the oldest first.

    days  None: `privacy.retention_days`; 0: no age is too old
    """
    wanted = parts.settings.privacy_retention_days if days is None else days
    if wanted < 0:
        raise BadInputError(f"{wanted} days are no age", hint="give 1 or more; 0: nothing is old")
    if not wanted:
        return Aged(days=0)
    return level.reading(parts, lambda: _list_aged(parts, wanted))


def _list_aged(parts: Parts, days: int) -> Aged:
    now = parts.clock.now()
    events = parts.index.list(Filters(types=("item",), kinds=("event",)))
    texts = parts.index.list(Filters(types=("resource",)))
    kept = _sources_of_kept(parts)
    found, exempt = [], 0
    for row, age in _ages(parts, (*events, *texts), now):
        if age <= days:
            continue
        if row.pinned or row.hard or not kept.isdisjoint((row.id, row.path.stem)):
            exempt += 1
            continue
        text = row.statement if row.type == "item" else row.title
        found.append(
            AgedNote(
                path=row.path,
                id=row.id,
                type=row.type,
                text=shorten(text, _SHOWN),
                age_days=round(age, 1),
            )
        )
    ordered = sorted(found, key=lambda each: (-each.age_days, each.path))
    return Aged(notes=tuple(ordered), exempt=exempt, days=days)


def _ages(parts: Parts, rows: tuple[NoteRow, ...], now: int) -> list[tuple[NoteRow, float]]:
    """Notes with the days since the vault has them; what is not committed yet is new."""

    recorded = history.versions.level(parts).record_times()
    found = []
    for row in rows:
        _, at, first = recorded.get(row.path.as_posix(), ("", now, now))
        if row.id:
            found.append((row, (now - (first or at)) / DAY_MS))
    return found


def _sources_of_kept(parts: Parts) -> frozenset[str]:
    """Ids and names of texts from which something comes that no program removes."""
    rows = [row for row in parts.index.list(Filters(types=("item",))) if row.pinned or row.hard]
    # By the ids in them alone, the text of a pinned item was listed as too old.
    names = {PurePosixPath(name).name for row in rows for name in row.source}
    return frozenset({*names, *(id_ for name in names if (id_ := id_in_name(name)))})
