"""What else a vault's folder holds: folders of nearly our names, notes that are not read."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath

from vaultmem.base import PatchRefusedError
from vaultmem.storage.files import ignored_by, is_markdown, key


def taken_for(root: Path, name: str) -> str | None:
    """A folder or file at the top that many systems take for `name`; None when there is none.

    Where `name` itself is there as well, the two are apart already.
    """
    try:
        names = os.listdir(root)
    except OSError:
        return None
    if name in names:
        return None
    return min((each for each in names if key(each) == key(name)), default=None)


def require_apart(root: Path, path: PurePosixPath) -> None:
    """Raise PatchRefusedError where the top folder of a new page would be taken for another."""
    twin = taken_for(root, path.parts[0])
    if twin is not None:
        raise PatchRefusedError(
            f"the page cannot be made: many systems take '{path.parts[0]}' for '{twin}'",
            hint=f"rename '{twin}'",
        )


def other_notes(root: Path, include: Sequence[str]) -> int:
    """Markdown files that lie outside the folders of notes and that `include` does not name."""
    from vaultmem.storage.git.read_history import note_paths  # saves 14 modules

    is_note = note_paths(include)
    return sum(not is_note(path) for path in _markdown(root))


def _markdown(root: Path) -> Iterator[str]:
    for folder, folders, files in os.walk(root):
        folders[:] = [name for name in folders if not ignored_by(name)]
        relative = os.path.relpath(folder, root).replace(os.sep, "/")
        prefix = "" if relative == "." else f"{relative}/"
        for name in files:
            if is_markdown(name) and not ignored_by(name):
                yield prefix + name
