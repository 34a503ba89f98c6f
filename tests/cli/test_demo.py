"""The demo runs as a newcomer sees it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from vaultmem.__main__ import main
from vaultmem.base import errors


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("VAULTMEM_VAULT", "")  # the demo sets it; put back afterwards
    return tmp_path


def test_every_step_works_and_is_shown(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo", "hanna"]) == 0
    out, drawn = capsys.readouterr()
    typed = [line for line in out.splitlines() if line.startswith("$ ")]
    assert [line.split()[1:3] for line in typed] == [
        ["cd", "hanna"],
        ["vaultmem", "init"],
        ["vaultmem", "sync"],
        ["vaultmem", "status"],
        ["vaultmem", "recall"],
        ["vaultmem", "context"],
        ["vaultmem", "context"],
        ["vaultmem", "context"],
        ["vaultmem", "remember"],
        ["vaultmem", "recall"],
        ["sed", "-i"],
        ["vaultmem", "recall"],
        ["vaultmem", "sync"],
        ["vaultmem", "recall"],
        ["vaultmem", "recall"],
        ["vaultmem", "change"],
        ["vaultmem", "history"],
        ["git", "log"],
    ]
    assert "'bakry'" in out
    assert out.count("Leni is allergic to hazelnuts, even in traces. [i-jxpa5s]") == 1
    taken = [int(n) for n in re.findall(r"^(\d+) of \d+ tokens", drawn, re.MULTILINE)]
    assert 250 < taken[0] <= 300
    assert 900 < taken[1] <= 1000 < taken[2] <= 3000
    assert "1. Before Leni eats anything from a bakery" in out
    assert "I prefer to get reminders in the morning" in out
    assert "rehearses on Thursdays at 19:30" in out
    winter, rest = out.split("what held on 2026-02-01", 1)[1].split("what was known on", 1)
    assert "1.4 seconds" in winter
    assert "rehearses on Thursdays at 19:00" in rest
    assert "corrected on" in rest.split("Thursdays at 19:30")[0]
    assert "+ I work at Studio Kern." in rest
    assert "error" not in out
    assert Path.cwd() == folder
    assert main(["check", "--vault", "hanna"]) == 0


def test_a_folder_that_is_there_is_left_alone(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "vaultmem-demo").mkdir()
    (folder / "vaultmem-demo" / "mine.md").write_text("mine")
    assert main(["demo"]) == errors.EXIT_BAD_INPUT
    assert capsys.readouterr().err.startswith("error: 'vaultmem-demo' is there already\n")
    assert [file.name for file in (folder / "vaultmem-demo").iterdir()] == ["mine.md"]
