"""Answers `/chat/completions` with a model that is asked in our own way, or passes requests on.

For servers that speak another dialect, and where replies are recorded or replayed. Such a model is
told texts and gives one, so what a request has beside texts is refused rather than left out: tools,
pictures, several choices. Parameters (a temperature) are not passed on.
"""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Generator, Mapping
from contextlib import closing

from vaultmem.base import TYPE_CHECKING, Any, BadInputError, LLMError
from vaultmem.config import ModelSettings
from vaultmem.model import Message
from vaultmem.models.client import DIALECTS, STREAM_FACTOR
from vaultmem.models.http import (
    DONE,
    Deadline,
    Exchange,
    Frame,
    NoEventsError,
    address_of,
    error_of,
    frames_of,
    require_httpx2,
    require_key,
)

if TYPE_CHECKING:
    from vaultmem.model import LLM
_SHORTEST_SECRET = 8  # characters
_NO_WORD = 20  # characters: longer than what people write for "no key"
_ROLES = {"system": "system", "developer": "system", "user": "user", "assistant": "assistant"}


class Translating:
    """A `Forwarding` for any model."""

    def __init__(self, llm: LLM, model: str) -> None:
        self.where = llm.where
        self.model = model
        self._llm = llm

    def get(self, path: str, headers: Mapping[str, str]) -> bytes:
        """The one model that there is, and the list of it; raises LLMError."""
        model = {"id": self.model, "object": "model", "owned_by": "vaultmem", "created": 0}
        if path == MODELS:
            return json.dumps({"object": "list", "data": [model]}).encode()
        if path == f"{MODELS}/{self.model}":
            return json.dumps(model).encode()
        raise self._not_here(path)

    def whole(self, path: str, body: bytes, headers: Mapping[str, str]) -> bytes:
        """The whole answer; raises LLMError, BadInputError."""
        if path != CHAT:
            raise self._not_here(path)
        request = json.loads(body)
        reply = self._llm.complete(messages_of(request))
        message = {"role": "assistant", "content": reply.text}
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        answer = self._answer("chat.completion", _name(), choice)
        counts = (reply.tokens_in, reply.tokens_out)
        if None not in counts:
            used, made = (count or 0 for count in counts)
            answer["usage"] = {
                "prompt_tokens": used,
                "completion_tokens": made,
                "total_tokens": used + made,
            }
        return json.dumps(answer).encode()

    def frames(
        self, path: str, body: bytes, headers: Mapping[str, str]
    ) -> Generator[Frame, None, None]:
        """Each event as it comes; raises LLMError, BadInputError."""
        if path != CHAT:
            raise self._not_here(path)
        stream = self._llm.stream(messages_of(json.loads(body)))
        name = _name()
        try:
            for piece in stream:
                yield self._chunk(name, {"role": "assistant", "content": piece}, None)
            yield self._chunk(name, {}, "stop")
            yield _event(DONE)
        finally:
            stream.close()

    def _not_here(self, path: str) -> LLMError:
        what = f"the model '{self.model}' is asked with texts alone: nothing is at /v1{path}"
        return LLMError("not_found", what, status=404)

    def _chunk(self, name: str, delta: Mapping[str, str], finish: str | None) -> Frame:
        choice = {"index": 0, "delta": dict(delta), "finish_reason": finish}
        return _event(json.dumps(self._answer("chat.completion.chunk", name, choice)))

    def _answer(self, kind: str, name: str, choice: Mapping[str, Any]) -> dict[str, Any]:
        return {
            "id": name,
            "object": kind,
            "created": int(time.time()),
            "model": self.model,
            "choices": [choice],
        }


def messages_of(request: Mapping[str, Any]) -> list[Message]:
    """The messages of a request of texts alone, those of the system first; raises BadInputError."""
    for key in ("tools", "functions"):
        if request.get(key):
            raise BadInputError(f"this model is not asked with '{key}', only with texts")
    if request.get("n") not in (None, 1):
        raise BadInputError("one reply is given, not several")
    return [_message(each) for each in request["messages"]]


def _message(found: Mapping[str, Any]) -> Message:
    role = _ROLES.get(found["role"])
    content = found.get("content")
    if isinstance(content, list):
        given = [part.get("text") for part in content if isinstance(part, dict)]
        texts = [text for text in given if isinstance(text, str)]
        content = "\n\n".join(texts) if len(texts) == len(content) else None
    if role is None or found.get("tool_calls") or not isinstance(content, str):
        raise BadInputError("a message is something else than a text of system, user or assistant")
    return Message(role=role, text=content)


def _event(data: str) -> Frame:
    return Frame(f"data: {data}\n\n".encode(), data)


def _name() -> str:
    return f"chatcmpl-{secrets.token_hex(12)}"


# --- requests passed on as they are ---

# What `Client` does for our own questions is left out: nothing is asked twice (a client does that
# itself), and what a server does not take is its client's concern. What is kept of `Exchange`: time
# is bounded, no redirect is followed, and the key goes to that address alone.
CHAT, MODELS = "/chat/completions", "/models"
_ENDINGS = (CHAT, "/messages", "/responses")  # of an address, which people write in full
MOST_BYTES = 64 << 20  # of an answer: a long reply comes as one event for every few letters


class Forwarding:
    """A server of models behind an address; raises SettingsError for one that cannot be used."""

    def __init__(self, asked: ModelSettings) -> None:
        address = address_of(asked.base_url, key=f"{asked.prefix}base_url")
        require_key(asked.api_key, key=f"{asked.prefix}api_key")
        require_httpx2()
        self.where = address.where
        self.model = asked.model
        self._seconds = asked.timeout_seconds
        self._key = asked.api_key
        base = address.path
        for ending in _ENDINGS:
            base = base.removesuffix(ending)
        if asked.provider == "anthropic" and not base.endswith("/v1"):
            base += "/v1"
        self._exchange = Exchange(
            address,
            base,
            headers=DIALECTS[asked.provider](address.where, asked.api_key).headers(),
            key=asked.api_key,
            tries=1,
            pause_seconds=0,
            is_final=lambda _: True,
            most_bytes=MOST_BYTES,
        )

    def get(self, path: str, headers: Mapping[str, str]) -> bytes:
        """What the server has at this path; raises LLMError."""
        return b"".join(self._pieces(path, None, headers, Deadline(self._seconds)))

    def whole(self, path: str, body: bytes, headers: Mapping[str, str]) -> bytes:
        """The whole answer; raises LLMError."""
        answer = b"".join(self._pieces(path, body, headers, Deadline(self._seconds)))
        self._require_no_error(answer)
        return self._without_key(answer)

    def frames(
        self, path: str, body: bytes, headers: Mapping[str, str]
    ) -> Generator[Frame, None, None]:
        """Each event as it comes, byte for byte; raises LLMError, also for what is no stream.

        An error in the middle is an event of its own in all dialects but that of chats.
        """
        pieces = self._pieces(path, body, headers, Deadline(self._seconds * STREAM_FACTOR))
        is_chat = path.startswith(CHAT)
        with closing(pieces):
            try:
                for frame in frames_of(pieces):
                    if is_chat and frame.data:
                        self._require_no_error(frame.data.encode())
                    yield Frame(self._without_key(frame.raw), frame.data)
                    if is_chat and frame.data.strip() == DONE:
                        return
            except NoEventsError as error:
                message = f"the model server {self.where} cannot be used: {error}"
                raise LLMError("protocol", message) from error

    def _pieces(
        self, path: str, body: bytes | None, headers: Mapping[str, str], whole: Deadline
    ) -> Generator[bytes, None, None]:
        first = Deadline(self._seconds)
        return self._exchange.forward(path, body, headers=headers, first=first, whole=whole)

    def _without_key(self, raw: bytes) -> bytes:
        """The same bytes, unless the server repeats the key, and that is a secret."""
        key = self._key.encode()
        return raw.replace(key, b"(key)") if _is_secret(self._key) and key in raw else raw

    def _require_no_error(self, body: bytes) -> None:
        """Errors with status 200, and in the middle of a chat, are told as all others."""
        if b'"error"' not in body:
            return
        try:
            found: Any = json.loads(body)
        except (ValueError, RecursionError):
            return
        if not isinstance(found, dict) or found.get("choices") or found.get("output") is not None:
            return
        if found.get("error"):
            raise error_of(500, body, where=self.where, key=self._key)


def _is_secret(key: str) -> bool:
    """Whether a key is more than the word that a server without keys is given.

    Such servers take any: `ollama`, `none`, `lm-studio`. Replaced in each reply, a word of speech
    was no longer what the model said, and with the key `k` no field `input_tokens` was left, so
    that Codex ended without an answer (tests/server/test_requests.py).
    """
    has_digit = any(letter.isdigit() for letter in key)
    return len(key) >= (_SHORTEST_SECRET if has_digit else _NO_WORD)
