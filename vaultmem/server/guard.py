"""Who may ask a server of this device: the name it is asked by, the page that asks, the token.

A web page in a browser reaches every port of loopback. It cannot leave `Origin` out, and where it
makes a name of its own lead here (DNS rebinding), `Host` has that name. Other users of the machine
can send both as they like, but cannot read the token (reliability.md T24).
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from hmac import compare_digest
from ipaddress import ip_address
from typing import Any

Scope = MutableMapping[str, Any]
Event = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Event]]
Send = Callable[[Event], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")


class Guard:
    """Lets a request through to `app`, or answers 403 (Host, Origin) or 401 (token) itself.

    names   by which the server is asked: host names and numbers, IPv6 in brackets
    scheme  http or https: that of an Origin of its own
    token   what every request must bear
    """

    def __init__(self, app: App, *, names: Iterable[str], scheme: str, token: str) -> None:
        self._app = app
        self._names = frozenset(name.lower() for name in names)
        self._scheme = scheme
        self._token = token.encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        refusal = self.refusal(scope["headers"])
        if refusal is None:
            await self._app(scope, receive, send)
            return
        status, code, why = refusal
        body = json.dumps(error_body(why, code)).encode()
        headers = [
            (b"content-type", b"application/json"),
            (b"content-length", str(len(body)).encode()),
            # What was not read of the request must not be taken for the next one.
            (b"connection", b"close"),
        ]
        if status == 401:
            headers.append((b"www-authenticate", b"Bearer"))
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": body})

    def refusal(self, headers: Iterable[tuple[bytes, bytes]]) -> tuple[int, str, str] | None:
        """(status, code, why) for headers with names in lower case; None: it may go on."""
        given: dict[bytes, list[str]] = {}
        for name, value in headers:
            given.setdefault(name, []).append(value.decode("latin-1").strip())
        hosts = given.get(b"host", [])
        if len(hosts) != 1 or name_in(hosts[0]) not in self._names:
            return 403, "wrong_host", "this server is not asked by that name (Host)"
        for origin in given.get(b"origin", []):
            scheme, _, rest = origin.partition("://")
            if scheme != self._scheme or rest.lower() != hosts[0].lower():
                return 403, "wrong_origin", "web pages may not ask this server (Origin)"
        tokens = given.get(b"authorization", [])
        kind, _, token = tokens[0].partition(" ") if len(tokens) == 1 else ("", "", "")
        right = compare_digest(token.strip().encode("latin-1", "replace"), self._token)
        if kind.lower() != "bearer" or not right:
            return (
                401,
                "wrong_token",
                "the token is missing or wrong; `vaultmem proxy` says its file",
            )
        return None


def name_in(host: str) -> str:
    """The name of a Host header without its port, in lower case; brackets of IPv6 stay."""
    name, colon, port = host.lower().rpartition(":")
    if colon and port.isascii() and port.isdigit() and (":" not in name or name.endswith("]")):
        return name.removesuffix(".")
    return host.lower().removesuffix(".")


def is_loopback(host: str) -> bool:
    """Whether a server bound to this name or number is reached from this machine alone."""
    if host.lower() == "localhost":
        return True
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def error_body(message: str, code: str) -> dict[str, Any]:
    """An error in the shape that clients of OpenAI's endpoint read."""
    return {"error": {"message": message, "type": "vaultmem", "param": None, "code": code}}
