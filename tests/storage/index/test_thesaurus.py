"""The thesaurus: words that mean about the same answer a question, below the word itself."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.storage.index.building import item, open_index, statements
from vaultmem.language.stems import Stems
from vaultmem.language.vocabulary import phrases
from vaultmem.storage.index.search.related import Tables
from vaultmem.storage.index.search.search import Thesaurus, relations

FILE = Path(__file__).parents[3] / "vaultmem/storage/index/search" / "english.thesaurus"
STEMS = Stems(("en",))


@pytest.fixture
def thesaurus() -> Thesaurus:
    return Thesaurus(Tables(STEMS))


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("camping", "We slept in a tent by the lake."),
        ("Why did she cry?", "She was sobbing when the boat left."),
        ("automobile", "The vehicle is in the shed."),
        ("snacks", "There is food in the drawer."),
    ],
)
def test_what_means_about_the_same_answers(tmp_path: Path, question: str, expected: str) -> None:
    index = open_index(
        tmp_path / "index.sqlite", item(expected), item("Nothing here is of that kind.")
    )
    assert statements(index, question) == [expected]


def test_the_word_itself_comes_first_and_says_so(tmp_path: Path) -> None:
    itself, near = "We went camping by the lake.", "We had a tent by the lake."
    index = open_index(tmp_path / "index.sqlite", item(near), item(itself))
    answer = index.search("camping")
    assert [one.passage.text for one in answer.found] == [itself, near]
    assert "near to 'camping'" in {part.note for part in answer.found[1].parts}


def test_neighbours_add_nothing_where_the_word_itself_is(tmp_path: Path) -> None:
    short, long = "We went camping twice.", "We went camping, with a tent and a campground."
    index = open_index(tmp_path / "index.sqlite", item(long), item(short), item("A tent."))
    names = {one.passage.text: {part.name for part in one.parts}
             for one in index.search("camping").found}  # fmt: skip
    assert "related" in names["A tent."]
    assert "related" not in names[short] | names[long]


def test_alone_they_are_half_an_answer(tmp_path: Path) -> None:
    index = open_index(tmp_path / "index.sqlite", item("We had a tent by the lake."))
    itself, near = (index.search(word).found[0].coverage for word in ("tent", "camping"))
    assert itself == 1.0
    assert 0 < near < 0.25


def test_a_word_asked_for_stands_for_no_other(tmp_path: Path) -> None:
    both, one = "A tent at the camp.", "A tent for two."
    index = open_index(tmp_path / "index.sqlite", item(one), item(both))
    parts = index.search("camp tent").found[1].parts
    assert {part.name for part in parts} >= {"word"}
    assert not [part for part in parts if part.name == "related"]


@pytest.mark.parametrize(
    "stem", ["", "#", "# Made", "zzzz", "a b", "tent\ncamp", "ü", ":", "camp:"]
)
def test_what_it_does_not_know_has_no_neighbours(thesaurus: Thesaurus, stem: str) -> None:
    assert thesaurus.near(stem) == []


def test_only_english_stems_are_looked_up_in_it() -> None:
    """Its lines are English stems; other words have files of their own (test_wordings.py)."""
    notes = [group.note for group in relations(Stems(("de",))).groups("tent")]
    assert "near to '{}'" not in notes
    assert [
        group for group in relations(Stems(("en-GB",))).groups("tent") if group.stems & {"camp"}
    ]


def test_the_file_is_in_order_and_holds_stems() -> None:
    lines = [line for line in FILE.read_text("ascii").splitlines() if line[0] != "#"]
    heads = [line.partition(":")[0] for line in lines]
    assert heads == sorted(set(heads))
    assert len(heads) > 5000
    for line in lines:
        assert re.fullmatch("[a-z]+:[a-z]+(?: [a-z]+)*", line)
        head, _, near = line.partition(":")
        assert head not in near.split()


@pytest.mark.parametrize("language", ["en", "de", "es", "fr", "ru", "tr", "hu"])
def test_a_stem_begins_as_its_word_does(language: str) -> None:
    """So tables are read for the first letter of what is asked, and not as a whole."""
    stems = Stems((language,))
    said = phrases("related")
    words = " ".join((*said["forms"], *said["kinds"])).replace(":", " ").split()
    assert [word for word in words if stems(word)[:1] != word[:1]] == []


def test_tables_read_by_letter_say_what_they_hold() -> None:
    stems = Stems()
    tables = Tables(stems)
    by_stem: dict[str, set[str]] = {}
    for line in phrases("related")["forms"]:
        for stem in (several := {*stems.many(line.split())}):
            by_stem.setdefault(stem, set()).update(several)
    for stem, forms in by_stem.items():
        group = tables.groups(stem)[0]
        assert group.stems == forms - {stem}
