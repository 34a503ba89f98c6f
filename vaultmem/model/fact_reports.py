"""What became of a fact that was changed, corrected, ended or taken back."""

from __future__ import annotations

from pathlib import PurePosixPath

from vaultmem.base import dataclass

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
