"""The window: served on loopback until it is stopped; answers requests, and tells of changes."""

from __future__ import annotations

import asyncio
import os
import secrets
import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from pathlib import Path
from socket import socket
from urllib.parse import parse_qsl, quote, unquote

from starlette.requests import Request
from starlette.responses import Response

from vaultmem import api, server
from vaultmem.api import Memory
from vaultmem.base import (
    TYPE_CHECKING,
    Any,
    BadInputError,
    TypeVar,
    UnknownNoteError,
    VaultmemError,
)
from vaultmem.server import App, MemoryThread, Receive, Scope, Send
from vaultmem.watch import FolderEvents
from vaultmem.window.decisions import Done, decide
from vaultmem.window.guard import ENTRY, HEADERS, TOKEN, Door, Refusal
from vaultmem.window.html import STATIC, render
from vaultmem.window.pages import PAGES, Kept, Kind, flow_svg

if TYPE_CHECKING:
    from vaultmem.config import Settings
    from vaultmem.model import Clock


class Window:
    """Serves the pages of a vault to one browser.

    raises  what opening the vault raises
    """

    def __init__(self, settings: Settings, clock: Clock, bound: socket) -> None:

        def open_memory(*, sync: bool = False) -> api.Memory:
            return api.Memory(settings=settings, clock=clock, sync=sync)

        # Pages answer from the index, which `Changes` brings level when a file was touched: to
        # compare the files for each letter of a search would take longer than the search.
        self._reading = server.MemoryThread("pages", open_memory)
        self._past = server.MemoryThread("the past", open_memory)
        self._deciding = server.MemoryThread("decisions", lambda: open_memory(sync=True))
        self._threads = (self._reading, self._past, self._deciding)
        self._kept = Kept()
        port = bound.getsockname()[1]
        place = server.Place(host="127.0.0.1", port=port)
        self._door = Door(port)
        self._bound = bound
        self.vault = settings.root
        self.address = f"http://127.0.0.1:{port}"
        try:
            self._deciding.submit(lambda memory: memory.root).result()  # it says so if it cannot
            self._take_in().result()  # the link is given out when the first page is ready
            self._changes = Changes(settings.root, settings.include, settings.state, self._take_in)
        except BaseException:
            self._close_threads()
            raise
        pages = Pages(
            self._door,
            reading=self._reading,
            past=self._past,
            deciding=self._deciding,
            changes=self._changes,
            kept=self._kept,
            is_ending=lambda: self._serving.is_ending,
            vault=settings.root.name,
            zone=settings.timezone,
        )
        self._serving = server.Serving(pages.app(), place)

    @property
    def link(self) -> str:
        """What the person opens, once."""
        return f"{self.address}{self._door.link}"

    def run(self, began: Callable[[], None]) -> None:
        """Serve until `stop`, or a signal.

        began  called once it can be asked
        """
        try:
            began()
            self._serving.run(self._bound)
        finally:
            self._changes.close()
            self._close_threads()

    def stop(self) -> None:
        """Take no more requests, finish what is under way."""
        self._serving.stop()

    def _take_in(self) -> Future[None]:
        """Bring the pages level with the files; the first one is made ready after that."""
        self._reading.submit(self._kept.take_in).result()
        return self._reading.submit(self._kept.prepare)

    def _close_threads(self) -> None:
        for thread in self._threads:
            thread.close()


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


# An editor writes a file in several steps: what they come to is read once.
_QUIET_SECONDS = 0.12
_LOOK_SECONDS = 0.4  # between two looks at what no event tells: commits, a folder of the network


class Changes:
    """Counts the changes of a vault from a thread of its own, until it is closed.

    root     of the vault
    include  globs of further notes, as in the settings
    state    the folder of the device state, where requests of assistants wait
    take_in  brings the memory of the pages level with the files; asked before the number rises
    """

    def __init__(
        self, root: Path, include: tuple[str, ...], state: Path, take_in: Callable[[], object]
    ) -> None:
        self._watched = (
            root / ".git" / "HEAD",
            root / ".git" / "logs" / "HEAD",
            state / "requests.json",
        )
        self._take_in = take_in
        self._number = 1
        self._touched = threading.Event()
        self._is_closed = False
        self._events: FolderEvents | None = FolderEvents(root, include)
        try:
            self._events.start(touched=self._touched.set, lost=self._touched.set)
        except OSError:  # no events on this system, or too many folders: look now and then
            self._events = None
        self._thread = threading.Thread(target=self._run, name="changes", daemon=True)
        self._thread.start()

    @property
    def number(self) -> int:
        """Grows with every change."""
        return self._number

    def note(self) -> None:
        """Something was changed by this process."""
        self._touched.set()

    def close(self) -> None:
        """End the thread."""
        self._is_closed = True
        self._touched.set()
        self._thread.join(timeout=5)
        if self._events is not None:
            self._events.stop()

    def _run(self) -> None:
        stamps = self._stamps()
        while not self._is_closed:
            is_touched = self._touched.wait(_LOOK_SECONDS)
            if self._is_closed:
                return
            now = self._stamps()
            if not is_touched and now == stamps and self._events is not None:
                continue
            while self._touched.is_set():
                self._touched.clear()
                self._touched.wait(_QUIET_SECONDS)
                if self._is_closed:
                    return
            stamps = self._stamps()
            self._take_in()
            if self._events is not None:
                self._events.follow()
            self._number += 1

    def _stamps(self) -> tuple[tuple[int, int], ...]:
        return tuple(map(_stamp, self._watched))


def _stamp(file: Path) -> tuple[int, int]:
    try:
        found = os.stat(file)
    except OSError:
        return 0, 0
    return found.st_mtime_ns, found.st_size
