"""What `vaultmem watch` says, and what it does with edits that have not rested when it is ended."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.conftest import FixedClock, Git
from tests.faults.crowd import until, watching
from vaultmem.api.memory import Memory

pytestmark = pytest.mark.slow


@pytest.fixture
def vault(root: Path, clock: FixedClock) -> Path:
    with Memory(root, clock=clock) as memory:
        memory.remember("I like tea very much. I live in Bergen.")
        memory.remember("I must renew the passport.")
    return root


class Reader:
    """Collects the lines of a process while it runs."""

    def __init__(self, lines: Iterator[str]) -> None:
        self.lines: list[str] = []
        self._thread = threading.Thread(target=lambda: self.lines.extend(lines), daemon=True)
        self._thread.start()

    def has(self, beginning: str) -> bool:
        return any(line.startswith(beginning) for line in list(self.lines))

    def wait(self) -> str:
        self._thread.join(timeout=60)
        return "".join(self.lines)


@contextmanager
def ended(root: Path, number: signal.Signals) -> Iterator[Reader]:
    """A watcher that is ended by a signal when the block is over."""
    with watching(root) as process:
        assert process.stdout is not None
        told = Reader(iter(process.stdout.readline, ""))
        yield told
        process.send_signal(number)
        said = told.wait()
        assert process.wait(timeout=60) == 128 + number, said


def edit(file: Path, old: str, new: str) -> None:
    before = file.read_text()
    assert old in before
    file.write_text(before.replace(old, new))


def line_with(file: Path, words: str) -> str:
    [line] = [line for line in file.read_text().splitlines() if words in line]
    return line


def test_it_says_what_it_took_in(vault: Path, git: Git) -> None:
    """Additions, edits, ticks, retractions and deletions, as they happen; commits at the end."""
    identity, tasks = vault / "streams/identity.md", vault / "streams/tasks.md"
    note = vault / "items/note.md"
    with ended(vault, signal.SIGINT) as told:
        edit(identity, "like tea", "like coffee")
        until(lambda: told.has("edited: I like coffee very much."))
        edit(tasks, "- [ ] I must", "- [x] I must")
        until(lambda: told.has("done: I must renew the passport."))
        edit(tasks, "- [x] I must", "- [ ] I must")
        until(lambda: told.has("edited: as before: I must renew the passport."))
        edit(identity, line_with(identity, "Bergen") + "\n", "")
        until(lambda: told.has("retracted: I live in Bergen."))
        note.write_text("A thing to know.\n")
        until(lambda: told.has("learned: A thing to know."))
        note.unlink()
        until(lambda: told.has("removed: A thing to know."))
        identity.write_text(identity.read_text() + "- Sings in a choir.\n")
        until(lambda: told.has("learned: Sings in a choir."))
    said = told.lines
    assert [line for line in said if line.startswith("adopted ^i-")]
    assert sum(line.startswith("committed ") for line in said) == 2
    assert said[-1] == "stopped\n"
    assert [line for line in said if "watchdog" in line or "Inotify" in line] == []
    assert len(set(said)) == len(said)  # nothing is told twice
    assert git("status", "--porcelain") == ""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_edits_that_have_not_rested_are_committed_at_the_end(
    vault: Path, git: Git, number: signal.Signals
) -> None:
    """Saved and ended at once: not even read yet."""
    identity = vault / "streams/identity.md"
    with ended(vault, number):
        edit(identity, "like tea", "like coffee")
    assert git("status", "--porcelain") == ""
    assert "like coffee" in git("show", "HEAD:streams/identity.md")
    assert "like coffee" in git("grep", "-h", "coffee", "HEAD", "--", "items")
    assert "Vaultmem-Actor: editor" in git("log", "-2", "--format=%b")


def test_they_are_left_where_committing_is_left_to_the_person(vault: Path, git: Git) -> None:
    """`watch.autocommit = false` holds at the end, too."""
    with open(vault / "vaultmem.toml", "a", encoding="utf-8") as stream:
        stream.write("\n[watch]\nautocommit = false\n")
    git("commit", "-qam", "settings")
    head = git("rev-parse", "HEAD")
    with ended(vault, signal.SIGINT):
        edit(vault / "streams/identity.md", "like tea", "like coffee")
    assert git("rev-parse", "HEAD") == head
    assert git("status", "--porcelain") == " M streams/identity.md\n"
