"""The timer of maintenance: shown, written when agreed to, removed unless it was changed."""

from __future__ import annotations

import plistlib
import shlex
import sys
from configparser import ConfigParser
from pathlib import Path, PurePosixPath

import pytest

from vaultmem.api.memory import Memory
from vaultmem.base.errors import BadInputError
from vaultmem.maintain.timers import install, timer, uninstall, usual_system

ODD = ("/usr/bin/my python", "-m", "vaultmem", "--vault", "/home/a/100% <notes> & $more")
HOME = PurePosixPath("/home/a")


def test_files_are_written_only_when_agreed_to(memory: Memory, tmp_path: Path) -> None:
    environ = {"HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path / "config")}
    shown = install(memory.opened, system="systemd", environ=environ)
    assert not shown.installed
    assert not (tmp_path / "config").exists()
    done = install(memory.opened, system="systemd", confirmed=True, environ=environ)
    assert done.changed
    assert {Path(path).suffix for path, _ in done.files} == {".service", ".timer"}
    for path, text in done.files:
        assert Path(path).read_text("utf-8") == text
    assert not install(memory.opened, system="systemd", confirmed=True, environ=environ).changed
    service = Path(done.files[0][0])
    service.write_text(f"{done.files[0][1]}# mine\n", "utf-8")
    assert not uninstall(memory.opened, system="systemd", confirmed=True, environ=environ).changed
    assert service.exists()
    service.write_text(done.files[0][1], "utf-8")
    assert uninstall(memory.opened, system="systemd", confirmed=True, environ=environ).changed
    assert not service.exists()


def test_the_service_runs_due_maintenance_of_this_vault(memory: Memory, tmp_path: Path) -> None:
    shown = install(memory.opened, system="systemd", environ={"HOME": str(tmp_path)})
    parsed = ConfigParser(interpolation=None)
    parsed.read_string(shown.files[0][1])
    words = shlex.split(parsed["Service"]["ExecStart"])
    assert words == [
        sys.executable,
        "-P",
        "-m",
        "vaultmem",
        "maintain",
        "due",
        "--vault",
        str(memory.root),
    ]


def test_odd_names_reach_the_program_as_they_are() -> None:
    made = {
        system: timer(system, program=ODD, home=HOME, config=HOME / ".config", key="k-1")
        for system in ("systemd", "launchd", "cron")
    }
    agent = plistlib.loads(made["launchd"].files[0][1].encode())
    assert tuple(agent["ProgramArguments"]) == ODD
    service = made["systemd"].files[0][1]
    assert '"/home/a/100%% <notes> & $$more"' in service
    line = made["cron"].start.split(": ", 1)[1].rsplit("  # ", 1)[0]
    assert tuple(shlex.split(line.split(" ", 5)[5].replace("\\%", "%"))) == ODD


def test_windows_is_told_what_to_do() -> None:
    assert usual_system("linux") == "systemd"
    assert usual_system("darwin") == "launchd"
    assert usual_system("freebsd14") == "cron"
    with pytest.raises(BadInputError, match="Windows") as told:
        usual_system("win32")
    assert "Task Scheduler" in told.value.hint
