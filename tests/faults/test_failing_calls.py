"""The k-th call to the system fails, for every k of every command: before or after, told plainly.

"100% before-or-after" (reliability.md F3, P2, P16). A command is run once to list its steps: each
call with the line of ours that makes it. CI fails each such pair once a command, by one errno, in
turn; of a command that writes as `remember` does (ALIKE), the pairs that `remember` has not and an
even choice of the others. `--long` takes every step and every errno of all.
"""

from __future__ import annotations

import contextlib
import errno
import io
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from tests.faults.failing import ERRNOS, Faults, Place
from tests.faults.snapshots import Snapshot, notes
from vaultmem.__main__ import main
from vaultmem.api.memory import Memory
from vaultmem.model.ids import blob_oid
from vaultmem.storage.files import recover

KEPT = "I am allergic to hazelnuts."
NEW = "I prefer tabs over spaces."
# A step that fails may cost a wait (another try, an editor's pause), ten times as long where
# others compute; what hangs would take for ever.
MOST_SECONDS = 120.0
MOST_TOLD = int(os.environ.get("TOLD", "5"))
DOCUMENTED = {65, 66, 73, 74, 75, 77, 78}
ANSWERS = ("recall", "search", "list", "show", "log")
SYNCING = ("fsync", "fdatasync")


def say(*words: str) -> tuple[int, str, str]:
    """Exit code, standard output and standard error of a command line."""
    raw = io.BytesIO(), io.BytesIO()
    out, err = (io.TextIOWrapper(each, encoding="utf-8", write_through=True) for each in raw)
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main(words)
    return code, raw[0].getvalue().decode(), raw[1].getvalue().decode()


class HungError(BaseException):
    """The command did not end; not an Exception, so that nothing of ours takes it for an error."""


@contextlib.contextmanager
def deadline(seconds: float) -> Iterator[None]:
    """Raise HungError, with where it waits as traceback, when the body takes longer."""

    def late(*_: object) -> None:
        raise HungError

    before = signal.signal(signal.SIGALRM, late)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


class Bench:
    """A vault with a little of everything, and its device state, for command after command."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.root = folder / "vault"
        self.outside = folder / "outside"
        self.outside.mkdir()
        self.state = Path(os.environ["XDG_STATE_HOME"])
        self.home = {name: os.environ[name] for name in _OF_HOME}
        self.monkeypatch = monkeypatch
        self.is_spent = False  # a case took all of it away
        self.at("2026-03-11T12:00:00Z")
        Memory.init(self.root, name="bench")
        monkeypatch.chdir(self.root)
        for text in (KEPT, "Ada works at Acme as an engineer.", "We decided to use Postgres."):
            assert say("remember", text)[0] == 0
        (self.outside / "tea.txt").write_text("I drink green tea every morning.\n")
        (self.outside / "cat.txt").write_text("My cat is called Miso.\n")
        assert say("sync")[0] == 0
        self.before = Snapshot(folder, self.state)

    def begin(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """All as it was made, at the home where it was made, a day later."""
        self.monkeypatch = monkeypatch
        for name, value in self.home.items():
            monkeypatch.setenv(name, value)
        self.before.restore()
        monkeypatch.chdir(self.root)
        self.at("2026-03-12T12:00:00Z")

    def at(self, moment: str) -> None:
        """What the clock of the commands says."""
        self.monkeypatch.setenv("VAULTMEM_NOW", moment)


_OF_HOME = ("HOME", "USERPROFILE", "XDG_CONFIG_HOME", "XDG_STATE_HOME")


@pytest.fixture(scope="module")
def _benches() -> list[Bench]:
    """The bench of the tests before, once one was made."""
    return []


@pytest.fixture
def bench(
    _benches: list[Bench], tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> Bench:
    """See `Bench`; made once in a worker, then restored: making takes a quarter of a second."""
    if not _benches or _benches[0].is_spent:
        _benches[:] = [Bench(tmp_path_factory.mktemp("bench"), monkeypatch)]
    [made] = _benches
    made.begin(monkeypatch)
    return made


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


def ended(bench: Bench) -> None:
    """The allergy is over, and long enough for a retention of no days."""
    assert say("expire", item(bench).relative_to(bench.root).as_posix())[0] == 0
    bench.at("2026-03-13T12:00:00Z")


def exported(bench: Bench) -> None:
    """A document of this vault, in which one thing is newer than here and one unknown."""
    document = bench.outside / "notes.json"
    assert say("remember", NEW)[0] == 0
    assert say("correct", item(bench).relative_to(bench.root).as_posix(), f"{KEPT} Really.")[0] == 0
    assert say("export", str(document))[0] == 0
    assert say("undo", "2")[0] == 0


def bare_folder(bench: Bench) -> None:
    """A folder with one note that is no vault yet, and a device that knows no vault."""
    bench.is_spent = True
    shutil.rmtree(bench.root)
    shutil.rmtree(bench.state)
    bench.state.mkdir()
    bench.root.mkdir()
    (bench.root / "mine.md").write_text("# Mine\n")
    # The folder that was the working folder is gone: without this no step finds its place.
    bench.monkeypatch.chdir(bench.root)


def git(root: Path, *words: str) -> str:
    """Output of the person's own git."""
    done = subprocess.run(
        ["git", "-C", str(root), *words], capture_output=True, text=True, check=True
    )
    return done.stdout


CASES: tuple[tuple[str, Callable[[Bench], None], tuple[str, ...]], ...] = (
    ("init", bare_folder, ("init", ".", "--name", "x")),
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
    ("change", nothing, ("change", "hazel", "I am allergic to peanuts.")),
    ("correct", nothing, ("correct", "hazel", "I am allergic to walnuts.")),
    ("expire", nothing, ("expire", "hazel")),
    ("retract", nothing, ("retract", "hazel")),
    ("forget", nothing, ("forget", "hazel", "--yes")),
    ("compact", ended, ("compact", "--retention", "0")),
    ("import", exported, ("import", "../outside/notes.json", "--writer", "person")),
    ("clear", nothing, ("clear", "--yes")),
    ("undo two", nothing, ("undo", "2")),
)

WRITING_ALIKE = (
    *("change", "correct", "expire", "retract", "forget", "compact", "import", "clear"),
    "undo two",
)
# Command -> a command like it, and how many are failed of the places that they have in common.
ALIKE = {
    **dict.fromkeys(WRITING_ALIKE, ("remember", 6)),
    **dict.fromkeys(("undo", "restore", "edit", "remember many"), ("remember", 20)),
    "check --fix": ("check", 8),
}
# Said twice these mean something else, or have nothing left to do: undo the undo, the version
# before that, a fact that has ended already.
ONCE = ("undo", "restore", *WRITING_ALIKE)

ONLY_LONG = ("sync after deletion",)  # all but a few of its places are those of `sync after edit`


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
    is_long = float(request.config.getoption("--long")) > 1
    if name in ONLY_LONG and not is_long:
        pytest.skip("the same calls as in another command; `--long` takes them too")
    case = Case(bench, name, words)
    steps = case.steps()
    chosen: Sequence[int] = range(1, len(steps) + 1) if is_long else first_of_each(steps)
    if name in ALIKE and not is_long:
        like, few = ALIKE[name]
        [known] = (words for each, _, words in CASES if each == like)
        chosen = own_of(steps, chosen, Case(bench, like, known).steps(), few=few)
    failed, wrong = 0, []
    for turn, at in enumerate(chosen):
        for number in ERRNOS if is_long else (ERRNOS[turn % len(ERRNOS)],):
            try:
                with deadline(MOST_SECONDS):
                    failed += case.fail(at, number)
            except AssertionError as error:
                failed += 1
                wrong.append(str(error))
            except HungError as hung:
                raise AssertionError(f"{name}: step {at} ({steps[at - 1]}) hangs") from hung
    assert not wrong, f"{len(wrong)} of {failed}:\n" + "\n\n".join(wrong[:MOST_TOLD])
    tally(f"failing calls: {name}", steps=len(steps), calls_failed=failed)


@pytest.mark.parametrize("words", [("check",), ("check", "--deep")], ids=" ".join)
def test_a_git_that_was_killed_while_it_looked_has_not_found_everything_well(
    bench: Bench, words: Sequence[str]
) -> None:
    case = Case(bench, "check", words)
    places = case.steps()
    spawns = [at for at, (call, _) in enumerate(places, 1) if call == "spawn"]
    examined = 0
    for at in spawns:
        case.before.restore()
        with Faults(at, errno.ENOSPC) as faults:  # the one that stands for SIGKILL
            code, out, _ = say(*words)
        for name in {"fsck", "rev-list"} & {*faults.arguments}:
            examined += 1
            assert f"`git {name}` failed: it was ended by signal 9" in out
            assert code == 1 or "--deep" in words  # there it is a warning, as all lost history is
    assert examined


def first_of_each(steps: Sequence[Place]) -> list[int]:
    """Numbers (from 1) of the first step of each call at each line of ours."""
    first: dict[object, int] = {}
    for number, (call, lines) in enumerate(steps, 1):
        first.setdefault((call, lines[:1]), number)
    return list(first.values())


def own_of(
    steps: Sequence[Place], chosen: Sequence[int], other: Sequence[Place], *, few: int
) -> list[int]:
    """Of the chosen steps those at no place of the other command, and about so many others."""
    known = {(call, lines[:1]) for call, lines in other}
    shared = [at for at in chosen if (steps[at - 1][0], steps[at - 1][1][:1]) in known]
    return sorted({*chosen} - {*shared} | {*shared[:: max(1, len(shared) // few)]})


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
        self.keeps = self.before.is_untouched(bench.root / ".git")
        self.left = uncommitted(bench.root)  # `init` leaves notes that were there to the next sync
        self.before.restore()
        if (bench.root / ".git/HEAD").exists():
            whole(bench.root, f"before {name}")

    def steps(self) -> list[Place]:
        """Every step that the command takes when none fails."""
        self.before.restore()
        with Faults(0, 0) as faults, deadline(MOST_SECONDS):
            code, _, err = say(*self.words)
        assert code == 0, err
        return faults.places

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
            # Fewer is no leak: what an earlier test left may be collected meanwhile.
            assert len(os.listdir("/proc/self/fd")) <= len(descriptors), f"open files: {told}"
        self.judge_words((code, out, err), faults, told)
        # What an uncommitted edit of a list means needs git: when it is git that fails, the items
        # answer as before the edit, and the next command (`again`) as it means them.
        is_meaning = faults.failed == "spawn" and self.name in ("recall", "list")
        if code == 0 and self.name in ANSWERS and not is_meaning:
            assert out == self.out, f"{self.out}\n{told}"
        self.judge_notes(code, out, told)
        self.again(told)
        return True

    def judge_words(self, answer: tuple[int, str, str], faults: Faults, told: str) -> None:
        """A documented exit code, one error with its cause and what to do; no traceback."""
        code, out, err = answer
        assert "Traceback" not in err, told
        if code == 0:
            # Not durable, so not acknowledged.
            if faults.failed in SYNCING:
                assert self.is_of_ledger(faults), told
                assert "ledger" in say("check")[1], told
            return
        if code == 1 and self.name.startswith("check"):
            # Looking is its task: what it could not look at is one of the problems that it lists.
            # Git that cannot even be started has the system's cause, one that failed its own.
            causes = ["`git "] * (faults.failed == "spawn") + [os.strerror(faults.number)]
            assert any(cause in out for cause in causes), told
            return
        if code == 1 and self.name == "edit":
            # `VISUAL` names what may not be run: a mistake of the settings, not of the system.
            assert "cannot run the editor" in err, told
            assert faults.number == errno.EACCES, told
        else:
            assert code in DOCUMENTED, told
        assert "error: " in err, told
        assert "hint: " in err, told
        if faults.failed not in ("sqlite", "spawn"):
            assert os.strerror(faults.number) in err, told

    def is_of_ledger(self, faults: Faults) -> bool:
        """Whether it was the ledger that could not be synced: its file, its key, their two names.

        It only seals the audit, so the memory is kept without it, and `check` says so. What any
        other line of ours cannot sync, by fdatasync or fsync, must not be acknowledged.
        """
        _, lines = faults.place
        who = next(name for name, _ in lines if name != "base/whole_files.py")  # its hand
        return who == "vault/ledger.py"

    def judge_notes(self, code: int, out: str, told: str) -> None:
        """Every note as before or as after; after, when that was said; nothing else."""
        found = notes(self.bench.root)
        assert set(found) <= {*self.old, *self.new}, told
        for path in {*self.old, *self.new}:
            if path != "vaultmem.toml" or self.name != "init":
                assert found.get(path) in (self.old.get(path), self.new.get(path)), (path, told)
        if code == 0 and self.name != "init":
            assert found == self.new, told
            if self.new != self.old:
                assert in_head(self.bench.root) == oids(found), told
        if (self.bench.root / ".git/HEAD").exists():
            self.whole(told)

    def whole(self, told: str) -> None:
        """Git finds nothing wrong; of what is as it was at the beginning it is known."""
        if not self.before.is_untouched(self.bench.root / ".git"):
            whole(self.bench.root, told)

    def is_kept(self) -> bool:
        """Whether the history is to be, and is, what it was at the beginning, file by file."""
        return self.keeps and self.before.is_untouched(self.bench.root / ".git")

    def again(self, told: str) -> None:
        """The same command, with a disk that works: done as if nothing had been."""
        after = notes(self.bench.root)
        if not (self.name in ONCE and after == self.new != self.old):
            code, out, err = say(*self.words)
            assert code == 0, f"again: {code} {err}\n{told}"
            if self.name in ANSWERS:
                assert out == self.out, f"again: {self.out}\n{told}"
        else:
            say("sync")  # git's index follows
        found = notes(self.bench.root)
        if self.name in ("init", "edit"):  # a new id, and another line, each time
            assert set(found) == set(self.new), told
        else:
            assert found == self.new, told
        if self.new != self.old:
            assert uncommitted(self.bench.root) == self.left, told
        if self.name != "edit" and not self.is_kept():
            assert subjects(self.bench.root) == self.subjects, told
        self.whole(told)
        assert recover(self.bench.root, now_ns=time.time_ns() + 3_000_000_000) == (), told
        left = [*self.bench.root.glob(".vaultmem/tmp/*"), *self.bench.root.glob(".git/vaultmem/*")]
        left += self.bench.root.glob(".git/**/*.lock")
        assert left == [], told


def subjects(root: Path) -> list[str]:
    """What the history says was done, newest first."""
    return git(root, "log", "--format=%s").splitlines()


def uncommitted(root: Path) -> str:
    """What the last commit does not hold, as git says it; '' when it holds all."""
    return git(root, "status", "--porcelain", "--", ".", ":!.vaultmem")


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
