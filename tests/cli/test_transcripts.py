"""The main commands as a person sees them; `pytest --update-golden` writes them anew."""

from __future__ import annotations

import os
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path

import pytest

from tests.cli import scripted_model
from tests.cli.transcripts import Shell, parse, render

FILES = sorted(Path(__file__).parent.glob("*.transcript"))
SAMPLE = Path(__file__).parents[2] / "sample-vault"


@pytest.mark.skipif(os.name != "posix", reason="transcripts are written for sh")
@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.stem))
def test_commands_print_what_the_transcript_says(
    file: Path, tmp_path: Path, update_golden: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "work"
    folder.mkdir()
    monkeypatch.setenv("SAMPLE", str(SAMPLE))
    expected = parse(file.read_text(encoding="utf-8"))
    with scripted_model.running() if "$MODEL" in render(expected) else nullcontext("") as url:
        monkeypatch.setenv("MODEL", url)
        shell = Shell(folder)
        found = [replace(step, output=shell.run(step.command)) for step in expected]
    assert "Traceback" not in render(found), "a bug is nothing to write down"
    if update_golden:
        file.write_text(render(found), encoding="utf-8")
        pytest.skip("the transcript was written anew")
    assert render(found) == render(expected)


def test_a_transcript_written_and_read_again_is_the_same() -> None:
    text = "# first\n\n$ a\none\n! two\n? 3\n\n# second\n$ b\n$ c\n.\nx\n"
    assert render(parse(text)) == text
