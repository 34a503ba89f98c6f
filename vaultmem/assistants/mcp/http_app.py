"""The same tools over HTTP: one POST a message, one JSON document back, no stream and no session.

Behind the guard of `server/` (Host, Origin, token), as an ASGI application of its own. A client
that has a session elsewhere has none here, so only clients of 2026-07-28 can be asked for the
person's yes; what the others ask for waits in review.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor

from vaultmem.assistants.mcp import wire
from vaultmem.assistants.mcp.desk import Desk
from vaultmem.assistants.mcp.respond import Server
from vaultmem.base import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from vaultmem.api import Memory
    from vaultmem.server import Receive, Scope, Send

PATH = "/mcp"
HEADER_MISMATCH = -32020
_BAD_REQUEST = (wire.PARSE_ERROR, wire.INVALID_REQUEST, wire.NO_REVISION, HEADER_MISMATCH)


class HttpApp:
    """An ASGI application; the vault is used by one thread, whichever request it is."""

    def __init__(
        self,
        open_memory: Callable[[], Memory],
        *,
        tools: str = "default",
        client: str = "",
        project: str = "none",
    ) -> None:
        # A `Memory` answers in the thread that opened it alone.
        self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="memory tools")
        self._answers: list[object] = []
        desk = Desk(open_memory, client=client, project=project)
        self._server = Server(desk, self._answers.append, tools=tools, can_push=False)

    def close(self) -> None:
        """Do what was asked, leave for review what nobody answered, close the vault."""
        self._pool.submit(self._server.close).result()
        self._pool.shutdown(wait=True)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            return
        if scope["path"].rstrip("/") != PATH:
            await _respond(send, 404, wire.failure(None, wire.NO_METHOD, f"ask {PATH}"))
            return
        # There is neither a stream nor a session: each message is one POST with one JSON document
        # back.
        if scope["method"] != "POST":
            await _respond(send, 405, None)
            return
        body = await _body(receive)
        if body is None:
            said = f"a message has at most {wire.MOST_BYTES:,} bytes"
            await _respond(send, 413, wire.failure(None, wire.INVALID_REQUEST, said))
            return
        loop = asyncio.get_running_loop()
        answer = await loop.run_in_executor(self._pool, self._answer, body, scope["headers"])
        await _respond(send, _status(answer), answer)

    def _answer(self, body: bytes, headers: Iterable[tuple[bytes, bytes]]) -> object | None:
        """The answer to a message; None: it wants none."""
        mismatch = _mismatch(body, {name.decode("latin-1"): value for name, value in headers})
        if mismatch is not None:
            return mismatch
        self._answers.clear()
        self._server.take(body)
        return self._answers[0] if self._answers else None


def _mismatch(body: bytes, headers: dict[str, bytes]) -> dict[str, Any] | None:
    """What is wrong with headers that say something else than the message; None: nothing is."""
    try:
        message = wire.message_of(wire.decode(body))
    except wire.BadMessageError:
        return None  # the server says what is wrong
    given = {name: headers.get(name, b"").decode("latin-1") for name in _TOLD}
    version = given["mcp-protocol-version"]
    stated = wire.stated_version(message.params)
    if stated is None:
        is_known = not version or wire.revision_named(version) is not None
        said = f"unsupported protocol version '{version[:40]}'"
        return None if is_known else wire.failure(message.id, wire.INVALID_REQUEST, said)
    name = message.params.get("name", message.params.get("uri", ""))
    told = {"mcp-protocol-version": stated, "mcp-method": message.method, "mcp-name": name}
    for header, value in given.items():
        if value and value != told[header]:
            said = f"the header {header} says something else than the message"
            return wire.failure(message.id, HEADER_MISMATCH, said)
    return None


_TOLD = ("mcp-protocol-version", "mcp-method", "mcp-name")


def _status(answer: object | None) -> int:
    if answer is None:
        return 202
    error = answer.get("error") if isinstance(answer, dict) else None
    return 400 if error is not None and error["code"] in _BAD_REQUEST else 200


async def _body(receive: Receive) -> bytes | None:
    """The whole body; None: it is too long, and the rest was not read."""
    parts: list[bytes] = []
    size = 0
    while True:
        event = await receive()
        if event["type"] != "http.request":
            return b""  # the client went away
        parts.append(event.get("body", b""))
        size += len(parts[-1])
        if size > wire.MOST_BYTES:
            return None
        if not event.get("more_body", False):
            return b"".join(parts)


async def _respond(send: Send, status: int, answer: object | None) -> None:
    body = b"" if answer is None else json.dumps(answer).encode()
    headers = [(b"content-length", str(len(body)).encode())]
    if body:
        headers.append((b"content-type", b"application/json"))
    if status == 405:
        headers.append((b"allow", b"POST"))
    if status == 413:
        headers.append((b"connection", b"close"))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
