"""When each job of maintenance is due: a missed time is made up for once (algorithms 7.4). Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence

from vaultmem.base import TypeVar, dataclass
from vaultmem.language import HOUR_MS, canonical, civil_from_days, day_start, local_day


@dataclass(frozen=True, slots=True, kw_only=True)
class Aged:
    """What a window has to know of a memory; days before now."""

    id: str
    age_days: float  # since it was recorded
    idle_days: float  # since it was last used or changed
    is_exempt: bool = False  # pinned, hard, identity, personal: age does not touch it


A = TypeVar("A", bound=Aged)


def to_summarise(items: Sequence[A], after_days: float) -> tuple[A, ...]:
    """What is older than that and may be told shorter."""
    return _older(items, lambda item: item.age_days, after_days)


def to_archive(items: Sequence[A], idle_days: float) -> tuple[A, ...]:
    """What nobody used for longer than that."""
    return _older(items, lambda item: item.idle_days, idle_days)


def _older(items: Sequence[A], days: Callable[[A], float], least: float) -> tuple[A, ...]:
    return tuple(item for item in items if not item.is_exempt and days(item) > least)


# Which memories say the same in the same words, and which of them stays. Pure.
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


JOBS = ("nightly", "weekly", "monthly")
HOUR = 3  # o'clock, local: nobody writes then
_MONDAY = 4  # of local_day modulo 7: day 0, 1970-01-01, was a Thursday


def last_slot(job: str, now: int, zone: str, *, hour: int = HOUR) -> int:
    """The newest time at or before `now` (UTC ms) at which a job should have run.

    Every night at the hour; of a week the night to Monday; of a month the night to the 1st.
    """
    day = local_day(now, zone)
    while not _is_day_of(job, day) or day_start(day, zone) + hour * HOUR_MS > now:
        day -= 1
    return day_start(day, zone) + hour * HOUR_MS


def due(last_runs: Mapping[str, int], now: int, zone: str, *, hour: int = HOUR) -> tuple[str, ...]:
    """The jobs whose last run (UTC ms; absent: never) was before their newest time, in order.

    A run that lies ahead was noted by a clock that was wrong: when it was is not known.
    """
    return tuple(
        job
        for job in JOBS
        if (last := last_runs.get(job)) is None
        # A run that a clock of the future had noted stopped all jobs until then.
        or not last_slot(job, now, zone, hour=hour) <= last <= now
    )


def is_learning_due(
    interval: str, last: int | None, now: int, zone: str, *, hour: int = HOUR
) -> bool:
    """Whether it is time to learn from conversations and events.

    interval  manual: never by itself; hourly: since the hour began; daily: since the last night;
              weekly: since the night to Monday
    last      when that was done last (UTC ms); None: never
    """
    if interval == "manual":
        return False
    if last is not None and last > now:
        last = None  # as in `due`
    if interval == "hourly":
        return last is None or last < now - now % HOUR_MS
    slot = last_slot("weekly" if interval == "weekly" else "nightly", now, zone, hour=hour)
    return last is None or last < slot


def _is_day_of(job: str, day: int) -> bool:
    if job == "weekly":
        return day % 7 == _MONDAY
    return job != "monthly" or civil_from_days(day)[2] == 1
