"""Where HEAD is, and that a commit never lands anywhere else."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.storage.git.repositories import ITEM, Repo, draft
from vaultmem.base.errors import HeadMovedError, HistoryError, RepositoryBusyError


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    return Repo(tmp_path)


def test_an_engine_without_its_references_is_mended(repo: Repo) -> None:
    """A command that was killed while it cleared them: git knew it for no repository any more."""
    first = repo.record({ITEM: b"x"})
    shutil.rmtree(repo.state / "engine.git/refs")
    assert repo.history.record([draft({ITEM: b"y"})], expects=first)


class TestHead:
    def test_a_head_that_moved_before_is_refused(self, repo: Repo) -> None:
        first = repo.record({ITEM: b"x"})
        repo.commit({"a.md": "x"})
        with pytest.raises(HeadMovedError):
            repo.history.record([draft({ITEM: b"y"})], expects=first)

    def test_a_head_that_moves_during_the_call_is_kept(self, repo: Repo) -> None:
        first = repo.record({ITEM: b"x"})
        recording = repo.history.start_record([draft({ITEM: b"y"})], expects=first)
        theirs = repo.commit({"a.md": "theirs"})
        with pytest.raises(HeadMovedError):
            recording.finish()
        assert repo.history.head() == theirs
        assert repo.git("diff", "--cached") == ""
        assert repo.history.unsettled_paths() == frozenset()
        assert os.listdir(repo.root / ".git" / "vaultmem") == []

    def test_a_branch_that_changes_during_the_call_is_kept(self, repo: Repo) -> None:
        first = repo.record({ITEM: b"x"})
        recording = repo.history.start_record([draft({ITEM: b"y"})], expects=first)
        repo.git("checkout", "-q", "-b", "other")
        with pytest.raises(HeadMovedError):
            recording.finish()
        assert repo.git("rev-parse", "main", "other").split() == [first, first]

    def test_abandon_leaves_all_as_it_was(self, repo: Repo) -> None:
        first = repo.record({ITEM: b"x"})
        repo.history.start_record([draft({ITEM: b"y"})], expects=first).abandon()
        assert repo.history.head() == first
        assert repo.git("diff", "--cached") == ""
        assert repo.history.unsettled_paths() == frozenset()

    def test_detached(self, repo: Repo) -> None:
        first = repo.record({ITEM: b"x"})
        repo.git("checkout", "-q", "--detach")
        second = repo.record({ITEM: b"y"})
        assert repo.history.branch() is None
        assert repo.history.head() == second
        assert repo.git("rev-parse", "main").strip() == first
        assert repo.git("status", "--porcelain") == ""

    def test_packed_references(self, repo: Repo) -> None:
        first = repo.record({ITEM: b"x"})
        repo.git("pack-refs", "--all")
        assert not (repo.root / ".git/refs/heads/main").exists()
        assert repo.history.head() == first
        assert repo.record({ITEM: b"y"}) == repo.git("rev-parse", "main").strip()

    def test_a_branch_with_a_slash(self, repo: Repo) -> None:
        repo.git("checkout", "-q", "-b", "my/notes")
        oid = repo.record({ITEM: b"x"})
        assert repo.history.branch() == "my/notes"
        assert repo.git("rev-parse", "my/notes").strip() == oid

    @pytest.mark.parametrize(
        "text", ["", "ref: refs/heads/../../x", "ref: ../secret", "ref: HEAD", "0000", "ref:"]
    )
    def test_a_damaged_head_is_named(self, repo: Repo, text: str) -> None:
        (repo.root / ".git/HEAD").write_text(text)
        with pytest.raises(HistoryError, match="cannot be used"):
            repo.history.head()

    def test_a_reference_that_leads_round_is_named(self, repo: Repo) -> None:
        (repo.root / ".git/HEAD").write_text("ref: refs/heads/a\n")
        (repo.root / ".git/refs/heads").mkdir(parents=True, exist_ok=True)
        (repo.root / ".git/refs/heads/a").write_text("ref: refs/heads/a\n")
        with pytest.raises(HistoryError, match="itself"):
            repo.history.head()

    def test_an_empty_branch_file_is_named(self, repo: Repo) -> None:
        repo.record({ITEM: b"x"})
        (repo.root / ".git/refs/heads/main").write_text("")
        with pytest.raises(HistoryError, match="empty"):
            repo.history.head()


def _merge(repo: Repo) -> None:
    repo.git("merge", "-q", "side", check=False)


def _rebase(repo: Repo) -> None:
    repo.git("rebase", "-q", "side", check=False)


def _pick(repo: Repo) -> None:
    repo.git("cherry-pick", "side", check=False)


def _revert(repo: Repo) -> None:
    repo.git("revert", "--no-edit", "HEAD~1", check=False)


def _bisect(repo: Repo) -> None:
    repo.git("bisect", "start")


@pytest.mark.parametrize(
    ("what", "begin"),
    [
        ("merge", _merge),
        ("rebase", _rebase),
        ("cherry-pick", _pick),
        ("revert", _revert),
        ("bisect", _bisect),
    ],
)
def test_in_the_middle_of_something_we_wait_and_say_so(
    repo: Repo, what: str, begin: Callable[[Repo], None]
) -> None:
    repo.commit({"a.md": "one\n"})
    repo.git("checkout", "-q", "-b", "side")
    repo.commit({"a.md": "two\n"})
    repo.git("checkout", "-q", "main")
    repo.commit({"a.md": "three\n"})
    repo.commit({"a.md": "four\n"})
    assert repo.history.in_progress() is None
    begin(repo)
    assert repo.history.in_progress() == what
    head = repo.history.head()
    with pytest.raises(RepositoryBusyError, match=what):
        repo.history.record([draft({ITEM: b"x"})], expects=head)
    assert repo.history.head() == head
