"""The words of context: what an assistant is given before it answers, and what was left out."""

from __future__ import annotations

from vaultmem.base import TYPE_CHECKING, Literal, dataclass

if TYPE_CHECKING:
    from pathlib import PurePosixPath

    from vaultmem.model.answers import Moment

HONEST = "Where it does not answer, say that you do not know; make no memory up."
"""What every assistant is told that is given memories, by whatever way."""

Format = Literal["markdown", "json", "messages", "xml"]
FORMATS = ("markdown", "json", "messages", "xml")
ALLOCATIONS = ("relevance", "quota", "sinkhorn")

# Tiers in the order in which they stand in the text; the first ones do not depend on the question.
HARD, PERSONA, PERSON, RULES = "hard", "persona", "user", "rules"
CRITICAL = "critical"  # health, safety, limits: what nobody may overlook
SESSIONS = "sessions"  # conversations that ended
CURRENT = "current"
FACTS, EVENTS, INFERRED = "facts", "events", "inferred"
MORE_CRITICAL = "more_critical"  # of it, what had no room there, nearest the question first
BESIDE = "beside"  # what is known beside that, where room is left
SESSION, TURNS = "session", "turns"  # of a conversation that goes on
STANDING = (HARD, CRITICAL, PERSONA, PERSON, RULES, SESSIONS, CURRENT)
FOUND = (MORE_CRITICAL, FACTS, EVENTS, INFERRED, BESIDE, SESSION, TURNS)
KNOWN = (MORE_CRITICAL, BESIDE)  # given beside an answer, or in its place where there is none
TIERS = (*STANDING, *FOUND)


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One memory in a context: on one line, with nothing in it that acts."""

    tier: str  # of TIERS
    text: str
    citation: str  # [i-9t18p2], the start of its id; [[name]] of a note without one
    path: PurePosixPath
    at: str  # path@commit; a path alone while it is not committed
    id: str = ""  # '' when the note has none
    date: str = ""  # YYYY-MM-DD in the vault's zone; '' unknown
    kept: str = ""  # YYYY-MM, or a day: when the vault got it, as its folder says; '' unknown
    until: str = ""  # the day on which it ended; '': it holds
    ends: str = ""  # it holds, and this is the last day; '': not said, or the same as `due`
    due: str = ""  # the day, or day and time, of an appointment or deadline: 2026-06-23 10:40
    kind: str = ""
    stream: str = ""  # identity, projects, tasks, flow; '' none
    line: int | None = None  # of a passage: where it begins in the file, from 1
    remark: str = ""  # whose words it is, where not the person's own; '' theirs
    doubt: str = ""  # that it may be out of date, or was not confirmed for long; '': neither
    record: bool = False  # that there was a conversation, or what an assistant said in it
    score: float = 0.0  # in the answer to the question; 0 where nothing was asked
    importance: int = 0  # of an item, 1..10; 0 of what nobody weighed
    tokens: int = 0  # that it takes in the text
    turn: str = ""  # what was said in one breath stands on one line; '': it stands alone
    place: int = 0  # in that turn


@dataclass(frozen=True, slots=True, kw_only=True)
class Portion:
    """What one tier, or one stream of it, had, might take and took. All in tokens."""

    name: str
    content: int  # that could have been given
    granted: int  # that it might take
    used: int
    lines: int  # that are in the text
    left_out: int  # memories that are not


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatMessage:
    """One message of a chat, as the APIs of OpenAI and Anthropic take it."""

    role: str  # system, user
    content: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Pack:
    """What an assistant is given, counted.

    `text` is the whole in the format that was asked for; `standing` and `fresh` are its two parts
    as Markdown: the first does not depend on the question and is the same, byte for byte, until a
    note in it changes, so that a provider can keep it.
    """

    question: str
    format: str  # of FORMATS
    text: str
    standing: str
    fresh: str  # what was found for the question; '' where none was asked
    messages: tuple[ChatMessage, ...]  # the same for a chat: the question stands at the end
    tokens: int  # of `text`; of the messages when they are the format
    budget: int
    counter: str  # that counted
    lines: tuple[Line, ...]  # in the order of the text
    portions: tuple[Portion, ...]
    allocation: str  # of ALLOCATIONS: how the room for what was found was divided
    left_out: tuple[tuple[str, int], ...] = ()  # (where, how many) memories that found no room
    withheld: int = 0  # texts from outside that talk to an assistant: never given
    unsure: int = 0  # of `lines`, those with a `doubt`: given, with that mark
    found: bool = True  # False: a question was asked, and no memory answers it
    moment: Moment | None = None  # the time that was asked about; None: now
    is_level: bool = True  # False: the files were not compared with the index (`--no-sync`)
    synced_at: int | None = None  # then: when it last took in what had changed (UTC ms)
