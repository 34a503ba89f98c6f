"""A server of this device: its socket, its guard, its end."""

from __future__ import annotations

import socket
from collections.abc import Sequence
from pathlib import Path

from vaultmem.base.errors import EXIT_BUSY, EXIT_REFUSED, SettingsError, VaultmemError
from vaultmem.base.records import dataclass
from vaultmem.server.guard import LOOPBACK, App, Guard, is_loopback

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


def guarded(app: App, place: Place, *, token: str) -> App:
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

    def stop(self) -> None:
        """Take no more requests, finish what is under way."""
        self._server.should_exit = True


def missing(package: str) -> SettingsError:
    """The error for a package of the extra that is not installed."""
    return SettingsError(f"the proxy needs '{package}', which is missing", hint=MISSING)
