"""What extraction makes of a text: drafts of items, and candidates rejected with the rule."""

from __future__ import annotations

from collections.abc import Mapping

from vaultmem.base import dataclass, field

LONGEST_STATEMENT = 4000
"""Characters of a sentence that may be kept: longer ones are data, and no note could hold them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One utterance of a conversation; a document is a single turn without a speaker."""

    text: str
    speaker: str = ""  # '' in a document
    role: str = ""  # user, assistant, system, tool; '' in a document or between people
    said_at: int | None = None  # UTC ms, None: unknown
    line: int = 1  # 1-based line of the resource body on which the turn begins


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A raw text ready for extraction."""

    id: str  # resource id, or the path of a stream file
    turns: tuple[Turn, ...]
    date: int | None = None  # the document's own date, UTC ms; None: unknown
    title: str = ""
    # Whether a text without a speaker is what the person says, and not a document they hand in.
    by_person: bool = True
    # Whether the person told it, and it is no document: then sentences without a cue are judged.
    is_told: bool = False
    # Whether an assistant notes something by itself: no document, and judged like what is told.
    is_note: bool = False
    # Whether it is the person's word of mouth, judged or not: its dates look ahead.
    is_spoken: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A statement worth keeping, before it is reconciled with what is known."""

    statement: str  # one sentence that stands alone: names instead of pronouns where known
    quote: str  # verbatim words of the source, one contiguous span of one turn
    rule: str  # the cue that let it in, e.g. 'preference:i-prefer'
    kind: str
    stream: str | None = None
    categories: tuple[str, ...] = ()
    importance: int = 1  # 1..10
    critical: str = ""  # health, safety, limit; '': none of these
    subject: str = ""
    predicate: str = ""
    object: str = ""
    valid_from: int | None = None  # UTC ms
    valid_until: int | None = None
    due: int | None = None  # UTC ms
    said_after: str = ""  # own words just before it, where it does not stand alone
    asked: str = ""  # the question of an assistant that it answers
    entities: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    observed: str = "claimed"
    hard: bool = False
    pinned: bool = False
    said_at: int | None = None
    turn: int | None = None  # number of the turn that says it, from 0; None: unknown
    # (subject, predicate, value) of facts that it says hold no more: 'I no longer use Vim'.
    ends: tuple[tuple[str, str, str], ...] = ()
    confidence: float | None = None  # None: that of what was said once (`facts.confidence`)
    fields: Mapping[str, str | tuple[str, ...]] = field(default_factory=dict)  # keys of its own
    doubt: str = ""  # why the words may be somebody else's, so that it waits; '': the speaker's


JUDGED = "judged:"  # begins the rule of a draft that no cue names, and only judgement keeps
CHANGES = "changes:"  # rule of a sentence that is a memory only if it changes what is known
OTHERS = "somebody-else"
"""The rule against words that the person pasted, quotes or wants to have worked on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rejected:
    """A sentence that became no item, and the rule that says why."""

    text: str
    rule: str  # question, hypothetical, filler, quoted, code, reported, no-cue, duplicate, ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Extraction:
    """All of one source's drafts and rejections, in the order of the text."""

    drafts: tuple[Draft, ...]
    rejected: tuple[Rejected, ...]
    read_by: str = ""  # the language model that found them; '': rules did
    without: str = ""  # why no model did, though one was to; '': none was, or it did
    perhaps: tuple[Draft, ...] = ()  # rejected, too: memories only if they change what is known
