"""Folders of a person's that many systems take for the vault's own (`Resources`, `Categories`)."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from vaultmem.__main__ import main
from vaultmem.api.memory import Memory


@pytest.mark.parametrize("name", ["Resources", "ITEMS", "Streams"])
def test_init_makes_nothing_where_it_could_not_keep_anything(
    tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / name).mkdir()
    (tmp_path / name / "mine.md").write_text("mine\n")
    assert main(["init", str(tmp_path)]) == 73
    assert os.listdir(tmp_path) == [name]
    said = capsys.readouterr().err
    assert f"'{name}'" in said
    assert f"'{name.lower()}'" in said
    assert "rename" in said


def test_a_folder_that_is_taken_for_categories_costs_the_pages_and_no_memory(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "Categories").mkdir()
    (tmp_path / "Categories/Books.md").write_text("mine\n")
    assert main(["init", str(tmp_path)]) == 0
    assert "'Categories'" in capsys.readouterr().out
    with Memory(tmp_path) as memory:
        memory.remember("I prefer jazz over rock.")
        [hit] = memory.recall("jazz or rock").hits
        assert "jazz" in hit.note.statement
        assert [each.code for each in memory.check().problems] == ["list-not-updated"]
    assert not (tmp_path / "categories").exists()


def test_init_says_how_many_notes_of_the_folder_are_left_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("Daily/a.md", "Daily/b.md", ".trash/c.md", "top.md", "picture.png"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("x\n")
    assert main(["init", str(tmp_path)]) == 0
    said = capsys.readouterr().out
    assert "3 other notes" in said
    assert "include" in said
    (tmp_path / "vaultmem.toml").write_text(
        'include = ["Daily/*.md"]\n' + (tmp_path / "vaultmem.toml").read_text()
    )
    assert main(["init", str(tmp_path)]) == 0
    assert "1 other note " in capsys.readouterr().out


def test_a_page_that_cannot_follow_is_named_until_it_is_saved_again(root: Path) -> None:
    with Memory(root) as memory:
        memory.remember("I like tea.")
    page = root / "categories/food.md"
    whole = page.read_text()
    page.write_text(whole.replace("<!-- vaultmem:end -->", ""))
    with Memory(root) as memory:
        memory.remember("I like coffee.")
        memory.remember("I work at Siemens.")
        codes = [each.code for each in memory.check().problems if each.path.stem == "food"]
        assert "list-not-updated" in codes
        page.write_text(whole)
        assert [each for each in memory.check().problems if each.path.stem == "food"] == []
