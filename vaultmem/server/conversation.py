"""What a request says of its conversation, what memory adds and keeps, and requests made beside it.

The shapes of requests (`server/shapes.py`) say who said what; from here on there is one way.
"""

from __future__ import annotations

import hashlib
import json
import re
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence

from vaultmem import model, privacy, sessions
from vaultmem.base import TYPE_CHECKING, Any, Protocol, dataclass, late
from vaultmem.context import tokens
from vaultmem.sessions import Found, Marks, as_state, find, require_id
from vaultmem.sessions import turn_prompt as context
from vaultmem.vault import note_sending

if TYPE_CHECKING:
    from vaultmem.api import Memory
    from vaultmem.model import TurnReport

PERSON, ASSISTANT = "user", "assistant"
CALL = "call"  # the assistant wants something done: what it said before is no reply yet
_ALL_TURNS = 1 << 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One request, as far as memory is concerned."""

    user: str  # what the person says now; '': nothing that could become a turn
    history: tuple[tuple[str, str], ...]  # (role, text) before it: person and assistant alone
    who: str = ""  # whose conversation it is, where a client serves several people
    key: str = ""  # what it names in place of the conversation before it; '': it sends that

    @property
    def turns(self) -> int:
        """How many turns of the conversation its model is shown without us."""
        if self.key:
            return _ALL_TURNS
        return sum(1 for role, _ in self.history if role == PERSON)


class Frame(Protocol):
    """One event of a stream."""

    @property
    def raw(self) -> bytes:
        """As it came."""

    @property
    def data(self) -> str:
        """'': it has none."""


class Upstream(Protocol):
    """A server of models; all but the names raise VaultmemError.

    A path is what stands behind `/v1`, with its query; headers are those of the client that are
    for the server.
    """

    where: str  # host and port, for people
    model: str  # that of the settings

    def get(self, path: str, headers: Mapping[str, str]) -> bytes:
        """What is at a path."""

    def whole(self, path: str, body: bytes, headers: Mapping[str, str]) -> bytes:
        """The whole answer to a request."""

    def frames(
        self, path: str, body: bytes, headers: Mapping[str, str]
    ) -> Generator[Frame, None, None]:
        """The events of an answer as they come."""


def fold(
    pieces: Iterable[tuple[str, str]], *, who: str = "", key: str = "", goes_on: Asked | None = None
) -> Asked:
    """What is asked, of what was said in its order: (PERSON, ASSISTANT or CALL, text).

    goes_on  a request that is still being worked on, and is not sent again

    While an assistant works with tools the person's words stand before what the tools answered:
    they are what is asked, until there is a reply in words. What the person adds meanwhile belongs
    to them, and what the assistant says meanwhile is no reply.
    """
    spoken: list[tuple[str, str]] = []
    if goes_on is not None:
        spoken = [*goes_on.history, (PERSON, goes_on.user)]
        key = goes_on.key
    for role, piece in pieces:
        text = sessions.whole_characters(piece)  # as the reply was kept, which is sent back here
        if role == CALL:
            while spoken and spoken[-1][0] == ASSISTANT:
                spoken.pop()
        elif not text.strip():
            continue
        elif spoken and spoken[-1][0] == role:
            spoken[-1] = (role, f"{spoken[-1][1]}\n\n{text}")
        else:
            spoken.append((role, text))
    if not spoken or spoken[-1][0] != PERSON:
        return Asked(user="", history=tuple(spoken), who=who, key=key)
    return Asked(user=spoken[-1][1], history=tuple(spoken[:-1]), who=who, key=key)


def typed_words(texts: Iterable[str]) -> str:
    """What the person typed, of the texts of one message of theirs: clients put more into it."""
    own = (sessions.kept_words(sessions.without_preamble(text)) for text in texts)
    # Cut here, so that the same words are the same when they are sent back as history.
    return "\n".join(text for text in own if text)[: sessions.LONGEST_PROMPT]


def marks_of(asked: Asked, reply: str, *, key: str = "") -> Marks:
    """The marks of a conversation once `reply` was given; `key`: what it may be named by now."""
    turn = ((PERSON, asked.user), (ASSISTANT, reply))
    sent = marks_sent(asked)
    return Marks(
        so_far=_digest(asked.who, (*asked.history, *turn)),
        before=sent.so_far,
        last=_digest(asked.who, turn),
        asked=sent.asked,
        key=_digest_of(key),
        key_before=sent.key,
    )


def marks_sent(asked: Asked) -> Marks:
    """What a request says of the conversation before it."""
    last = asked.history[-2:]
    is_turn = [role for role, _ in last] == [PERSON, ASSISTANT]
    return Marks(
        so_far=_digest(asked.who, asked.history) if asked.history else "",
        before="",
        last=_digest(asked.who, last) if is_turn else "",
        asked=_digest(asked.who, [(PERSON, asked.user)]),
        key=_digest_of(asked.key),
    )


def _digest(who: str, spoken: Sequence[tuple[str, str]]) -> str:
    """Of the words alone: clients send replies back with other white space around them."""
    words = [[role, " ".join(text.split())] for role, text in spoken]
    return _digest_of(json.dumps([who, words], ensure_ascii=True))


def _digest_of(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:32] if text else ""


# --- before a request goes on, and after its reply ---

NO_MEMORY = "-"  # as the name of a session: this request is none of ours
_TITLE = 60  # characters
_MARKUP = re.compile(r"[`#*_\[\]<>|]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Talk:
    """One request, as part of a conversation."""

    asked: Asked
    session: str = ""  # as the client names it; '': it does not
    writer: str = "person"  # whose words the person's side is
    client: str = ""  # the coding assistant that asks, as hooks call it; '': none


def talk_of(asked: Asked, *, named: str, writer: str, client: str = "") -> Talk:
    """The conversation of a request; raises BadInputError for a name that no session can have."""
    if named:
        require_id(named)
    return Talk(asked=asked, session=named, writer=writer, client=client)


def memory_for(memory: Memory, talk: Talk, *, where: str) -> str:
    """What the model at `where` is told beside the conversation; it is noted that it is.

    raises  VaultmemError; nothing was sent then, and nothing should be
    """
    found = _find_conversation(memory, talk)
    asked = talk.asked
    vault = memory.opened
    known = found.id if found is not None and not found.is_back else ""
    told = context.addition(vault, known, asked.user, sent=asked.turns)
    note_sending(vault, "answer a request", where, f"{len(told):,} characters of memory")
    return told


def keep(memory: Memory, talk: Talk, reply: str, *, key: str = "") -> TurnReport:
    """Remember what was asked and replied, as a turn of its session; durable when it returns.

    key  what the client may name from now on, in place of sending what was said

    A client that asks for another reply to the same words, or puts the last words in another way,
    takes its last turn back: so does the session, whose history has both.
    """
    found = _find_conversation(memory, talk)
    state = as_state(marks_of(talk.asked, reply, key=key))
    # A day of a coding assistant's reports would fill the repository.
    said = sessions.reply_words(reply) if talk.client else reply
    if found is None:
        return _begin(
            memory, talk, sessions.Said(user=talk.asked.user, assistant=said, state=state)
        )
    session = memory.session(found.id, start=False)
    if found.is_ended:
        session.resume()
    if found.is_back:
        session.rewind(found.turns - 1)
    return session.turn(talk.asked.user, said, state=state, background=True)


def _begin(memory: Memory, talk: Talk, said: sessions.Said) -> TurnReport:
    """The first turn of a session, in one commit with its beginning."""
    vault, id_ = memory.opened, talk.session or model.chat_id()
    title = _title(memory, said.user)
    begin = sessions.beginning_of(vault, id_, title=title, writer=talk.writer, client=talk.client)
    sessions.end_idle(vault)
    summariser = sessions.summariser_of(vault)
    with sessions.queue(vault, id_):
        report = sessions.add_turn(vault, id_, said, summariser=summariser, later=True, begin=begin)
    if report.waiting:
        memory.session(id_, start=False).summarise_beside()
    return report


def note_count(memory: Memory, model: str, texts: Sequence[str], counted: int | None) -> None:
    """Note what the server counted for a request of these texts alone; None: it did not say."""
    if model and texts:
        tokens.keep(memory.opened, model, tuple(texts), counted)


def _find_conversation(memory: Memory, talk: Talk) -> Found | None:
    return find(memory.opened, marks_sent(talk.asked), id_=talk.session)


def _title(memory: Memory, said: str) -> str:
    """The first words of a conversation; without secrets, since a title is written everywhere."""
    line = next((line for line in said.splitlines() if _MARKUP.sub("", line).strip()), "")
    screening = privacy.Screening(memory.settings, policy="redact", is_imported=True)
    return model.shorten(_MARKUP.sub("", screening.clean("title", line[:2_000])), _TITLE)


def said_of(report: TurnReport) -> str:
    """One line about a turn that was kept."""
    changes = [f"+ {text}" for text in report.added] + [f"- {text}" for text in report.removed]
    told = "; ".join(changes) or "kept"
    return f"{report.session}  turn {report.turn}: {told}"


# --- requests beside a conversation: its title, its summary ---

# Nobody said their words to anybody: they are passed on, and not remembered. They are known by how
# they look, never by one product's sentence. No state outlives the process: what a title is of was
# said seconds ago.
_SECONDS = 120.0  # between a request and that for its title; opencode sends both at once
_HELPER_SECONDS = 600.0  # between what a helper is told and what it asks, and between its requests
_MOST_SEEN, _MOST_GIVEN = 256, 1_000
_LONGEST_ORDER = 20_000  # characters of what a client says in the person's place; one has 7,000
_HEAD = 800  # characters of instructions in which their purpose is told
_SENTENCE = late(r"[.!?]\s|\n\s*\n|\n[-*#]")
_MAKES = late(
    r"\b(?:generat|creat|writ|produc|provid|giv|suggest|extract|summari[sz]|return|output"
    r"|com(?:e|ing) up with)",
    re.IGNORECASE,
)
_NAME = late(r"\b(?:title|name|topic|headline)\b", re.IGNORECASE)
_TALK = late(r"\b(?:conversation|chat|thread|session|dialog(?:ue)?|discussion)\b", re.IGNORECASE)
_TALK_OR_MESSAGE = late(
    r"\b(?:conversation|chat|thread|session|dialog(?:ue)?|discussion|message)s?\b", re.IGNORECASE
)
_COUNT = r"\d+(?:\s*(?:-|–|to)\s*\d+)?[- ]?(?:words?|char(?:acter)?s?)\b"
_BRIEF = rf"\b(?:concise|short|brief|only|{_COUNT})"
_SHORT = late(_BRIEF, re.IGNORECASE)
# "a concise, sentence-case title"; not "a short post about bees with a title".
_SHORT_TITLE = late(
    rf"{_BRIEF}(?:[\s,/-]+[\w-]+){{0,3}}[\s,-]+(?:title|headline)\b"
    rf"|\b(?:title|headline)\b[^.\n]{{0,40}}{_COUNT}",
    re.IGNORECASE,
)
_MAKER = late(r"\btitle[- ](?:generator|writer|maker)\b", re.IGNORECASE)
# A client that runs out of room asks, in the person's place, for a summary of what was said. It
# calls the person "the user", or speaks of the model that goes on: no person does.
_SUMMARY = late(
    r"\b(?:creat|writ|produc|provid|generat|giv|mak|prepar)\w*\b[^.\n]{0,60}\bsummar(?:y|ies)\b"
    r"[^.\n]{0,80}\b(?:conversation|session|chat|thread|history|llm|model|agent)\b"
    r"|\bsummari[sz](?:e|ing)\b[^.\n]{0,40}\b(?:conversation|session|chat|thread|history)\b",
    re.IGNORECASE,
)
_OF_THE_USER = late(
    r"\b(?:the user(?:'s)?|users?(?:'s|')? (?:preferences|messages|requests|intents?))\b"
    r"|\b(?:another|next) (?:coding )?(?:llm|agent|model|assistant)\b",
    re.IGNORECASE,
)
_FIELDS_OF_TITLES = 3  # at most, of an answer that is a title and what goes with it


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """A request, as far as it takes to know what it is for."""

    asked: Asked
    said: tuple[str, ...]  # each text of the person by itself
    system: str
    agent: str  # the program that asks, as it calls itself
    has_tools: bool
    fields: frozenset[str] = frozenset()  # of the JSON that the answer has to be; none: any text
    most_tokens: int | None = None  # of the answer


class SideRequests:
    """What was asked and answered a moment ago."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._seen: deque[tuple[float, Seen]] = deque(maxlen=_MOST_SEEN)
        self._given: OrderedDict[str, float] = OrderedDict()  # words -> when they were last met

    def note(self, seen: Seen) -> None:
        """A request that goes on."""
        self._seen.append((self._now(), seen))

    def note_given(self, texts: Iterable[str]) -> None:
        """What an assistant gave to its tools: one of them may be another assistant."""
        for text in texts:
            if words := _plain(text):
                self._meet(words)
        while len(self._given) > _MOST_GIVEN:
            self._given.popitem(last=False)

    def is_for_helper(self, asked: Asked) -> bool:
        """Whether a conversation begins with what an assistant gave to a tool."""
        first = next((text for role, text in asked.history if role == PERSON), asked.user)
        words = _plain(first)
        met = self._given.get(words)
        if met is None or self._now() - met > _HELPER_SECONDS:
            return False
        self._meet(words)
        return True

    def is_beside(self, seen: Seen) -> bool:
        """Whether a request is for the title or the summary of a conversation."""
        return self.is_for_title(seen) or bool(seen.said and asks_for_summary(seen.said[-1]))

    def is_for_title(self, seen: Seen) -> bool:
        """Whether a request asks for the title of a conversation, or only whether one may ask.

        It brings no tools and no reply. What it is for stands in its instructions or in the fields
        of its answer; or the same words were said a moment ago under other instructions, and of
        two such requests without tools the first is the conversation.
        """
        if seen.has_tools or any(role != PERSON for role, _ in seen.asked.history):
            return False
        if seen.most_tokens is not None and seen.most_tokens <= 1:
            return True
        if "title" in seen.fields and len(seen.fields) <= _FIELDS_OF_TITLES:
            return True
        return (
            names_a_talk(seen.system)
            or (len(seen.said) == 1 and names_a_talk(seen.said[0], is_said=True))
            or any(True for _ in self._same_words(seen))
        )

    def was_for_title(self, seen: Seen) -> bool:
        """The same when its reply is there: the conversation itself may have been asked second."""
        if seen.has_tools or seen.asked.history:
            return False
        return any(other.has_tools for other in self._same_words(seen))

    def _meet(self, words: str) -> None:
        self._given[words] = self._now()
        self._given.move_to_end(words)

    def _same_words(self, seen: Seen) -> Iterable[Seen]:
        """Other requests with one of its texts, a moment ago and under other instructions."""
        said = {_plain(text) for text in seen.said}
        until = self._now() - _SECONDS
        for at, other in reversed(self._seen):
            if at < until:
                return
            is_other = other.agent == seen.agent and other.system != seen.system
            if is_other and other.said and _plain(other.said[-1]) in said:
                yield other


def asks_for_summary(words: str) -> bool:
    """Whether what stands in the person's place is a client's order to sum up what was said."""
    # Claude Code's order for /compact stands in the person's place, and 'Do NOT call any tools'
    # became a rule of the person's.
    head = words[:_LONGEST_ORDER]
    return _SUMMARY.search(head) is not None and _OF_THE_USER.search(head) is not None


def names_a_talk(instructions: str, *, is_said: bool = False) -> bool:
    """Whether instructions are to find a short title for a conversation.

    is_said  they stand where the person's words do: a person may ask how to name a chat, too, so
             only what asks for a title in so many words counts
    """
    head = instructions[:_HEAD]
    if _MAKER.search(head):
        return True
    # One of 'title', 'name' and 'topic' beside 'chat' was met by 'give names to variables ...
    # messages', too.
    if _SHORT_TITLE.search(head) and _TALK_OR_MESSAGE.search(head):
        return True
    if is_said or not _SHORT.search(head):
        return False
    return any(
        all(pattern.search(sentence) for pattern in (_MAKES, _NAME, _TALK))
        for sentence in _SENTENCE.split(head)
    )


def fields_wanted(request: Mapping[str, Any]) -> frozenset[str]:
    """The names at the top of the JSON that an answer has to be, in each of the shapes."""
    for path in (
        ("response_format", "json_schema", "schema"),
        ("text", "format", "schema"),
        ("output_config", "format", "schema"),
        ("output_format", "schema"),
    ):
        found: Any = request
        for name in (*path, "properties"):
            found = found.get(name) if isinstance(found, dict) else None
        if isinstance(found, dict):
            return frozenset(str(name) for name in found)
    return frozenset()


def most_tokens(request: Mapping[str, Any]) -> int | None:
    """How long an answer may be, in each of the shapes; None: the request does not say."""
    names = ("max_tokens", "max_completion_tokens", "max_output_tokens")
    found = [value for name in names if type(value := request.get(name)) is int]
    return min(found, default=None)


def _plain(text: str) -> str:
    return " ".join(text.split()).strip("\"'“”")
