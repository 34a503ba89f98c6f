"""Passes requests of clients on to the server that the person's settings name, as they are.

What `Client` does for our own questions is left out: nothing is asked twice (a client does that
itself), and what a server does not take is its client's concern. What is kept of `Exchange`: time
is bounded, no redirect is followed, and the key goes to that address alone.
"""

from __future__ import annotations

import json
from collections.abc import Generator, Iterator, Mapping
from contextlib import closing
from typing import Any

from vaultmem.base.errors_llm import LLMError
from vaultmem.config.llm import ModelSettings
from vaultmem.models.address import address_of, require_key
from vaultmem.models.answers import error_of
from vaultmem.models.chat_completions import ChatCompletions
from vaultmem.models.client import STREAM_FACTOR
from vaultmem.models.events import DONE, NoEventsError, data_of
from vaultmem.models.http import Deadline, Exchange, require_httpx2

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
