"""Words and phrases of the languages are files: a language or a cue more needs no Python."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.bench.words import FOLDER, packed, read_sections
from vaultmem.language.vocabulary import PACKED, vocabulary


def test_what_is_packed_is_what_the_files_say() -> None:
    """Else: `python -m tests.bench.words`."""
    assert Path(PACKED).read_text(encoding="utf-8") == packed()


def test_a_new_language_is_understood_by_its_files_alone(tmp_path: Path) -> None:
    """A program with a folder `tlh` of two files, in which the others are missing."""
    program = tmp_path / "vaultmem"
    shutil.copytree(FOLDER.parents[1], program, ignore=shutil.ignore_patterns("docs", "*.weights"))
    folder = program / "language" / "words"
    (folder / "tlh").mkdir()
    (folder / "tlh" / "stakes.txt").write_text("[allergy]\nQ'ay'wI*\n", encoding="utf-8")
    (folder / "tlh" / "signs.txt").write_text("[self]\njIH\n", encoding="utf-8")
    (program / "language" / "words.packed").write_text(packed(folder), encoding="utf-8")
    asked = (
        "from vaultmem.judgement.signs import signs_of\n"
        "from vaultmem.judgement.stakes import stakes_of\n"
        "print(*stakes_of('', ['Q\\'ay\\'wIl']), *signs_of('jIH'))\n"
    )
    done = subprocess.run(
        [sys.executable, "-P", "-B", "-c", asked],
        env={"PYTHONPATH": str(tmp_path), "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == ["allergy", "self"]


def test_a_section_has_the_lines_of_all_languages() -> None:
    times = vocabulary("stakes")["times a day"].split(r"\b|\b")
    assert any("twice" in each for each in times)
    assert any("keer per dag" in each for each in times)


def test_a_title_that_english_has_not_is_told(tmp_path: Path) -> None:
    for language, text in (("en", "[colour]\nred\n"), ("pl", "[color]\nczerwony\n")):
        (tmp_path / language).mkdir()
        (tmp_path / language / "hue.txt").write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=r"pl/hue.txt: English has no section \[color\]"):
        packed(tmp_path)


def test_a_file_has_lines_reasons_and_patterns_of_several_lines(tmp_path: Path) -> None:
    file = tmp_path / "cues.txt"
    file.write_text(
        "# why\n\n[said]\nagain (?:and\n    |or) again\n# of one word\nonce\n\n"
        "[said needs]\nagain_\nonce\n",
        encoding="utf-8",
    )
    assert read_sections(file) == {
        "said": ["again (?:and|or) again", "once"],
        "said needs": ["again ", "once"],
    }
