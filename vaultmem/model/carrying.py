"""What carrying a memory elsewhere answers: the reports of export, import and clear."""

from __future__ import annotations

from pathlib import PurePosixPath

from vaultmem.frozen import dataclass


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
