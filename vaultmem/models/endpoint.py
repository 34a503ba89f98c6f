"""Vectors of texts from any server that answers `/embeddings` as OpenAI's does.

The address comes from the person's own settings, so this talks to nobody whom a vault names. Over
`http.client`, which follows no redirect (a key would go with it) and knows no proxy.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from socket import SHUT_RDWR, socket
from threading import Timer

from vaultmem.base import (
    Any,
    RemoteDeniedError,
    RemoteProtocolError,
    RemoteUnreachableError,
    SettingsError,
)
from vaultmem.models.http import address_of, require_key

# A vector of 8,192 numbers in text takes about 180 kB, and a request has `BATCH` texts.
MOST_REPLY_BYTES = 32 << 20
BATCH = 32
MOST_NUMBERS = 8_192
_KEY = "embeddings.base_url"


class Endpoint:
    """An embedder behind an address.

    url              up to `/v1`; https, or http on this machine
    key              sent as a bearer token; '': none is
    timeout_seconds  for one request, from the first byte to the last, > 0
    """

    batch = BATCH
    is_here = False
    gain, answers_from = 0.3, 0.5  # as measured with all-MiniLM-L6-v2

    def __init__(self, url: str, *, model: str, key: str, timeout_seconds: float) -> None:
        found = address_of(url, key=_KEY)
        if not model:
            raise SettingsError("'embeddings.model' is empty", hint="say which model to use")
        require_key(key, key="embeddings.api_key")
        self.name = f"endpoint {model}"
        self._model = model
        self._key = key
        self._timeout_seconds = timeout_seconds
        self._is_https = found.scheme == "https"
        self._host, self._port = found.host.strip("[]"), found.port
        self._where, path = found.where, found.path
        self._path = path if path.endswith("/embeddings") else f"{path}/embeddings"

    def embed_questions(self, texts: Sequence[str]) -> list[list[float]]:
        """The vector of a question is made as that of any text."""
        return self.embed(texts)

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """A vector for each text, all of one length; asks as often as it takes.

        raises RemoteUnreachableError, RemoteDeniedError, RemoteProtocolError
        """
        vectors: list[list[float]] = []
        for start in range(0, len(texts), BATCH):
            part = texts[start : start + BATCH]
            vectors += self._read(self._post(part), len(part))
        return vectors

    def _post(self, texts: Sequence[str]) -> bytes:
        """The body of the answer, at most MOST_REPLY_BYTES, within the time allowed."""
        asked = {"model": self._model, "input": list(texts), "encoding_format": "float"}
        headers = {"Content-Type": "application/json", "Connection": "close"}
        if self._key:
            headers["Authorization"] = f"Bearer {self._key}"
        kind = HTTPSConnection if self._is_https else HTTPConnection
        port = int(self._port) if self._port else None
        connection = kind(self._host, port, timeout=self._timeout_seconds)
        late: list[bool] = []
        timer: Timer | None = None
        try:
            connection.connect()
            # A timeout of a socket is for each read: a server that drips would hold us for ever.
            timer = Timer(self._timeout_seconds, _hang_up, (connection.sock, late))
            timer.daemon = True
            timer.start()
            connection.request("POST", self._path, json.dumps(asked).encode(), headers)
            with connection.getresponse() as response:
                status = response.status
                body = response.read(MOST_REPLY_BYTES + 1)
                # `read` of http.client gives fewer bytes than were announced without an error.
                whole = response.length in (None, 0)
        except (OSError, HTTPException) as error:
            if late or isinstance(error, TimeoutError):
                raise self._too_late() from error
            reason = getattr(error, "strerror", "") or str(error) or type(error).__name__
            raise RemoteUnreachableError(
                f"the model server {self._where} does not answer: {reason}",
                hint="start it, or see 'embeddings.base_url' in your settings",
            ) from error
        finally:
            if timer is not None:
                timer.cancel()
            connection.close()
        if late:
            raise self._too_late()
        self._require_success(status, body)
        if len(body) > MOST_REPLY_BYTES or not whole:
            raise self._bad("its answer is cut short or longer than any answer is")
        return body

    def _require_success(self, status: int, body: bytes) -> None:
        if status == 200:
            return
        said = " ".join(body[:300].decode("utf-8", "replace").split())
        said = "".join(c for c in said if c.isprintable())[:120]
        message = f"the model server {self._where} answered {status}: {said}".rstrip(": ")
        if status in (401, 403):
            raise RemoteDeniedError(message, hint="see 'embeddings.api_key' in your settings")
        if status == 429 or status >= 500:
            raise RemoteUnreachableError(message, hint="try again later")
        hint = "see 'embeddings.base_url' and 'embeddings.model' in your settings"
        raise RemoteProtocolError(message, hint=hint)

    def _read(self, body: bytes, count: int) -> list[list[float]]:
        """The vectors of an answer, in the order of the texts; nothing of it is believed."""
        try:
            answer: Any = json.loads(body)
        except (ValueError, RecursionError) as error:
            raise self._bad("its answer is not JSON") from error
        rows = answer.get("data") if isinstance(answer, dict) else None
        if not isinstance(rows, list) or len(rows) != count:
            raise self._bad(f"its answer has not one vector for each of {count} texts")
        vectors: dict[int, list[float]] = {}
        for place, row in enumerate(rows):
            numbers = row.get("embedding") if isinstance(row, dict) else None
            index = row.get("index", place) if isinstance(row, dict) else place
            if not isinstance(numbers, list) or not 0 < len(numbers) <= MOST_NUMBERS:
                raise self._bad("its answer has a vector that is none")
            # NaN and infinity, which Python reads as JSON, fail the comparison, too.
            if not all(type(n) in (int, float) and abs(n) < 1e30 for n in numbers):
                raise self._bad("its answer has a vector with something else than numbers")
            if type(index) is not int or not 0 <= index < count:
                raise self._bad("its answer numbers its vectors wrongly")
            vectors[index] = [float(n) for n in numbers]
        lengths = {len(vector) for vector in vectors.values()}
        if len(vectors) != count or len(lengths) != 1:
            raise self._bad("its answer has vectors of several lengths, or one twice")
        return [vectors[place] for place in range(count)]

    def _bad(self, why: str) -> RemoteProtocolError:
        return RemoteProtocolError(
            f"the model server {self._where} cannot be used: {why}",
            hint="it has to answer as OpenAI's /v1/embeddings does",
        )

    def _too_late(self) -> RemoteUnreachableError:
        return RemoteUnreachableError(
            f"the model server {self._where} did not answer in {self._timeout_seconds:g} seconds",
            hint="it may be loading the model; 'embeddings.timeout' gives it longer",
        )


def _hang_up(connected: socket, late: list[bool]) -> None:
    """End whatever waits on a connection."""
    late.append(True)
    try:
        connected.shutdown(SHUT_RDWR)
    except OSError:
        return  # it ended by itself
