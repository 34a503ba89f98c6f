"""The dialect of `/v1/messages`: Anthropic's, which llama.cpp and others also speak."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from vaultmem.model.talks.messages import Reply
from vaultmem.models.answers import error_of
from vaultmem.models.dialects import (
    PROMPT,
    SCHEMA,
    Piece,
    Question,
    named,
    number,
    unusable,
    worded,
)

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
        messages = worded(question)
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
            model=named(answer),
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
            return Piece(model=named(message), tokens_in=_prompt_tokens(usage))
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
