"""The README's two commands are the ones that CI runs, and its links lead somewhere."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def commands() -> list[str]:
    """The shell lines that begin by making the environment."""
    return [line for line in README.splitlines() if line.startswith("python3 -m venv")]


def test_there_is_one_command_for_the_demo_and_one_for_the_tests() -> None:
    demo, tests = commands()
    assert demo.endswith("vaultmem demo")
    assert ".venv/bin/python -m pytest" in tests


def test_ci_runs_the_second_command_word_for_word() -> None:
    assert commands()[1] in (ROOT / ".ci/run").read_text(encoding="utf-8").splitlines()


def test_nobody_is_told_to_install_somebody_elses_package() -> None:
    pages = [ROOT / "README.md", *(ROOT / "vaultmem/docs").glob("*.md")]
    for page in pages:
        assert not re.search(r"install\s+(-\S+\s+)*vaultmem\b", page.read_text(encoding="utf-8"))


def test_every_link_of_the_readme_leads_to_a_file() -> None:
    targets = re.findall(r"\]\(([^)#]+)\)", README)
    assert targets
    assert [target for target in targets if not (ROOT / target).exists()] == []


def test_the_pictures_are_small_and_say_in_words_what_they_show() -> None:
    folder = ROOT / "vaultmem/docs/images"
    files = [ROOT / name for name in re.findall(r"!\[[^\]]+\]\(([^)]+)\)", README)]
    assert {file.parent for file in files} == {folder}
    assert sum(file.stat().st_size for file in folder.iterdir()) <= 1_000_000
    for file in files:
        picture = file.read_text(encoding="utf-8")
        assert re.search(r"<title\b[^>]*>\S", picture)
        assert re.search(r"<desc\b[^>]*>\S", picture)
        assert "prefers-color-scheme: dark" in picture
        assert not re.search(r"<script|<image|@import|https?://(?!www\.w3\.org)", picture)


def test_every_problem_code_is_explained() -> None:
    page = (ROOT / "vaultmem/docs/problems.md").read_text(encoding="utf-8")
    explained = set(re.findall(r"`([a-z0-9]+(?:-[a-z0-9]+)*)`", page))
    used: set[str] = set()
    for file in (ROOT / "vaultmem").rglob("*.py"):
        text = file.read_text(encoding="utf-8")
        used.update(re.findall(r'\bcode="([a-z0-9-]+)"', text))
        used.update(re.findall(r'\.report\((?:name, )?\s*"([a-z0-9-]+)"', text))
    assert used
    assert used - explained == set()
