"""Claude Code's own memory in the vault: where it goes, and the notes that it has already.

The setting names one folder, and Claude Code (2.1.330) makes none below it for a project: in the
settings of a person all projects share it. `.claude/settings.local.json`, which nobody checks in,
gives one project a folder of its own, and wins over those.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path, PurePosixPath

from vaultmem import agents
from vaultmem.assistants.install.clients import CLAUDE_CODE, USER, Place, claude_home
from vaultmem.base import late
from vaultmem.storage import files

_SHARED = PurePosixPath("auto-memory")
_OF_PROJECTS = PurePosixPath("projects")
_INDEX = "MEMORY.md"
_LINK = late(r"\]\((?!\w+:)([^)/]+\.md)\)")
_ORIGIN = late(r'\[remote "origin"\][^\[]*?^\s*url\s*=\s*(\S+)', re.MULTILINE)
_MANGLED = late("[^A-Za-z0-9]")
_MOST_BYTES = 1_000_000  # of a note that is brought, and of a file of settings


def folder_of(root: Path, place: Place) -> Path:
    """Where Claude Code is to keep its memory, in the vault at `root`."""
    return root / files.AGENTS / CLAUDE_CODE / _below(place)


def _below(place: Place) -> PurePosixPath:
    # As measured with Claude Code 2.1.330: the setting names one folder, and the client makes none
    # for a project below it. So all projects of a user share one.
    return _SHARED if place.scope == USER else _OF_PROJECTS / project_name(place.project)


def project_name(project: Path) -> str:
    """A name of a project that is the same on other devices: owner and name of its origin.

    Of one without an origin the name of its folder.
    """
    settings = (_read(project / ".git" / "config") or b"").decode("utf-8", "replace")
    found = _ORIGIN.search(settings)
    names = re.split(r"[/:\\]", found[1].removesuffix("/").removesuffix(".git")) if found else []
    told = "-".join(name for name in names[-2:] if name.strip("."))
    return agents.folder_name(told or project.resolve().name)


def earlier_notes(place: Place) -> Mapping[PurePosixPath, bytes]:
    """What Claude Code keeps for itself by now, by the path that it would have in its folder.

    Of a project its own notes alone. Where all share a folder, each project has one in it, and
    one MEMORY.md leads to the notes of all.
    """
    home = claude_home(place) / "projects"
    if place.scope != USER:
        mangled = _MANGLED.sub("-", str(place.project.resolve()))
        found = _notes_in(home / mangled / "memory")
        return {_below(place) / name: data for name, data in found.items()}
    notes: dict[PurePosixPath, bytes] = {}
    index: list[str] = []
    for folder in _folders_in(home):
        name = _portable_name(folder.name, place.home)
        own = _notes_in(folder / "memory")
        notes |= {_SHARED / name / each: data for each, data in own.items() if each != _INDEX}
        if own:
            index += [f"## {name}", "", *_index_lines(own.get(_INDEX, b""), name), ""]
    if index:
        notes[_SHARED / _INDEX] = "\n".join(index).encode()
    return notes


def _portable_name(mangled: str, home: Path) -> str:
    """`-home-ada-code-foo` of Ada is `code-foo`, on each of her devices."""
    of_home = _MANGLED.sub("-", str(home))
    inside = mangled.removeprefix(of_home) if mangled.startswith(f"{of_home}-") else mangled
    return agents.folder_name(inside)


def _index_lines(data: bytes, name: str) -> list[str]:
    text = data.decode("utf-8", "replace")
    lines = [line for line in text.splitlines() if line.strip()]
    return [_LINK.sub(rf"]({name}/\1)", line) for line in lines]


def _folders_in(home: Path) -> list[Path]:
    try:
        return sorted(each for each in home.iterdir() if not each.is_symlink() and each.is_dir())
    except OSError:
        return []


def _notes_in(folder: Path) -> dict[str, bytes]:
    """Markdown files right in a folder: regular ones, through no link."""
    found: dict[str, bytes] = {}
    with suppress(OSError):
        for name in () if folder.is_symlink() else sorted(os.listdir(folder)):
            data = _read(folder / name) if files.is_markdown(name) else None
            if data is not None:
                found[name] = data
    return found


def _read(file: Path) -> bytes | None:
    """The bytes of a regular file of usual size; None for anything else."""
    with suppress(OSError):
        found = os.lstat(file)
        if stat.S_ISREG(found.st_mode) and found.st_size <= _MOST_BYTES:
            return file.read_bytes()
    return None
