"""What the tests of importers share: files of made-up exports, and what became of them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from vaultmem.api.memory import Memory
from vaultmem.extract import parse
from vaultmem.model import ImportedProducts, Item, Turn
from vaultmem.safety import refang
from vaultmem.storage import notes
from vaultmem.vault import load_items

Write = Callable[..., Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Writes an export: text as it is, anything else as JSON, a list with `lines` a line each."""

    def written(name: str, content: Any, *, lines: bool = False) -> Path:
        file = tmp_path / "exports" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        if lines:
            text = "".join(json.dumps(each) + "\n" for each in content)
        else:
            text = content if isinstance(content, str) else json.dumps(content)
        file.write_text(text, "utf-8")
        return file

    return written


class Kept:
    """What a vault has after an import."""

    def __init__(self, memory: Memory, report: ImportedProducts) -> None:
        self.memory = memory
        self.report = report

    @property
    def turns(self) -> list[Turn]:
        """The turns of all texts that the import wrote, in its order."""
        found: list[Turn] = []
        for record in self.report.records:
            for path in record.paths:
                note = notes.read((self.memory.root / path).read_bytes(), path)
                body = refang(note.body) if note.values.get("defanged") == "true" else note.body
                found += parse(body, self.memory.settings.timezone)
        return found

    def said(self, role: str = "user") -> list[str]:
        """The words of one side."""
        return [turn.text for turn in self.turns if turn.role == role]

    @property
    def items(self) -> list[Item]:
        """All items."""
        ids = [row.id for row in self.memory.list() if row.type == "item"]
        return list(load_items(self.memory._vault, ids).values())

    def statements(self, writer: str) -> set[str]:
        """What items of this writer say."""
        return {item.statement for item in self.items if item.writer == writer}

    @property
    def outcomes(self) -> list[tuple[str, str]]:
        """(name, what became of it) of each record."""
        return [(each.name, each.what) for each in self.report.records]


@pytest.fixture
def take_in(memory: Memory) -> Callable[..., Kept]:
    """Imports, and imports again: the second time must change nothing."""

    def taken(*files: Path, **asked: Any) -> Kept:
        report = memory.import_files(*files, **asked)
        commits = len(memory.history.log(limit=1000))
        again = memory.import_files(*files, **asked)
        assert {each.what for each in again.records} <= {"unchanged", "skipped"}
        assert len(memory.history.log(limit=1000)) == commits
        assert again.commit is None
        return Kept(memory, report)

    return taken
