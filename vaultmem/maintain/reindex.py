"""The index made anew, with vectors of what the vault says where there is a model of them."""

from __future__ import annotations

from vaultmem.base import TYPE_CHECKING, replace
from vaultmem.edit import reindex
from vaultmem.recall import embedder, make, require_on

if TYPE_CHECKING:
    from vaultmem.model import Progress, SyncReport
    from vaultmem.vault import Parts


def with_vectors(parts: Parts, *, progress: Progress | None = None) -> SyncReport:
    """A new index, and vectors for all that has none; raises as `make`."""
    require_on(parts)
    embedder(parts)  # what is wrong with it is told before the work begins
    report = reindex(parts, progress=progress)
    return replace(report, embedded=make(parts, progress=progress))
