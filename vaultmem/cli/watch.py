"""watch."""

from __future__ import annotations

import signal
from types import FrameType

import click

from vaultmem import watch
from vaultmem.cli.open_vault import open_memory
from vaultmem.cli.options import Shared, shared_options
from vaultmem.cli.output import say

# A closed terminal sends SIGHUP, which Windows does not have.
_ENDINGS = (signal.SIGINT, signal.SIGTERM, *([signal.SIGHUP] if hasattr(signal, "SIGHUP") else []))


@click.command("watch")
@click.option("--poll", is_flag=True, help="Look every few seconds instead of awaiting events.")
@shared_options
@click.pass_obj
def watch_command(shared: Shared, poll: bool) -> int:
    """Take in every save as it happens, until Ctrl-C.

    Prints what it learned from each save, and commits your edits once they have rested for
    watch.commit_after (60) seconds.

    \b
    vaultmem watch
    """

    ended_by = 0

    def stop(number: int, frame: FrameType | None) -> None:
        nonlocal ended_by
        ended_by = number
        watcher.stop()

    with open_memory(shared.vault) as memory:
        watcher = watch.watcher_of(memory, tell=_tell, polls=poll)
        before = {number: signal.signal(number, stop) for number in _ENDINGS}
        try:
            watcher.run()
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)
    _tell("stopped")
    return 128 + ended_by if ended_by else 0


def _tell(line: str) -> None:
    """Print a line at once: whoever reads along must not wait for a full buffer."""
    import sys

    say([line])
    sys.stdout.flush()
