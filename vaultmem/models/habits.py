"""What a model server was found not to take, kept in the device state from one process to the next.

Each command is a process: without this, a server that refuses JSON schemas is asked with one, and
refuses, at every command. No text, address or key is in the file; a week later a server is tried
anew, as it may have learned.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Collection
from hashlib import sha256
from pathlib import Path

from vaultmem.base.records import NamedTuple
from vaultmem.models.dialects import MODES

FILE = "model-servers.json"
_WEEK_SECONDS = 7 * 86_400
_MOST = 32  # servers that are remembered


class Habit(NamedTuple):
    """The strongest way in which JSON may be asked for, '' where all are taken, and parameters that
    are refused."""

    mode: str = ""
    without: tuple[str, ...] = ()


class Habits:
    """Of one server and model. What cannot be read or written is as if never learned."""

    def __init__(self, state: Path, *parts: str) -> None:
        """parts: what names the server and the model."""
        self._file = state / FILE
        self._key = sha256("\0".join(parts).encode("utf-8", "replace")).hexdigest()[:24]

    def read(self) -> Habit:
        """What is known; nothing, where that is older than a week."""
        found = self._all().get(self._key)
        if not isinstance(found, dict):
            return Habit()
        at, mode, without = (found.get(name) for name in ("at", "mode", "without"))
        if not isinstance(at, int | float) or not 0 <= time.time() - at < _WEEK_SECONDS:
            return Habit()
        names = without if isinstance(without, list) else []
        return Habit(
            mode if isinstance(mode, str) and mode in MODES else "",
            tuple(name for name in names if isinstance(name, str)),
        )

    def write(self, mode: str, without: Collection[str]) -> None:
        """Keep what was learned just now."""
        known = self._all()
        known.pop(self._key, None)
        kept = dict(list(known.items())[-_MOST + 1 :])
        kept[self._key] = {"at": int(time.time()), "mode": mode, "without": sorted(without)}
        temporary = self._file.with_name(f"{FILE}.{os.getpid()}.tmp")
        try:
            temporary.write_text(json.dumps(kept), encoding="utf-8")
            os.replace(temporary, self._file)
        except OSError:
            temporary.unlink(missing_ok=True)

    def _all(self) -> dict[str, object]:
        try:
            found = json.loads(self._file.read_text(encoding="utf-8"))
        except (OSError, ValueError, RecursionError):
            return {}
        return found if isinstance(found, dict) else {}
