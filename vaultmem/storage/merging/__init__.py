"""Three versions of a note become one: pure functions, bytes in and bytes out."""

from vaultmem.storage.merging.note import merge_note
from vaultmem.storage.merging.result import Copy, Merged, Notice

__all__ = ["Copy", "Merged", "Notice", "merge_note"]
