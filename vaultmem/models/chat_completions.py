"""The dialect of `/chat/completions`: OpenAI's, and that of nearly every server of models."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from vaultmem.base.errors_llm import LLMError
from vaultmem.model.talks.messages import Reply
from vaultmem.models.answers import error_of
from vaultmem.models.dialects import (
    MODES,
    OBJECT,
    SCHEMA,
    Piece,
    Question,
    named,
    number,
    unusable,
    worded,
)


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
            "messages": [{"role": each.role, "content": each.text} for each in worded(question)],
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
            model=named(answer),
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
            model=named(event),
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
