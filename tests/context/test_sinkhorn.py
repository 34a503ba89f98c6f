"""Matrix scaling: its limit, its errors, and what acceleration may and may not do."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vaultmem.base.errors import BadInputError
from vaultmem.context.spread import (
    CannotScaleError,
    Floats,
    doubly_stochastic,
    has_support,
    logsumexp,
    with_marginals,
)


def positive(seed: int, rows: int, columns: int, spread: float = 3.0) -> Floats:
    entries: Floats = np.exp(np.random.default_rng(seed).normal(0, spread, (rows, columns)))
    return entries


def blocks(coupling: float) -> Floats:
    """8x8, two halves that hardly touch, and touch unevenly: what plain scaling is slow at."""
    entries = np.random.default_rng(1).uniform(0.1, 1, (8, 8))
    entries[:4, 4:] *= coupling
    entries[4:, :4] *= coupling
    entries[:4] *= np.linspace(1, 9, 4)[:, None]
    entries[0, 0] *= 3
    return entries


class TestDoublyStochastic:
    @settings(max_examples=40, deadline=None)
    @given(seed=st.integers(0, 10**6), size=st.integers(1, 12))
    def test_scaling_rows_and_columns_beforehand_changes_nothing(
        self, seed: int, size: int
    ) -> None:
        entries = positive(seed, size, size, 1.0)
        rng = np.random.default_rng(seed + 1)
        rows, columns = np.exp(rng.normal(0, 5, (2, size)))
        plain = doubly_stochastic(entries, epsilon=1e-12)
        other = doubly_stochastic(rows[:, None] * entries * columns, epsilon=1e-12)
        assert plain.converged
        assert other.converged
        assert np.abs(plain.matrix - other.matrix).max() < 1e-9
        assert np.abs(plain.matrix.sum(axis=0) - 1).max() < 1e-9
        assert np.abs(plain.matrix.sum(axis=1) - 1).max() < 1e-9

    def test_entries_of_any_size_do_no_harm(self) -> None:
        found = doubly_stochastic([[1e-300, 1e150], [1e300, 1e-20]])
        assert found.converged
        assert np.isfinite(found.matrix).all()

    def test_zeros_stay_exactly_zero(self) -> None:
        found = doubly_stochastic([[1, 2, 0], [0, 3, 4], [5, 0, 6]])
        assert found.converged
        assert found.matrix[0, 2] == found.matrix[1, 0] == found.matrix[2, 1] == 0

    def test_support_without_total_support_is_said_not_to_settle(self) -> None:
        found = doubly_stochastic([[1, 1], [0, 1]])
        assert not found.converged
        assert found.iterations == 1000
        assert found.matrix[0, 1] == pytest.approx(1 / 2000, rel=0.01)
        assert found.matrix[1, 0] == 0

    @pytest.mark.parametrize(
        ("matrix", "kind"),
        [
            ([[1, 2, 3], [4, 5, 6]], "not_square"),
            ([[1, 2], [3]], "not_square"),
            ([], "not_square"),
            ([[1, math.nan], [1, 1]], "not_finite"),
            ([[1, math.inf], [1, 1]], "not_finite"),
            ([[1, -1e-12], [1, 1]], "negative"),
            ([[0, 0], [1, 1]], "no_support"),
            ([[1, 0, 0], [1, 0, 0], [0, 1, 1]], "no_support"),
            ([[1, 0, 1], [1, 0, 1], [1, 0, 1]], "no_support"),
        ],
    )
    def test_names_what_is_wrong(self, matrix: list[list[float]], kind: str) -> None:
        with pytest.raises(CannotScaleError) as caught:
            doubly_stochastic(matrix)
        assert caught.value.kind == kind


class TestAcceleration:
    """'the result must agree with plain to 10*eps' (algorithms.md 3.6)."""

    @settings(max_examples=40, deadline=None)
    @given(seed=st.integers(0, 10**6), size=st.integers(2, 12))
    def test_the_limit_is_the_same_and_the_cost_about(self, seed: int, size: int) -> None:
        entries = positive(seed, size, size, 1.5)
        plain = doubly_stochastic(entries, epsilon=1e-10, most_rounds=20_000)
        fast = doubly_stochastic(entries, epsilon=1e-10, most_rounds=20_000, accelerate=True)
        assert plain.converged
        assert fast.converged
        # Both are near the limit by a multiple of the deviation that grows with slowness.
        assert np.abs(plain.matrix - fast.matrix).max() <= 1e-9 * max(1, plain.iterations / 10)
        assert fast.iterations <= 2 * plain.iterations + 3

    @pytest.mark.parametrize(("coupling", "times"), [(1e-2, 3), (1e-3, 10)])
    def test_what_nearly_falls_into_blocks_settles_many_times_faster(
        self, coupling: float, times: int
    ) -> None:
        plain = doubly_stochastic(blocks(coupling), most_rounds=50_000)
        fast = doubly_stochastic(blocks(coupling), most_rounds=50_000, accelerate=True)
        assert plain.converged
        assert fast.converged
        assert fast.iterations * times < plain.iterations


class TestMarginals:
    @settings(max_examples=40, deadline=None)
    @given(seed=st.integers(0, 10**6), rows=st.integers(1, 9), columns=st.integers(1, 9))
    def test_sums_are_those_asked_for_and_ratios_those_of_the_kernel(
        self, seed: int, rows: int, columns: int
    ) -> None:
        kernel = positive(seed, rows, columns, 1.0)
        rng = np.random.default_rng(seed + 2)
        wanted = rng.uniform(0, 9, rows)
        other = rng.uniform(0.1, 9, columns)
        other *= wanted.sum() / other.sum()
        found = with_marginals(kernel, wanted, other, epsilon=1e-12)
        assert np.abs(found.matrix.sum(axis=1) - wanted).max() < 1e-8
        assert np.abs(found.matrix.sum(axis=0) - other).max() < 1e-8
        if rows > 1 and columns > 1:
            cross = (kernel[0, 0] * kernel[1, 1]) / (kernel[0, 1] * kernel[1, 0])
            plan = found.matrix
            assert plan[0, 0] * plan[1, 1] == pytest.approx(
                cross * plan[0, 1] * plan[1, 0], rel=1e-6
            )

    def test_a_line_without_mass_becomes_zero(self) -> None:
        found = with_marginals([[1, 1], [0, 0], [1, 1]], [2, 0, 2], [4, 0])
        assert found.matrix.tolist() == [[2, 0], [0, 0], [2, 0]]
        assert with_marginals([[1, 2]], [0], [0, 0]).matrix.tolist() == [[0, 0]]

    @pytest.mark.parametrize(
        ("rows", "columns", "kind"),
        [
            ([1, 1], [1, 3], "unbalanced_marginals"),
            ([1, -1], [0, 0], "negative"),
            ([1, math.nan], [1, 1], "not_finite"),
            ([3, 1], [1, 3], "no_support"),
        ],
    )
    def test_names_what_is_wrong(self, rows: list[float], columns: list[float], kind: str) -> None:
        with pytest.raises(CannotScaleError) as caught:
            with_marginals([[1, 0], [1, 1]], rows, columns)
        assert caught.value.kind == kind

    def test_as_many_marginals_as_lines(self) -> None:
        with pytest.raises(BadInputError):
            with_marginals([[1, 1]], [1, 1], [1, 1])


class TestSupport:
    @settings(max_examples=60, deadline=None)
    @given(
        pattern=st.integers(1, 5).flatmap(
            lambda n: st.lists(
                st.lists(st.booleans(), min_size=n, max_size=n), min_size=n, max_size=n
            )
        )
    )
    def test_is_that_of_a_positive_diagonal(self, pattern: list[list[bool]]) -> None:
        from itertools import permutations

        size = len(pattern)
        diagonal = any(
            all(pattern[i][order[i]] for i in range(size)) for order in permutations(range(size))
        )
        ones = np.ones(size)
        assert has_support(np.array(pattern, dtype=float), ones, ones) is diagonal

    def test_way_back_is_taken_where_the_first_choice_was_wrong(self) -> None:
        kernel = np.array([[1.0, 1.0, 0], [1.0, 0, 0], [0, 1.0, 1.0]])
        assert has_support(kernel, np.array([2.0, 3, 1]), np.array([3.0, 2.5, 0.5]))
        assert not has_support(kernel, np.array([2.0, 3, 1]), np.array([2.5, 3, 0.5]))


@pytest.mark.parametrize(
    ("values", "result"),
    [([], -math.inf), ([-math.inf, 0.0], 0.0), ([-2000.0, -2001.0], -1999.6867383124818)],
)
def test_log_of_a_sum_of_exponentials(values: list[float], result: float) -> None:
    assert logsumexp(np.array([values]), 1)[0] == pytest.approx(result)
