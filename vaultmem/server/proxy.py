"""`/v1/chat/completions` of this device: the memory goes in, the conversation is remembered.

A reply passes on as it comes. Its end is held back until the turn is durable, so that whoever has
seen the end of a reply will be remembered; where that takes long (another process writes, a summary
is under way), the end goes out first and the turn follows.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from vaultmem.api import Memory
from vaultmem.base import Any, BadInputError, LLMError, TypeVar, VaultmemError
from vaultmem.model import TurnReport
from vaultmem.server.conversation import (
    NO_MEMORY,
    Heard,
    Talk,
    Upstream,
    asked_in,
    keep,
    memory_for,
    note_count,
    read_request,
    talk_of,
    with_memory,
)
from vaultmem.server.serving import App, Receive, Scope, Send, error_body

# A thread with a Memory of its own: the connections of a Memory belong to one thread.


class MemoryThread:
    """Does one thing after the other, in the order in which they are given."""

    def __init__(self, name: str, open_memory: Callable[[], Memory]) -> None:
        self._open = open_memory
        self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix=name)
        self._memory: Memory | None = None  # touched by that thread alone

    def submit(self, work: Callable[[Memory], T]) -> Future[T]:
        """What `work` returns, or raises, in time."""
        return self._pool.submit(lambda: work(self._open_once()))

    def close(self) -> None:
        """Do what was given, then close the memory."""
        self._pool.submit(self._close)
        self._pool.shutdown(wait=True)

    def _open_once(self) -> Memory:
        if self._memory is None:
            self._memory = self._open()
        return self._memory

    def _close(self) -> None:
        if self._memory is not None:
            self._memory.close()


T = TypeVar("T")

SESSION_HEADER = "x-vaultmem-session"
MOST_BODY_BYTES = 16 << 20
KEEP_SECONDS = 2.0
"""How long the end of a reply waits for its turn: a commit takes some tens of milliseconds."""
_STATUS = {"auth": 502, "quota": 402, "rate_limit": 429, "timeout": 504, "not_found": 404}
_DONE = b"data: [DONE]\n\n"


class Proxy:
    """Answers requests.

    reading, keeping  threads with a memory each: no request waits for the turn of another one
    kept, failed      are told of every turn, and of each that could not be kept
    writer            whose words the person's side of a conversation is
    """

    def __init__(
        self,
        upstream: Upstream,
        *,
        reading: MemoryThread,
        keeping: MemoryThread,
        writer: str,
        kept: Callable[[TurnReport], None],
        failed: Callable[[BaseException], None],
    ) -> None:
        self._upstream = upstream
        self._reading, self._keeping = reading, keeping
        self._writer = writer
        self._kept, self._failed = kept, failed

    def app(self) -> App:
        """The application; whoever reaches it was let in already."""
        made: App = Starlette(  # an `Any` where Starlette is not installed
            routes=[
                Route("/v1/chat/completions", self._chat, methods=["POST"]),
                Route("/v1/models", self._models, methods=["GET"]),
            ],
            exception_handlers={404: _unknown, 405: _unknown},
        )
        return made

    async def _models(self, request: Request) -> Response:
        try:
            body = await run_in_threadpool(self._upstream.models)
        except VaultmemError as error:
            return _error_response(error)
        return Response(body, media_type="application/json")

    async def _chat(self, request: Request) -> Response | App:
        try:
            body = await _body(request)
        except ClientDisconnect:  # in the middle of its request: nobody reads this answer
            return Response(status_code=400)
        try:
            if body is None:
                why = f"the request is longer than {MOST_BODY_BYTES >> 20} MB"
                return JSONResponse(error_body(why, "too_long"), 413)
            asked = read_request(body)
            if asked.get("model") in (None, "", "vaultmem"):
                asked = {**asked, "model": self._upstream.model}
            named = request.headers.get(SESSION_HEADER, "")
            talk = None
            if named != NO_MEMORY:
                talk = talk_of(asked_in(asked), named=named, writer=self._writer)
                asked = with_memory(asked, await self._memory_text(talk))
            if asked.get("stream"):
                return await self._stream(request, asked, talk)
            return await self._whole(asked, talk)
        except VaultmemError as error:
            return _error_response(error)

    async def _memory_text(self, talk: Talk) -> str:
        where = self._upstream.where
        return await asyncio.wrap_future(
            self._reading.submit(lambda memory: memory_for(memory, talk, where=where))
        )

    async def _whole(self, asked: dict[str, Any], talk: Talk | None) -> Response:
        body = await run_in_threadpool(self._upstream.whole, asked)
        heard = Heard()
        heard.take(body)
        await _at_most(self._keep(talk, heard, asked))
        return Response(body, media_type="application/json")

    async def _stream(
        self, request: Request, asked: dict[str, Any], talk: Talk | None
    ) -> Response | App:
        """An answer that begins with the first piece: before that, an error has its own status."""
        events = self._upstream.events(asked)
        first = await run_in_threadpool(next, events, None)
        heard = Heard()

        async def pieces() -> AsyncIterator[bytes]:
            data = first
            with closing(events):
                while data is not None:
                    heard.take(data)
                    yield f"data: {data}\n\n".encode()
                    if await request.is_disconnected():
                        return
                    data = await run_in_threadpool(next, events, None)
            if not heard.is_finished:
                raise LLMError(
                    "truncated",
                    f"the model at {self._upstream.where} stopped in the middle of its reply",
                    hint="try again",
                )

        return _Streaming(pieces(), lambda: self._keep(talk, heard, asked))

    def _keep(
        self, talk: Talk | None, heard: Heard, asked: Mapping[str, Any]
    ) -> Future[None] | None:
        """The turn on its way into the vault; None where there is none.

        A reply that broke off is kept as far as it came: the person's words count as ever.
        """
        if talk is None or heard.has_calls or not (talk.asked.user and heard.text.strip()):
            return None
        reply = heard.text

        def keep_turn(memory: Memory) -> None:
            note_count(memory, asked, heard.tokens_in)
            self._kept(keep(memory, talk, reply))

        future = self._keeping.submit(keep_turn)
        future.add_done_callback(self._look)
        return future

    def _look(self, future: Future[None]) -> None:
        error = future.exception()
        if error is not None:
            self._failed(error)


class _Streaming:
    """Sends events as they come, keeps the turn, and ends; however it ends, the turn is kept.

    Not Starlette's own: where a client goes away, that leaves the generator to the garbage
    collector, and with it what is to be done at the end.
    """

    def __init__(
        self, pieces: AsyncIterator[bytes], keep_turn: Callable[[], Future[None] | None]
    ) -> None:
        self._pieces = pieces
        self._keep_turn = keep_turn

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = [
            (b"content-type", b"text/event-stream; charset=utf-8"),
            (b"cache-control", b"no-store"),
        ]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        ending = _DONE
        kept: Future[None] | None = None
        try:
            async for piece in self._pieces:
                await send({"type": "http.response.body", "body": piece, "more_body": True})
        except LLMError as error:
            ending = _event_of(error)
        finally:
            kept = self._keep_turn()
        await _at_most(kept)
        await send({"type": "http.response.body", "body": ending})


async def _at_most(future: Future[None] | None) -> None:
    """Wait for a turn that is being kept, but not for ever; what goes wrong is told elsewhere."""
    if future is not None:
        await asyncio.wait([asyncio.wrap_future(future)], timeout=KEEP_SECONDS)


async def _body(request: Request) -> bytes | None:
    """The body of a request; None for one that is too long."""
    pieces, count = [], 0
    async for piece in request.stream():
        count += len(piece)
        if count > MOST_BODY_BYTES:
            return None
        pieces.append(piece)
    return b"".join(pieces)


def _error_response(error: VaultmemError) -> Response:
    """An error as an answer; what the server behind us said of the request has its own status."""
    headers = {}
    if isinstance(error, LLMError):
        status = _STATUS.get(error.kind, 502)
        if error.kind == "bad_request" and 400 <= error.status < 500:
            status = error.status
        if error.retry_after is not None:
            headers["Retry-After"] = str(int(error.retry_after))
        code = f"upstream_{error.kind}"
    elif isinstance(error, BadInputError):
        status, code = 400, "bad_request"
    else:
        status, code = 503, "memory"
    return JSONResponse(error_body(_words(error), code), status, headers=headers)


def _event_of(error: LLMError) -> bytes:
    import json

    body = json.dumps(error_body(_words(error), f"upstream_{error.kind}"))
    return f"data: {body}\n\n".encode()


def _words(error: VaultmemError) -> str:
    return f"{error.message} ({error.hint})" if error.hint else error.message


async def _unknown(request: Request, error: Exception) -> Response:
    why = f"{request.method} {request.url.path[:200]} is not answered here"
    return JSONResponse(error_body(why, "not_found"), 404)
