"""Packs that were made aside get their names among the vault's."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable
from pathlib import Path

# In the order of their renaming: git looks for the index first and must find the pack beside it.
_ENDINGS = (".rev", ".pack", ".idx")


def end_dead(git_dir: Path, aside: Path) -> None:
    """Remove the folder of an import whose process died; its git may be ending just now.

    A pack that has begun to take its names takes the others too: without its index it would be
    damage to whoever looks, though nothing names the objects in it.
    """
    import shutil

    packs = git_dir / "objects" / "pack"
    with contextlib.suppress(FileNotFoundError):
        made = os.listdir(aside / "pack")
        begun = {os.path.splitext(name)[0] for name in os.listdir(packs)}
        move_packs(
            [name for name in made if os.path.splitext(name)[0] in begun], aside / "pack", packs
        )
    shutil.rmtree(aside, ignore_errors=True)


def move_packs(names: Iterable[str], folder: Path, packs: Path) -> None:
    """Give packs of one folder their names in another; what is found there is whole."""
    names = sorted(names)
    for ending in _ENDINGS:
        for name in names:
            if name.endswith(ending):
                _rename(folder / name, packs / name)


def _rename(made: Path, name: Path) -> None:
    try:
        os.replace(made, name)
    except PermissionError:  # Windows: the same pack is there, and a git is reading it
        if not name.exists():
            raise
