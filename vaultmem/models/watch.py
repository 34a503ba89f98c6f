"""Hangs up on a server when time is over, wherever the reading of its answer waits."""

from __future__ import annotations

import socket
from threading import Lock, Timer
from types import TracebackType
from typing import Any

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

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
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
