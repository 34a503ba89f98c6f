"""What `install --auto-memory` says beside the difference, and the copies that it makes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from vaultmem import assistants
from vaultmem.base import TYPE_CHECKING
from vaultmem.cli.note_lines import one_line
from vaultmem.cli.open_vault import open_memory
from vaultmem.model import pluralise

if TYPE_CHECKING:
    from vaultmem.agents import Brought
    from vaultmem.assistants import Place

_SHOWN = 20


def auto_memory_lines(
    place: Place, vault: Path, *, is_copied: bool, dry_run: bool
) -> Iterator[str]:
    """Where Claude Code's own memory lies from now on, and what becomes of the one it has.

    is_copied  its notes are copied into the vault, which this does
    """
    if not dry_run and assistants.auto_memory_told(place) != place.auto_memory:
        yield "  Claude Code goes on keeping its notes where your setting says"
        return
    yield f"  Claude Code keeps its own notes in {place.auto_memory}, from its next start on"
    yield "  `vaultmem sync --remote`, or `watch`, carries them to your other devices"
    if place.scope == assistants.USER:
        yield "  all its projects share them; in a project, `--scope project --auto-memory` gives"
        yield "  it a folder of its own"
    earlier = assistants.earlier_notes(place)
    if not earlier:
        return
    count = pluralise(len(earlier), "note")
    if not is_copied:
        yield f"  {count} that it has by now stay where they are: with --copy-memory they are"
        yield "  copied into the vault"
    elif dry_run:
        yield f"  {count} that it has by now would be copied; those stay where they are"
    else:
        with open_memory(str(vault)) as memory:
            yield from _brought_lines(memory.agents.bring(assistants.CLAUDE_CODE, earlier))


def _brought_lines(brought: Brought) -> Iterator[str]:
    commit = f" (commit {brought.commit[:8]})" if brought.commit else ""
    yield f"  copied {pluralise(len(brought.paths), 'note')}{commit}; those stay where they are"
    for path, why in brought.left[:_SHOWN]:
        yield f"  not copied: {one_line(str(path), 200)}: {one_line(why, 200)}"
    if len(brought.left) > _SHOWN:
        yield f"  and {len(brought.left) - _SHOWN} more"
