"""What a language model did for the memory: summaries of categories, opinions on contradictions."""

from __future__ import annotations

from pathlib import PurePosixPath

from vaultmem.frozen import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Evolved:
    """One category that a model was asked about."""

    path: PurePosixPath
    title: str
    outcome: str  # rewritten, same, kept (as it was: the reply cannot be used), skipped
    why: str = ""  # it was kept or skipped
    sentences: tuple[str, ...] = ()  # of the new summary


@dataclass(frozen=True, slots=True, kw_only=True)
class Summarised:
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
