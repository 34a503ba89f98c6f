"""What a client of the proxy asks, and its exchange as a turn of a session.

Such a client sends the whole conversation with each question and knows nothing of sessions: its
first words say which one it is, and the number of its questions whether it goes on.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from vaultmem.errors import BadInputError
from vaultmem.frozen import dataclass
from vaultmem.model.messages import Message
from vaultmem.model.sessions import ACTIVE
from vaultmem.operations import session_files
from vaultmem.operations.session_chat import Coming
from vaultmem.operations.session_context import memory_text
from vaultmem.operations.session_steps import current

if TYPE_CHECKING:
    from vaultmem.operations.parts import Parts
    from vaultmem.ports import ReplyStream

_ROLES = {"system": "system", "developer": "system", "user": "user", "assistant": "assistant"}
_MOST_ALIKE = 1000  # sessions that begin with the same words
_DIGITS = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """A request, read."""

    messages: tuple[Message, ...]  # the last one is the question
    is_streamed: bool
    model: str  # as the client names it; the model that answers is that of the settings
    session: str = ""  # an id that the client chose; '': found by its first words

    @property
    def question(self) -> str:
        """What is asked."""
        return self.messages[-1].text


class Relayed(Coming):
    """The reply to a client, and the session that the exchange belongs to."""

    def __init__(self, stream: ReplyStream, session: str) -> None:
        super().__init__(stream)
        self.session = session


def wanted(body: object, session: str = "") -> Wanted:
    """A request of `/chat/completions`, as far as a memory can answer it: texts.

    raises BadInputError for tools, images, several choices, and a last message that asks nothing
    """
    if not isinstance(body, dict):
        raise BadInputError("the request is not an object")
    for key in ("tools", "functions"):
        if body.get(key):
            raise BadInputError(f"'{key}' are not passed on; ask the model itself")
    if body.get("n") not in (None, 1):
        raise BadInputError("one reply is given, not several")
    listed = body.get("messages")
    if not isinstance(listed, list) or not listed:
        raise BadInputError("'messages' is not a list of messages")
    messages = tuple(_message(each) for each in listed)
    if messages[-1].role != "user" or not messages[-1].text.strip():
        raise BadInputError("the last message is not a question of the user")
    return Wanted(
        messages=messages,
        is_streamed=bool(body.get("stream")),
        model=str(body.get("model") or "vaultmem"),
        session=session_files.require_id(session) if session else "",
    )


def relay(parts: Parts, asked: Wanted) -> Relayed:
    """Ask the chat model with what is known; the caller keeps the turn when the reply is whole."""
    from vaultmem.operations.anchoring import note_sending
    from vaultmem.operations.models import chat

    model = chat(parts)
    id_ = asked.session or session_of(parts, asked.messages)
    known = memory_text(parts, id_, asked.question)
    told = [message.text for message in asked.messages if message.role == "system"]
    system = "\n\n".join(text for text in (*told, known) if text)
    messages = [message for message in asked.messages if message.role != "system"]
    if system:
        messages.insert(0, Message(role="system", text=system))
    note_sending(parts, "relay to a model", model.where, f"session {id_}")
    return Relayed(model.stream(messages), id_)


def session_of(parts: Parts, messages: Sequence[Message]) -> str:
    """The session that a list of messages goes on with; the id of a new one when it is none.

    Told apart by the first words; of several that began so, the open one that has just as many
    turns as questions were asked before this one, with the same last question.
    """
    said = [message.text.strip() for message in messages if message.role == "user"]
    digest = hashlib.sha256(said[0].encode("utf-8", "replace")).hexdigest()[:_DIGITS]
    known = session_files.folders(parts)
    for number in range(1, _MOST_ALIKE):
        id_ = f"proxy-{digest}" if number == 1 else f"proxy-{digest}-{number}"
        if id_ not in known:
            return id_
        now = current(parts, known[id_])
        before = said[:-1]
        goes_on = bool(before) and now.status == ACTIVE and now.turns == len(before)
        if goes_on and now.exchanges[-1].user == before[-1]:
            return id_
    raise BadInputError("too many conversations began with these words", hint="begin with others")


def _message(found: Any) -> Message:
    role = _ROLES.get(str(found.get("role"))) if isinstance(found, dict) else None
    if role is None:
        raise BadInputError("a message is of no role that is passed on (system, user, assistant)")
    content = found.get("content")
    if isinstance(content, list):
        if not all(isinstance(part, dict) and part.get("type") == "text" for part in content):
            raise BadInputError("a message holds something else than text")
        content = "\n\n".join(str(part.get("text") or "") for part in content)
    if found.get("tool_calls") or not isinstance(content, str):
        raise BadInputError("a message holds something else than text")
    return Message(role=role, text=content)
