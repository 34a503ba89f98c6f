"""The part of `Memory` that forgets and erases."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.memory_owner import OwnedParts

if TYPE_CHECKING:
    from vaultmem.model.forgetting import Forgotten


class ForgettingMemory(OwnedParts):
    """`forget` can be taken back; what is purged is gone."""

    def forget(
        self, *refs: str, source: str = "", match: str = "", dry_run: bool = False
    ) -> Forgotten:
        """Take notes out of the vault and of recall, in one commit; `undo` brings them back.

        refs     items or resources, by id, path or name
        source   a resource: it goes with every item that came from it
        match    every item and resource that holds this text, whatever its case and spacing
        dry_run  only say what would go
        raises   UnknownNoteError, BadInputError; nothing is changed then

        The text stays in the history: `purge` erases it.
        """
        from vaultmem.operations.forget import forget
        from vaultmem.operations.forgetting import Wish

        return forget(self._parts, Wish(refs=refs, source=source, match=match), dry_run=dry_run)
