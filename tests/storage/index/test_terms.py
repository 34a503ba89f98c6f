"""How near two words are, and which words one edit leads to."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rapidfuzz.distance import OSA

from tests.storage.index.building import category, decoded, item, page, resource, stream
from vaultmem.language import DAY_MS
from vaultmem.model.notes import Record
from vaultmem.storage.index.search.bm25 import Scoring, idf
from vaultmem.storage.index.search.dates import Window
from vaultmem.storage.index.search.score import Factors
from vaultmem.storage.index.search.terms import distance, one_edit, similarities
from vaultmem.storage.index.store.put_notes import Prepared, Preparer
from vaultmem.storage.index.text.traits import ASKS, TURN

word = st.text(st.sampled_from("abcdeé"), max_size=8)


@settings(deadline=None)
@given(word, word)
def test_our_distance_is_that_of_rapidfuzz(one: str, other: str) -> None:
    assert distance(one, other) == OSA.distance(one, other)


@settings(deadline=None)
@given(word.filter(bool), word)
def test_similarity_does_not_depend_on_who_compares(one: str, other: str) -> None:
    [(similarity, _)] = similarities(one, [other])
    assert similarity == pytest.approx(OSA.normalized_similarity(one, other))


@settings(deadline=None)
@given(word.filter(bool))
def test_one_edit_is_one_edit(one: str) -> None:
    assert {distance(one, other) for other in one_edit(one)} == {1}


@pytest.mark.parametrize("wrong", ["wrod", "wordd", "ord", "vord", "owrd", "слово"])
def test_one_edit_finds_the_word(wrong: str) -> None:
    right = "снова" if wrong == "слово" else "word"
    assert (right in one_edit(wrong)) == (distance(wrong, right) == 1)


def test_rarer_words_weigh_more_and_all_weigh_something() -> None:
    weights = [idf(100, holding) for holding in (0, 1, 10, 50, 100)]
    assert weights == sorted(weights, reverse=True)
    assert weights[-1] > 0


def test_a_word_weighs_as_lucene_says() -> None:
    # ln(1 + (N - n + .5) / (n + .5)), the variant of BM25 that never falls below 0.
    assert idf(10, 3) == pytest.approx(1.145132)
    assert idf(10, 0) == pytest.approx(3.091042)


def test_a_turn_that_asks_says_less_than_one_that_tells() -> None:
    factors = Factors(Scoring(), asks_when=False)
    told = factors.product(TURN, is_about=False)
    assert factors.product(TURN | ASKS, is_about=False) < told
    assert factors.product(ASKS, is_about=False) == 1  # a heading that asks is no turn


def test_what_was_said_after_a_time_is_near_it_for_longer_than_what_was_said_before() -> None:
    window = Window(0, DAY_MS, 1.0)
    before = window.nearness(-4 * DAY_MS, -2 * DAY_MS)
    after = window.nearness(3 * DAY_MS, 4 * DAY_MS)
    assert before == pytest.approx(math.exp(-1))  # two days
    assert after == pytest.approx(math.exp(-0.2))  # two of ten
    assert window.nearness(-DAY_MS, 5 * DAY_MS) == 1


def test_a_batch_survives_the_way_to_another_process() -> None:
    records: list[Record] = [
        item("I prefer tabs, Ann's way.", subject="user", more="Since 2019."),
        resource("**Ann**: One?\n\n**Bob**: I did, yesterday.\n"),
        page("# Title\n\nText [[link]]."),
        stream("- new"),
        category("# Tools"),
    ]
    batch = Preparer(zone="UTC").prepare([decoded(record) for record in records])
    assert Prepared.loads(batch.dumps()) == batch
