"""The requests of the window: which page, which decision, what changed."""

from __future__ import annotations

import asyncio
import secrets
from collections import OrderedDict
from collections.abc import Callable, Mapping
from urllib.parse import parse_qsl, quote, unquote

from starlette.requests import Request
from starlette.responses import Response

from vaultmem.api import Memory
from vaultmem.base import Any, BadInputError, TypeVar, UnknownNoteError, VaultmemError
from vaultmem.server import App, MemoryThread, Receive, Scope, Send
from vaultmem.window.changes import Changes
from vaultmem.window.decisions import Done, decide
from vaultmem.window.guard import ENTRY, HEADERS, TOKEN, Door, Refusal
from vaultmem.window.html import STATIC, render
from vaultmem.window.pages import PAGES, Kept, Kind, flow_svg

T = TypeVar("T")

_MOST_BODY = 64_000  # bytes of a form
_MOST_QUERY = 8_000
_MOST_TOLD = 50  # messages that wait to be shown
_WAIT_SECONDS = 20.0  # that a question for changes is left open
_STEP_SECONDS = 0.05
_TYPES = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}
# A picture is loaded as an image, which runs nothing; it brings its colours for the dark itself.
_PICTURE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"


class Pages:
    """Answers what a browser asks.

    reading   for pages that answer at once; its memory is brought level by `changes`
    past      for what reads the history: a long look at it holds up no search
    deciding  for decisions, which compare the files as every command does
    """

    def __init__(
        self,
        door: Door,
        *,
        reading: MemoryThread,
        past: MemoryThread,
        deciding: MemoryThread,
        changes: Changes,
        kept: Kept,
        is_ending: Callable[[], bool],
        vault: str,
        zone: str,
    ) -> None:
        self._door = door
        self._reading, self._past, self._deciding = reading, past, deciding
        self._changes, self._kept = changes, kept
        self._is_ending = is_ending
        self._shown = {"vault": vault, "zone": zone, "nav": [kind for kind in PAGES if kind.word]}
        self._pages = {kind.path: kind for kind in PAGES}
        self._turns = (asyncio.Lock(), asyncio.Lock())  # of pages at once, of those of the past
        self._told: OrderedDict[str, Done] = OrderedDict()
        self._files = {
            f"/static/{file.name}": (file.read_bytes(), _TYPES[file.suffix])
            for file in sorted(STATIC.iterdir())
            if file.suffix in _TYPES
        }

    def app(self) -> App:
        """The application, with its guard."""

        async def answer(scope: Scope, receive: Receive, send: Send) -> None:
            if scope["type"] != "http":
                return
            request = Request(scope, receive)
            try:
                response = await self._answer(request)
            except VaultmemError as error:
                response = self._failure(request, error)
            for name, value in HEADERS.items():
                response.headers.setdefault(name, value)
            await response(scope, receive, send)

        return answer

    async def _answer(self, request: Request) -> Response:
        headers: dict[str, list[str]] = {}
        for name, value in request.headers.items():
            headers.setdefault(name, []).append(value)
        path, method = request.url.path, request.method
        is_entry = path == ENTRY and method == "GET"
        refusal = self._door.refuse(headers, is_entry=is_entry)
        if refusal is None and is_entry:
            refusal = self._door.enter(request.query_params.get("key", ""), headers)
            if refusal is None:
                return _redirect("/", {"set-cookie": self._door.cookie})
        if refusal is not None:
            return self._plain(refusal)
        if len(request.url.query) > _MOST_QUERY:
            return self._plain(Refusal(414, "the question is too long", "ask a shorter one"))
        if method == "POST" and path == "/do":
            return await self._do(request, headers)
        if method != "GET":
            return self._plain(Refusal(405, "that is not done here", "go back to the page"))
        if path == "/changes":
            return await self._wait_for_change(request)
        if path in self._files:
            body, kind = self._files[path]
            return Response(body, media_type=kind)
        if path == "/flow.svg":
            asked = dict(request.query_params)
            svg = await self._ask(self._reading, lambda memory: flow_svg(memory, asked))
            policy = {"content-security-policy": _PICTURE_POLICY}
            return Response(svg, media_type="image/svg+xml", headers=policy)
        return await self._page(request, path)

    async def _page(self, request: Request, path: str) -> Response:
        asked = dict(request.query_params)
        if path.startswith("/note/"):
            # What the client wrote: a server decodes `%2e%2e` before anybody has looked at it.
            raw = (request.scope.get("raw_path") or path.encode()).decode("latin-1")
            asked["ref"] = unquote(raw.partition("?")[0].removeprefix("/note/"))
            path = "/note"
        kind = self._pages.get(path)
        if kind is None or (path == "/note" and not asked.get("ref")):
            return self._plain(Refusal(404, "there is no such page", "begin at the first one"))
        number = self._changes.number
        thread = self._past if kind.is_past else self._reading
        await request.body()  # behind it stands whether the browser is still there
        async with self._turns[kind.is_past]:
            # Who drags a slider asks for each day on the way: what was given up is not worked out.
            if await request.is_disconnected():
                return Response(status_code=400)
            page = await self._ask(thread, lambda memory: kind.gather(memory, asked, self._kept))
        told = self._told.get(asked.get("told", ""))
        return self._html(request, kind, page.template, page.values, number=number, told=told)

    def _html(
        self,
        request: Request,
        kind: Kind | None,
        template: str,
        values: Mapping[str, Any],
        *,
        number: int,
        told: Done | None = None,
        status: int = 200,
    ) -> Response:
        query = [
            (name, value) for name, value in request.query_params.multi_items() if name != "told"
        ]
        raw = (request.scope.get("raw_path") or b"/").decode("latin-1").partition("?")[0]
        back = raw + ("?" + "&".join(f"{quote(n)}={quote(v)}" for n, v in query) if query else "")
        shown = {
            **self._shown,
            **values,
            "here": kind.path if kind is not None else "",
            "title": kind.word if kind is not None else "",
            "token": self._door.form_token,
            "back": back,
            "number": number,
            "told": told,
        }
        return Response(render(template, shown), status, media_type="text/html; charset=utf-8")

    async def _do(self, request: Request, headers: Mapping[str, list[str]]) -> Response:
        form = dict(await _form(request))
        refusal = self._door.refuse_form(headers, form.get(TOKEN, ""))
        if refusal is not None:
            return self._plain(refusal)
        done = await self._ask(self._deciding, lambda memory: decide(memory, form))
        self._changes.note()
        # The next page is of the thread that reads: it is to show what was decided.
        await self._ask(self._reading, self._kept.take_in)
        key = secrets.token_urlsafe(12)
        self._told[key] = done
        while len(self._told) > _MOST_TOLD:
            self._told.popitem(last=False)
        back = form.get("back", "/")
        is_ours = back.startswith("/") and not back.startswith(("//", "/\\"))
        is_ours = is_ours and back.isascii() and back.isprintable()  # it goes into a header
        if not is_ours or (form.get("verb") == "forget" and back.startswith("/note/")):
            back = "/"  # also where the page of the note is gone with it
        return _redirect(f"{back}{'&' if '?' in back else '?'}told={key}")

    async def _wait_for_change(self, request: Request) -> Response:
        """The number of the last change, once it is another one than the client knows."""
        since = request.query_params.get("since", "")
        waited = 0.0
        while (
            str(self._changes.number) == since and waited < _WAIT_SECONDS and not self._is_ending()
        ):
            await asyncio.sleep(_STEP_SECONDS)
            waited += _STEP_SECONDS
        return Response(str(self._changes.number), media_type="text/plain")

    async def _ask(self, thread: MemoryThread, work: Callable[[Memory], T]) -> T:
        return await asyncio.wrap_future(thread.submit(work))

    def _failure(self, request: Request, error: VaultmemError) -> Response:
        """What the command line says of it, on a page."""
        status = 409 if request.method == "POST" else 400
        if isinstance(error, UnknownNoteError):
            status = 404
        values = {"message": error.message, "hint": error.hint, "is_decision": status == 409}
        return self._html(
            request, None, "failure.html", values, number=self._changes.number, status=status
        )

    def _plain(self, refusal: Refusal) -> Response:
        """A page that says nothing of the vault."""
        page = render("refused.html", {"message": refusal.message, "hint": refusal.hint})
        # What was not read of the request must not be taken for the next one.
        close = {"connection": "close"}
        return Response(page, refusal.status, media_type="text/html; charset=utf-8", headers=close)


async def _form(request: Request) -> list[tuple[str, str]]:
    """The fields of a form; raises BadInputError for one that is too long, or no form."""
    body = b""
    async for piece in request.stream():
        body += piece
        if len(body) > _MOST_BODY:
            raise BadInputError("the form is too long", hint="write less")
    try:
        return parse_qsl(
            body.decode("ascii"), keep_blank_values=True, max_num_fields=20, errors="strict"
        )
    except ValueError as error:
        raise BadInputError("what was sent is no form", hint="load the page again") from error


def _redirect(where: str, headers: Mapping[str, str] | None = None) -> Response:
    return Response(status_code=303, headers={"location": where, **(headers or {})})
