"""The part of `Memory` that carries a memory elsewhere, brings one in, and empties one."""

from __future__ import annotations

from pathlib import Path
from typing import IO, TYPE_CHECKING

from vaultmem.api.opened import OwnedParts

if TYPE_CHECKING:
    from vaultmem.model.leaving import Cleared, Exported, Imported
    from vaultmem.model.ports import Progress


class CarryingMemory(OwnedParts):
    """What taking a memory with you needs; the rest is in `Memory`."""

    def export(
        self,
        target: str | Path | IO[bytes],
        *,
        since: int | str | None = None,
        force: bool = False,
        progress: Progress | None = None,
    ) -> Exported:
        """Write the memory into one JSON document (docs/carrying.md); the vault is not changed.

        target  a file, written whole or not at all, or a binary stream
        since   only what was recorded from this instant on (UTC ms, or a text such as 'last week'),
                or is not committed yet
        force   write over a file that is there
        raises  CannotCreateError, BadInputError for a place of the vault's own, StaleFileError,
                HistoryIncompleteError for `since` in a shallow clone
        """
        from vaultmem.transfer.export import export

        place = Path(target) if isinstance(target, str) else target
        return export(
            self._parts, place, since=self._instant(since), force=force, progress=progress
        )

    def import_from(
        self,
        source: str | Path | bytes,
        *,
        writer: str = "import",
        secrets: str | None = None,
        dry_run: bool = False,
        progress: Progress | None = None,
    ) -> Imported:
        """Take in a document that `export` wrote, in one commit; twice is as once.

        source   a file, or the document itself
        writer   who vouches for it: person, agent, import or web (`vaultmem help trust`)
        secrets  what to do about secrets in it: block, redact, allow; None: as the settings say
        dry_run  change nothing, only say what would be done
        raises   BadInputError when nothing of it can be read; entries that cannot be used are
                 skipped and named
        """
        from vaultmem.transfer.importing import import_document
        from vaultmem.transfer.read import read_file

        data = source if isinstance(source, bytes) else read_file(Path(source))
        return import_document(
            self._parts, data, writer=writer, secrets=secrets, dry_run=dry_run, progress=progress
        )

    def clear(self, *, dry_run: bool = False) -> Cleared:
        """Take all items and resources out, with their lines in streams and categories.

        One commit, which `undo` takes back; the history still has all of it. What the person wrote
        between those lines, and pages of their own, stay.
        dry_run  change nothing, only count
        raises   UncommittedError: a file that would go has words that are in no commit
        """
        from vaultmem.forget.clear import clear

        return clear(self._parts, dry_run=dry_run)
