"""What keeps a memory in order: jobs, their timer, what is put away."""

from __future__ import annotations

from vaultmem import maintain
from vaultmem.api.opened import Facet, deprecated_call
from vaultmem.base import TYPE_CHECKING

if TYPE_CHECKING:
    from vaultmem.model import (
        Aged,
        Compacted,
        JobReport,
        JobState,
        Progress,
        Schedule,
        StreamsCompacted,
    )


class Maintain(Facet):
    """`memory.maintain`: what is done now and then."""

    def run(
        self,
        job: str,
        *,
        dry_run: bool = False,
        confirmed: bool = False,
        progress: Progress | None = None,
    ) -> JobReport:
        """Do a job of maintenance now: nightly, weekly or monthly.

        confirmed  also when it would retire more than a quarter of the active items
        raises     UnconfirmedError when it would, and is not
        """
        return maintain.run(
            self._parts, job, dry_run=dry_run, confirmed=confirmed, progress=progress
        )

    def due(self) -> tuple[JobState, ...]:
        """When each job ran last on this device, and whether it is due."""
        return maintain.due(self._parts)

    def install_timer(self, *, system: str = "", confirmed: bool = False) -> Schedule:
        """The timer that runs what is due every hour; its files are written if `confirmed`.

        system  systemd, launchd or cron; '': what is usual here
        """
        return maintain.install(self._parts, system=system, confirmed=confirmed)

    def uninstall_timer(self, *, system: str = "", confirmed: bool = False) -> Schedule:
        """The files of that timer, which go if `confirmed`; changed ones stay."""
        return maintain.uninstall(self._parts, system=system, confirmed=confirmed)

    def compact(
        self,
        *,
        retention_days: float | None = None,
        dry_run: bool = False,
        progress: Progress | None = None,
    ) -> Compacted:
        """Retire items whose end was recorded before the retention; the history keeps them.

        retention_days  >= 0; None: `retention.superseded_days` of the settings (90)
        dry_run         only say what would go
        """
        return maintain.compact(
            self._parts, retention_days=retention_days, dry_run=dry_run, progress=progress
        )

    def compact_streams(self, budget: int, *, dry_run: bool = False) -> StreamsCompacted:
        """Archive items of the streams until the rest takes at most `budget` tokens, in one commit.

        Each stream keeps its share; pinned items and hard exceptions stay; `undo` takes it back.
        """
        return maintain.compact_streams(self._parts, budget, dry_run=dry_run)

    def aged(self, *, days: int | None = None) -> Aged:
        """Events and texts that the vault has had for more than so many days, the oldest first.

        Nothing is changed: hand their ids to `forget` or `purge`. Pinned and hard items, and the
        texts that these came from, are not among them.
        days  None: `privacy.retention_days`; 0: nothing is too old
        """
        return maintain.find_aged(self._parts, days=days)

    __call__ = deprecated_call(run)
