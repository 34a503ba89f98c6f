"""What is asked after the first answer."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.language.stems import STOP_WORDS, Stems, words
from vaultmem.language.text import fold
from vaultmem.recall.rounds import MOST_NAMES, lacking, names_in

STEM = Stems()


def stems(text: str) -> set[str]:
    return {STEM(word) for word in words(fold(text)) if word not in STOP_WORDS}


def names(*texts: str, known: str = "") -> tuple[str, ...]:
    return names_in([(text, 1.0) for text in texts], known=stems(known), stems=stems)


@pytest.mark.parametrize(
    ("texts", "found"),
    [
        (("We met Ann Lee and bob in Rome.",), ("Ann Lee", "Rome")),
        (("In Ulm we met Ann. The shelf is full.",), ("Ann", "Ulm")),
        (("In May we met Ann. It was last August, on a Monday.",), ("Ann",)),
        (("We went to Rome with April and May.",), ("April", "May")),
        (("Ann came", "She saw Rome and Ann", "He saw Ann"), ("Ann", "Rome")),
        (("nobody", ""), ()),
        (("We like New York, Boston and U.S. trains.",), ("Boston", "New York")),
        (("昨日、東京に行った",), ()),
        (("мы видели Анну в Риме",), ("Анну", "Риме")),
    ],
)
def test_names_are_capitals_inside_sentences(
    texts: tuple[str, ...], found: tuple[str, ...]
) -> None:
    assert names(*texts) == found


def test_a_name_that_was_asked_for_is_not_new() -> None:
    assert names("We met Ann Lee and Bob.", known="did Ann call") == ("Bob",)


def test_lacking_goes_by_stems_and_keeps_the_order() -> None:
    asked = [(word, {STEM(word)}) for word in ("boats", "sold", "harbour")]
    assert lacking(asked, ["We own a boat", "nothing"], stems) == "sold harbour"
    assert lacking(asked, ["boat harbours sold"], stems) == ""
    assert lacking([("sell", {"sell", "sold"})], ["It is sold."], stems) == ""
    assert lacking([], [], stems) == ""


@given(st.lists(st.tuples(st.text(), st.floats(0, 100)), max_size=4))
def test_any_text_gives_a_few_names(found: list[tuple[str, float]]) -> None:
    assert len(names_in(found, known=(), stems=stems)) <= MOST_NAMES


def test_no_text_lacks_a_word_that_only_compares() -> None:
    asked = [("tram", {"tram"}), ("versus", {"versus"}), ("Unterschied", {"unterschied"})]
    assert lacking(asked, ["The bus is slow."], stems) == "tram"
