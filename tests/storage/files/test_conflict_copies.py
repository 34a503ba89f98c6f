"""Copies that sync services leave beside a note: versions of it, and merged into it."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

import pytest

from tests.conftest import Git
from vaultmem.api.memory import Memory
from vaultmem.model.answers import Filters
from vaultmem.storage.files.layout import conflict_copy_of

NAMES = (
    "{}.sync-conflict-20260311-120000-ABCDEFG.md",
    "{} (Ada's conflicted copy 2026-03-11).md",
    "{} (Conflicted copy laptop 202603111200).md",
    "{} (conflict).md",
)


def remembered(memory: Memory) -> Path:
    memory.remember("I prefer tabs over spaces.")
    [row] = memory.list(Filters(types=("item",)))
    return memory.root / row.path


@pytest.mark.parametrize("name", NAMES)
def test_a_copy_is_known_by_its_name(name: str) -> None:
    copy = PurePosixPath("items/2026", name.format("tea"))
    assert conflict_copy_of(copy) == PurePosixPath("items/2026/tea.md")
    assert conflict_copy_of(PurePosixPath("items/2026/tea (4).md")) is None


@pytest.mark.parametrize("name", NAMES)
def test_a_copy_is_no_second_item(memory: Memory, name: str) -> None:
    item = remembered(memory)
    item.with_name(name.format(item.stem)).write_bytes(item.read_bytes())
    rows = memory.list(Filters(types=("item",)))
    assert [row.path.name for row in rows] == [item.name]
    codes = {problem.code for problem in memory.check().problems}
    assert "conflict-copy" in codes
    assert "repeated-id" not in codes


def test_a_copy_does_not_keep_its_note_from_being_edited(memory: Memory) -> None:
    item = remembered(memory)
    item.with_name(NAMES[0].format(item.stem)).write_bytes(item.read_bytes())
    item.write_text(item.read_text().replace("\nI prefer tabs over", "\nI adore tabs more than"))
    memory.sync()
    assert "- I adore tabs more than spaces." in (memory.root / "streams/identity.md").read_text()


def test_a_copy_of_a_stream_lists_no_bullets(memory: Memory) -> None:
    remembered(memory)
    stream = memory.root / "streams/flow.laptop.md"
    stream.write_text("# Flow\n\n- Something. ^i-b1173wnazc\n")
    memory.sync()
    copy = stream.with_name("flow.sync-conflict-20260311-120000-ABCDEFG.md")
    copy.write_text("# Flow\n\n- Something new and unheard of.\n")
    memory.sync()
    assert "^" not in copy.read_text()


@pytest.mark.parametrize("name", NAMES)
def test_fix_merges_a_copy_into_its_note_in_one_commit(memory: Memory, git: Git, name: str) -> None:
    item = remembered(memory)
    first = item.read_text()
    item.write_text(first + "\nSince 2019, at work.\n")
    memory.sync()
    copy = item.with_name(name.format(item.stem))
    copy.write_text(first.replace("importance: ", "mood: firm\nimportance: "))
    assert "mood" in copy.read_text()
    report = memory.check(fix=True)
    assert [problem.code for problem in report.fixed] == ["conflict-copy"]
    assert "conflict-copy" not in {problem.code for problem in report.problems}
    assert not copy.exists()
    text = item.read_text()
    assert "mood: firm" in text
    assert "Since 2019, at work." in text
    assert "[!conflict]" not in text
    changed = git("show", "--name-status", "--format=", "HEAD").splitlines()
    assert sorted(line[0] for line in changed) == ["D", "M"]
    assert "mood: firm" in git("show", f"HEAD~1:{copy.relative_to(memory.root).as_posix()}")


def test_a_copy_without_its_note_is_left_alone(memory: Memory) -> None:
    item = remembered(memory)
    copy = item.with_name("other (conflict).md")
    copy.write_text("A thought.\n")
    report = memory.check(fix=True)
    assert report.fixed == ()
    assert copy.read_text() == "A thought.\n"
    assert [p.code for p in report.problems if p.path.name == copy.name] == ["conflict-copy"]


def test_a_copy_in_no_commit_stays(memory: Memory, git: Git) -> None:
    """Who commits for themselves has the only bytes of an uncommitted copy on disk."""
    item = remembered(memory)
    copy = item.with_name(NAMES[0].format(item.stem))
    copy.write_bytes(item.read_bytes() + b"Said on the train.\n")
    name = copy.relative_to(memory.root).as_posix()
    git("add", "--", name)
    memory.check(fix=True)
    assert copy.read_bytes().endswith(b"Said on the train.\n")
    git("commit", "-qm", "mine")
    memory.check(fix=True)
    assert not copy.exists()
    assert "Said on the train." in item.read_text()


def test_a_copy_that_may_have_begun_as_two_versions_takes_no_words_away(memory: Memory) -> None:
    page = memory.root / "categories" / "tea.md"
    page.parent.mkdir(exist_ok=True)
    for words in ("Green.", "Black.", "Black.\n\nWhite."):
        page.write_text(f"# Tea\n\n{words}\n", "utf-8")
        memory.sync()
    copy = page.with_name("tea (conflict).md")
    copy.write_text("# Tea\n\nOolong.\n", "utf-8")
    memory.sync()
    memory.check(fix=True)
    assert not copy.exists()
    for word in ("Oolong.", "Black.", "White."):
        assert word in page.read_text("utf-8")
