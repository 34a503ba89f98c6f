"""Carrying a memory elsewhere: the name of the format, and the reports of export, import, clear."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from types import MappingProxyType

from vaultmem.base.records import dataclass
from vaultmem.model.reports import Removed

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
    attached: int = 0  # files of conversations that are no notes
    versions: int  # entries of the history
    texts: int = 0  # earlier texts of items, in full
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


@dataclass(frozen=True, slots=True, kw_only=True)
class CarriedNote:
    """One note of a document, as it came."""

    place: str  # in the document: 'items[3]'
    section: str
    path: PurePosixPath
    data: bytes
    id: str = ""  # as the document says
    trust: str = ""  # as the document says; lowers how far the note is believed, never raises it
    writer: str = ""
    recorded_at: int | None = None  # UTC ms; None: not committed where it comes from


@dataclass(frozen=True, slots=True, kw_only=True)
class Attached:
    """A file of a conversation that is no note, as it came: an artifact, an agent's state."""

    place: str  # in the document: 'attached[3]'
    path: PurePosixPath
    data: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Skipped:
    """An entry of a document that was not taken in, and why."""

    place: str
    why: str
    path: str = ""  # as the document says


@dataclass(frozen=True, slots=True, kw_only=True)
class EarlierVersion:
    """What an item said in another vault before it said something else, as its document tells."""

    id: str
    blob: str  # Git's name of its bytes
    vault: str = ""  # that recorded it; '': not told
    commit: str = ""
    recorded_at: int | None = None  # there, UTC ms
    superseded_at: int | None = None  # there, UTC ms
    op: str = ""
    actor: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """What a document holds, whatever format it came in."""

    vault: str  # id of the vault that it was made of; '': not told
    zone: str  # in which its dates without a time are meant; '': not told
    state_at: int | None  # record time of its last commit, UTC ms
    notes: tuple[CarriedNote, ...]
    skipped: tuple[Skipped, ...]
    former: Mapping[str, frozenset[str]]  # by id: blobs of what the note said before
    earlier: tuple[EarlierVersion, ...] = ()  # versions of items that ended
    texts: Mapping[str, bytes] = MappingProxyType({})  # by blob: of `earlier`
    attached: tuple[Attached, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Taken:
    """A note that was written."""

    what: str  # added, updated
    path: PurePosixPath
    id: str = ""
    review: str = ""  # why it waits for the person; '': it does not


@dataclass(frozen=True, slots=True, kw_only=True)
class Conflict:
    """A note that says one thing here and another in the document."""

    place: str
    path: PurePosixPath  # of the note here
    id: str = ""
    kept: str  # 'here', or 'imported': the words here are in the history then
    here: str  # what it says here, shortened
    imported: str  # what the document says, shortened
    copy: PurePosixPath | None = None  # where the imported text lies now; None: nowhere here
    differs: tuple[str, ...] = ()  # front-matter keys that are not the same, by name


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported:
    """What became of the notes of a document."""

    vault: str  # id of the vault it was made of; '': not told
    writer: str
    taken: tuple[Taken, ...] = ()
    unchanged: int = 0  # notes that say the same here, or something newer
    conflicts: tuple[Conflict, ...] = ()
    left: tuple[PurePosixPath, ...] = ()  # lists and pages in words that are not the person's
    skipped: tuple[Skipped, ...] = ()
    removed: tuple[Removed, ...] = ()  # secrets and personal data that were not written
    attached: tuple[PurePosixPath, ...] = ()  # files of conversations that were written
    lists: tuple[PurePosixPath, ...] = ()  # streams and categories that changed for it
    earlier: int = 0  # versions of before that were kept for `history`
    warnings: tuple[str, ...] = ()
    commit: str | None = None  # None: a dry run, or nothing new
    dry_run: bool = False
