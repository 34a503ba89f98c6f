"""What maintenance reports. Times are UTC ms."""

from __future__ import annotations

from pathlib import PurePosixPath

from vaultmem.base.records import dataclass
from vaultmem.model.history import StreamsCompacted
from vaultmem.model.jobs import Consolidated
from vaultmem.model.notes import Problem
from vaultmem.model.reports import Embedded
from vaultmem.model.talks.summaries import Evolved


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
