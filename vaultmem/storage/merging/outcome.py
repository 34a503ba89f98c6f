"""What a merge comes to: the note, what a person should look at, versions kept beside it."""

from __future__ import annotations

from vaultmem.base.records import dataclass

CONFLICT_TEXT = "conflict-text"
CONFLICT_FIELD = "conflict-field"
CONFLICT_DELETED = "conflict-deleted"
CONFLICT_COPY = "conflict-copy"
BY_RULE = "merged-by-rule"


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """Something a person should look at. Codes that begin with 'conflict' ask a question."""

    code: str
    message: str

    @property
    def is_question(self) -> bool:
        """Whether a person has to decide; a rule has decided the others."""
        return self.code.startswith("conflict")


@dataclass(frozen=True, slots=True, kw_only=True)
class Copy:
    """A version that could not be merged, to be kept beside the note."""

    suffix: str  # goes before the ending of the file's name; the same bytes have the same one
    content: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Merged:
    """The result of a merge."""

    content: bytes | None  # None: the note does not exist
    notices: tuple[Notice, ...] = ()
    copies: tuple[Copy, ...] = ()
