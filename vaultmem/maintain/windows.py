"""Which memories a job of maintenance looks at (algorithms 7.4). Pure.

Every boundary is strict: what is exactly as old stays for the next time. What was missed is not
lost: the window of a night reaches back to the last run.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from vaultmem.base.errors import BadInputError
from vaultmem.base.records import dataclass

DAY = 1.0
SUMMARISE_AFTER_DAYS = 30.0
ARCHIVE_IDLE_DAYS = 90.0
RETIRE_IDLE_DAYS = 180.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Aged:
    """What a window has to know of a memory; days before now."""

    id: str
    age_days: float  # since it was recorded
    idle_days: float  # since it was last used or changed
    is_exempt: bool = False  # pinned, hard, identity, personal: age does not touch it


A = TypeVar("A", bound=Aged)


def nightly(items: Sequence[A], *, days_since_last_run: float) -> tuple[A, ...]:
    """What was recorded within a day, or since the last run if that is longer ago."""
    window = max(DAY, days_since_last_run)
    return tuple(item for item in items if item.age_days <= window)


def to_summarise(items: Sequence[A], *, after_days: float = SUMMARISE_AFTER_DAYS) -> tuple[A, ...]:
    """What is older than that and may be told shorter."""
    return _older(items, lambda item: item.age_days, after_days)


def to_archive(items: Sequence[A], *, idle_days: float = ARCHIVE_IDLE_DAYS) -> tuple[A, ...]:
    """What nobody used for longer than that."""
    return _older(items, lambda item: item.idle_days, idle_days)


def to_retire(items: Sequence[A], *, idle_days: float = RETIRE_IDLE_DAYS) -> tuple[A, ...]:
    """What nothing led to for longer than that."""
    return _older(items, lambda item: item.idle_days, idle_days)


def chosen(job: str, items: Sequence[A], *, days_since_last_run: float) -> tuple[A, ...]:
    """The items of a job by its name; raises BadInputError for another name."""
    if job == "nightly":
        return nightly(items, days_since_last_run=days_since_last_run)
    jobs: dict[str, Callable[[Sequence[A]], tuple[A, ...]]] = {
        "weekly_summarise": to_summarise,
        "weekly_archive": to_archive,
        "monthly_archive": to_retire,
    }
    if job not in jobs:
        raise BadInputError(f"there is no job '{job}'", hint=f"one of: nightly, {', '.join(jobs)}")
    return jobs[job](items)


def _older(items: Sequence[A], days: Callable[[A], float], least: float) -> tuple[A, ...]:
    return tuple(item for item in items if not item.is_exempt and days(item) > least)
