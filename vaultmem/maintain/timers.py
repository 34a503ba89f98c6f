"""What a timer says that runs due maintenance: systemd for a person, launchd, or cron. Pure."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import PurePath, PurePosixPath
from xml.sax.saxutils import escape

from vaultmem.base.records import dataclass

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
