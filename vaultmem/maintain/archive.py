"""What nobody used for long goes into the archive, and out of the graph (algorithms.md 7.4)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import PurePosixPath

from vaultmem import edit, history, recall
from vaultmem.base import (
    TYPE_CHECKING,
    BadInputError,
    TypeVar,
    UnconfirmedError,
    dataclass,
    replace,
)
from vaultmem.facts import load, unlist
from vaultmem.language import DAY_MS
from vaultmem.model import (
    Aged,
    AgedNote,
    Archived,
    Filters,
    Item,
    NoteRow,
    Plan,
    Problem,
    id_in_name,
    pluralise,
    shorten,
    subject,
)
from vaultmem.recall import accesses, holds
from vaultmem.storage.files import ARCHIVE
from vaultmem.vault import Listings, WorkingCopy, level

if TYPE_CHECKING:
    from vaultmem.vault import Vault

MOST_SHARE = 0.25  # of the active items that one run may retire without being told to
FEW = 5  # so few may always go
EVENTS = ("event", "reflection")  # what age may put away; facts, wishes and rules never go by age


@dataclass(frozen=True, slots=True, kw_only=True)
class Age:
    """How old a memory is; days before now."""

    id: str
    age_days: float  # since it was recorded
    idle_days: float  # since it was last used or changed
    is_exempt: bool = False  # pinned, hard, identity, personal: age does not touch it


A = TypeVar("A", bound=Age)


def to_summarise(items: Sequence[A], after_days: float) -> tuple[A, ...]:
    """What is older than that and may be told shorter."""
    return _older(items, lambda item: item.age_days, after_days)


def to_archive(items: Sequence[A], idle_days: float) -> tuple[A, ...]:
    """What nobody used for longer than that."""
    return _older(items, lambda item: item.idle_days, idle_days)


def _older(items: Sequence[A], days: Callable[[A], float], least: float) -> tuple[A, ...]:
    return tuple(item for item in items if not item.is_exempt and days(item) > least)


@dataclass(frozen=True, slots=True, kw_only=True)
class PutAway:
    """What went into the archive, in which commit, and what only a person can put there."""

    archived: tuple[Archived, ...] = ()
    problems: tuple[Problem, ...] = ()
    commit: str | None = None


def put_away(vault: Vault, *, dry_run: bool, confirmed: bool) -> PutAway:
    """Put into the archive what nobody changed or used for long, in one commit.

    raises UnconfirmedError as `require_few`
    """
    found, commit = edit.write_plan(
        vault,
        lambda: _planned_archive(vault),
        dry_run=dry_run,
        require=lambda away: require_few(vault, len(away.archived), confirmed=confirmed),
    )
    return replace(found, commit=commit)


def _planned_archive(vault: Vault) -> tuple[PutAway, Plan | None]:
    """Events that nobody changed or used for long, and the plan to put them away."""
    rows = vault.index.list(Filters(types=("item",), kinds=EVENTS, statuses=("active",)))
    by_id = {row.id: row for row in rows if row.id}
    settings = vault.settings
    idle_days, old_days = settings.maintenance_archive_idle_days, settings.maintenance_episode_days
    if not idle_days:
        return PutAway(), None
    idle = to_archive(measure_ages(vault, tuple(by_id.values())), idle_days)
    going = [each for each in idle if each.age_days > old_days]
    if not going:
        return PutAway(), None
    working_copy = WorkingCopy(vault)
    listings = Listings(vault, working_copy)
    archived = []
    for each in going:
        item = load(vault, by_id[each.id])
        # A note that nobody can patch stays as it is: one such stopped the jobs of every night.
        if not listings.could_patch(item, {"status": "archived"}):
            continue
        path = move_away(listings, item)
        archived.append(
            Archived(
                id=item.id,
                statement=item.statement,
                path=path,
                idle_days=round(each.idle_days, 1),
            )
        )
    found = PutAway(archived=tuple(archived), problems=tuple(listings.problems))
    if not archived:
        return found, None
    what = shorten(archived[0].statement, 40)
    plan = Plan(
        op="archive",
        actor="maintenance",
        subject=subject("archive", what, extra=f"{pluralise(len(archived), 'item')}"),
        changes=working_copy.step(),
        trailers=(("Vaultmem-Items", ", ".join(each.id for each in archived)),),
    )
    return found, plan


def measure_ages(vault: Vault, rows: Sequence[NoteRow]) -> list[Age]:
    """How old items are, and how long nobody changed or used them; without uncommitted ones."""
    now = vault.clock.now()
    known = history.versions.level(vault)
    recorded, touched = known.record_times(), known.touch_times()
    used = accesses(vault)
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
            Age(
                id=row.id,
                age_days=(now - (first or at)) / DAY_MS,
                idle_days=(now - max(times)) / DAY_MS,
                is_exempt=row.pinned
                or row.hard
                or row.stream == "identity"
                or row.importance >= vault.settings.maintenance_keep_importance,
            )
        )
    return found


def idle_in_graph(vault: Vault) -> int:
    """How many notes of today nobody used for so long that the graph is without them."""
    now = vault.clock.now()
    ages = recall.Ages(vault, now=now)
    rows = vault.index.list(Filters(types=("item", "resource")))
    return sum(holds(row, now) and ages.is_idle(row) for row in rows)


def move_away(listings: Listings, item: Item) -> PurePosixPath:
    """Take an archived item out of its lists and its note to `archive_path`, which is returned."""
    unlist(listings, item)
    path, working_copy = archive_path(item.path), listings.working_copy
    # A note that somebody keeps there is not replaced: the item stays where it is, archived by its
    # status.
    if path != item.path and working_copy.text(path) is None:
        working_copy.put(path, working_copy.existing(item.path))
        working_copy.remove(item.path)
    return path


def archive_path(path: PurePosixPath) -> PurePosixPath:
    """The same place below `archive/`; a note outside `items/` stays where the person put it."""
    return PurePosixPath(ARCHIVE, *path.parts[1:]) if path.parts[0] == "items" else path


def require_few(vault: Vault, count: int, *, confirmed: bool) -> None:
    """Raise UnconfirmedError where more than a quarter of the active items would go, unasked."""
    asks = "" if confirmed else what_asks(vault, count)
    if asks:
        raise UnconfirmedError(
            f"{asks}; nothing of it was done", hint="look at it with --dry-run; `--yes` does it"
        )


def what_asks(vault: Vault, count: int) -> str:
    """Why so many items may not go without a person's yes; '' where they may."""
    active = len(vault.index.list(Filters(types=("item",), statuses=("active",))))
    if count <= FEW or count <= MOST_SHARE * active:
        return ""
    return f"this would retire {count} of {active} active items"


_SHOWN = 90  # characters of a statement


def find_aged(vault: Vault, *, days: int | None = None) -> Aged:
    """Notes that have been in the vault for more than so many days, the oldest first.

    days  None: `privacy.retention_days`; 0: no age is too old
    """
    wanted = vault.settings.privacy_retention_days if days is None else days
    if wanted < 0:
        raise BadInputError(f"{wanted} days are no age", hint="give 1 or more; 0: nothing is old")
    if not wanted:
        return Aged(days=0)
    return level.reading(vault, lambda: _list_aged(vault, wanted))


def _list_aged(vault: Vault, days: int) -> Aged:
    now = vault.clock.now()
    events = vault.index.list(Filters(types=("item",), kinds=("event",)))
    texts = vault.index.list(Filters(types=("resource",)))
    kept = _sources_of_kept(vault)
    found, exempt = [], 0
    for row, age in _ages(vault, (*events, *texts), now):
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


def _ages(vault: Vault, rows: tuple[NoteRow, ...], now: int) -> list[tuple[NoteRow, float]]:
    """Notes with the days since the vault has them; what is not committed yet is new."""
    recorded = history.versions.level(vault).record_times()
    found = []
    for row in rows:
        _, at, first = recorded.get(row.path.as_posix(), ("", now, now))
        if row.id:
            found.append((row, (now - (first or at)) / DAY_MS))
    return found


def _sources_of_kept(vault: Vault) -> frozenset[str]:
    """Ids and names of texts from which something comes that no program removes."""
    rows = [row for row in vault.index.list(Filters(types=("item",))) if row.pinned or row.hard]
    # By the ids in them alone, the text of a pinned item was listed as too old.
    names = {PurePosixPath(name).name for row in rows for name in row.source}
    return frozenset({*names, *(id_ for name in names if (id_ := id_in_name(name)))})
