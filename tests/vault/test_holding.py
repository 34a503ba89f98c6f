"""A secret that a person saves in a note stays out of the history; everything else goes on."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from tests.conftest import Git
from tests.privacy.test_screening import TOKEN, stores_with, write_settings
from vaultmem import Memory
from vaultmem.base.errors import HeldBackError
from vaultmem.edit.settle import writer
from vaultmem.extract.prepare import Document
from vaultmem.model.answers import Filters
from vaultmem.remember.one_text import read
from vaultmem.remember.take_in import TakingIn
from vaultmem.vault.apply import apply
from vaultmem.vault.held_back import held_back, held_paths
from vaultmem.vault.level import refresh


def codes(memory: Memory) -> list[tuple[str, str, int | None]]:
    found = memory.check().problems
    return [(p.code, p.path.as_posix(), p.line) for p in found if p.code.startswith("secret")]


@pytest.fixture(autouse=True)
def _folder(root: Path) -> None:
    (root / "items").mkdir(exist_ok=True)


def objects_with(root: Path, canary: str) -> bool:
    return "an object of git" in stores_with(root, canary)


def test_the_note_is_searchable_and_named_but_not_committed(memory: Memory, root: Path) -> None:
    (root / "items/deploy.md").write_text(f"Deploy with care.\n\nthe key: {TOKEN}\n", "utf-8")
    (root / "items/tea.md").write_text("I drink tea.\n", "utf-8")
    report = memory.sync()
    assert [path.as_posix() for path in report.pending] == ["items/deploy.md"]
    assert report.problems == 1
    assert codes(memory) == [("secret-uncommitted", "items/deploy.md", 3)]
    assert memory.vault.status().problems == {"warning": 1}
    assert memory.search("deploy care").hits
    memory.remember("I prefer coffee.")
    assert not objects_with(root, TOKEN)
    (root / "items/deploy.md").write_text("Deploy with care.\n", "utf-8")
    assert memory.sync().pending == ()
    assert codes(memory) == []
    assert not objects_with(root, TOKEN)


def test_of_many_notes_two_processes_find_the_secrets_of_all(memory: Memory, root: Path) -> None:
    """A child searches one half: none is missed, none is told twice, and lines are right."""
    wanted = []
    for number in range(2_100):
        name = f"items/note-{number:04}.md"
        has_secret = number % 300 == 7
        key = f"{TOKEN[:-4]}{number:04}"
        text = f"Deploy {number}.\n\nthe key: {key}\n" if has_secret else f"I count {number}.\n"
        (root / name).write_text(text, "utf-8")
        wanted += [("secret-in-history", name, 3)] if has_secret else []
    memory.sync(allow_secrets=True)
    assert len(wanted) == 7
    assert codes(memory) == wanted


def test_allowed_once_it_is_committed_and_does_not_hold_the_note_again(
    memory: Memory, root: Path
) -> None:
    note = root / "items/deploy.md"
    note.write_text(f"Deploy with care.\n\nthe key: {TOKEN}\n", "utf-8")
    memory.sync(allow_secrets=True)
    assert objects_with(root, TOKEN)
    assert codes(memory) == [("secret-in-history", "items/deploy.md", 3)]
    note.write_text(note.read_text("utf-8") + "\nOn Mondays only.\n", "utf-8")
    assert memory.sync().pending == ()


def test_the_setting_allows_it_for_good(root: Path) -> None:
    write_settings('[secrets]\nedited = "allow"\n')
    with Memory(root) as memory:
        (root / "items/deploy.md").write_text(f"The key is {TOKEN}.\n", "utf-8")
        assert memory.sync().pending == ()
    assert objects_with(root, TOKEN)


def test_a_bullet_with_a_secret_is_not_adopted(memory: Memory, root: Path, git: Git) -> None:
    stream = root / "streams/identity.md"
    before = stream.read_text("utf-8")
    stream.write_text(f"{before}\n- my token: {TOKEN}\n", "utf-8")
    assert [path.as_posix() for path in memory.sync().pending] == ["streams/identity.md"]
    assert list(root.glob("items/**/*.md")) == []
    assert TOKEN in stream.read_text("utf-8")
    assert not objects_with(root, TOKEN)
    stream.write_text(f"{before}\n- I like green tea.\n", "utf-8")
    memory.sync()
    assert memory.sync().pending == ()
    assert len(list(root.glob("items/**/*.md"))) == 1
    assert git("status", "--porcelain") == ""
    memory.remember("I prefer tea over coffee.")
    assert not objects_with(root, TOKEN)


@pytest.mark.parametrize("name", ["streams/identity.md", "categories/food.md"])
def test_a_list_with_a_secret_grows_on_disk_and_is_committed_without_it(
    memory: Memory, root: Path, git: Git, name: str
) -> None:
    memory.remember("I prefer tea over coffee.")
    note = root / name
    note.write_text(note.read_text("utf-8") + f"\n- my token: {TOKEN}\n", "utf-8")
    memory.sync()
    kept = memory.remember("I prefer bread over rice.")
    assert kept.commit is not None
    assert git("status", "--porcelain").split() == ["M", name]
    assert "I prefer bread over rice." in note.read_text("utf-8")
    assert memory.recall("bread or rice").hits
    assert not objects_with(root, TOKEN)
    note.write_text(note.read_text("utf-8").replace(f"\n- my token: {TOKEN}\n", ""), "utf-8")
    memory.sync()
    assert git("status", "--porcelain") == ""
    assert note.read_text("utf-8").count("I prefer bread over rice.") == 1
    assert memory.sync().pending == ()
    assert memory.check().problems == ()


def test_a_category_with_a_secret_does_not_keep_other_edits_from_being_taken_in(
    memory: Memory, root: Path, git: Git
) -> None:
    memory.remember("I prefer tea over coffee.")
    category, stream = root / "categories/food.md", root / "streams/identity.md"
    category.write_text(category.read_text("utf-8") + f"\nmy token: {TOKEN}\n", "utf-8")
    text = stream.read_text("utf-8")
    stream.write_text(f"{text}- I prefer bread over rice.\n", "utf-8")
    memory.sync()
    assert git("status", "--porcelain").split() == ["M", "categories/food.md"]
    assert "I prefer bread over rice." in category.read_text("utf-8")
    assert not objects_with(root, TOKEN)


def test_a_secret_that_is_saved_after_the_edits_were_taken_in_is_in_no_commit(
    memory: Memory, root: Path, git: Git
) -> None:
    memory.remember("I prefer tea over coffee.")
    stream = root / "streams/identity.md"
    document = Document(text="I prefer bread over rice.")
    [(prepared, found)] = read(memory.opened, [document])
    with writer(memory.opened):
        stream.write_text(stream.read_text("utf-8") + f"- my token: {TOKEN}\n", "utf-8")
        done = TakingIn(memory.opened).add(prepared, found, with_lists=True)
        assert done.plan is not None
        apply(memory.opened, [done.plan])
    assert not objects_with(root, TOKEN)
    assert git("status", "--porcelain").split() == ["M", "streams/identity.md"]
    assert "I prefer bread over rice." in stream.read_text("utf-8")
    assert TOKEN in stream.read_text("utf-8")


def test_a_note_that_is_saved_while_it_is_looked_at_is_left_to_the_next_time(
    memory: Memory, root: Path
) -> None:
    note = root / "items/deploy.md"
    note.write_text("Deploy with care.\n", "utf-8")
    refresh(memory.opened)
    assert held_paths(memory.opened) == frozenset()
    note.write_text(f"Deploy with {TOKEN}.\n", "utf-8")
    assert held_paths(memory.opened) == {"items/deploy.md"}
    assert held_back(memory.opened) == ()
    note.unlink()
    assert held_paths(memory.opened) == {"items/deploy.md"}


def test_a_command_that_would_do_nothing_but_write_the_note_says_why_it_cannot(
    memory: Memory, root: Path
) -> None:
    memory.remember("I prefer tea over coffee.", writer="import")
    [item] = root.glob("items/**/*.md")
    stream = root / "streams/identity.md"
    category = root / "categories/food.md"
    for note in (item, stream, category):
        if note.exists():
            note.write_text(note.read_text("utf-8") + f"\nmy token: {TOKEN}\n", "utf-8")
    memory.sync()
    [row] = memory.list(Filters(types=("item",)))
    with pytest.raises(HeldBackError, match=r"line \d+.*github token"):
        memory.review.approve(row.id)
    assert TOKEN in item.read_text("utf-8")


def test_what_sync_tells_holds_no_secret(memory: Memory, root: Path) -> None:
    stream = root / "streams/identity.md"
    stream.write_text(stream.read_text("utf-8") + f"\n- my token: {TOKEN}\n", "utf-8")
    told = memory.sync().learned
    assert any("secret removed: github token" in each.text for each in told)
    assert not any(TOKEN in each.text for each in told)


def test_words_of_a_held_item_do_not_reach_its_list(memory: Memory, root: Path) -> None:
    memory.remember("I prefer tea over coffee.")
    [item] = root.glob("items/**/*.md")
    text = item.read_text("utf-8")
    item.write_text(
        text.replace("I prefer tea over coffee.", f"I prefer the key {TOKEN}."), "utf-8"
    )
    memory.sync()
    assert TOKEN not in (root / "streams/identity.md").read_text("utf-8")
    assert not objects_with(root, TOKEN)
    assert {code for code, _, _ in codes(memory)} == {"secret-uncommitted"}
    item.write_text(text.replace("I prefer tea over coffee.", "I prefer milk."), "utf-8")
    memory.sync()
    assert "I prefer milk." in (root / "streams/identity.md").read_text("utf-8")
    assert not objects_with(root, TOKEN)


@pytest.mark.parametrize("name", ["resources/my {}.md", "items/{}/tea.md", "items/{}.md"])
def test_a_note_whose_name_holds_a_key_is_held_like_one_whose_text_does(
    memory: Memory, root: Path, name: str
) -> None:
    note = root / name.format(TOKEN)
    note.parent.mkdir(parents=True, exist_ok=True)
    note.write_text("I drink tea.\n", "utf-8")
    path = note.relative_to(root).as_posix()
    assert [each.as_posix() for each in memory.sync().pending] == [path]
    assert codes(memory) == [("secret-uncommitted", path, None)]
    memory.remember("I prefer coffee.")
    assert not objects_with(root, TOKEN)
    note.rename(note.with_name("green-tea.md"))
    if "/{}/" in name:
        (root / "items" / TOKEN).rename(root / "items/drinks")
    assert memory.sync().pending == ()
    assert codes(memory) == []
    assert not objects_with(root, TOKEN)


def test_a_name_with_a_key_is_committed_once_allowed_and_named_by_check(
    memory: Memory, root: Path
) -> None:
    (root / f"items/{TOKEN}.md").write_text("I drink tea.\n", "utf-8")
    memory.sync(allow_secrets=True)
    assert codes(memory) == [("secret-in-history", f"items/{TOKEN}.md", None)]
    (root / f"items/{TOKEN}.md").write_text("I drink green tea.\n", "utf-8")
    assert memory.sync().pending == ()


def test_clean_notes_are_looked_through_once_and_a_secret_in_one_is_named(
    memory: Memory, root: Path
) -> None:
    for number in range(70):
        (root / f"items/note-{number}.md").write_text(f"I drink tea {number}.\n", "utf-8")
    (root / "items/deploy.md").write_text(f"The key is {TOKEN}.\n", "utf-8")
    index = memory.opened.index
    assert memory.sync(settle=False).problems == 1
    assert [state.path for state in index.unsearched_files()] == ["items/deploy.md"]
    note = root / "items/note-7.md"
    note.write_text(f"I drink tea with {TOKEN}.\n", "utf-8")
    assert memory.sync(settle=False).problems == 2
    note.unlink()
    assert memory.sync(settle=False).problems == 1
    note.write_text("I drink tea 7.\n", "utf-8")
    memory.sync(settle=False)
    assert [state.path for state in index.unsearched_files()] == [
        "items/deploy.md",
        "items/note-7.md",
    ]


def test_other_detectors_look_through_all_notes_again(memory: Memory, root: Path) -> None:
    (root / "items/deploy.md").write_text(f"The key is {TOKEN}.\n", "utf-8")
    for number in range(70):
        (root / f"items/note-{number}.md").write_text(f"I drink tea {number}.\n", "utf-8")
    memory.sync(settle=False)
    index = memory.opened.index
    with index.writing():  # as an older program leaves it, which knew no such key
        index.set_clean(index.pending())
        index.set_meta("searched by", "older")
    assert memory.sync(settle=False).problems == 1
    assert [state.path for state in index.unsearched_files()] == ["items/deploy.md"]


def test_a_merge_of_the_persons_that_ends_soon_is_waited_for(memory: Memory, root: Path) -> None:
    """Their git runs beside ours; a command that gives up at once would look broken."""
    mark = root / ".git" / "MERGE_HEAD"
    mark.write_text("0" * 40 + "\n")
    timer = threading.Timer(0.4, mark.unlink)
    timer.start()
    try:
        assert memory.remember("I prefer coffee.").commit is not None
    finally:
        timer.join()
