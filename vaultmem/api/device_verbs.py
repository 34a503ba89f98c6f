"""What several devices need: a git remote that they share."""

from __future__ import annotations

from collections.abc import Collection

from vaultmem import devices
from vaultmem.api.opened import Facet
from vaultmem.base import TYPE_CHECKING

if TYPE_CHECKING:
    from vaultmem.model import Exchanged, Progress


class Devices(Facet):
    """`memory.devices`: this vault and the remote that it is pinned to."""

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
        wanted = devices.Wanted(accept=frozenset(accept), dry_run=dry_run)
        return devices.exchange(self._parts, wanted, progress=progress)

    def push(
        self,
        *,
        accept: Collection[str] = (),
        dry_run: bool = False,
        progress: Progress | None = None,
    ) -> Exchanged:
        """As `pull`, then send what the remote has not."""
        wanted = devices.Wanted(push=True, accept=frozenset(accept), dry_run=dry_run)
        return devices.exchange(self._parts, wanted, progress=progress)

    # After it both have the same: what is called so between devices. `Memory.sync` is about files.
    sync = push
