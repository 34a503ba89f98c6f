"""Write after what a person did: their edits are committed and settled first."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from vaultmem.base import TYPE_CHECKING
from vaultmem.edit.settle import settle
from vaultmem.vault import level, locked

if TYPE_CHECKING:
    from vaultmem.vault import Parts


@contextmanager
def writer(parts: Parts) -> Iterator[None]:
    """As `locked`, with everything a person did before committed and settled."""
    with locked(parts):
        level.refresh(parts)
        settle(parts)
        yield
        if parts.is_open:
            settle(parts)  # what was just done may have resolved it
