"""What `mcp` does once its options are read; loads no click, and no vault before a tool is used."""

from __future__ import annotations

from vaultmem import assistants
from vaultmem.base import TYPE_CHECKING

if TYPE_CHECKING:
    from vaultmem.api import Memory


def serve_tools(*, vault: str | None, tools: str) -> int:
    """Serve until the client goes; the exit code."""

    def open_memory() -> Memory:
        from vaultmem.api import Memory  # saves 61 modules
        from vaultmem.cli.recall import clock  # saves 1 module

        return Memory(vault, clock=clock())

    assistants.serve(open_memory, tools=tools)
    return 0
