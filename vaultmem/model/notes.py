"""What a vault holds: items, resources, categories, streams, pages; and problems found in them.

Times are UTC milliseconds. Paths are relative to the vault. An open end of validity is None.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from pathlib import PurePosixPath

from vaultmem.base import dataclass, field, late
from vaultmem.model.ids import Oid

KINDS = (
    "fact",
    "preference",
    "decision",
    "belief",
    "event",
    "task",
    "procedure",
    "rule",
    "reflection",
)
STREAMS = ("identity", "projects", "tasks", "flow")
STATUSES = ("active", "superseded", "expired", "retracted", "archived", "candidate")
CRITICAL_KINDS = ("health", "safety", "limit")  # what a memory is about that nobody may overlook
RELATIONS = ("causes", "follows_from", "context_of", "contradicts", "may_replace", "related")
TODAY_MARK = "vaultmem:begin today"
"""In the line that begins the block of a daily note (storage/notes/today_block.py)."""
MEMORY_TYPES: Mapping[str, str] = {
    "event": "episodic",
    "fact": "semantic",
    "preference": "semantic",
    "decision": "semantic",
    "belief": "semantic",
    "reflection": "semantic",
    "procedure": "procedural",
    "rule": "procedural",
    "task": "task",
}


class Severity(StrEnum):
    """How much a problem matters: an error keeps (part of) a note from being used."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """Something wrong in a person's file, with its place and what to do about it."""

    path: PurePosixPath
    code: str  # stable, kebab-case, documented in docs/problems.md
    message: str  # lower case, no final period
    line: int | None = None  # 1-based; None: the file as a whole
    hint: str = ""
    severity: Severity = Severity.ERROR
    fixable: bool = False  # `vaultmem check --fix` can mend it mechanically


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """Any Markdown file the program reads. `body` is the text below the front matter."""

    path: PurePosixPath
    oid: Oid
    title: str
    body: str
    body_line: int = 1  # 1-based line of the file on which the body begins
    tags: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    fields: Mapping[str, str | tuple[str, ...]] = field(default_factory=dict)  # unknown keys


@dataclass(frozen=True, slots=True, kw_only=True)
class Item(Note):
    """One atomic memory. The statement is the first paragraph of the body."""

    id: str  # '' while a person's own note has none yet
    kind: str = "fact"
    statement: str
    stream: str | None = None  # None: in no stream
    categories: tuple[str, ...] = ()
    projects: tuple[str, ...] = ()  # in which it was told (model/projects.py); (): in none
    subject: str = ""
    predicate: str = ""
    object: str = ""
    valid_from: int | None = None  # None: since ever
    valid_until: int | None = None  # None: still holds
    due: int | None = None  # by or at which moment it is to be done or takes place
    status: str = "active"
    supersedes: tuple[str, ...] = ()  # link targets, brackets removed
    superseded_by: tuple[str, ...] = ()
    source: tuple[str, ...] = ()
    quote: str = ""
    said_after: str = ""  # own words just before it, without which it cannot be understood
    asked: str = ""  # the question of an assistant that it answers, none of the person's words
    importance: int = 1  # 1..10
    critical: str = ""  # one of CRITICAL; '': not so much
    confidence: float | None = None  # 0..1 at confidence_at; None: never set
    confidence_at: int | None = None
    pinned: bool = False
    hard: bool = False
    writer: str = ""
    trust: str = ""  # as the note claims; what it is worth is decided by the history
    review: str = ""  # why the person has to look at it first; '': need not
    observed: str = ""
    entities: tuple[str, ...] = ()
    links: tuple[tuple[str, str], ...] = ()  # (relation, link target)


@dataclass(frozen=True, slots=True, kw_only=True)
class Resource(Note):
    """A raw input, verbatim and immutable; `body` is the text that its id is the hash of."""

    id: str
    date: int | None = None  # when the text itself was written or said, if known
    origin: str = ""  # a file name, a URL, 'stdin', 'conversation'
    writer: str = ""
    projects: tuple[str, ...] = ()  # as those of an item
    trust: str = ""  # as the note claims
    defanged: bool = False  # active content is marked in the file; `body` is without the marks


@dataclass(frozen=True, slots=True, kw_only=True)
class Category(Note):
    """A topic note: an evolving summary (managed block) and the person's own prose."""

    slug: str
    summary: str = ""  # text inside the managed block; '' when there is none


@dataclass(frozen=True, slots=True, kw_only=True)
class Bullet:
    """One line of a stream file; what is indented below it is the person's."""

    text: str  # the statement: marker, checkbox and block id removed
    block_id: str | None  # None: not adopted yet
    line: int  # 1-based
    checked: bool | None = None  # None: no checkbox
    section: str = ""  # nearest heading above
    joined: tuple[str, ...] = ()  # block ids of bullets that were joined to this one


@dataclass(frozen=True, slots=True, kw_only=True)
class Stream(Note):
    """A stream file: bullets a person reads and edits."""

    name: str  # one of STREAMS
    device: str = ""  # only for flow
    bullets: tuple[Bullet, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Page(Note):
    """Any other note: searchable, never written (an `include`d or quarantined file)."""

    quarantined: bool = False


Record = Item | Resource | Category | Stream | Page


@dataclass(frozen=True, slots=True, kw_only=True)
class Decoded:
    """What one file gave: a record (None: not text at all) and the problems in it."""

    path: PurePosixPath
    record: Record | None
    problems: tuple[Problem, ...] = ()


# What scans of the working tree saw, packed so that comparing it again is cheap.

STAT_BYTES = 4 * 8
"""Bytes of one file in `FolderState.stats`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FolderState:
    """One folder: its direct files and their stat, in the order of `names`.

    stats  array('Q') bytes, four numbers a file: mtime_ns, ctime_ns, size, inode.
           A file changed so recently that a later edit could hide behind the same numbers
           has the highest bit of its size set, which no stat has, so the next scan reads it
           again (git calls such a file racily clean). Four zeros: it was never seen.
    """

    path: str  # POSIX, relative to the vault
    mtime_ns: int
    names: tuple[str, ...]
    folders: tuple[str, ...]  # names of subfolders
    stats: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class FileState:
    """What the index holds of one file: the bytes on disk and those of the last commit."""

    path: str
    oid: str  # '' when the file is gone from disk
    head_oid: str  # '' when HEAD does not have the file


@dataclass(frozen=True, slots=True, kw_only=True)
class Scan:
    """What a scan found. Paths are POSIX, relative to the vault, sorted.

    A changed file is one whose content may differ: its hash decides. What became too large is
    in `oversize` and neither changed nor removed. Problems and ignored names are those of the
    folders in `listed`; the other folders hold what they held at the last scan.
    """

    changed: tuple[str, ...] = ()
    touched: tuple[str, ...] = ()  # of these, those whose numbers are others than at the last scan
    new_folders: tuple[str, ...] = ()  # that the last scan did not know
    removed: tuple[str, ...] = ()
    oversize: tuple[str, ...] = ()
    folders: tuple[FolderState, ...] = ()  # new states, of the folders that differ
    gone_folders: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()
    listed: tuple[str, ...] = ()
    ignored: Mapping[str, int] = field(default_factory=dict)  # rule -> names left out by it
    files: int = 0  # known and found, in all folders

    @property
    def is_clean(self) -> bool:
        """Nothing differs from the last scan, not even a folder to remember."""
        return not (self.changed or self.removed or self.folders or self.gone_folders)


# The sentence that stands for a conversation that ended, and how it is known again.

BEGAN = "; it began with: "
HELD = "; in the end held: "
_DAY = late(r"(Conversation '[^\n]*') on \d{4}-\d\d-\d\d(?=, \d+ turn)")
_SENTENCE = late(r"(?<=[.!?])\s+")
_SHAPE_BEGINS = "Conversation '"
_SHAPE = late(r"Conversation '[^\n]*'(?: on \d{4}-\d\d-\d\d)?, \d+ turns?(?:[;.…]|\Z)")


def beginning(title: str, day: str, turns: int) -> str:
    """How the statement of an episode begins; day: YYYY-MM-DD, '' when nobody knows."""
    when = f" on {day}" if day else ""
    return f"Conversation '{title}'{when}, {turns} turn{'s' if turns > 1 else ''}"


def is_episode(statement: str) -> bool:
    """Whether a statement begins as those of conversations do."""
    return statement.startswith(_SHAPE_BEGINS) and _SHAPE.match(statement) is not None


def only_asks(statement: str) -> bool:
    """Whether an episode tells no more than the question that it began with."""
    begun, _, held = statement.partition(HELD)
    _, _, said = begun.partition(BEGAN)
    told = [each for each in _SENTENCE.split(said.strip()) if each]
    return not held and bool(told) and all(each.rstrip("…").endswith("?") for each in told)


def as_line(statement: str, is_over: Callable[[str], bool]) -> str:
    """An episode as one line among memories, whose date it need not say.

    What held in the end is told by memories of their own for as long as it holds; of the words that
    it began with those are left out that are over.
    """
    begun, _, _ = statement.partition(HELD)
    head, mark, said = begun.partition(BEGAN)
    kept = " ".join(each for each in _SENTENCE.split(said) if not is_over(each))
    return _DAY.sub(r"\1", head, count=1) + (f"{mark}{kept}" if kept else "")
