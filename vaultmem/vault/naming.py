"""Find the note a person means: an id, a path, a file name, a stream, a category."""

from __future__ import annotations

from pathlib import PurePosixPath

from vaultmem.base import TYPE_CHECKING, BadInputError, Protocol, UnknownNoteError
from vaultmem.model import NoteRow

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from vaultmem.model import Found, Passage, Problem
    from vaultmem.storage.index import Quoting
    from vaultmem.vault.vault import Vault

MIN_PREFIX = 4  # characters of an id that may stand for it


class Notes(Protocol):
    """What the index and a view of the past can both be asked."""

    def note(self, path: PurePosixPath) -> NoteRow | None:
        """The note at a path."""

    def notes(self, paths: Iterable[PurePosixPath]) -> dict[PurePosixPath, NoteRow]:
        """The notes at these paths."""

    def notes_with_id(self, id_: str) -> tuple[NoteRow, ...]:
        """Notes with this id."""

    def notes_with_id_prefix(self, prefix: str) -> tuple[NoteRow, ...]:
        """Notes whose id begins so."""

    def note_count(self) -> int:
        """How many notes there are."""

    def passages(self, path: PurePosixPath) -> tuple[Passage, ...]:
        """The passages of a note."""

    def problems(self) -> tuple[Problem, ...]:
        """Problems found in notes."""

    def resolve_link(self, target: str) -> NoteRow | None:
        """The note that a link means."""

    def backlinks(self, row: NoteRow) -> tuple[NoteRow, ...]:
        """Notes that link to a note."""

    def quoting(
        self, found: Iterable[Found]
    ) -> Mapping[tuple[PurePosixPath, int], tuple[Quoting, ...]]:
        """Items that quote these passages."""


def find_note(
    vault: Vault, ref: str, *, among: Notes | None = None, is_past: bool = False
) -> NoteRow:
    """The note that `ref` names: a path, an id (or the start of one), a file name or a link.

    among  notes of another time (is_past: as a commit held them); None: those of now
    raises UnknownNoteError  nothing has that name
           BadInputError     several notes have it; the hint lists them
    """
    index: Notes = vault.index if among is None else among
    wanted = ref.strip().strip("[]").split("|")[0].split("#")[0].strip()
    if not wanted:
        raise BadInputError("no note named", hint="give an id, a path or a file name")
    if "\\" in wanted and index.note(PurePosixPath(wanted)) is None:
        wanted = wanted.replace("\\", "/")  # a path as Windows writes it
    for path in (wanted, f"{wanted}.md"):
        row = index.note(PurePosixPath(path))
        if row is not None:
            return row
    rows = index.notes_with_id(wanted)
    if not rows and len(wanted) >= MIN_PREFIX and wanted[:2] in ("i-", "r-"):
        rows = index.notes_with_id_prefix(wanted)
    if len(rows) > 1:
        raise BadInputError(
            f"'{ref}' names {len(rows)} notes",
            hint="give the path: " + ", ".join(f"'{row.path}'" for row in rows[:4]),
        )
    found = rows[0] if rows else index.resolve_link(wanted)
    if found is None and is_past:
        raise UnknownNoteError(
            f"no note was called '{ref}' then",
            hint="`vaultmem search` finds notes by their words, with `--known-at` those of then",
        )
    if found is None:
        raise UnknownNoteError(
            f"no note is called '{ref}'", hint="`vaultmem search` finds notes by their words"
        )
    return found
