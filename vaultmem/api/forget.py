"""The part of `Memory` that forgets and erases."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.api.opened import OwnedParts

if TYPE_CHECKING:
    from vaultmem.model.leaving import Aged, Forgotten, Purged
    from vaultmem.model.ports import Progress


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
        from vaultmem.forget.forget import Wish, forget

        return forget(self._parts, Wish(refs=refs, source=source, match=match), dry_run=dry_run)

    def aged(self, *, days: int | None = None) -> Aged:
        """Events and texts that the vault has had for more than so many days, the oldest first.

        Nothing is changed: hand their ids to `forget` or `purge`. Pinned and hard items, and the
        texts that these came from, are not among them.
        days  None: `privacy.retention_days`; 0: nothing is too old
        """
        from vaultmem.maintain.aged import aged

        return aged(self._parts, days=days)

    def purge(
        self,
        *refs: str,
        source: str = "",
        match: str = "",
        dry_run: bool = False,
        progress: Progress | None = None,
    ) -> Purged:
        """Erase notes and what they say from every version and every store, and prove it.

        refs     items or resources, by id, path or name; also such that only the history has
        source   a resource: it goes with every item that came from it
        match    this text, wherever it stands, whatever its case, spacing and accents
        dry_run  only say what would go
        returns  with `places` empty: nothing of it is left on this device
        raises   UnknownNoteError, BadInputError, BusyError (a watcher runs), HistoryError;
                 nothing is changed then

        It cannot be taken back, and commit ids change. Ids, dates and record times of all else
        stay. Remotes and other devices keep what they have: `remotes` names them.
        """
        from vaultmem.forget.forget import Wish
        from vaultmem.forget.purge.purge import purge

        wish = Wish(refs=refs, source=source, match=match)
        return purge(self._parts, wish, dry_run=dry_run, progress=progress)

    def lift(self) -> bool:
        """Let texts that were erased on this device be kept again; whether there were any."""
        from vaultmem.vault.erased import Erased

        return Erased(self._parts.settings).lift()
