"""The server as a process: lines in, lines out, until the client closes its end."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable

from vaultmem.assistants.mcp import wire
from vaultmem.assistants.mcp.desk import Desk
from vaultmem.assistants.mcp.respond import Server
from vaultmem.base import IO, TYPE_CHECKING

if TYPE_CHECKING:
    from vaultmem.api import Memory


def serve(
    open_memory: Callable[[], Memory],
    *,
    tools: str = "default",
    client: str = "",
    project: str = "none",
    folder: str = "",
) -> None:
    """Answer on standard output what is asked on standard input; returns at its end.

    open_memory  opens the vault, when a tool is first called
    tools        a name of `tool_table.SETS`
    client       whose files `memory` shows; '': those of the client that says its name
    project, folder  as `Desk`
    """
    with _own_input() as given, _own_output() as out:

        def send(message: object) -> None:
            out.write(wire.encode(message))
            out.flush()

        desk = Desk(open_memory, client=client, project=project, folder=folder)
        server = Server(desk, send, tools=tools)
        try:
            for line in wire.lines(given):
                server.take(line)
        except BrokenPipeError:
            _drop(out)
        finally:
            server.close()


def _own_input() -> IO[bytes]:
    """Standard input for this server alone: a child process (git) that reads finds its end."""
    given = os.fdopen(os.dup(0), "rb")
    empty = os.open(os.devnull, os.O_RDONLY)
    os.dup2(empty, 0)
    os.close(empty)
    return given


def _own_output() -> IO[bytes]:
    """Standard output for messages alone: what anybody else prints goes to standard error."""
    sys.stdout.flush()
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return out


def _drop(out: IO[bytes]) -> None:
    """Nobody reads any more: what is still to be written goes nowhere, without an error."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, out.fileno())
    os.close(nowhere)
