"""When each job of maintenance is due: a missed time is made up for once (algorithms 7.4). Pure."""

from __future__ import annotations

from collections.abc import Mapping

from vaultmem.language import HOUR_MS, civil_from_days, day_start, local_day

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
