"""canvas."""

from __future__ import annotations

import click

from vaultmem.base import TYPE_CHECKING
from vaultmem.cli.open_vault import open_memory
from vaultmem.cli.options import Shared, shared_options
from vaultmem.cli.output import say, say_json
from vaultmem.model import NOTHING_FOUND, pluralise

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vaultmem.window import Canvas


@click.command("canvas")
@click.argument("file", metavar="OUT.canvas")
@click.argument("question", default="", metavar="[QUESTION]")
@click.option("--force", is_flag=True, help="Write over a file that vaultmem did not draw.")
@shared_options
@click.pass_obj
def canvas_command(shared: Shared, file: str, question: str, force: bool) -> int:
    """Draw a memory and what it is linked with, for Obsidian.

    QUESTION is what you look for, or the id or name of a note; without it, people, projects and
    topics are drawn, with what holds of each. In the vault the cards are the notes themselves,
    elsewhere their words. An earlier canvas is drawn anew if nobody changed it since; any other
    file is written over only with --force. The format is JSON Canvas 1.0.

    \b
    vaultmem canvas memory.canvas
    vaultmem canvas leni.canvas "what may Leni eat"
    vaultmem canvas job.canvas i-fbcjgzz03f
    """
    from vaultmem.window import write_canvas  # saves 40 modules

    with open_memory(shared.vault) as memory:
        canvas = write_canvas(memory, file, question, force=force)
    if shared.as_json:
        say_json(canvas)
    elif canvas is None:
        say([NOTHING_FOUND])
    else:
        say(_lines(canvas))
    return 0


def _lines(canvas: Canvas) -> Iterator[str]:
    cards = "" if canvas.opens_notes else ", as words: it lies outside the vault"
    yield f"drew '{canvas.path}': {pluralise(canvas.notes, 'note')}{cards}"
    if canvas.left_out:
        yield f"{canvas.left_out:,} more had no room"
