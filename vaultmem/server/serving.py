"""A server of this device: its token, its guard, its socket, its end."""

from __future__ import annotations

import json
import os
import secrets
import socket
from collections.abc import Awaitable, Callable, Iterable, MutableMapping, Sequence
from hmac import compare_digest
from ipaddress import ip_address
from pathlib import Path

from vaultmem import base
from vaultmem.base import (
    EXIT_BUSY,
    EXIT_REFUSED,
    Any,
    SettingsError,
    VaultmemError,
    dataclass,
    disk_error,
)

# --- token: made once, in a file that its owner alone can read ---

_BYTES = 32
_SHORTEST = 32  # characters; what is shorter was cut, or written by hand


def token_in(file: Path) -> tuple[str, bool]:
    """(token, whether it is new). One that others could have read is not used any more.

    raises DiskError
    """
    try:
        known = _read_token(file)
        if known:
            return known, False
        token = secrets.token_urlsafe(_BYTES)
        base.replace_file(file, f"{token}\n".encode())
    except OSError as error:
        raise disk_error(error, doing="keep the token in", what=file) from error
    return token, True


def _read_token(file: Path) -> str:
    """The token in the file; '' where there is none that may be used."""
    try:
        with open(file, encoding="ascii") as stream:
            if os.name == "posix" and os.fstat(stream.fileno()).st_mode & 0o077:
                return ""
            token = stream.read(1024).strip()
    except (FileNotFoundError, UnicodeDecodeError):
        return ""
    return token if len(token) >= _SHORTEST and token.isascii() and token.isprintable() else ""


# --- guard: who may ask ---

# A web page in a browser reaches every port of loopback. It cannot leave `Origin` out, and where it
# makes a name of its own lead here (DNS rebinding), `Host` has that name. Other users of the
# machine can send both as they like, but cannot read the token (reliability.md T24).
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
        is_anthropic = str(scope.get("path", "")).startswith("/v1/messages")
        told = anthropic_error(why, code, status) if is_anthropic else error_body(why, code)
        body = json.dumps(told).encode()
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
        bearers = given.get(b"authorization", [])
        kind, _, token = bearers[0].partition(" ") if len(bearers) == 1 else ("", "", "")
        # Clients of Anthropic's endpoint send a key in a header of its own.
        keys = given.get(b"x-api-key", [])
        tokens = [token] if kind.lower() == "bearer" else []
        tokens += keys if len(keys) == 1 else []
        if not any(self._is_right(token) for token in tokens):
            return (
                401,
                "wrong_token",
                "the token is missing or wrong; `vaultmem proxy` says its file",
            )
        return None

    def _is_right(self, token: str) -> bool:
        return compare_digest(token.strip().encode("latin-1", "replace"), self._token)


def name_in(host: str) -> str:
    """The name of a Host header without its port, in lower case; brackets of IPv6 stay."""
    # 'localhost.' is the same name: the full stop of the root is sent as it was typed.
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


_KINDS = {
    400: "invalid_request_error",
    401: "authentication_error",
    402: "billing_error",
    403: "permission_error",
    404: "not_found_error",
    413: "request_too_large",
    429: "rate_limit_error",
    504: "timeout_error",
    529: "overloaded_error",
}


def anthropic_error(message: str, code: str, status: int) -> dict[str, Any]:
    """The same for clients of Anthropic's; our own code stands beside its kinds."""
    kind = _KINDS.get(status, "api_error" if status >= 500 else "invalid_request_error")
    return {"type": "error", "error": {"type": kind, "message": message, "code": code}}


MISSING = "from a checkout: `pip install '.[proxy]'`"
_GRACE_SECONDS = 10
_ALL = ("0.0.0.0", "::")


class PortTakenError(VaultmemError):
    """Nothing can listen at the address."""

    exit_code = EXIT_BUSY


class NotLoopbackError(VaultmemError):
    """A server that others could reach, without what makes that safe."""

    exit_code = EXIT_REFUSED


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a server listens, and as what it is asked."""

    host: str
    port: int  # 0: any free one
    names: tuple[str, ...] = ()  # by which it is asked, beside its own
    certificate: Path | None = None  # of TLS; None: in the clear, on loopback alone
    key: Path | None = None  # of the certificate

    @property
    def scheme(self) -> str:
        """http or https."""
        return "http" if self.certificate is None else "https"


def require_safe(place: Place) -> None:
    """Return for a place that may be listened at; raises NotLoopbackError."""
    if is_loopback(place.host):
        return
    if place.certificate is None:
        raise NotLoopbackError(
            f"'{place.host}' is reached from other machines, and nothing would be encrypted",
            hint="leave --host out, or give --certificate and --key",
        )
    if place.host in _ALL and not place.names:
        raise NotLoopbackError(
            f"'{place.host}' is every address of this machine",
            hint="say by which names it is asked: --name notes.example.org",
        )


def listening(place: Place) -> socket.socket:
    """A socket that listens there; raises PortTakenError."""
    family = socket.AF_INET6 if ":" in place.host else socket.AF_INET
    try:
        return socket.create_server((place.host.strip("[]"), place.port), family=family)
    except OSError as error:
        raise PortTakenError(
            f"cannot listen at {place.host}:{place.port}: {error.strerror or error}",
            hint="is it running already? --port takes another one, 0 any that is free",
        ) from error


def address_of(place: Place, bound: socket.socket) -> str:
    """What clients are given as their base URL."""
    name = f"[{place.host.strip('[]')}]" if ":" in place.host else place.host
    name = place.names[0] if place.names else name
    return f"{place.scheme}://{name}:{bound.getsockname()[1]}/v1"


def with_guard(app: App, place: Place, *, token: str) -> App:
    """The application behind its guard."""
    own = f"[{place.host.strip('[]')}]" if ":" in place.host else place.host
    names: Sequence[str] = (*place.names, own, *(LOOPBACK if is_loopback(place.host) else ()))
    return Guard(app, names=names, scheme=place.scheme, token=token)


class Serving:
    """A server on its way; `stop` may be called by a signal's handler."""

    def __init__(self, app: App, place: Place) -> None:
        try:
            import uvicorn
        except ImportError as error:
            raise missing("uvicorn") from error
        self._server = uvicorn.Server(
            uvicorn.Config(
                app,
                log_config=None,  # it would log addresses and paths; errors of ours are told
                access_log=False,
                lifespan="off",
                ws="none",
                http="h11",
                proxy_headers=False,  # nobody stands before us whom we would believe
                server_header=False,
                timeout_graceful_shutdown=_GRACE_SECONDS,
                ssl_certfile=place.certificate,
                ssl_keyfile=place.key,
            )
        )

    def run(self, bound: socket.socket) -> None:
        """Answer until `stop`, or a signal; requests under way have ten seconds to end."""
        self._server.run(sockets=[bound])

    @property
    def is_ending(self) -> bool:
        """Whether it was told to stop: what waits for something is to wait no longer."""
        return bool(self._server.should_exit)

    def stop(self) -> None:
        """Take no more requests, finish what is under way."""
        self._server.should_exit = True


def missing(package: str, command: str = "proxy") -> SettingsError:
    """The error for a package of the extra that is not installed."""
    extra = MISSING if command == "proxy" else MISSING.replace("proxy", "server")
    return SettingsError(f"the {command} needs '{package}', which is missing", hint=extra)
