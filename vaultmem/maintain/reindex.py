"""The index made anew, with vectors of what the vault says where there is a model of them."""

from __future__ import annotations

from vaultmem.base import TYPE_CHECKING, replace
from vaultmem.edit import reindex
from vaultmem.recall import embedder, make, require_on

if TYPE_CHECKING:
    from vaultmem.model import Progress, SyncReport
    from vaultmem.vault import Vault


def with_vectors(vault: Vault, *, progress: Progress | None = None) -> SyncReport:
    """A new index, and vectors for all that has none; raises as `make`."""
    require_on(vault)
    embedder(vault)  # what is wrong with it is told before the work begins
    report = reindex(vault, progress=progress)
    return replace(report, embedded=make(vault, progress=progress))
