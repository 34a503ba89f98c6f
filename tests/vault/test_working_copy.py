"""Files on a working copy are as they are on disk, also where the names of a folder tell it."""

from __future__ import annotations

import re
from pathlib import Path, PurePosixPath

import pytest

from tests.faults.steps import Steps
from vaultmem.api.memory import Memory
from vaultmem.base.errors import DiskError
from vaultmem.vault.working_copy import WorkingCopy

FOLDER = PurePosixPath("items/2026/03/11")


def test_beside_many_missing_files_those_that_are_there_are_found(memory: Memory) -> None:
    folder = memory.root / FOLDER
    folder.mkdir(parents=True)
    (folder / "tea.md").write_text("I like tea.\n", "utf-8")
    (folder / "Café.md").write_text("I like cafés.\n", "utf-8")
    (folder / ".jam.md.icloud").write_text("", "utf-8")
    with memory.opened.index:
        working_copy = WorkingCopy(memory.opened)
        for number in range(4):
            assert working_copy.text(FOLDER / f"new-{number}.md") is None
        assert working_copy.text(FOLDER / "tea.md") == b"I like tea.\n"
        assert working_copy.text(FOLDER / "Café.md") == "I like cafés.\n".encode()
        with pytest.raises(DiskError, match="elsewhere"):
            working_copy.text(FOLDER / "jam.md")


def test_in_a_folder_that_is_not_there_all_files_are_new(memory: Memory) -> None:
    with memory.opened.index:
        working_copy = WorkingCopy(memory.opened)
        for number in range(4):
            assert working_copy.text(FOLDER / f"new-{number}.md") is None
    assert not (memory.root / FOLDER).exists()


def test_of_what_goes_the_lists_go_before_what_they_name(memory: Memory) -> None:
    item, source = FOLDER / "tea-i-7f3a2kq9xw.md", PurePosixPath("resources/2026/03/tea.md")
    list_, category = PurePosixPath("streams/flow.laptop.md"), PurePosixPath("categories/tea.md")
    for path in (item, source, list_, category):
        (memory.root / path).parent.mkdir(parents=True, exist_ok=True)
        (memory.root / path).write_text("I like tea.\n", "utf-8")
    with memory.opened.index:
        working_copy = WorkingCopy(memory.opened)
        for path in (source, item, category, list_):
            working_copy.remove(path)
        assert [change.path for change in working_copy.step()] == [list_, category, item, source]


class _Watching(Steps):
    """Looks at the notes before each step: which names of other notes lead nowhere."""

    reads_too = True

    def __init__(self, root: Path) -> None:
        super().__init__()
        self._root = root
        self._is_looking = False
        self.seen: list[str] = []  # of every state that differs from the one before, what it holds
        self.lost: list[str] = []

    def meet(self, name: str, arguments: tuple[object, ...]) -> None:
        if self._is_looking:
            return
        self._is_looking = True
        texts = {
            path.stem: path.read_text("utf-8")
            for top in ("resources", "items", "categories", "streams")
            for path in (self._root / top).rglob("*.md")
        }
        ids = {stem[-12:] for stem in texts}
        for stem, text in texts.items():
            named = [(found, set(texts)) for found in re.findall(r"\[\[([^\]|]*[ir]-\w+)", text)]
            named += [(found, ids) for found in re.findall(r"\^(i-\w+)", text)]
            self.lost += [f"{stem} names {found}" for found, there in named if found not in there]
        state = " ".join(sorted(texts))
        if not self.seen or self.seen[-1] != state:
            self.seen.append(state)
        self._is_looking = False


def test_at_no_moment_of_a_change_does_a_file_name_one_that_is_not_there(
    memory: Memory, root: Path
) -> None:
    def item(word: str) -> str:
        return next(hit.note.id for hit in memory.recall(word).hits if hit.note.type == "item")

    changes = (
        lambda: memory.remember("We need to buy a bicycle. My sister Ann lives in Graz."),
        lambda: memory.change(item("Graz"), "My sister Ann lives in Linz."),
        lambda: memory.forget(item("bicycle")),
        memory.undo,
    )
    for change in changes:
        with _Watching(root) as watching:
            change()
        assert len(watching.seen) > 1  # files came or went while it looked
        assert watching.lost == []
