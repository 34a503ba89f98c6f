"""What hooks were told and nobody has kept yet: small files in the device state, in their order.

A file is there, whole and durable, before the hook returns, and goes when its turn is in the vault.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path

from vaultmem import base
from vaultmem.base import TYPE_CHECKING, Any, dataclass
from vaultmem.config import make_state_folder

if TYPE_CHECKING:
    from vaultmem.config import Settings

_ENDING = ".json"
_REFUSED = ".refused"
_KEYS = ("session", "client", "kind", "words")


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What one hook was told."""

    session: str
    client: str
    kind: str  # of events
    words: str
    at: int  # UTC ms
    folder: str = ""  # in whose project it was told; '': in none
    turn: int = 0  # that it is becoming; 0: none yet
    file: str = ""  # name in the folder


def folder_of(settings: Settings) -> Path:
    """Where hooks have their files."""
    return settings.state / "hooks"


def put(settings: Settings, at_ns: int, told: Told) -> None:
    """Let it wait, in the order of when it was said; durable when this returns.

    raises OSError, DiskError
    """
    make_state_folder(settings.state)
    folder = folder_of(settings) / "waiting"
    os.makedirs(folder, mode=0o700, exist_ok=True)
    _write(folder, f"{at_ns:020d}-{os.getpid()}{_ENDING}", told)


def mark(settings: Settings, told: Iterable[Told], turn: int) -> None:
    """Note which turn they are becoming, before they become it."""
    folder = folder_of(settings) / "waiting"
    for each in told:
        _write(folder, each.file, Told(**{**_fields(each), "turn": turn}))


def remove(settings: Settings, told: Iterable[Told]) -> None:
    """They are kept, or nobody wants them."""
    for each in told:
        with suppress(FileNotFoundError):
            os.unlink(folder_of(settings) / "waiting" / each.file)


def set_aside(settings: Settings, told: Iterable[Told]) -> None:
    """They stay, under a name by which nobody tries them again: no turn takes them."""
    # One prompt with half a character was refused by every child, and all that was said later in
    # its session waited behind it for good.
    folder = folder_of(settings) / "waiting"
    for each in told:
        with suppress(FileNotFoundError):
            os.replace(folder / each.file, folder / f"{each.file}{_REFUSED}")


def all_waiting(settings: Settings) -> tuple[Told, ...]:
    """What waits, oldest first; what cannot be read is left where it is."""
    folder = folder_of(settings) / "waiting"
    try:
        names = sorted(name for name in os.listdir(folder) if name.endswith(_ENDING))
    except FileNotFoundError:
        return ()
    found = (_read(folder, name) for name in names)
    return tuple(each for each in found if each is not None)


def has_waiting(settings: Settings) -> bool:
    """Whether anything does."""
    try:
        return any(name.endswith(_ENDING) for name in os.listdir(folder_of(settings) / "waiting"))
    except OSError:
        return False


def _read(folder: Path, name: str) -> Told | None:
    try:
        found: Any = json.loads((folder / name).read_bytes())
        texts = {key: found[key] for key in _KEYS}
        if not all(isinstance(text, str) for text in texts.values()):
            return None
        at, turn = int(found["at"]), int(found["turn"])
        return Told(**texts, at=at, turn=turn, folder=_folder(found), file=name)
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _folder(found: Mapping[str, Any]) -> str:
    """Where it was told; '' for what waited through an update of the program."""
    folder = found.get("folder", "")
    return folder if isinstance(folder, str) else ""


def _fields(told: Told) -> dict[str, Any]:
    return {key: getattr(told, key) for key in (*_KEYS, "at", "turn", "folder", "file")}


def _write(folder: Path, name: str, told: Told) -> None:
    fields = {key: value for key, value in _fields(told).items() if key != "file"}
    base.replace_file(folder / name, json.dumps(fields).encode(), is_durable=True)
