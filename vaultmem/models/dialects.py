"""What the two ways of talking to a model have in common: what is asked, what is read."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from vaultmem.base import Any, LLMError, Protocol, dataclass
from vaultmem.model import Message, Reply, Schema
from vaultmem.models.http import error_of

SCHEMA, OBJECT, PROMPT = "schema", "object", "prompt"
MODES = (SCHEMA, OBJECT, PROMPT)
"""How a model is made to answer with JSON, strongest first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One request, before it is worded for a server."""

    messages: Sequence[Message]
    max_tokens: int
    schema: Schema | None = None  # None: any text
    mode: str = PROMPT  # of MODES; without a schema it does not count
    is_streamed: bool = False
    without: frozenset[str] = frozenset()  # parameters that this server does not take


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """What one event of a stream adds."""

    text: str = ""
    finish: str = ""  # why the reply ends; '': it goes on
    model: str = ""
    tokens_in: int | None = None
    tokens_out: int | None = None


class Dialect(Protocol):
    """How a kind of server is asked, and how it answers."""

    @property
    def modes(self) -> tuple[str, ...]:
        """Of MODES, those that it has."""

    @property
    def path(self) -> str:
        """What stands behind the address."""

    def headers(self) -> dict[str, str]:
        """Headers of a request; the key is in them, where there is one."""

    def body(self, model: str, question: Question) -> dict[str, Any]:
        """The JSON of a request."""

    def reply(self, answer: Mapping[str, Any]) -> tuple[Reply, str]:
        """What a whole answer says, and why it ends; raises LLMError."""

    def piece(self, event: Mapping[str, Any]) -> Piece:
        """What one event of a stream says; raises LLMError."""


_WANTED = (
    "Reply with one JSON object and nothing else: no explanation, no code fence. "
    "It must fit this JSON schema:\n"
)
# Why a reply ended -> the kind of error that it is, in the words of both dialects.
UNFINISHED = {
    "length": "truncated",
    "max_tokens": "truncated",
    "model_context_window_exceeded": "truncated",
    "content_filter": "refusal",
    "refusal": "refusal",
    "error": "server",
}


def require_finished(reason: str, text: str, *, where: str) -> None:
    """Return for a reply that the model ended; raises LLMError for one that was cut."""
    kind = UNFINISHED.get(reason)
    if kind is None:
        return
    what = {
        "truncated": "cut its reply: it reached the most tokens allowed",
        "refusal": "refuses to answer",
        "server": "failed in the middle of its reply",
    }[kind]
    raise LLMError(kind, f"the model at {where} {what}", text=text)


def messages_with_schema(question: Question) -> list[Message]:
    """The messages, and in the first of the system the words that ask for JSON.

    These stand there in every mode: some servers take a schema and pay no attention to it. One
    message of the system, since the templates of many models have a place for one.
    """
    system = [each.text for each in question.messages if each.role == "system"]
    if question.schema is not None:
        system.append(_WANTED + json.dumps(question.schema, ensure_ascii=False))
    rest = [each for each in question.messages if each.role != "system"]
    joined = "\n\n".join(system)
    return [*([Message(role="system", text=joined)] if joined else []), *rest]


def as_json(body: bytes, *, where: str) -> Mapping[str, Any]:
    """The JSON object of an answer; raises LLMError."""
    try:
        answer: Any = json.loads(body.decode())
    except (ValueError, RecursionError) as error:
        raise unusable(where, "its answer is not JSON") from error
    if not isinstance(answer, dict):
        raise unusable(where, "its answer is no JSON object")
    return answer


def unusable(where: str, why: str) -> LLMError:
    """The error for an answer that is not of this dialect."""
    return LLMError("protocol", f"the model server {where} cannot be used: {why}")


def number(found: Any, name: str) -> int | None:
    """A count of tokens, as a server reports it."""
    value = found.get(name) if isinstance(found, dict) else None
    return value if type(value) is int and 0 <= value < 1_000_000_000 else None


def model_name_of(answer: Mapping[str, Any]) -> str:
    """The name of the model that answered, at most 200 characters."""
    model = answer.get("model")
    return model[:200] if isinstance(model, str) else ""


# The dialect of `/v1/messages`: Anthropic's, which llama.cpp and others also speak.

VERSION = "2023-06-01"
_TOOL = "reply"


class AnthropicMessages:
    """A `Dialect`. A tool that the model is made to use has the place of a schema."""

    modes = (SCHEMA, PROMPT)
    path = "/messages"

    def __init__(self, where: str, key: str) -> None:
        self._where = where
        self._key = key

    def headers(self) -> dict[str, str]:
        """The version, and the key in a header of its own."""
        key = {"x-api-key": self._key} if self._key else {}
        return {"anthropic-version": VERSION} | key

    def body(self, model: str, question: Question) -> dict[str, Any]:
        """The JSON of a request; what the system says stands beside the messages."""
        messages = messages_with_schema(question)
        system = [each.text for each in messages if each.role == "system"]
        body: dict[str, Any] = {
            "model": model,
            "max_tokens": question.max_tokens,
            "messages": [
                {"role": each.role, "content": each.text}
                for each in messages
                if each.role != "system"
            ],
        }
        if system:
            body["system"] = system[0]
        if "temperature" not in question.without:
            body["temperature"] = 0
        if question.is_streamed:
            body["stream"] = True
        if question.schema is not None and question.mode == SCHEMA:
            body["tools"] = [
                {"name": _TOOL, "description": "Reply.", "input_schema": question.schema}
            ]
            body["tool_choice"] = {"type": "tool", "name": _TOOL}
        return body

    def reply(self, answer: Mapping[str, Any]) -> tuple[Reply, str]:
        """The texts of the answer, or what the tool was given, as JSON; raises LLMError."""
        self._require_no_error(answer)
        content = answer.get("content")
        if not isinstance(content, list) or not all(isinstance(each, dict) for each in content):
            raise unusable(self._where, "its answer has no content")
        given = [each.get("input") for each in content if each.get("type") == "tool_use"]
        texts = [each.get("text") for each in content if each.get("type") == "text"]
        if given and isinstance(given[0], dict):
            text = json.dumps(given[0], ensure_ascii=False)
        else:
            text = "".join(text for text in texts if isinstance(text, str))
        usage, reason = answer.get("usage"), answer.get("stop_reason")
        reply = Reply(
            text=text,
            model=model_name_of(answer),
            tokens_in=_prompt_tokens(usage),
            tokens_out=number(usage, "output_tokens"),
        )
        return reply, reason if isinstance(reason, str) else ""

    def piece(self, event: Mapping[str, Any]) -> Piece:
        """What one event adds; those of other types add nothing."""
        self._require_no_error(event)
        message, delta = event.get("message"), event.get("delta")
        if isinstance(message, dict):
            usage = message.get("usage")
            return Piece(model=model_name_of(message), tokens_in=_prompt_tokens(usage))
        if not isinstance(delta, dict):
            return Piece()
        text, finish = delta.get("text"), delta.get("stop_reason")
        return Piece(
            text=text if isinstance(text, str) else "",
            finish=finish if isinstance(finish, str) else "",
            tokens_out=number(event.get("usage"), "output_tokens"),
        )

    def _require_no_error(self, answer: Mapping[str, Any]) -> None:
        """An error in a stream comes as an event."""
        if answer.get("type") == "error":
            found = answer.get("error")
            kind = found.get("type") if isinstance(found, dict) else ""
            status = {"rate_limit_error": 429, "authentication_error": 401}.get(str(kind), 500)
            raise error_of(status, json.dumps(answer).encode(), where=self._where, key=self._key)


def _prompt_tokens(usage: Any) -> int | None:
    """Tokens of the whole prompt: what the server had kept of it is counted apart there."""
    fresh = number(usage, "input_tokens")
    if fresh is None:
        return None
    kept = ("cache_creation_input_tokens", "cache_read_input_tokens")
    return fresh + sum(number(usage, name) or 0 for name in kept)


# The dialect of `/chat/completions`: OpenAI's, and that of nearly every server of models.


class ChatCompletions:
    """A `Dialect`."""

    modes = MODES
    path = "/chat/completions"

    def __init__(self, where: str, key: str) -> None:
        self._where = where
        self._key = key

    def headers(self) -> dict[str, str]:
        """A bearer token."""
        return {"Authorization": f"Bearer {self._key}"} if self._key else {}

    def body(self, model: str, question: Question) -> dict[str, Any]:
        """The JSON of a request; temperature 0, so that the same question has the same answer."""
        without = question.without
        # Newer models of OpenAI know only the longer name, other servers only the shorter one.
        limit = "max_completion_tokens" if "max_tokens" in without else "max_tokens"
        body: dict[str, Any] = {
            "model": model,
            "messages": [
                {"role": each.role, "content": each.text} for each in messages_with_schema(question)
            ],
            limit: question.max_tokens,
        }
        if "temperature" not in without:
            body["temperature"] = 0
        if question.is_streamed:
            body["stream"] = True
            if "stream_options" not in without:
                body["stream_options"] = {"include_usage": True}
        if question.schema is not None and question.mode == SCHEMA:
            body["response_format"] = {
                "type": "json_schema",
                "json_schema": {"name": "reply", "strict": True, "schema": question.schema},
            }
        elif question.schema is not None and question.mode == OBJECT:
            body["response_format"] = {"type": "json_object"}
        return body

    def reply(self, answer: Mapping[str, Any]) -> tuple[Reply, str]:
        """What the first choice says; raises LLMError."""
        self._require_no_error(answer)
        choices = answer.get("choices")
        first = choices[0] if isinstance(choices, list) and choices else None
        message = first.get("message") if isinstance(first, dict) else None
        if not isinstance(first, dict) or not isinstance(message, dict):
            raise unusable(self._where, "its answer has no message")
        refusal = message.get("refusal")
        if isinstance(refusal, str) and refusal:
            raise LLMError("refusal", f"the model at {self._where} refuses to answer", text=refusal)
        text = _text_of(message.get("content"))
        reason = first.get("finish_reason")
        usage = answer.get("usage")
        reply = Reply(
            text=text,
            model=model_name_of(answer),
            tokens_in=number(usage, "prompt_tokens"),
            tokens_out=number(usage, "completion_tokens"),
        )
        return reply, reason if isinstance(reason, str) else ""

    def piece(self, event: Mapping[str, Any]) -> Piece:
        """What one chunk adds; a chunk without choices carries the usage."""
        self._require_no_error(event)
        usage = event.get("usage")
        choices = event.get("choices")
        first = choices[0] if isinstance(choices, list) and choices else {}
        if not isinstance(first, dict):
            raise unusable(self._where, "a piece of its answer has no choice")
        delta = first.get("delta")
        text = delta.get("content") if isinstance(delta, dict) else None
        finish = first.get("finish_reason")
        return Piece(
            text=text if isinstance(text, str) else "",
            finish=finish if isinstance(finish, str) else "",
            model=model_name_of(event),
            tokens_in=number(usage, "prompt_tokens"),
            tokens_out=number(usage, "completion_tokens"),
        )

    def _require_no_error(self, answer: Mapping[str, Any]) -> None:
        """Some servers report errors with status 200."""
        found = answer.get("error")
        if found and not answer.get("choices"):
            code = found.get("code") if isinstance(found, dict) else None
            status = code if type(code) is int and 400 <= code <= 599 else 500
            raise error_of(status, json.dumps(answer).encode(), where=self._where, key=self._key)


def _text_of(content: Any) -> str:
    """The text of a message: a string, or parts of which some are text."""
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    texts = [part.get("text") for part in parts if isinstance(part, dict)]
    return "".join(text for text in texts if isinstance(text, str))
