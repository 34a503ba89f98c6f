"""What single parts of a score are worth."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from vaultmem.storage.index.search.bm25 import Scoring
from vaultmem.storage.index.search.score import Factors, meaning_gains
from vaultmem.storage.index.text.traits import MOST_WORDS, TURN, WORDS_SHIFT


class _HalfAlike:
    """Every passage is as like the question as every other one."""

    gain = 1.0

    def of(self, passages: Sequence[int]) -> dict[int, tuple[float, bool]]:
        return dict.fromkeys(passages, (0.5, True))

    def nearest(self, limit: int, passes: object) -> list[int]:
        return []

    def coverage(self, passage: int) -> float:
        return 0.5


def test_what_is_meant_gives_twice_as_much_to_a_note_of_one_passage() -> None:
    gains = meaning_gains(_HalfAlike(), [(0, (0,)), (1, (1, 2))], 3.0)
    assert [gains[passage][0] for passage in (0, 1, 2)] == [3.0, 1.5, 1.5]


def test_a_turn_that_says_nothing_weighs_as_much_less_as_its_length_can_give() -> None:
    factors = Factors(Scoring(length=0.28, first_person=0, temporal=0, names=0), asks_when=False)
    full = factors.product(TURN | MOST_WORDS << WORDS_SHIFT, is_about=False)
    assert full == 1
    assert factors.product(TURN, is_about=False) == pytest.approx(1 / 1.28)
