"""Which folder is an assistant's, and which file in it a path like `/memories/a.md` means."""

from __future__ import annotations

import os
import stat
import unicodedata
from pathlib import PurePosixPath
from zlib import crc32

from vaultmem.base import TYPE_CHECKING, UnsafePathError, VaultmemError, dataclass, late
from vaultmem.storage import files

if TYPE_CHECKING:
    from pathlib import Path

MEMORIES = "/memories"
"""What an assistant calls its folder."""
_MOST_CHARACTERS = 60  # of the name of an assistant
_MOST_BYTES = 1_000  # of a path inside; Windows and old tools have trouble long before
_OTHERS = late("[^a-z0-9]+")


class CommandError(VaultmemError):
    """What a command answers in place of being done: the message is the whole answer."""


def refusal(why: str) -> CommandError:
    """The answer of a command that Anthropic's own tool might do, and this vault does not."""
    return CommandError(f"refused: {why}")


def folder_name(client: str) -> str:
    """The name of an assistant as that of its folder: small letters, digits and hyphens.

    Of a name without any of these ('чат') a number is made, so that two keep apart.
    """
    folded = unicodedata.normalize("NFKD", client).casefold().encode("ascii", "ignore").decode()
    name = _OTHERS.sub("-", folded).strip("-")[:_MOST_CHARACTERS].strip("-")
    if not name:
        told = client.strip().encode("utf-8", "surrogatepass")
        return f"assistant-{crc32(told):08x}" if told else "assistant"
    return f"assistant-{name}" if files.unportable(name) else name


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """A place in the folder of an assistant."""

    told: str  # as the assistant wrote it
    path: PurePosixPath  # relative to the vault
    file: Path
    inside: tuple[str, ...]  # names below `/memories`; (): the folder itself

    @property
    def kind(self) -> str:
        """What lies there: file, folder, other; '' for nothing."""
        return kind_of(self.file)


def locate(root: Path, folder: PurePosixPath, told: str) -> Address:
    """The place that a path means, by its names alone: nothing is followed, nothing decoded.

    root    of the vault
    folder  of the assistant's memories, relative to the vault
    raises  CommandError  it leads out, or through a link; a name in it that no vault has
    """
    if not told.startswith(MEMORIES):
        raise CommandError(f"Path must start with {MEMORIES}, got: {told}")
    inside = _names_below(told)
    if inside is None:
        raise CommandError(f"Path {told} would escape {MEMORIES} directory")
    path = folder.joinpath(*inside)
    try:
        files.check_path(path)
    except UnsafePathError as error:
        raise refusal(f"{error.message}") from error
    if len(path.as_posix().encode()) > _MOST_BYTES:
        raise refusal(f"the path has more than {_MOST_BYTES:,} bytes")
    for name in inside:
        if len(name.encode()) > files.NAME_LIMIT:
            raise refusal(f"a name in the path has more than {files.NAME_LIMIT} bytes")
    _require_no_link(root, folder, path, told)
    return Address(told=told, path=path, file=root / path, inside=inside)


def _names_below(told: str) -> tuple[str, ...] | None:
    """The names of a path below `/memories`; None: it leads out of it."""
    room = PurePosixPath(MEMORIES).name
    names: list[str] = [room]
    for part in told[len(MEMORIES) :].split("/"):
        if part in ("", "."):
            continue
        if part != "..":
            names.append(part)
        elif names:
            names.pop()
        else:
            return None  # above the folder that holds it: what that is called is nobody's business
    return tuple(names[1:]) if names[:1] == [room] else None


def _require_no_link(root: Path, folder: PurePosixPath, path: PurePosixPath, told: str) -> None:
    place = root
    for part in path.parts:
        place = place / part
        if kind_of(place) == "link":
            inside = os.path.realpath(root / folder)
            leads_to = os.path.realpath(root / path)
            if leads_to != inside and not leads_to.startswith(inside + os.sep):
                raise CommandError(f"Path {told} would escape {MEMORIES} directory")
            raise refusal("a link is in the path; this vault follows none")


def require_good_names(address: Address) -> None:
    """Raise CommandError for a new place with a name that is not read, or not on every system."""
    for name in address.inside:
        rule = files.ignored_by(name)
        if rule:
            raise refusal(f"a name like '{name}' is never kept in the vault ({rule})")
        why = files.unportable(name)
        if why:
            raise refusal(f"the name '{name}' does not work on every system: {why}")


def require_no_twin(root: Path, folder: PurePosixPath, address: Address) -> None:
    """Raise CommandError for a new name that some systems take for one that is there."""
    place = root / folder
    for name in address.inside:
        for other in names_in(place):
            if other != name and files.key(other) == files.key(name):
                raise refusal(f"many systems take '{name}' for '{other}', which is there already")
        place = place / name


def require_room(root: Path, folder: PurePosixPath, address: Address) -> None:
    """Raise CommandError where a file stands in place of a folder above the address."""
    place = root / folder
    for name in address.inside[:-1]:
        place = place / name
        if kind_of(place) not in ("folder", ""):
            raise refusal(f"'{name}' in the path is a file, not a directory")


def names_in(place: Path) -> list[str]:
    """Names in a folder, sorted; none where there is none."""
    try:
        return sorted(os.listdir(place))
    except (FileNotFoundError, NotADirectoryError):
        return []


def kind_of(file: Path) -> str:
    """file, folder, link, other; '' where nothing lies."""
    try:
        mode = os.lstat(file).st_mode
    except (FileNotFoundError, NotADirectoryError):
        return ""
    if stat.S_ISREG(mode):
        return "file"
    if stat.S_ISDIR(mode):
        return "folder"
    return "link" if stat.S_ISLNK(mode) else "other"
