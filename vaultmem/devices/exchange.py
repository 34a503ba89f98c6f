"""Take in what a remote has: judge it, join it with what is here, publish it, settle it."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from vaultmem.base.errors import HeadMovedError, StaleFileError
from vaultmem.config.remotes import shown_url
from vaultmem.devices.admit import Accept, Step, plan_step
from vaultmem.devices.arrive import arrive
from vaultmem.devices.follow import follow_merge
from vaultmem.devices.notices import add_notices
from vaultmem.edit.due import Settled
from vaultmem.edit.settle import settle, told
from vaultmem.model.plan import Plan
from vaultmem.model.reports import Exchanged
from vaultmem.model.wording import counted
from vaultmem.vault import level
from vaultmem.vault.apply import UNSETTLED, locked, message

if TYPE_CHECKING:
    from vaultmem.config.remotes import PinnedRemote
    from vaultmem.model.notes import Problem
    from vaultmem.model.reports import Learned
    from vaultmem.storage.git.remote.remote import RemoteRepository
    from vaultmem.vault.vault import Parts

# A person may save a note in the very moment in which it is written: then all starts again.
ATTEMPTS = 5
_MOST_LINES = 200  # notices in the message of a merge


class Incoming:
    """What came so far, over all rounds of one exchange."""

    def __init__(self) -> None:
        self.incoming = 0
        self.paths: set[str] = set()
        self.merged: set[str] = set()
        self.withheld: set[str] = set()
        self.learned: list[Learned] = []
        self.problems: list[Problem] = []
        self.commits: list[str] = []

    def settle(self, parts: Parts) -> None:
        """Commit the person's edits as theirs, and what follows from them."""
        for attempt in range(ATTEMPTS):
            try:
                with locked(parts):
                    refreshed = level.refresh(parts)
                    self.add(settle(parts))
                    self.learned += told(parts, refreshed, self.learned)
                return
            except (StaleFileError, HeadMovedError):
                if attempt == ATTEMPTS - 1:
                    raise

    def add(self, settled: Settled) -> None:
        """Count in what settling did."""
        self.commits += [each.commit for each in settled.commits]
        self.learned += settled.learned

    def report(
        self,
        pinned: PinnedRemote,
        *,
        head: str | None,
        outgoing: int,
        pushed: bool,
        attempts: int,
        warnings: tuple[str, ...],
    ) -> Exchanged:
        """All of it as one record."""
        return Exchanged(
            remote=shown_url(pinned.url),
            branch=pinned.branch,
            incoming=self.incoming,
            outgoing=outgoing,
            paths=_places(self.paths),
            merged=_places(self.merged),
            withheld=_places(self.withheld),
            learned=tuple(self.learned),
            problems=tuple(self.problems),
            commits=tuple(self.commits),
            head=head,
            pushed=pushed,
            attempts=attempts,
            warnings=warnings,
        )


def _places(paths: Iterable[str]) -> tuple[PurePosixPath, ...]:
    return tuple(PurePosixPath(path) for path in sorted(paths))


def take_in(
    parts: Parts, remote: RemoteRepository, theirs: str, got: Incoming, accepted: Accept
) -> None:
    """Bring this vault level with a commit of the remote; adds to `got` what that did.

    raises  ConsentNeededError, IncomingRefusedError, UncommittedError: nothing was written
    """
    for attempt in range(ATTEMPTS):
        try:
            with locked(parts):
                refreshed = level.refresh(parts)
                got.add(settle(parts))
                got.learned += told(parts, refreshed, got.learned)
                _take_in(parts, remote, theirs, got, accepted)
            return
        except (StaleFileError, HeadMovedError):
            if attempt == ATTEMPTS - 1:
                raise


def _take_in(
    parts: Parts, remote: RemoteRepository, theirs: str, got: Incoming, accepted: Accept
) -> None:
    exchange, ours = parts.history.exchange(), parts.history.head()
    step = plan_step(parts, remote, ours, theirs, accepted)
    if step is None:
        remote.remember(theirs)
        return
    new = theirs
    is_settled = not parts.is_open and UNSETTLED not in exchange.about(theirs).trailers
    if step.combined is not None and ours is not None:
        plan = Plan(
            op="pull",
            actor="sync",
            subject=_subject(step, remote.branch),
            details=_details(step),
            trailers=(("Vaultmem-Remote-Head", theirs),),
        )
        at = parts.clock.now()
        new = exchange.join(
            (ours, theirs),
            step.combined.content,
            message=message(plan, at=at, settled=is_settled),
            at_ms=at,
        )
        got.commits.append(new)
    arrive(parts, new, reason=f"pull: {counted(step.incoming, 'commit')}")
    remote.remember(theirs)
    is_forward = step.combined is None
    if is_forward:  # before rows are shown the way unsettled edits mean them: these are settled
        level.mark_settled(parts, parts.history.last_settled() or "")
    refreshed = level.refresh(parts)
    if is_forward:
        settled = settle(parts)
    elif is_settled:
        settled = follow_merge(parts, step.changed, (ours or theirs, theirs))
    else:
        settled = settle(parts)
    got.add(settled)
    got.learned += told(parts, refreshed, got.learned)
    got.incoming += step.incoming
    got.paths |= set(step.changed) - step.withheld
    got.merged |= set(step.combined.merged) if step.combined else set()
    got.withheld |= step.withheld
    problems = [*step.problems]
    got.problems += problems
    add_notices(parts, problems)


def preview(
    parts: Parts,
    remote: RemoteRepository,
    ours: str | None,
    theirs: str,
    accepted: Accept,
) -> Incoming:
    """What `take_in` would do; all checks are made, nothing is written."""
    got = Incoming()
    step = plan_step(parts, remote, ours, theirs, accepted)
    if step is not None:
        got.incoming = step.incoming
        got.paths = set(step.changed) - step.withheld
        got.withheld = set(step.withheld)
        got.merged = set(step.combined.merged) if step.combined else set()
        got.problems = list(step.problems)
    return got


def _subject(step: Step, branch: str) -> str:
    merged = step.combined.merged if step.combined else []
    said = f", {counted(len(merged), 'file')} merged" if merged else ""
    return f"pull: {counted(step.incoming, 'commit')} of '{branch}' joined{said}"


def _details(step: Step) -> str:
    """Counts, and what a person should look at, as the body of the commit message."""
    lines = [f"{counted(len(step.changed), 'file')} changed here."]
    lines += [f"- {each.path}: {each.message}" for each in step.problems[:_MOST_LINES]]
    return "\n".join(lines)
