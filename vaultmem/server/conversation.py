"""What a request of `/chat/completions` says of its conversation, and the memory put into it."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Generator, Mapping, Sequence

from vaultmem import model, privacy
from vaultmem.base import TYPE_CHECKING, Any, BadInputError, Protocol, dataclass
from vaultmem.context import tokens
from vaultmem.sessions import Found, Marks, as_state, find, require_id
from vaultmem.sessions import turn_prompt as context
from vaultmem.vault import note_sending

if TYPE_CHECKING:
    from vaultmem.api import Memory
    from vaultmem.model import TurnReport
PERSON, ASSISTANT = "user", "assistant"
_SYSTEM = ("system", "developer")


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One request, as far as memory is concerned."""

    user: str  # what the person says now; '': nothing that could become a turn
    history: tuple[tuple[str, str], ...]  # (role, text) before it: person and assistant alone
    who: str  # the `user` field: whose conversation it is, where a client serves several people

    @property
    def turns(self) -> int:
        """How many turns of the conversation it brings itself."""
        return sum(1 for role, _ in self.history if role == PERSON)


class Upstream(Protocol):
    """What answers behind the proxy; all but the names raise VaultmemError."""

    where: str  # host and port, for people
    model: str  # that of the settings

    def models(self) -> bytes:
        """The answer of `/models`."""

    def whole(self, request: Mapping[str, Any]) -> bytes:
        """The whole answer."""

    def events(self, request: Mapping[str, Any]) -> Generator[str, None, None]:
        """The data of each event as it comes, without the last one that only says so."""


def read_request(body: bytes) -> dict[str, Any]:
    """The JSON of a request, with its messages; raises BadInputError."""
    try:
        found: Any = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise BadInputError("the request is not JSON") from error
    messages = found.get("messages") if isinstance(found, dict) else None
    if not isinstance(messages, list) or not messages:
        raise BadInputError("the request has no 'messages'")
    if not all(isinstance(each, dict) and isinstance(each.get("role"), str) for each in messages):
        raise BadInputError("each of 'messages' is an object with a 'role'")
    request: dict[str, Any] = found
    return request


def asked_in(request: Mapping[str, Any]) -> Asked:
    """Who said what: tools and what they answer are left out, and so are pictures.

    While an assistant works with tools the person's words stand before what the tools answered:
    they are what is asked, until there is a reply in words.
    """
    spoken: list[tuple[str, str]] = []
    for message in request["messages"]:
        text = text_of(message.get("content"))
        if (
            message["role"] in (PERSON, ASSISTANT)
            and text.strip()
            and not message.get("tool_calls")
        ):
            spoken.append((message["role"], text))
    who = request.get("user")
    named = who if isinstance(who, str) else ""
    if not spoken or spoken[-1][0] != PERSON:
        return Asked(user="", history=tuple(spoken), who=named)
    return Asked(user=spoken[-1][1], history=tuple(spoken[:-1]), who=named)


def marks_of(asked: Asked, reply: str) -> Marks:
    """The marks of a conversation once `reply` was given."""
    turn = ((PERSON, asked.user), (ASSISTANT, reply))
    sent = marks_sent(asked)
    return Marks(
        so_far=_digest(asked.who, (*asked.history, *turn)),
        before=sent.so_far,
        last=_digest(asked.who, turn),
        asked=sent.asked,
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
    )


def with_memory(request: Mapping[str, Any], memory: str) -> dict[str, Any]:
    """The request with the memory behind what the client itself says to the model.

    Behind, since what a client says is the same each time, which providers keep.
    """
    if not memory:
        return dict(request)
    messages = list(request["messages"])
    first = messages[0]
    if first["role"] not in _SYSTEM:
        return {**request, "messages": [{"role": "system", "content": memory}, *messages]}
    content = first.get("content")
    if isinstance(content, list):
        joined: Any = [*content, {"type": "text", "text": memory}]
    else:
        joined = f"{text_of(content)}\n\n{memory}".lstrip("\n")
    return {**request, "messages": [{**first, "content": joined}, *messages[1:]]}


def texts_sent(request: Mapping[str, Any]) -> tuple[str, ...]:
    """The texts of all messages; () where there is more in the request than texts to count."""
    if request.get("tools") or request.get("functions") or request.get("response_format"):
        return ()
    contents = [each.get("content") for each in request["messages"]]
    texts = tuple(each for each in contents if isinstance(each, str))
    return texts if len(texts) == len(contents) else ()


def text_of(content: Any) -> str:
    """The text of a message: a string, or parts of which some are text."""
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    texts = [part.get("text") for part in parts if isinstance(part, dict)]
    return "\n".join(text for text in texts if isinstance(text, str))


class Heard:
    """The reply to a request, out of a whole answer or the pieces of one; nothing is believed."""

    def __init__(self) -> None:
        self._texts: list[str] = []
        self.is_finished = False  # the model ended its reply
        self.has_calls = False  # it wants tools to be called: this is no reply in words yet
        self.tokens_in: int | None = None  # of the prompt, as the server counts; None: not said

    @property
    def text(self) -> str:
        """As far as it came."""
        return "".join(self._texts)

    def take(self, data: str | bytes) -> None:
        """Take in an answer, or a piece of one."""
        try:
            found: Any = json.loads(data)
        except (ValueError, RecursionError):
            return
        usage = found.get("usage") if isinstance(found, dict) else None
        counted = usage.get("prompt_tokens") if isinstance(usage, dict) else None
        if type(counted) is int:
            self.tokens_in = counted
        choices = found.get("choices") if isinstance(found, dict) else None
        for choice in choices if isinstance(choices, list) else []:
            if isinstance(choice, dict) and choice.get("index", 0) == 0:
                self._hear(choice)

    def _hear(self, choice: Mapping[str, Any]) -> None:
        message = choice.get("delta") or choice.get("message")
        if isinstance(message, dict):
            self._texts.append(text_of(message.get("content")))
            self.has_calls |= bool(message.get("tool_calls") or message.get("function_call"))
        self.is_finished |= isinstance(choice.get("finish_reason"), str)


def _digest(who: str, spoken: Sequence[tuple[str, str]]) -> str:
    """Of the words alone: clients send replies back with other white space around them."""
    words = [[role, " ".join(text.split())] for role, text in spoken]
    told = json.dumps([who, words], ensure_ascii=True)
    return hashlib.sha256(told.encode()).hexdigest()[:32]


# What the proxy asks of a vault before a request goes on, and keeps after its reply.

NO_MEMORY = "-"  # as the name of a session: this request is none of ours
_TITLE = 60  # characters
_MARKUP = re.compile(r"[`#*_\[\]<>|]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Talk:
    """One request, as part of a conversation."""

    asked: Asked
    session: str = ""  # as the client names it; '': it does not
    writer: str = "person"  # whose words the person's side is


def talk_of(asked: Asked, *, named: str, writer: str) -> Talk:
    """The conversation of a request; raises BadInputError for a name that no session can have."""
    if named:
        require_id(named)
    return Talk(asked=asked, session=named, writer=writer)


def memory_for(memory: Memory, talk: Talk, *, where: str) -> str:
    """What the model at `where` is told beside the conversation; it is noted that it is.

    raises  VaultmemError; nothing was sent then, and nothing should be
    """
    found = _find_conversation(memory, talk)
    asked = talk.asked
    parts = memory.parts
    known = found.id if found is not None and not found.is_back else ""
    told = context.addition(parts, known, asked.user, sent=asked.turns)
    note_sending(parts, "answer a request", where, f"{len(told):,} characters of memory")
    return told


def keep(memory: Memory, talk: Talk, reply: str) -> TurnReport:
    """Remember what was asked and replied, as a turn of its session; durable when it returns.

    A client that asks for another reply to the same words, or puts the last words in another way,
    takes its last turn back: so does the session, whose history has both.
    """
    found = _find_conversation(memory, talk)
    if found is None:
        session = memory.session(
            talk.session or _made_up(),
            title=_title(memory, talk.asked.user),
            writer=talk.writer,
        )
    else:
        session = memory.session(found.id, start=False)
        if found.is_ended:
            session.resume()
        if found.is_back:
            session.rewind(found.turns - 1)
    state = as_state(marks_of(talk.asked, reply))
    return session.turn(talk.asked.user, reply, state=state, background=True)


def note_count(memory: Memory, asked: Mapping[str, Any], counted: int | None) -> None:
    """Note what the server counted for a request of texts alone; None: it did not say."""
    model = asked.get("model")
    if isinstance(model, str):
        tokens.keep(memory.parts, model, texts_sent(asked), counted)


def _find_conversation(memory: Memory, talk: Talk) -> Found | None:
    return find(memory.parts, marks_sent(talk.asked), id_=talk.session)


def _title(memory: Memory, said: str) -> str:
    """The first words of a conversation; without secrets, since a title is written everywhere."""

    line = next((line for line in said.splitlines() if _MARKUP.sub("", line).strip()), "")
    screening = privacy.Screening(memory.settings, policy="redact", is_imported=True)
    return model.shorten(_MARKUP.sub("", screening.clean("title", line[:2_000])), _TITLE)


def _made_up() -> str:
    from secrets import token_hex

    return f"chat-{token_hex(4)}"


def said_of(report: TurnReport) -> str:
    """One line about a turn that was kept."""
    changes = [f"+ {text}" for text in report.added] + [f"- {text}" for text in report.removed]
    told = "; ".join(changes) or "kept"
    return f"{report.session}  turn {report.turn}: {told}"
