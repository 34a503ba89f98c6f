"""What learning reports: rules with their evidence, and what a run did. Times are UTC ms."""

from __future__ import annotations

from pathlib import PurePosixPath

from vaultmem.base import dataclass
from vaultmem.model.drafts import Rejected
from vaultmem.model.notes import Problem
from vaultmem.model.past_versions import StreamsCompacted
from vaultmem.model.reports import Embedded, Evolved


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """Words that a rule was learned from, or that went against it."""

    session: str  # id of the conversation
    path: PurePosixPath | None  # None: the conversation is not in the vault any more
    at: int | None  # when it was said; None: unknown
    quote: str  # verbatim; '' where the conversation is gone
    is_against: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RulePoint:
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
    trajectory: tuple[RulePoint, ...] = ()  # oldest first, the last is now


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


# What an audit answers: changes from outside, in two lists, and what was sent.


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One change from outside."""

    what: str  # a sentence without its subject: 'edited by hand', 'gone from the history'
    commit: str = ""  # '': it is not in a commit
    path: PurePosixPath | None = None  # None: it is about a commit as a whole
    at: int | None = None  # UTC ms, as the commit or the ledger says; None: unknown
    author: str = ""  # of the commit, as it says
    subject: str = ""  # of the commit; of a lost one only while git still has it
    paths: tuple[PurePosixPath, ...] = ()  # notes of the commit, the first ten
    more_paths: int = 0  # notes beyond these


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """Findings of one kind."""

    code: str
    title: str
    count: int
    findings: tuple[Finding, ...]  # the newest, at most as many as were asked for


@dataclass(frozen=True, slots=True, kw_only=True)
class Sending:
    """Something that left this device."""

    at: int
    what: str
    where: str
    how_much: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditReport:
    """The vault against what this device recorded since its anchor."""

    head: str | None  # None: no commit yet
    anchor: str | None  # commit that is compared with; None: the vault had no commit then
    anchored_at: int  # UTC ms, when that was taken as it was
    accepted: bool  # by a person, with `--acknowledge`; False: found when the ledger began
    beginning: bool  # the ledger begins with this audit
    recorded: int  # commits of vaultmem since, in place
    suspicious: tuple[Group, ...] = ()
    normal: tuple[Group, ...] = ()
    sendings: tuple[Sending, ...] = ()  # the newest, at most as many as were asked for
    sent: int = 0  # all since the anchor
    remarks: tuple[str, ...] = ()  # about the ledger itself: nothing to worry about

    @property
    def is_clean(self) -> bool:
        """Nothing changed from outside."""
        return not (self.suspicious or self.normal)


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """Something good that is said of the person, and what happened that bears on it."""

    id: str
    path: PurePosixPath
    statement: str
    verdict: str  # contradicted, unsupported, supported
    supporting: tuple[str, ...]  # ids of events, oldest first
    opposite: tuple[str, ...]
    texts: int  # that say it
    trust: str
    writer: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Claims:
    """The claims about the person, the doubtful ones first."""

    claims: tuple[Claim, ...]
    facts: int  # that are about the person, these among them
    share: float  # of the facts about the person, those that are claims; 0 where there are none


# What maintenance reports. Times are UTC ms.


@dataclass(frozen=True, slots=True, kw_only=True)
class Merged:
    """Items that said the same, and the one that stands for them now."""

    id: str
    statement: str
    path: PurePosixPath
    retired: tuple[str, ...]  # ids


@dataclass(frozen=True, slots=True, kw_only=True)
class Archived:
    """An item that nobody used for long, put into the archive."""

    id: str
    statement: str
    path: PurePosixPath  # where it lies now
    idle_days: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Promoted:
    """A note that rose because it was used."""

    id: str
    statement: str  # of an item; else the title of the note
    path: PurePosixPath
    before: int  # priority, 0 up to the cap
    after: int


@dataclass(frozen=True, slots=True, kw_only=True)
class OverviewChange:
    """An overview of a time that was made, told anew, or dropped since too little is left of it."""

    what: str  # new, changed, dropped
    id: str
    statement: str


@dataclass(frozen=True, slots=True, kw_only=True)
class JobReport:
    """What one job did, or would do."""

    job: str  # nightly, weekly, monthly; learning
    learned: Consolidated | None = None
    merged: tuple[Merged, ...] = ()
    archived: tuple[Archived, ...] = ()
    summaries: tuple[Evolved, ...] = ()  # of categories
    overviews: tuple[OverviewChange, ...] = ()
    counted: int = 0  # notes whose uses were written down
    promoted: tuple[Promoted, ...] = ()  # those of them that rose
    compacted: StreamsCompacted | None = None  # None: no list of a stream is too long
    reindexed: int | None = None  # notes that were read anew; None: not a part of the job
    embedded: Embedded | None = None  # None: embeddings are off, or not a part of the job
    left_graph: int = 0  # notes that nobody used for so long that the graph is without them
    problems: tuple[Problem, ...] = ()  # notes and lists that only a person can change
    commits: tuple[str, ...] = ()
    dry_run: bool = False
    asks: str = ""  # of a dry run: why a part of it would not be done without a person's yes


@dataclass(frozen=True, slots=True, kw_only=True)
class JobState:
    """When a job ran last on this device, and whether it is due."""

    job: str
    ran_at: int | None  # None: never
    due_at: int  # when it should have run last
    is_due: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Schedule:
    """Where a timer lies that runs what is due, and what it says."""

    system: str  # systemd, launchd, cron
    files: tuple[tuple[str, str], ...]  # (path, text)
    command: str  # that the person runs to start it, or to stop it
    installed: bool
    changed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Tried:
    """One thing that a model server was asked to do."""

    what: str  # replies, JSON, streams
    works: bool
    told: str  # how well, or why not
    seconds: float  # from the question to the end of the answer
    kind: str = ""  # of the LLMError; '': it works
    exit_code: int = 0  # of the LLMError; 0: it works


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelCheck:
    """How one model of the settings stands."""

    role: str  # summariser, chat
    provider: str
    model: str
    where: str  # host and port
    on_this_device: bool
    has_key: bool
    answers_as: str = ""  # the name that the server gives the model
    tried: tuple[Tried, ...] = ()

    @property
    def works(self) -> bool:
        """Whether it can be used: it replies, and its JSON can be read. Streams may be missing."""
        return all(each.works for each in self.tried if each.what != "streams")


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelsChecked:
    """All models of the settings; the chat model has no entry where it is the other one."""

    models: tuple[ModelCheck, ...]
    extractor: str  # the setting; 'llm' lets the model read what is remembered
    record: str  # off, record, replay
