"""Lists of words that are packed for a quick start."""

from __future__ import annotations

from pathlib import Path

from tests.bench.judgement.packing import packed_aspects, packed_cues
from vaultmem.judgement.introductions import FOLDER, languages, read_packed


def _file(name: str) -> str:
    return (Path(FOLDER) / f"{name}.packed").read_text(encoding="utf-8")


def test_what_is_packed_is_what_the_lists_say() -> None:
    """Else: `python -m tests.bench.judgement.packing`."""
    assert _file("cues") == packed_cues()
    assert _file("aspects") == packed_aspects()


def test_every_language_has_its_words_and_phrases() -> None:
    read = {each.name: each for each in languages()}
    assert list(read) == ["de", "en", "es", "fr", "it", "nl", "pt"]
    assert "my" in read["en"].mine
    assert all(phrase[0] == phrase[-1] == " " for phrase in read["de"].remember)
    assert all(each.marks and each.vocabulary and each.roles for each in read.values())


def test_a_line_keeps_what_stands_behind_its_first_sign() -> None:
    assert set(read_packed("aspects")) == {"phrases", "words", "look"}
    assert "ends no longer" in read_packed("aspects")["phrases"]["no"].split("|")
