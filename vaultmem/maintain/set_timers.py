"""Install the timer that runs due maintenance: its files are shown first, written when agreed to.

Nothing is started here: the report says the command that starts it, for the person to run.
"""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from vaultmem.base.errors import BadInputError, CannotCreateError
from vaultmem.maintain.timers import Timer, timer
from vaultmem.model.jobs import Schedule

if TYPE_CHECKING:
    from collections.abc import Mapping

    from vaultmem.vault.vault import Parts

SYSTEMS = ("systemd", "launchd", "cron")
_NOT_KEY = re.compile(r"[^A-Za-z0-9-]+")


def usual_system(platform: str = sys.platform) -> str:
    """What runs things by the clock on a platform; BadInputError where we know of nothing."""
    if platform.startswith("linux"):
        return "systemd"
    if platform == "darwin":
        return "launchd"
    if platform == "win32":
        raise BadInputError(
            "timers of Windows are not written by this program",
            hint="let the Task Scheduler run `vaultmem maintain due` once an hour",
        )
    return "cron"


def install(
    parts: Parts,
    *,
    system: str = "",
    confirmed: bool = False,
    environ: Mapping[str, str] | None = None,
) -> Schedule:
    """The timer of this vault; its files are written if `confirmed`, and shown in any case.

    raises  CannotCreateError where they cannot be written
    """
    wanted = _timer(parts, system, os.environ if environ is None else environ)
    is_there = _is_there(wanted)
    if confirmed and not is_there:
        for path, text in wanted.files:
            _write(Path(path), text)
    return _told(wanted, wanted.start, changed=confirmed and not is_there)


def uninstall(
    parts: Parts,
    *,
    system: str = "",
    confirmed: bool = False,
    environ: Mapping[str, str] | None = None,
) -> Schedule:
    """The files of the timer, which go if `confirmed`; those that say something else stay."""
    wanted = _timer(parts, system, os.environ if environ is None else environ)
    changed = False
    if confirmed and _is_there(wanted):
        for path, _ in wanted.files:
            os.unlink(path)
        changed = bool(wanted.files)
    return _told(wanted, wanted.stop, changed=changed)


def _timer(parts: Parts, system: str, environ: Mapping[str, str]) -> Timer:
    if system and system not in SYSTEMS:
        raise BadInputError(f"'{system}' runs no timers", hint=f"one of: {', '.join(SYSTEMS)}")
    home = Path(environ.get("HOME") or Path.home())
    config = environ.get("XDG_CONFIG_HOME")
    # -P: it runs in some working folder, of which nothing is to be imported.
    program = (sys.executable, "-P", "-m", "vaultmem", "maintain", "due", "--vault")
    return timer(
        system or usual_system(),
        program=(*program, str(parts.root)),
        home=home,
        config=Path(config) if config else home / ".config",
        key=_NOT_KEY.sub("-", parts.settings.state.name)[:40],
    )


def _is_there(wanted: Timer) -> bool:
    return bool(wanted.files) and all(_reads(Path(path)) == text for path, text in wanted.files)


def _reads(path: Path) -> str | None:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, ValueError):
        return None


def _write(path: Path, text: str) -> None:
    fresh = path.with_name(f"{path.name}.new")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        fresh.write_text(text, encoding="utf-8")
        os.replace(fresh, path)
    except OSError as error:
        raise CannotCreateError(f"cannot write '{path}': {error.strerror}") from error


def _told(wanted: Timer, command: str, *, changed: bool) -> Schedule:
    return Schedule(
        system=wanted.system,
        files=tuple((str(path), text) for path, text in wanted.files),
        command=command,
        installed=_is_there(wanted),
        changed=changed,
    )
