"""`vaultmem import` and `remember` with exports of other programs, as a person types them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.transfer.importers.test_chatgpt import NOON, cake, conversation, message
from vaultmem.__main__ import main
from vaultmem.api.memory import Memory


@pytest.fixture
def vault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty vault that commands find."""
    Memory.init(tmp_path / "vault")
    monkeypatch.setenv("VAULTMEM_VAULT", str(tmp_path / "vault"))
    monkeypatch.chdir(tmp_path)
    return tmp_path / "vault"


def write(name: str, content: object) -> str:
    """A file of the current folder."""
    Path(name).write_text(json.dumps(content), "utf-8")
    return name


def test_an_import_tells_of_each_conversation_and_is_found(
    vault: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = write("conversations.json", [cake(), {"title": "odd"}])
    assert main(["import", file]) == 1
    told = capsys.readouterr().out
    assert "new: ChatGPT, 2025-02-19, Cake: 12 messages" in told
    assert "left out: calls of tools (1), of the system (1), thinking (1)" in told
    assert "skipped: ChatGPT, conversation 2: it has no messages ('mapping')" in told
    assert "took in 1 new conversation, 2 new memories" in told
    assert main(["recall", "where do I live"]) == 0
    assert "I live in Graz." in capsys.readouterr().out
    assert main(["import", file, "--json"]) == 1
    report = json.loads(capsys.readouterr().out)
    assert [each["what"] for each in report["records"]] == ["unchanged"] * 3 + ["skipped"]


def test_a_dry_run_of_a_folder_changes_nothing(
    vault: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("exports").mkdir()
    write("exports/a.json", [conversation(message("u", "root", "user", "I keep bees.", at=NOON))])
    assert main(["import", "exports", "--dry-run"]) == 0
    assert "would take in 1 new conversation, 1 item" in capsys.readouterr().out
    with Memory(vault) as memory:
        assert not [row for row in memory.list() if row.type == "resource"]


def test_remember_names_the_command_for_an_export(
    vault: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = write("c.json", [cake()])
    assert main(["remember", file]) == 65
    told = capsys.readouterr().err
    assert "error: 'c.json' is an export of chatgpt" in told
    assert "vaultmem import 'c.json'" in told
    Path("s.jsonl").write_text(
        '{"type":"user","uuid":"a","parentUuid":null,"sessionId":"s"}\n', "utf-8"
    )
    assert main(["remember", "s.jsonl"]) == 65
    assert "export of claude-code" in capsys.readouterr().err


def test_plain_messages_and_notes_stay_with_remember(
    vault: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plain = write("chat.json", [{"role": "user", "content": "I live in Graz."}])
    assert main(["remember", plain]) == 0
    Path("note.md").write_text("---\ntitle: Tea\n---\n\n- I prefer tea.\n", "utf-8")
    assert main(["remember", "note.md"]) == 0
    capsys.readouterr()
    assert main(["import", plain]) == 65
    assert "no JSON object" in capsys.readouterr().err


def test_who_i_am_in_a_chat_is_asked_for(vault: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("chat.txt").write_text(
        "01.03.25, 09:00 - Hanna: I live in Graz.\n01.03.25, 09:01 - Lena: Good.\n", "utf-8"
    )
    assert main(["import", "chat.txt"]) == 65
    assert "--me NAME; in it speak 'Hanna', 'Lena'" in capsys.readouterr().err
    assert main(["import", "chat.txt", "--me", "Hanna"]) == 0


def test_raw_keeps_what_was_said_without_items(
    vault: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    node = message("u", "root", "user", "I keep bees behind the house.", at=NOON)
    file = write("c.json", [conversation(node)])
    assert main(["import", file, "--raw"]) == 0
    assert "no items" in capsys.readouterr().out
    assert main(["recall", "bees"]) == 0
    assert "I keep bees behind the house." in capsys.readouterr().out


def test_own_exports_come_in_as_before(vault: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Memory(vault) as memory:
        memory.remember("I prefer tea.")
    assert main(["export", "own.json"]) == 0
    assert main(["import", "own.json", "--writer", "person"]) == 0
    assert "as they are" in capsys.readouterr().out
