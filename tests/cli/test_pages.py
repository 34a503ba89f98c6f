"""The commands in the README and on the pages of help print what is shown there.

A block of language `console` is what a person types (`$ `) and what they see, standard error too.
The blocks of a page run one after the other in a new vault `~/notes`, or in an empty `~` if a page
makes its own. A line `…` stands for any number of lines that the page leaves out. Commits, sizes
and the like may differ, as in transcripts. `--update-golden` writes the examples anew.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from tests.cli.transcripts import Shell

PROJECT = Path(__file__).parents[2]
PAGES = [PROJECT / "README.md", *sorted((PROJECT / "vaultmem" / "docs").glob("*.md"))]
BLOCK = re.compile(r"^(`{3,})console\n(.*?)^\1$", re.MULTILINE | re.DOTALL)
LEFT_OUT = "…"


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="the examples are written for sh")
@pytest.mark.parametrize(
    "page",
    [page for page in PAGES if BLOCK.search(page.read_text("utf-8"))],
    ids=lambda page: str(page.stem),
)
def test_the_commands_of_a_page_print_what_it_shows(
    page: Path, tmp_path: Path, update_golden: bool
) -> None:
    folder = tmp_path / "home"
    folder.mkdir()
    shell = Shell(folder)
    text = page.read_text("utf-8")
    if "$ vaultmem init" not in text:
        shell.run("vaultmem init notes")
        shell.run("cd notes")
    found = BLOCK.sub(
        lambda block: f"{block[1]}console\n{_ran(shell, folder, block[2])}{block[1]}", text
    )
    assert "Traceback" not in found, "a bug is nothing to show"
    if update_golden:
        page.write_text(found, encoding="utf-8")
        pytest.skip("the examples were written anew")
    assert found == text


def _ran(shell: Shell, folder: Path, block: str) -> str:
    """The block with what its commands print; as it stands where it says the same."""
    lines: list[str] = []
    for typed, shown in _steps(block):
        printed = [] if typed.startswith("cd ") else _lines(shell, folder, typed)
        if typed.startswith("cd "):
            shell.run(typed)
        same = _fits([*map(shell.normalised, shown)], [*map(shell.normalised, printed)])
        lines += [f"$ {typed}", *(shown if same else _cut(printed, shown))]
    return "".join(f"{line}\n" for line in lines)


def _steps(block: str) -> Iterator[tuple[str, list[str]]]:
    for step in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        typed, *shown = step.splitlines()
        yield typed, shown


def _lines(shell: Shell, folder: Path, typed: str) -> list[str]:
    done = shell.printed(typed)
    text = (done.stdout + done.stderr).decode("utf-8")
    home = os.environ["HOME"]
    for real, shown in (
        (str(folder), "~"),
        (f"{home}/config", "~/.config"),
        (f"{home}/state", "~/.local/state"),
    ):
        text = text.replace(real, shown)
    return text.splitlines()


def _fits(shown: Sequence[str], printed: Sequence[str]) -> bool:
    if LEFT_OUT not in shown:
        return [*shown] == [*printed]
    cut = shown.index(LEFT_OUT)
    rest = shown[cut + 1 :]
    ends = range(cut, len(printed) + 1)
    return [*printed[:cut]] == [*shown[:cut]] and any(_fits(rest, printed[end:]) for end in ends)


def _cut(printed: list[str], shown: list[str]) -> list[str]:
    """As many lines before and after a `…` as the page has."""
    if LEFT_OUT not in shown:
        return printed
    before, after = shown.index(LEFT_OUT), len(shown) - shown.index(LEFT_OUT) - 1
    return [*printed[:before], LEFT_OUT, *printed[len(printed) - after :]]
