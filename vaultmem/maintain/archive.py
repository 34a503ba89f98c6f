"""What nobody used for long goes into the archive, and out of the graph (algorithms.md 7.4)."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Iterator, Mapping, Sequence
from math import isfinite
from pathlib import PurePosixPath

from vaultmem import edit, history, models, recall, remember, vault
from vaultmem.base import (
    TYPE_CHECKING,
    BadInputError,
    PatchRefusedError,
    UnconfirmedError,
    dataclass,
    replace,
)
from vaultmem.facts import load, unlist
from vaultmem.forget import take_out_of_lists
from vaultmem.history import COMPACT, versions
from vaultmem.language import DAY_MS, format_instant
from vaultmem.learn import Listed, digest, is_ours, is_stale
from vaultmem.maintain import schedule
from vaultmem.maintain.schedule import to_summarise
from vaultmem.model import (
    ENDED,
    Aged,
    AgedNote,
    Archived,
    Compacted,
    Evolved,
    Filters,
    NoteRow,
    Plan,
    Problem,
    Retired,
    holds_at,
    id_in_name,
    part_key,
    pluralise,
    shorten,
    subject,
)
from vaultmem.recall import accesses, holds
from vaultmem.storage import notes
from vaultmem.storage.files import ARCHIVE
from vaultmem.vault import Shelf, Workbench, level, one_line

if TYPE_CHECKING:
    from vaultmem.model import Committed, Problem, Progress
    from vaultmem.storage.index import Past
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
    found, commit = edit.write_plan(
        parts,
        lambda: _planned_archive(parts),
        dry_run=dry_run,
        require=lambda away: require_few(parts, len(away.archived), confirmed=confirmed),
    )
    return replace(found, commit=commit)


def _planned_archive(parts: Parts) -> tuple[PutAway, Plan | None]:
    """Events that nobody changed or used for long, and the plan to put them away."""
    rows = parts.index.list(Filters(types=("item",), kinds=EVENTS, statuses=("active",)))
    by_id = {row.id: row for row in rows if row.id}
    settings = parts.settings
    idle_days, old_days = settings.maintenance_archive_idle_days, settings.maintenance_episode_days
    if not idle_days:
        return PutAway(), None
    idle = schedule.to_archive(measure_ages(parts, tuple(by_id.values())), idle_days)
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


def measure_ages(parts: Parts, rows: Sequence[NoteRow]) -> list[schedule.Aged]:
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
            schedule.Aged(
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


@dataclass(frozen=True, slots=True, kw_only=True)
class _Category:
    """A category as it is, with the lines of its list that are old."""

    path: PurePosixPath
    title: str
    data: bytes
    old: tuple[Listed, ...]
    said: Mapping[str, str]  # statements by link target, also of what the list has no room for


def resummarise(
    parts: Parts, *, dry_run: bool, progress: Progress | None = None
) -> tuple[tuple[Evolved, ...], str | None]:
    """Tell old lists shorter, in one commit; what became of each category, and the commit.

    A dry run asks no model: it says which categories one would be asked about.
    """

    if not parts.settings.maintenance_summarise_after_days:
        return (), None
    if models.summariser(parts) is not None:
        return _by_model(parts, dry_run=dry_run, progress=progress)
    evolved, commit = edit.write_plan(parts, lambda: _plan_digests(parts), dry_run=dry_run)
    return evolved if commit or dry_run else (), commit


def _by_model(
    parts: Parts, *, dry_run: bool, progress: Progress | None
) -> tuple[tuple[Evolved, ...], str | None]:

    stale = [
        category
        for category in level.reading(parts, lambda: _categories(parts))
        if is_stale(category.old, _digested_targets(category.data))
    ]
    if dry_run or not stale:
        why = "a model would be asked about it"
        return tuple(
            Evolved(path=each.path, title=each.title, outcome="kept", why=why) for each in stale
        ), None
    done = remember.summarise(
        parts, [each.path.stem for each in stale], dry_run=False, progress=progress
    )
    return done.categories, done.commit


def _plan_digests(parts: Parts) -> tuple[tuple[Evolved, ...], Plan | None]:

    bench = Workbench(parts)
    evolved = []
    for category in _categories(parts):
        told = notes.read_told(category.data)
        if not is_ours(told, category.said):
            continue  # a model's, on this device or another
        sentences = digest(category.old)
        if sentences == told:
            continue
        made = Evolved(
            path=category.path,
            title=category.title,
            outcome="rewritten",
            sentences=tuple(text for text, _ in sentences),
        )
        try:
            bench.put(category.path, notes.replace_told(category.data, sentences))
        except PatchRefusedError as refused:
            made = replace(made, outcome="kept", why=refused.message, sentences=())
        evolved.append(made)
    changes = bench.step()
    if not changes:
        return tuple(evolved), None
    titles = ", ".join(sorted(change.path.stem for change in changes))
    what = subject("summarise", titles)
    return tuple(evolved), Plan(op="summarise", actor="maintenance", subject=what, changes=changes)


def _categories(parts: Parts) -> list[_Category]:
    """All categories, with those lines of their lists that are older than the settings say."""
    rows = parts.index.list(Filters(types=("item",), statuses=("active",)))
    # Pinned, hard and of the person is no digest's (algorithms.md 7.4). Importance alone is no
    # reason to leave an item out: a digest tells the most important old lines.
    stays = {row.id for row in rows if row.pinned or row.hard or row.stream == "identity"}
    ages = [replace(each, is_exempt=each.id in stays) for each in measure_ages(parts, rows)]
    days = parts.settings.maintenance_summarise_after_days
    old = {each.id for each in to_summarise(ages, days)}
    listed = {
        row.path.stem: Listed(
            target=row.path.stem,
            statement=row.statement,
            subject=part_key(row.subject),
            importance=row.importance,
            since=row.valid_from or 0,
        )
        for row in rows
        if row.id in old
    }
    known = {row.path.stem: one_line(row.statement) for row in rows}
    bench = Workbench(parts)
    found = []
    for row in sorted(parts.index.list(Filters(types=("category",))), key=lambda row: row.path):
        data = bench.text(row.path)
        if data is not None:
            shown = _statements(data)
            lines = tuple(
                replace(listed[target], statement=statement)
                for target, statement in shown.items()
                if target in listed
            )
            said = ChainMap(shown, known)
            found.append(_Category(path=row.path, title=row.title, data=data, old=lines, said=said))
    return found


def _statements(data: bytes) -> dict[str, str]:
    """The lines of a category's list, by link target; none of markers that do not pair."""

    return {target: statement for _, statement, target in notes.read_numbered(data)}


def _digested_targets(data: bytes) -> frozenset[str]:

    return frozenset(target for _, targets in notes.read_told(data) for target in targets)


# Retire items that ended long ago: out of the folder and the index, never out of the history.
#
# What held when is not touched by it: the past (history/versions.py) goes on with what is retired.

OP = COMPACT
HORIZON = "Vaultmem-Horizon"
OVER = (*ENDED, "retracted")


def compact(
    parts: Parts,
    *,
    retention_days: float | None = None,
    dry_run: bool = False,
    progress: Progress | None = None,
) -> Compacted:
    """Take items out of the folder whose end was recorded before the retention, in one commit.

    retention_days  None: that of the settings
    dry_run         only say what would go; edits that are not committed yet are not looked at
    Pinned notes and hard exceptions stay, and what still holds; so do notes without an id in
    their name, since nothing would tell them from another note of that name.
    """

    days = require_days(
        parts.settings.retention_superseded_days if retention_days is None else retention_days
    )
    if dry_run:
        found = level.reading(parts, lambda: _plan_compaction(parts, days, progress))
        return replace(found[0], dry_run=True)
    with edit.writer(parts):
        report, plan, problems = _plan_compaction(parts, days, progress)
        done: tuple[Committed, ...] = ()
        if plan is not None:
            with vault.journal_changes(parts, plan.changes):
                done = vault.apply(parts, [plan])
        level.keep_problems(parts, OP, problems)
    return replace(report, commit=done[-1].commit if done else None)


def _plan_compaction(
    parts: Parts, days: float, progress: Progress | None
) -> tuple[Compacted, Plan | None, tuple[Problem, ...]]:
    known = versions.level(parts, progress=progress)
    now = parts.clock.now()
    over = parts.index.list(Filters(types=("item",), statuses=OVER))
    pending = {state.path for state in parts.index.pending()}
    going: list[tuple[NoteRow, int]] = []
    held: list[PurePosixPath] = []
    kept = 0
    for row, ended_at in _ended_items(known, over, cutoff=int(now - days * DAY_MS)):
        if row.path.as_posix() in pending or is_kept(ended_at, now=now, retention_days=days):
            kept += 1
        elif _has_to_stay(row, now):
            held.append(row.path)
        elif ended_at is not None:
            going.append((row, ended_at))
    report = Compacted(
        items=tuple(
            Retired(
                id=row.id,
                path=row.path,
                statement=row.statement,
                status=row.status,
                superseded_at=ended_at,
            )
            for row, ended_at in going
        ),
        retention_days=days,
        kept=kept,
        held=tuple(sorted(held)),
        horizon=max((row.valid_until for row, _ in going if row.valid_until), default=None),
    )
    if not going:
        return report, None, ()
    bench = Workbench(parts)
    for row, _ in going:
        bench.existing(row.path)
        bench.remove(row.path)
    lists, problems = take_out_of_lists(parts, bench, [row for row, _ in going])
    trailers = [("Vaultmem-Items", ", ".join(row.id for row, _ in going))]
    if report.horizon is not None:
        trailers.append((HORIZON, format_instant(report.horizon)))
    after = f"{days:g} day{'' if days == 1 else 's'} after the end"
    plan = Plan(
        op=OP,
        actor="maintenance",
        subject=subject(OP, f"{pluralise(len(going), 'item')} retired, {after}"),
        changes=bench.step(),
        trailers=tuple(trailers),
    )
    return replace(report, lists=lists), plan, problems


def _ended_items(
    known: Past, rows: tuple[NoteRow, ...], *, cutoff: int
) -> Iterator[tuple[NoteRow, int | None]]:
    """Items with the record time since when they have not counted, the longest ago first.

    None: not committed like that. The end may be older than the last edit.
    """
    recorded = known.record_times()
    found: list[tuple[NoteRow, int | None]] = []
    for row in rows:
        oid, at, first = recorded.get(row.path.as_posix(), ("", 0, None))
        if oid != row.oid:
            found.append((row, None))
        elif at == first or (first is not None and first > cutoff):
            found.append((row, at))  # the only version, or all of them young
        else:
            found.append((row, _end_of(known, row, at)))
    found.sort(key=lambda each: (each[1] or 0, each[0].id, each[0].path))
    yield from found


def _end_of(known: Past, row: NoteRow, at: int) -> int:
    """Record time of the first version of the last run of those that had ended."""
    for version in reversed(known.versions(id=row.id, path="" if row.id else str(row.path))):
        if version.status not in OVER:
            break
        at = version.recorded_at_ms
    return at


def _has_to_stay(row: NoteRow, now: int) -> bool:
    """Whether an item may not go although its end lies far back."""
    return (
        row.pinned
        or row.hard
        or not row.id
        or id_in_name(row.path.stem) != row.id
        or holds_at(
            now,
            status=row.status,
            valid_from=row.valid_from,
            valid_until=row.valid_until,
            recorded_at=None,
        )
    )
