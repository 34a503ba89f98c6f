"""Requests to one model server over httpx2: each ends in time, with its bytes or an LLMError.

What the usual clients do not do (measured on 25 broken servers): end a reply that drips, since
their timeout is for each read; give up where the server asks for a longer wait than is left; tell
an empty account from a busy server. No redirect is followed and no proxy is used, so that the
notes and the key go to the address that the person wrote.
"""

from __future__ import annotations

import json
import random
import re
import socket
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from threading import Lock, Timer
from types import ModuleType

from vaultmem.base import TYPE_CHECKING, Any, LLMError, NamedTuple, SettingsError, TypeVar
from vaultmem.config import is_on_this_device

if TYPE_CHECKING:
    import httpx2

# Server-sent events: the data of each, out of bytes that are cut anywhere.

LONGEST_LINE_BYTES = 1 << 20
DONE = "[DONE]"


class NoEventsError(ValueError):
    """What came is no stream of events; the message says why."""


def data_of(pieces: Iterable[bytes]) -> Iterator[str]:
    """The data of each event, in order; comments and other fields are left out.

    An event that the end of the stream cuts is not given. raises NoEventsError
    """
    data: list[str] = []
    for line in _lines(pieces):
        if not line:
            if data:
                yield "\n".join(data)
            data = []
            continue
        name, _, value = line.partition(":")
        if name == "data":
            data.append(value.removeprefix(" "))
        elif name not in ("", "event", "id", "retry"):
            raise NoEventsError("its answer is no stream of events")


class Frame(NamedTuple):
    """One event of a stream."""

    raw: bytes  # as it came, with the empty line that ends it
    data: str  # '': it has none, as a comment that keeps the connection open


LONGEST_FRAME_BYTES = 32 << 20  # the last event of `/responses` has the whole reply, pictures too
_EMPTY_LINES = (b"\n\n", b"\r\n\r\n", b"\n\r\n", b"\r\r")


def frames_of(pieces: Iterable[bytes]) -> Iterator[Frame]:
    """Each event as soon as it is whole; their bytes, one behind the other, are those that came.

    raises NoEventsError
    """
    rest = bytearray()
    for piece in pieces:
        looked = max(0, len(rest) - 3)  # an end may be cut
        rest += piece
        begin = 0
        while end := _end_of_frame(rest, max(begin, looked)):
            yield _frame(bytes(rest[begin:end]))
            begin = end
        del rest[:begin]
        if len(rest) > LONGEST_FRAME_BYTES:
            raise NoEventsError("its answer has an event without an end")
    if rest:
        yield _frame(bytes(rest))


def _end_of_frame(rest: bytearray, start: int) -> int:
    """Behind the first empty line; 0: there is none."""
    found = ((rest.find(mark, start), len(mark)) for mark in _EMPTY_LINES)
    return min((at + length for at, length in found if at >= 0), default=0)


def _frame(raw: bytes) -> Frame:
    return Frame(raw, "\n".join(data_of([raw.replace(b"\r\n", b"\n").replace(b"\r", b"\n")])))


def _lines(pieces: Iterable[bytes]) -> Iterator[str]:
    rest = b""
    for piece in pieces:
        rest += piece
        *whole, rest = rest.split(b"\n")
        for line in whole:
            yield _text(line)
        if len(rest) > LONGEST_LINE_BYTES:
            raise NoEventsError("its answer has a line without an end")
    if rest:
        yield _text(rest)
        # A last event without an empty line behind it is still whole when its line is.
        yield ""


def _text(line: bytes) -> str:
    try:
        return line.removesuffix(b"\r").decode()
    except UnicodeDecodeError as error:
        raise NoEventsError("its answer is not UTF-8") from error


# Hangs up on a server when time is over, wherever the reading of its answer waits.

_CONNECTED = ("connection.connect_tcp.complete", "connection.start_tls.complete")


class Watch:
    """Ends one request `seconds` after it was entered, unless that is over before.

    A timeout of a socket is for each read: a server that sends a byte now and then would hold us
    for ever, in the headers as in the body.
    """

    def __init__(self, seconds: float) -> None:
        self.is_over = False
        self._socket: socket.socket | None = None
        self._lock = Lock()
        self.was_restarted = False
        self._begin(seconds)

    def __enter__(self) -> Watch:
        self._timer.start()
        return self

    def restart(self, seconds: float) -> None:
        """Count from now on, the first time that this is called: the answer has begun."""
        if not self.was_restarted:
            self.was_restarted = True
            self._timer.cancel()
            self._begin(seconds)
            self._timer.start()

    def _begin(self, seconds: float) -> None:
        self._timer = Timer(seconds, self._hang_up)
        self._timer.daemon = True

    def __exit__(self, *_: object) -> None:
        self._timer.cancel()
        with self._lock:
            self._socket = None

    def saw(self, event: str, info: dict[str, Any]) -> None:
        """What httpx2 tells about the work on a request (its extension 'trace')."""
        if event in _CONNECTED:
            with self._lock:
                self._socket = info["return_value"].get_extra_info("socket")
                is_late = self.is_over
            if is_late:
                self._hang_up()

    def _hang_up(self) -> None:
        with self._lock:
            self.is_over = True
            connected = self._socket
        if connected is not None:
            try:
                # Not the method of an SSLSocket: that takes the layer away under its reader.
                socket.socket.shutdown(connected, socket.SHUT_RDWR)
            except OSError:
                return  # it ended by itself


Got = TypeVar("Got")

MOST_REPLY_BYTES = 8 << 20
LONGEST_WAIT_SECONDS = 20.0  # a server that asks for a longer one is given up at once
_NO_HEADERS: Mapping[str, str] = {}
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
    most_bytes     of an answer; one that is longer is broken off
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
        most_bytes: int = MOST_REPLY_BYTES,
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
        self._most_bytes = most_bytes
        self._client: httpx2.Client | None = None

    def post(self, asked: Mapping[str, Any], deadline: Deadline) -> bytes:
        """The whole body of the answer, at most MOST_REPLY_BYTES; raises LLMError."""
        body = json.dumps(asked).encode()
        return self._retry(lambda: b"".join(self._pieces(body, deadline, deadline)), deadline)

    def get(self, deadline: Deadline) -> bytes:
        """The same for a request without a body."""
        return self._retry(lambda: b"".join(self._pieces(None, deadline, deadline)), deadline)

    def stream(
        self, asked: Mapping[str, Any], *, first: Deadline, whole: Deadline
    ) -> Generator[bytes, None, None]:
        """The body as it comes; raises LLMError, before the first piece or behind any of them.

        first  when the answer has to have begun; no pause in it may be longer, either
        """
        body = json.dumps(asked).encode()

        def begin() -> tuple[Generator[bytes, None, None], bytes]:
            pieces = self._pieces(body, first, whole)
            return pieces, next(pieces, b"")

        pieces, piece = self._retry(begin, first)
        try:
            yield piece
            yield from pieces
        finally:
            pieces.close()

    def forward(
        self,
        path: str,
        body: bytes | None,
        *,
        headers: Mapping[str, str],
        first: Deadline,
        whole: Deadline,
    ) -> Generator[bytes, None, None]:
        """The answer to a request of somebody else, asked once, as it comes; raises LLMError.

        path     behind the address, with its query
        body     None: it is asked with GET
        headers  beside our own, or in their place
        """
        return self._pieces(body, first, whole, path=path, headers=headers)

    def _retry(self, ask: Callable[[], Got], deadline: Deadline) -> Got:
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
        self,
        body: bytes | None,
        first: Deadline,
        whole: Deadline,
        *,
        path: str = "",
        headers: Mapping[str, str] = _NO_HEADERS,
    ) -> Generator[bytes, None, None]:
        """The body of the answer to one request; raises LLMError."""
        httpx2 = require_httpx2()
        watch = Watch(min(first.left(), whole.left()))
        try:
            with (
                watch,
                self._open_client().stream(
                    "GET" if body is None else "POST",
                    f"{self._url}{path}",
                    content=body,
                    headers={**self._headers, **headers},
                    timeout=max(first.left(), 0.001),
                    extensions={"trace": watch.saw},
                ) as response,
            ):
                for piece in self._bounded_bytes(response):
                    watch.restart(whole.left())
                    yield piece
        except httpx2.TimeoutException as error:
            raise self._too_late(first if whole.left() else whole) from error
        except httpx2.TransportError as error:
            if watch.is_over:
                raise self._too_late(whole if watch.was_restarted else first) from error
            raise self._connection_error(error) from error
        if watch.is_over:  # a body without a length ends as if it were whole
            raise self._too_late(whole)

    def _bounded_bytes(self, response: httpx2.Response) -> Iterator[bytes]:
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
            if count > self._most_bytes:
                raise self._unusable(f"its answer is longer than {self._most_bytes >> 20} MB")
            yield piece

    def _open_client(self) -> httpx2.Client:
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

    def _connection_error(self, error: Exception) -> LLMError:
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


MOST_SAID_BYTES = 65_536
_SHOWN = 200
_QUOTA = re.compile(
    r"insufficient[_ ]quota|exceeded your current quota|billing|credit balance|out of credits",
    re.IGNORECASE,
)
_KINDS = {401: "auth", 402: "quota", 403: "auth", 404: "not_found", 408: "timeout"}


def error_of(
    status: int, body: bytes, *, where: str, key: str, retry_after: str = "", location: str = ""
) -> LLMError:
    """The error for an answer with this status; nothing of the body is believed.

    key       is not shown, should the server repeat it
    location  where a redirect leads: not followed, and told
    """
    said = said_in(body, key=key)
    if 300 <= status < 400:
        to = f" to '{_plain(location, key)}'" if location else ""
        return LLMError(
            "protocol",
            f"the model server {where} answered {status}: a redirect{to}, which is not followed",
            status=status,
            hint="write the address where it really is into 'llm.base_url'",
        )
    kind = _KINDS.get(status, "server" if status >= 500 else "bad_request")
    if status == 429:
        kind = "rate_limit"
    # Some servers say with 400 or 429 that the account is empty: waiting would not help.
    if kind in ("rate_limit", "bad_request", "auth") and _QUOTA.search(said):
        kind = "quota"
    if status < 300:
        kind = "protocol"
    message = f"the model server {where} answered {status}: {said}".rstrip(": ")
    return LLMError(kind, message, status=status, said=said, retry_after=_seconds(retry_after))


def said_in(body: bytes, *, key: str) -> str:
    """What a server says about an error, in one visible line; '' for nothing."""
    text = body[:MOST_SAID_BYTES].decode("utf-8", "replace")
    try:
        found: Any = json.loads(text)
    except (ValueError, RecursionError):
        return _plain(text, key)
    error = found.get("error", found) if isinstance(found, dict) else found
    if not isinstance(error, dict):
        return _plain(error if isinstance(error, str) else text, key)
    parts = [error.get(name) for name in ("code", "type", "message", "detail")]
    words = [part if isinstance(part, str) else json.dumps(part) for part in parts if part]
    return _plain(" ".join(words) or text, key)


def _plain(text: str, key: str) -> str:
    if key:
        text = text.replace(key, "(key)")
    line = " ".join(text[: 8 * _SHOWN].split())
    return "".join(letter for letter in line if letter.isprintable())[:_SHOWN]


def _seconds(retry_after: str) -> float | None:
    """A number of seconds; a date of HTTP is taken for a long wait, None for nothing."""
    if not retry_after.strip():
        return None
    try:
        seconds = float(retry_after)
    except ValueError:
        return _LONG
    return seconds if 0 <= seconds < _LONG else _LONG


_LONG = 86_400.0

# Addresses of model servers, as a person writes them: https, or http on this machine.

_URL = re.compile(
    r"(?P<scheme>https?)://(?P<host>\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)(?::(?P<port>\d{1,5}))?"
    r"(?P<path>/[!-~]*)?"
)


class Address(NamedTuple):
    """The parts of an address."""

    scheme: str
    host: str  # an IPv6 number stands in brackets
    port: str  # '': the usual one
    path: str  # without a slash at its end; '' for none

    @property
    def where(self) -> str:
        """Host and port, for messages."""
        return f"{self.host}:{self.port}" if self.port else self.host

    @property
    def origin(self) -> str:
        """What a key belongs to."""
        return f"{self.scheme}://{self.where}"


def address_of(url: str, *, key: str) -> Address:
    """The parts of the address that the setting `key` holds.

    raises SettingsError for what is none, holds a password or a query, or would send notes over
    a network in the clear
    """
    found = _URL.fullmatch(url)
    if found is None or int(found["port"] or 1) > 65_535 or set("?#@") & set(url):
        raise SettingsError(
            f"'{key}' is no address of a server: '{url.split('@')[-1][:200]}'",
            hint="write it as in https://api.example.com/v1 or http://127.0.0.1:11434/v1",
        )
    if found["scheme"] == "http" and not is_on_this_device(url):
        raise SettingsError(
            f"'{key}' would send your notes in the clear: '{url}'",
            hint="use https; http only reaches this machine (127.0.0.1, localhost)",
        )
    path = (found["path"] or "").rstrip("/")
    return Address(found["scheme"], found["host"], found["port"] or "", path)


def require_key(value: str, *, key: str) -> None:
    """Return when `value` can stand in a header; '' can. raises SettingsError"""
    if not (value.isascii() and value.isprintable()):
        raise SettingsError(f"'{key}' has letters that no key has")
