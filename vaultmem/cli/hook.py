"""hook."""

from __future__ import annotations

import click

from vaultmem.cli.hook_run import CLIENTS, run_hook
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
