"""What a newcomer tripped over in the first quarter of an hour."""

from __future__ import annotations

from pathlib import Path

import pytest

from vaultmem.__main__ import main
from vaultmem.api.memory import Memory
from vaultmem.model.answers import Filters


def test_init_takes_the_vault_option_for_its_folder(tmp_path: Path) -> None:
    assert main(["--vault", str(tmp_path / "here"), "init"]) == 0
    assert (tmp_path / "here/vaultmem.toml").exists()
    assert main(["--vault", str(tmp_path / "a"), "init", str(tmp_path / "b")]) == 65
    assert not (tmp_path / "a").exists()


def test_init_where_nothing_can_be_made_has_a_code_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    assert main(["init", str(tmp_path / "file" / "vault")]) == 73


@pytest.mark.parametrize("words", [["{}/notes"], ["{}/notes/a.md", "{}/notes/nothere.md"]])
def test_a_folder_or_a_missing_file_is_no_memory(
    root: Path, tmp_path: Path, words: list[str]
) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes/a.md").write_text("I like tea.\n")
    given = [word.format(tmp_path) for word in words]
    assert main(["--vault", str(root), "remember", *given]) == 65
    with Memory(root) as memory:
        assert memory.list(Filters(types=("resource",))) == ()


@pytest.mark.parametrize("text", ["{", '[{"role": 1}]', '{"a": 1}'])
def test_a_json_file_without_a_conversation_is_refused(
    root: Path, tmp_path: Path, text: str
) -> None:
    (tmp_path / "chat.json").write_text(text)
    assert main(["--vault", str(root), "remember", str(tmp_path / "chat.json")]) == 65


def test_front_matter_of_a_remembered_file_gives_its_title(root: Path, tmp_path: Path) -> None:
    (tmp_path / "plan.md").write_text("---\ntitle: Planning\ntags: a\n---\n\nI like tea.\n")
    assert main(["--vault", str(root), "remember", str(tmp_path / "plan.md")]) == 0
    with Memory(root) as memory:
        [row] = memory.list(Filters(types=("resource",)))
        assert row.title == "Planning"


def test_a_name_with_a_line_break_cannot_forge_a_line(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (root / "items").mkdir(exist_ok=True)
    (root / "items/a\nb.md").write_text("---\n- x: [\n---\n")
    main(["--vault", str(root), "check"])
    assert "a\\nb.md" in capsys.readouterr().out
