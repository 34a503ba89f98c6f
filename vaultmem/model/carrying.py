"""Carrying a memory elsewhere: the name of the format, and the reports of export, import, clear."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from vaultmem.frozen import dataclass

SCHEMA = "vaultmem.export"
SCHEMA_VERSION = 1
SECTIONS: Mapping[str, str] = {
    "resources": "resource",
    "items": "item",
    "categories": "category",
    "streams": "stream",
    "pages": "page",
}
"""Lists of notes in a document, in order, and the type of the notes in each."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Exported:
    """What an export holds, and what it leaves out."""

    file: Path | None  # None: standard output
    notes: Mapping[str, int]  # by section
    versions: int  # entries of the history
    bytes: int
    commit: str | None  # the last one; None: the vault has no commit
    since: int | None = None  # only what was recorded from this instant (UTC ms) on
    is_complete: bool = True  # the history begins where the vault did (no shallow clone)
    held_back: tuple[PurePosixPath, ...] = ()  # uncommitted notes with a secret: as last committed


@dataclass(frozen=True, slots=True, kw_only=True)
class Cleared:
    """What was taken out of the vault (a dry run: would be); the history still has all of it."""

    items: int
    resources: int
    bullets: int  # lines of streams
    categories: int  # files that held nothing but what the program wrote
    kept: tuple[PurePosixPath, ...] = ()  # lists with words of the person's, and their own pages
    commit: str | None = None  # None: a dry run, or nothing to take out
    dry_run: bool = False

    @property
    def is_nothing(self) -> bool:
        """Whether there was nothing to take out."""
        return not (self.items or self.resources or self.bullets or self.categories)
