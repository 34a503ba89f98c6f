"""Versions of a note or a slot, what was known when, and what differs between two points.

Instants are UTC ms. `recorded_at` and `superseded_at` are record time (git), `valid_from` and
`valid_until` valid time (front matter); all intervals are half open.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from pathlib import PurePosixPath

from vaultmem.base import TYPE_CHECKING, Any, dataclass

if TYPE_CHECKING:
    from vaultmem.model.answers import NoteRow


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryVersion:
    """One version of one note, and what it changed."""

    id: str  # '' for a note without one
    path: PurePosixPath  # where it lay last
    type: str = "item"
    kind: str = ""
    status: str = ""
    stream: str = ""
    statement: str
    subject: str = ""
    predicate: str = ""
    object: str = ""
    valid_from: int | None = None  # None: since ever
    valid_until: int | None = None  # None: still holds
    recorded_at: int | None  # None: not committed yet
    superseded_at: int | None = None  # None: what the vault says now
    commit: str = ""  # that brought it; '': not committed yet
    superseded_by_commit: str = ""
    is_gone: bool = False  # what ended it took the note away
    retired_at: int | None = None  # out of the folder since then, by `compact`
    op: str = ""  # Vaultmem-Op; 'git': the commit was not made by vaultmem
    actor: str = ""  # person, agent, editor, maintenance, import
    commit_subject: str = ""
    commit_source: str = ""  # Vaultmem-Source of the commit
    session: str = ""  # Vaultmem-Session of the commit
    source: tuple[str, ...] = ()  # link targets of the note
    changes: tuple[str, ...] = ()  # sentences; words between [-…-] went, between {+…+} came
    pending: bool = False  # on disk, not committed yet


@dataclass(frozen=True, slots=True, kw_only=True)
class VersionHistory:
    """All versions of a note or a slot, by record time, start of validity and id."""

    about: str
    versions: tuple[HistoryVersion, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """A state of the vault: what it held after one commit of its main line."""

    asked: str  # as the person wrote it
    at: int | None  # record time of the commit; None: before the first one
    commit: str = ""  # '': before the first one


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """One thing that the memory learned, changed or dropped between two points."""

    what: str  # learned, changed, dropped
    type: str  # item, resource, category, stream, page
    id: str
    path: PurePosixPath
    statement: str  # what it says now; dropped: what it said
    before: str = ""  # what it said at the first point; '': nothing
    kind: str = ""
    stream: str = ""
    categories: tuple[str, ...] = ()
    changes: tuple[str, ...] = ()
    at: int  # record time of the last commit that had a part in it
    commits: tuple[str, ...] = ()  # oldest first


@dataclass(frozen=True, slots=True, kw_only=True)
class DiffReport:
    """What the memory learned, changed and dropped between two points."""

    start: Point
    end: Point
    commits: int  # between them
    differences: tuple[Difference, ...]
    pending: int = 0  # notes on disk that are not committed yet; they are not looked at


@dataclass(frozen=True, slots=True, kw_only=True)
class TimelineRow:
    """One item and when it holds, for a drawing."""

    id: str
    path: PurePosixPath
    statement: str
    status: str
    stream: str = ""
    subject: str = ""
    predicate: str = ""
    object: str = ""
    valid_from: int | None = None  # None: since it was recorded
    valid_until: int | None = None  # None: still holds
    recorded_at: int | None = None  # of its first version; None: not committed, or not known
    held: bool = True  # False: retracted, or ended at no known time: it never counts


@dataclass(frozen=True, slots=True, kw_only=True)
class Timeline:
    """Items by slot and start of validity, and the span of time that they take up."""

    about: str
    now: int
    begins: int
    ends: int
    rows: tuple[TimelineRow, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Retired:
    """An item that left the folder, and since when it had not counted."""

    id: str
    path: PurePosixPath
    statement: str
    status: str
    superseded_at: int  # record time


@dataclass(frozen=True, slots=True, kw_only=True)
class Compacted:
    """What `compact` retired, or would."""

    items: tuple[Retired, ...]
    retention_days: float
    kept: int = 0  # items that ended too, and stay: they ended lately
    held: tuple[PurePosixPath, ...] = ()  # stay although their time is over
    lists: tuple[PurePosixPath, ...] = ()  # streams and categories that lost lines of them
    horizon: int | None = None  # what held before it is read from git; None: nothing retired held
    commit: str | None = None  # None: nothing to do, or a dry run
    dry_run: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamShare:
    """What one stream had and kept, in tokens and items."""

    name: str
    content: int  # tokens of its active items
    granted: int  # that it might keep
    kept: int  # tokens of whole items that stay
    items: int  # that stay
    archived: int  # that went


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamsCompacted:
    """Streams that were brought within a budget."""

    budget: int  # tokens
    counter: str  # that counted them
    streams: tuple[StreamShare, ...]
    items: tuple[str, ...]  # ids of those that went to the archive
    paths: tuple[PurePosixPath, ...]  # where they lie now
    statements: tuple[str, ...]
    pinned_exceeds_budget: bool = False  # what must stay takes more
    waiting: tuple[str, ...] = ()  # streams that are too long, and being edited
    dry_run: bool = False
    commit: str | None = None  # None: nothing had to go, or a dry run


# --- versions of notes ---

# Two clocks (algorithms.md 2.1): *valid* time, when something was so, is in the front matter;
# *record* time, when the vault knew it, comes from git. All instants are UTC milliseconds, all
# intervals half open.
LASTING = ("", "active", "archived")
"""Statuses whose items hold until `valid_until`, if they have one; '' is a note that is no item."""
ENDED = ("superseded", "expired")
"""Statuses whose items held before `valid_until`; without one nobody can say when, so never."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Version:
    """What one note said, and the time for which that was what the vault knew.

    The same bytes at another path are the same version, moved; `path` is where it lay last.
    Bytes that come back after others are a version of their own.
    """

    path: PurePosixPath
    oid: str  # git blob of its bytes
    commit: str  # that brought it onto the first-parent chain
    recorded_at_ms: int  # effective record time of that commit
    superseded_at_ms: int | None  # None: what the last commit holds
    superseded_by_commit: str = ""  # that changed or removed it; '': none
    is_gone: bool = False  # that commit removed the note, and did not change it
    retired_at_ms: int | None = None  # `compact` took it out of the folder, and it counts on
    retired_by_commit: str = ""
    is_cut: bool = False  # the history begins here: it may have been known before
    first_recorded_ms: int | None = None  # of the first version of the note; None: not known
    former_paths: tuple[PurePosixPath, ...] = ()  # where it lay before, oldest first
    # what the commit says
    op: str = ""  # Vaultmem-Op; '': made with git itself
    actor: str = ""
    commit_source: str = ""  # Vaultmem-Source
    commit_session: str = ""  # Vaultmem-Session
    commit_subject: str = ""
    # what the note says
    id: str = ""
    type: str = ""  # item, resource, category, stream, page
    kind: str = ""
    status: str = ""
    stream: str = ""
    categories: tuple[str, ...] = ()
    title: str = ""
    statement: str = ""
    subject: str = ""
    predicate: str = ""
    object: str = ""
    valid_from: int | None = None
    valid_until: int | None = None
    supersedes: tuple[str, ...] = ()  # link targets
    superseded_by: tuple[str, ...] = ()
    source: tuple[str, ...] = ()
    trust: str = ""  # as the note claims
    writer: str = ""

    def holds_at(self, at_ms: int) -> bool:
        """Whether what it says held at an instant."""
        return self.type != "item" or holds_at(
            at_ms,
            status=self.status,
            valid_from=self.valid_from,
            valid_until=self.valid_until,
            recorded_at=self.first_recorded_ms,
        )


_SAID = (
    *("type", "kind", "status", "stream", "categories", "title", "statement"),
    *("subject", "predicate", "object", "valid_from", "valid_until", "source", "trust", "writer"),
)


def said_by(note: NoteRow) -> dict[str, Any]:
    """What a note says, by the names that its versions have, too."""
    return {name: getattr(note, name) for name in _SAID}


def holds_at(
    at_ms: int,
    *,
    status: str,
    valid_from: int | None,
    valid_until: int | None,
    recorded_at: int | None,
) -> bool:
    """Whether an item held at an instant (algorithms.md 2.4).

    recorded_at  of its first version: stands in for a missing `valid_from`; both missing: always
    """
    if status in ENDED:
        if valid_until is None:
            return False
    elif status not in LASTING:
        return False
    begins = recorded_at if valid_from is None else valid_from
    if begins is not None and at_ms < begins:
        return False
    return valid_until is None or at_ms < valid_until


def effective_times(claimed_ms: Iterable[int], *, after: int | None = None) -> list[int]:
    """Record times of a first-parent chain, oldest first: they never run backwards.

    claimed_ms  of each commit `Vaultmem-Recorded-At`, or the committer time where it has none
    after       effective time of the commit below the first one; None: it is the first of all
    The running maximum of algorithms.md 2.5: a commit of a slow clock was not known before its
    parent was.
    """
    found: list[int] = []
    latest = after
    for claimed in claimed_ms:
        latest = claimed if latest is None else max(claimed, latest)
        found.append(latest)
    return found


def known_at(effective_ms: Sequence[int], at_ms: int) -> int | None:
    """Place in the chain of the last commit that was known at an instant; None: none was."""
    place = bisect_right(effective_ms, at_ms) - 1
    return None if place < 0 else place


CHANGE, CORRECT, EXPIRE, RETRACT = "change", "correct", "expire", "retract"


@dataclass(frozen=True, slots=True, kw_only=True)
class FactState:
    """One item as an operation left it. Times are UTC ms, `[valid_from, valid_until)`."""

    id: str
    path: PurePosixPath
    statement: str
    status: str
    subject: str = ""
    predicate: str = ""
    object: str = ""
    valid_from: int | None = None  # None: since it was recorded
    valid_until: int | None = None  # None: still holds


@dataclass(frozen=True, slots=True, kw_only=True)
class Changed:
    """One of the four operations on one fact."""

    op: str  # change, correct, expire, retract
    before: FactState  # the item as it was
    after: FactState  # the same item now
    successor: FactState | None = None  # change: the item that holds from `at` on
    at: int | None = None  # change: from when the new value holds; expire: until when the old did
    composed: bool = False  # the new statement was made of subject, predicate and value
    left_out: str = ""  # what the former statement said beside the value, and the new one does not
    no_op: str = ""  # why there was nothing to do; '': it was done
    subject: str = ""  # of the commit
    commit: str | None = None  # None: a dry run, or nothing to do
    dry_run: bool = False
    files: tuple[PurePosixPath, ...] = ()  # what was (a dry run: would be) written
