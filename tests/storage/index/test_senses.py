"""Senses of words choose among passages where the words of a question are not in them."""

from __future__ import annotations

from vaultmem.storage.index.search.senses import Senses

TEXTS = (
    (4, 4, "The boiler is drained in October."),
    (8, 8, "Our daughter's wedding is in Split."),
    (12, 12, "The lawyer has the contract."),
)


def test_the_nearest_in_sense_is_the_likeliest() -> None:
    like = Senses("Where does our child get married?", TEXTS).of([4, 8, 12])
    assert like[8][0] > like[4][0]
    assert like[8][0] > like[12][0]


def test_what_is_usual_gains_nothing_and_no_answer_is_claimed() -> None:
    senses = Senses("Where does our child get married?", TEXTS)
    assert min(value for value, _ in senses.of([4, 8, 12]).values()) == 0.0
    assert senses.coverage(8) == 0.0
    assert senses.nearest(1, None) == [8]
    assert senses.nearest(1, lambda passage: passage != 8) != [8]


def test_a_question_of_no_words_is_like_nothing() -> None:
    assert Senses("?!", TEXTS).nearest(3, None) == []
