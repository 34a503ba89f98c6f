"""The window's share, the tiers, and which whole memories are chosen."""

from __future__ import annotations

import random

import pytest

from vaultmem.base.errors import BadInputError
from vaultmem.context.tokens import TIERS, Candidate, choose, tier_tokens, window_tokens


def test_memory_takes_its_share_of_a_window() -> None:
    assert window_tokens(200_000) == 30_000
    assert window_tokens(7) == 1
    assert window_tokens(1_000, 0.29) == 290
    for window, share in ((-1, 0.15), (10, 1.5), (10, -0.1)):
        with pytest.raises(BadInputError):
            window_tokens(window, share)


def test_no_tier_borrows_from_another() -> None:
    assert tier_tokens({"facts": 900}) == {**dict.fromkeys(TIERS, 0), "facts": 200}
    assert sum(tier_tokens(dict.fromkeys(TIERS, 999)).values()) == 1200


def test_a_smaller_total_is_granted_in_the_order_of_the_tiers() -> None:
    grants = tier_tokens(dict.fromkeys(TIERS, 999), total=450)
    assert list(grants.values()) == [200, 200, 50, 0, 0]


class TestChoosing:
    def test_one_that_does_not_fit_is_skipped_not_an_end(self) -> None:
        held = [
            Candidate(id=name, tokens=t, score=s)
            for name, t, s in (("big", 90, 3), ("huge", 50, 2), ("small", 10, 1))
        ]
        assert choose(held, 100).selected == ("big", "small")

    def test_the_threshold_itself_is_not_above_it(self) -> None:
        held = [Candidate(id="a", tokens=1, score=1, relevance=0.7)]
        assert choose(held, 100, above=0.7).message == "no memory found"

    def test_ties_go_to_the_newer_and_then_by_id(self) -> None:
        held = [
            Candidate(id=name, tokens=1, score=1, age_days=age)
            for name, age in (("b", 1), ("a", 1), ("c", 0))
        ]
        random.Random(1).shuffle(held)
        assert choose(held, 9).order == ("c", "a", "b")
        assert choose(held, 9, max_items=2).selected == ("c", "a")
