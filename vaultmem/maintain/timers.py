"""What a timer says that runs due maintenance: systemd for a person, launchd, or cron."""

from __future__ import annotations

import os
import re
import shlex
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePath, PurePosixPath
from xml.sax.saxutils import escape

from vaultmem import base
from vaultmem.base import TYPE_CHECKING, BadInputError, CannotCreateError, dataclass
from vaultmem.language import HOUR_MS, civil_from_days, day_start, local_day
from vaultmem.model import Schedule

if TYPE_CHECKING:
    from vaultmem.vault import Vault
EVERY_SECONDS = 3600  # `due` decides what is to be done: who slept catches up within the hour
NAME = "vaultmem-maintain"
LABEL = "md.vaultmem.maintain"


@dataclass(frozen=True, slots=True, kw_only=True)
class Timer:
    """Files to write, and the commands that a person runs after them."""

    system: str  # systemd, launchd, cron
    files: tuple[tuple[PurePath, str], ...]  # where, and what it says
    start: str
    stop: str


def timer(
    system: str, *, program: Sequence[str], home: PurePath, config: PurePath, key: str
) -> Timer:
    """The timer of a vault.

    system   systemd, launchd or cron; cron has no file: `start` is the line to add
    program  the words that run due maintenance of this vault
    config   the folder of the person's settings, as XDG has it
    key      what tells the timers of several vaults apart: letters, digits, `-`
    """
    name = f"{NAME}-{key}"
    if system == "systemd":
        folder = config / "systemd" / "user"
        files = (
            (folder / f"{name}.service", _service(program)),
            (folder / f"{name}.timer", _TIMER),
        )
        start = f"systemctl --user daemon-reload && systemctl --user enable --now {name}.timer"
        return Timer(
            system=system,
            files=files,
            start=start,
            stop=f"systemctl --user disable --now {name}.timer",
        )
    if system == "launchd":
        file = home / "Library" / "LaunchAgents" / f"{LABEL}.{key}.plist"
        where = shlex.quote(PurePosixPath(file).as_posix())
        return Timer(
            system=system,
            files=((file, _plist(program, key)),),
            start=f"launchctl load -w {where}",
            stop=f"launchctl unload -w {where}",
        )
    line = f"7 * * * * {_for_cron(program)}  # {name}"
    return Timer(
        system="cron",
        files=(),
        start=f"add to `crontab -e`: {line}",
        stop=f"remove from `crontab -e` the line that ends in: # {name}",
    )


_TIMER = """[Unit]
Description=Due maintenance of a vault

[Timer]
OnCalendar=hourly
RandomizedDelaySec=5min
Persistent=true

[Install]
WantedBy=timers.target
"""


def _service(program: Sequence[str]) -> str:
    return (
        "[Unit]\nDescription=Due maintenance of a vault\n\n"
        "[Service]\nType=oneshot\nNice=10\nIOSchedulingClass=idle\n"
        f"ExecStart={' '.join(map(_for_systemd, program))}\n"
    )


def _for_systemd(word: str) -> str:
    """A word of ExecStart: quoted, without anything that systemd would expand."""
    plain = word.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%").replace("$", "$$")
    return f'"{plain}"'


def _for_cron(program: Sequence[str]) -> str:
    return shlex.join(program).replace("%", "\\%")  # cron takes a bare one for a line end


def _plist(program: Sequence[str], key: str) -> str:
    words = "\n".join(f"    <string>{escape(word)}</string>" for word in program)
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key>
  <string>{LABEL}.{escape(key)}</string>
  <key>ProgramArguments</key>
  <array>
{words}
  </array>
  <key>StartInterval</key>
  <integer>{EVERY_SECONDS}</integer>
  <key>ProcessType</key>
  <string>Background</string>
</dict>
</plist>
"""


# Install the timer that runs due maintenance: its files are shown first, written when agreed to.
#
# Nothing is started here: the report says the command that starts it, for the person to run.

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
    vault: Vault,
    *,
    system: str = "",
    confirmed: bool = False,
    environ: Mapping[str, str] | None = None,
) -> Schedule:
    """The timer of this vault; its files are written if `confirmed`, and shown in any case.

    raises  CannotCreateError where they cannot be written
    """
    wanted = _timer(vault, system, os.environ if environ is None else environ)
    is_there = _is_there(wanted)
    if confirmed and not is_there:
        for path, text in wanted.files:
            _write(Path(path), text)
    return _schedule_of(wanted, wanted.start, changed=confirmed and not is_there)


def uninstall(
    vault: Vault,
    *,
    system: str = "",
    confirmed: bool = False,
    environ: Mapping[str, str] | None = None,
) -> Schedule:
    """The files of the timer, which go if `confirmed`; those that say something else stay."""
    wanted = _timer(vault, system, os.environ if environ is None else environ)
    changed = False
    if confirmed and _is_there(wanted):
        for path, _ in wanted.files:
            os.unlink(path)
        changed = bool(wanted.files)
    return _schedule_of(wanted, wanted.stop, changed=changed)


def _timer(vault: Vault, system: str, environ: Mapping[str, str]) -> Timer:
    if system and system not in SYSTEMS:
        raise BadInputError(f"'{system}' runs no timers", hint=f"one of: {', '.join(SYSTEMS)}")
    home = Path(environ.get("HOME") or Path.home())
    config = environ.get("XDG_CONFIG_HOME")
    # -P: it runs in some working folder, of which nothing is to be imported.
    program = (sys.executable, "-P", "-m", "vaultmem", "maintain", "due", "--vault")
    return timer(
        system or usual_system(),
        program=(*program, str(vault.root)),
        home=home,
        config=Path(config) if config else home / ".config",
        key=_NOT_KEY.sub("-", vault.settings.state.name)[:40],
    )


def _is_there(wanted: Timer) -> bool:
    return bool(wanted.files) and all(_reads(Path(path)) == text for path, text in wanted.files)


def _reads(path: Path) -> str | None:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, ValueError):
        return None


def _write(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        base.replace_file(path, text.encode(), mode=0o666)
    except OSError as error:
        raise CannotCreateError(f"cannot write '{path}': {error.strerror}") from error


def _schedule_of(wanted: Timer, command: str, *, changed: bool) -> Schedule:
    return Schedule(
        system=wanted.system,
        files=tuple((str(path), text) for path, text in wanted.files),
        command=command,
        installed=_is_there(wanted),
        changed=changed,
    )


# When each job of maintenance is due: a missed time is made up for once (algorithms 7.4).

JOBS = ("nightly", "weekly", "monthly")
HOUR = 3  # o'clock, local: nobody writes then
_MONDAY = 4  # of local_day modulo 7: day 0, 1970-01-01, was a Thursday


def last_slot(job: str, now: int, zone: str, *, hour: int = HOUR) -> int:
    """The newest time at or before `now` (UTC ms) at which a job should have run.

    Every night at the hour; of a week the night to Monday; of a month the night to the 1st.
    """
    day = local_day(now, zone)
    while not _is_day_of(job, day) or day_start(day, zone) + hour * HOUR_MS > now:
        day -= 1
    return day_start(day, zone) + hour * HOUR_MS


def due(last_runs: Mapping[str, int], now: int, zone: str, *, hour: int = HOUR) -> tuple[str, ...]:
    """The jobs whose last run (UTC ms; absent: never) was before their newest time, in order.

    A run that lies ahead was noted by a clock that was wrong: when it was is not known.
    """
    return tuple(
        job
        for job in JOBS
        if (last := last_runs.get(job)) is None
        # A run that a clock of the future had noted stopped all jobs until then.
        or not last_slot(job, now, zone, hour=hour) <= last <= now
    )


def is_learning_due(
    interval: str, last: int | None, now: int, zone: str, *, hour: int = HOUR
) -> bool:
    """Whether it is time to learn from conversations and events.

    interval  manual: never by itself; hourly: since the hour began; daily: since the last night;
              weekly: since the night to Monday
    last      when that was done last (UTC ms); None: never
    """
    if interval == "manual":
        return False
    if last is not None and last > now:
        last = None  # as in `due`
    if interval == "hourly":
        return last is None or last < now - now % HOUR_MS
    slot = last_slot("weekly" if interval == "weekly" else "nightly", now, zone, hour=hour)
    return last is None or last < slot


def _is_day_of(job: str, day: int) -> bool:
    if job == "weekly":
        return day % 7 == _MONDAY
    return job != "monthly" or civil_from_days(day)[2] == 1
