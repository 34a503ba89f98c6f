"""What a language model did for the memory: summaries of categories, opinions on contradictions."""

from __future__ import annotations

from pathlib import PurePosixPath

from vaultmem.base import dataclass
from vaultmem.model.drafts import Rejected


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
