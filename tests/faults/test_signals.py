"""Signals and closed pipes: the exit code tells which, and nothing is left behind."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.cli.commands import command
from tests.faults.autopsy import left_behind
from vaultmem.api.memory import Memory

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="no such signals on this system"),
]
ENDINGS = {"SIGTERM": 143, "SIGHUP": 129, "SIGINT": 130}
LONGEST_SECONDS = 0.3


@pytest.fixture(autouse=True)
def _signals_arrive() -> Iterator[None]:
    """Also where the tests were begun in the background, with these ignored."""
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGHUP)}
    for number, handler in before.items():
        if handler == signal.SIG_IGN:
            signal.signal(number, signal.SIG_DFL)
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


def begun(root: Path, *words: str) -> subprocess.Popen[str]:
    """The command, running; its standard input stays open until it is ended."""
    return subprocess.Popen(
        [sys.executable, "-m", "vaultmem", "--vault", str(root), *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def wait_for(what: Callable[[], bool]) -> None:
    """Return when it is so; fail when it is not within a minute."""
    give_up = time.monotonic() + 60
    while not what():
        assert time.monotonic() < give_up
        time.sleep(0.005)


def assert_tidy(root: Path) -> None:
    """No lock, no half-made file of a note, no git process's rests."""
    assert left_behind(root) == []
    names = [file.name for file in (root / ".vaultmem/tmp").iterdir()]
    assert [name for name in names if name.endswith(".log")] == []
    assert list((root / ".git/objects/pack").glob("tmp_*")) == []
    status = subprocess.run(
        ["git", "status", "--porcelain"], cwd=root, capture_output=True, text=True, check=True
    )
    assert status.stdout == ""


@pytest.mark.parametrize("name", sorted(ENDINGS))
def test_remember_ended_at_random_moments_says_so_and_leaves_nothing(
    root: Path, name: str, times: Callable[[int], int], tally: Callable[..., None]
) -> None:
    """Done and 0, or ended with the code of the signal and not done."""
    chance = random.Random(name)
    codes = {0: 0, ENDINGS[name]: 0, -getattr(signal, name): 0}
    for number in range(times(8)):
        process = begun(root, "remember", f"I prefer tea number {number}.")
        # Python itself cannot be ended tidily while it starts.
        wait_for(lambda: process.poll() is not None or _is_at_work(process.pid, root))  # noqa: B023
        time.sleep(chance.random() * LONGEST_SECONDS)
        process.send_signal(getattr(signal, name))
        process.communicate(timeout=60)
        codes[process.returncode] = codes.get(process.returncode, 0) + 1
        assert_tidy(root)
        said = [
            file for file in root.glob("items/**/*.md") if f"number {number}." in file.read_text()
        ]
        # Negative: Python itself was starting, or ending, with everything done.
        assert process.returncode or len(said) == 1
    tally(f"remember ended by {name}", **{f"exit {code}": count for code, count in codes.items()})
    assert set(codes) <= {0, ENDINGS[name], -getattr(signal, name)}


def _is_at_work(pid: int, root: Path) -> bool:
    """Whether the process has the vault's lock open."""
    try:
        names = [os.readlink(f"/proc/{pid}/fd/{fd}") for fd in os.listdir(f"/proc/{pid}/fd")]
    except (FileNotFoundError, PermissionError):
        # It ended between two looks: what is open in a dead process its owner may not list.
        return False
    return any(name.endswith("/lock") for name in names)


@pytest.mark.parametrize("name", sorted(ENDINGS))
def test_remember_that_waits_for_its_text_ends_with_the_code_of_the_signal(
    root: Path, name: str
) -> None:
    """It has not begun to write: nothing is done."""
    process = begun(root, "remember", "-")
    wait_for(lambda: _catches(process.pid, getattr(signal, name)))
    process.send_signal(getattr(signal, name))
    process.communicate(timeout=60)
    assert process.returncode == ENDINGS[name]
    assert_tidy(root)


def _catches(pid: int, number: int) -> bool:
    """Whether the process has a handler for this signal."""
    text = Path(f"/proc/{pid}/status").read_text()
    [caught] = [line.split()[1] for line in text.splitlines() if line.startswith("SigCgt:")]
    is_loaded = int(caught, 16) >> (signal.SIGTERM - 1) & 1
    return bool(is_loaded and int(caught, 16) >> (number - 1) & 1)


def by_hand(root: Path, number: int) -> str:
    """A new bullet, saved by an editor."""
    tasks = root / "streams/tasks.md"
    tasks.write_text(tasks.read_text() + f"\n- [ ] Renew passport {number}\n")
    return f"Renew passport {number} ^i-"


def assert_goes_on(root: Path) -> None:
    """The next command finishes what was ended, and says that all is well."""
    done = command(["--vault", str(root), "sync"])
    assert done.returncode == 0, done.stderr
    assert_tidy(root)


@pytest.mark.parametrize("command", ["sync", "undo"])
def test_a_command_ended_at_random_moments_says_so_and_leaves_nothing(
    root: Path, command: str, times: Callable[[int], int], tally: Callable[..., None]
) -> None:
    """An edit is adopted in full or waits; an undo is done in full or not begun."""
    chance = random.Random(command)
    counted: dict[str, int] = {}
    for number in range(times(10)):
        name = sorted(ENDINGS)[number % len(ENDINGS)]
        if command == "sync":
            by_hand(root, number)
        else:
            with Memory(root) as memory:
                memory.remember(f"I prefer tea number {number}.")
        process = begun(root, command)
        wait_for(lambda: process.poll() is not None or _is_at_work(process.pid, root))  # noqa: B023
        time.sleep(chance.random() * 3 * LONGEST_SECONDS)
        process.send_signal(getattr(signal, name))
        _, errors = process.communicate(timeout=60)
        assert process.returncode in (0, ENDINGS[name], -getattr(signal, name)), errors
        assert "Traceback" not in errors
        assert left_behind(root) == []
        assert list((root / ".git/objects/pack").glob("tmp_*")) == []
        code = f"exit {process.returncode if process.returncode >= 0 else 'before or after'}"
        counted[code] = counted.get(code, 0) + 1
        if command == "undo":
            assert_tidy(root)
            files = [file.read_text() for file in root.glob("items/**/*.md")]
            is_there = any(f"number {number}." in text for text in files)
            assert process.returncode or not is_there
        else:
            assert_goes_on(root)
            tasks = (root / "streams/tasks.md").read_text()
            assert tasks.count(f"Renew passport {number} ^i-") == 1
    assert_goes_on(root)
    tally(f"{command} ended at random moments", **counted)


def test_watch_ended_while_it_commits_leaves_nothing(
    root: Path, times: Callable[[int], int], tally: Callable[..., None]
) -> None:
    """It is at work on an edit when the signal comes; the next command takes the edit in."""
    chance = random.Random("watch")
    done_already = 0
    settings = root / "vaultmem.toml"
    settings.write_text(
        settings.read_text() + "\n[watch]\nquiet = 0.05\npoll = 0.2\ncommit_after = 1\n"
    )
    subprocess.run(["git", "commit", "-qam", "mine"], cwd=root, check=True)
    assert_goes_on(root)
    for number in range(times(10)):
        name = sorted(ENDINGS)[number % len(ENDINGS)]
        process = begun(root, "watch", "--poll")
        assert process.stdout is not None
        process.stdout.readline()  # it has looked at everything and waits
        before = commits(root)
        by_hand(root, number)
        wait_for(lambda: _is_committing(root) or commits(root) != before)  # noqa: B023
        time.sleep(chance.random() * LONGEST_SECONDS / 2)
        process.send_signal(getattr(signal, name))
        _, errors = process.communicate(timeout=60)
        assert process.returncode == ENDINGS[name], errors
        assert "Traceback" not in errors
        assert left_behind(root) == []
        tasks = root / "streams/tasks.md"
        done_already += f"Renew passport {number} ^i-" in tasks.read_text()
        assert_goes_on(root)
        assert tasks.read_text().count(f"Renew passport {number} ^i-") == 1
    tally("watch ended at work", signals=times(10), adopted_before_the_end=done_already)


def commits(root: Path) -> str:
    """Where the branch is."""
    return (root / ".git/refs/heads/main").read_text()


def _is_committing(root: Path) -> bool:
    """Whether files of a commit to be are there."""
    return any((root / ".git/vaultmem").iterdir())


@pytest.mark.parametrize("name", sorted(ENDINGS))
def test_watch_ends_with_the_code_of_the_signal(root: Path, name: str) -> None:
    """A closed terminal ends it like Ctrl-C."""
    process = begun(root, "watch", "--poll")
    wait_for(lambda: _catches(process.pid, getattr(signal, name)))
    process.send_signal(getattr(signal, name))
    process.communicate(timeout=60)
    assert process.returncode == ENDINGS[name]
    assert_tidy(root)


def test_nohup_is_respected(root: Path) -> None:
    """A signal that the caller ignores does not end the command."""
    process = subprocess.Popen(
        ["nohup", sys.executable, "-m", "vaultmem", "--vault", str(root), "remember", "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    wait_for(lambda: _catches(process.pid, signal.SIGTERM))
    process.send_signal(signal.SIGHUP)
    process.communicate("I like tea.", timeout=60)
    assert process.returncode == 0


def test_a_reader_that_goes_away_does_not_undo_what_was_remembered(root: Path) -> None:
    """Exit code 141, and the memory is there: it was durable before it was told."""
    process = begun(root, "remember", "-")
    assert process.stdout is not None
    process.stdout.close()
    process.stdout = None
    _, errors = process.communicate("I like tea.", timeout=60)
    assert process.returncode == 141
    assert "Traceback" not in errors
    assert_tidy(root)
    with Memory(root) as memory:
        assert [hit.note.statement for hit in memory.recall("tea").hits][:1] == ["I like tea."]
