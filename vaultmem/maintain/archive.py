"""What nobody used for long goes into the archive, and out of the graph (algorithms.md 7.4)."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite
from pathlib import PurePosixPath

from vaultmem import edit, history, recall, vault
from vaultmem.base import TYPE_CHECKING, BadInputError, UnconfirmedError, dataclass, replace
from vaultmem.facts import load, unlist
from vaultmem.language import DAY_MS
from vaultmem.maintain import windows
from vaultmem.model import Archived, Filters, NoteRow, Plan, Problem, pluralise, shorten, subject
from vaultmem.recall import accesses, holds
from vaultmem.storage.files import ARCHIVE
from vaultmem.vault import Shelf, Workbench, level

if TYPE_CHECKING:
    from vaultmem.vault import Parts
MOST_SHARE = 0.25  # of the active items that one run may retire without being told to
FEW = 5  # so few may always go
EVENTS = ("event", "reflection")  # what age may put away; facts, wishes and rules never go by age


@dataclass(frozen=True, slots=True, kw_only=True)
class PutAway:
    """What went into the archive, in which commit, and what only a person can put there."""

    archived: tuple[Archived, ...] = ()
    problems: tuple[Problem, ...] = ()
    commit: str | None = None


def put_away(parts: Parts, *, dry_run: bool, confirmed: bool) -> PutAway:
    """Put into the archive what nobody changed or used for long, in one commit.

    raises UnconfirmedError as `require_few`
    """

    if dry_run:
        return level.reading(parts, lambda: _planned_archive(parts))[0]
    with edit.writer(parts):
        found, plan = _planned_archive(parts)
        if plan is None:
            return found
        require_few(parts, len(found.archived), confirmed=confirmed)
        [done] = vault.apply(parts, [plan])
    return replace(found, commit=done.commit)


def _planned_archive(parts: Parts) -> tuple[PutAway, Plan | None]:
    """Events that nobody changed or used for long, and the plan to put them away."""
    rows = parts.index.list(Filters(types=("item",), kinds=EVENTS, statuses=("active",)))
    by_id = {row.id: row for row in rows if row.id}
    settings = parts.settings
    idle_days, old_days = settings.maintenance_archive_idle_days, settings.maintenance_episode_days
    if not idle_days:
        return PutAway(), None
    idle = windows.to_archive(measure_ages(parts, tuple(by_id.values())), idle_days=idle_days)
    going = [each for each in idle if each.age_days > old_days]
    if not going:
        return PutAway(), None
    bench = Workbench(parts)
    shelf = Shelf(parts, bench)
    archived = []
    for each in going:
        item = load(parts, by_id[each.id])
        if not shelf.could_patch(item, {"status": "archived"}):
            continue
        unlist(shelf, item)
        path = archive_path(item.path)
        # A note that somebody keeps there is not replaced: the item stays where it is, archived by
        # its status.
        if path != item.path and bench.text(path) is None:
            bench.put(path, bench.existing(item.path))
            bench.remove(item.path)
        archived.append(
            Archived(
                id=item.id,
                statement=item.statement,
                path=path,
                idle_days=round(each.idle_days, 1),
            )
        )
    found = PutAway(archived=tuple(archived), problems=tuple(shelf.problems))
    if not archived:
        return found, None
    what = shorten(archived[0].statement, 40)
    plan = Plan(
        op="archive",
        actor="maintenance",
        subject=subject("archive", what, extra=f"{pluralise(len(archived), 'item')}"),
        changes=bench.step(),
        trailers=(("Vaultmem-Items", ", ".join(each.id for each in archived)),),
    )
    return found, plan


def measure_ages(parts: Parts, rows: Sequence[NoteRow]) -> list[windows.Aged]:
    """How old items are, and how long nobody changed or used them; without uncommitted ones."""

    now = parts.clock.now()
    known = history.versions.level(parts)
    recorded, touched = known.record_times(), known.touch_times()
    used = accesses(parts)
    found = []
    for row in rows:
        oid, at, first = recorded.get(row.path.as_posix(), ("", now, now))
        if oid != row.oid:
            continue  # changed and not committed yet: it is in use
        # Without maintenance's own changes: learning marks the events that it looked at, and each
        # night kept them out of the archive for 90 days more.
        changed = touched.get(row.id) or first or at
        times = [changed, row.valid_from or 0, *([used[row.id].last] if row.id in used else [])]
        found.append(
            windows.Aged(
                id=row.id,
                age_days=(now - (first or at)) / DAY_MS,
                idle_days=(now - max(times)) / DAY_MS,
                is_exempt=row.pinned
                or row.hard
                or row.stream == "identity"
                or row.importance >= parts.settings.maintenance_keep_importance,
            )
        )
    return found


def idle_in_graph(parts: Parts) -> int:
    """How many notes of today nobody used for so long that the graph is without them."""

    now = parts.clock.now()
    ages = recall.Ages(parts, now=now)
    rows = parts.index.list(Filters(types=("item", "resource")))
    return sum(holds(row, now) and ages.is_idle(row) for row in rows)


def archive_path(path: PurePosixPath) -> PurePosixPath:
    """The same place below `archive/`; a note outside `items/` stays where the person put it."""
    return PurePosixPath(ARCHIVE, *path.parts[1:]) if path.parts[0] == "items" else path


def require_few(parts: Parts, count: int, *, confirmed: bool) -> None:
    """Raise UnconfirmedError where more than a quarter of the active items would go, unasked."""
    asks = "" if confirmed else what_asks(parts, count)
    if asks:
        raise UnconfirmedError(
            f"{asks}; nothing of it was done", hint="look at it with --dry-run; `--yes` does it"
        )


def what_asks(parts: Parts, count: int) -> str:
    """Why so many items may not go without a person's yes; '' where they may."""
    active = len(parts.index.list(Filters(types=("item",), statuses=("active",))))
    if count <= FEW or count <= MOST_SHARE * active:
        return ""
    return f"this would retire {count} of {active} active items"


# How long what no longer holds stays in the folder.


def is_kept(superseded_at: int | None, *, now: int, retention_days: float) -> bool:
    """Whether a memory stays: it is current, or was superseded within the retention.

    superseded_at   record time, UTC ms; None: it is current
    retention_days  >= 0; at exactly so many days it goes
    raises          BadInputError for days that are no number of days
    Algorithms.md 2.8; the history keeps what goes, so nothing is lost.
    """
    days = require_days(retention_days)
    return superseded_at is None or superseded_at > now - days * DAY_MS


def require_days(days: float) -> float:
    """The days themselves; raises BadInputError below 0, or for no number."""
    if not (isfinite(days) and days >= 0):
        raise BadInputError(
            f"cannot retain for {days:g} days", hint="give 0 or more; 0: retire all that ended"
        )
    return days
