"""What we wrote to git, read back by another program's object model: an independent witness."""

from __future__ import annotations

from pathlib import Path

import pytest
from git import Blob

from vaultmem import Memory


@pytest.fixture
def root(tmp_path: Path) -> Path:
    Memory.init(tmp_path / "vault")
    return tmp_path / "vault"


def test_every_operation_is_a_commit_that_gitpython_reads(root: Path) -> None:
    with Memory(root) as memory:
        memory.remember("I prefer tea to coffee.")
        memory.remember("Der Zahnarzt heißt Dr. Öztürk.")
        done = memory.history.log()
        with memory.history.repository() as repository:
            commits = list(repository.iter_commits(done[0].commit))
    assert [commit.hexsha for commit in commits] == [each.commit for each in done]
    assert [commit.message.splitlines()[0] for commit in commits] == [each.subject for each in done]
    assert [commit.committed_date for commit in commits] == [each.at // 1000 for each in done]


def test_the_last_tree_holds_the_bytes_on_disk(root: Path) -> None:
    with Memory(root) as memory:
        memory.remember("Der Zahnarzt heißt Dr. Öztürk.")
        with memory.history.repository() as repository:
            tree = repository.commit(memory.history.log()[0].commit).tree
            kept = {
                str(each.path): each.data_stream.read()
                for each in tree.traverse()
                if isinstance(each, Blob)
            }
    on_disk = {path: (root / path).read_bytes() for path in kept}
    assert kept == on_disk
    assert any("Öztürk".encode() in data for data in kept.values())


def test_it_reads_this_vault_whatever_git_dir_says(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Memory(root) as memory:
        memory.remember("I prefer tea to coffee.")
        monkeypatch.setenv("GIT_DIR", str(tmp_path / "elsewhere"))
        with memory.history.repository() as repository:
            assert "tea" in repository.git.show("-p", memory.history.log()[0].commit)


def test_a_filter_of_the_vault_is_not_run_by_it(root: Path, tmp_path: Path) -> None:
    touched = tmp_path / "touched"
    with open(root / ".git/config", "a", encoding="utf-8") as config:
        config.write(f'[diff "x"]\n\tcommand = touch {touched}\n\ttextconv = touch {touched}\n')
    (root / ".gitattributes").write_text("*.md diff=x\n", encoding="utf-8")
    with Memory(root) as memory:
        memory.remember("I prefer tea to coffee.")
        with memory.history.repository() as repository:
            repository.git.log("-p", "--ext-diff", "--textconv", memory.history.log()[0].commit)
    assert not touched.exists()
