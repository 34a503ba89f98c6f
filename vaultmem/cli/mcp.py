"""What `mcp` does once its options are read; loads no click, and no vault before a tool is used."""

from __future__ import annotations

import os
import sys

from vaultmem import assistants
from vaultmem.base import TYPE_CHECKING

if TYPE_CHECKING:
    from vaultmem.api import Memory
    from vaultmem.config import Settings

FOLDER = "CLAUDE_PROJECT_DIR"  # in which Claude Code works, wherever it starts its servers
TYPED = (
    "waiting for an assistant on standard input; `vaultmem help assistants` says how to connect "
    "one, Ctrl-C ends it"
)


def serve_tools(*, vault: str | None, tools: str, client: str = "", project: str = "auto") -> int:
    """Serve until the client goes; the exit code."""
    if sys.stdin.isatty():  # a person typed it, and would see nothing at all
        sys.stderr.write(f"{TYPED}\n")
    folder = os.environ.get(FOLDER) or os.getcwd()
    assistants.serve(
        lambda: _open(vault), tools=tools, client=client, project=project, folder=folder
    )
    return 0


def serve_http(*, vault: str | None, tools: str, client: str, project: str, port: int) -> int:
    """Serve over HTTP on this machine until a signal; the exit code.

    Nobody works in the folder that it was started in, so `auto` is no project here.
    """
    from vaultmem import config, server  # saves 20 modules
    from vaultmem.cli.failures import until_stopped  # saves 2 modules
    from vaultmem.cli.output import say_now  # saves 5 modules
    from vaultmem.cli.server import TOKEN_FILE  # saves 60 modules

    settings = _settings(vault)
    file = config.make_state_folder(settings.state) / TOKEN_FILE
    token, _ = server.token_in(file)
    place = server.Place(host="127.0.0.1", port=port)
    app = assistants.HttpApp(lambda: _open(vault), tools=tools, client=client, project=project)
    try:
        serving = server.Serving(server.with_guard(app, place, token=token), place)
        with server.listening(place) as bound:
            address = server.address_of(place, bound).removesuffix("/v1")
            say_now(f"listening at {address}{assistants.PATH}")
            say_now(f"  token  in {file}")
            code = until_stopped(lambda: serving.run(bound), serving.stop)
    finally:
        app.close()
    return code


def _open(vault: str | None) -> Memory:
    from vaultmem.api import Memory  # saves 61 modules
    from vaultmem.cli.open_vault import clock  # saves 1 module

    return Memory(settings=_settings(vault), clock=clock())


def _settings(vault: str | None) -> Settings:
    from vaultmem import config  # saves 20 modules until a tool is used

    root = config.find_own_vault(vault, environ=os.environ)
    return config.load_settings(root, environ=os.environ)
