"""Curves, blends, fusion, breadth, graphs and learned weights: what must hold of any numbers."""

from __future__ import annotations

from math import exp, inf

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.vectors.ranking import age_until
from vaultmem.base.errors import BadInputError
from vaultmem.check.status import scale_of
from vaultmem.recall import recency
from vaultmem.recall.ranking import presets
from vaultmem.recall.ranking.diversity import diverse, jaccard
from vaultmem.recall.ranking.graph import expand_breadth_first, pagerank
from vaultmem.recall.ranking.learned_weights import (
    Judgement,
    in_all_one,
    posterior,
    responsibility,
)

ages = st.floats(-1e6, 1e6)
shares = st.floats(0, 1)


class TestRecency:
    """1 at age 0, never more before it, never rising after it (algorithms.md 5.2, 0.1)."""

    @given(ages, ages)
    def test_older_is_never_fresher(self, a: float, b: float) -> None:
        younger, older = sorted((a, b))
        for curve in (
            lambda age: recency.exponential(age, 0.005),
            recency.power_law,
            recency.hyperbolic,
            lambda age: recency.retention(age, 200.0),
        ):
            assert 1 >= curve(younger) >= curve(older) >= 0

    def test_an_age_without_end_is_forgotten(self) -> None:
        assert recency.exponential(inf, 0.01) == recency.hyperbolic(inf) == 0

    @pytest.mark.parametrize("rate", [0.0001, 0.005, 0.01, 0.1, 0.49])
    def test_the_power_law_is_the_lower_one_until_the_curves_cross_once(self, rate: float) -> None:
        at = age_until(lambda hours: recency.power_law(hours) < recency.exponential(hours, rate))
        assert recency.power_law(at) == pytest.approx(recency.exponential(at, rate))
        for share in (0.1, 0.5, 0.9):
            assert recency.power_law(at * share) < recency.exponential(at * share, rate)
            assert recency.power_law(at / share) > recency.exponential(at / share, rate)

    @given(st.floats(0, 1e6))
    def test_a_fast_decay_is_never_above_the_power_law(self, hours: float) -> None:
        for rate in (0.5, 3):
            assert recency.power_law(hours) >= recency.exponential(hours, rate)

    @pytest.mark.parametrize("rate", [0, -1, inf, float("nan")])
    def test_a_rate_that_is_no_rate_is_refused(self, rate: float) -> None:
        with pytest.raises(BadInputError, match="decay rate"):
            recency.exponential(1, rate)

    def test_stability_ends_at_its_cap(self) -> None:
        hours = [recency.stability_hours(n, base_hours=200) for n in (0, 1, 15, 10**9)]
        assert hours == [200, 300, 200 * 1.5**15, 87_600]
        assert recency.stability_hours(0, base_hours=1e9) == 87_600

    def test_without_an_access_it_is_as_fresh_as_park_says(self) -> None:
        kept = recency.retention(100, recency.stability_hours(0, base_hours=200))
        assert kept == pytest.approx(exp(-0.005 * 100))


class TestBlends:
    """Components in 0..1 before any weight (algorithms.md 0.1)."""

    @given(st.lists(st.floats(-1e6, 1e6), max_size=6))
    def test_normalising_keeps_the_order(self, column: list[float]) -> None:
        stretched = presets.normalise(column)
        assert len(stretched) == len(column)
        assert all(0 <= value <= 1 for value in stretched)
        for i, one in enumerate(column):
            assert all(stretched[i] <= stretched[j] for j, b in enumerate(column) if one < b)

    def test_nobody_is_no_park(self) -> None:
        assert presets.park_components([], []) == []

    def test_park_weighs_as_it_is_told(self) -> None:
        old = presets.Traits(importance=9, relevance=0.5)
        new = presets.Traits(importance=1, relevance=0.5)
        only_new = presets.shares_of({"recency": 1, "importance": 0, "relevance": 0})
        found = presets.park_components([old, new], [0.1, 0.9])
        assert [presets.weighted_sum(each, only_new) for each in found] == [0, 1]
        with pytest.raises(BadInputError, match="not below 0"):
            presets.shares_of({"recency": 0, "importance": 0, "relevance": 0})

    @given(st.lists(st.permutations("abcde"), min_size=1, max_size=4), st.randoms())
    def test_fusion_does_not_care_which_list_comes_first(
        self, lists: list[list[str]], random: object
    ) -> None:
        shuffled = list(lists)
        random.shuffle(shuffled)  # type: ignore[attr-defined]
        assert presets.reciprocal_ranks(lists) == presets.reciprocal_ranks(shuffled)

    def test_a_repeated_id_counts_once_at_its_better_rank(self) -> None:
        assert presets.reciprocal_ranks([["a", "b", "a"]]) == presets.reciprocal_ranks([["a", "b"]])

    def test_a_list_without_weight_brings_nobody(self) -> None:
        assert [id_ for id_, _ in presets.reciprocal_ranks([["a"], ["b"]], weights=[1, 0])] == ["a"]


class TestBreadth:
    @given(st.dictionaries(st.text("abcdef", min_size=1), shares, max_size=6))
    def test_without_variety_it_is_the_order_of_the_scores(self, scores: dict[str, float]) -> None:
        wanted = sorted(scores, key=lambda id_: (-scores[id_], id_))
        assert diverse(scores, lambda *_: 1.0, balance=1, limit=9) == wanted

    def test_a_copy_waits_until_others_have_spoken(self) -> None:
        texts = {"a": "the key is red", "b": "the key is red", "c": "a boat"}

        def alike(one: str, other: str) -> float:
            return jaccard(texts[one].split(), texts[other].split())

        assert diverse({"a": 0.9, "b": 0.89, "c": 0.6}, alike, limit=3) == ["a", "c", "b"]

    def test_of_two_that_add_as_much_the_better_one_comes_first_whatever_floats_say(self) -> None:
        scores = {"a": 0.3, "b": 0.6, "c": 0.2, "d": 1.0}
        near = {"ab": 0.9, "ac": 0.6, "ad": 0.1, "bc": 0.9, "bd": 0.8, "cd": 0.3}

        def alike(one: str, other: str) -> float:
            return near["".join(sorted((one, other)))]

        assert diverse(scores, alike, limit=4) == ["d", "b", "a", "c"]

    def test_no_words_are_nothing_in_common(self) -> None:
        assert jaccard([], []) == 0
        assert jaccard(["a", "a"], ["a"]) == 1

    def test_a_balance_beyond_its_range_is_refused(self) -> None:
        with pytest.raises(BadInputError, match="balance"):
            diverse({"a": 1}, lambda *_: 0.0, balance=1.1, limit=1)


edges = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5), st.floats(0, 9)), max_size=12)


class TestStanding:
    @given(edges, st.floats(0, 0.95), st.lists(shares, min_size=6, max_size=6))
    def test_it_solves_its_own_equation(
        self, links: list[tuple[int, int, float]], damping: float, home: list[float]
    ) -> None:
        """Against a direct solution of (I - d P) x = (1 - d) v, P with dangling nodes as v."""
        start = np.array(home) / sum(home) if sum(home) else np.full(6, 1 / 6)
        walk = np.zeros((6, 6))
        for source, target, weight in links:
            walk[target, source] += weight
        for node in range(6):
            out = walk[:, node].sum()
            walk[:, node] = walk[:, node] / out if out else start
        exact = np.linalg.solve(np.eye(6) - damping * walk, (1 - damping) * start)
        found = pagerank(6, links, damping=damping, teleport=home)
        assert found == pytest.approx(list(exact), abs=1e-8)
        assert sum(found) == pytest.approx(1)

    def test_no_nodes_have_no_standing(self) -> None:
        assert pagerank(0, []) == []

    def test_what_cannot_be_reached_has_exactly_none(self) -> None:
        assert pagerank(3, [(0, 1, 1.0)], teleport=[1, 0, 0])[2] == 0

    @pytest.mark.parametrize("bad", [[(0, 2, 1.0)], [(-1, 0, 1.0)], [(0, 1, -1.0)]])
    def test_an_edge_that_is_none_is_refused(self, bad: list[tuple[int, int, float]]) -> None:
        with pytest.raises(BadInputError, match="edge"):
            pagerank(2, bad)

    def test_a_walk_that_never_begins_again_is_refused(self) -> None:
        with pytest.raises(BadInputError, match="damping"):
            pagerank(2, [], damping=1)


LINKS = {"a": ["b", "c"], "b": ["d", "c"], "c": ["a"], "d": ["e"]}
FIXED = {"words": 0.6, "recency": 0.4}


class TestNeighbours:
    def walk(self, hits: dict[str, float], hops: int = 1) -> list[tuple[str, int, float, str]]:
        found = expand_breadth_first(hits, lambda id_: LINKS.get(id_, ()), hops=hops, limit=9)
        return [(one.id, one.hops, one.score, one.via) for one in found]

    def test_hits_come_before_what_they_link_to(self) -> None:
        assert self.walk({"b": 0.4, "a": 0.2}) == [
            ("b", 0, 0.4, ""),
            ("a", 0, 0.2, ""),
            ("d", 1, 0.2, "b"),
            ("c", 1, 0.2, "b"),
        ]

    def test_a_neighbour_of_two_hits_takes_the_better_score(self) -> None:
        assert ("c", 1, 0.5, "b") in self.walk({"a": 0.2, "b": 1.0})

    def test_each_step_halves(self) -> None:
        assert [(id_, score) for id_, _, score, _ in self.walk({"a": 1.0}, hops=3)] == [
            *(("a", 1.0), ("b", 0.5), ("c", 0.5), ("d", 0.25), ("e", 0.125))
        ]

    def test_what_is_over_is_no_bridge(self) -> None:
        found = expand_breadth_first(
            {"a": 1.0},
            lambda id_: LINKS.get(id_, ()),
            hops=3,
            limit=9,
            is_over=lambda id_: id_ == "b",
        )
        assert [one.id for one in found] == ["a", "c"]

    def test_the_limit_counts_all(self) -> None:
        assert len(expand_breadth_first({"a": 1.0}, lambda _: ["b", "c"], limit=2)) == 2
        assert expand_breadth_first({"a": 1.0}, lambda _: ["b"], limit=0) == []


class TestLearning:
    def judged(self, age: float, *, accepted: bool, words: float) -> Judgement:
        credit = responsibility({"words": words, "recency": 1 - words}, FIXED)
        return Judgement(age_days=age, accepted=accepted, credit=credit)

    @given(shares, st.booleans())
    def test_a_judgement_moves_the_weight_of_what_it_was_about_most(
        self, words: float, accepted: bool
    ) -> None:
        judgement = self.judged(0, accepted=accepted, words=words)
        means = posterior([judgement] * 20, FIXED).means()
        moved = {name: abs(means[name] - fixed) for name, fixed in FIXED.items()}
        if judgement.credit["words"] > 0.9:
            assert moved["words"] > moved["recency"]
        for name, mean in means.items():
            assert 0 < mean < 1
            if judgement.credit[name] > 0.01:
                assert (mean > FIXED[name]) is accepted

    def test_what_is_old_counts_for_less_and_for_nothing_in_the_end(self) -> None:
        now, week, years = (
            posterior([self.judged(age, accepted=True, words=1)] * 5, FIXED).means()["words"]
            for age in (0, 7, 4000)
        )
        assert now > week > years == pytest.approx(0.6)

    def test_a_clock_that_is_ahead_counts_as_now(self) -> None:
        ahead, today = (self.judged(age, accepted=True, words=1) for age in (-30, 0))
        assert posterior([ahead], FIXED) == posterior([today], FIXED)

    def test_a_note_without_any_component_gets_no_credit(self) -> None:
        assert responsibility({"words": 0, "recency": -1}, FIXED) == {
            "words": 0,
            "recency": 0,
        }

    def test_weights_of_nothing_are_alike(self) -> None:
        assert in_all_one({"a": 0, "b": 0}) == {"a": 0.5, "b": 0.5}

    def test_a_fixed_weight_of_0_or_1_has_no_distribution(self) -> None:
        with pytest.raises(BadInputError, match="between 0 and 1"):
            posterior([], {"a": 1.0})


@pytest.mark.parametrize(
    ("facts", "scale"),
    [(0, "flat"), (99, "flat"), (100, "fts"), (500, "hybrid"), (1999, "hybrid"), (2000, "linked")],
)
def test_a_bound_belongs_to_the_tier_above(facts: int, scale: str) -> None:
    assert scale_of(facts) == scale
