"""proxy."""

from __future__ import annotations

import socket
from typing import TYPE_CHECKING

import click

from vaultmem.cli.finding import opened
from vaultmem.cli.options import Shared, shared_options
from vaultmem.cli.output import say, say_json, tell
from vaultmem.errors import DiskError, SettingsError

if TYPE_CHECKING:
    from vaultmem.config import Settings

PORT = 8377


@click.command("proxy")
@click.option("--host", default="127.0.0.1", metavar="ADDRESS", help="Of this machine alone.")
@click.option("--port", default=PORT, type=click.IntRange(0, 65535), help="0: one that is free.")
@click.option("--token", "only_token", is_flag=True, help="Print the token, and serve nothing.")
@shared_options
@click.pass_obj
def proxy_command(shared: Shared, host: str, port: int, only_token: bool) -> int:
    """Give any client of the OpenAI API this memory, until Ctrl-C.

    Point the client at http://127.0.0.1:8377/v1, with the token as its key. What it asks goes to
    the chat model of your settings, with what the vault knows; each exchange is remembered. Served
    on this machine only, not to web pages. Needs `pip install 'vaultmem-md[llm,proxy]'`.

    \b
    vaultmem proxy
    OPENAI_BASE_URL=http://127.0.0.1:8377/v1 OPENAI_API_KEY=$(vaultmem proxy --token) my-client
    """
    try:
        from vaultmem.proxy import require_loopback, token_of
    except ImportError as error:
        raise SettingsError(
            "the proxy needs starlette and uvicorn, which are not installed",
            hint="pip install 'vaultmem-md[llm,proxy]'",
        ) from error
    require_loopback(host)
    with opened(shared.vault) as memory:
        from vaultmem.operations.models import chat

        token, file = token_of(memory.parts.state)
        settings = memory.settings
        if not only_token:
            chat(memory.parts)  # raises what a person would only hear of with the first question
    if only_token:
        if shared.as_json:
            say_json({"token": token, "file": file})
        else:
            say([token])
        return 0
    with listening(host, port) as made:
        number = made.getsockname()[1]
        shown = f"[{host}]" if ":" in host else host
        address = f"http://{shown}:{number}/v1"
        if shared.as_json:
            say_json({"address": address, "token_file": file})
        else:
            say([f"listening on {address}", f"the key is in {file}"])
            tell("Ctrl-C ends it")
        _serve(settings, token, number, made)
    return 0


def listening(host: str, port: int) -> socket.socket:
    """A socket at an address of this machine; raises DiskError when it is taken."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    made = socket.socket(family, socket.SOCK_STREAM)
    try:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind((host, port))
        made.listen(128)  # who asks before the server is up waits for it
    except OSError as error:
        made.close()
        raise DiskError(
            f"cannot listen on {host} port {port}: {error.strerror}",
            hint="another program may use it; --port 0 takes one that is free",
        ) from error
    return made


def _serve(settings: Settings, token: str, port: int, made: socket.socket) -> None:
    """Until it is told to end."""
    import sys

    from uvicorn import Config, Server

    from vaultmem.proxy import app

    sys.stdout.flush()
    config = Config(
        app(settings, token, port),
        log_level="warning",
        access_log=False,
        lifespan="off",
        server_header=False,
        timeout_graceful_shutdown=10,
    )
    Server(config).run(sockets=[made])
