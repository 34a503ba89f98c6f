"""Which repositories are used, which are refused by name, and what is odd about one."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.storage.git.repositories import ITEM, Repo
from vaultmem.base.errors import HistoryDamagedError, HistoryError
from vaultmem.storage.git.door import History
from vaultmem.storage.git.repository import open_repository, parse_config


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    repo = Repo(tmp_path)
    repo.record({ITEM: b"x\n"})
    return repo


def _config(repo: Repo, text: str) -> None:
    with open(repo.root / ".git/config", "a", encoding="utf-8") as file:
        file.write(text)


@pytest.mark.parametrize(
    ("config", "reason"),
    [
        ("[extensions]\n\tpartialClone = origin\n", "partial clone"),
        ('[remote "origin"]\n\tpromisor = true\n', "partial clone"),
        ("[extensions]\n\trefStorage = reftable\n", "reftable"),
        ("[extensions]\n\trelativeWorktrees = true\n", "relativeworktrees"),
        ("[extensions]\n\tsomethingNew = 1\n", "somethingnew"),
        ("[core]\n\trepositoryformatversion = 2\n", "format version is 2"),
        ("[extensions]\n\tobjectFormat = sha3\n", "sha3"),
        ("[core]\n\tbare = true\n", "bare"),
    ],
)
def test_a_kind_that_is_not_used_is_named(repo: Repo, config: str, reason: str) -> None:
    _config(repo, config)
    with pytest.raises(HistoryError, match=reason):
        History.open(repo.root, repo.state)


def test_149_a_git_file_that_points_elsewhere_is_refused(repo: Repo, tmp_path: Path) -> None:
    (repo.root / ".git").rename(tmp_path / "moved")
    (repo.root / ".git").write_text(f"gitdir: {tmp_path / 'moved'}\n")
    with pytest.raises(HistoryError, match="points to a repository elsewhere"):
        History.open(repo.root, repo.state)


def test_a_linked_git_folder_is_refused(repo: Repo, tmp_path: Path) -> None:
    (repo.root / ".git").rename(tmp_path / "moved")
    (repo.root / ".git").symlink_to(tmp_path / "moved")
    with pytest.raises(HistoryError, match="is a link"):
        History.open(repo.root, repo.state)


def test_a_linked_worktree_is_refused(repo: Repo, tmp_path: Path) -> None:
    repo.git("worktree", "add", "-q", "--detach", str(tmp_path / "tree"))
    with pytest.raises(HistoryError, match="linked worktree"):
        History.open(tmp_path / "tree", repo.state)
    assert repo.history.head()


def test_no_repository_above_is_taken(repo: Repo) -> None:
    with pytest.raises(HistoryError, match="not a Git repository"):
        History.open(repo.root / "items", repo.state)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="needs root to chown")
def test_150_a_foreign_owner_is_refused_with_the_way_out(repo: Repo) -> None:
    os.chown(repo.root / ".git", 12345, -1)
    with pytest.raises(HistoryError, match="another user") as refused:
        History.open(repo.root, repo.state)
    assert "chown" in refused.value.hint
    through_sudo = {**os.environ, "SUDO_UID": "12345"}
    assert open_repository(repo.root, environment=through_sudo).algorithm == "sha1"


@pytest.mark.parametrize("config", ["[core\n", '[core]\n\tx = "open\n'])
def test_a_config_that_git_refuses_is_damage_and_named(repo: Repo, config: str) -> None:
    (repo.root / ".git/config").write_text(config)
    history = History.open(repo.root, repo.state)  # notes can still be read
    with pytest.raises(HistoryDamagedError, match="line"):
        history.head()


def test_missing_parts_are_damage_and_named(repo: Repo) -> None:
    (repo.root / ".git/refs").rename(repo.root / ".git/gone")
    history = History.open(repo.root, repo.state)
    with pytest.raises(HistoryDamagedError, match=r"damaged: '.git/refs' is not a folder"):
        history.head()
    with pytest.raises(HistoryDamagedError):
        history.tree("HEAD")


def test_an_ordinary_repository_has_nothing_odd(repo: Repo) -> None:
    repo.git("remote", "add", "origin", "https://example.org/x.git")
    repo.git("config", "branch.main.remote", "origin")
    repo.git("config", "user.email", "me@example.org")
    assert repo.history.odd_settings() == ()


def test_what_is_odd_is_listed(repo: Repo) -> None:
    repo.git("config", "core.fsmonitor", "/tmp/evil")
    repo.git("config", "filter.x.clean", "evil %f")
    repo.git("config", "remote.origin.uploadpack", "evil")
    repo.write(".git/hooks/pre-commit", "#!/bin/sh\n")
    repo.write(".git/hooks/pre-push.sample", "#!/bin/sh\n")
    repo.write(".git/info/attributes", "* filter=x\n")
    assert repo.history.odd_settings() == (
        "core.fsmonitor = /tmp/evil",
        "filter.x.clean = evil %f",
        "remote.origin.uploadpack = evil",
        "hooks/pre-commit",
        "info/attributes",
    )


class TestConfigSyntax:
    def test_as_git_reads_it(self, repo: Repo) -> None:
        text = (
            "[a] x = 1 ; comment\n[A]\n\tY = two words  # more\n\tz\n"
            '[a "Sub.Case \\"q\\" \\\\"]\n k = " kept ; # "tail \n'
            '\tlong = one \\\n  two\n\tesc = a\\tb\\n\\"c\\"\\\\\n[old.Sub]\n\tk=v\n\te =\n'
            "\ttrail = x   \n[A-b] c-d = 1\n"
        )
        (repo.root / "config").write_text(text)
        listed = repo.git("config", "--file", "config", "--list", "-z").split("\0")[:-1]
        expected = [tuple((line + "\ntrue").split("\n", 1)) for line in listed]
        theirs = [
            (key, value.removesuffix("\ntrue") if "\n" in value else value)
            for key, value in expected
        ]
        assert list(parse_config(text).settings) == theirs

    def test_the_last_value_counts(self) -> None:
        config = parse_config("[core]\nbare = true\n[CORE]\nBare = no\n")
        assert config.is_true("core.bare", default=True) is False
        assert config.get("core.missing") is None
        assert config.is_true("core.missing", default=True) is True

    def test_includes_are_never_followed(self, tmp_path: Path) -> None:
        (tmp_path / "evil").write_text("[core]\nbare = true\n")
        config = parse_config(f"[include]\npath = {tmp_path / 'evil'}\n")
        assert config.get("core.bare") is None
        assert config.odd() == (f"include.path = {tmp_path / 'evil'}",)

    @settings(max_examples=300, deadline=None)
    @given(st.text(alphabet='[]"\\=#; \n\tab.1-é', max_size=60))
    def test_any_text_is_read_or_refused(self, text: str) -> None:
        with suppress(HistoryError):
            assert all("." in name for name, _ in parse_config(text).settings)
