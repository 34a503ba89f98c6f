"""What a finished conversation is to the detectors, and what they find in it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from vaultmem.base.records import dataclass

CATEGORIES = ("preference", "decision", "correction", "convention", "workflow")


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A tool that was called; `input` is what it was given, JSON or plain text."""

    name: str
    input: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Utterance:
    """One turn: who spoke, what, and the tools that were called meanwhile, in order."""

    role: str  # user, assistant, system, tool; only 'user' is evidence of what a person wants
    text: str
    calls: tuple[Call, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """A finished conversation. Sessions are kept apart: nothing is joined across them.

    One that was ended, resumed and ended again is several of them, which count as one.
    """

    id: str
    turns: tuple[Utterance, ...]
    at: int | None = None  # UTC ms of its beginning; None: unknown
    part_of: str = ""  # what its parts have in common; '': it is in one part
    owners: tuple[str, ...] = ()  # names of the person, where they paste what was said elsewhere

    @property
    def whole(self) -> str:
        """What counts as one conversation."""
        return self.part_of or self.id


@dataclass(frozen=True, slots=True, kw_only=True)
class Sighting:
    """One time that a pattern was seen, in one session."""

    category: str  # one of CATEGORIES
    session: str
    at: int | None
    quote: str  # verbatim words of the person, or what was written of a convention
    statement: str  # the person's words for it, without what surrounds them
    value: str  # what is preferred, chosen, right, or the convention; as it was written
    polarity: str = "prefer"  # prefer or avoid
    rejects: str = ""  # what the value is preferred to, what it replaces, what is wrong
    scope: str = ""  # where it holds: 'in the tests folder'; '': everywhere
    purpose: str = ""  # what it is for: 'for indentation'
    kind: str = ""  # of a convention: import_style, file_extension, naming, indentation
    parts: tuple[str, ...] = ()  # further wordings of the value within the same correction
    is_own: bool = False  # the person put right what they had said themselves
    turn: int | None = None  # number of the turn that says it, from 0; None: not of one turn
    standing: bool = True  # False: taken back in the same session
    language: str = "en"


@dataclass(frozen=True, slots=True, kw_only=True)
class Pattern:
    """Sightings of the same thing, over sessions."""

    category: str
    key: str  # what identifies it: the same key is the same rule
    statement: str
    value: str
    polarity: str = "prefer"
    rejects: str = ""
    scope: str = ""
    purpose: str = ""  # '' where no sighting says one; two patterns of a value differ in it
    kind: str = ""
    ngram: tuple[str, ...] = ()  # of a workflow
    trigger: str = ""  # of a workflow: what the person asked for before, in their words
    superseded: bool = False  # decided otherwise later
    failed: tuple[str, ...] = ()  # of a workflow: sessions in which it was rejected each time
    sightings: tuple[Sighting, ...] = ()

    @property
    def sessions(self) -> tuple[str, ...]:
        """The sessions that show it, each once, in the order in which they were given."""
        return tuple(dict.fromkeys(sighting.session for sighting in self.sightings))


def wholes_of(sessions: Iterable[Session]) -> dict[str, str]:
    """Id -> what counts as one conversation, in the order of the sessions."""
    return {session.id: session.whole for session in sessions}


def once_each(sessions: Iterable[str], wholes: Mapping[str, str]) -> tuple[str, ...]:
    """Ids of sessions without the further parts of a conversation; the first one stands for it."""
    first: dict[str, str] = {}
    for session in sessions:
        first.setdefault(wholes.get(session, session), session)
    return tuple(first.values())
