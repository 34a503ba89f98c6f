"""Sentences of a summary when two devices meet: those of one device, and only what still stands.

They are derived from the lines below them, so there is nothing to ask a person: two devices that
summarised the same list wrote two wordings of one thing.
"""

from __future__ import annotations

from vaultmem.base import PatchRefusedError, dataclass
from vaultmem.storage.notes import read_lines, read_summary, read_told, replace_told

Told = tuple[tuple[str, tuple[str, ...]], ...]


def without(data: bytes | None) -> bytes | None:
    """A category without its sentences; as it is where it has none, or marks that do not pair."""
    return replace_told(data, ()) if data is not None and read_told(data) else data


def put_back(content: bytes, base: bytes | None, late: bytes, early: bytes) -> bytes:
    """The merged category with the sentences of the side that changed them; of the later one,
    when both did.

    Left out are those of which an item is listed no more, or in other words.
    """
    before, one, other = (read_told(data or b"") for data in (base, late, early))
    source = early if one == before else late
    told = other if one == before else one
    try:
        then = dict(_linked_statements(source))
        now = dict(_linked_statements(content))
        standing = [
            (text, targets)
            for text, targets in told
            if all(target in now and now[target] == then.get(target) for target in targets)
        ]
        return replace_told(content, standing) if standing else content
    except PatchRefusedError:
        return content


def _linked_statements(data: bytes) -> list[tuple[str, str]]:
    """(link target, statement) of the lines of a category."""
    return [(target, statement) for statement, target in read_lines(read_summary(data))]


# What a merge comes to: the note, what a person should look at, versions kept beside it.

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
