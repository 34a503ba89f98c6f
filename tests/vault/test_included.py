"""Notes that `include` names lie outside our folders, and are committed as any other."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Git
from vaultmem.api.memory import Memory


def include(root: Path, *globs: str) -> None:
    """Let the settings of the vault name these notes, in the last commit too."""
    settings = root / "vaultmem.toml"
    named = ", ".join(f'"{glob}"' for glob in globs)
    settings.write_text(f"include = [{named}]\n{settings.read_text('utf-8')}", "utf-8")


@pytest.fixture
def journal(root: Path, git: Git) -> Path:
    """A vault with an included folder of five committed notes."""
    include(root, "Journal/**/*.md")
    git("commit", "-qam", "settings")
    (root / "Journal" / "2026").mkdir(parents=True)
    for day in range(1, 6):
        (root / "Journal" / "2026" / f"{day}.md").write_text(f"Day {day} was quiet.\n", "utf-8")
    with Memory(root) as memory:
        memory.sync()
    return root


def empty_commits(git: Git) -> list[str]:
    """Commits with one parent, whose tree is that of it."""
    found = []
    for line in git("log", "--format=%H %T %P").splitlines():
        commit, tree, *parents = line.split()
        if len(parents) == 1 and git("rev-parse", f"{parents[0]}^{{tree}}").strip() == tree:
            found.append(git("log", "-1", "--format=%s", commit).strip())
    return found


def by_reindex(memory: Memory, root: Path, git: Git) -> None:
    memory.reindex()


def by_rehash(memory: Memory, root: Path, git: Git) -> None:
    memory.sync(rehash=True)


def by_a_commit_of_the_persons(memory: Memory, root: Path, git: Git) -> None:
    (root / "Journal" / "2026" / "2.md").write_text("Day 2 was loud.\n", "utf-8")
    git("commit", "-qam", "mine")


def by_settings_that_name_less_and_then_more(memory: Memory, root: Path, git: Git) -> None:
    settings = (root / "vaultmem.toml").read_text("utf-8")
    (root / "vaultmem.toml").write_text(settings.replace("Journal", "Diary"), "utf-8")
    with Memory(root) as other:
        other.sync()
    (root / "vaultmem.toml").write_text(settings, "utf-8")


@pytest.mark.parametrize(
    "change",
    [
        by_reindex,
        by_rehash,
        by_a_commit_of_the_persons,
        by_settings_that_name_less_and_then_more,
    ],
)
def test_included_notes_are_not_committed_again_without_a_change(
    journal: Path, git: Git, change: Callable[[Memory, Path, Git], None]
) -> None:
    with Memory(journal) as memory:
        change(memory, journal, git)
    with Memory(journal) as memory:
        memory.sync()
        assert memory.sync().pending == ()
        assert [p for p in memory.check(deep=True).problems if p.code == "index-differs"] == []
    assert empty_commits(git) == []
    assert git("status", "--short") == ""


def test_an_included_note_that_is_staged_is_left_to_the_person(journal: Path, git: Git) -> None:
    (journal / "Journal" / "2026" / "3.md").write_text("Day 3 was long.\n", "utf-8")
    git("add", "Journal/2026/3.md")
    before = git("rev-parse", "HEAD")
    with Memory(journal) as memory:
        memory.sync()
    assert git("rev-parse", "HEAD") == before
    assert git("diff", "--cached", "--name-only").split() == ["Journal/2026/3.md"]
