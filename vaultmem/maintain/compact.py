"""Retire items that ended long ago: out of the folder and the index, never out of the history.

The past (history/versions.py) goes on with what is retired.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from math import isfinite
from pathlib import PurePosixPath

from vaultmem import edit
from vaultmem import vault as vaults
from vaultmem.base import (
    TYPE_CHECKING,
    BadInputError,
    dataclass,
    replace,
)
from vaultmem.forget import take_out_of_lists
from vaultmem.history import COMPACT, versions
from vaultmem.language import DAY_MS, canonical, format_instant
from vaultmem.model import (
    ENDED,
    Compacted,
    Filters,
    NoteRow,
    Plan,
    Problem,
    Retired,
    holds_at,
    id_in_name,
    pluralise,
    subject,
)
from vaultmem.vault import WorkingCopy, level

if TYPE_CHECKING:
    from vaultmem.model import Committed, Progress
    from vaultmem.storage.index import Past
    from vaultmem.vault import Vault


OP = COMPACT
HORIZON = "Vaultmem-Horizon"
OVER = (*ENDED, "retracted")


def compact(
    vault: Vault,
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
        vault.settings.retention_superseded_days if retention_days is None else retention_days
    )
    if dry_run:
        found = level.reading(vault, lambda: _plan_compaction(vault, days, progress))
        return replace(found[0], dry_run=True)
    with edit.writer(vault):
        report, plan, problems = _plan_compaction(vault, days, progress)
        done: tuple[Committed, ...] = ()
        if plan is not None:
            with vaults.journal_changes(vault, plan.changes):
                done = vaults.apply(vault, [plan])
        level.keep_problems(vault, OP, problems)
    return replace(report, commit=done[-1].commit if done else None)


def _plan_compaction(
    vault: Vault, days: float, progress: Progress | None
) -> tuple[Compacted, Plan | None, tuple[Problem, ...]]:
    known = versions.level(vault, progress=progress)
    now = vault.clock.now()
    over = vault.index.list(Filters(types=("item",), statuses=OVER))
    pending = set(vault.index.pending_paths())
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
    working_copy = WorkingCopy(vault)
    for row, _ in going:
        working_copy.existing(row.path)
        working_copy.remove(row.path)
    lists, problems = take_out_of_lists(vault, working_copy, [row for row, _ in going])
    trailers = [("Vaultmem-Items", ", ".join(row.id for row, _ in going))]
    if report.horizon is not None:
        trailers.append((HORIZON, format_instant(report.horizon)))
    after = f"{days:g} day{'' if days == 1 else 's'} after the end"
    plan = Plan(
        op=OP,
        actor="maintenance",
        subject=subject(OP, f"{pluralise(len(going), 'item')} retired, {after}"),
        changes=working_copy.step(),
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


# Which memories say the same in the same words, and which of them stays.
#
# Letters that are merely alike decide nothing: 'always use tabs' and 'never use tabs' are alike.

_WORD = re.compile(r"[\w'+#./-]+")
# Words without which a statement says the same; a file name or a number is never among them.
_POLITE = frozenset(["please", "bitte", "the", "a", "an", "porfavor"])
_NO_SLOT = ("", "", "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Stated:
    """What has to be known of a memory to find its doubles."""

    id: str
    statement: str
    slot: tuple[str, str, str] = ("", "", "")  # subject, predicate, object as they are compared
    group: tuple[str, ...] = ()  # doubles agree in these: kind, trust, what else sets apart
    stays: bool = False  # pinned or hard: never retired
    is_listed: bool = False  # in a stream that the person reads
    since: tuple[int, str] = (0, "")  # UTC ms and the folder of its day: sorts by age


def key_of(statement: str) -> str:
    """The words of a statement in their order, without articles and 'please'."""
    words = (word.rstrip(".") for word in _WORD.findall(canonical(statement)))
    return " ".join(word for word in words if word not in _POLITE)


def doubles(items: Iterable[Stated]) -> tuple[tuple[Stated, tuple[Stated, ...]], ...]:
    """(the one that stays, the ones that it stands for), by the id of the first.

    One that may not be retired stays, then one that a stream lists, then the oldest.
    """
    groups: dict[tuple[object, ...], list[Stated]] = {}
    for item in items:
        key = key_of(item.statement)
        if key:
            groups.setdefault((key, item.group), []).append(item)
    found = []
    for group in (part for whole in groups.values() for part in _of_one_slot(whole)):
        ranked = sorted(group, key=lambda i: (not i.stays, not i.is_listed, i.since, i.id))
        retired = tuple(item for item in ranked[1:] if not item.stays)
        if retired:
            found.append((ranked[0], retired))
    return tuple(sorted(found, key=lambda pair: pair[0].id))


def _of_one_slot(group: list[Stated]) -> list[list[Stated]]:
    """The group in parts of one slot; without a slot one belongs where there is no choice."""
    slots = sorted({item.slot for item in group} - {_NO_SLOT})
    if len(slots) < 2:
        return [group]
    return [[item for item in group if item.slot == slot] for slot in (_NO_SLOT, *slots)]
