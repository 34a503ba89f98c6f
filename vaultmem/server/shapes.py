"""The three shapes in which clients ask a model: who said what in a request, where the memory goes,
what the reply says, how an error looks. All else is one way, in `conversation.py`. Pure.

A shape knows its JSON and nothing of sessions; what a client or a server sends is not believed to
be of the shape it should have.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence

from vaultmem.base import Any, BadInputError, Protocol, late
from vaultmem.server.conversation import ASSISTANT, CALL, PERSON, typed_words
from vaultmem.server.serving import anthropic_error, error_body
from vaultmem.sessions import whole_characters

OPENAI, ANTHROPIC = "openai", "anthropic"


class Heard:
    """The reply to a request, out of a whole answer or the events of one; nothing is believed."""

    def __init__(self) -> None:
        self._texts: dict[int, str] = {}  # by the place of its part in the reply
        self._arguments: dict[int, str] = {}  # of tools that it wants to be called, as JSON
        self.is_finished = False  # the model ended its reply
        self.is_over = False  # the event that says so of the whole stream has come
        self.has_failed = False  # the server said so itself, in an event of its own
        self.has_calls = False  # it wants tools to be called: this is no reply in words yet
        self.tokens_in: int | None = None  # of the prompt, as the server counts; None: not said
        self.id = ""  # by which a client may name the reply

    @property
    def text(self) -> str:
        """As far as it came."""
        joined = "\n".join(text for _, text in sorted(self._texts.items()) if text)
        return whole_characters(joined)  # two events may have a half of one each

    @property
    def tool_texts(self) -> Iterator[str]:
        """The texts that it gives to tools; what another assistant is told is among them."""
        for _, arguments in sorted(self._arguments.items()):
            yield from _texts_in(_parse(arguments))

    def take(self, data: str | bytes) -> None:
        """Take in an answer, or the data of an event."""
        found = _parse(data)
        if isinstance(found, dict):
            self._hear(found)

    def _hear(self, found: Mapping[str, Any]) -> None:
        raise NotImplementedError

    def _add(self, place: int, text: Any) -> None:
        if isinstance(text, str):
            self._texts[place] = self._texts.get(place, "") + text

    def _add_argument(self, place: int, text: Any) -> None:
        if isinstance(text, str):
            self._arguments[place] = self._arguments.get(place, "") + text


class Shape(Protocol):
    """One way of asking."""

    path: str  # behind `/v1`, of clients and of servers
    provider: str  # OPENAI or ANTHROPIC: which kind of server is asked so
    ending: bytes  # what ends a stream where the server leaves it out; b'': nothing

    def require(self, request: Mapping[str, Any]) -> None:
        """Return for a request of this shape; raises BadInputError."""

    def words(self, request: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
        """(PERSON, ASSISTANT or CALL, text) in order; tools' answers and pictures are left out."""

    def system(self, request: Mapping[str, Any]) -> str:
        """What the client itself says to the model."""

    def who(self, request: Mapping[str, Any]) -> str:
        """Whose conversation it is, where a client serves several people."""

    def key(self, request: Mapping[str, Any]) -> str:
        """What it names in place of the conversation before it; '': nothing."""

    def with_memory(self, request: Mapping[str, Any], memory: str) -> dict[str, Any]:
        """The values that change when the memory is put in."""

    def texts(self, request: Mapping[str, Any]) -> tuple[str, ...]:
        """Its texts; () where there is more in it than texts to count."""

    def new_reply(self) -> Heard:
        """An empty reply."""

    def error(self, message: str, code: str, status: int) -> dict[str, Any]:
        """An error as clients of this shape read it."""

    def error_event(self, message: str, code: str, status: int) -> bytes:
        """The same in the middle of a stream."""


# --- /chat/completions ----------------------------------------------------------------------

_SYSTEM = ("system", "developer")


class Chat:
    """A `Shape`: OpenAI's older one, which nearly every server and client knows."""

    path, provider, ending = "/chat/completions", OPENAI, b"data: [DONE]\n\n"

    def require(self, request: Mapping[str, Any]) -> None:
        """It has messages."""
        _require_messages(request)

    def words(self, request: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
        """A message that calls tools is no reply."""
        for message in request["messages"]:
            if message["role"] == PERSON:
                yield PERSON, typed_words(_texts_of(message.get("content")))
            elif message["role"] == ASSISTANT:
                yield ASSISTANT, text_of(message.get("content"))
                if message.get("tool_calls") or message.get("function_call"):
                    yield CALL, ""

    def system(self, request: Mapping[str, Any]) -> str:
        """Messages of the system or the developer."""
        said = [each for each in request["messages"] if each["role"] in _SYSTEM]
        return "\n".join(text_of(each.get("content")) for each in said)

    def who(self, request: Mapping[str, Any]) -> str:
        """The field `user`."""
        return _string(request, "user")

    def key(self, request: Mapping[str, Any]) -> str:
        """Such a client sends all."""
        return ""

    def with_memory(self, request: Mapping[str, Any], memory: str) -> dict[str, Any]:
        """Behind what the client says: that is the same each time, which providers keep."""
        messages = list(request["messages"])
        first = messages[0]
        if first["role"] not in _SYSTEM:
            return {"messages": [{"role": "system", "content": memory}, *messages]}
        content = _join(first.get("content"), memory, {"type": "text", "text": memory})
        return {"messages": [{**first, "content": content}, *messages[1:]]}

    def texts(self, request: Mapping[str, Any]) -> tuple[str, ...]:
        """Of all messages."""
        if request.get("tools") or request.get("functions") or request.get("response_format"):
            return ()
        contents = [each.get("content") for each in request["messages"]]
        texts = tuple(each for each in contents if isinstance(each, str))
        return texts if len(texts) == len(contents) else ()

    def new_reply(self) -> Heard:
        """Of several choices the first counts."""
        return _ChatHeard()

    def error(self, message: str, code: str, status: int) -> dict[str, Any]:
        """OpenAI's."""
        return error_body(message, code)

    def error_event(self, message: str, code: str, status: int) -> bytes:
        """The last one, in the place of `[DONE]`."""
        return _event("", error_body(message, code))


class _ChatHeard(Heard):
    def take(self, data: str | bytes) -> None:
        """`[DONE]` is no JSON."""
        if data in ("[DONE]", b"[DONE]"):
            self.is_over = True
        else:
            super().take(data)

    def _hear(self, found: Mapping[str, Any]) -> None:
        counted = _dict(found, "usage").get("prompt_tokens")
        self.tokens_in = counted if type(counted) is int else self.tokens_in
        for choice in _dicts(found, "choices"):
            if choice.get("index", 0) == 0:
                self._hear_choice(choice)

    def _hear_choice(self, choice: Mapping[str, Any]) -> None:
        message = choice.get("delta") or choice.get("message")
        if isinstance(message, dict):
            self._add(0, text_of(message.get("content")))
            self.has_calls |= bool(message.get("tool_calls") or message.get("function_call"))
            for number, call in enumerate(_dicts(message, "tool_calls")):
                place = call.get("index", number)
                self._add_argument(place if type(place) is int else number, _arguments(call))
        self.is_finished |= isinstance(choice.get("finish_reason"), str)


def _arguments(call: Mapping[str, Any]) -> Any:
    return _dict(call, "function").get("arguments")


# --- /responses -----------------------------------------------------------------------------

# Items that the client has to do; others (a search of the web) are the server's own.
_CALLS = (
    "apply_patch_call",
    "computer_call",
    "custom_tool_call",
    "function_call",
    "local_shell_call",
    "mcp_approval_request",
    "shell_call",
)
_LAST_EVENTS = ("response.completed", "response.incomplete", "response.failed")


class Responses:
    """A `Shape`: OpenAI's newer one, of Codex and the Agents SDK."""

    path, provider, ending = "/responses", OPENAI, b""

    def require(self, request: Mapping[str, Any]) -> None:
        """Its input is a text or a list of objects; a stored prompt may stand for it."""
        given = request.get("input")
        if given is not None and not isinstance(given, str):
            if not isinstance(given, list) or not all(isinstance(each, dict) for each in given):
                raise BadInputError("'input' is neither a text nor a list of objects")
        elif given is None and not request.get("prompt"):
            raise BadInputError("the request has no 'input'")

    def words(self, request: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
        """A call is an item of its own, and so is what comes of it."""
        given = request.get("input")
        if isinstance(given, str):
            yield PERSON, typed_words([given])
            return
        for item in given or ():
            kind = item.get("type", "message")
            if kind in _CALLS:
                yield CALL, ""
            elif kind == "message" and item.get("role") == PERSON:
                yield PERSON, typed_words(_texts_of(item.get("content")))
            elif kind == "message" and item.get("role") == ASSISTANT:
                yield ASSISTANT, text_of(item.get("content"))

    def system(self, request: Mapping[str, Any]) -> str:
        """Its instructions, and messages of the developer."""
        given = request.get("input")
        items = given if isinstance(given, list) else []
        said = [text_of(each.get("content")) for each in items if each.get("role") in _SYSTEM]
        return "\n".join([_string(request, "instructions"), *said]).strip()

    def who(self, request: Mapping[str, Any]) -> str:
        """The field that came in the place of `user`, or that."""
        return _string(request, "safety_identifier") or _string(request, "user")

    def key(self, request: Mapping[str, Any]) -> str:
        """The reply before, or the conversation, that the server has kept."""
        before = _string(request, "previous_response_id")
        if before:
            return before
        named = request.get("conversation")
        if isinstance(named, dict):
            named = named.get("id")
        return named if isinstance(named, str) else ""

    def with_memory(self, request: Mapping[str, Any], memory: str) -> dict[str, Any]:
        """Behind the instructions, which hold for this request alone.

        A client that keeps the conversation itself (`store` is false) sends it whole each time,
        and the server has kept its beginning: there it stands before the last words of the person,
        so that all before them stays the same. Elsewhere an item would stay in what is stored.
        """
        given = request.get("input")
        if request.get("store") is False and isinstance(given, list):
            last = [at for at, item in enumerate(given) if _is_said(item)]
            part = {"type": "input_text", "text": memory}
            item = {"type": "message", "role": "developer", "content": [part]}
            at = last[-1] if last else len(given)
            return {"input": [*given[:at], item, *given[at:]]}
        return {"instructions": _join(_string(request, "instructions"), memory, None)}

    def texts(self, request: Mapping[str, Any]) -> tuple[str, ...]:
        """None: how they are put together is the server's."""
        return ()

    def new_reply(self) -> Heard:
        """All of its messages."""
        return _ResponseHeard()

    def error(self, message: str, code: str, status: int) -> dict[str, Any]:
        """OpenAI's."""
        return error_body(message, code)

    def error_event(self, message: str, code: str, status: int) -> bytes:
        """As its reference has it; clients of today look for `error` within."""
        told = {"type": "error", "sequence_number": 0, "code": code, "message": message}
        return _event("error", {**told, "param": None, **error_body(message, code)})


def _is_said(item: Mapping[str, Any]) -> bool:
    """Whether an item has words of the person."""
    is_theirs = item.get("type", "message") == "message" and item.get("role") == PERSON
    return is_theirs and bool(typed_words(_texts_of(item.get("content"))))


class _ResponseHeard(Heard):
    def _hear(self, found: Mapping[str, Any]) -> None:
        kind = found.get("type")
        if kind == "response.output_text.delta":
            self._add(_place(found), found.get("delta"))
        elif kind == "response.output_item.done":
            self._hear_item(_place(found), _dict(found, "item"))
        elif kind in _LAST_EVENTS:
            self.is_over = True
            self._hear_response(_dict(found, "response"))
        elif kind == "response.created":
            self.id = _string(_dict(found, "response"), "id")
        elif kind == "error":
            self.has_failed = True
        elif found.get("object") == "response" or isinstance(found.get("output"), list):
            self._hear_response(found)

    def _hear_response(self, response: Mapping[str, Any]) -> None:
        self.id = _string(response, "id") or self.id
        self.is_finished = True
        self.has_failed |= response.get("status") == "failed"
        counted = _dict(response, "usage").get("input_tokens")
        self.tokens_in = counted if type(counted) is int else self.tokens_in
        for place, item in enumerate(_dicts(response, "output")):
            self._hear_item(place, item)

    def _hear_item(self, place: int, item: Mapping[str, Any]) -> None:
        if item.get("type") == "message":
            self._texts[place] = text_of(item.get("content"))
        elif item.get("type") in _CALLS:
            self.has_calls = True
            given = item.get("arguments", item.get("input"))
            self._arguments[place] = given if isinstance(given, str) else ""


def _place(found: Mapping[str, Any]) -> int:
    place = found.get("output_index", found.get("index"))
    return place if type(place) is int else 0


# --- /messages ------------------------------------------------------------------------------

# A session of a client within whom it names: a conversation is known by its words, not by that.
_SESSION = late(r'_session_[\w-]+\Z|"session_id"\s*:\s*"[^"]*"')


class Messages:
    """A `Shape`: Anthropic's, of Claude Code."""

    path, provider, ending = "/messages", ANTHROPIC, b""

    def require(self, request: Mapping[str, Any]) -> None:
        """It has messages."""
        _require_messages(request)

    def words(self, request: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
        """A message with a call in it is no reply; what a tool answers is a block of the person."""
        for message in request["messages"]:
            content = message.get("content")
            if message["role"] == PERSON:
                yield PERSON, typed_words(_texts_of(content))
            elif message["role"] == ASSISTANT:
                yield ASSISTANT, text_of(content)
                blocks = content if isinstance(content, list) else []
                if any(isinstance(b, dict) and b.get("type") == "tool_use" for b in blocks):
                    yield CALL, ""

    def system(self, request: Mapping[str, Any]) -> str:
        """What stands beside the messages."""
        return text_of(request.get("system"))

    def who(self, request: Mapping[str, Any]) -> str:
        """Whom the client names as its user, without the session that it names there as well."""
        return _SESSION.sub("", _string(_dict(request, "metadata"), "user_id"))

    def key(self, request: Mapping[str, Any]) -> str:
        """Such a client sends all."""
        return ""

    def with_memory(self, request: Mapping[str, Any], memory: str) -> dict[str, Any]:
        """A block behind those of the system, without a mark that it is to be kept.

        Where the client marks messages to be kept (`cache_control`), it stands behind the last
        one: a server keeps a prompt up to a mark, so a block of the system that is another at each
        question would have the whole conversation paid for again.
        """
        messages = list(request["messages"])
        last = messages[-1]
        is_kept = any(_is_marked(each) for each in messages)
        if is_kept and last["role"] == PERSON:
            note = f"<system-reminder>\n{memory}\n</system-reminder>"
            # Where a client marks messages for the cache: another block of the system at each
            # question would have the whole conversation paid for again.
            block = {"type": "text", "text": note}
            content = last.get("content")
            before = content if isinstance(content, list) else []
            # A content that is a number, behind a message that is marked to be kept, was a 500.
            if isinstance(content, str) and content:
                before = [{"type": "text", "text": content}]
            return {"messages": [*messages[:-1], {**last, "content": [*before, block]}]}
        block = {"type": "text", "text": memory}
        return {"system": _join(request.get("system"), memory, block)}

    def texts(self, request: Mapping[str, Any]) -> tuple[str, ...]:
        """Of the system and all messages."""
        contents = [each.get("content") for each in request["messages"]]
        if "system" in request:
            contents.append(request["system"])
        texts = tuple(each for each in contents if isinstance(each, str))
        return texts if len(texts) == len(contents) and not request.get("tools") else ()

    def new_reply(self) -> Heard:
        """All of its blocks of text."""
        return _MessageHeard()

    def error(self, message: str, code: str, status: int) -> dict[str, Any]:
        """Anthropic's."""
        return anthropic_error(message, code, status)

    def error_event(self, message: str, code: str, status: int) -> bytes:
        """The last one."""
        return _event("error", self.error(message, code, status))


def _is_marked(message: Mapping[str, Any]) -> bool:
    content = message.get("content")
    blocks = content if isinstance(content, list) else []
    return any(isinstance(block, dict) and block.get("cache_control") for block in blocks)


class _MessageHeard(Heard):
    def _hear(self, found: Mapping[str, Any]) -> None:
        kind = found.get("type")
        if kind == "message":
            self._hear_message(found)
        elif kind == "message_start":
            self._hear_message(_dict(found, "message"))
        elif kind == "content_block_start":
            self._hear_block(_place(found), _dict(found, "content_block"))
        elif kind == "content_block_delta":
            delta = _dict(found, "delta")
            self._add(_place(found), delta.get("text"))
            self._add_argument(_place(found), delta.get("partial_json"))
        elif kind == "message_delta":
            self._hear_end(_dict(found, "delta"))
        elif kind == "message_stop":
            self.is_over = True
        elif kind == "error":
            self.has_failed = True

    def _hear_message(self, message: Mapping[str, Any]) -> None:
        usage = _dict(message, "usage")
        kept = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
        counts = [count for name in kept if type(count := usage.get(name)) is int]
        self.tokens_in = sum(counts) if counts else None
        for place, block in enumerate(_dicts(message, "content")):
            self._hear_block(place, block)
        self._hear_end(message)

    def _hear_block(self, place: int, block: Mapping[str, Any]) -> None:
        if block.get("type") == "text":
            self._add(place, block.get("text"))
        elif block.get("type") == "tool_use":
            self.has_calls = True
            given = block.get("input")
            self._arguments[place] = json.dumps(given) if given else ""

    def _hear_end(self, found: Mapping[str, Any]) -> None:
        reason = found.get("stop_reason")
        self.is_finished |= isinstance(reason, str)
        # Too long for one answer: the client sends it back as it is, and it goes on.
        self.has_calls |= reason == "pause_turn"


SHAPES: tuple[Shape, ...] = (Chat(), Responses(), Messages())
CHAT, RESPONSES, MESSAGES = SHAPES


# --- JSON that nobody has looked at ---------------------------------------------------------


def text_of(content: Any) -> str:
    """The text of a message: a string, or parts of which some are text."""
    return "\n".join(_texts_of(content))


def _texts_of(content: Any) -> list[str]:
    if isinstance(content, str):
        return [content]
    parts = content if isinstance(content, list) else []
    # What a tool answered has its text one level below, and is nobody's words.
    texts = [part.get("text") for part in parts if isinstance(part, dict)]
    return [text for text in texts if isinstance(text, str)]


def _join(content: Any, memory: str, block: Mapping[str, Any] | None) -> Any:
    """A text, or blocks of it, with the memory behind."""
    if isinstance(content, list) and block is not None:
        return [*content, block]
    return f"{text_of(content)}\n\n{memory}".lstrip("\n")


def _require_messages(request: Mapping[str, Any]) -> None:
    messages = request.get("messages")
    if not isinstance(messages, list) or not messages:
        raise BadInputError("the request has no 'messages'")
    if not all(isinstance(each, dict) and isinstance(each.get("role"), str) for each in messages):
        raise BadInputError("each of 'messages' is an object with a 'role'")


def _event(name: str, value: Mapping[str, Any]) -> bytes:
    head = f"event: {name}\n" if name else ""
    return f"{head}data: {json.dumps(value)}\n\n".encode()


def _parse(data: str | bytes) -> Any:
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return None


def _texts_in(found: Any) -> Iterator[str]:
    """The texts of a value, wherever in it."""
    if isinstance(found, str):
        yield found
    elif isinstance(found, dict | list):
        for inner in found.values() if isinstance(found, dict) else found:
            yield from _texts_in(inner)


def _string(found: Mapping[str, Any], name: str) -> str:
    value = found.get(name)
    return value if isinstance(value, str) else ""


def _dict(found: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    value = found.get(name)
    return value if isinstance(value, dict) else {}


def _dicts(found: Mapping[str, Any], name: str) -> Sequence[Mapping[str, Any]]:
    value = found.get(name)
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []
