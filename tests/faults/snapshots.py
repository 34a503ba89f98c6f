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
        # As text: these are looked up ten thousand times in a test, which as `Path` took a fifth
        # of its time.
        self._tops = [os.fspath(folder) for folder in folders]
        self._files: dict[str, _Kept] = {}
        self._folders: set[str] = set()
        for file in self._walk():
            data = Path(file).read_bytes()
            self._files[file] = _Kept(_mark(file), data, os.stat(file).st_mode & 0o777)

    def restore(self) -> None:
        """Every file as it was, no other file or folder."""
        there = set()
        for top in self._tops:
            for folder, names, files in os.walk(top, topdown=False):
                for name in files:
                    file = f"{folder}{os.sep}{name}"
                    kept = self._files.get(file)
                    if kept is None:
                        os.unlink(file)
                    elif _mark(file) == kept.mark:
                        there.add(file)
                for name in names:
                    below = f"{folder}{os.sep}{name}"
                    if below in self._files or os.path.islink(below):
                        shutil.rmtree(below) if not os.path.islink(below) else os.unlink(below)
                    elif below not in self._folders:
                        shutil.rmtree(below)
        for kept_folder in sorted(self._folders):
            if os.path.islink(kept_folder) or os.path.isfile(kept_folder):
                os.unlink(kept_folder)
            os.makedirs(kept_folder, exist_ok=True)
        for file, kept in self._files.items():
            if file in there:
                continue
            Path(file).unlink(missing_ok=True)
            Path(file).write_bytes(kept.data)
            os.chmod(file, kept.mode)
            self._files[file] = kept._replace(mark=_mark(file))

    def is_untouched(self, top: Path) -> bool:
        """Whether every file and folder below `top` is as it was, by what `_mark` tells."""
        start, below = os.fspath(top), f"{top}{os.sep}"
        known = {file for file in self._files if file.startswith(below)}
        folders = {each for each in self._folders if each == start or each.startswith(below)}
        for folder, _, names in os.walk(start):
            if folder not in folders:
                return False
            folders.remove(folder)
            for name in names:
                file = f"{folder}{os.sep}{name}"
                if file not in known or _mark(file) != self._files[file].mark:
                    return False
                known.remove(file)
        return not known and not folders

    def _walk(self) -> list[str]:
        found = []
        for top in self._tops:
            for folder, _, files in os.walk(top):
                self._folders.add(folder)
                found += [f"{folder}{os.sep}{name}" for name in files]
        return sorted(found)


def _mark(file: str) -> tuple[int, ...]:
    found = os.lstat(file)
    return (found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_mode)


def notes(root: Path) -> dict[str, bytes]:
    """Path -> bytes of what a person keeps: all files outside `.git` and `.vaultmem`."""
    found = {}
    top = os.fspath(root)
    for folder, below, files in os.walk(top):
        if folder == top:
            below[:] = [name for name in below if name not in (".git", ".vaultmem")]
        inside = folder[len(top) + 1 :].replace(os.sep, "/")
        for name in files:
            with open(f"{folder}{os.sep}{name}", "rb") as opened:
                found[f"{inside}/{name}" if inside else name] = opened.read()
    return found
