"""Processes that work on one vault at once: command lines, a watcher, and the person's own git."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
CALL_SECONDS = 120.0
BUSY = 75
# Statements that share as few words as possible, so that none is taken for another.
_NOUNS = ("kettle", "harbour", "violin", "glacier", "pepper", "lantern", "orchard", "magnet")


def statement(writer: str, number: int) -> str:
    """A text of one writer that is extracted as one item and that nobody else writes."""
    noun = _NOUNS[number % len(_NOUNS)]
    return f"I prefer {noun} number {number} of crowd {writer}."


def run(root: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """One cold command line on the vault."""
    return subprocess.run(
        [sys.executable, "-m", "vaultmem", words[0], "--vault", str(root), *words[1:]],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=CALL_SECONDS,
        check=False,
    )


class Called(NamedTuple):
    """What a row of command lines came to."""

    kept: list[str]  # acknowledged
    busy: int  # exit code 75, tried again
    slowest_seconds: float
    failures: list[str]  # any other exit code, with what was said


def remember_each(root: Path, writer: str, count: int, *, tries: int = 40) -> Called:
    """Remember `count` texts, each by a command of its own, again while it says busy."""
    kept: list[str] = []
    failures: list[str] = []
    busy, slowest = 0, 0.0
    for number in range(count):
        text = statement(writer, number)
        for _ in range(tries):
            begun = time.monotonic()
            done = run(root, "remember", text)
            slowest = max(slowest, time.monotonic() - begun)
            if done.returncode == 0:
                kept.append(text)
                break
            if done.returncode != BUSY:
                failures.append(f"{done.returncode}: {done.stderr}")
                break
            busy += 1
        else:
            failures.append(f"busy {tries} times: {text}")
    return Called(kept, busy, slowest, failures)


class Committer:
    """A person who edits a file of theirs and runs `git commit -am` without a pause."""

    def __init__(self, root: Path, note: str = "mine/diary.md") -> None:
        self.root = root
        self.note = note
        self.commits: list[str] = []  # ids of those that git acknowledged
        self.refused = 0
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._loop)

    def __enter__(self) -> Committer:
        file = self.root / self.note
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("day 0\n")
        self._git("add", self.note)
        self._git("commit", "-qm", "diary", "--", self.note)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join(timeout=CALL_SECONDS)

    def _git(self, *words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["git", "-c", "gc.auto=0", *words],
            cwd=self.root,
            capture_output=True,
            text=True,
            timeout=CALL_SECONDS,
            check=False,
        )

    def _loop(self) -> None:
        day = 0
        while not self._over.is_set():
            day += 1
            (self.root / self.note).write_text(f"day {day}\n")
            done = self._git("commit", "-am", f"diary {day}")
            if done.returncode == 0 and "] diary" in done.stdout:
                self.commits.append(done.stdout.split("]")[0].rsplit(" ", 1)[1])
            else:
                self.refused += 1


@contextlib.contextmanager
def watching(root: Path, *words: str) -> Iterator[subprocess.Popen[str]]:
    """`vaultmem watch` in a process of its own, ended by SIGTERM if it still runs."""
    process = subprocess.Popen(
        [sys.executable, "-m", "vaultmem", "watch", "--vault", str(root), *words],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        while line and not line.startswith("watching"):
            line = process.stdout.readline()
        assert line, "the watcher ended"
        yield process
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
        process.communicate(timeout=60)


def until(condition: Callable[[], bool], *, seconds: float = 60.0) -> float:
    """Wait for a condition, at most so long; seconds it took."""
    begun = time.monotonic()
    while not condition():
        if time.monotonic() - begun > seconds:
            raise AssertionError(f"did not come true within {seconds:g} s")
        time.sleep(0.01)
    return time.monotonic() - begun


def together(*tasks: Callable[[], None]) -> None:
    """Run all tasks at once, each in a thread (they wait for processes); raise what one raises."""
    with ThreadPoolExecutor(len(tasks)) as pool:
        for future in [pool.submit(task) for task in tasks]:
            future.result()


def assert_kept(root: Path, kept: list[str]) -> None:
    """Each text is an item on disk and in HEAD, and no commit ever took a file away."""

    def git(*words: str) -> str:
        return subprocess.run(
            ["git", *words], cwd=root, capture_output=True, text=True, check=True, timeout=60
        ).stdout

    in_head = git("grep", "-hF", "crowd", "HEAD", "--", "items")
    on_disk = "".join(file.read_text() for file in sorted((root / "items").rglob("*.md")))
    words = [text.removesuffix(".") for text in kept]
    assert [each for each in words if f"{each}\n" not in _ended(on_disk)] == []
    assert [each for each in words if f"{each}\n" not in _ended(in_head)] == []
    assert git("log", "--diff-filter=D", "--format=", "--name-only") == ""
    found = subprocess.run(
        ["git", "fsck", "--full", "--strict", "--no-dangling"],
        cwd=root,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert "error" not in found.stderr
    assert "missing" not in found.stdout
    assert list((root / ".git").rglob("*.lock")) == []


def _ended(text: str) -> str:
    return text.replace(".\n", "\n") + "\n"


def cpu_seconds() -> float:
    """Of this process and the children it has waited for."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system
