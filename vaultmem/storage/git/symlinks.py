"""Folders below `.git` that lead elsewhere: what is written there would leave the vault."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

from vaultmem.base import HistoryDamagedError

# Where vaultmem, or git for it, makes or removes files; whether the folders below are looked into.
_WRITTEN = (("objects", False), ("refs", True), ("logs", True), ("vaultmem", False))


def require_no_links(git_dir: Path) -> None:
    """Raise HistoryDamagedError, by name, where a folder that is written to is a link.

    To be called before each write: 0.1 ms for the 256 folders of objects. Files of packs may be
    links, as sharing tools make them: they are read, and a link that is removed leaves what it
    leads to.
    """
    for name, is_deep in _WRITTEN:
        for link in _links(git_dir / name, is_deep=is_deep):
            place = link.relative_to(git_dir.parent).as_posix()
            raise HistoryDamagedError(
                f"'{place}' is a link: what is written there would leave the vault",
                hint="your notes are safe and are answered; move what it leads to in place of the "
                "link, then run the command again",
            )


def _links(folder: Path, *, is_deep: bool) -> Iterator[Path]:
    """Links among a folder and what is in it, sorted; of files that cannot be asked, none."""
    try:
        if is_link(os.lstat(folder)):
            yield folder
            return
        with os.scandir(folder) as entries:
            found = sorted(entries, key=lambda entry: entry.name)
    except (FileNotFoundError, NotADirectoryError, PermissionError):
        return
    for entry in found:
        place = folder / entry.name
        if entry.is_symlink():
            yield place
        elif entry.is_dir(follow_symlinks=False):
            if os.name == "nt" and is_link(entry.stat(follow_symlinks=False)):
                yield place
            elif is_deep:
                yield from _links(place, is_deep=True)


def is_link(found: os.stat_result) -> bool:
    """Whether this is a link: a symbolic one, or what Windows calls a junction."""
    return stat.S_ISLNK(found.st_mode) or bool(getattr(found, "st_reparse_tag", 0))
