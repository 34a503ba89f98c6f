"""hook, mcp: what assistants start; the work stands in `cli/hook.py` and `cli/mcp.py`."""

from __future__ import annotations

import click

from vaultmem.cli.hook import CLIENTS, run_hook
from vaultmem.cli.mcp import serve_http, serve_tools
from vaultmem.cli.options import Shared, shared_options


@click.command("hook")
@click.argument("client", type=click.Choice(CLIENTS), required=False)
@click.option("--keep", is_flag=True, help="Keep what waits; hooks start it, and wait for nothing.")
@shared_options
@click.pass_obj
def hook_command(shared: Shared, client: str | None, keep: bool) -> int:
    """Answer a hook of a coding assistant: what is known goes in, what is said is kept.

    The assistant calls it; `vaultmem install` says where. It reads the event as JSON from standard
    input. It never fails and never takes longer than two seconds: then the assistant goes on
    without memory, and `vaultmem install --check` says why.

    \b
    vaultmem hook claude < event.json
    VAULTMEM_HOOKS=off claude
    """
    if not client and not keep:
        raise click.UsageError(f"say which client: {', '.join(CLIENTS)}")
    return run_hook(client or "", vault=shared.vault, keep=keep)


# mcp.

PORT = 8378
TOOL_SETS = ("default", "read", "connector", "memory")


@click.command("mcp")
@click.option(
    "--tools",
    type=click.Choice(TOOL_SETS),
    default="default",
    show_default=True,
    help="Which tools it has; 'read' changes nothing, 'connector' has search and fetch alone, "
    "'memory' is Anthropic's memory tool over agents/CLIENT/memories.",
)
@click.option(
    "--client",
    metavar="NAME",
    default="",
    help="Whose files 'memory' shows; else the name that the assistant says it has.",
)
@click.option(
    "--project",
    default="auto",
    metavar="NAME|auto|none",
    show_default=True,
    help="In which project the assistant works; 'auto': that of its folder.",
)
@click.option("--http", "is_http", is_flag=True, help="Over HTTP, with the token of `proxy`.")
@click.option(
    "--port",
    type=click.IntRange(0, 65_535),
    metavar="PORT",
    default=PORT,
    show_default=True,
    help="Where it listens with --http, on this machine alone; 0 takes any that is free.",
)
@shared_options
@click.pass_obj
def mcp_command(
    shared: Shared, tools: str, client: str, project: str, is_http: bool, port: int
) -> int:
    """Give an assistant this memory as tools (MCP), over standard input and output.

    You do not start it yourself: your assistant does, from its settings. What it says counts as an
    assistant's words; what you said yourself changes only if you agree.

    \b
    vaultmem mcp
    claude mcp add --scope user memory -- vaultmem mcp --vault ~/notes
    vaultmem mcp --http
    """
    if is_http:
        return serve_http(
            vault=shared.vault, tools=tools, client=client, project=project, port=port
        )
    return serve_tools(vault=shared.vault, tools=tools, client=client, project=project)
