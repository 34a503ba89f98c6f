"""Requests to one model server over httpx2: each ends in time, with its bytes or an LLMError.

What the usual clients do not do (measured on 25 broken servers): end a reply that drips, since
their timeout is for each read; give up where the server asks for a longer wait than is left; tell
an empty account from a busy server. No redirect is followed and no proxy is used, so that the
notes and the key go to the address that the person wrote.
"""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable, Generator, Iterator, Mapping
from types import ModuleType
from typing import TYPE_CHECKING, Any, TypeVar

from vaultmem.base.errors import SettingsError
from vaultmem.base.errors_llm import LLMError
from vaultmem.models.address import Address
from vaultmem.models.answers import MOST_SAID_BYTES, error_of
from vaultmem.models.watch import Watch

if TYPE_CHECKING:
    import httpx2

Got = TypeVar("Got")

MOST_REPLY_BYTES = 8 << 20
LONGEST_WAIT_SECONDS = 20.0  # a server that asks for a longer one is given up at once
_AGAIN = ("rate_limit", "server", "connection")
_CUT_OFF = ("peer closed", "disconnected")  # as httpx2 says that the other side hung up
MISSING = "install it from a checkout: `pip install '.[llm]'` (or `pip install httpx2`)"


class Deadline:
    """When something has to be over."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._ends = time.monotonic() + seconds

    def left(self) -> float:
        """Seconds, never below 0."""
        return max(0.0, self._ends - time.monotonic())


class Exchange:
    """Posts JSON to an address, and to no other.

    headers        sent with each request; the key is in them
    key            what is never shown, should the server repeat it
    tries          requests for one question, >= 1, where the server may do better the next time
    pause_seconds  before the second one; doubled for each further one
    is_final       whether an error stays, however often the same is asked
    """

    def __init__(
        self,
        address: Address,
        path: str,
        *,
        headers: Mapping[str, str],
        key: str,
        tries: int,
        pause_seconds: float,
        is_final: Callable[[LLMError], bool],
    ) -> None:
        self.where = address.where
        self._url = f"{address.origin}{path}"
        self._key = key
        self._headers = {
            "Content-Type": "application/json",
            # A packed reply may be a thousand times as long as what was counted of it.
            "Accept-Encoding": "identity",
            "Connection": "close",
            **headers,
        }
        self._tries = tries
        self._pause_seconds = pause_seconds
        self._is_final = is_final
        self._client: httpx2.Client | None = None

    def post(self, asked: Mapping[str, Any], deadline: Deadline) -> bytes:
        """The whole body of the answer, at most MOST_REPLY_BYTES; raises LLMError."""
        body = json.dumps(asked).encode()
        return self._tried(lambda: b"".join(self._pieces(body, deadline, deadline)), deadline)

    def get(self, deadline: Deadline) -> bytes:
        """The same for a request without a body."""
        return self._tried(lambda: b"".join(self._pieces(None, deadline, deadline)), deadline)

    def stream(
        self, asked: Mapping[str, Any], *, first: Deadline, whole: Deadline
    ) -> Generator[bytes, None, None]:
        """The body as it comes; raises LLMError, before the first piece or behind any of them.

        first  when the answer has to have begun; no pause in it may be longer, either
        """
        body = json.dumps(asked).encode()

        def begun() -> tuple[Generator[bytes, None, None], bytes]:
            pieces = self._pieces(body, first, whole)
            return pieces, next(pieces, b"")

        pieces, piece = self._tried(begun, first)
        try:
            yield piece
            yield from pieces
        finally:
            pieces.close()

    def _tried(self, ask: Callable[[], Got], deadline: Deadline) -> Got:
        """What `ask` returns, asked again where that may help and there is time."""
        pause = self._pause_seconds
        for left in reversed(range(self._tries)):
            try:
                return ask()
            except LLMError as error:
                # Spread, so that several which were turned away do not come back together.
                wait = pause * (1 + random.random())
                wait = wait if error.retry_after is None else max(wait, error.retry_after)
                if (
                    left == 0
                    or error.kind not in _AGAIN
                    or self._is_final(error)
                    or wait > min(LONGEST_WAIT_SECONDS, deadline.left())
                ):
                    raise
            time.sleep(wait)
            pause *= 2
        raise AssertionError("the last try returns or raises")

    def _pieces(
        self, body: bytes | None, first: Deadline, whole: Deadline
    ) -> Generator[bytes, None, None]:
        """The body of the answer to one request; raises LLMError."""
        httpx2 = require_httpx2()
        watch = Watch(min(first.left(), whole.left()))
        try:
            with (
                watch,
                self._opened().stream(
                    "GET" if body is None else "POST",
                    self._url,
                    content=body,
                    headers=self._headers,
                    timeout=max(first.left(), 0.001),
                    extensions={"trace": watch.saw},
                ) as response,
            ):
                for piece in self._counted(response):
                    watch.restart(whole.left())
                    yield piece
        except httpx2.TimeoutException as error:
            raise self._too_late(first if whole.left() else whole) from error
        except httpx2.TransportError as error:
            if watch.is_over:
                raise self._too_late(whole if watch.was_restarted else first) from error
            raise self._broken(error) from error
        if watch.is_over:  # a body without a length ends as if it were whole
            raise self._too_late(whole)

    def _counted(self, response: httpx2.Response) -> Iterator[bytes]:
        """The bytes of a success, up to the bound."""
        if response.status_code != 200:
            said = _beginning(response)
            raise error_of(
                response.status_code,
                said,
                where=self.where,
                key=self._key,
                retry_after=response.headers.get("retry-after", ""),
                location=response.headers.get("location", ""),
            )
        if response.headers.get("content-encoding", "identity") != "identity":
            raise self._unusable("its answer is packed, which was not asked for")
        count = 0
        for piece in response.iter_raw():
            count += len(piece)
            if count > MOST_REPLY_BYTES:
                raise self._unusable(f"its answer is longer than {MOST_REPLY_BYTES >> 20} MB")
            yield piece

    def _opened(self) -> httpx2.Client:
        if self._client is None:
            import ssl
            from http.cookiejar import CookieJar, DefaultCookiePolicy

            httpx2 = require_httpx2()
            # Reading the certificates of the system takes 50 ms, which loopback does not need.
            is_https = self._url.startswith("https:")
            verify = True if is_https else ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
            # A cookie would tell the next question, of whichever client, who asked this one.
            no_cookies = CookieJar(policy=DefaultCookiePolicy(allowed_domains=()))
            self._client = httpx2.Client(
                verify=verify,
                trust_env=False,
                follow_redirects=False,
                http2=False,
                cookies=no_cookies,
            )
        return self._client

    def _unusable(self, why: str) -> LLMError:
        return LLMError("protocol", f"the model server {self.where} cannot be used: {why}")

    def _too_late(self, deadline: Deadline) -> LLMError:
        return LLMError(
            "timeout",
            f"the model server {self.where} did not answer in {deadline.seconds:g} seconds",
        )

    def _broken(self, error: Exception) -> LLMError:
        httpx2 = require_httpx2()
        said = str(error)
        if isinstance(error, httpx2.RemoteProtocolError) and not any(
            words in said for words in _CUT_OFF
        ):
            return self._unusable(f"it does not speak HTTP: {said[:120]}")
        reason = said[:200] or type(error).__name__
        if isinstance(error, httpx2.ConnectError):
            return LLMError(
                "connection", f"the model server {self.where} cannot be reached: {reason}"
            )
        return LLMError(
            "connection", f"the model server {self.where} broke the connection: {reason}"
        )


def _beginning(response: httpx2.Response) -> bytes:
    """As much of an answer as is looked at where it is no success."""
    body = b""
    for piece in response.iter_raw():
        body += piece
        if len(body) >= MOST_SAID_BYTES:
            break
    return body


def require_httpx2() -> ModuleType:
    """The package; raises SettingsError where it is not installed."""
    try:
        import httpx2
    except ImportError as error:
        raise SettingsError(
            "a model is asked over 'httpx2', which is missing", hint=MISSING
        ) from error
    return httpx2
