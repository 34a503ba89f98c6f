"""What operations answer: plain data that a command line prints and a program reads."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath

from vaultmem.base import dataclass, overload
from vaultmem.model.answers import Later, Moment, NoteRow, Passage, Ranking
from vaultmem.model.drafts import Rejected
from vaultmem.model.notes import Problem


class Paths(Sequence[PurePosixPath]):
    """Paths of a report, each made of its text when it is looked at; equal to a tuple of them.

    Of 122,000 uncommitted notes they took two thirds of a `sync`, and people read ten of them.
    """

    __slots__ = ("_texts",)

    def __init__(self, texts: Sequence[str]) -> None:
        self._texts = texts

    @overload
    def __getitem__(self, place: int) -> PurePosixPath: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[PurePosixPath, ...]: ...
    def __getitem__(self, place: int | slice) -> PurePosixPath | tuple[PurePosixPath, ...]:
        if isinstance(place, slice):
            return tuple(map(PurePosixPath, self._texts[place]))
        return PurePosixPath(self._texts[place])

    def __len__(self) -> int:
        return len(self._texts)

    def __iter__(self) -> Iterator[PurePosixPath]:
        return map(PurePosixPath, self._texts)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Paths | tuple) and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return repr(tuple(self))


@dataclass(frozen=True, slots=True, kw_only=True)
class InitReport:
    """A vault that was just made, or completed in a folder that held notes already."""

    root: Path
    name: str
    created: tuple[PurePosixPath, ...]  # files that init wrote
    found_notes: int  # Markdown files that were there before
    new_repository: bool
    commit: str | None  # None: nothing was missing
    problems: tuple[Problem, ...] = ()
    other_notes: int = 0  # Markdown files of the folder that are not read, `include` aside
    in_the_way: str | None = None  # a folder that many systems take for `categories`
    was_vault: bool = False  # it was completed, not made
    kept: tuple[PurePosixPath, ...] = ()  # asked for, and left as the person has them


@dataclass(frozen=True, slots=True, kw_only=True)
class RememberedItem:
    """One item of a remembered text, and what was done about it."""

    # add, reinforce, update (it says more now); known: it is believed more already, nothing changed
    outcome: str
    id: str
    path: PurePosixPath
    statement: str
    kind: str
    stream: str = ""
    categories: tuple[str, ...] = ()
    importance: int = 1
    valid_from: int | None = None
    due: int | None = None  # UTC ms
    quote: str = ""
    rule: str = ""
    writer: str = ""
    trust: str = ""
    review: str = ""  # why it waits for the person (`vaultmem review`); '': it does not
    effects: tuple[str, ...] = ()  # what it means for other items: which end, which contradict it


@dataclass(frozen=True, slots=True, kw_only=True)
class Removed:
    """Something that a placeholder was written for; what it was is not told."""

    kind: str  # 'aws access key', 'email', ...
    place: str  # text, title, source, category
    line: int | None = None  # 1-based, of the text as it was kept; None: not in the text
    is_personal: bool = False  # personal data, which a stable placeholder stands for


@dataclass(frozen=True, slots=True, kw_only=True)
class Remembered:
    """What became of one text."""

    resource: str  # resource id
    path: PurePosixPath  # of the resource
    title: str
    items: tuple[RememberedItem, ...] = ()
    rejected: tuple[Rejected, ...] = ()
    commit: str | None = None  # None: a dry run, or nothing to do
    subject: str = ""  # of the commit
    no_op: bool = False  # the same text was remembered before
    dry_run: bool = False
    files: tuple[PurePosixPath, ...] = ()  # what was (a dry run: would be) written
    writer: str = ""
    trust: str = ""  # of the text as a whole
    removed: tuple[Removed, ...] = ()  # secrets and personal data that were not written
    unseen: tuple[str, ...] = ()  # how own words hold what no screen shows; kept as they are
    read_by: str = ""  # the language model that read it; '': rules did
    without: str = ""  # why no model read it, though one was to; '': none was, or it did
    untied: str = ""  # why rules linked the items and no model did, though it read the text
    summaries: tuple[Evolved, ...] = ()  # of its categories, where a model writes them
    opinions: tuple[Opinion, ...] = ()  # of a model, on what rules leave open


@dataclass(frozen=True, slots=True, kw_only=True)
class Learned:
    """One thing that a person's edit changed in the memory."""

    what: str  # added, changed, moved, removed, adopted, ended, retracted, done, problem
    path: PurePosixPath
    text: str
    id: str = ""
    former: PurePosixPath | None = None  # where a moved note was; None: it was not moved


@dataclass(frozen=True, slots=True, kw_only=True)
class Embedded:
    """Vectors that were made of what the vault says."""

    model: str
    made: int = 0  # new ones
    vectors: int = 0  # there are
    failure: str = ""  # why none were made; '': nothing was in the way


@dataclass(frozen=True, slots=True, kw_only=True)
class DailyNote:
    """What became of the block in today's daily note."""

    path: PurePosixPath
    learned: int = 0  # memories of today; the block shows the first 30
    due: int = 0  # memories that are due; the same
    changed: bool = False  # it was written
    is_missing: bool = False  # there is no such note yet; none is made
    problem: str = ""  # why it is left as it is; '': nothing is in the way
    hint: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SyncReport:
    """What a sync found on disk and did about it."""

    scanned: int  # files looked at
    changed: tuple[PurePosixPath, ...] = ()
    removed: tuple[PurePosixPath, ...] = ()
    learned: tuple[Learned, ...] = ()
    commits: tuple[str, ...] = ()  # made by this sync: the person's edits, then adoptions
    pending: Sequence[PurePosixPath] = ()  # on disk, not committed yet
    problems: int = 0  # in the whole vault
    rebuilt: str = ""  # why the index was rebuilt; '': it was not
    waiting: str = ""  # why nothing was committed: a merge, a foreign lock; '': nothing in the way
    rewound: str = ""  # the history lost commits that this device recorded; '': it has them all
    embedded: Embedded | None = None  # None: embeddings are off
    unreadable: tuple[PurePosixPath, ...] = ()  # kept as last known: files, and whole folders
    daily_note: DailyNote | None = None  # None: the settings name none


@dataclass(frozen=True, slots=True, kw_only=True)
class Planned:
    """One thing that is about to be mended, or would be."""

    path: PurePosixPath
    what: str
    undo: str  # how it can be taken back


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckReport:
    """All problems of a vault, and those that were mended."""

    problems: tuple[Problem, ...]
    fixed: tuple[Problem, ...] = ()
    commit: str | None = None
    notes: int = 0
    plan: tuple[Planned, ...] = ()  # what was done, or (dry run) would be
    dry_run: bool = False
    deep: bool = False
    kept: Path | None = None  # folder with the originals of damaged files; None: none was moved


@dataclass(frozen=True, slots=True, kw_only=True)
class StatusReport:
    """A vault at a glance."""

    root: Path
    name: str
    notes: dict[str, int]  # by type
    items: dict[str, int]  # active items by kind
    streams: dict[str, int]  # active items by stream
    projects: dict[str, int]  # active items by project
    statuses: dict[str, int]  # items by status
    passages: int
    words: int  # vocabulary
    problems: dict[str, int]  # by severity
    pending: Sequence[PurePosixPath]
    head: str | None  # None: no commit yet
    branch: str | None  # None: detached
    last_commit: str  # subject
    last_commit_at: int | None
    waiting: str  # a merge or rebase in progress; '': none
    index_bytes: int
    vault_bytes: int
    git_bytes: int
    synced_at: int | None
    watcher: str  # 'running (pid N)', 'not running'
    review: int  # items that wait for the person (`vaultmem review`)
    state_folder: Path
    rewound: str = ""  # the history lost commits that this device recorded; '': it has them all
    anchored: bool = True  # this device keeps a ledger of what it recorded
    damage: str = ""  # why the history cannot be read; '': it can
    embeddings: str = "off"  # or by which model, and how many texts have a vector
    scale: str = "flat"  # flat, fts, hybrid or linked: by how many items hold (algorithms.md 5.11)
    rankings: tuple[Ranking, ...] = ()  # weights that judgements of answers taught, by preset
    open_sessions: int = 0  # conversations that go on
    unsummarised: int = 0  # turns of those that wait for a summary
    imports: str = ""  # why Python imports modules from the working folder; '': it does not


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """One note in full, with what it came from and what points to it."""

    note: NoteRow
    text: str  # the file as it is
    passages: tuple[Passage, ...]
    sources: tuple[NoteRow, ...]
    backlinks: tuple[NoteRow, ...]
    problems: tuple[Problem, ...]
    pending: bool
    moment: Moment | None = None  # the time that was asked about; None: now
    held: bool | None = None  # whether it held at the valid time of that moment; None: not asked
    later: tuple[Later, ...] = ()  # what came after, oldest first
    is_level: bool = True  # False: the files were not compared with the index (`--no-sync`)
    synced_at: int | None = None  # then: when it last took in what had changed (UTC ms)


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """What somebody said of an answer, and what it counts for."""

    note: str  # id; '': the note has none
    preset: str
    accepted: bool
    credit: tuple[tuple[str, float], ...]  # component, its share of the judgement
    judgements: int  # of this preset, so far
    needed: int  # from so many on, the weights are learned
    commit: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkedNote:
    """A note at the other end of a link."""

    relation: str  # of model.records.RELATIONS; 'link': a wikilink; 'source': it was taken from it
    note: NoteRow
    reason: str = ""  # of a proposal: why


@dataclass(frozen=True, slots=True, kw_only=True)
class Links:
    """What a note is linked with, among the notes that hold now."""

    note: NoteRow
    outgoing: tuple[LinkedNote, ...]
    incoming: tuple[LinkedNote, ...]
    entities: tuple[str, ...]  # that it names, folded
    proposed: tuple[LinkedNote, ...]  # that could be added, most alike first


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """One commit of the audit trail."""

    commit: str
    at: int  # UTC ms, record time
    op: str  # Vaultmem-Op, 'git' for a commit that vaultmem did not make
    actor: str
    subject: str
    items: tuple[str, ...] = ()
    paths: tuple[PurePosixPath, ...] = ()
    undone_by: str = ""  # commit that took it back


@dataclass(frozen=True, slots=True, kw_only=True)
class Undone:
    """An operation that was taken back, or a note that was restored, by a new commit."""

    commit: str
    subject: str
    undid: str  # commit that was undone (of several, the newest) or restored from
    paths: tuple[PurePosixPath, ...]
    taken_back: tuple[str, ...] = ()  # all commits that were undone, newest first


@dataclass(frozen=True, slots=True, kw_only=True)
class Edited:
    """What a person's edit of one note came to."""

    path: PurePosixPath
    changed: bool
    commit: str | None = None
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """An item from outside that waits until the person has looked at it."""

    id: str
    path: PurePosixPath
    statement: str
    kind: str
    reason: str  # why it waits
    quote: str  # verbatim words of the source
    writer: str
    trust: str
    source: PurePosixPath | None  # the text it was taken from; None: gone
    origin: str = ""  # where that text came from: a URL, a file name


@dataclass(frozen=True, slots=True, kw_only=True)
class Reviewed:
    """What the person decided about things that waited."""

    verb: str  # approve, reject
    ids: tuple[str, ...] = ()
    paths: tuple[PurePosixPath, ...] = ()
    statements: tuple[str, ...] = ()
    commit: str | None = None  # None: nothing waited


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchanged:
    """What a pull, a push or both brought and sent."""

    remote: str  # address, without credentials
    branch: str
    incoming: int = 0  # commits that came, or would
    outgoing: int = 0  # commits that went, or would
    paths: tuple[PurePosixPath, ...] = ()  # files that changed here (a dry run: would)
    merged: tuple[PurePosixPath, ...] = ()  # of these, changed on both sides
    withheld: tuple[PurePosixPath, ...] = ()  # in the history, but not put into the folder
    learned: tuple[Learned, ...] = ()
    problems: tuple[Problem, ...] = ()  # what a person should look at
    commits: tuple[str, ...] = ()  # made here: the person's edits, the merge, what follows
    head: str | None = None  # where this vault is now
    pushed: bool = False
    attempts: int = 0  # rounds it took: another device may be faster
    dry_run: bool = False
    pending: int = 0  # a dry run: notes with edits that would be committed first
    warnings: tuple[str, ...] = ()


# What a language model did for the memory: summaries of categories, opinions on contradictions.


@dataclass(frozen=True, slots=True, kw_only=True)
class Evolved:
    """One category that a model was asked about."""

    path: PurePosixPath
    title: str
    outcome: str  # rewritten, same, kept (as it was: the reply cannot be used), skipped
    why: str = ""  # it was kept or skipped
    sentences: tuple[str, ...] = ()  # of the new summary


@dataclass(frozen=True, slots=True, kw_only=True)
class SummariseReport:
    """What `summarise` did."""

    categories: tuple[Evolved, ...]
    commit: str | None = None  # None: a dry run, or nothing to do
    dry_run: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Opinion:
    """What a model said of two facts between which no rule decides."""

    new: str
    known: str
    decision: str  # supersede, coexist, update; undecided: both are kept and the pair is flagged
    why: str = ""  # it is undecided
    since: tuple[int | None, int | None] = (None, None)  # new, known: from when they hold, UTC ms


@dataclass(frozen=True, slots=True, kw_only=True)
class Insight:
    """One insight of a reflection, and the notes that it rests on."""

    outcome: str  # add; reinforce: it was known, and rests on more now
    id: str
    path: PurePosixPath
    statement: str
    evidence: tuple[str, ...]  # ids of items
    importance: int
    confidence: float
    trust: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Weakened:
    """An insight of which some evidence holds no more."""

    id: str
    statement: str
    before: float
    confidence: float
    held: int  # notes of its evidence that hold
    evidence: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Reflected:
    """What a reflection came to."""

    weight: int  # importance of all that is new since the last one
    trigger: float  # from which a reflection is worth it
    read: int = 0  # notes; 0: it was not worth it
    least: int = 2  # notes that an insight rests on; of fewer the model is not asked
    insights: tuple[Insight, ...] = ()
    rejected: tuple[Rejected, ...] = ()
    weakened: tuple[Weakened, ...] = ()
    commit: str | None = None
    dry_run: bool = False
