"""What an audit answers: changes from outside, in two lists, and what was sent."""

from __future__ import annotations

from pathlib import PurePosixPath

from vaultmem.base.records import dataclass


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
