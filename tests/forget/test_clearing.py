"""Emptying a memory: what goes, what stays, and that it can be had back to the byte."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import Git
from vaultmem.api.memory import Memory
from vaultmem.devices.arrive import UncommittedError


def _notes(root: Path) -> dict[str, bytes]:
    """Every Markdown file of the vault."""
    return {p.relative_to(root).as_posix(): p.read_bytes() for p in root.rglob("*.md")}


def _fill(memory: Memory) -> None:
    memory.remember("I prefer tabs over spaces. I live in Vienna.")
    memory.remember("The team decided to use SQLite for project Aurora.")


def test_an_emptied_vault_is_a_new_one(memory: Memory, root: Path, git: Git) -> None:
    before = _notes(root)
    _fill(memory)
    report = memory.forgetting.clear()
    assert _notes(root) == before
    assert (report.items, report.resources, report.bullets, report.categories) == (3, 2, 3, 3)
    assert git("log", "-1", "--format=%s").strip() == "clear: 3 items, 2 resources, 3 categories"
    assert git("status", "--porcelain") == ""


def test_what_the_person_wrote_stays(memory: Memory, root: Path) -> None:
    _fill(memory)
    identity, home = root / "streams" / "identity.md", root / "categories" / "home.md"
    page = root / "streams" / "about these lists.md"
    page.write_text("Mine.\n", encoding="utf-8")
    identity.write_text(
        identity.read_text("utf-8").replace("- I live", "## Places\n\nWhere I am.\n\n- I live"),
        encoding="utf-8",
    )
    home.write_text(f"{home.read_text('utf-8')}\nOur house has a blue door.\n", encoding="utf-8")
    memory.forgetting.clear()
    assert page.read_text("utf-8") == "Mine.\n"
    assert identity.read_text("utf-8").endswith("# Identity\n## Places\n\nWhere I am.\n\n")
    assert "Our house has a blue door." in home.read_text("utf-8")
    assert "Vienna" not in home.read_text("utf-8")


def test_undo_brings_back_every_byte(memory: Memory, root: Path) -> None:
    _fill(memory)
    before = _notes(root)
    memory.forgetting.clear()
    memory.undo()
    assert _notes(root) == before
    assert memory.recall("tabs or spaces").hits
    assert memory.check().problems == ()


def test_a_larger_vault_comes_back_as_well(memory: Memory, root: Path) -> None:
    """Beyond a few files the former texts are read in one go."""
    for number in range(30):
        note = root / "items" / f"note-{number}.md"
        note.parent.mkdir(exist_ok=True)
        note.write_text(f"---\nkind: fact\n---\n\nThing {number} is here.\n", "utf-8")
    memory.remember("I live in Vienna.")
    before = _notes(root)
    memory.forgetting.clear()
    memory.undo()
    assert _notes(root) == before


def test_clearing_twice_makes_one_commit(memory: Memory, git: Git) -> None:
    _fill(memory)
    memory.forgetting.clear()
    commits = git("rev-list", "--count", "HEAD")
    report = memory.forgetting.clear()
    assert report.is_nothing
    assert report.commit is None
    assert git("rev-list", "--count", "HEAD") == commits


def test_a_dry_run_only_counts(memory: Memory, root: Path) -> None:
    _fill(memory)
    before = _notes(root)
    report = memory.forgetting.clear(dry_run=True)
    assert (report.items, report.dry_run, report.commit) == (3, True, None)
    assert _notes(root) == before


def test_words_in_no_commit_are_not_taken_away(memory: Memory, root: Path, git: Git) -> None:
    """A secret keeps the note out of the history, so undoing could not bring the edit back."""
    _fill(memory)
    note = next(root.glob("items/**/i-live*.md"))
    note.write_text(f"{note.read_text('utf-8')}\nkey AKIAIOSFODNN7REALKEY\n", encoding="utf-8")
    before = _notes(root)
    commits = git("rev-list", "--count", "HEAD")
    with pytest.raises(UncommittedError) as refused:
        memory.forgetting.clear()
    assert refused.value.paths == (note.relative_to(root).as_posix(),)
    assert _notes(root) == before
    assert git("rev-list", "--count", "HEAD") == commits


def test_notes_that_are_only_included_stay(memory: Memory, root: Path) -> None:
    _fill(memory)
    (root / "diary.md").write_text("---\nid: i-aaaaaaaaaa\nkind: fact\n---\n\nMine.\n", "utf-8")
    settings = root / "vaultmem.toml"
    settings.write_text(f'include = ["diary.md"]\n{settings.read_text("utf-8")}', "utf-8")
    with Memory(root, clock=memory.opened.clock) as again:
        again.forgetting.clear()
    assert (root / "diary.md").exists()
