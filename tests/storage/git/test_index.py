"""The person's index: our paths get in, everything staged stays, whatever kind of index it is."""

from __future__ import annotations

import os
import subprocess
import threading
import time
from pathlib import Path

import pytest

from tests.storage.git.repositories import ITEM, Repo, draft
from vaultmem.base.errors import RepositoryBusyError
from vaultmem.storage.git.door import History
from vaultmem.storage.git.engine import open_engine
from vaultmem.storage.git.repository import open_repository
from vaultmem.storage.git.staging import IndexUpdate, holders_in, is_dead

OTHER = "items/2026/03/11/coffee-i-0000000001.md"


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    repo = Repo(tmp_path)
    repo.commit({"a.md": "one\n", "items/old.md": "old\n"})
    return repo


def _stage(repo: Repo) -> str:
    """Work of the person's: a change and a new file, staged; what `git diff --cached` says."""
    repo.write("a.md", "two\n")
    repo.write("new.md", "new\n")
    repo.git("add", "a.md", "new.md")
    return repo.git("diff", "--cached")


def test_version_4(repo: Repo) -> None:
    repo.git("update-index", "--index-version", "4")
    staged = _stage(repo)
    repo.record({ITEM: b"tea\n", "items/old.md": None})
    assert repo.git("diff", "--cached") == staged
    assert (repo.root / ".git/index").read_bytes()[4:8] == b"\0\0\0\4"
    assert repo.history.unsettled_paths() == frozenset()


def test_split_index(repo: Repo) -> None:
    repo.git("update-index", "--split-index")
    staged = _stage(repo)
    assert list((repo.root / ".git").glob("sharedindex.*"))
    assert repo.history.staged_paths(["a.md", "new.md"]) == {"a.md", "new.md"}
    repo.record({ITEM: b"tea\n"})
    assert repo.git("diff", "--cached") == staged
    assert repo.git("status", "--porcelain", "items") == ""
    assert not list((repo.state / "engine.git").glob("sharedindex.*"))


def test_untracked_cache_and_fsmonitor_extension(repo: Repo) -> None:
    repo.git("config", "core.untrackedCache", "true")
    repo.git("update-index", "--force-untracked-cache")
    repo.git("status")
    staged = _stage(repo)
    repo.record({ITEM: b"tea\n"})
    assert repo.git("diff", "--cached") == staged
    assert repo.git("status", "--porcelain") == "M  a.md\nA  new.md\n"


def test_skip_worktree_and_intent_to_add_survive(repo: Repo) -> None:
    repo.git("update-index", "--skip-worktree", "a.md")
    repo.write("later.md", "x")
    repo.git("add", "-N", "later.md")
    before = repo.git("ls-files", "-v", "-s", "a.md", "later.md", "items/old.md")
    repo.record({ITEM: b"tea\n"})
    assert repo.git("ls-files", "-v", "-s", "a.md", "later.md", "items/old.md") == before


def test_staged_names_what_differs_from_head(repo: Repo) -> None:
    repo.write("items/old.md", "edited")
    repo.write("items/new.md", "x")
    repo.git("add", "items")
    assert repo.history.staged_paths() == {"items/old.md", "items/new.md"}
    repo.record({ITEM: b"tea\n"})
    assert repo.history.staged_paths() == {"items/old.md", "items/new.md"}
    repo.git("rm", "-q", "--cached", "items/new.md")
    assert repo.history.staged_paths() == {"items/old.md"}
    repo.git("commit", "-qm", "x")
    assert repo.history.staged_paths() == frozenset()


def test_committing_a_staged_path_settles_it(repo: Repo) -> None:
    repo.write(ITEM, "staged by hand\n")
    repo.git("add", ITEM)
    repo.record({ITEM: b"tea\n"})
    assert repo.history.staged_paths() == frozenset()
    assert repo.git("status", "--porcelain") == ""


def test_a_file_in_place_of_a_folder(repo: Repo) -> None:
    repo.record({"items/x/a.md": b"1"})
    repo.record({"items/x/a.md": None})
    (repo.root / "items/x").rmdir()
    repo.record({"items/x": b"2"})
    assert repo.git("status", "--porcelain") == ""


def test_a_person_stages_while_a_commit_is_made(repo: Repo) -> None:
    recording = repo.history.start_record([draft({ITEM: b"x"})], expects=repo.history.head())
    staged = _stage(repo)
    recording.finish()
    repo.write(ITEM, b"x")
    assert repo.git("diff", "--cached") == staged
    assert repo.git("status", "--porcelain", "items") == ""


class TestForeignLock:
    def test_it_is_waited_for(self, repo: Repo) -> None:
        lock = repo.root / ".git/index.lock"
        lock.touch()
        free = threading.Timer(0.15, lock.unlink)
        free.start()
        start = time.monotonic()
        repo.write(ITEM, b"tea\n")
        repo.history.record_on_top([draft({ITEM: b"tea\n"})], wait_seconds=5)
        free.join()
        assert time.monotonic() - start >= 0.1
        assert repo.git("status", "--porcelain") == ""
        assert repo.history.unsettled_paths() == frozenset()

    def test_one_that_stays_is_left_alone_and_remembered(self, repo: Repo) -> None:
        lock = repo.root / ".git/index.lock"
        lock.touch()
        history = History.open(repo.root, repo.state, sleep=_no_sleep)
        repo.write(ITEM, "tea\n")
        before = history.head()
        with pytest.raises(RepositoryBusyError, match=r"index\.lock' is there"):
            history.record([draft({ITEM: b"tea\n"})], expects=before)
        assert history.head() == before
        assert history.unsettled_paths() == frozenset()
        history.record_on_top([draft({ITEM: b"tea\n"})], wait_seconds=5)
        assert lock.exists()
        assert repo.git("status", "--porcelain") == ""  # put there, past the lock of nobody
        assert history.unsettled_paths() == {ITEM}
        assert history.staged_paths() == frozenset()
        assert not history.settle_index()
        history.record_on_top([draft({OTHER: b"coffee\n"})], wait_seconds=5)
        repo.write(OTHER, "coffee\n")
        assert repo.history.unsettled_paths() == {ITEM, OTHER}
        lock.unlink()
        assert history.settle_index()
        assert repo.history.unsettled_paths() == frozenset()
        assert repo.git("status", "--porcelain") == ""

    def test_a_git_that_lives_is_waited_for_and_named(self, repo: Repo) -> None:
        editor = "touch there; while [ ! -e over ]; do sleep 0.02; done; false"
        repo.write("a.md", "edited\n")
        committing = subprocess.Popen(
            ["git", "commit", "-a"],
            cwd=repo.root,
            env={**os.environ, "GIT_EDITOR": f"sh -c '{editor}'"},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        deadline = time.monotonic() + 60
        while not (repo.root / "there").exists():
            assert time.monotonic() < deadline
            time.sleep(0.005)  # git needs the core that a turn in a circle would take
        history = History.open(repo.root, repo.state, sleep=_no_sleep)
        before = history.head()
        with pytest.raises(RepositoryBusyError, match=rf"git \(process {committing.pid}\) holds"):
            history.record_on_top([draft({ITEM: b"tea\n"})], wait_seconds=5)
        assert history.head() == before
        repo.write("over", "")
        committing.wait(timeout=120)
        history.record_on_top([draft({ITEM: b"tea\n"})], wait_seconds=5)
        repo.write(ITEM, "tea\n")
        assert repo.git("status", "--porcelain", "items") == ""
        assert not (repo.root / ".git/index.lock").exists()

    def test_where_nobody_says_what_runs_only_an_old_lock_is_passed_by(
        self, repo: Repo, tmp_path: Path
    ) -> None:
        unseen = holders_in(repo.root, processes=str(tmp_path / "none"))
        assert not unseen.can_be_told
        assert not is_dead(unseen, 10.0)
        assert is_dead(unseen, 61.0)

    def test_a_lock_of_a_dead_process_of_ours_is_freed(self, repo: Repo) -> None:
        pid = os.fork()
        if pid == 0:
            repository = open_repository(repo.root, environment=os.environ)
            engine = open_engine(repository, repo.state, os.environ)
            update = IndexUpdate(engine, {ITEM: ("100644", "1" * 40)})
            update.lock(wait_seconds=1)
            os.kill(os.getpid(), 9)
        os.waitpid(pid, 0)
        assert (repo.root / ".git/index.lock").exists()
        repo.record({OTHER: b"coffee\n"})
        assert not (repo.root / ".git/index.lock").exists()
        assert repo.history.settle_index()
        assert repo.git("status", "--porcelain") == ""
        assert os.listdir(repo.root / ".git/vaultmem") == []


def test_a_damaged_index_does_not_keep_a_memory_from_history(repo: Repo) -> None:
    (repo.root / ".git/index").write_bytes(b"DIRC garbage")
    repo.write(ITEM, "tea\n")
    history = repo.history
    oid = history.record([draft({ITEM: b"tea\n"})], expects=history.head())[0]
    assert history.head() == oid
    assert history.unsettled_paths() == {ITEM}
    assert (repo.root / ".git/index").read_bytes() == b"DIRC garbage"


def test_an_index_that_is_a_link_is_left_alone(repo: Repo, tmp_path: Path) -> None:
    index = repo.root / ".git/index"
    index.rename(tmp_path / "elsewhere")
    index.symlink_to(tmp_path / "elsewhere")
    before = (tmp_path / "elsewhere").read_bytes()
    history = repo.history
    history.record([draft({ITEM: b"tea\n"})], expects=history.head())
    assert (tmp_path / "elsewhere").read_bytes() == before
    assert history.unsettled_paths() == {ITEM}


def _no_sleep(seconds: float) -> None:
    """A wait that is over at once."""
