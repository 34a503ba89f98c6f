"""The versions of notes: what a note said, from which commit to which other one.

Two clocks (algorithms.md 2.1): *valid* time, when something was so, is in the front matter;
*record* time, when the vault knew it, comes from git. All instants are UTC milliseconds, all
intervals half open.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from pathlib import PurePosixPath

from vaultmem.base.records import dataclass

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
