"""What learning reports: rules with their evidence, and what a run did. Times are UTC ms."""

from __future__ import annotations

from pathlib import PurePosixPath

from vaultmem.base.records import dataclass
from vaultmem.model.drafts import Rejected
from vaultmem.model.notes import Problem


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """Words that a rule was learned from, or that went against it."""

    session: str  # id of the conversation
    path: PurePosixPath | None  # None: the conversation is not in the vault any more
    at: int | None  # when it was said; None: unknown
    quote: str  # verbatim; '' where the conversation is gone
    is_against: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """How sure a rule was at some time."""

    at: int
    confidence: float


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnedRule:
    """A rule, or what may become one."""

    id: str  # of its note; '': a candidate has none
    path: PurePosixPath | None
    category: str  # preference, decision, correction, convention, workflow
    statement: str
    polarity: str
    scope: str
    confidence: float  # now
    status: str  # active, candidate, archived; proposed by a model
    sessions: int  # that say it
    against: int  # that say otherwise
    last_reinforced: int | None
    is_exempt: bool = False  # pinned or hard: does not fade
    trigger: str = ""  # of a procedure: what was asked for before it was used
    effectiveness: float | None = None  # of a procedure: share that goes well; None: of a rule
    evidence: tuple[Evidence, ...] = ()
    trajectory: tuple[Point, ...] = ()  # oldest first, the last is now


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleList:
    """Rules, the surest first, and how many there are of each category."""

    rules: tuple[LearnedRule, ...]
    counts: tuple[tuple[str, int], ...]
    conversations: int  # in the vault
    preferences: int = 0  # that were ever learned, whatever was asked for here
    holding: int = 0  # of these: active, and no more conversations against them than for them


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleProposals:
    """What a language model proposes, each with the person's words; nothing of it is kept."""

    rules: tuple[LearnedRule, ...] = ()
    rejected: tuple[Rejected, ...] = ()  # by a guard, with its name
    turns: int = 0  # of the person's, that the model was shown


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleChange:
    """What a run did to one rule."""

    what: str  # created, reinforced, weakened, pruned, revived
    id: str
    path: PurePosixPath
    category: str
    statement: str
    before: float
    confidence: float
    quotes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FactChange:
    """What a run did to one fact."""

    what: str  # created, reinforced, contradicted, ended
    id: str
    path: PurePosixPath
    statement: str
    before: float
    confidence: float
    quotes: tuple[str, ...] = ()  # what was said again, what happened again, or what is against it


@dataclass(frozen=True, slots=True, kw_only=True)
class Consolidated:
    """A run of learning: what changed, and in which commit."""

    conversations: int
    changes: tuple[RuleChange, ...]
    candidates: int  # seen, but not in enough conversations
    rules: int  # that are active afterwards
    facts: tuple[FactChange, ...] = ()
    events: int = 0  # that were looked at for the first time
    topics: int = 0  # that these are about
    waiting: int = 0  # events that nobody looked at, but too few for a run
    commit: str | None = None
    dry_run: bool = False
    subject: str = ""
    unreadable: tuple[PurePosixPath, ...] = ()  # rules whose keys cannot be read: left as they are
    problems: tuple[Problem, ...] = ()  # notes and lists that only a person can change


@dataclass(frozen=True, slots=True, kw_only=True)
class LearningRun:
    """A run of learning that changed something."""

    at: int  # when it was recorded
    commit: str
    subject: str
    looked_at: str  # '3 conversations, 5 new events about 2 topics'
    changes: tuple[str, ...]  # 'learned (0.00 -> 1.00): Never use cilantro'


@dataclass(frozen=True, slots=True, kw_only=True)
class LearningHistory:
    """What was learned, the newest run first."""

    runs: tuple[LearningRun, ...]
    counts: tuple[tuple[str, int], ...]  # learned, confirmed, weakened, ... -> how often
    days: int  # that this covers; 0: all there are
    left_out: int = 0  # runs of these days that are not told


@dataclass(frozen=True, slots=True, kw_only=True)
class ProfileValue:
    """What is said of a field, and the notes that say it."""

    value: str
    sources: tuple[str, ...]  # link targets; (): counted over all conversations


@dataclass(frozen=True, slots=True, kw_only=True)
class ProfileField:
    """One field of the profile; without values it is unknown."""

    field: str
    values: tuple[ProfileValue, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """Who the person is, as far as their notes and conversations say."""

    fields: tuple[ProfileField, ...]
    path: PurePosixPath
    changed: bool = False
    commit: str | None = None
    dry_run: bool = False
