"""What erases for good, and what empties a vault."""

from __future__ import annotations

from vaultmem import forget, vault
from vaultmem.api.opened import Facet
from vaultmem.base import TYPE_CHECKING

if TYPE_CHECKING:
    from vaultmem.model import Cleared, Progress, Purged


class Forgetting(Facet):
    """`memory.forgetting`: what is purged is gone; `Memory.forget` can be taken back."""

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
        wish = forget.Wish(refs=refs, source=source, match=match)
        return forget.purge(self._parts, wish, dry_run=dry_run, progress=progress)

    def lift(self) -> bool:
        """Let texts that were erased on this device be kept again; whether there were any."""
        return vault.Erased(self._parts.settings).lift()

    def clear(self, *, dry_run: bool = False) -> Cleared:
        """Take all items and resources out, with their lines in streams and categories.

        One commit, which `undo` takes back; the history still has all of it. What the person wrote
        between those lines, and pages of their own, stay.
        dry_run  change nothing, only count
        raises   UncommittedError: a file that would go has words that are in no commit
        """
        return forget.clear(self._parts, dry_run=dry_run)
