"""What was forgotten, or would be: reports of `forget` and of `forget --purge`."""

from __future__ import annotations

from pathlib import PurePosixPath

from vaultmem.base.records import dataclass


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


@dataclass(frozen=True, slots=True, kw_only=True)
class AgedNote:
    """A note that is kept for longer than was wished."""

    path: PurePosixPath
    id: str
    type: str  # item or resource
    text: str  # what it says, shortened
    age_days: float  # since the vault has it


@dataclass(frozen=True, slots=True, kw_only=True)
class Aged:
    """What `forget --aged` would take out, the oldest first."""

    notes: tuple[AgedNote, ...] = ()
    exempt: int = 0  # as old, but pinned, hard, or the source of what is
    days: int = 0  # from which it is too old; 0: never


@dataclass(frozen=True, slots=True, kw_only=True)
class Purged:
    """What `forget --purge` erased, or would erase, and the proof that nothing of it is left."""

    notes: tuple[ForgottenNote, ...] = ()  # that go whole, with every version
    passages: int = 0  # texts that were looked for everywhere
    short: int = 0  # texts too short for that: erased with their notes, bullets and lines only
    files: tuple[PurePosixPath, ...] = ()  # that stay, without a passage or a line
    commits: int = 0  # that get another id
    of_commits: int = 0
    messages: int = 0  # of commits and tags, that said it
    refs: tuple[str, ...] = ()  # that move
    stores: tuple[str, ...] = ()  # what else is cleared
    remotes: tuple[str, ...] = ()  # that may still hold it
    left: tuple[Holding, ...] = ()  # files that are not ours to change, and hold it
    scanned: int = 0  # objects and files that were searched in the end
    places: tuple[str, ...] = ()  # where it was still found: empty is the proof
    forms: tuple[str, ...] = ()  # in which it was searched for, where it was searched for
    not_searched: str = ""  # what no search for words can look into
    commit: str | None = None  # that says so; None: nothing was erased
    dry_run: bool = False

    @property
    def is_something(self) -> bool:
        """Whether anything that is still in use holds it."""
        return bool(self.notes or self.files or self.messages or self.refs)

    @property
    def is_nothing(self) -> bool:
        """Whether nothing holds it, in use or left over; known only when all was searched."""
        return not (self.is_something or self.places or self.left) and self.scanned > 0
