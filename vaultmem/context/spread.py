"""Matrix scaling to given sums (algorithms.md 3.6, 3.7), when it can be done, and diffusion (3.8).

Sinkhorn and Knopp 1967; with general marginals, as entropic transport, Cuturi 2013, algorithm 1.
In the log domain throughout, so entries from 1e-300 to 1e300 do no harm. An entry of 0 stays
exactly 0. Needs numpy, so nothing on the way to a plain answer imports it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from vaultmem.base import Any, BadInputError, NamedTuple, dataclass

# --- feasibility: whether a pattern of zeros leaves room for given sums ---

# Transport with forbidden cells is feasible exactly if a maximal flow from the rows to the columns
# carries all mass (Gale 1957). For sums of 1 that is a perfect matching, a positive diagonal.
_SHARE = 1e-9  # of the total that may stay behind: float sums, not a missing way


def has_support(kernel: Floats, rows: Floats, columns: Floats) -> bool:
    """Whether some matrix that is 0 where the kernel is has these sums.

    kernel  (n, m), not below 0; rows (n,) and columns (m,) above 0, of one total
    """
    allowed = kernel > 0
    if allowed.all():
        return True
    if not (allowed.any(axis=1).all() and allowed.any(axis=0).all()):
        return False
    spare, open_to = rows.astype(np.float64), columns.astype(np.float64)
    flow = _first_fit(allowed, spare, open_to)
    least = _SHARE * float(rows.sum())
    while float(spare.sum()) > least and _augment(allowed, flow, spare, open_to, least):
        pass
    return float(spare.sum()) <= least


def _first_fit(allowed: npt.NDArray[np.bool_], spare: Floats, open_to: Floats) -> Floats:
    """A flow that takes, row by row, what is still open; `spare` and `open_to` go down by it."""
    flow = np.zeros(allowed.shape)
    for i in range(allowed.shape[0]):
        for j in np.flatnonzero(allowed[i] & (open_to > 0)):
            sent = min(spare[i], open_to[j])
            flow[i, j] += sent
            spare[i] -= sent
            open_to[j] -= sent
            if spare[i] <= 0:
                break
    return flow


def _augment(
    allowed: npt.NDArray[np.bool_], flow: Floats, spare: Floats, open_to: Floats, least: float
) -> bool:
    """Send more along one shortest way from a row with mass to an open column, if there is one."""
    tiny = least / max(allowed.shape)
    came_to = np.full(allowed.shape[1], -1)  # the row that a column was reached from
    back_to = np.full(allowed.shape[0], -1)  # the column whose flow a row could take back
    rows = np.flatnonzero(spare > tiny)
    seen = np.zeros(allowed.shape[0], dtype=bool)
    seen[rows] = True
    while rows.size:
        fresh: list[int] = []
        for i in rows:
            reached = np.flatnonzero(allowed[i] & (came_to < 0))
            came_to[reached] = i
            for j in reached:
                if open_to[j] > tiny:
                    _send(flow, spare, open_to, came_to, back_to, int(j))
                    return True
                owners = np.flatnonzero((flow[:, j] > tiny) & ~seen)
                seen[owners] = True
                back_to[owners] = j
                fresh.extend(int(owner) for owner in owners)
        rows = np.asarray(fresh, dtype=np.int64)
    return False


def _send(
    flow: Floats,
    spare: Floats,
    open_to: Floats,
    came_to: npt.NDArray[np.int64],
    back_to: npt.NDArray[np.int64],
    end: int,
) -> None:
    way: list[tuple[int, int]] = []  # (row, column) forward; the flow taken back lies between
    j = end
    while True:
        i = int(came_to[j])
        way.append((i, j))
        if back_to[i] < 0:
            break
        j = int(back_to[i])
    sent = min(float(spare[way[-1][0]]), float(open_to[end]))
    sent = min([sent, *(float(flow[i, back_to[i]]) for i, _ in way[:-1])])
    for i, j in way:
        flow[i, j] += sent
        if back_to[i] >= 0:
            flow[i, back_to[i]] -= sent
    spare[way[-1][0]] -= sent
    open_to[end] -= sent


# The measured matrices settle to this in 6 to 266 rounds; one that nearly falls apart took 2,206,
# and 142 with momentum that begins anew (algorithms.md 3.6).
EPSILON = 1e-8
MOST_ROUNDS = 1_000
_UNBALANCED = 1e-9  # relative difference of the sums from which the marginals do not go together

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
    return _scale(entries, ones, ones, 1.0, _Rule(epsilon, most_rounds, accelerate))


def with_marginals(
    kernel: Matrix,
    rows: Sequence[float] | Floats,
    columns: Sequence[float] | Floats,
    *,
    epsilon: float = EPSILON,
    most_rounds: int = MOST_ROUNDS,
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
    return _scale(entries, *wanted, total or 1.0, _Rule(epsilon, most_rounds, accelerate=False))


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


def _scale(entries: Floats, rows: Floats, columns: Floats, total: float, rule: _Rule) -> Scaled:
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
    row = log_rows - logsumexp(logs + here, 1)
    deviation, since = np.inf, 0
    for done in range(1, rule.most_rounds + 1):
        after = log_columns - logsumexp(logs + row[:, None], 0)
        following = log_rows - logsumexp(logs + after, 1)
        deviation = float(np.abs(rows * np.expm1(row - following)).max() / total)
        if deviation <= rule.epsilon or done == rule.most_rounds:
            break
        if rule.accelerate:
            # Nesterov's step on the potentials (never on the entries: that leaves the family of
            # scalings), begun anew when it points uphill (O'Donoghue and Candès 2015, 3.2).
            since = 0 if float((here - after) @ (after - before)) > 0 else since + 1
            here = after + since / (since + 3) * (after - before)
            following = log_rows - logsumexp(logs + here, 1)
            before = after
        row = following
    return _Settled(row, after, done, deviation, deviation <= rule.epsilon)


def logsumexp(values: Floats, axis: int) -> Floats:
    """`log(sum(exp(x)))` along an axis; -inf where all are."""
    if not values.shape[axis]:
        return np.full(values.shape[1 - axis], -np.inf)
    top = values.max(axis=axis)
    # Where all values are -inf, `-inf - -inf` would not be a number.
    safe = np.where(np.isfinite(top), top, 0.0)
    with np.errstate(divide="ignore"):
        summed: Floats = np.log(np.exp(values - np.expand_dims(safe, axis)).sum(axis=axis))
    return summed + safe


# --- diffusion: what is related lends each other score (3.8) ---

# The affinity of two chunks, made doubly stochastic, moves score between them without adding any.
# As recommended in algorithms.md 3.8; what is moved by a doubly stochastic matrix keeps its sum, so
# memories that are alike lend each other score, and none is made.
TEMPERATURE = 0.1
DIFFUSION = 0.5
AFFINITY = {"recency": 0.30, "relevance": 0.30, "importance": 0.25, "topic": 0.15}
SCORE = {"recency": 0.35, "relevance": 0.35, "importance": 0.30}
_SAME_TOPIC = 0.5
_EXACT = 512  # chunks whose affinities are all worked out
_LINES = 128  # of more chunks, so many groups of neighbours stand for all
_BITS = 5  # of each trait, in the order in which neighbours are sought
_MOST_PRODUCTS = 200  # then the log domain is sooner there


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunk:
    """One memory that asks for room. Traits in 0..1; an empty topic is like no other."""

    id: str
    stream: str
    tokens: int
    recency: float
    relevance: float
    importance: float
    topic: str = ""


class Affinity(NamedTuple):
    """How alike two chunks are, and how nearly the likeness is made doubly stochastic."""

    weights: Mapping[str, float] = AFFINITY  # of each trait, and of one topic; 0..1
    temperature: float = TEMPERATURE  # > 0; of more than 512 chunks, not below 0.05
    epsilon: float = EPSILON  # > 0: largest deviation of a sum that counts as settled
    most_rounds: int = MOST_ROUNDS  # > 0


_USUAL = Affinity()


def diffuse(
    chunks: Sequence[Chunk],
    *,
    diffusion: float = DIFFUSION,
    affinity: Affinity = _USUAL,
    own: Sequence[float] | None = None,
) -> list[float]:
    """`(1 - a) s + a M s`, in 0..1; the sum of all scores stays what it was.

    own  s; None: `.35 recency + .35 relevance + .30 importance`

    M is the affinity `exp(A / temperature)` made doubly stochastic, with
    A = .30 min(recency) + .30 relevance · relevance + .25 max(importance) + .15 (½ if one topic),
    or with other weights.
    Of more than 512 chunks, 128 runs of neighbours (along a Z curve through the traits) stand for
    all others, and each chunk looks at their means: M s within 0.02 of what all pairs give, in
    time linear in the number of chunks.
    """
    if not chunks:
        return []
    if not 0 <= diffusion <= 1:
        raise BadInputError(f"a diffusion lies between 0 and 1, not at {diffusion:g}")
    if not affinity.temperature > 0:
        raise BadInputError(f"a temperature is above 0, not {affinity.temperature:g}")
    traits = _traits(chunks)
    weighed = np.array([SCORE["recency"], SCORE["relevance"], SCORE["importance"]])
    scores = traits @ weighed if own is None else np.array(own, dtype=np.float64)
    topics = _topics(chunks)
    if len(chunks) <= _EXACT:
        same = (topics[:, None] == topics).astype(np.float64)
        alike = _kernel(traits, traits, same, affinity)
        scale, kernel = _balance(alike, np.ones(len(chunks)), affinity)
        shared = scale * (kernel @ (scale * scores))
    else:
        shared = _by_neighbours(traits, topics, scores, affinity)
    return [float(score) for score in (1 - diffusion) * scores + diffusion * shared]


def _by_neighbours(
    traits: Floats, topics: npt.NDArray[np.int64], own: Floats, affinity: Affinity
) -> Floats:
    """M s of each chunk, as it looks from there at the groups that stand for all chunks."""
    run = _runs(traits)
    sizes = np.bincount(run).astype(np.float64)
    sums = np.stack([np.bincount(run, weights=column) for column in traits.T], axis=1)
    means: Floats = sums / sizes[:, None]
    held = np.zeros((int(topics.max()) + 1, len(sizes)), dtype=np.float32)
    np.add.at(held, (topics, run), 1.0)
    held /= sizes.astype(np.float32)
    # Half the digits do for what is already a mean, at twice the speed.
    seen = _kernel(traits.astype(np.float32), means.astype(np.float32), held[topics], affinity)
    scores = np.bincount(run, weights=own) / sizes
    between = _kernel(means, means, (held.T @ held).astype(np.float64), affinity)
    scale, _ = _balance(between, sizes, affinity)
    weighed = seen @ np.stack((scale, scale * scores), axis=1).astype(np.float32)
    shared: Floats = (weighed[:, 1] / weighed[:, 0]).astype(np.float64)
    return shared * (own.sum() / shared.sum() if own.sum() else 0.0)


def _traits(chunks: Sequence[Chunk]) -> Floats:
    traits = np.array([(c.recency, c.relevance, c.importance) for c in chunks], dtype=np.float64)
    if not ((traits >= 0) & (traits <= 1)).all():  # also where one is not a number
        raise BadInputError("recency, relevance and importance lie between 0 and 1")
    return traits


def _topics(chunks: Sequence[Chunk]) -> npt.NDArray[np.int64]:
    """A number for each topic; chunks without one have numbers of their own."""
    known: dict[str, int] = {}
    keys = (chunk.topic or f"\0{i}" for i, chunk in enumerate(chunks))
    return np.array([known.setdefault(key, len(known)) for key in keys], dtype=np.int64)


def _runs(traits: Floats) -> npt.NDArray[np.int64]:
    """The group of each chunk, 0.._LINES - 1: as many chunks each, alike in their traits."""
    levels = np.minimum((traits * (1 << _BITS)).astype(np.int64), (1 << _BITS) - 1)
    place = np.zeros(len(traits), dtype=np.int64)
    for bit in range(_BITS):
        for axis in range(3):
            place |= (levels[:, axis] >> bit & 1) << (3 * bit + axis)
    run = np.empty(len(traits), dtype=np.int64)
    run[np.argsort(place, kind="stable")] = np.arange(len(traits)) * _LINES // len(traits)
    return run


def _kernel(
    traits: npt.NDArray[Any], others: npt.NDArray[Any], same: npt.NDArray[Any], way: Affinity
) -> npt.NDArray[Any]:
    """(n, m) `exp(A / temperature)` up to a factor; same: share of pairs of one topic."""
    weights = way.weights
    part = {name: traits.dtype.type(each / way.temperature) for name, each in weights.items()}
    recency, relevance, importance = traits.T
    affinity = np.minimum.outer(recency, others[:, 0]) * part["recency"]
    affinity += np.outer(relevance * part["relevance"], others[:, 1])
    affinity += np.maximum.outer(importance, others[:, 2]) * part["importance"]
    # Taken out before `exp`, which overflows at small temperatures; the scaling puts it back.
    affinity -= affinity.max()
    lift = math.expm1(weights["topic"] * _SAME_TOPIC / way.temperature)
    kernel: npt.NDArray[Any] = np.exp(affinity, out=affinity)
    kernel *= 1 + same.dtype.type(lift) * same
    return kernel


def _balance(kernel: Floats, sizes: Floats, way: Affinity) -> tuple[Floats, Floats]:
    """A scale d, and a kernel K, with `d_i K_ij d_j` of row and column sums `sizes`.

    For a symmetric matrix both sides of the scaling are the same (Knight, Ruiz and Uçar 2014), and
    the geometric mean of two Sinkhorn steps finds it in a dozen products without a logarithm.
    Where the kernel is too sharp for that, the log domain does it, and K is its result.
    """
    scale = np.sqrt(sizes / kernel.sum(axis=1))
    for _ in range(min(_MOST_PRODUCTS, way.most_rounds)):
        sums = kernel @ scale
        if not (np.isfinite(scale).all() and (sums > 0).all()):
            break
        if float(np.abs(scale * sums / sizes - 1).max()) <= way.epsilon:
            return scale, kernel
        scale = np.sqrt(scale * sizes / sums)
    epsilon, most = way.epsilon, way.most_rounds
    if (sizes == 1).all():
        # With momentum it settles to 1e-8 in 14 to 100 rounds, without in 20 to 849.
        settled = doubly_stochastic(kernel, epsilon=epsilon, most_rounds=most, accelerate=True)
    else:
        settled = with_marginals(kernel, sizes, sizes, epsilon=epsilon, most_rounds=most)
    return np.ones(len(sizes)), settled.matrix
