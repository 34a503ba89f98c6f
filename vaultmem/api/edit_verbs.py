"""A note in an editor."""

from __future__ import annotations

from pathlib import Path

from vaultmem import check, edit
from vaultmem.api.opened import Facet
from vaultmem.base import TYPE_CHECKING

if TYPE_CHECKING:
    from vaultmem.model import Edited


class Edit(Facet):
    """`memory.edit`: the file of a note, and what became of it."""

    def file_of(self, ref: str) -> Path:
        """The file of a note, for an editor."""
        return check.file_of(self._parts, ref)

    def take_in(self, path: Path) -> Edited:
        """Take in what an editor did to the file: commit it, and say what is wrong with it."""
        return edit.take_in_edit(self._parts, path)
