"""The endpoints of models on this device: the memory goes in, the conversation is remembered.

A reply passes on as it comes, byte for byte. Its end is held back until the turn is durable, so
that whoever has seen the end of a reply will be remembered; where that takes long (another process
writes, a summary is under way), the end goes out first and the turn follows.
"""

from __future__ import annotations

import asyncio
import json
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from vaultmem.api import Memory
from vaultmem.base import (
    Any,
    BadInputError,
    LLMError,
    NamedTuple,
    TypeVar,
    VaultmemError,
    dataclass,
    late,
)
from vaultmem.model import TurnReport
from vaultmem.server.conversation import (
    NO_MEMORY,
    PERSON,
    Asked,
    Seen,
    SideRequests,
    Talk,
    Upstream,
    fields_wanted,
    fold,
    keep,
    memory_for,
    most_tokens,
    note_count,
    talk_of,
)
from vaultmem.server.serving import App, Receive, Scope, Send
from vaultmem.server.shapes import ANTHROPIC, CHAT, MESSAGES, SHAPES, Heard, Shape

_SPACE = late(r"[ \t\n\r]*")
_DECODER = json.JSONDecoder()


@dataclass(frozen=True, slots=True, kw_only=True)
class JsonObject:
    """An object and where in its text the values lie."""

    values: Mapping[str, Any]
    text: str
    spans: Mapping[str, tuple[int, int]]  # of the last value of each name: that one counts

    def with_values(self, values: Mapping[str, Any]) -> bytes:
        """The bytes with these values in the place of theirs, or in front where there is none."""
        pieces, at = [], 0
        for name in sorted(self.spans.keys() & values.keys(), key=lambda name: self.spans[name]):
            start, end = self.spans[name]
            pieces += [self.text[at:start], json.dumps(values[name])]
            at = end
        pieces.append(self.text[at:])
        new = [
            f"{json.dumps(name)}: {json.dumps(value)}"
            for name, value in values.items()
            if name not in self.spans
        ]
        text = "".join(pieces)
        if new:
            begin = text.index("{") + 1
            text = f"{text[:begin]}{', '.join(new)}{', ' if self.spans else ''}{text[begin:]}"
        return text.encode()


def read_object(body: bytes) -> JsonObject:
    """The object that a body holds; raises BadInputError."""
    try:
        return _read(body.decode())
    except (ValueError, RecursionError) as error:
        raise BadInputError("the request is not a JSON object in UTF-8") from error


def _read(text: str) -> JsonObject:
    values: dict[str, Any] = {}
    spans: dict[str, tuple[int, int]] = {}
    at = _behind_space(text, 0)
    is_first = True
    at = _behind(text, at, "{")
    while text[at : at + 1] != "}" or not is_first:
        name, at = _DECODER.raw_decode(text, at)
        if not isinstance(name, str):
            raise ValueError("a name is no string")
        at = _behind(text, _behind_space(text, at), ":")
        values[name], end = _DECODER.raw_decode(text, at)
        spans[name] = (at, end)
        at = _behind_space(text, end)
        is_first = False
        if text[at : at + 1] == "}":
            break
        at = _behind(text, at, ",")
    if _behind_space(text, at + 1) != len(text):
        raise ValueError("something stands behind the object")
    return JsonObject(values=values, text=text, spans=spans)


def _behind(text: str, at: int, mark: str) -> int:
    if text[at : at + 1] != mark:
        raise ValueError(f"no {mark} at {at}")
    return _behind_space(text, at + 1)


def _behind_space(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at


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
MOST_BODY_BYTES = 32 << 20  # as many as Anthropic takes
KEEP_SECONDS = 2.0
"""How long the end of a reply waits for its turn: a commit takes some tens of milliseconds."""
_STATUS = {"auth": 502, "quota": 402, "rate_limit": 429, "timeout": 504, "not_found": 404}
_OVERLOADED = 529  # Anthropic's; its clients wait longer after it than after other errors
_FOR_SERVERS = ("anthropic-", "openai-")  # headers of a client that its server is to read
_PASSED_ON = (
    "/messages/count_tokens",
    "/responses/input_tokens",
    "/responses/compact",
    "/embeddings",
    "/completions",
)
_MOST_OPEN = 1_000  # requests of clients that name a reply, until it is one in words
# How coding assistants call themselves in `User-Agent` -> as hooks call them.
_CLIENTS = {"claude-cli": "claude", "codex": "codex", "opencode": "opencode", "geminicli": "gemini"}


class Upstreams(NamedTuple):
    """The servers of models, by the kind of request; None: none is set."""

    openai: Upstream | None
    anthropic: Upstream | None

    def of(self, provider: str) -> Upstream:
        """That of a kind; raises NoUpstreamError."""
        found = self.anthropic if provider == ANTHROPIC else self.openai
        if found is None:
            raise NoUpstreamError(
                f"no server is set that answers this kind of request ({provider})",
                hint=f"write 'proxy.{provider}_base_url' into your settings; `vaultmem help proxy`",
            )
        return found


class NoUpstreamError(VaultmemError):
    """Nothing is set to pass this request on to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Work:
    """A request on its way."""

    shape: Shape
    upstream: Upstream
    path: str  # with its query
    headers: Mapping[str, str]
    body: bytes
    is_streamed: bool
    seen: Seen
    talk: Talk | None  # None: nothing of it is remembered
    model: str
    texts: tuple[str, ...]  # as they were sent, where they are all that there is to count
    may_be_named: bool  # a client may name the reply in its next request
    conversation: str  # that it names itself; '': none


class Proxy:
    """Answers requests.

    upstreams         behind it
    reading, keeping  threads with a memory each: no request waits for the turn of another one
    kept, failed      are told of every turn, and of each that could not be kept
    writer            whose words the person's side of a conversation is
    """

    def __init__(
        self,
        upstreams: Upstreams,
        *,
        reading: MemoryThread,
        keeping: MemoryThread,
        writer: str,
        kept: Callable[[TurnReport], None],
        failed: Callable[[BaseException], None],
    ) -> None:
        self._upstreams = upstreams
        self._reading, self._keeping = reading, keeping
        self._writer = writer
        self._kept, self._failed = kept, failed
        self._sides = SideRequests()
        # What a reply that calls tools was asked: a client that names it sends only what they gave.
        self._open: OrderedDict[str, Asked] = OrderedDict()

    def app(self) -> App:
        """The application; whoever reaches it was let in already."""
        made: App = Starlette(  # an `Any` where Starlette is not installed
            routes=[
                *(
                    Route(f"/v1{shape.path}", self._ask(shape), methods=["POST"])
                    for shape in SHAPES
                ),
                *(Route(f"/v1{path}", self._pass_on, methods=["POST"]) for path in _PASSED_ON),
                Route("/v1/models", self._pass_on, methods=["GET"]),
                Route("/v1/models/{name:path}", self._pass_on, methods=["GET"]),
                Route("/v1/responses/{name:path}", self._pass_on, methods=["GET"]),
                Route("/", _is_here, methods=["GET", "HEAD"]),
            ],
            exception_handlers={404: _unknown, 405: _unknown},
        )
        return made

    async def _pass_on(self, request: Request) -> Response:
        """An answer of the server, to what has nothing to do with memory."""
        shape = shape_of(request.url.path, request.headers)
        if ".." in request.url.path:
            return await _unknown(request, KeyError())
        try:
            upstream = self._upstreams.of(shape.provider)
            path, headers = _path_of(request), _headers_of(request)
            if request.method == "POST":
                body = await _body(request)
                answer = await run_in_threadpool(upstream.whole, path, body, headers)
            else:
                answer = await run_in_threadpool(upstream.get, path, headers)
        except ClientDisconnect:
            return Response(status_code=400)
        except VaultmemError as error:
            return _error_response(shape, error)
        return Response(answer, media_type="application/json")

    def _ask(self, shape: Shape) -> Callable[[Request], Any]:
        async def answer(request: Request) -> Response | App:
            try:
                body = await _body(request)
                # Of a long one that takes a while, in which others are answered.
                given = await run_in_threadpool(read_object, body)
                work = await self._read(shape, request, given)
                return await (self._stream if work.is_streamed else self._whole)(request, work)
            except ClientDisconnect:  # in the middle of its request: nobody reads this answer
                return Response(status_code=400)
            except VaultmemError as error:
                return _error_response(shape, error)

        return answer

    async def _read(self, shape: Shape, request: Request, given: JsonObject) -> _Work:
        """What is asked, with the memory put in; raises VaultmemError."""
        upstream = self._upstreams.of(shape.provider)
        asked = dict(given.values)
        shape.require(asked)
        changes: dict[str, Any] = {}
        if upstream.model and asked.get("model") in (None, "", "vaultmem"):
            changes["model"] = upstream.model
        named = request.headers.get(SESSION_HEADER, "")
        agent = request.headers.get("user-agent", "")
        seen = await run_in_threadpool(self._look_at, shape, asked, agent)
        talk = None
        if named != NO_MEMORY and not self._sides.is_beside(seen):
            talk = talk_of(seen.asked, named=named, writer=self._writer, client=_client_of(request))
            self._sides.note(seen)
            if memory := await self._memory_text(talk, upstream.where):
                changes |= shape.with_memory(asked, memory)
            if self._sides.is_for_helper(seen.asked):
                talk = None
        sent = {**asked, **changes}
        return _Work(
            shape=shape,
            upstream=upstream,
            path=_path_of(request),
            headers=_headers_of(request),
            body=given.with_values(changes) if changes else given.text.encode(),
            is_streamed=bool(asked.get("stream")),
            seen=seen,
            talk=talk,
            model=sent["model"] if isinstance(sent.get("model"), str) else "",
            texts=shape.texts(sent),
            may_be_named=asked.get("store") is not False,
            conversation=seen.asked.key if asked.get("conversation") else "",
        )

    def _look_at(self, shape: Shape, asked: Mapping[str, Any], agent: str) -> Seen:
        key = shape.key(asked)
        pieces = list(shape.words(asked))
        return Seen(
            asked=fold(pieces, who=shape.who(asked), key=key, goes_on=self._open.get(key)),
            said=tuple(text for role, text in pieces if role == PERSON and text),
            system=shape.system(asked),
            agent=agent,
            has_tools=bool(asked.get("tools") or asked.get("functions")),
            fields=fields_wanted(asked),
            most_tokens=most_tokens(asked),
        )

    async def _memory_text(self, talk: Talk, where: str) -> str:
        return await asyncio.wrap_future(
            self._reading.submit(lambda memory: memory_for(memory, talk, where=where))
        )

    async def _whole(self, request: Request, work: _Work) -> Response:
        whole = work.upstream.whole
        body = await run_in_threadpool(whole, work.path, work.body, work.headers)
        heard = work.shape.new_reply()
        heard.take(body)
        await _at_most(self._keep(work, heard))
        return Response(body, media_type="application/json")

    async def _stream(self, request: Request, work: _Work) -> Response | App:
        """An answer that begins with the first piece: before that, an error has its own status."""
        frames = work.upstream.frames(work.path, work.body, work.headers)
        first = await run_in_threadpool(next, frames, None)
        heard = work.shape.new_reply()

        async def pieces() -> AsyncIterator[bytes]:
            frame = first
            with closing(frames):
                while frame is not None:
                    heard.take(frame.data)
                    yield frame.raw
                    if await request.is_disconnected():
                        return
                    frame = await run_in_threadpool(next, frames, None)
            if not (heard.is_finished or heard.has_failed):
                raise LLMError(
                    "truncated",
                    f"the model at {work.upstream.where} stopped in the middle of its reply",
                    hint="try again",
                )

        return _Streaming(work.shape, heard, pieces(), lambda: self._keep(work, heard))

    def _keep(self, work: _Work, heard: Heard) -> Future[None] | None:
        """The turn on its way into the vault; None where there is none.

        A reply that broke off is kept as far as it came: the person's words count as ever.
        """
        talk, reply = work.talk, heard.text
        self._sides.note_given(heard.tool_texts)
        key = work.conversation or (heard.id if work.may_be_named else "")
        if heard.has_calls and key:
            self._open[key] = work.seen.asked
            while len(self._open) > _MOST_OPEN:
                self._open.popitem(last=False)
        elif key:
            self._open.pop(key, None)
        if talk is None or heard.has_calls or not (talk.asked.user and reply.strip()):
            return None
        if self._sides.was_for_title(work.seen):
            return None

        def keep_turn(memory: Memory) -> None:
            note_count(memory, work.model, work.texts, heard.tokens_in)
            self._kept(keep(memory, talk, reply, key=key))

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
        self,
        shape: Shape,
        heard: Heard,
        pieces: AsyncIterator[bytes],
        keep_turn: Callable[[], Future[None] | None],
    ) -> None:
        self._shape, self._heard = shape, heard
        self._pieces = pieces
        self._keep_turn = keep_turn

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = [
            (b"content-type", b"text/event-stream; charset=utf-8"),
            (b"cache-control", b"no-store"),
        ]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        ending = b""  # of the stream, from the event on that says that it is over
        kept: Future[None] | None = None
        try:
            async for piece in self._pieces:
                if self._heard.is_over:
                    ending += piece
                else:
                    await send({"type": "http.response.body", "body": piece, "more_body": True})
            ending = ending or self._default_ending()
        except LLMError as error:
            # What has said that it is over is whole, however the connection ended.
            ending = ending or self._shape.error_event(*_describe(error))
        finally:
            kept = self._keep_turn()
        await _at_most(kept)
        await send({"type": "http.response.body", "body": ending})

    def _default_ending(self) -> bytes:
        return b"" if self._heard.has_failed else self._shape.ending


async def _at_most(future: Future[None] | None) -> None:
    """Wait for a turn that is being kept, but not for ever; what goes wrong is told elsewhere."""
    if future is not None:
        waited = asyncio.wrap_future(future)
        # Else the loop prints a traceback under the warning: nobody asked what went wrong.
        waited.add_done_callback(lambda done: done.cancelled() or done.exception())
        await asyncio.wait([waited], timeout=KEEP_SECONDS)


class TooLongError(VaultmemError):
    """A request is longer than is taken in."""


async def _body(request: Request) -> bytes:
    """The body of a request; raises TooLongError, BadInputError for one that is packed."""
    packed = request.headers.get("content-encoding", "identity")
    if packed != "identity":
        raise BadInputError(f"the request is packed ({packed[:40]}), which is not read here")
    pieces, count = [], 0
    async for piece in request.stream():
        count += len(piece)
        if count > MOST_BODY_BYTES:
            raise TooLongError(f"the request is longer than {MOST_BODY_BYTES >> 20} MB")
        pieces.append(piece)
    return b"".join(pieces)


def _path_of(request: Request) -> str:
    """What stands behind `/v1`, as the client wrote it."""
    path = request.scope.get("raw_path") or request.url.path.encode()
    query = request.scope.get("query_string", b"")
    whole = path.split(b"?")[0].removeprefix(b"/v1") + (b"?" + query if query else b"")
    return str(whole.decode("latin-1"))


def _headers_of(request: Request) -> dict[str, str]:
    return {name: value for name, value in request.headers.items() if name.startswith(_FOR_SERVERS)}


def _client_of(request: Request) -> str:
    told = request.headers.get("user-agent", "").lower()
    return next((name for begin, name in _CLIENTS.items() if told.startswith(begin)), "")


def shape_of(path: str, headers: Mapping[str, str]) -> Shape:
    """The shape in which who asks at a path reads an error."""
    for shape in SHAPES:
        if path.startswith(f"/v1{shape.path}"):
            return shape
    return MESSAGES if "anthropic-version" in headers else CHAT


def _describe(error: VaultmemError) -> tuple[str, str, int]:
    """(words, code, status) of an error; what the server said of a request has its own status."""
    if isinstance(error, LLMError):
        status = _STATUS.get(error.kind, 502)
        if error.kind == "bad_request" and 400 <= error.status < 500:
            status = error.status
        if error.status == _OVERLOADED:
            status = _OVERLOADED
        code = f"upstream_{error.kind}"
    elif isinstance(error, BadInputError):
        status, code = 400, "bad_request"
    elif isinstance(error, TooLongError):
        status, code = 413, "too_long"
    elif isinstance(error, NoUpstreamError):
        status, code = 404, "no_server"
    else:
        status, code = 503, "memory"
    return (f"{error.message} ({error.hint})" if error.hint else error.message), code, status


def _error_response(shape: Shape, error: VaultmemError) -> Response:
    """An error as an answer."""
    headers = {}
    if isinstance(error, LLMError) and error.retry_after is not None:
        headers["Retry-After"] = str(int(error.retry_after))
    words, code, status = _describe(error)
    return JSONResponse(shape.error(words, code, status), status, headers=headers)


async def _is_here(request: Request) -> Response:
    """Clients ask whether anybody is there."""
    return Response(status_code=200)


async def _unknown(request: Request, error: Exception) -> Response:
    why = f"{request.method} {request.url.path[:200]} is not answered here"
    shape = shape_of(request.url.path, request.headers)
    return JSONResponse(shape.error(why, "not_found", 404), 404)
