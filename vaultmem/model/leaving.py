"""Carrying a memory elsewhere: the name of the format, and the reports of export, import, clear."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from vaultmem.base import dataclass, field
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
    agent_files: int = 0  # what assistants wrote
    kept: tuple[PurePosixPath, ...] = ()  # lists with words of the person's, and their own pages
    commit: str | None = None  # None: a dry run, or nothing to take out
    dry_run: bool = False

    @property
    def is_nothing(self) -> bool:
        """Whether there was nothing to take out."""
        found = self.items, self.resources, self.bullets, self.categories, self.agent_files
        return not any(found)


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
class ExportDocument:
    """What a document holds, whatever format it came in."""

    vault: str  # id of the vault that it was made of; '': not told
    zone: str  # in which its dates without a time are meant; '': not told
    state_at: int | None  # record time of its last commit, UTC ms
    notes: tuple[CarriedNote, ...]
    skipped: tuple[Skipped, ...]
    former: Mapping[str, frozenset[str]]  # by id: blobs of what the note said before
    earlier: frozenset[str] = frozenset()  # blobs of the earlier texts that are in it
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
    left_earlier: int = 0  # earlier texts that are not of this vault: they stay in the document
    warnings: tuple[str, ...] = ()
    commit: str | None = None  # None: a dry run, or nothing new
    dry_run: bool = False


# What was taken in of other programs' exports.


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedRecord:
    """What became of one conversation, memory or page of another program."""

    product: str  # as people call it; '': nobody knows
    kind: str  # conversation, memory, page; file: of one that could not be read as a whole
    name: str  # its title, else its first words or its id
    file: str  # in which it stood
    what: str  # added, grown, unchanged, skipped
    why: str = ""  # it was skipped
    is_expected: bool = False  # nothing is lost by skipping it: nobody said anything in it
    date: int | None = None  # UTC ms, None: unknown
    read: int = 0  # messages
    kept: int = 0  # of them in the text, with those of other branches
    left: Mapping[str, int] = field(default_factory=dict)  # why messages are not kept -> how many
    items: int = 0  # new ones that were found in it
    known: int = 0  # what it says and was known already
    waiting: int = 0  # of these, what waits for the person
    paths: tuple[PurePosixPath, ...] = ()  # of its texts; a dry run: of what would be written
    removed: tuple[Removed, ...] = ()  # secrets and personal data that were not written


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedProducts:
    """What became of exports of other programs, record by record in the order they were met."""

    records: tuple[ImportedRecord, ...]
    passed: int = 0  # files that are no export that is known, beside those that are
    commit: str | None = None  # the last one; None: a dry run, or nothing new
    dry_run: bool = False

    def count(self, what: str, kind: str = "") -> int:
        """How many records were added, grown, unchanged or skipped, all or of a kind."""
        return sum(each.what == what and kind in ("", each.kind) for each in self.records)

    @property
    def has_problems(self) -> bool:
        """Whether something could not be read that somebody may miss."""
        return any(each.what == "skipped" and not each.is_expected for each in self.records)


# What was forgotten, or would be: reports of `forget` and of `forget --purge`.


@dataclass(frozen=True, slots=True, kw_only=True)
class ForgottenNote:
    """A note that goes."""

    path: PurePosixPath
    id: str  # '' for a note without one
    type: str  # item or resource
    text: str  # what it says, shortened


@dataclass(frozen=True, slots=True, kw_only=True)
class Holding:
    """A note that stays although it holds (part of) what was said."""

    path: PurePosixPath
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Forgotten:
    """What `forget` took out of the memory; the history keeps it."""

    notes: tuple[ForgottenNote, ...] = ()
    lists: tuple[PurePosixPath, ...] = ()  # streams and categories that lost lines
    holding: tuple[Holding, ...] = ()  # what still says it
    asked: str = ""  # why a person is asked first; '': it is not that much
    commit: str | None = None  # None: nothing went
    dry_run: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class AgedNote:
    """A note that is kept for longer than was wished."""

    path: PurePosixPath
    id: str
    type: str  # item or resource
    text: str  # what it says, shortened
    age_days: float  # since the vault has it


@dataclass(frozen=True, slots=True, kw_only=True)
class Aged:
    """What `forget --aged` would take out, the oldest first."""

    notes: tuple[AgedNote, ...] = ()
    exempt: int = 0  # as old, but pinned, hard, or the source of what is
    days: int = 0  # from which it is too old; 0: never


@dataclass(frozen=True, slots=True, kw_only=True)
class Purged:
    """What `forget --purge` erased, or would erase, and the proof that nothing of it is left."""

    notes: tuple[ForgottenNote, ...] = ()  # that go whole, with every version
    passages: int = 0  # texts that were looked for everywhere
    short: int = 0  # texts too short for that: erased with their notes, bullets and lines only
    files: tuple[PurePosixPath, ...] = ()  # that stay, without a passage or a line
    commits: int = 0  # that get another id
    of_commits: int = 0
    messages: int = 0  # of commits and tags, that said it
    refs: tuple[str, ...] = ()  # that move
    stores: tuple[str, ...] = ()  # what else is cleared
    remotes: tuple[str, ...] = ()  # that may still hold it
    left: tuple[Holding, ...] = ()  # files that are not ours to change, and hold it
    scanned: int = 0  # objects and files that were searched in the end
    places: tuple[str, ...] = ()  # where it was still found: empty is the proof
    forms: tuple[str, ...] = ()  # in which it was searched for, where it was searched for
    not_searched: str = ""  # what no search for words can look into
    commit: str | None = None  # that says so; None: nothing was erased
    dry_run: bool = False

    @property
    def is_something(self) -> bool:
        """Whether anything that is still in use holds it."""
        return bool(self.notes or self.files or self.messages or self.refs)

    @property
    def is_nothing(self) -> bool:
        """Whether nothing holds it, in use or left over; known only when all was searched."""
        return not (self.is_something or self.places or self.left) and self.scanned > 0
