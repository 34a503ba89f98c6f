"""Where a note that comes may lie here: its own place, or one beside it when that is taken."""

from __future__ import annotations

import os
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from vaultmem.vault.plan import Workbench
    from vaultmem.vault.vault import Parts

_MOST_NAMES = 100


class Places:
    """The names of the vault's files and folders as every system sees them."""

    def __init__(self, parts: Parts) -> None:
        self._root = parts.root
        self._real: set[str] = set()  # folders that are no links
        self._folders: dict[str, str] = {}  # folded -> as it is spelled
        self._files: dict[str, str] = {}
        for state in parts.index.files(None).values():
            if state.oid:
                self._hold(PurePosixPath(state.path))

    def free(self, path: PurePosixPath, id_: str, bench: Workbench) -> PurePosixPath | str:
        """The path, or one beside it where another note lies there; else why there is none."""
        for folder in [*path.parents][:-1]:
            if _folded(folder) in self._files:
                return f"'{folder}' is a file here"
            spelled = self._folders.get(_folded(folder), folder.as_posix())
            if spelled != folder.as_posix():
                return f"many systems take '{folder}' for '{spelled}', which is here"
            if self._leads_away(folder):
                return f"'{folder}' is a link or a file here"
        if self._is_free(path, bench):
            self._hold(path)
            return path
        stem = path.stem if not id_ or id_ in path.stem else f"{path.stem}-{id_}"
        for number in range(1, _MOST_NAMES):
            other = path.with_name(f"{stem}{f'-{number}' if number > 1 else ''}.md")
            if id_ and self._is_free(other, bench):
                self._hold(other)
                return other
        return "another note lies at its place"

    def _leads_away(self, folder: PurePosixPath) -> bool:
        """Whether there is something else than a folder at a place."""
        name = folder.as_posix()
        if name in self._real:
            return False
        place = self._root / folder
        if os.path.lexists(place) and (place.is_symlink() or not place.is_dir()):
            return True
        self._real.add(name)
        return False

    def _is_free(self, path: PurePosixPath, bench: Workbench) -> bool:
        folded = _folded(path)
        taken = folded in self._files or folded in self._folders
        return not taken and bench.text(path) is None

    def _hold(self, path: PurePosixPath) -> None:
        self._files[_folded(path)] = path.as_posix()
        for folder in [*path.parents][:-1]:
            self._folders[_folded(folder)] = folder.as_posix()


def _folded(path: PurePosixPath) -> str:
    from vaultmem.storage.files.layout import key

    return "/".join(key(part) for part in path.parts)
