"""`remember --explain`: of each sentence, why it is kept or not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from vaultmem.__main__ import main
from vaultmem.api.memory import Memory
from vaultmem.judgement.explain import explain
from vaultmem.judgement.sentence import judge_worth

SENTENCES = ["What a lovely morning!", "I'm allergic to latex.", "Dad moved to Cork."]
TEXT = " ".join(SENTENCES)


@pytest.fixture
def vault(tmp_path: Path) -> str:
    Memory.init(tmp_path / "v", name="v")
    return str(tmp_path / "v")


def test_each_sentence_is_told_with_its_reasons(
    vault: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--vault", vault, "remember", "--dry-run", "--explain", TEXT]) == 0
    printed = capsys.readouterr().out
    told = printed[printed.index("why:") :]
    assert "What a lovely morning!\n    not worth keeping: 0.0" in told
    assert "critical: health: 0.9" in told
    assert "kept as fact, by rule fact:health" in told
    assert "[allergen] +" in told
    assert "kept as event" in told


def test_programs_get_numbers(vault: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--vault", vault, "remember", "--json", "--explain", TEXT]) == 0
    told = json.loads(capsys.readouterr().out)["explained"]
    assert [each["sentence"] for each in told] == TEXT.replace("! ", "!|").replace(
        ". ", ".|"
    ).split("|")
    assert [each["keep"] >= each["keep_from"] for each in told] == [False, True, True]
    assert [each["critical_kind"] for each in told] == ["", "health", ""]


def test_a_text_with_a_secret_is_not_explained(
    vault: str, capsys: pytest.CaptureFixture[str]
) -> None:
    text = "My token is ghp_" + "x7Qm2Lk9Vt4Rb8Wn3Ys6Hd1Pf5Jc0Gz7Ue2a" + ". I live in Cork."
    assert main(["--vault", vault, "remember", "--redact", "--explain", text]) == 0
    printed = capsys.readouterr().out
    assert "ghp_" not in printed
    assert "nothing is said of a text from which" in printed


def test_a_document_is_read_by_rules_alone(
    vault: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "page.md"
    page.write_text("Always wear gloves.\n", encoding="utf-8")
    assert main(["--vault", vault, "remember", "--explain", str(page)]) == 0
    assert "a document is read by rules alone" in capsys.readouterr().out


def test_what_is_told_is_what_judges() -> None:
    (told,) = explain("My dog Rolf hates the hoover.")
    assert told.keep == judge_worth("My dog Rolf hates the hoover.").keep
    given = [value for _, value in told.words_for]
    assert given == sorted(given, reverse=True)
    assert all(value < 0 for _, value in told.words_against)
