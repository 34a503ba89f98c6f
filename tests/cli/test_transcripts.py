"""The main commands as a person sees them; `pytest --update-golden` writes them anew."""

from __future__ import annotations

import os
import subprocess
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path

import pytest

from tests.cli import scripted_model
from tests.cli.transcripts import Shell, parse, read_line, render

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


@pytest.mark.parametrize(
    "line",
    [
        "vaultmem remember \"What (do) I drink?\" --kind 'a $b `c` \\d'",
        "vaultmem recall tea | head -1",
        'vaultmem recall "it\'s | tea" > made.txt',
        "EDITOR= VAULTMEM_NOW=2027-03-01T09:00:00Z vaultmem edit a=b ''",
    ],
)
@pytest.mark.skipif(os.name != "posix", reason="asks sh")
def test_a_line_without_a_shell_has_the_words_of_a_shell(line: str) -> None:
    read = read_line(line)
    assert read is not None
    ours = line.removesuffix(" | head -1").removesuffix(" > made.txt")
    code = f'vaultmem() {{ printf "%s\\0" "$VAULTMEM_NOW" "$@"; }}; {ours}'
    said = subprocess.run(["sh", "-c", code], capture_output=True, text=True, check=True).stdout
    assert said == "".join(
        f"{each}\0" for each in (read.assigned.get("VAULTMEM_NOW", ""), *read.words)
    )
    assert (read.then, read.into) == (
        "head -1" if "| head" in line else "",
        "made.txt" if "made" in line else "",
    )


@pytest.mark.parametrize(
    "line",
    [
        'vaultmem recall "$HOME"',
        "vaultmem recall tea 2>&1 | head -1",
        "vaultmem recall tea || true",
        "vaultmem export - | vaultmem import -",
        "vaultmem diff HEAD~1",
        "vaultmem sync >> made.txt",
        "echo tea | vaultmem remember -",
    ],
)
def test_what_only_a_shell_can_read_is_left_to_it(line: str) -> None:
    assert read_line(line) is None
