"""context: asked for and printed; without options nobody waits for click (`cli/quick.py`)."""

from __future__ import annotations

from collections.abc import Sequence

from vaultmem.base import TYPE_CHECKING
from vaultmem.cli.open_vault import open_memory
from vaultmem.cli.output import say_json, say_page, tell
from vaultmem.cli.recall import progress_of, project_of, tell_lag

if TYPE_CHECKING:
    from pathlib import Path

    from vaultmem.model import Format


def print_context(
    words: Sequence[str],
    *,
    vault: str | None = None,
    budget: int | None = None,
    window: int | None = None,
    form: Format = "markdown",
    counter: str | None = None,
    session: str | None = None,
    explain: bool = False,
    plot: Path | None = None,
    as_of: str | None = None,
    known_at: str | None = None,
    no_sync: bool = False,
    project: str | None = None,
    as_json: bool = False,
) -> int:
    """Print what an assistant is given; everything as the options of `vaultmem context`."""
    with open_memory(vault, sync=not no_sync) as memory:
        with progress_of(as_of, known_at) as progress:
            pack = memory.context(
                " ".join(words),
                budget=budget,
                window=window,
                format=form,
                counter=counter,
                session=session,
                project=project_of(memory, project),
                as_of=as_of,
                known_at=known_at,
                progress=progress,
            )
        zone = memory.settings.timezone
    if not pack.is_level:
        tell_lag(pack.synced_at, zone)
    if plot is not None:
        from vaultmem.cli.context_plot import plot as draw  # saves 74 modules

        draw(pack, plot)
    if as_json:
        say_json(pack, zone)
        return 0
    say_page(pack.text)
    if explain:
        import shutil
        import sys

        from vaultmem.cli.context_plot import context_lines, shades_for  # saves 74 modules

        width = shutil.get_terminal_size().columns
        for line in context_lines(pack, width=width, shades=shades_for(sys.stderr.encoding)):
            tell(line)
    return 0
