"""Answers requests of `/chat/completions` with a model that is asked in our own way.

For servers that speak another dialect, and where replies are recorded or replayed. Such a model is
told texts and gives one, so what a request has beside texts is refused rather than left out: tools,
pictures, several choices. Parameters (a temperature) are not passed on.
"""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Generator, Iterator, Mapping
from contextlib import closing

from vaultmem.base import TYPE_CHECKING, Any, BadInputError, LLMError
from vaultmem.config import ModelSettings
from vaultmem.model import Message
from vaultmem.models.client import STREAM_FACTOR
from vaultmem.models.dialects import ChatCompletions
from vaultmem.models.http import DONE, Deadline, Exchange, NoEventsError, data_of, require_httpx2
from vaultmem.models.http_errors import address_of, error_of, require_key

if TYPE_CHECKING:
    from vaultmem.model import LLM
_ROLES = {"system": "system", "developer": "system", "user": "user", "assistant": "assistant"}


class Translating:
    """A `Forwarding` for any model."""

    def __init__(self, llm: LLM, model: str) -> None:
        self.where = llm.where
        self.model = model
        self._llm = llm

    def models(self) -> bytes:
        """The one that there is."""
        model = {"id": self.model, "object": "model", "owned_by": "vaultmem", "created": 0}
        return json.dumps({"object": "list", "data": [model]}).encode()

    def whole(self, request: Mapping[str, Any]) -> bytes:
        """The whole answer; raises LLMError, BadInputError."""
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

    def events(self, request: Mapping[str, Any]) -> Generator[str, None, None]:
        """The data of each event as it comes; raises LLMError, BadInputError."""
        stream = self._llm.stream(messages_of(request))
        name = _name()
        try:
            for piece in stream:
                yield self._chunk(name, {"role": "assistant", "content": piece}, None)
            yield self._chunk(name, {}, "stop")
        finally:
            stream.close()

    def _chunk(self, name: str, delta: Mapping[str, str], finish: str | None) -> str:
        choice = {"index": 0, "delta": dict(delta), "finish_reason": finish}
        return json.dumps(self._answer("chat.completion.chunk", name, choice))

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


def _name() -> str:
    return f"chatcmpl-{secrets.token_hex(12)}"


# Passes requests of clients on to the server that the person's settings name, as they are.
#
# What `Client` does for our own questions is left out: nothing is asked twice (a client does that
# itself), and what a server does not take is its client's concern. What is kept of `Exchange`: time
# is bounded, no redirect is followed, and the key goes to that address alone.

_CHAT, _MODELS = "/chat/completions", "/models"


class Forwarding:
    """A server of `/chat/completions`; raises SettingsError for one that cannot be used."""

    def __init__(self, asked: ModelSettings) -> None:
        address = address_of(asked.base_url, key=f"{asked.prefix}base_url")
        require_key(asked.api_key, key=f"{asked.prefix}api_key")
        require_httpx2()
        self.where = address.where
        self.model = asked.model
        self._seconds = asked.timeout_seconds
        self._key = asked.api_key
        base = address.path.removesuffix(_CHAT)
        headers = ChatCompletions(address.where, asked.api_key).headers()
        self._chat, self._models = (
            Exchange(
                address,
                f"{base}{path}",
                headers=headers,
                key=asked.api_key,
                tries=1,
                pause_seconds=0,
                is_final=lambda _: True,
            )
            for path in (_CHAT, _MODELS)
        )

    def models(self) -> bytes:
        """What the server says that it has; raises LLMError."""
        return self._models.get(Deadline(self._seconds))

    def whole(self, request: Mapping[str, Any]) -> bytes:
        """The whole answer; raises LLMError."""
        body = self._chat.post(request, Deadline(self._seconds))
        self._require_no_error(body)
        return body

    def events(self, request: Mapping[str, Any]) -> Generator[str, None, None]:
        """The data of each event as it comes, without the last one that only says so.

        raises LLMError; also where the answer is no stream of events
        """
        pieces = self._chat.stream(
            request, first=Deadline(self._seconds), whole=Deadline(self._seconds * STREAM_FACTOR)
        )
        with closing(pieces):
            yield from self._until_done(pieces)

    def _until_done(self, pieces: Iterator[bytes]) -> Iterator[str]:
        try:
            for data in data_of(pieces):
                if data.strip() == DONE:
                    return
                self._require_no_error(data.encode())
                yield data
        except NoEventsError as error:
            message = f"the model server {self.where} cannot be used: {error}"
            raise LLMError("protocol", message) from error

    def _require_no_error(self, body: bytes) -> None:
        """Errors with status 200, and in the middle of a stream, are told as all others."""
        if b'"error"' not in body:
            return
        try:
            found: Any = json.loads(body)
        except (ValueError, RecursionError):
            return
        if isinstance(found, dict) and found.get("error") and not found.get("choices"):
            raise error_of(500, body, where=self.where, key=self._key)
