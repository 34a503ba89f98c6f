"""A conversation as its files have it, and what operations on it answer. Times are UTC ms."""

from __future__ import annotations

from pathlib import PurePosixPath

from vaultmem.base import TYPE_CHECKING, dataclass
from vaultmem.model.reports import RememberedItem, Removed

if TYPE_CHECKING:
    from vaultmem.model.reports import Evolved, Opinion

ACTIVE, ENDED_STATES = "open", "ended"


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """One turn, verbatim: what the person said and what came back."""

    turn: int  # from 1
    user: str
    assistant: str
    at: int | None = None  # None: nobody says when


@dataclass(frozen=True, slots=True, kw_only=True)
class TruthLine:
    """One fact of base truth, for an answer."""

    id: str
    text: str
    hard: bool = False
    task: str = ""  # open, done; '': it is no task


@dataclass(frozen=True, slots=True, kw_only=True)
class LogLine:
    """One entry of the turn log, for an answer."""

    turn: int
    user: str
    assistant: str
    amends: int | None = None
    unsummarised: str = ""
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ArtifactRow:
    """One artifact of a session."""

    name: str  # t3-1
    turn: int
    ending: str
    path: PurePosixPath
    bytes: int
    sha256: str  # of the text, of a document put together from its edits; '': it cannot be


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionView:
    """The exact state of a session: now, or after a turn."""

    session: str
    title: str
    status: str  # open, ended
    folder: PurePosixPath
    turn: int  # the last one
    started: int | None
    updated: int | None
    truth: tuple[TruthLine, ...]
    log: tuple[LogLine, ...]
    window: tuple[Exchange, ...]  # turns that the next prompt has word for word
    focus: tuple[tuple[str, float], ...]  # words that the attention is on, with their weights
    state: object  # of the agent: any JSON; None: it gave none
    waiting: tuple[int, ...]  # turns without a summary yet
    artifacts: tuple[ArtifactRow, ...] = ()
    held: tuple[TruthLine, ...] = ()  # rules of somebody else's: they wait for the person
    commit: str = ""  # of the past: where it was read from; of a change: where that is kept


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionRow:
    """One session in a list."""

    session: str
    title: str
    status: str
    turns: int
    started: int | None
    updated: int | None
    folder: PurePosixPath


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnReport:
    """What became of one turn."""

    session: str
    turn: int
    commit: str
    size: str  # short, medium, long
    is_summarised: bool  # False: its words stand in until a summary comes
    user: str  # summary
    assistant: str
    added: tuple[str, ...] = ()  # to base truth
    removed: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    artifacts: tuple[str, ...] = ()
    window: tuple[int, ...] = ()
    waiting: tuple[int, ...] = ()
    redacted: tuple[Removed, ...] = ()  # secrets and personal data that were not written
    is_repeat: bool = False  # the same turn was told before; nothing was changed
    unsummarised: str = ""  # why it has no summary; '': it has one, or it comes later


@dataclass(frozen=True, slots=True, kw_only=True)
class Unsummarised:
    """A turn without a summary, and why."""

    turn: int
    why: str  # '': nobody was asked yet


@dataclass(frozen=True, slots=True, kw_only=True)
class Summarised:
    """What came of making up for turns that had no summary."""

    session: str
    summarised: int  # turns that have one now
    waiting: tuple[Unsummarised, ...] = ()  # that still have none


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionEnded:
    """A conversation that was archived."""

    session: str
    turns: int
    resource: str  # id of the text that it became; '': nothing was said
    path: PurePosixPath | None
    items: tuple[RememberedItem, ...] = ()
    commit: str = ""
    waiting: tuple[Unsummarised, ...] = ()  # turns that no summariser answered for
    # As of a text that is remembered:
    read_by: str = ""
    without: str = ""
    untied: str = ""
    summaries: tuple[Evolved, ...] = ()
    opinions: tuple[Opinion, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """What phase 1 hands to a chat model."""

    system: str
    messages: tuple[tuple[str, str], ...]  # (role, text), oldest first, the question last
    tokens: int
    left_out: tuple[str, ...] = ()  # what the budget had no room for
