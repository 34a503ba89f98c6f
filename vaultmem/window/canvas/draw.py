"""Write a canvas: the memory, or the neighbourhood of a memory, whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path, PurePosixPath

from vaultmem import transfer
from vaultmem.api import Memory
from vaultmem.base import BadInputError, CannotCreateError, dataclass
from vaultmem.window.canvas.neighbours import Drawer, around, is_untouched, overview, render

ENDING = ".canvas"
_MOST_BYTES = 16_000_000  # of a file that may be a canvas of ours
_OBSIDIAN = ".obsidian"


@dataclass(frozen=True, slots=True, kw_only=True)
class Canvas:
    """What was drawn."""

    path: Path
    bytes: int
    notes: int  # that have a card of their own
    left_out: int  # neighbours, names or notes for which there was no room; the canvas says so
    opens_notes: bool  # its cards are the notes themselves; False: words, as it lies elsewhere


def write_canvas(
    memory: Memory, file: str | Path, question: str = "", *, force: bool = False
) -> Canvas | None:
    """Draw a part of the memory as JSON Canvas 1.0; None, and no file, where nothing is known.

    file      a canvas there that vaultmem made, and nobody changed, is written over, anything
              else only with `force`. In the vault, its cards are the notes
    question  what is looked for, or the id, path or name of a note: it, and what it is linked
              with; '': people, projects and topics, with what holds of each
    raises    BadInputError, CannotCreateError, DiskError
    """
    place = Path(file)
    if place.suffix.lower() != ENDING:
        raise BadInputError(
            f"'{place}' is no name of a canvas", hint=f"name it '{place.stem or 'memory'}{ENDING}'"
        )
    if place.is_dir():
        raise CannotCreateError(f"'{place}' is a folder", hint=f"name a file in it, as x{ENDING}")
    force = force or _is_ours(place)
    transfer.require_place(memory.opened, place, force=force)
    folder = _folder_seen(memory.root, place)
    drawer = Drawer(memory, folder)
    found = around(memory, question, drawer) if question.strip() else overview(memory, drawer)
    if found is None:
        return None
    data = render(found.board)
    with transfer.atomic_file(place, force=force) as out:
        out.write(data)
    return Canvas(
        path=place,
        bytes=len(data),
        notes=found.notes,
        left_out=found.left_out,
        opens_notes=folder is not None,
    )


def _folder_seen(root: Path, place: Path) -> PurePosixPath | None:
    """The vault as seen from the folder that Obsidian opens; None where the canvas is not in it.

    That is the vault itself, or a folder above it that has settings of Obsidian.
    raises BadInputError  Obsidian does not show what lies there
    """
    folder = Path(os.path.realpath(place.parent))
    real = Path(os.path.realpath(root))
    for opened in (real, *real.parents):
        is_opened = opened == real or (opened / _OBSIDIAN).is_dir()
        if is_opened and folder.is_relative_to(opened):
            within = (folder / place.name).relative_to(opened)
            if any(part.startswith(".") for part in within.parts):
                raise BadInputError(
                    f"'{place}' lies in a hidden folder, which Obsidian does not show",
                    hint="name a file beside the folders of notes, or outside the vault",
                )
            return PurePosixPath(real.relative_to(opened).as_posix())
    return None


def _is_ours(file: Path) -> bool:
    """Whether a canvas lies there that vaultmem made and nobody changed; a link is none.

    raises CannotCreateError  somebody changed it
    """
    try:
        if file.is_symlink() or not file.is_file() or file.stat().st_size > _MOST_BYTES:
            return False
        state = is_untouched(file.read_bytes())
    except OSError:
        return False
    if state is False:
        raise CannotCreateError(
            f"'{file}' was changed since vaultmem drew it",
            hint="name another file; --force writes over it",
        )
    return state is True
