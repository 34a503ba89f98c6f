"""A server of this process that answers while a block runs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from socketserver import BaseServer
from threading import Thread
from typing import TypeVar

S = TypeVar("S", bound=BaseServer)


@contextmanager
def serving(
    server: S, *, poll_seconds: float = 0.01, before_end: Callable[[], object] = lambda: None
) -> Iterator[S]:
    """The server in a thread of its own; `before_end` frees what still waits for an answer."""
    poll = {"poll_interval": poll_seconds}
    thread = Thread(target=server.serve_forever, kwargs=poll, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        before_end()
        server.shutdown()
        server.server_close()
        thread.join()
