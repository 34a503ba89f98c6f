"""The plan of a budget: exact in what it keeps, drawn to the streams' shares, quick to settle."""

from __future__ import annotations

import math
from random import Random

import pytest

from tests.context.ratios import PRESERVATION
from vaultmem.base.errors import BadInputError
from vaultmem.context.budget import (
    Claim,
    Offer,
    log_odds,
    plan_budget,
    shares,
    worths,
)

STREAMS = tuple(PRESERVATION)


def claims(random: Random, count: int, steep: float = 20.0) -> list[Claim]:
    return [
        Claim(random.randint(5, 80), random.choice(STREAMS), steep * random.random())
        for _ in range(count)
    ]


class TestThePlan:
    def test_it_keeps_the_budget_and_no_more_of_a_memory_than_there_is(self) -> None:
        random = Random(4)
        for _ in range(300):
            held = claims(random, random.randint(1, 40))
            whole = sum(claim.tokens for claim in held)
            budget = random.uniform(0, 1.2) * whole
            plan = plan_budget(held, budget, preservation=PRESERVATION, firmness=random.random())
            assert plan.converged
            assert all(0 <= share <= 1 for share in plan.shares)
            kept = math.fsum(c.tokens * s for c, s in zip(held, plan.shares, strict=True))
            assert kept == pytest.approx(min(budget, whole), abs=1e-4 * whole)
            assert math.fsum(plan.rooms.values()) == pytest.approx(kept)
            assert plan.rooms.keys() == PRESERVATION.keys()

    def test_within_a_stream_what_is_worth_more_is_kept_more_of(self) -> None:
        held = claims(Random(7), 60)
        plan = plan_budget(held, 900, preservation=PRESERVATION)
        for stream in STREAMS:
            own = [
                (claim.worth, share)
                for claim, share in zip(held, plan.shares, strict=True)
                if claim.stream == stream
            ]
            ordered = [share for _, share in sorted(own)]
            assert ordered == sorted(ordered)

    def test_a_stream_that_does_not_answer_leaves_its_room_to_one_that_does(self) -> None:
        held = [Claim(40, "flow", 20.0)] * 10 + [Claim(40, "identity", 0.0)] * 10
        answering = plan_budget(held, 400, preservation=PRESERVATION)
        assert answering.rooms["flow"] > 380
        held_to_shares = plan_budget(held, 400, preservation=PRESERVATION, firmness=1)
        assert held_to_shares.rooms["flow"] < 120

    def test_without_firmness_only_worth_counts_and_with_all_of_it_the_shares_are_exact(
        self,
    ) -> None:
        held = claims(Random(9), 50, steep=6)
        tokens = [claim.tokens for claim in held]
        free = plan_budget(held, 700, preservation=PRESERVATION, firmness=0)
        expected = shares(tokens, [claim.worth for claim in held], 700)
        for claim, share, kept in zip(held, free.shares, expected, strict=True):
            assert claim.tokens * share == pytest.approx(kept, abs=1e-3)
        firm = plan_budget(held, 700, preservation=PRESERVATION, firmness=1)
        content = [sum(c.tokens for c in held if c.stream == each) for each in STREAMS]
        odds = [log_odds(PRESERVATION[each]) for each in STREAMS]
        for stream, kept in zip(STREAMS, shares(content, odds, 700), strict=True):
            assert firm.rooms[stream] == pytest.approx(kept, abs=1e-2)

    @pytest.mark.parametrize("part", [0.05, 0.1, 0.3, 0.6, 0.9])
    def test_it_settles_in_few_rounds_and_momentum_changes_nothing_else(self, part: float) -> None:
        held = claims(Random(11), 400)
        budget = part * sum(claim.tokens for claim in held)
        quick = plan_budget(held, budget, preservation=PRESERVATION)
        plain = plan_budget(
            held, budget, preservation=PRESERVATION, accelerate=False, most_rounds=50_000
        )
        assert quick.converged
        assert quick.rounds <= 150
        assert quick.rounds <= plain.rounds + 2
        assert max(
            abs(a - b) for a, b in zip(quick.shares, plain.shares, strict=True)
        ) == pytest.approx(0, abs=1e-4)

    def test_what_cannot_be_is_refused(self) -> None:
        held = [Claim(10, "flow", 0.0)]
        for arguments in (
            {"budget": -1},
            {"budget": 5, "firmness": 1.5},
            {"budget": 5, "preservation": {"identity": 0.95}},
            {"budget": 5, "preservation": {"flow": 1.5}},
        ):
            wanted = {"preservation": PRESERVATION, **arguments}
            with pytest.raises(BadInputError):
                plan_budget(held, **wanted)  # type: ignore[arg-type]
        assert plan_budget([], 100, preservation=PRESERVATION).shares == ()


def offer(text: str, **given: object) -> Offer:
    usual: dict[str, object] = {
        "note": text,
        "line": None,
        "date": "",
        "relevance": 0.5,
        "recency": 0.0,
        "importance": 0.5,
    }
    return Offer(text=text, **{**usual, **given})  # type: ignore[arg-type]


class TestWhatAMemoryIsWorth:
    def test_relevance_decides_before_all_else(self) -> None:
        strong = offer("The kiln is in Hall 4.", relevance=0.6, date="2020-01-01")
        weak = offer("Glazes dry slowly.", relevance=0.5, recency=1.0, importance=1.0)
        first, second = worths([strong, weak])
        assert first > second

    def test_of_equally_relevant_ones_the_weightier_and_then_the_newer_comes_first(self) -> None:
        plain, newer, weighty = worths(
            [
                offer("Kiln one is blue."),
                offer("A second kiln stands outside.", recency=0.9),
                offer("Never open it when red hot.", importance=1.0),
            ]
        )
        assert weighty > newer > plain

    def test_of_two_that_say_the_same_the_newer_is_not_charged(self) -> None:
        text = "The choir meets on Tuesday at eight in the old school"
        old, new = worths(
            [offer(text, note="a", date="2026-01-01"), offer(f"{text}.", date="2026-03-01")]
        )
        assert new > old
        first, second = worths([offer(text, note="a"), offer(f"{text}.")])
        assert first > second

    def test_a_passage_beside_one_that_answers_is_lent_some_of_it(self) -> None:
        near, far, _ = worths(
            [
                offer("Yes, at six.", note="talk", line=12, relevance=0.3),
                offer("Bring bread.", note="talk", line=90, relevance=0.3),
                offer("When does the choir meet?", note="talk", line=10, relevance=1.0),
            ]
        )
        assert near > far
