"""A model server on loopback: real sockets, a model small enough to be read, faults on demand."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.serving import serving

# What the model knows: each line is one direction, words of it mean about the same.
TOPICS = (
    "dog puppy hound pet poodle animal",
    "car vehicle automobile sedan drive drives",
    "tea coffee drink drinks beverage espresso",
    "berlin munich city live lives moved home",
    "doctor physician clinic illness ill hospital",
)
NUMBERS = len(TOPICS) + 1


def vector_of(text: str) -> list[float]:
    """How often a text names each topic; what names none points its own way."""
    words = [word.strip(".,?!").lower() for word in text.split()]
    counts = [float(sum(word in topic.split() for word in words)) for topic in TOPICS]
    return [*counts, 0.0] if any(counts) else [*counts, 1.0]


class ModelServer(ThreadingHTTPServer):
    """Answers `/v1/embeddings`; `fault` may answer in its place."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.asked: list[list[str]] = []
        self.headers: list[dict[str, str]] = []
        self.fault: Callable[[_Handler], None] | None = None

    @property
    def url(self) -> str:
        """What a person writes into the settings."""
        return f"http://127.0.0.1:{self.server_address[1]}/v1"

    @property
    def texts(self) -> list[str]:
        """All that was sent here, in order."""
        return [text for texts in self.asked for text in texts]


class _Handler(BaseHTTPRequestHandler):
    server: ModelServer

    def log_message(self, format: str, *args: object) -> None:
        return

    def do_GET(self) -> None:
        """A redirect that was followed."""
        self.server.headers.append(dict(self.headers))
        self.reply(200, b"{}")

    def do_POST(self) -> None:
        length = int(self.headers["Content-Length"])
        asked = json.loads(self.rfile.read(length))
        self.server.headers.append(dict(self.headers))
        if self.server.fault is not None:
            self.server.fault(self)
            return
        assert self.path == "/v1/embeddings"
        self.server.asked.append(asked["input"])
        rows = [
            {"object": "embedding", "index": at, "embedding": vector_of(text)}
            for at, text in enumerate(asked["input"])
        ]
        rows.reverse()  # the order is in the numbers
        self.reply(200, json.dumps({"object": "list", "data": rows}).encode())

    def reply(self, status: int, body: bytes, **headers: str) -> None:
        """A whole answer."""
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


Handler = _Handler


@contextmanager
def served() -> Iterator[ModelServer]:
    """A running server."""
    with serving(ModelServer()) as server:
        yield server


def answering(data: Any) -> Callable[[Handler], None]:
    """A fault that answers 200 with this."""
    body = data if isinstance(data, bytes) else json.dumps(data).encode()
    return lambda handler: handler.reply(200, body)
