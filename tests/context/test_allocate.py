"""Budgets of streams and of single memories: the promises of algorithms.md 3.8."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from fractions import Fraction

import pytest

from tests.context.ratios import PRESERVATION
from vaultmem.base.errors import BadInputError
from vaultmem.context.budget import (
    Allocation,
    allocate,
    budget_for,
    log_odds,
    quota,
    shares,
)
from vaultmem.context.spread import AFFINITY, Affinity, Chunk, diffuse, with_marginals

CASES = 10_000
Case = tuple[list[int], list[float], int]


def cases(seed: int, count: int) -> Iterator[Case]:
    """Streams of very different sizes, ratios with ties and ends, budgets from none to all."""
    rng = random.Random(seed)
    for _ in range(count):
        size = rng.choice((1, 2, 3, 4, 4, 4, 5, 7))
        content = [int(10 ** rng.uniform(0, 4.5)) - 1 for _ in range(size)]
        usual = [*PRESERVATION.values(), 0.0, 0.5, 1.0]
        ratios = [rng.choice(usual) if rng.random() < 0.5 else rng.random() for _ in range(size)]
        yield content, ratios, rng.randint(0, sum(content) + 3)


def granted(content: list[int], ratios: list[float], budget: int) -> tuple[int, ...]:
    return allocate(content, ratios, budget).granted


class TestStreams:
    """'exact sum, caps, monotone in B (no Alabama paradox) and in p; within max(1, n/2) tokens'."""

    def test_every_promise_on_ten_thousand_cases(self, tally: Callable[..., None]) -> None:
        rng = random.Random(8)
        for content, ratios, budget in cases(7, CASES):
            found = granted(content, ratios, budget)
            case = (content, ratios, budget, found)
            assert sum(found) == min(budget, sum(content)), case
            assert all(0 <= got <= held for got, held in zip(found, content, strict=True)), case
            real = shares(content, [log_odds(p) for p in ratios], budget)
            room = max(1.0, len(content) / 2) + 1e-6
            assert all(abs(a - b) <= room for a, b in zip(found, real, strict=True)), case
            self.grows(found, granted(content, ratios, budget + 1), case)
            which = rng.randrange(len(content))
            higher = list(ratios)
            higher[which] = min(1.0, ratios[which] + rng.random() ** 3)
            assert granted(content, higher, budget)[which] >= found[which], case
            fuller = list(content)
            fuller[which] += rng.choice((1, 1, 2, 50))
            assert granted(fuller, ratios, budget)[which] >= found[which], case
        tally("allocations", cases=CASES)

    @staticmethod
    def grows(before: tuple[int, ...], after: tuple[int, ...], case: object) -> None:
        assert all(a >= b for b, a in zip(before, after, strict=True)), case

    def test_the_ratio_means_what_it_says(self) -> None:
        for content, ratios, _ in cases(9, 300):
            inner = [min(0.99, max(0.01, ratio)) for ratio in ratios]
            found = allocate(content, inner)
            assert found.budget == budget_for(content, inner)
            room = max(1.0, len(content) / 2) + 1
            for got, held, ratio in zip(found.granted, content, inner, strict=True):
                assert abs(got - ratio * held) <= room

    def test_what_is_kept_of_a_stream_is_ordered_like_its_ratio(self) -> None:
        for content, _, budget in cases(10, 500):
            held = (content * 4)[:4]
            found = granted(held, list(PRESERVATION.values()), budget)
            for i in range(3):
                if held[i] and held[i + 1]:
                    slack = 2 / min(held[i], held[i + 1])
                    assert found[i] / held[i] >= found[i + 1] / held[i + 1] - slack

    def test_it_is_the_transport_that_sinkhorn_finds(self) -> None:
        for content, ratios, budget in cases(11, 60):
            inner = [min(0.99, max(0.01, ratio)) for ratio in ratios]
            total = sum(content)
            if not 0 < budget < total:
                continue
            real = shares(content, [log_odds(p) for p in inner], budget)
            plan = with_marginals(
                [[p, 1 - p] for p in inner],
                content,
                [budget, total - budget],
                epsilon=1e-12,
                most_rounds=50_000,
            )
            assert plan.converged
            assert plan.matrix[:, 0].tolist() == pytest.approx(real, abs=1e-5 * total)

    def test_tokens_are_granted_in_the_stated_order(self) -> None:
        """Against the definition: all tokens sorted, in exact fractions of their own odds."""
        for content, ratios, _ in cases(12, 200):
            held = [min(count, 12) for count in content]
            inner = [Fraction(round(min(0.99, max(0.01, p)) * 100), 100) for p in ratios]
            places = []
            for i, (count, p) in enumerate(zip(held, inner, strict=True)):
                for j in range(1, count + 1):
                    share = Fraction(2 * j - 1, 2 * count)
                    places.append((share / (1 - share) * (1 - p) / p, i))
            places.sort()
            for budget in range(sum(held) + 1):
                wanted = [0] * len(held)
                for _, i in places[:budget]:
                    wanted[i] += 1
                assert granted(held, [float(p) for p in inner], budget) == tuple(wanted)

    @pytest.mark.parametrize(
        ("content", "ratios", "budget", "kept"),
        [
            ([1, 10], [0.95, 0.5], 1, (1, 0)),
            ([7, 5], [0.3, 0.5], 7, (4, 3)),
            ([10, 3], [0.95, 0.5], 11, (10, 1)),
        ],
    )
    def test_of_two_tokens_at_one_place_that_of_the_earlier_stream_is_granted(
        self, content: list[int], ratios: list[float], budget: int, kept: tuple[int, ...]
    ) -> None:
        """Of these the rounded solution gives the other one, by noise in its last digits."""
        assert granted(content, ratios, budget) == kept

    def test_pinned_tokens_come_first(self) -> None:
        found = allocate([1000, 1000], [0.95, 0.3], 400, pinned=[0, 300])
        assert sum(found.granted) == 400
        assert found.granted[1] >= 300
        assert not found.pinned_exceeds_budget

    def test_pinned_tokens_are_granted_beyond_the_budget_and_that_is_said(self) -> None:
        found = allocate([10, 500], [0.95, 0.3], 100, pinned=[0, 300])
        assert found == Allocation((0, 300), 100, pinned_exceeds_budget=True)

    @pytest.mark.parametrize(
        ("content", "ratios", "budget", "pinned"),
        [
            ([1], [1.1], 1, None),
            ([1], [-0.1], 1, None),
            ([1], [float("nan")], 1, None),
            ([1], [0.5], -1, None),
            ([-1], [0.5], 1, None),
            ([1, 1], [0.5], 1, None),
            ([1], [0.5], 1, [2]),
            ([1], [0.5], 1, [0, 0]),
        ],
    )
    def test_refuses_what_makes_no_sense(
        self, content: list[int], ratios: list[float], budget: int, pinned: list[int] | None
    ) -> None:
        with pytest.raises(BadInputError):
            allocate(content, ratios, budget, pinned=pinned)

    def test_a_quota_looks_at_nothing_but_ratios(self) -> None:
        assert quota(100, [0.5, 0.25], [1, 2]) == [50, 50]


def chunks(seed: int, count: int, topics: int = 40) -> list[Chunk]:
    rng = random.Random(seed)
    return [
        Chunk(
            id=f"c{i}",
            stream=rng.choice(list(PRESERVATION)),
            tokens=rng.randint(5, 60),
            recency=rng.random(),
            relevance=rng.random() ** 3,
            importance=rng.randint(1, 10) / 10,
            topic=f"t{rng.randrange(topics)}",
        )
        for i in range(count)
    ]


class TestChunks:
    def test_score_is_moved_and_none_is_made(self) -> None:
        held = chunks(1, 200)
        plain = diffuse(held, diffusion=0)
        moved = diffuse(held, diffusion=0.5)
        assert sum(moved) == pytest.approx(sum(plain), abs=1e-6)
        assert max(moved) - min(moved) < max(plain) - min(plain)

    def test_a_topic_shared_with_a_strong_memory_lifts_a_weak_one(self) -> None:
        weak = Chunk(
            id="w", stream="flow", tokens=50, recency=0.1, relevance=0.1, importance=0.1, topic="a"
        )
        strong = Chunk(
            id="s", stream="flow", tokens=50, recency=1, relevance=1, importance=1, topic="a"
        )
        apart = Chunk(
            id="s", stream="flow", tokens=50, recency=1, relevance=1, importance=1, topic="b"
        )
        others = chunks(2, 10)
        lifted, alone = (diffuse([weak, other, *others]) for other in (strong, apart))
        assert lifted[0] > alone[0]

    def test_many_are_scored_nearly_as_all_pairs_would(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        from vaultmem.context import spread as module

        held = chunks(3, 700)
        near = diffuse(held)
        monkeypatch.setattr(module, "_EXACT", 700)
        exact = diffuse(held)
        assert max(abs(a - b) for a, b in zip(near, exact, strict=True)) < 0.02
        assert sum(near) == pytest.approx(sum(exact), abs=1e-3)

    @pytest.mark.parametrize("count", [60, 600])
    @pytest.mark.parametrize("name", ["recency", "relevance", "importance", "topic"])
    def test_each_weight_says_how_alike_memories_are(self, name: str, count: int) -> None:
        held = chunks(4, count)
        usual = diffuse(held)
        other = diffuse(held, affinity=Affinity(weights={**AFFINITY, name: 1.0}))
        assert max(abs(a - b) for a, b in zip(usual, other, strict=True)) > 1e-3
        assert sum(other) == pytest.approx(sum(usual), abs=1e-3)

    def test_the_sharpest_settings_give_numbers(self) -> None:
        sharp = Affinity(weights=dict.fromkeys(AFFINITY, 1.0), temperature=0.05)
        for count in (60, 600):
            found = diffuse(chunks(5, count), diffusion=1, affinity=sharp)
            assert all(-1e-6 <= score <= 1 + 1e-6 for score in found)

    def test_fewer_rounds_are_less_exact(self) -> None:
        held = chunks(6, 60)
        exact = diffuse(held, affinity=Affinity(epsilon=1e-12))
        usual, once, rough = (
            max(abs(a - b) for a, b in zip(exact, diffuse(held, affinity=way), strict=True))
            for way in (Affinity(), Affinity(most_rounds=1), Affinity(epsilon=0.5))
        )
        assert usual < 1e-7
        assert once > 1e-5
        assert rough > 1e-5

    def test_no_chunks_get_nothing(self) -> None:
        assert diffuse([]) == []

    @pytest.mark.parametrize(
        "changed", [{"recency": 1.5}, {"relevance": -0.1}, {"importance": float("nan")}]
    )
    def test_refuses_what_is_out_of_range(self, changed: dict[str, object]) -> None:
        plain = {"id": "x", "stream": "flow", "tokens": 1, "recency": 0, "relevance": 0}
        chunk = Chunk(**{**plain, "importance": 0, **changed})  # type: ignore[arg-type]  # wrong on purpose
        with pytest.raises(BadInputError):
            diffuse([chunk])
