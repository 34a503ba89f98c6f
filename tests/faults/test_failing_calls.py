"""The k-th call to the system fails, for every k of every command: before or after, told plainly.

"100% before-or-after" (reliability.md F3, P2, P16). CI takes every k with one errno each, in
turn; `--long` takes the whole product.
"""

from __future__ import annotations

import contextlib
import errno
import io
import os
import subprocess
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from tests.faults.failing import ERRNOS, Faults
from tests.faults.snapshots import Snapshot, notes
from vaultmem.__main__ import main
from vaultmem.memory import Memory
from vaultmem.model.ids import blob_oid
from vaultmem.vault.files import recover

KEPT = "I am allergic to hazelnuts."
NEW = "I prefer tabs over spaces."
MOST_STEPS = 1_000
MOST_TOLD = int(os.environ.get("TOLD", "5"))
DOCUMENTED = {65, 66, 73, 74, 75, 77, 78}
ANSWERS = ("recall", "search", "list", "show", "log")
# Not fdatasync: so the ledger is written, once the commit is durable; a gap there is told.
SYNCING = ("fsync",)


def say(*words: str) -> tuple[int, str, str]:
    """Exit code, standard output and standard error of a command line."""
    raw = io.BytesIO(), io.BytesIO()
    out, err = (io.TextIOWrapper(each, encoding="utf-8", write_through=True) for each in raw)
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main(words)
    return code, raw[0].getvalue().decode(), raw[1].getvalue().decode()


class Bench:
    """A vault with a little of everything, and its device state, for command after command."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.root = folder / "vault"
        self.outside = folder / "outside"
        self.outside.mkdir()
        self.state = Path(os.environ["XDG_STATE_HOME"])
        self.monkeypatch = monkeypatch
        self.at("2026-03-11T12:00:00Z")
        Memory.init(self.root, name="bench")
        monkeypatch.chdir(self.root)
        for text in (KEPT, "Ada works at Acme as an engineer.", "We decided to use Postgres."):
            assert say("remember", text)[0] == 0
        (self.outside / "tea.txt").write_text("I drink green tea every morning.\n")
        (self.outside / "cat.txt").write_text("My cat is called Miso.\n")
        assert say("sync")[0] == 0
        self.at("2026-03-12T12:00:00Z")

    def at(self, moment: str) -> None:
        """What the clock of the commands says."""
        self.monkeypatch.setenv("VAULTMEM_NOW", moment)


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Bench:
    """See `Bench`."""
    return Bench(tmp_path, monkeypatch)


def nothing(bench: Bench) -> None:
    """The vault as it is."""


def item(bench: Bench) -> Path:
    """The note of the allergy."""
    [found] = (f for f in bench.root.glob("items/**/*.md") if KEPT in f.read_text())
    return found


def edited(bench: Bench) -> None:
    """A new bullet, and a line in an item."""
    tasks = bench.root / "streams/tasks.md"
    tasks.write_text(tasks.read_text() + "\n- [ ] Renew the passport\n")
    item(bench).write_text(item(bench).read_text() + "\nSince childhood.\n")


def deleted(bench: Bench) -> None:
    """The allergy is gone from its stream."""
    identity = bench.root / "streams/identity.md"
    lines = identity.read_text().splitlines(keepends=True)
    identity.write_text("".join(line for line in lines if KEPT not in line))


def deleted_note(bench: Bench) -> None:
    """A note that git knows is not on disk any more."""
    item(bench).unlink()
    assert say("sync")[0] == 0


def unlisted(bench: Bench) -> None:
    """An item whose bullet is missing, committed by the person, so that `check --fix` adds it."""
    deleted(bench)
    git(bench.root, "commit", "-qam", "mine")
    text = item(bench).read_text()
    assert say("sync")[0] == 0
    item(bench).write_text(text)
    git(bench.root, "add", "-A")
    git(bench.root, "commit", "-qm", "mine again")


def git(root: Path, *words: str) -> str:
    """Output of the person's own git."""
    done = subprocess.run(
        ["git", "-C", str(root), *words], capture_output=True, text=True, check=True
    )
    return done.stdout


CASES: tuple[tuple[str, Callable[[Bench], None], tuple[str, ...]], ...] = (
    ("remember", nothing, ("remember", NEW)),
    ("remember many", nothing, ("remember", "../outside/tea.txt", "../outside/cat.txt")),
    ("recall", edited, ("recall", "hazelnuts")),
    ("search", nothing, ("search", "postgres")),
    ("list", deleted, ("list",)),
    ("show", nothing, ("show", "streams/identity.md")),
    ("status", nothing, ("status",)),
    ("log", nothing, ("log",)),
    ("check", nothing, ("check",)),
    ("check --fix", unlisted, ("check", "--fix")),
    ("sync after edit", edited, ("sync",)),
    ("sync after deletion", deleted, ("sync",)),
    ("undo", nothing, ("undo",)),
    ("restore", deleted_note, ("restore", "hazel")),
    ("edit", nothing, ("edit", "hazel")),
    ("reindex", nothing, ("reindex",)),
)


@pytest.mark.parametrize(("name", "prepare", "words"), CASES, ids=[case[0] for case in CASES])
def test_every_call_of_a_command_may_fail(
    bench: Bench,
    request: pytest.FixtureRequest,
    tally: Callable[..., None],
    name: str,
    prepare: Callable[[Bench], None],
    words: Sequence[str],
) -> None:
    note = item(bench).relative_to(bench.root).as_posix()
    words = [note if word == "hazel" else word for word in words]
    editor = bench.outside / "editor"
    editor.write_text('#!/bin/sh\nprintf "\\nSince childhood.\\n" >> "$1"\n')
    editor.chmod(0o755)
    bench.monkeypatch.setenv("VISUAL", str(editor))
    prepare(bench)
    case = Case(bench, name, words)
    long = float(request.config.getoption("--long")) > 1
    failed, wrong, at = 0, [], 0
    is_over = False
    while not is_over:
        at += 1
        assert at < MOST_STEPS, f"{name} took more than {MOST_STEPS} steps"
        for number in ERRNOS if long else (ERRNOS[at % len(ERRNOS)],):
            try:
                is_over = not case.fail(at, number)
            except AssertionError as error:
                wrong.append(str(error))
            failed += not is_over
    assert not wrong, f"{len(wrong)} of {failed}:\n" + "\n\n".join(wrong[:MOST_TOLD])
    tally(f"failing calls: {name}", calls=at - 1, failures=failed)


class Case:
    """One command on one vault, to be failed at any of its steps."""

    def __init__(self, bench: Bench, name: str, words: Sequence[str]) -> None:
        self.bench = bench
        self.name = name
        self.words = words
        self.before = Snapshot(bench.root, bench.state)
        self.old = notes(bench.root)
        code, self.out, err = say(*words)
        assert code == 0, err
        self.new = notes(bench.root)
        self.subjects = subjects(bench.root)
        self.before.restore()

    def fail(self, at: int, number: int) -> bool:
        """Fail step `at` and judge what comes of it; False: the command ended before it."""
        self.before.restore()
        descriptors = os.listdir("/proc/self/fd") if os.path.isdir("/proc/self/fd") else []
        with Faults(at, number) as faults:
            code, out, err = say(*self.words)
        if not faults.failed:
            assert code == 0, err
            return False
        where = (
            f"{self.name}: step {at} ({faults.failed} {faults.arguments}) {errno.errorcode[number]}"
        )
        told = f"{where}\nexit {code}\n{out}\n{err}"
        if descriptors:
            assert len(os.listdir("/proc/self/fd")) == len(descriptors), f"open files: {told}"
        self.judge_words(code, err, faults, told)
        is_about_a_note = faults.failed == "open" and number in (errno.EIO, errno.EACCES)
        # Without git, what a person's edit means is shown by the next command that has one.
        if code == 0 and self.name in ANSWERS and not is_about_a_note and faults.failed != "spawn":
            assert out == self.out, f"{self.out}\n{told}"
        self.judge_notes(code, out, told)
        self.again(told)
        return True

    def judge_words(self, code: int, err: str, faults: Faults, told: str) -> None:
        """A documented exit code, one error with its cause and what to do; no traceback."""
        assert "Traceback" not in err, told
        if code == 0:
            # Not durable, so not acknowledged.
            assert faults.failed not in SYNCING, told
            return
        if code == 1 and self.name.startswith(("check", "edit")):
            return  # what could not be read is a problem in its list; the editor could not run
        assert code in DOCUMENTED, told
        assert "error: " in err, told
        assert "hint: " in err, told
        if faults.failed not in ("sqlite", "spawn") and code != 65:
            assert os.strerror(faults.number) in err, told

    def judge_notes(self, code: int, out: str, told: str) -> None:
        """Every note as before or as after; after, when that was said; nothing else."""
        found = notes(self.bench.root)
        assert set(found) <= {*self.old, *self.new}, told
        for path in {*self.old, *self.new}:
            if path != "vaultmem.toml" or self.name != "init":
                assert found.get(path) in (self.old.get(path), self.new.get(path)), (path, told)
        if code == 0 and self.name != "init" and not self.is_left_to_later(out):
            assert found == self.new, told
            if self.new != self.old:
                assert in_head(self.bench.root) == oids(found), told
        if (self.bench.root / ".git/HEAD").exists():
            whole(self.bench.root, told)

    def is_left_to_later(self, out: str) -> bool:
        """Whether the command said that something on disk is not taken in yet."""
        said = ("not committed yet", "problem", "unreadable")
        return self.name.startswith(("sync", "edit")) and any(words in out for words in said)

    def again(self, told: str) -> None:
        """The same command, with a disk that works: done as if nothing had been."""
        after = notes(self.bench.root)
        if not (self.name == "undo" and after == self.new != self.old):
            code, out, err = say(*self.words)
            assert code == 0, f"again: {code} {err}\n{told}"
            if self.name in ANSWERS:
                assert out == self.out, f"again: {self.out}\n{told}"
        else:
            say("sync")  # a second undo would take back what was before; git's index follows
        found = notes(self.bench.root)
        if self.name in ("init", "edit"):  # a new id, and another line, each time
            assert set(found) == set(self.new), told
        else:
            assert found == self.new, told
        if self.new != self.old:
            committed(self.bench.root, told)
        if self.name != "edit" and "unreadable" not in told and "problem" not in told:
            assert subjects(self.bench.root) == self.subjects, told
        whole(self.bench.root, told)
        assert recover(self.bench.root, now_ns=time.time_ns() + 3_000_000_000) == (), told
        left = [*self.bench.root.glob(".vaultmem/tmp/*"), *self.bench.root.glob(".git/vaultmem/*")]
        left += self.bench.root.glob(".git/**/*.lock")
        assert left == [], told


def subjects(root: Path) -> list[str]:
    """What the history says was done, newest first."""
    return git(root, "log", "--format=%s").splitlines()


def committed(root: Path, told: str) -> None:
    """The last commit holds what is on disk."""
    assert git(root, "status", "--porcelain", "--", ".", ":!.vaultmem") == "", told


def in_head(root: Path) -> dict[str, str]:
    """Path -> blob id of what the last commit holds."""
    listed = git(root, "ls-tree", "-r", "-z", "HEAD").split("\0")[:-1]
    found = {line.partition("\t")[2]: line.split()[2] for line in listed}
    return {path: oid for path, oid in found.items() if not path.startswith(".vaultmem/")}


def oids(files: dict[str, bytes]) -> dict[str, str]:
    """Path -> blob id of what is on disk."""
    return {path: blob_oid(data) for path, data in files.items()}


def whole(root: Path, told: str) -> None:
    """Git finds nothing wrong."""
    done = subprocess.run(
        ["git", "-C", str(root), "fsck", "--full", "--strict", "--no-dangling", "--no-progress"],
        capture_output=True,
        text=True,
    )
    said = [line for line in (done.stdout + done.stderr).splitlines() if "unborn" not in line]
    said = [line for line in said if "No default references" not in line]
    assert (done.returncode, said) == (0, []), told
