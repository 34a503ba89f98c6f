"""An OpenAI-compatible endpoint on this machine that adds the memory to what a client asks.

A client that changes its base URL has a memory: the system text gains what the vault knows, the
question goes to the chat model of the person's settings, the reply streams back, and the exchange
is a turn of a session. Served on loopback only, behind a token, and not to web pages.
"""

from __future__ import annotations

import hmac
import json
import os
import secrets
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from vaultmem.config import Settings
from vaultmem.errors import BadInputError, VaultmemError
from vaultmem.errors_llm import LLMError
from vaultmem.memory import Memory
from vaultmem.operations.session_proxy import Wanted, relay, wanted

TOKEN_FILE = "proxy-token"
LOOPBACK = ("127.0.0.1", "::1", "localhost")
MOST_BYTES = 8_000_000  # of a request: a note may have one million
_STATUS = {"rate_limit": 429, "timeout": 504, "bad_request": 400}
_END = object()


def app(settings: Settings, token: str, port: int) -> Starlette:
    """The application: `/v1/chat/completions` and `/v1/models`, for who has the token."""

    async def complete(request: Request) -> Response:
        refusal = _refusal(request, token, port)
        if refusal is not None:
            return refusal
        data = await _body(request)
        if data is None:
            return _error(413, f"a request has at most {MOST_BYTES:,} bytes")
        try:
            asked = wanted(json.loads(data), request.headers.get("x-vaultmem-session", ""))
        except (ValueError, RecursionError):
            return _error(400, "the request is not JSON")
        except BadInputError as error:
            return _error(400, error.message)
        pieces: SimpleQueue[object] = SimpleQueue()
        Thread(target=_work, args=(settings, asked, pieces.put), daemon=True).start()
        first = await run_in_threadpool(pieces.get)
        if isinstance(first, VaultmemError):
            return _failure(first)
        name = f"chatcmpl-{secrets.token_hex(12)}"
        if asked.is_streamed:
            events = _events(name, asked.model, _following(first, pieces))
            return StreamingResponse(events, media_type="text/event-stream")
        return await run_in_threadpool(_whole, name, asked.model, _following(first, pieces))

    async def models(request: Request) -> Response:
        refusal = _refusal(request, token, port)
        model = {"id": "vaultmem", "object": "model", "owned_by": "vaultmem", "created": 0}
        return refusal or JSONResponse({"object": "list", "data": [model]})

    return Starlette(
        routes=[
            Route("/v1/chat/completions", complete, methods=["POST"]),
            Route("/v1/models", models, methods=["GET"]),
        ]
    )


def token_of(state: Path) -> tuple[str, Path]:
    """The token of this vault on this device, and its file, which nobody else can read."""
    file = state / TOKEN_FILE
    try:
        fd = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return file.read_text(encoding="ascii").strip(), file
    with open(fd, "w", encoding="ascii") as made:
        made.write(secrets.token_urlsafe(32) + "\n")
    return file.read_text(encoding="ascii").strip(), file


def require_loopback(host: str) -> None:
    """Refuse an address that others could reach; raises BadInputError."""
    if host not in LOOPBACK:
        raise BadInputError(
            f"'{host}' is not an address of this machine alone",
            hint="use 127.0.0.1; to reach it from elsewhere, tunnel with ssh -L",
        )


def _refusal(request: Request, token: str, port: int) -> Response | None:
    """Why a request is not answered; None: it is.

    The name that was asked for must be this machine's (a page can have any name point here), and
    a request from a web page must come from one of this very address.
    """
    own = {f"{_bracketed(name)}:{port}" for name in LOOPBACK}
    origin = request.headers.get("origin")
    if request.headers.get("host", "") not in own:
        return _error(421, "this name is not served here")
    if origin is not None and origin not in {f"http://{name}" for name in own}:
        return _error(403, "web pages are not served")
    given = request.headers.get("authorization", "")
    if not hmac.compare_digest(given.encode(), f"Bearer {token}".encode()):
        return _error(401, "the token is missing or wrong; `vaultmem proxy --token` prints it")
    return None


async def _body(request: Request) -> bytes | None:
    """The body; None when it is too long."""
    data = bytearray()
    async for chunk in request.stream():
        data += chunk
        if len(data) > MOST_BYTES:
            return None
    return bytes(data)


def _work(settings: Settings, asked: Wanted, put: Callable[[object], None]) -> None:
    """Ask, hand the pieces on, keep the turn, and only then say that it is the end."""
    told = False
    error = VaultmemError("the exchange failed inside the proxy", hint="its terminal shows how")
    try:
        with Memory(settings=settings) as memory:
            talk = relay(memory.parts, asked)
            for piece in talk:
                put(piece)
            with memory.session(talk.session) as session:
                report = session.turn(asked.question, talk.text, background=True)
                put(report.turn)
                put(_END)
                told = True
    except VaultmemError as raised:
        error = raised
    finally:
        if not told:
            put(error)
            put(_END)


def _following(first: object, pieces: SimpleQueue[object]) -> Iterator[object]:
    item = first
    while item is not _END:
        yield item
        item = pieces.get()


def _whole(name: str, model: str, items: Iterator[object]) -> Response:
    parts: list[str] = []
    for item in items:
        if isinstance(item, VaultmemError):
            return _failure(item)
        if isinstance(item, str):
            parts.append(item)
    message = {"role": "assistant", "content": "".join(parts)}
    choice = {"index": 0, "message": message, "finish_reason": "stop", "logprobs": None}
    return JSONResponse(_answer(name, model, "chat.completion", choice))


def _events(name: str, model: str, items: Iterator[object]) -> Iterator[bytes]:
    yield _event(_chunk(name, model, {"role": "assistant", "content": ""}))
    for item in items:
        if isinstance(item, str):
            yield _event(_chunk(name, model, {"content": item}))
        elif isinstance(item, VaultmemError):
            yield _event({"error": _told(item)})
            return  # without [DONE]: a client must not take it for a whole reply
    yield _event(_chunk(name, model, {}, finish="stop"))
    yield b"data: [DONE]\n\n"


def _chunk(name: str, model: str, delta: Mapping[str, str], finish: str | None = None) -> Any:
    choice = {"index": 0, "delta": dict(delta), "finish_reason": finish, "logprobs": None}
    return _answer(name, model, "chat.completion.chunk", choice)


def _answer(name: str, model: str, kind: str, choice: Mapping[str, object]) -> dict[str, object]:
    return {
        "id": name,
        "object": kind,
        "created": int(time.time()),
        "model": model,
        "choices": [dict(choice)],
    }


def _event(value: object) -> bytes:
    return f"data: {json.dumps(value)}\n\n".encode()


def _failure(error: VaultmemError) -> Response:
    status = _STATUS.get(error.kind, 502) if isinstance(error, LLMError) else 500
    status = 400 if isinstance(error, BadInputError) else status
    return JSONResponse({"error": _told(error)}, status_code=status)


def _told(error: VaultmemError) -> dict[str, str]:
    kind = error.kind if isinstance(error, LLMError) else "vaultmem_error"
    hint = f" ({error.hint})" if error.hint else ""
    return {"message": f"{error.message}{hint}", "type": kind, "code": kind}


def _error(status: int, message: str) -> Response:
    told = {"message": message, "type": "invalid_request_error", "code": str(status)}
    return JSONResponse({"error": told}, status_code=status)


def _bracketed(name: str) -> str:
    return f"[{name}]" if ":" in name else name
