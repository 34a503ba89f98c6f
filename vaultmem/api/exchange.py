"""The part of `Memory` that speaks to a git remote."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING

from vaultmem.api.opened import OwnedParts

if TYPE_CHECKING:
    from vaultmem.model.ports import Clock, Progress
    from vaultmem.model.reports import Exchanged, InitReport


class ExchangingMemory(OwnedParts):
    """What several devices need; the rest is in `Memory`."""

    @classmethod
    def receive(
        cls,
        url: str,
        path: str | Path,
        *,
        branch: str = "main",
        clock: Clock | None = None,
        progress: Progress | None = None,
    ) -> InitReport:
        """Make the vault that a remote holds in a new folder of this device, and pin the remote."""
        from vaultmem.devices.receive import receive

        if clock is None:
            from vaultmem.model.clock import SystemClock

            clock = SystemClock()
        return receive(url, Path(path), branch=branch, clock=clock, progress=progress)

    def pull(
        self,
        *,
        accept: Collection[str] = (),
        dry_run: bool = False,
        progress: Progress | None = None,
    ) -> Exchanged:
        """Take in what the pinned remote has that this vault has not, merged with what is here.

        accept  'deletions': also when much of the vault goes by it; 'rewrite': also when the
                remote's branch was rewritten or set back
        raises  NoRemoteError, RemoteUnreachableError, RemoteDeniedError, IncomingRefusedError
        """
        from vaultmem.devices.exchange import Wanted, exchange

        wanted = Wanted(accept=frozenset(accept), dry_run=dry_run)
        return exchange(self._parts, wanted, progress=progress)

    def push(
        self,
        *,
        accept: Collection[str] = (),
        dry_run: bool = False,
        progress: Progress | None = None,
    ) -> Exchanged:
        """As `pull`, then send what the remote has not."""
        from vaultmem.devices.exchange import Wanted, exchange

        wanted = Wanted(push=True, accept=frozenset(accept), dry_run=dry_run)
        return exchange(self._parts, wanted, progress=progress)
