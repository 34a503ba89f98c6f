"""What may come into the working tree from a remote, judged before a byte of it is written.

Three answers for a path that the other side changed: it comes in, it is *withheld* (it is part
of the history, but not put into the folder: settings of programs, which may run something), or
it is *refused*, and with it everything that came. Links, submodules and names that some system
takes for `.git` have no place among notes; whoever sends them has to take them out.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import PurePosixPath

from vaultmem.base import NamedTuple, UnsafePathError
from vaultmem.storage.files import layout
from vaultmem.storage.git import Entry

LARGEST_FILE = 100_000_000
"""Bytes of one file; hosts of git refuse larger ones, too."""
_LARGEST = {layout.SCORER: 2_000_000, layout.ACCESS: 4_000_000}
_LINK, _SUBMODULE, _PROGRAM = "120000", "160000", "100755"
# Hidden names that are no settings of a program.
_PLAIN_HIDDEN = (".gitignore", ".gitkeep")
# What of our own folder is shared between devices; everything else in it is one device's.
_SHARED = (PurePosixPath(layout.OWN, ".gitignore"), layout.SCORER, layout.ACCESS)
_SHOWN = 8
# As reliability.md 5.2 has it: a device that was emptied by accident must not empty the others
# without a question.
_MASS_SHARE, _MASS_NOTES, _MASS_FILES = 0.2, 5, 50


class Refusal(NamedTuple):
    """A path that must not come in, and why."""

    path: str
    why: str


class Judged(NamedTuple):
    """What may happen to the paths that the other side changed."""

    refused: tuple[Refusal, ...]
    withheld: frozenset[str]
    noticed: tuple[Refusal, ...]  # comes in, but deserves a look


def judge(
    changed: Mapping[str, Entry | None], there: Mapping[str, Entry], sizes: Mapping[str, int]
) -> Judged:
    """Judge what the other side changed.

    changed  its changes against what both had
    there    the whole tree as it would be
    sizes    bytes of the objects in `changed`
    """
    refused: list[Refusal] = []
    withheld: set[str] = set()
    noticed: list[Refusal] = []
    for path, entry in sorted(changed.items()):
        why = _never(path, entry, sizes)
        if why:
            refused.append(Refusal(path, why))
        elif is_withheld(path):
            withheld.add(path)
        elif entry is not None:
            reason = next(filter(None, map(layout.unportable, path.split("/"))), "")
            if reason:
                noticed.append(Refusal(path, reason))
            if entry.mode == _PROGRAM:
                noticed.append(Refusal(path, "it is marked as a program; the mark is left out"))
    arriving = [p for p, entry in changed.items() if entry is not None and p not in withheld]
    refused += _twins(arriving, there)
    return Judged(tuple(refused), frozenset(withheld), tuple(noticed))


def _is_shared(path: str) -> bool:
    place = PurePosixPath(path)
    return place in _SHARED or layout.is_carried(place)


def is_withheld(path: str) -> bool:
    """Whether a path holds settings of a program rather than notes (`.obsidian/`, `.vscode/`)."""
    if _is_shared(path):
        return False
    parts = path.split("/")
    return any(part.startswith(".") and part not in _PLAIN_HIDDEN for part in parts)


def _never(path: str, entry: Entry | None, sizes: Mapping[str, int]) -> str:
    """Why a path must not come in at all; '' when it may."""
    try:
        layout.check_path(PurePosixPath(path))
    except UnsafePathError as unsafe:
        return unsafe.message
    # Names are printed by many programs, and a control character in one acts on a terminal
    # (reliability.md T22).
    if any(ord(char) < 32 or char == "\x7f" for char in path):
        return "its name has control characters"
    if any(len(part.encode()) > layout.NAME_LIMIT for part in path.split("/")):
        return f"its name is longer than {layout.NAME_LIMIT} bytes"
    if entry is None:
        return ""
    if entry.mode == _LINK:
        return "it is a symbolic link"
    if entry.mode == _SUBMODULE:
        return "it is a submodule: a repository inside the repository"
    if path == layout.OWN or (path.startswith(f"{layout.OWN}/") and not _is_shared(path)):
        return f"'{layout.OWN}' belongs to this device"
    if path in layout.TOPS:
        return "a file stands where the folder of notes should be"
    size = sizes.get(entry.oid)
    if size is None:
        return "its content is missing"
    largest = _LARGEST.get(PurePosixPath(path), LARGEST_FILE)
    if size > largest:
        return f"it has {size:,} bytes, more than {largest:,}"
    return ""


def exclusions(
    arriving: Collection[str], *, before: Collection[str], after: Collection[str]
) -> list[Refusal]:
    """Why some of what arrives cannot be in one folder with the rest, not on every system.

    before, after  all paths of the folder now, and as they would be. A folder that becomes a
                   file has to be emptied by the person first: it may hold more than the history
    """
    files = {*before, *after}
    found = [
        Refusal(path, f"'{place}' cannot be a file and a folder")
        # 'Tea.md' and 'tea.md', or a file here and a folder there, are named before anything is
        # written; they were told as 'is a link'.
        for path in sorted(files)
        for place in _places(path)[:-1]
        if place in files and (path in arriving or place in arriving)
    ]
    return found + _twins(arriving, after)


def _twins(arriving: Iterable[str], there: Iterable[str]) -> list[Refusal]:
    """Names that many systems take for one: one file would replace the other there."""
    names: dict[str, str] = {}
    clashes: dict[str, str] = {}
    for path in sorted(there):
        for place in _places(path):
            first = names.setdefault(_key(place), place)
            if first != place:
                clashes[place], clashes[first] = first, place
    return [
        Refusal(path, f"many systems take '{place}' for '{clashes[place]}'")
        for path in sorted(arriving)
        for place in _places(path)
        if place in clashes
    ]


def _places(path: str) -> list[str]:
    """The path and every folder above it."""
    parts = path.split("/")
    return ["/".join(parts[:depth]) for depth in range(1, len(parts) + 1)]


def _key(place: str) -> str:
    return "/".join(layout.key(part) for part in place.split("/"))


def mass_deletion(gone: Sequence[str], there: Iterable[str]) -> str:
    """What to ask before so much goes; '' when it is not that much.

    gone   paths that would go
    there  all paths before; not asked for where few go
    """
    lost = sum(map(_is_note, gone))
    if len(gone) > _MASS_FILES:
        return f"{len(gone)} files would go"
    if lost <= _MASS_NOTES:
        return ""
    notes = sum(_is_note(path) for path in there)
    return f"{lost} of {notes} notes would go" if lost > _MASS_SHARE * notes else ""


def _is_note(path: str) -> bool:
    return path.split("/", 1)[0] in layout.TOPS and layout.is_markdown(path)


def describe_refused(refused: Sequence[Refusal]) -> str:
    """The first few, for a message."""
    lines = [f"'{each.path}': {each.why}" for each in refused[:_SHOWN]]
    if len(refused) > _SHOWN:
        lines.append(f"and {len(refused) - _SHOWN} more")
    return "; ".join(lines)
