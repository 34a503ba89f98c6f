"""The proof of an erasure: every object and every file of every store, searched byte by byte."""

from __future__ import annotations

from pathlib import Path

from vaultmem.base import TYPE_CHECKING
from vaultmem.forget.purge.carry_out import bytes_hold, is_held_in, vault_files
from vaultmem.storage.git import files_of_git, objects_with

if TYPE_CHECKING:
    from vaultmem.storage.git import Engine
    from vaultmem.storage.notes import Erasure
    from vaultmem.vault import Parts


def search(parts: Parts, engine: Engine, erasure: Erasure) -> tuple[int, tuple[str, ...]]:
    """How many objects and files were searched, and the places where it still is.

    Objects unpacked, reachable or not; files of `.git`, of the folder and of the device state as
    they are. Names count as well. The places never quote what was found.
    """
    places: list[str] = []
    searched = 0
    for number, place in objects_with(engine, erasure):
        searched += number
        places += [place] if place else []
    for name, file in files_of_git(engine.repository.git_dir):
        searched += 1
        if bytes_hold(erasure, file) or erasure.says(file.name):  # a branch may be named so
            places.append(name)
    for path, file in vault_files(parts.root):
        searched += 1
        if is_held_in(erasure, path, file):
            places.append(path.as_posix())
    for file in sorted(parts.state.rglob("*")):
        if file.is_file() and not file.is_symlink():
            searched += 1
            if bytes_hold(erasure, file) or erasure.says(file.stem):
                places.append(_place_name(parts.state, file))
    return searched, tuple(places)


def _place_name(state: Path, file: Path) -> str:
    return f"device state: {file.relative_to(state).as_posix()}"
