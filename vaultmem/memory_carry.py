"""The part of `Memory` that carries a memory elsewhere, brings one in, and empties one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.memory_owner import OwnedParts

if TYPE_CHECKING:
    from vaultmem.model.carrying import Cleared


class CarryingMemory(OwnedParts):
    """What taking a memory with you needs; the rest is in `Memory`."""

    def clear(self, *, dry_run: bool = False) -> Cleared:
        """Take all items and resources out, with their lines in streams and categories.

        One commit, which `undo` takes back; the history still has all of it. What the person wrote
        between those lines, and pages of their own, stay.
        dry_run  change nothing, only count
        raises   UncommittedError: a file that would go has words that are in no commit
        """
        from vaultmem.operations.clearing import clear

        return clear(self._parts, dry_run=dry_run)
