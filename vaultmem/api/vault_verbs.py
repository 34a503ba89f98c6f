"""The vault as a whole."""

from __future__ import annotations

from vaultmem import check
from vaultmem.api.opened import Facet
from vaultmem.base import TYPE_CHECKING

if TYPE_CHECKING:
    from vaultmem.model import AuditReport, Progress, StatusReport


class Whole(Facet):
    """`memory.vault`: how it stands, and what others did to it."""

    def status(self) -> StatusReport:
        """The vault at a glance."""
        return check.status(self._parts)

    def audit(
        self,
        *,
        since: str | None = None,
        limit: int = 20,
        acknowledge: bool = False,
        progress: Progress | None = None,
    ) -> AuditReport:
        """What was changed from outside since the anchor of this device, and what was sent.

        since        a commit or date to compare from, instead of the anchor
        limit        findings of each kind in the report; all are counted
        acknowledge  take the state that the report describes as the new anchor
        """
        return check.audit(
            self._parts, since=since, limit=limit, acknowledge=acknowledge, progress=progress
        )
