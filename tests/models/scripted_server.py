"""A scripted model server on loopback: real sockets, and every way to answer badly.

A test gives steps, which answer one request each, in order; or a rule, which makes a step for each
request by what it asks, so that a changed prompt does not match by accident. Both dialects are
answered (`/chat/completions`, `/messages`), whole or as a stream, as the request wants it.
"""

from __future__ import annotations

import fcntl
import json
import socket
import struct
import termios
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Lock
from typing import Any

import pytest

from tests.serving import serving
from vaultmem.base.records import dataclass

MODEL = "scripted-1"
KEY = "k-4711-very-private"


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One request as it came."""

    path: str
    headers: dict[str, str]  # names in lower case
    body: dict[str, Any]

    @property
    def is_anthropic(self) -> bool:
        return self.path.partition("?")[0].endswith("/messages")

    @property
    def is_streamed(self) -> bool:
        return bool(self.body.get("stream"))

    @property
    def system(self) -> str:
        """What the system says."""
        if self.is_anthropic:
            return str(self.body.get("system", ""))
        return self._said("system")

    @property
    def user(self) -> str:
        """What the person says, all messages."""
        return self._said("user")

    @property
    def schema(self) -> dict[str, Any] | None:
        """The JSON schema that is asked for, in whichever way; None: none."""
        wanted = self.body.get("response_format", {}).get("json_schema", {}).get("schema")
        tools = self.body.get("tools") or [{}]
        found = wanted or tools[0].get("input_schema")
        return found if isinstance(found, dict) else None

    @property
    def mode(self) -> str:
        """schema, object or prompt: how JSON is asked for."""
        kind = self.body.get("response_format", {}).get("type", "")
        if self.body.get("tools") or kind == "json_schema":
            return "schema"
        return "object" if kind == "json_object" else "prompt"

    def _said(self, role: str) -> str:
        found = [each for each in self.body["messages"] if each["role"] == role]
        return "\n\n".join(str(each["content"]) for each in found)


Step = Callable[["Handler"], None]
Rule = Callable[[Asked], Step]


class ScriptedServer(ThreadingHTTPServer):
    """Answers by `steps` first, then by `rule`; without either, by 'ok'."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.asked: list[Asked] = []
        self.steps: list[Step] = []
        self.rule: Rule | None = None
        self.is_closing = Event()
        self._lock = Lock()

    @property
    def url(self) -> str:
        """What a person writes into the settings."""
        return f"http://127.0.0.1:{self.server_address[1]}/v1"

    @property
    def last(self) -> Asked:
        return self.asked[-1]

    def settings(self, more: str = "", *, provider: str = "openai") -> str:
        """The section of a person's settings that names this server; `more`: lines of it."""
        return (
            f'[llm]\nprovider = "{provider}"\nbase_url = "{self.url}"\nmodel = "{MODEL}"\n'
            f'api_key = "{KEY}"\ntimeout = 5.0\n{more}\n'
        )

    def step_for(self, asked: Asked) -> Step:
        """How this request is answered."""
        with self._lock:
            self.asked.append(asked)
            if self.steps:
                return self.steps.pop(0)
        return self.rule(asked) if self.rule is not None else says("ok")


class Handler(BaseHTTPRequestHandler):
    """One request."""

    server: ScriptedServer
    asked: Asked
    raw: bytes  # the body of the request, as it came
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: object) -> None:
        return

    def do_POST(self) -> None:
        self.raw = self.rfile.read(int(self.headers["Content-Length"]))
        body = json.loads(self.raw)
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.asked = Asked(path=self.path, headers=headers, body=body)
        self.close_connection = True
        try:
            self.server.step_for(self.asked)(self)
        except (BrokenPipeError, ConnectionResetError):
            return  # the client had enough

    def do_GET(self) -> None:
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.server.asked.append(Asked(path=self.path, headers=headers, body={}))
        self.close_connection = True
        listed = {"object": "list", "data": [{"id": MODEL, "object": "model"}]}
        self.reply(200, json.dumps(listed).encode())

    def reply(self, status: int, body: bytes, **headers: str) -> None:
        """A whole answer; `Retry_After="1"` is the header Retry-After."""
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def begin_stream(self) -> None:
        """The head of an answer that ends with the connection."""
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()

    def wait_for_the_end(self) -> None:
        """Until the other side hangs up, or the server closes."""
        self.connection.settimeout(0.05)
        while not self.server.is_closing.is_set():
            try:
                if not self.connection.recv(1):
                    return
            except TimeoutError:
                continue
            except OSError:
                return


@contextmanager
def served() -> Iterator[ScriptedServer]:
    """A server that runs until the block ends."""
    server = ScriptedServer()
    with serving(server, before_end=server.is_closing.set):
        yield server


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    """For tests that import it."""
    with served() as running:
        yield running


# --- what a good server does ---------------------------------------------------------------------


def says(
    text: str, *, finish: str = "stop", pieces: Sequence[str] = (), usage: tuple[int, int] = (7, 3)
) -> Step:
    """A reply in the dialect and the manner of the request; `pieces`: how a stream cuts it."""

    def step(handler: Handler) -> None:
        if handler.asked.is_streamed:
            handler.begin_stream()
            for event in events(handler.asked, pieces or _cut(text), finish=finish, usage=usage):
                handler.wfile.write(event)
                handler.wfile.flush()
            return
        handler.reply(200, json.dumps(whole(handler.asked, text, finish, usage)).encode())

    return step


def says_json(value: object, *, finish: str = "stop") -> Step:
    """A reply that is this value; in the dialect of messages, what the tool is given."""
    text = json.dumps(value)

    def step(handler: Handler) -> None:
        answer = whole(handler.asked, text, finish, (7, 3))
        if handler.asked.is_anthropic and handler.asked.body.get("tools"):
            answer["content"] = [{"type": "tool_use", "id": "t", "name": "reply", "input": value}]
            answer["stop_reason"] = "tool_use"
        handler.reply(200, json.dumps(answer).encode())

    return step


def whole(asked: Asked, text: str, finish: str, usage: tuple[int, int]) -> dict[str, Any]:
    """The JSON of a whole answer."""
    tokens_in, tokens_out = usage
    if asked.is_anthropic:
        return {
            "type": "message",
            "model": MODEL,
            "content": [{"type": "text", "text": text}],
            "stop_reason": _as_anthropic(finish),
            "usage": {"input_tokens": tokens_in, "output_tokens": tokens_out},
        }
    message = {"role": "assistant", "content": text}
    return {
        "object": "chat.completion",
        "model": MODEL,
        "choices": [{"index": 0, "message": message, "finish_reason": finish}],
        "usage": {"prompt_tokens": tokens_in, "completion_tokens": tokens_out},
    }


def events(
    asked: Asked, pieces: Sequence[str], *, finish: str = "stop", usage: tuple[int, int] = (7, 3)
) -> Iterator[bytes]:
    """The events of a stream; with `finish` '' it stops behind the last piece, without an end."""
    tokens_in, tokens_out = usage
    if asked.is_anthropic:
        start = {"model": MODEL, "usage": {"input_tokens": tokens_in}}
        yield event({"type": "message_start", "message": start})
        for piece in pieces:
            delta = {"type": "text_delta", "text": piece}
            yield event({"type": "content_block_delta", "index": 0, "delta": delta})
        if finish:
            ended = {"stop_reason": _as_anthropic(finish)}
            counted = {"output_tokens": tokens_out}
            yield event({"type": "message_delta", "delta": ended, "usage": counted})
            yield event({"type": "message_stop"})
        return
    for piece in pieces:
        yield event({"model": MODEL, "choices": [{"index": 0, "delta": {"content": piece}}]})
    if finish:
        yield event({"model": MODEL, "choices": [{"delta": {}, "finish_reason": finish}]})
        counted = {"prompt_tokens": tokens_in, "completion_tokens": tokens_out}
        yield event({"model": MODEL, "choices": [], "usage": counted})
        yield b"data: [DONE]\n\n"


def _as_anthropic(finish: str) -> str:
    return {"stop": "end_turn", "length": "max_tokens"}.get(finish, finish)


def event(value: object) -> bytes:
    """One server-sent event."""
    return b"data: " + json.dumps(value).encode() + b"\n\n"


def _cut(text: str) -> list[str]:
    """As models do: some letters at a time."""
    return [text[start : start + 5] for start in range(0, len(text), 5)]


# --- what a bad one does -------------------------------------------------------------------------


def status(code: int, body: object = b"", **headers: str) -> Step:
    """An answer with this status; anything but bytes becomes JSON."""
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    return lambda handler: handler.reply(code, data, **headers)


def refused(answered: int, message: str, **more: str) -> Step:
    """An error as OpenAI words one, with this status."""
    return status(answered, {"error": {"message": message, **more}})


def hangs(handler: Handler) -> None:
    """Never answers."""
    handler.wait_for_the_end()


def resets(handler: Handler) -> None:
    """Ends the connection with RST, once the other side has what was sent."""
    # RST throws away what is still on its way: on a busy machine the last piece of a stream was.
    for _ in range(500):
        if not struct.unpack("i", fcntl.ioctl(handler.connection, termios.TIOCOUTQ, bytes(4)))[0]:
            break
        time.sleep(0.01)
    linger = struct.pack("ii", 1, 0)
    handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
    handler.connection.close()


def hangs_up(handler: Handler) -> None:
    """Ends the connection without a word."""
    handler.connection.shutdown(socket.SHUT_RDWR)


def cut_short(handler: Handler) -> None:
    """Promises more bytes than it sends."""
    handler.send_response(200)
    handler.send_header("Content-Length", "5000")
    handler.end_headers()
    handler.wfile.write(b'{"choices": [')


def drips(handler: Handler) -> None:
    """Sends a good answer, one byte at a time, too slowly to ever end."""
    handler.send_response(200)
    handler.send_header("Content-Length", "100000")
    handler.end_headers()
    _drip(handler, b" ")


def drips_head(handler: Handler) -> None:
    """Sends headers without an end."""
    handler.wfile.write(b"HTTP/1.1 200 OK\r\nX-A: ")
    _drip(handler, b"a")


def no_http(handler: Handler) -> None:
    """Speaks something else."""
    handler.wfile.write(b"220 mail.example ESMTP ready\r\n\r\n")


def bad_chunks(handler: Handler) -> None:
    """Chunks whose lengths are none."""
    handler.wfile.write(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nxx\r\n")


def endless(handler: Handler) -> None:
    """Sends a long string, as fast as it can, for ever."""
    handler.send_response(200)
    handler.end_headers()
    handler.wfile.write(b'{"choices": "')
    while not handler.server.is_closing.is_set():
        handler.wfile.write(b"a" * 65_536)


def then(*parts: bytes, ending: Step) -> Step:
    """A stream of these bytes, and then another step with the same connection."""

    def step(handler: Handler) -> None:
        handler.begin_stream()
        for part in parts:
            handler.wfile.write(part)
        handler.wfile.flush()
        ending(handler)

    return step


def _drip(handler: Handler, piece: bytes) -> None:
    while not handler.server.is_closing.wait(0.02):
        handler.wfile.write(piece)
        handler.wfile.flush()
