"""Another program at work in the worst moments of a commit: no memory leaves the last commit."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Git
from tests.faults.steps import Steps
from tests.storage.git.repositories import ITEM, Repo, draft
from vaultmem.api.memory import Memory
from vaultmem.base.errors import DiskError, HeadMovedError
from vaultmem.storage.files import publishing
from vaultmem.storage.git.door import History
from vaultmem.storage.git.join import FILE, Entry
from vaultmem.vault import durability

BRANCH = "refs/heads/main"


class Before(Steps):
    """Calls `work` once, before the first step that `is_it` knows; the steps in it do not count."""

    def __init__(self, is_it: Callable[[str, tuple[Any, ...]], bool], work: Callable[[], object]):
        super().__init__()
        self._is_it = is_it
        self._work = work
        self.is_done = False

    def meet(self, name: str, arguments: tuple[Any, ...]) -> None:
        if not self.is_done and self._is_it(name, arguments):
            self.is_done = True
            self._work()


def moves_branch(name: str, arguments: tuple[Any, ...]) -> bool:
    """Whether the branch gets its new value by this step."""
    return name == "replace" and os.fspath(arguments[1]).endswith(BRANCH)


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    repo = Repo(tmp_path)
    repo.commit({"a.md": "one\n"})
    return repo


def test_the_index_has_our_paths_before_the_branch_moves(repo: Repo) -> None:
    """`git commit -a` reads HEAD, then the index, then locks it: the index may not lag behind."""
    seen: list[str] = []
    with Before(moves_branch, lambda: seen.append(repo.git("ls-files"))) as before:
        repo.record({ITEM: b"x"})
    assert before.is_done
    assert seen == [f"a.md\n{ITEM}\n"]
    assert repo.git("diff", "--cached") == ""
    assert os.listdir(repo.root / ".git/vaultmem") == []


def test_the_index_is_as_it_was_when_the_branch_does_not_move(repo: Repo) -> None:
    repo.write("new.md", "staged\n")
    repo.git("add", "new.md")
    index = repo.root / ".git/index"
    before, head = index.read_bytes(), repo.git("rev-parse", "HEAD").strip()
    there = repo.git("commit-tree", "-m", "theirs", "-p", head, f"{head}^{{tree}}").strip()
    moving = Before(is_lock, lambda: repo.git("update-ref", BRANCH, there))
    with moving, pytest.raises(HeadMovedError):
        History.open(repo.root, repo.state).record([draft({ITEM: b"x"})], expects=head)
    assert moving.is_done
    assert index.read_bytes() == before
    assert not (repo.root / ".git/index.lock").exists()
    assert os.listdir(repo.root / ".git/vaultmem") == []


def is_lock(name: str, arguments: tuple[Any, ...]) -> bool:
    """Whether the branch is about to be locked, with the new index in its place."""
    return name == "link" and os.fspath(arguments[1]).endswith(f"{BRANCH}.lock")


def commit_placed_index(repo: Repo) -> None:
    """As `git commit` does that had its lock on the index before we had ours."""
    placed = repo.root / "placed"
    shutil.copyfile(repo.root / ".git/index", placed)
    tree = subprocess.run(
        ["git", "write-tree"],
        cwd=repo.root,
        env={**os.environ, "GIT_INDEX_FILE": os.fspath(placed)},
        capture_output=True,
        check=True,
        text=True,
    ).stdout.strip()
    placed.unlink()
    oid = repo.git("commit-tree", "-m", "theirs", "-p", "HEAD", tree).strip()
    repo.git("update-ref", BRANCH, oid)


def test_a_commit_of_the_index_as_we_placed_it_takes_nothing_out_again(repo: Repo) -> None:
    """Its tree holds our note; an index without it would take the note out with the next commit."""
    head = repo.git("rev-parse", "HEAD").strip()
    repo.write(ITEM, "x")
    history = History.open(repo.root, repo.state)
    assert history.settle_index()  # of the first call since the machine started
    with (
        Before(is_lock, lambda: commit_placed_index(repo)) as theirs,
        pytest.raises(HeadMovedError),
    ):
        history.record([draft({ITEM: b"x"})], expects=head)
    assert theirs.is_done
    assert repo.git("show", f"HEAD:{ITEM}") == "x"
    assert repo.git("diff", "--cached", "--name-only") == ""  # the next commit takes nothing out
    assert history.record([draft({ITEM: b"x"})], expects=history.head()) == [""]  # it is there
    assert history.unsettled_paths() == set()
    assert repo.git("status", "--porcelain") == ""


def test_a_commit_of_what_another_device_sent_takes_nothing_out_again(repo: Repo) -> None:
    head = repo.git("rev-parse", "HEAD").strip()
    received = repo.record({ITEM: b"x"})
    oid = repo.git("rev-parse", f"{received}:{ITEM}").strip()
    assert repo.history.settle_index()
    repo.git("reset", "-q", "--hard", head)
    repo.write(ITEM, "x")
    changed = {ITEM: Entry(FILE, oid)}
    with (
        Before(is_lock, lambda: commit_placed_index(repo)) as theirs,
        pytest.raises(HeadMovedError),
    ):
        repo.history.exchange().advance(head, received, changed, reason="vaultmem sync")
    assert theirs.is_done
    assert repo.history.settle_index()
    assert repo.git("status", "--porcelain") == ""


def test_the_index_has_what_another_device_sent_before_the_branch_moves(repo: Repo) -> None:
    """A `git commit -a` that read the index in between took the received notes out of HEAD."""
    head = repo.git("rev-parse", "HEAD").strip()
    received = repo.record({ITEM: b"x"})
    oid = repo.git("rev-parse", f"{received}:{ITEM}").strip()
    repo.git("reset", "-q", "--hard", head)
    repo.write(ITEM, "x")
    changed = {ITEM: Entry(FILE, oid)}
    seen: list[str] = []
    with Before(moves_branch, lambda: seen.append(repo.git("ls-files"))) as before:
        repo.history.exchange().advance(head, received, changed, reason="vaultmem sync")
    assert before.is_done
    assert seen == [f"a.md\n{ITEM}\n"]
    assert repo.git("status", "--porcelain") == ""
    assert os.listdir(repo.root / ".git/vaultmem") == []


def test_the_index_is_as_it_was_when_what_was_sent_cannot_be_taken(repo: Repo) -> None:
    head = repo.git("rev-parse", "HEAD").strip()
    received = repo.record({ITEM: b"x"})
    oid = repo.git("rev-parse", f"{received}:{ITEM}").strip()
    repo.git("reset", "-q", "--hard", head)
    before = (repo.root / ".git/index").read_bytes()

    class Fails(Steps):
        def meet(self, name: str, arguments: tuple[Any, ...]) -> None:
            if moves_branch(name, arguments):
                raise OSError(5, "ended")

    with Fails(), pytest.raises(DiskError):
        repo.history.exchange().advance(
            head, received, {ITEM: Entry(FILE, oid)}, reason="vaultmem sync"
        )
    assert (repo.root / ".git/index").read_bytes() == before
    assert repo.git("rev-parse", "HEAD").strip() == head
    assert os.listdir(repo.root / ".git/vaultmem") == []


def test_the_index_has_no_erased_note_when_the_branch_moves(root: Path, git: Git) -> None:
    """As above: a `git commit -a` that read it in between brought the erased note back."""
    seen: list[str] = []
    with Memory(root) as memory:
        memory.remember("The cellar is damp.")
        [item] = git("ls-files", "items").split()
        with Before(moves_branch, lambda: seen.append(git("ls-files", "items"))) as before:
            memory.forgetting.purge(item)
    assert before.is_done
    assert seen == [""]


def test_a_branch_in_the_making_is_not_lost(tmp_path: Path) -> None:
    """Its log is written first: who reads in between waits for the name."""
    repo = Repo(tmp_path)
    seen: list[str | None] = []

    def read() -> None:
        script = (
            "import sys; from pathlib import Path; "
            "from vaultmem.storage.git.door import History; "
            "print(History.open(Path(sys.argv[1]), Path(sys.argv[2])).head(), flush=True)"
        )
        words = [sys.executable, "-c", script, str(repo.root), str(repo.state)]
        readers.append(subprocess.Popen(words, stdout=subprocess.PIPE, text=True))
        with contextlib.suppress(subprocess.TimeoutExpired):
            readers[0].wait(timeout=0.7)  # one that does not wait has ended by then

    readers: list[subprocess.Popen[str]] = []
    with Before(moves_branch, read) as before:
        made = repo.record({ITEM: b"x"})
    assert before.is_done
    seen = [reader.communicate(timeout=60)[0].strip() for reader in readers]
    assert seen == [made]


def test_what_a_foreign_commit_took_out_is_seen_by_all(root: Path, git: Git) -> None:
    """Another process learns of the commit after ours before ours has told the index."""

    def drop() -> None:
        [item] = git("ls-files", "items").split()
        git("rm", "-q", "--cached", item)
        git("commit", "-q", "-m", "by hand")
        words = [sys.executable, "-m", "vaultmem", "--vault", str(root), "list"]
        subprocess.run(words, check=True, capture_output=True, timeout=60)

    moved: list[bool] = []

    def tells_index(name: str, arguments: tuple[Any, ...]) -> bool:
        moved.extend([True] * moves_branch(name, arguments))
        return bool(moved) and name == "sqlite"

    with Before(tells_index, drop) as before, Memory(root) as memory:
        memory.remember("I prefer tabs over spaces.")
    assert before.is_done
    assert git("ls-files", "items") == ""
    with Memory(root) as memory:
        assert [path.parts[0] for path in memory.sync(settle=False).pending] == ["items"]
        memory.sync()
    assert git("ls-tree", "-r", "--name-only", "HEAD", "items") != ""


@pytest.mark.parametrize("ended", [KeyboardInterrupt, OSError], ids=["by a signal", "by the disk"])
def test_a_second_attempt_that_is_ended_leaves_no_files(
    root: Path, git: Git, ended: type[BaseException]
) -> None:
    """Files without a commit would be the person's own words with the next command."""
    moved: list[str] = []

    class Ended(Steps):
        def meet(self, name: str, arguments: tuple[Any, ...]) -> None:
            if moves_branch(name, arguments):
                raise ended(5, "ended")
            if not moved and name == "link" and os.fspath(arguments[1]).endswith(f"{BRANCH}.lock"):
                moved.append(git("update-ref", BRANCH, there))

    with Memory(root) as memory:
        head = git("rev-parse", "HEAD").strip()
        there = git("commit-tree", "-m", "theirs", "-p", head, f"{head}^{{tree}}").strip()
        with Ended(), pytest.raises((ended, DiskError)):
            memory.remember("The cellar is damp.", writer="web")
        assert moved
        assert git("status", "--porcelain", "-uall") == ""
        assert memory.sync().commits == ()


@pytest.mark.parametrize("step", ["behind the last file", "behind the log", "behind it all"])
def test_a_signal_between_the_files_and_their_commit_leaves_no_files(
    root: Path, git: Git, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    """As above, for the moments at which no call of the system fails."""
    owner, name = {
        "behind the last file": (publishing._Publication, "carry_out"),
        "behind the log": (publishing._Publication, "finish"),
        "behind it all": (durability, "durable_numbers"),
    }[step]
    whole = getattr(owner, name)

    def ended(*args: Any) -> None:
        whole(*args)
        raise KeyboardInterrupt

    with Memory(root) as memory:
        memory.remember("I prefer tea.")
        monkeypatch.setattr(owner, name, ended)
        with pytest.raises(KeyboardInterrupt):
            memory.remember("I prefer tabs over spaces, and I like coffee.")
        monkeypatch.undo()
        assert git("status", "--porcelain", "-uall") == ""
        assert memory.sync().commits == ()
        memory.remember("I prefer tabs over spaces, and I like coffee.")
    assert git("status", "--porcelain", "-uall") == ""
