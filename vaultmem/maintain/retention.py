"""How long what no longer holds stays in the folder."""

from __future__ import annotations

from math import isfinite

from vaultmem.base.errors import BadInputError
from vaultmem.language.time import DAY_MS


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
