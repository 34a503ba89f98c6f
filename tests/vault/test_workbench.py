"""Files on a workbench are as they are on disk, also where the names of a folder tell it."""

from __future__ import annotations

from pathlib import PurePosixPath

import pytest

from vaultmem.api.memory import Memory
from vaultmem.base.errors import DiskError
from vaultmem.vault.workbench import Workbench

FOLDER = PurePosixPath("items/2026/03/11")


def test_beside_many_missing_files_those_that_are_there_are_found(memory: Memory) -> None:
    folder = memory.root / FOLDER
    folder.mkdir(parents=True)
    (folder / "tea.md").write_text("I like tea.\n", "utf-8")
    (folder / "Café.md").write_text("I like cafés.\n", "utf-8")
    (folder / ".jam.md.icloud").write_text("", "utf-8")
    with memory.parts.index:
        bench = Workbench(memory.parts)
        for number in range(4):
            assert bench.text(FOLDER / f"new-{number}.md") is None
        assert bench.text(FOLDER / "tea.md") == b"I like tea.\n"
        assert bench.text(FOLDER / "Café.md") == "I like cafés.\n".encode()
        with pytest.raises(DiskError, match="elsewhere"):
            bench.text(FOLDER / "jam.md")


def test_in_a_folder_that_is_not_there_all_files_are_new(memory: Memory) -> None:
    with memory.parts.index:
        bench = Workbench(memory.parts)
        for number in range(4):
            assert bench.text(FOLDER / f"new-{number}.md") is None
    assert not (memory.root / FOLDER).exists()
