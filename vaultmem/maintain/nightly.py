"""The jobs of maintenance: learn, merge doubles, put away what nobody uses, build the index anew.

Each change is one commit that `undo` takes back, and a job that finds nothing to do makes none, so
jobs may run twice, be missed, or be killed anywhere. When they ran is known to the device alone.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from contextlib import suppress

from vaultmem import base, edit, history, learn, recall
from vaultmem import vault as vaults
from vaultmem.base import (
    TYPE_CHECKING,
    BadInputError,
    HistoryDamagedError,
    PatchRefusedError,
    TypeVar,
    UnconfirmedError,
    dataclass,
    replace,
)
from vaultmem.config import learning_settings
from vaultmem.edit import reindex
from vaultmem.facts import SUPERSEDED, as_links, close, load
from vaultmem.language import HOUR_MS
from vaultmem.learn import consolidate
from vaultmem.maintain import timers
from vaultmem.maintain.archive import EVENTS, idle_in_graph, put_away, require_few, what_asks
from vaultmem.maintain.compact import Stated, doubles
from vaultmem.model import (
    Filters,
    Item,
    JobReport,
    JobState,
    Merged,
    NoteRow,
    Plan,
    Problem,
    Promoted,
    is_current,
    part_key,
    pluralise,
    subject,
)
from vaultmem.models import is_on
from vaultmem.recall import (
    embedder,
    make,
    parse_uses,
    priority,
    render_uses,
    require_on,
    served,
    today_of,
    uses_now,
)
from vaultmem.storage import notes
from vaultmem.storage.files import ACCESS
from vaultmem.vault import NOT_UPDATED, Listings, WorkingCopy, level

if TYPE_CHECKING:
    from vaultmem.model import Progress, SyncReport
    from vaultmem.vault import Vault


# The uses of a night, written into the vault: what was used often rises (algorithms.md 7.4).


@dataclass(frozen=True, slots=True, kw_only=True)
class Counted:
    """What a night counted."""

    notes: int = 0
    risen: tuple[Promoted, ...] = ()
    commit: str | None = None


def count_uses(vault: Vault, *, dry_run: bool) -> Counted:
    """Write what this device used since its last night, in one commit; none if it used nothing."""
    if dry_run:
        return level.reading(vault, lambda: _plan_uses(vault))[0]
    with edit.writer(vault):
        found, plan = _plan_uses(vault)
        if plan is None:
            return found
        # Files below `.vaultmem/state` are nobody's edit: after a SIGKILL between file and commit
        # this one stayed without a commit until the next count.
        with vaults.journal_changes(vault, plan.changes):
            [done] = vaults.apply(vault, [plan])
    return replace(found, commit=done.commit)


def _plan_uses(vault: Vault) -> tuple[Counted, Plan | None]:
    """What rises, and the plan; rows of notes that are no more go with the next one written."""
    working_copy = WorkingCopy(vault)
    before = working_copy.text(ACCESS)
    known = {} if before is None else parse_uses(before)
    after = uses_now(vault, known, served.times(vault))
    notes = {id_: rows[0] for id_ in after if (rows := vault.index.notes_with_id(id_))}
    after = {id_: devices for id_, devices in after.items() if id_ in notes}
    if after == known:
        return Counted(), None
    working_copy.put(ACCESS, render_uses(after))
    changes = working_copy.step()
    if not changes:
        return Counted(), None
    today, cap = today_of(vault), vault.settings.maintenance_promotion_cap
    risen = []
    for id_, note in notes.items():
        was = priority(known.get(id_, {}).values(), today=today, cap=cap)
        now = priority(after[id_].values(), today=today, cap=cap)
        if now > was:
            said = note.statement or note.title or note.path.stem
            risen.append(Promoted(id=id_, statement=said, path=note.path, before=was, after=now))
    risen.sort(key=lambda each: (-each.after, each.id))
    used = sum(after[id_] != known.get(id_) for id_ in after)
    what = subject("count", f"uses of {pluralise(used, 'note')} on '{vault.settings.device}'")
    plan = Plan(op="count", actor="maintenance", subject=what, changes=changes)
    return Counted(notes=used, risen=tuple(risen)), plan


JOBS = timers.JOBS
LEARNING = "learning"  # a part of `nightly`; by itself where the settings want it every hour
RAN = "maintenance.json"  # in the device state: when each job ran


def run(
    vault: Vault,
    job: str,
    *,
    dry_run: bool = False,
    confirmed: bool = False,
    progress: Progress | None = None,
) -> JobReport:
    """Do one job now.

    job        one of `JOBS`; raises BadInputError for another word
    confirmed  also when it would retire more than a quarter of the active items;
               raises UnconfirmedError when it would and is not, after all else was done
    """
    if job not in (*JOBS, LEARNING):
        raise BadInputError(f"there is no job '{job}'", hint=f"one of: {', '.join(JOBS)}, due")
    report = JobReport(job=job, dry_run=dry_run)
    refused: list[UnconfirmedError] = []
    if job == LEARNING:
        learned = consolidate(vault, dry_run=dry_run, progress=progress)
        report = replace(report, learned=learned, commits=_commits_of(learned.commit))
    elif job == "nightly":
        uses = count_uses(vault, dry_run=dry_run)
        report = replace(
            report, counted=uses.notes, promoted=uses.risen, commits=_commits_of(uses.commit)
        )
        if _learns_at_night(vault):
            learned = consolidate(vault, dry_run=dry_run, progress=progress)
            made = (*report.commits, *_commits_of(learned.commit))
            report = replace(report, learned=learned, commits=made)
        merged, problems, commit = _unless_refused(
            lambda: _merge(vault, dry_run=dry_run, confirmed=confirmed), refused
        ) or ((), (), None)
        report = replace(
            report,
            merged=merged,
            problems=problems,
            commits=(*report.commits, *_commits_of(commit)),
        )

        periods = learn.tell_periods(vault, dry_run=dry_run)
        report = replace(
            report,
            overviews=periods.changes,
            problems=(*report.problems, *periods.problems),
            commits=(*report.commits, *_commits_of(periods.commit)),
        )
    elif job == "weekly":
        from vaultmem.maintain.digests import resummarise  # saves 2 modules
        from vaultmem.maintain.streams import compact_overlong  # saves 17 modules

        away = _unless_refused(
            lambda: put_away(vault, dry_run=dry_run, confirmed=confirmed), refused
        )
        if away is not None:
            report = replace(
                report,
                archived=away.archived,
                problems=away.problems,
                commits=_commits_of(away.commit),
            )
        long = _unless_refused(
            lambda: compact_overlong(vault, dry_run=dry_run, confirmed=confirmed), refused
        )
        report = replace(
            report,
            compacted=long,
            commits=(*report.commits, *_commits_of(long.commit if long else None)),
        )
        evolved, commit = resummarise(vault, dry_run=dry_run, progress=progress)
        report = replace(report, summaries=evolved, commits=(*report.commits, *_commits_of(commit)))
    else:
        if not dry_run:
            report = _built_anew(vault, report, progress)
        report = replace(report, left_graph=level.reading(vault, lambda: idle_in_graph(vault)))
    # A dry run says so too: what it promised without a word ended in a question with exit code 77.
    if dry_run and not confirmed:
        report = replace(report, asks=level.reading(vault, lambda: _asks(vault, report)))
    if refused:
        raise refused[0]
    waits = report.compacted is not None and report.compacted.waiting
    if not dry_run and not waits:  # a list in use is looked at again by the next `due`
        _note_run(vault, *dict.fromkeys([job, *([LEARNING] if report.learned else [])]))
    return report


T = TypeVar("T")


def _unless_refused(do: Callable[[], T], refused: list[UnconfirmedError]) -> T | None:
    """What a part of a job gives; one that needs a person's yes does not keep the rest waiting."""
    try:
        # Where the first such part ended its job, an hourly timer never came to the monthly index.
        return do()
    except UnconfirmedError as error:
        refused.append(error)
        return None


def _asks(vault: Vault, report: JobReport) -> str:
    """Why the same without `dry_run` would end in a question."""
    merged = sum(len(each.retired) for each in report.merged)
    cut = len(report.compacted.items) if report.compacted is not None else 0
    asked = (what_asks(vault, count) for count in (merged, len(report.archived), cut))
    return next(filter(None, asked), "")


def _learns_at_night(vault: Vault) -> bool:
    """Whether learning is a part of the nightly job: always, but for `consolidation.interval`."""
    interval = learning_settings(vault.settings.values).consolidation_interval
    return interval in ("daily", "hourly") or _is_learning_due(vault, interval)


def _is_learning_due(vault: Vault, interval: str) -> bool:
    return timers.is_learning_due(
        interval,
        _runs(vault).get(LEARNING),
        vault.clock.now(),
        vault.settings.timezone,
        hour=vault.settings.maintenance_nightly_hour,
    )


def _built_anew(vault: Vault, report: JobReport, progress: Progress | None) -> JobReport:
    """The index of the files, with the past if somebody had asked for it; and where embeddings are
    on, vectors of all that has none."""
    had_past = (vault.state / history.versions.FILE).exists()
    built = edit.reindex(vault, progress=progress)
    if had_past:
        # Or the next `history` makes it while somebody waits: 25 s beside 100,000 notes.
        with suppress(HistoryDamagedError):  # `check` tells of it
            history.versions.level(vault, progress=progress)
    if is_on(vault.settings):
        built = recall.beside(vault, built, progress=progress)
    return replace(report, reindexed=built.scanned, embedded=built.embedded)


def due(vault: Vault) -> tuple[JobState, ...]:
    """When each job ran last here, and whether it is due."""
    now, zone = vault.clock.now(), vault.settings.timezone
    ran, hour = _runs(vault), vault.settings.maintenance_nightly_hour
    waiting = timers.due(ran, now, zone, hour=hour)
    interval = learning_settings(vault.settings.values).consolidation_interval
    hourly = JobState(
        job=LEARNING,
        ran_at=ran.get(LEARNING),
        due_at=now - now % HOUR_MS,
        is_due="nightly" not in waiting and _is_learning_due(vault, interval),
    )
    return (hourly,) * (interval == "hourly") + tuple(
        JobState(
            job=job,
            ran_at=ran.get(job),
            due_at=timers.last_slot(job, now, zone, hour=hour),
            is_due=job in waiting,
        )
        for job in JOBS
    )


def _commits_of(commit: str | None) -> tuple[str, ...]:
    return (commit,) if commit else ()


def _runs(vault: Vault) -> dict[str, int]:
    try:
        told = json.loads((vault.state / RAN).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    found = told.items() if isinstance(told, dict) else ()
    return {job: at for job, at in found if job in (*JOBS, LEARNING) and type(at) is int}


def _note_run(vault: Vault, *jobs: str) -> None:
    """Lost, it costs one more run that finds nothing to do."""
    text = json.dumps(_runs(vault) | dict.fromkeys(jobs, vault.clock.now()), sort_keys=True)
    with suppress(OSError):
        base.replace_file(vault.state / RAN, text.encode())


# --- doubles -----------------------------------------------------------------------------


def _merge(
    vault: Vault, *, dry_run: bool, confirmed: bool
) -> tuple[tuple[Merged, ...], tuple[Problem, ...], str | None]:
    if dry_run:
        merged, problems, _ = level.reading(vault, lambda: _planned_merge(vault))
        return merged, problems, None
    with edit.writer(vault):
        merged, problems, plan = _planned_merge(vault)
        if plan is None:
            return merged, problems, None
        require_few(vault, sum(len(each.retired) for each in merged), confirmed=confirmed)
        [done] = vaults.apply(vault, [plan])
    return merged, problems, done.commit


def _planned_merge(
    vault: Vault,
) -> tuple[tuple[Merged, ...], tuple[Problem, ...], Plan | None]:
    """What says the same, among all active items, and the plan that makes it one."""
    now = vault.clock.now()
    rows = {
        row.id: row
        for row in vault.index.list(Filters(types=("item",), statuses=("active",)))
        if row.id and row.valid_until is None and is_current(row, now)
    }
    learned = {id_ for id_ in rows if rows[id_].kind in ("rule", "procedure")}
    learned = {id_ for id_ in learned if "learned" in load(vault, rows[id_]).fields}
    found = doubles(_stated_of(row) for row in rows.values() if row.id not in learned)
    if not found:
        return (), (), None
    listings = Listings(vault, WorkingCopy(vault))
    merged = []
    for kept, doubled in found:
        item = load(vault, rows[kept.id])
        others = [load(vault, rows[each.id]) for each in doubled]
        others = [other for other in others if _may_change(listings, other)]
        if not others or not _may_change(listings, item):
            continue
        _unite(listings, item, others, now=now)
        merged.append(
            Merged(
                id=item.id,
                statement=item.statement,
                path=item.path,
                retired=tuple(other.id for other in others),
            )
        )
    problems = tuple(listings.problems)
    if not merged:
        return (), problems, None
    count = sum(len(each.retired) for each in merged)
    ids = [id_ for each in merged for id_ in (each.id, *each.retired)]
    plan = Plan(
        op="merge-doubles",
        actor="maintenance",
        subject=subject("merge", merged[0].statement, extra=f"{pluralise(count, 'double')}"),
        changes=listings.working_copy.step(),
        trailers=(
            ("Vaultmem-Items", ", ".join(ids)),
            ("Vaultmem-Supersedes", ", ".join(id_ for each in merged for id_ in each.retired)),
        ),
    )
    return tuple(merged), problems, plan


def _stated_of(row: NoteRow) -> Stated:
    return Stated(
        id=row.id,
        statement=row.statement,
        slot=(part_key(row.subject), part_key(row.predicate), part_key(row.object)),
        group=(row.kind, row.trust, row.asked, str(row.valid_from) if row.kind in EVENTS else ""),
        stays=row.pinned or row.hard,
        is_listed=bool(row.stream),
        since=(row.valid_from or 0, "/".join(row.path.parts[1:4])),
    )


def _may_change(listings: Listings, item: Item) -> bool:
    """Whether the keys of a merge can be written into a note; nothing is."""
    links = ("[[a]]", "[[b]]")
    keys = {"source": links, "supersedes": links, "superseded_by": links}
    try:
        notes.patch(listings.working_copy.existing(item.path), {**keys, "status": SUPERSEDED})
    except PatchRefusedError as refused:
        listings.report(item.path, refused, code=NOT_UPDATED)
        return False
    return True


def _unite(listings: Listings, item: Item, others: Sequence[Item], *, now: int) -> None:
    """The item gains their sources and the highest importance; they end, and name it."""
    sources = tuple(dict.fromkeys([*item.source, *(s for each in others for s in each.source)]))
    names = (*item.supersedes, *(other.path.stem for other in others))
    listings.patch_item(
        item,
        {
            "source": as_links(sources),
            "importance": max(item.importance, *(other.importance for other in others)),
            "supersedes": as_links(tuple(dict.fromkeys(names))),
        },
    )
    for other in others:
        close(listings, other, until=now, status=SUPERSEDED, now=now, by=item.path.stem)


# The index made anew, with vectors of what the vault says where there is a model of them.


def with_vectors(vault: Vault, *, progress: Progress | None = None) -> SyncReport:
    """A new index, and vectors for all that has none; raises as `make`."""
    require_on(vault)
    embedder(vault)  # what is wrong with it is told before the work begins
    report = reindex(vault, progress=progress)
    return replace(report, embedded=make(vault, progress=progress))
