"""What was forgotten, or would be: reports of `forget` and of `forget --purge`."""

from __future__ import annotations

from pathlib import PurePosixPath

from vaultmem.frozen import dataclass

MARK = "(erased by vaultmem)"
"""Stands where a passage was taken out of a text that stays; plain in YAML and in Markdown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ForgottenNote:
    """A note that goes."""

    path: PurePosixPath
    id: str  # '' for a note without one
    type: str  # item or resource
    text: str  # what it says, shortened


@dataclass(frozen=True, slots=True, kw_only=True)
class Holding:
    """A note that stays although it holds (part of) what was said."""

    path: PurePosixPath
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Forgotten:
    """What `forget` took out of the memory; the history keeps it."""

    notes: tuple[ForgottenNote, ...] = ()
    lists: tuple[PurePosixPath, ...] = ()  # streams and categories that lost lines
    holding: tuple[Holding, ...] = ()  # what still says it
    asked: str = ""  # why a person is asked first; '': it is not that much
    commit: str | None = None  # None: nothing went
    dry_run: bool = False
