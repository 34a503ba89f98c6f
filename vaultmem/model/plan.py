"""A change as plain data: worked out first, carried out later, printable as a dry run."""

from __future__ import annotations

from pathlib import PurePosixPath

from vaultmem.base import dataclass
from vaultmem.model.ids import Oid


@dataclass(frozen=True, slots=True, kw_only=True)
class Write:
    """Give a file these bytes, if it still has the fingerprint it was planned against."""

    path: PurePosixPath
    content: bytes
    expects: Oid | None  # None: the file must not exist


@dataclass(frozen=True, slots=True, kw_only=True)
class Remove:
    """Take a file away, if it still has the fingerprint it was planned against."""

    path: PurePosixPath
    expects: Oid


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """One operation = one commit. `subject` is a sentence a person understands."""

    op: str  # remember, edit, adopt, undo, ...: the Vaultmem-Op trailer
    subject: str
    actor: str  # person, agent, editor, maintenance, import
    changes: tuple[Write | Remove, ...] = ()
    trailers: tuple[tuple[str, str], ...] = ()  # beyond op, actor and recorded-at
    details: str = ""  # body of the commit message
    recorded_at: int | None = None  # ms; None: the clock when it is applied


@dataclass(frozen=True, slots=True, kw_only=True)
class Committed:
    """An operation that is in the history."""

    commit: str
    subject: str
    paths: tuple[PurePosixPath, ...]
