"""mcp."""

from __future__ import annotations

import click

from vaultmem.cli.mcp_serve import serve_tools
from vaultmem.cli.options import Shared, shared_options

TOOL_SETS = ("default", "read", "connector")


@click.command("mcp")
@click.option(
    "--tools",
    type=click.Choice(TOOL_SETS),
    default="default",
    show_default=True,
    help="Which tools it has; 'read' changes nothing, 'connector' has search and fetch alone.",
)
@shared_options
@click.pass_obj
def mcp_command(shared: Shared, tools: str) -> int:
    """Give an assistant this memory as tools (MCP), over standard input and output.

    You do not start it yourself: your assistant does, from its settings. What it says counts as an
    assistant's words; what you said yourself changes only if you agree.

    \b
    vaultmem mcp
    claude mcp add --scope user memory -- vaultmem mcp --vault ~/notes
    """
    return serve_tools(vault=shared.vault, tools=tools)
