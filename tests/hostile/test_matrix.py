"""Each way to plant a program in a vault, with every command and with the watcher.

A program that ran leaves a mark. Where strace may be used, every program that any process of
vaultmem started must be one of a short list, and no internet address may have been called; a
server on loopback that the planted settings name counts who calls in either case.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from tests.hostile.planting import DRIVERS, TOGETHER, VECTORS, Place
from tests.hostile.session import COMMANDS
from tests.hostile.traced import read_trace, started
from vaultmem.api.memory import Memory
from vaultmem.cli.main import FAMILIES

PROJECT = Path(__file__).parents[2]
# Run by plain git for at least these (reliability.md 3.1 measured 24 of 31 for its operations).
LIVE = 18
PATIENCE_SECONDS = 5.0
ALLOWED = re.compile(r"^(?:.*/)?(?:git|git-[a-z-]+|python[0-9.]*|true|bash|sh|strace)$")

Vectors = Callable[[Sequence[str]], "Stranger"]


class Trap:
    """The program that one vector names, and the server: what was run or called is known by it."""

    def __init__(self, base: Path, vector: str) -> None:
        self._mark = base / f"mark-{vector}"
        self.program = base / f"evil-{vector}"
        self.program.write_text(f'#!/bin/sh\ntouch "{self._mark}"\ncat 2>/dev/null\nexit 0\n')
        self.program.chmod(0o755)
        self._callers: list[object] = []
        self._server = socket.create_server(("127.0.0.1", 0))
        threading.Thread(target=self._count, daemon=True).start()
        self.address = f"127.0.0.1:{self._server.getsockname()[1]}"

    @property
    def has_sprung(self) -> bool:
        return self._mark.exists() or bool(self._callers)

    def _count(self) -> None:
        while True:
            try:
                connection, caller = self._server.accept()
            except OSError:
                return
            self._callers.append(caller)
            connection.close()

    def close(self) -> None:
        self._server.close()


class Stranger:
    """A vault with some things planted in it, and what tells whether one worked."""

    def __init__(self, base: Path, template: Path, note: str, vectors: Sequence[str]) -> None:
        self.root = base / "vault"
        self.note = note
        shutil.copytree(template, self.root, symlinks=True)
        self.traps = {vector: Trap(base, vector) for vector in vectors}
        for vector, trap in self.traps.items():
            VECTORS[vector](Place(self.root, trap.program, trap.address))
        self.environment = {**os.environ, "EDITOR": "true", "PYTHONPATH": str(PROJECT)}
        self.log = base / "trace"

    def close(self) -> None:
        for trap in self.traps.values():
            trap.close()

    def sprung(self) -> list[str]:
        return [vector for vector, trap in self.traps.items() if trap.has_sprung]

    def assert_quiet(self) -> None:
        assert self.sprung() == []


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A vault with some history, and the path of an item in it."""
    root = tmp_path_factory.mktemp("template") / "vault"
    Memory.init(root)
    with Memory(root) as memory:
        memory.remember("I like tea in the morning.")
        item = memory.remember("I prefer tabs over spaces.").items[0]
        memory.remember("I live in Graz.")
    return root, str(item.path)


@pytest.fixture
def stranger(tmp_path: Path, template: tuple[Path, str]) -> Iterator[Vectors]:
    made: list[Stranger] = []

    def make(vectors: Sequence[str]) -> Stranger:
        made.append(Stranger(tmp_path, *template, vectors))
        return made[-1]

    yield make
    for each in made:
        each.close()


def test_the_session_has_every_command() -> None:
    """A command that is added later must come into the matrix."""
    known = {name for _, commands in FAMILIES for name, _, _ in commands}
    assert set(COMMANDS) | {"view", "watch"} == known


def test_each_vector_is_planted_with_those_that_leave_it_alone() -> None:
    assert sorted(vector for vectors in TOGETHER for vector in vectors) == sorted(VECTORS)


def _planted(config: pytest.Config) -> Sequence[Sequence[str]]:
    """What is planted in each vault: several vectors at once, or with `--long` each alone."""
    is_long = float(config.getoption("--long")) > 1
    return [(vector,) for vector in sorted(VECTORS)] if is_long else TOGETHER


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "vectors" in metafunc.fixturenames:
        metafunc.parametrize("vectors", _planted(metafunc.config), ids=_name)


def _name(vectors: Sequence[str]) -> str:
    return "+".join(vector.partition("-")[0] for vector in vectors)


@pytest.mark.slow
def test_no_command_runs_it(
    stranger: Vectors, vectors: Sequence[str], tmp_path: Path, tally: Callable[..., None]
) -> None:
    there = stranger(vectors)
    done = _session(there, tmp_path)
    assert [words for words, _, _ in done] == [
        list(each) for row in COMMANDS.values() for each in row
    ]
    crashed = [each for each in done if each[1] == 70]
    assert crashed == []
    there.assert_quiet()
    tally("hostile sessions", vectors=len(vectors), commands=len(done), executions=0)


def _session(there: Stranger, folder: Path) -> list[tuple[list[str], int, str]]:
    """Words, exit code and the beginning of the complaint of every command, run in the vault."""
    remote = folder / "remote.git"
    subprocess.run(["git", "init", "-q", "--bare", str(remote)], check=True, timeout=60)
    words = [sys.executable, "-m", "tests.hostile.session", str(there.root), str(remote)]
    out = _run(there, [*words, there.note], folder / "trace")
    return [tuple(json.loads(line)) for line in out.splitlines()]


@pytest.mark.slow
def test_no_watcher_runs_it(
    request: pytest.FixtureRequest, template: tuple[Path, str], tmp_path: Path
) -> None:
    """Each in a vault of its own, with a watcher and a device state of its own; all at once.

    A watcher mostly waits for its clock.
    """
    with contextlib.ExitStack() as stack:
        watched = []
        for vectors in _planted(request.config):
            base = tmp_path / _name(vectors)
            base.mkdir()
            there = Stranger(base, *template, vectors)
            stack.callback(there.close)
            there.environment["XDG_STATE_HOME"] = str(base / "state")
            process = stack.enter_context(_watching(there))
            stack.callback(_end, process)
            watched.append((there, process))
        befores = [_branch(there).read_bytes() for there, _ in watched]
        for there, process in watched:
            assert process.stdout is not None
            process.stdout.readline()
            note = there.root / there.note
            note.write_text(note.read_text().replace("tabs over spaces", "tabs over blanks"))
        for (there, process), before in zip(watched, befores, strict=True):
            _until(lambda: _branch(there).read_bytes() != before)  # noqa: B023
            os.killpg(process.pid, signal.SIGINT)
        for _, process in watched:
            process.communicate(timeout=60)
        for there, _ in watched:
            _assert_allowed(there.log)
            there.assert_quiet()


@pytest.mark.slow
def test_no_window_runs_it(
    request: pytest.FixtureRequest, template: tuple[Path, str], tmp_path: Path
) -> None:
    """Looked at, corrected, taken back and saved elsewhere while a window is open."""
    pytest.importorskip("jinja2", reason="the `server` extra has it: pip install '.[server]'")
    from tests.window.opened import opened

    for vectors in _planted(request.config):
        base = tmp_path / _name(vectors)
        base.mkdir()
        there = Stranger(base, *template, vectors)
        try:
            with opened(there.root) as window:
                for path in ("/", "/search?q=tabs", "/then?known=2026-01-01", "/log?from=HEAD~1"):
                    assert window.ask(path).status in (200, 400)
                note = f"/note/{there.note}"
                fields = window.form(note, "correct")
                reply = window.send(fields, statement="I prefer tabs over all.")
                assert reply.status == 200, reply.seen
                assert "taken back" in window.send(window.form("/log", "undo")).seen
                file = there.root / there.note
                file.write_text(file.read_text().replace("tabs over", "blanks over"))
                assert window.ask("/changes?since=0").status == 200
                assert window.ask("/").status == 200
                window.end()
            there.assert_quiet()
        finally:
            there.close()


def _watching(there: Stranger) -> subprocess.Popen[str]:
    _append(there.root / "vaultmem.toml", "\n[watch]\nquiet = 0.05\ncommit_after = 1\n")
    words = [sys.executable, "-m", "vaultmem", "--vault", str(there.root), "watch"]
    return _started(there, words, there.log)


def _end(process: subprocess.Popen[str]) -> None:
    """Of a watcher that a failed assertion left at work."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


def _branch(there: Stranger) -> Path:
    return there.root / ".git/refs/heads/main"


@pytest.mark.slow
def test_a_remote_that_is_a_folder_runs_nothing(stranger: Vectors, tmp_path: Path) -> None:
    """A stick from a stranger: the hooks and settings of the repository on it."""
    there = stranger(["118-hooks"])
    remote = tmp_path / "remote.git"
    subprocess.run(["git", "init", "-q", "--bare", str(remote)], check=True, timeout=60)
    planted = Place(remote, there.traps["118-hooks"].program, "127.0.0.1:9")
    planted.hooks("hooks")
    planted.append("config", f"[core]\nfsmonitor = EVIL\nalternateRefsCommand = EVIL\n{DRIVERS}")
    planted.append(
        "config", "[uploadpack]\npackObjectsHook = EVIL\n[receive]\nprocReceiveRefs = refs\n"
    )
    words = [sys.executable, "-m", "tests.hostile.session", str(there.root), str(remote)]
    _run(there, [*words, there.note], tmp_path / "trace")
    there.assert_quiet()


@pytest.mark.slow
def test_the_traps_are_live(
    tmp_path: Path, template: tuple[Path, str], tally: Callable[..., None]
) -> None:
    """Plain git runs the planted programs: without this, quiet would prove nothing.

    Planted together as many are live as alone: none is in the way of another one.
    """
    sprung: dict[str, set[str]] = {"alone": set(), "together": set()}
    for way, planted in (("alone", [[vector] for vector in VECTORS]), ("together", TOGETHER)):
        for vectors in planted:
            base = tmp_path / way / _name(vectors)
            base.mkdir(parents=True)
            there = Stranger(base, *template, vectors)
            _append(there.root / there.note, "more\n")
            for words in (
                *(("status",), ("diff",), ("add", "-A"), ("commit", "-qm", "x")),
                *(("log", "-p", "-3"), ("fetch", "origin")),
                *(("push", "origin", "HEAD:refs/heads/x"), ("merge", "HEAD~1")),
                ("checkout", "-q", "HEAD~1"),
            ):
                _as_person(there, words)
                if len(there.sprung()) == len(vectors):
                    break
            sprung[way].update(there.sprung())
            there.close()
    tally("traps", planted=len(VECTORS), sprung_by_plain_git=len(sprung["alone"]))
    assert len(sprung["alone"]) >= LIVE, sprung
    assert sprung["together"] == sprung["alone"]


def _append(file: Path, text: str) -> None:
    file.write_text(file.read_text(encoding="utf-8") + text, encoding="utf-8")


def _as_person(there: Stranger, words: Sequence[str]) -> None:
    """Plain git in the vault, until it ends or has run what was planted, which may be for ever."""
    process = subprocess.Popen(
        ["git", *words],
        cwd=there.root,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**there.environment, "GIT_TERMINAL_PROMPT": "0"},
        start_new_session=True,
    )
    deadline = time.monotonic() + PATIENCE_SECONDS
    while (
        process.poll() is None
        and len(there.sprung()) < len(there.traps)
        and time.monotonic() < deadline
    ):
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(timeout=0.02)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _run(there: Stranger, words: list[str], log: Path) -> str:
    with _started(there, words, log) as process:
        out, said = process.communicate(timeout=300)
    assert process.returncode == 0, said
    _assert_allowed(log)
    return out


def _started(there: Stranger, words: list[str], log: Path) -> subprocess.Popen[str]:
    return started(words, log, there.environment, there.root)


def _assert_allowed(log: Path) -> None:
    """Only git, Python, the editor, and shells (completion, git's transport); none of the vault."""
    trace = read_trace(log)
    odd = [
        program
        for program in trace.executed
        if not ALLOWED.match(program) or str(log.parent) in program
    ]
    assert odd == []
    assert trace.called == ()


def _until(condition: Callable[[], bool], seconds: float = 60.0) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            pytest.fail("the condition did not come true in time")
        threading.Event().wait(0.02)
