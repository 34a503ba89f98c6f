"""Three versions of a note become one: pure functions, bytes in and bytes out."""

from vaultmem.vault.merging.note import merge_note
from vaultmem.vault.merging.outcome import Copy, Merged, Notice

__all__ = ["Copy", "Merged", "Notice", "merge_note"]
