"""Python modules planted in the vault, from which commands are run: none of them is imported.

`vaultmem` and `python -P -m vaultmem` look nowhere but in the installation. `python -m vaultmem`
makes Python look into the working folder before our first line; from then on nothing is.
"""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from vaultmem.api.memory import Memory

PROJECT = Path(__file__).parents[2]
# What commands import of the standard library and of others, after our first line.
LATER = ("click", "json", "sqlite3", "tomllib", "yaml", "rich", "hashlib", "shutil", "datetime")
# What Python reads before it, if `-m` lets it: it imports the package by name.
BEFORE = ("vaultmem", "sitecustomize", "usercustomize", "gc", "__future__", "typing", "re")
COMMANDS = (
    ("remember", "I like tea in the morning."),
    ("recall", "tea"),
    ("sync",),
    ("status", "--json"),
    ("check",),
)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "vault"
    Memory.init(root)
    return root


@pytest.fixture
def marks(tmp_path: Path) -> Path:
    (tmp_path / "marks").mkdir()
    return tmp_path / "marks"


def plant(root: Path, marks: Path, names: Sequence[str]) -> None:
    for name in names:
        mark = marks / name
        (root / f"{name}.py").write_text(f"open({str(mark)!r}, 'w').close()\n", encoding="utf-8")


@pytest.fixture
def script(tmp_path: Path) -> tuple[str, ...]:
    """What an installer makes of the entry point `vaultmem`: a file in a folder of programs."""
    file = tmp_path / "bin" / "vaultmem"
    file.parent.mkdir()
    file.write_text("import sys\nfrom vaultmem.__main__ import main\nsys.exit(main())\n")
    return sys.executable, str(file)


def environment(tmp_path: Path, **more: str) -> Mapping[str, str]:
    return {**os.environ, "PYTHONPATH": str(PROJECT), "HOME": str(tmp_path), **more}


def run(
    program: Sequence[str], *words: str, folder: Path, env: Mapping[str, str]
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*program, *words],
        cwd=folder,
        env=dict(env),
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


def imported(marks: Path) -> list[str]:
    return sorted(mark.name for mark in marks.iterdir())


@pytest.mark.parametrize("words", COMMANDS, ids=lambda words: words[0])
def test_the_program_imports_nothing_from_the_working_folder(
    root: Path, marks: Path, script: tuple[str, ...], tmp_path: Path, words: tuple[str, ...]
) -> None:
    plant(root, marks, (*LATER, *BEFORE))
    done = run(script, *words, folder=root, env=environment(tmp_path))
    assert (done.returncode, imported(marks)) == (0, []), done.stderr
    safe = (sys.executable, "-P", "-m", "vaultmem")
    done = run(safe, *words, folder=root, env=environment(tmp_path))
    assert (done.returncode, imported(marks)) == (0, []), done.stderr


@pytest.mark.parametrize("words", COMMANDS, ids=lambda words: words[0])
def test_with_m_alone_nothing_is_imported_from_there_after_our_first_line(
    root: Path, marks: Path, tmp_path: Path, words: tuple[str, ...]
) -> None:
    plant(root, marks, (*LATER, "sitecustomize", "__future__", "gc", "typing"))
    done = run((sys.executable, "-m", "vaultmem"), *words, folder=root, env=environment(tmp_path))
    assert (done.returncode, imported(marks)) == (0, []), done.stderr


def test_with_m_alone_python_itself_takes_a_planted_package_for_ours(
    root: Path, marks: Path, tmp_path: Path
) -> None:
    """Why README promises nothing for `python -m`: no line of ours runs before this."""
    plant(root, marks, ("vaultmem",))
    run((sys.executable, "-m", "vaultmem"), "status", folder=root, env=environment(tmp_path))
    assert imported(marks) == ["vaultmem"]


def test_the_program_of_a_timer(
    root: Path, marks: Path, script: tuple[str, ...], tmp_path: Path
) -> None:
    plant(root, marks, (*LATER, *BEFORE))
    env = environment(tmp_path, XDG_CONFIG_HOME=str(tmp_path / "config"))
    words = ("maintain", "install", "--system", "systemd", "--yes")
    done = run(script, *words, folder=root, env=env)
    assert done.returncode == 0, done.stderr
    (unit,) = (tmp_path / "config").rglob("*.service")
    (line,) = (
        line for line in unit.read_text("utf-8").splitlines() if line.startswith("ExecStart=")
    )
    program = shlex.split(line.partition("=")[2])
    done = run(program, folder=root, env=env)
    assert (done.returncode, imported(marks)) == (0, []), done.stderr


def test_the_watcher_and_what_it_starts(
    root: Path, marks: Path, script: tuple[str, ...], tmp_path: Path
) -> None:
    plant(root, marks, (*LATER, *BEFORE))
    env = environment(tmp_path)
    watcher = subprocess.Popen(
        [*script, "watch"], cwd=root, env=dict(env), stdout=subprocess.PIPE, text=True
    )
    assert watcher.stdout is not None
    try:
        assert watcher.stdout.readline().startswith("watching")
        with open(root / "streams/identity.md", "a", encoding="utf-8") as stream:
            stream.write("- I keep bees.\n")
        assert watcher.stdout.readline().startswith("learned")
    finally:
        watcher.terminate()
        watcher.communicate(timeout=60)
    assert list(root.glob("items/**/*bees*.md"))
    assert imported(marks) == []


@pytest.mark.parametrize("entries", [f"{PROJECT}{os.pathsep}", f".{os.pathsep}{PROJECT}"])
def test_a_pythonpath_that_means_the_working_folder_is_said(
    root: Path, script: tuple[str, ...], tmp_path: Path, entries: str
) -> None:
    env = environment(tmp_path, PYTHONPATH=entries)
    told = run(script, "status", folder=root, env=env)
    assert "PYTHONPATH" in told.stdout, told.stderr
    shown = json.loads(run(script, "status", "--json", folder=root, env=env).stdout)
    assert "PYTHONPATH" in shown["imports"]
    plain = run(script, "status", "--json", folder=root, env=environment(tmp_path))
    assert json.loads(plain.stdout)["imports"] == ""
