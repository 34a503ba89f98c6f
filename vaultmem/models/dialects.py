"""What the two ways of talking to a model have in common: what is asked, what is read."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from vaultmem.base.errors_llm import LLMError
from vaultmem.base.records import dataclass
from vaultmem.model.talks.messages import Message, Reply, Schema

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


def worded(question: Question) -> list[Message]:
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


def named(answer: Mapping[str, Any]) -> str:
    """The name of the model that answered, at most 200 characters."""
    model = answer.get("model")
    return model[:200] if isinstance(model, str) else ""
