"""What a note that comes means beside what is here: new, the same, newer, older, or a conflict.

A note is known by its id, one without an id by its path. Two texts of one note are put in order
by their histories where those tell (one is what the other was before), else by the times at which
they were recorded. What is newer here is never written over, and what is believed more here is
never changed by what is believed less.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from vaultmem.base.errors import HistoryIncompleteError
from vaultmem.base.records import NamedTuple
from vaultmem.model.ids import blob_oid
from vaultmem.model.notes import Resource
from vaultmem.model.trust import is_below
from vaultmem.transfer.judge import Coming
from vaultmem.transfer.sessions import trust_of_session

if TYPE_CHECKING:
    from vaultmem.model.history import Version
    from vaultmem.model.leaving import Conflict, Document, Taken
    from vaultmem.storage.index.past.database import Past
    from vaultmem.vault.plan import Workbench
    from vaultmem.vault.vault import Parts

ADD, SAME, OLDER, UPDATE = "add", "same", "older", "update"
_SHOWN = 90  # characters of a statement
KEEP, REPLACE = "keep", "replace"  # of a conflict: what is here stays, or gives way


class Decision(NamedTuple):
    """What to do about a note, and where it lies here."""

    what: str
    path: PurePosixPath


def source_trailer(document: Document) -> str:
    """What the commit of an import says of where its notes come from."""
    from vaultmem.vault.apply import iso_ms

    at = iso_ms(document.state_at) if document.state_at is not None else "unknown"
    return f"export {document.vault or 'unknown'} {at}"


def zone_warning(document: Document, zone: str) -> tuple[str, ...]:
    """What a person has to know about the dates of a document of another zone."""
    if document.zone in ("", zone):
        return ()
    return (f"its dates without a time are meant in '{document.zone}', and read in '{zone}' here",)


def import_subject(
    document: Document, taken: Sequence[Taken], conflicts: Sequence[Conflict]
) -> str:
    """The subject of the commit of an import."""
    from vaultmem.model.wording import counted, listed

    met = counted(len(conflicts), "conflict") if conflicts else ""
    said = listed([counted(len(taken), "note"), met])
    return f"import: {said} from {document.vault or 'an export'}"


class Deciding:
    """Holds the notes of one document against the vault."""

    def __init__(
        self, parts: Parts, bench: Workbench, document: Document, past: Past | None
    ) -> None:
        self._parts = parts
        self._bench = bench
        self._document = document
        self._past = past
        self._now = parts.clock.now()

    def decide(self, coming: Coming) -> Decision:
        """What to do about a note, which is not a list."""
        rows = self._parts.index.notes_with_id(coming.id) if coming.id else ()
        path = rows[0].path if rows else coming.path
        if coming.id and not rows:
            return Decision(ADD, path)
        here = self._bench.text(path)
        if here is None:
            return Decision(ADD, path)
        is_fixed = bool(coming.id) and isinstance(coming.record, Resource)  # its text is its id
        if is_fixed or here in (coming.data, coming.fit.note.data):
            return Decision(SAME, path)
        trust = rows[0].trust if rows else trust_of_session(path, here)
        return Decision(self._compare(coming, path, here, trust=trust), path)

    def _compare(self, coming: Coming, path: PurePosixPath, here: bytes, *, trust: str) -> str:
        if coming.is_own:
            return OLDER  # the history has it, and something else came after it
        if is_below(coming.trust, trust):
            return KEEP
        versions = self._versions(coming, path)
        current = versions[-1] if versions and versions[-1].superseded_at_ms is None else None
        oid = blob_oid(here, algorithm=self._parts.history.algorithm)
        if current is not None and current.oid != oid:
            current = None  # edited, and not committed yet
        order = self._order_of_imports(current)
        if order is not None:  # nobody has touched it since it came from there
            return UPDATE if order else OLDER
        if oid in self._document.former.get(coming.id, frozenset()):
            return UPDATE
        recorded = coming.fit.note.recorded_at
        is_newer = (
            current is not None
            and recorded is not None
            and min(recorded, self._now) > current.recorded_at_ms
        )
        return REPLACE if is_newer else KEEP

    def _versions(self, coming: Coming, path: PurePosixPath) -> tuple[Version, ...]:
        if self._past is None:
            return ()
        if coming.id:
            return self._past.versions(id=coming.id)
        return self._past.versions(path=path.as_posix())

    def _order_of_imports(self, current: Version | None) -> bool | None:
        """Whether the document is newer than the one that brought what is here.

        None: what is here did not come from that vault, or was touched since.
        """
        if current is None or current.op != "import" or not self._document.vault:
            return None
        word, vault, at = (*current.commit_source.split(" "), "", "", "")[:3]
        if word != "export" or vault != self._document.vault:
            return None
        return source_trailer(self._document).split(" ")[2] > at


def past_of(parts: Parts) -> Past | None:
    """The versions of all notes; None where a clone was cut so that they cannot be read.

    Where git fails they are not unknown: without them an older text would replace a newer one.
    """
    from vaultmem.history import versions as past

    try:
        return past.level(parts)
    except HistoryIncompleteError:
        return None


def gist(data: bytes) -> str:
    """The first words of a note's text."""
    from vaultmem.model.wording import shortened
    from vaultmem.storage.notes.frontmatter import read

    body = read(data, PurePosixPath("note.md")).body
    return shortened(body, _SHOWN)


def differing(here: bytes, imported: bytes) -> tuple[str, ...]:
    """Front-matter keys whose values are not the same in two texts of a note, by name."""
    from vaultmem.storage.notes.frontmatter import read

    one, other = (read(data, PurePosixPath("note.md")).values for data in (here, imported))
    return tuple(sorted(key for key in {*one, *other} if one.get(key) != other.get(key)))
