"""Where things lie in a vault, and which names in it are notes.

Names are judged by the rules printed in docs; nothing here reads a file.
"""

from __future__ import annotations

import os
import re
from pathlib import PurePosixPath

from vaultmem.base import UnsafePathError

SETTINGS = "vaultmem.toml"
STREAMS = "streams"
CATEGORIES = "categories"
ITEMS = "items"
RESOURCES = "resources"
ARCHIVE = "archive"
AGENTS = "agents"
"""What assistants write as files, a folder each: searched, and never the person's words."""
TOPS = (AGENTS, ARCHIVE, CATEGORIES, ITEMS, RESOURCES, STREAMS)
"""The only folders that are read unless `include` names others."""
OWN = ".vaultmem"
TMP = PurePosixPath(OWN, "tmp")
STATE = PurePosixPath(OWN, "state")
SCORER = STATE / "scorer.json"
"""What people said of answers; devices share it, see `recall/ranking/learned_weights.py`."""
ACCESS = STATE / "access.json"
"""On how many days each device used each note; devices share it, see `recall/use_counts.py`."""
CARRIED = PurePosixPath(OWN, "carried")
"""What imported items said before, as versions until 0.1 kept it: nothing reads it, purge does."""

NOTE_LIMIT = 10_000_000
"""Bytes of the largest file that is read as a note; promise P17 is stated for 10 MB."""
NAME_LIMIT = 255
"""Bytes of a file name on every file system in use."""

_EDITOR_ENDINGS = (".swp", ".swx", ".swo", "~")
_WINDOWS_RESERVED = frozenset(
    ["con", "prn", "aux", "nul", *(f"{port}{n}" for port in ("com", "lpt") for n in range(1, 10))]
)
_WINDOWS_FORBIDDEN = frozenset('<>:"|?*\\')
# HFS+ ignores these inside a name, so `.g<U+200C>it` opens `.git` there (CVE-2014-9390).
_HFS_IGNORED = dict.fromkeys(
    [0xFEFF, *range(0x200C, 0x2010), *range(0x202A, 0x202F), *range(0x206A, 0x2070)]
)
# Patterns are compiled when a name is judged: a question judges none.
_PLAIN = r"(?!(?:con|prn|aux|nul|com\d|lpt\d)\.)[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.md"
_CONFLICT_COPIES = (
    r"\.sync-conflict-\d{8}-\d{6}(?:-\w+)?",  # Syncthing
    r" ?\((?:[^()]*[^()\w])?conflicted copy(?:[^()\w][^()]*)?\)",  # Dropbox, Nextcloud, Obsidian
    r" ?\(conflict(?:[ -][\da-f][\da-f-]*)?\)",  # ours and older clients
    r"_[^_/]+_\w{3}-\d{2}-\d{6}-\d{4}_conflict",  # Synology Drive
)

_CARRIED_NAME = r"[0-9a-f]{40}(?:[0-9a-f]{24})?\.(?:md|json)"


def is_carried(path: PurePosixPath) -> bool:
    """Whether a path is of an earlier text that an import once brought, or of a list of such."""
    return path.parent == CARRIED and re.fullmatch(_CARRIED_NAME, path.name) is not None


def check_path(path: PurePosixPath) -> None:
    """Refuse a path that could lead outside the vault or into its `.git`.

    raises UnsafePathError
    """
    text = str(path)
    if path.is_absolute() or not path.parts or "\0" in text:
        raise UnsafePathError(f"'{text}' is not a path inside a vault")
    for part in path.parts:
        if part == ".." or _opens_git(part):
            raise UnsafePathError(f"'{text}' leads outside the notes of the vault")
        if os.name == "nt" and not _WINDOWS_FORBIDDEN.isdisjoint(part):
            raise UnsafePathError(f"'{text}' has a character that Windows does not allow")
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise UnsafePathError(f"{text!a} is not valid UTF-8") from error


def _opens_git(part: str) -> bool:
    """Whether some file system takes this name for `.git` (Windows, macOS, 8.3 names)."""
    # NTFS opens `.git` for `.git::$INDEX_ALLOCATION` (CVE-2019-1352), drops dots and spaces at the
    # end of a name, and gives it the short name `git~1`.
    name = part.translate(_HFS_IGNORED).casefold().partition(":")[0].rstrip(". ")
    return name in (".git", "git~1")


def ignored_by(name: str) -> str:
    """The rule that makes a file or folder of this name invisible; '' when none does."""
    if name.startswith("."):
        return "hidden"
    if name.startswith("~$"):
        return "office-lock"
    # Vim makes and removes a file `4913` to see whether it may write into a folder.
    if name == "4913" or name.endswith(_EDITOR_ENDINGS):
        return "editor-file"
    if name.endswith(".tmp"):
        return "temporary-file"
    if name == "Icon\r":
        return "folder-icon"
    return ""


def is_markdown(name: str) -> bool:
    """Whether a file of this name may be a note."""
    return name[-3:].lower() == ".md"


def is_of_agents(folder: str) -> bool:
    """Whether a folder (POSIX, relative to the vault) is that of assistants or lies below it."""
    return folder[:6] == AGENTS and folder[6:7] in ("", "/")


def is_note_name(folder: str, name: str) -> bool:
    """Whether a file of this name in a folder of notes is read for words."""
    return is_markdown(name) or (name[-4:].lower() == ".txt" and is_of_agents(folder))


def is_companion(folder: str, name: str) -> bool:
    """Whether a file belongs to the vault and holds no note: committed, never read for words.

    Its settings (and a version of them that was kept beside), tables and canvases of Obsidian,
    and what an assistant writes that is no text.
    folder  POSIX, relative to the vault; '' is its root
    """
    if is_of_agents(folder):
        return not is_note_name(folder, name)
    # Merged by lines two versions of a table or a canvas may each fit, and the whole say what
    # nobody wanted.
    if name[-5:].lower() == ".base" or name[-7:].lower() == ".canvas":
        return True
    return not folder and SETTINGS in (name, conflict_of(name))


def is_plain(name: str) -> bool:
    """Whether no rule here has anything to say against this name of a note (the common case)."""
    return re.fullmatch(_PLAIN, name) is not None


def key(name: str) -> str:
    """What two names share when some file system takes them for one file."""
    folded = name.casefold()
    if not folded.isascii():
        import unicodedata

        # Case folding may leave the normal form again, hence NFC on both sides of it (caseless
        # matching, definition D145 of the Unicode standard).
        folded = unicodedata.normalize("NFC", unicodedata.normalize("NFC", folded).casefold())
    return folded.rstrip(". ") or folded


def unportable(name: str) -> str:
    """Why this name does not work on every system people sync to; '' when it does."""
    if not name.isprintable():
        return "it has control or invisible characters"
    if not _WINDOWS_FORBIDDEN.isdisjoint(name):
        return "Windows does not allow one of its characters"
    if name[-1:] in (".", " "):
        return "Windows drops the dot or space at its end"
    if name.partition(".")[0].rstrip(" ").lower() in _WINDOWS_RESERVED:
        return "Windows reserves it for a device"
    return ""


def conflict_of(name: str) -> str | None:
    """Name of the note that this one is a conflict copy of; None when it is not one.

    The copies of Syncthing, Dropbox, Nextcloud, Obsidian Sync and Synology Drive, and those
    that `kept_name` makes.
    """
    # This look spares nearly every name the four patterns, which are compiled at their first use.
    if "onflict" not in name:
        return None
    stem, dot, ending = name.rpartition(".")
    if not dot:
        stem, ending = name, ""
    for pattern in _CONFLICT_COPIES:
        base = re.sub(pattern + "$", "", stem, count=1, flags=re.IGNORECASE)
        if base and base != stem:
            return base + dot + ending
    return None


def conflict_copy_of(path: PurePosixPath) -> PurePosixPath | None:
    """The note that this file is a conflict copy of, by its name; None when it is not one."""
    name = conflict_of(path.name)
    return None if name is None else path.with_name(name)


def kept_name(name: str, oid: str) -> str:
    """Name beside a note for an edit of it that could not be put in its place."""
    stem, dot, ending = name.rpartition(".")
    if not dot:
        stem, ending = name, ""
    mark = f" (conflict {oid[:10]}){dot}{ending}"
    return _shorten(stem, NAME_LIMIT - len(mark.encode())) + mark


def _shorten(text: str, limit_bytes: int) -> str:
    return text.encode()[:limit_bytes].decode("utf-8", "ignore")


def is_utf8(name: str) -> bool:
    """Whether the bytes of a name or path are UTF-8: others come as lone surrogates."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def item_path(slug: str, item_id: str, *, year: int, month: int, day: int) -> PurePosixPath:
    """Where a new item goes: the folder of its day, so that a commit stays cheap."""
    return PurePosixPath(ITEMS, f"{year:04}", f"{month:02}", f"{day:02}", _note(slug, item_id))


def resource_path(slug: str, resource_id: str, *, year: int, month: int) -> PurePosixPath:
    """Where a new resource goes: the folder of its month."""
    return PurePosixPath(RESOURCES, f"{year:04}", f"{month:02}", _note(slug, resource_id))


def _note(slug: str, note_id: str) -> str:
    ending = f"-{note_id}.md" if slug else f"{note_id}.md"
    return _shorten(slug.replace("/", "-"), NAME_LIMIT - len(ending)) + ending
