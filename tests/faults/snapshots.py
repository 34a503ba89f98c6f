"""A folder as it was, brought back by touching only what has changed since."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import NamedTuple


class _Kept(NamedTuple):
    mark: tuple[int, ...]  # by what a file that was touched is told
    data: bytes
    mode: int


class Snapshot:
    """All files of some folders, kept in memory.

    Files that nobody touched keep inode and times, so that what follows sees an old vault and
    not one that was copied a moment ago.
    """

    def __init__(self, *folders: Path) -> None:
        self._tops = folders
        self._files: dict[Path, _Kept] = {}
        self._folders: set[Path] = set()
        for file in self._walk():
            self._files[file] = _Kept(_mark(file), file.read_bytes(), file.stat().st_mode & 0o777)

    def restore(self) -> None:
        """Every file as it was, no other file or folder."""
        there = set()
        for top in self._tops:
            for folder, names, files in os.walk(top, topdown=False):
                for name in files:
                    file = Path(folder, name)
                    kept = self._files.get(file)
                    if kept is None:
                        file.unlink()
                    elif _mark(file) == kept.mark:
                        there.add(file)
                for name in names:
                    below = Path(folder, name)
                    if below in self._files or below.is_symlink():
                        shutil.rmtree(below) if not below.is_symlink() else below.unlink()
                    elif below not in self._folders:
                        shutil.rmtree(below)
        for kept_folder in sorted(self._folders):
            if kept_folder.is_symlink() or kept_folder.is_file():
                kept_folder.unlink()
            kept_folder.mkdir(parents=True, exist_ok=True)
        for file, kept in self._files.items():
            if file in there:
                continue
            file.unlink(missing_ok=True)
            file.write_bytes(kept.data)
            file.chmod(kept.mode)
            self._files[file] = kept._replace(mark=_mark(file))

    def is_untouched(self, top: Path) -> bool:
        """Whether every file and folder below `top` is as it was, by what `_mark` tells."""
        known = {file for file in self._files if file.is_relative_to(top)}
        folders = {each for each in self._folders if each.is_relative_to(top)}
        for folder, _, names in os.walk(top):
            at = Path(folder)
            if at not in folders:
                return False
            folders.remove(at)
            for name in names:
                file = at / name
                if file not in known or _mark(file) != self._files[file].mark:
                    return False
                known.remove(file)
        return not known and not folders

    def bytes_of(self, top: Path) -> dict[str, bytes]:
        """Path relative to `top` -> bytes, of the files that are below it."""
        return {
            file.relative_to(top).as_posix(): kept.data
            for file, kept in self._files.items()
            if file.is_relative_to(top)
        }

    def _walk(self) -> list[Path]:
        found = []
        for top in self._tops:
            for folder, _, files in os.walk(top):
                self._folders.add(Path(folder))
                found += [Path(folder, name) for name in files]
        return sorted(found)


def _mark(file: Path) -> tuple[int, ...]:
    found = os.lstat(file)
    return (found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_mode)


def notes(root: Path) -> dict[str, bytes]:
    """Path -> bytes of what a person keeps: all files outside `.git` and `.vaultmem`."""
    found = {}
    for folder, below, files in os.walk(root):
        if Path(folder) == root:
            below[:] = [name for name in below if name not in (".git", ".vaultmem")]
        for name in files:
            file = Path(folder, name)
            found[file.relative_to(root).as_posix()] = file.read_bytes()
    return found
