"""Matrix scaling: the one matrix D1·A·D2 with given row and column sums (algorithms.md 3.6, 3.7).

Sinkhorn and Knopp 1967; with general marginals, as entropic transport, Cuturi 2013, algorithm 1.
In the log domain throughout, so entries from 1e-300 to 1e300 do no harm. An entry of 0 stays
exactly 0. Needs numpy, so nothing on the way to a plain answer imports it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from vaultmem.base.errors import BadInputError
from vaultmem.base.records import dataclass
from vaultmem.context.support import has_support

EPSILON = 1e-8
MOST_ROUNDS = 1_000
_UNBALANCED = 1e-9  # relative difference of the sums from which the marginals do not go together
_HALVING = 0.5  # of the temperature, from one stage of the schedule to the next

Floats = npt.NDArray[np.float64]
Matrix = Sequence[Sequence[float]] | Floats


class CannotScaleError(BadInputError):
    """A matrix that has no such scaling.

    kind  not_square, not_finite, negative, no_support, unbalanced_marginals
    """

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


@dataclass(frozen=True, slots=True, kw_only=True)
class Scaled:
    """A scaled matrix, and how near it came."""

    matrix: Floats  # (rows, columns), not below 0; 0 where the input is 0
    iterations: int  # rounds of one row and one column step each
    converged: bool  # False: the limit was not reached, or exists only as one
    deviation: float  # largest of any marginal, as a share of the total (of 1 where doubly so)


def logsumexp(values: Sequence[float] | Floats) -> float:
    """`log(sum(exp(x)))` of finite values or -inf; -inf for none of them."""
    return float(_lse(np.asarray(values, dtype=np.float64).reshape(1, -1), 1)[0])


def doubly_stochastic(
    matrix: Matrix,
    *,
    epsilon: float = EPSILON,
    most_rounds: int = MOST_ROUNDS,
    accelerate: bool = False,
) -> Scaled:
    """The matrix scaled so that every row and every column adds up to 1.

    matrix       (n, n), finite, not below 0
    epsilon      largest deviation of a row or column from 1 that counts as settled
    accelerate   momentum on the log potentials, taken back where it overshoots. Pays for matrices
                 that nearly fall into blocks (up to 60 times fewer rounds); the limit is the same
    raises       CannotScaleError: not_square, not_finite, negative, no_support

    A matrix with support but without total support (`[[1, 1], [0, 1]]`) has a limit that no
    scaling reaches: it is answered as far as the rounds went, `converged` False.
    """
    entries = _entries(matrix)
    if entries.shape[0] != entries.shape[1]:
        raise CannotScaleError(
            "not_square", f"a {entries.shape[0]}×{entries.shape[1]} matrix is not square"
        )
    ones = np.ones(entries.shape[0])
    return _scaled(entries, ones, ones, 1.0, _Rule(epsilon, most_rounds, accelerate))


def with_marginals(
    kernel: Matrix,
    rows: Sequence[float] | Floats,
    columns: Sequence[float] | Floats,
    *,
    epsilon: float = EPSILON,
    most_rounds: int = MOST_ROUNDS,
    accelerate: bool = False,
) -> Scaled:
    """The kernel scaled to the given row and column sums.

    kernel   (n, m), finite, not below 0
    rows     (n,) and columns (m,), finite, not below 0; both add up to the same total.
             A row or column of 0 becomes 0
    epsilon  largest deviation of a sum that counts as settled, as a share of the total
    raises   CannotScaleError: not_finite, negative, no_support, unbalanced_marginals
    """
    entries = _entries(kernel)
    wanted = _marginals(entries, rows, columns)
    total = float(wanted[0].sum())
    return _scaled(entries, *wanted, total or 1.0, _Rule(epsilon, most_rounds, accelerate))


def transport(
    costs: Matrix,
    rows: Sequence[float] | Floats,
    columns: Sequence[float] | Floats,
    *,
    temperature: float,
    schedule_from: float | None = None,
    epsilon: float = EPSILON,
    most_rounds: int = MOST_ROUNDS,
) -> Scaled:
    """The entropic transport plan of a cost: the kernel `exp(-costs / temperature)`, scaled.

    costs          (n, m), finite
    temperature    > 0, in units of cost; smaller is sharper and slower
    schedule_from  begin at this temperature and halve it down to the one asked for, each stage
                   starting where the last one ended; None: at once. Helps sharp kernels only
    The rounds are those of all stages. Errors as `with_marginals`.
    """
    if not temperature > 0:
        raise BadInputError(f"a temperature is above 0, not {temperature:g}")
    prices = np.asarray(costs, dtype=np.float64)
    if prices.ndim != 2 or not np.isfinite(prices).all():
        raise CannotScaleError("not_finite", "costs are a table of finite numbers")
    wanted = _marginals(np.ones_like(prices), rows, columns)
    total = float(wanted[0].sum()) or 1.0
    keep = np.ix_(wanted[0] > 0, wanted[1] > 0)
    rule = _Rule(epsilon, most_rounds, False)
    held, rounds = np.zeros(int((wanted[1] > 0).sum())), 0
    for heat in _stages(schedule_from, temperature):
        logs = -prices[keep] / heat
        done = _settle(logs, wanted[0][wanted[0] > 0], wanted[1][wanted[1] > 0], total, rule, held)
        # A potential is of the order of cost / temperature: at half the heat it is twice as large.
        held, rounds = done.columns / _HALVING, rounds + done.rounds
    return _whole(prices.shape, keep, logs, done, rounds)


def _stages(start: float | None, temperature: float) -> list[float]:
    stages = []
    while start is not None and start > temperature:
        stages.append(start)
        start *= _HALVING
    return [*stages, temperature]


@dataclass(frozen=True, slots=True)
class _Rule:
    epsilon: float
    most_rounds: int
    accelerate: bool


@dataclass(frozen=True, slots=True)
class _Settled:
    rows: Floats  # log potentials
    columns: Floats
    rounds: int
    deviation: float
    converged: bool


def _entries(matrix: Matrix) -> Floats:
    try:
        entries = np.asarray(matrix, dtype=np.float64)
    except ValueError as error:
        raise CannotScaleError("not_square", "the rows differ in length") from error
    if entries.ndim != 2 or not entries.size:
        raise CannotScaleError("not_square", "a matrix has rows and columns")
    if not np.isfinite(entries).all():
        raise CannotScaleError("not_finite", "the matrix holds a value that is not finite")
    if (entries < 0).any():
        raise CannotScaleError("negative", "the matrix holds a value below 0")
    return entries


def _marginals(
    entries: Floats, rows: Sequence[float] | Floats, columns: Sequence[float] | Floats
) -> tuple[Floats, Floats]:
    wanted = np.asarray(rows, dtype=np.float64), np.asarray(columns, dtype=np.float64)
    for sums, length in zip(wanted, entries.shape, strict=True):
        if sums.shape != (length,):
            raise BadInputError(f"{sums.size} marginals were given for {length} lines")
        if not np.isfinite(sums).all():
            raise CannotScaleError("not_finite", "a marginal is not finite")
        if (sums < 0).any():
            raise CannotScaleError("negative", "a marginal is below 0")
    first, second = float(wanted[0].sum()), float(wanted[1].sum())
    if abs(first - second) > _UNBALANCED * max(first, second):
        raise CannotScaleError(
            "unbalanced_marginals",
            f"the rows add up to {first:g} and the columns to {second:g}",
        )
    return wanted


def _scaled(entries: Floats, rows: Floats, columns: Floats, total: float, rule: _Rule) -> Scaled:
    keep = np.ix_(rows > 0, columns > 0)
    kernel = entries[keep]
    if not has_support(kernel, rows[rows > 0], columns[columns > 0]):
        raise CannotScaleError(
            "no_support", "the zeros of the matrix leave no way to these row and column sums"
        )
    with np.errstate(divide="ignore"):
        logs = np.log(kernel)
    start = np.zeros(kernel.shape[1])
    done = _settle(logs, rows[rows > 0], columns[columns > 0], total, rule, start)
    return _whole(entries.shape, keep, logs, done, done.rounds)


def _whole(
    shape: tuple[int, ...],
    keep: tuple[npt.NDArray[np.bool_], ...],
    logs: Floats,
    done: _Settled,
    rounds: int,
) -> Scaled:
    """The matrix of the potentials, with the lines of no mass put back as zeros."""
    matrix = np.zeros(shape)
    if logs.size:
        matrix[keep] = np.exp(done.rows[:, None] + logs + done.columns)
    return Scaled(
        matrix=matrix, iterations=rounds, converged=done.converged, deviation=done.deviation
    )


def _settle(
    logs: Floats, rows: Floats, columns: Floats, total: float, rule: _Rule, start: Floats
) -> _Settled:
    """Potentials whose columns are exact and whose rows deviate by at most epsilon, if reached.

    The row step of the next round says by how much the rows of this one deviate, so looking costs
    nothing.
    """
    if not logs.size:
        return _Settled(rows, columns, 0, 0.0, True)
    log_rows, log_columns = np.log(rows), np.log(columns)
    here, before = start, start
    row = log_rows - _lse(logs + here, 1)
    deviation, since = np.inf, 0
    for done in range(1, rule.most_rounds + 1):
        after = log_columns - _lse(logs + row[:, None], 0)
        following = log_rows - _lse(logs + after, 1)
        deviation = float(np.abs(rows * np.expm1(row - following)).max() / total)
        if deviation <= rule.epsilon or done == rule.most_rounds:
            break
        if rule.accelerate:
            # Nesterov's step on the potentials (never on the entries: that leaves the family of
            # scalings), begun anew when it points uphill (O'Donoghue and Candès 2015, 3.2).
            since = 0 if float((here - after) @ (after - before)) > 0 else since + 1
            here = after + since / (since + 3) * (after - before)
            following = log_rows - _lse(logs + here, 1)
            before = after
        row = following
    return _Settled(row, after, done, deviation, deviation <= rule.epsilon)


def _lse(values: Floats, axis: int) -> Floats:
    """`log(sum(exp(x)))` along an axis; -inf where all are."""
    if not values.shape[axis]:
        return np.full(values.shape[1 - axis], -np.inf)
    top = values.max(axis=axis)
    safe = np.where(np.isfinite(top), top, 0.0)
    with np.errstate(divide="ignore"):
        summed: Floats = np.log(np.exp(values - np.expand_dims(safe, axis)).sum(axis=axis))
    return summed + safe
