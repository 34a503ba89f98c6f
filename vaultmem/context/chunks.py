"""Tokens of a budget for single memories: what is related lends each other score (3.8).

The affinity of two chunks, made doubly stochastic, moves score between them without adding any;
the score then bends the odds by which each chunk survives within its stream.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from vaultmem.base.errors import BadInputError
from vaultmem.base.records import NamedTuple, dataclass
from vaultmem.context.allocate import PRESERVATION, log_odds, shares
from vaultmem.context.spread import EPSILON, MOST_ROUNDS, with_marginals

TEMPERATURE = 0.1
DIFFUSION = 0.5
BIAS = 4.0
AFFINITY = {"recency": 0.30, "relevance": 0.30, "importance": 0.25, "topic": 0.15}
SCORE = {"recency": 0.35, "relevance": 0.35, "importance": 0.30}
_SAME_TOPIC = 0.5
_EXACT = 512  # chunks whose affinities are all worked out
_LINES = 128  # of more chunks, so many groups of neighbours stand for all
_BITS = 5  # of each trait, in the order in which neighbours are sought
_MOST_PRODUCTS = 200  # then the log domain is sooner there

Floats = npt.NDArray[np.float64]


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """What each chunk is granted, in the order they were given."""

    scores: tuple[float, ...]  # after the diffusion, 0..1
    tokens: tuple[float, ...]  # real; together min(budget, content)

    def by_stream(self, chunks: Sequence[Chunk]) -> dict[str, float]:
        """Tokens of each stream together."""
        sums: dict[str, float] = {}
        for chunk, tokens in zip(chunks, self.tokens, strict=True):
            sums[chunk.stream] = sums.get(chunk.stream, 0.0) + tokens
        return sums


def spread(
    chunks: Sequence[Chunk],
    budget: float,
    *,
    preservation: Mapping[str, float] = PRESERVATION,
    diffusion: float = DIFFUSION,
    bias: float = BIAS,
    affinity: Affinity = _USUAL,
) -> Spread:
    """Tokens of each chunk: `t_k · sigmoid(logit p_stream + bias (s'_k - mean s') + eta)`.

    budget        tokens, not below 0
    preservation  stream -> 0..1
    diffusion     0..1: the share of a chunk's score that it exchanges with related ones
    bias          how strongly score bends the ratio of the stream; 0: not at all
    raises        BadInputError for a trait, a ratio or a budget out of range, or an unknown stream
    """
    if budget < 0:
        raise BadInputError(f"a budget is not below 0, as {budget:g} is")
    unknown = sorted({chunk.stream for chunk in chunks} - preservation.keys())
    if unknown:
        raise BadInputError(f"'{unknown[0]}' is no stream")
    scores = diffused(chunks, diffusion=diffusion, affinity=affinity)
    tokens = [chunk.tokens for chunk in chunks]
    whole = sum(tokens)
    mean = math.fsum(s * t for s, t in zip(scores, tokens, strict=True)) / whole if whole else 0.0
    ratios = {stream: log_odds(share) for stream, share in preservation.items()}
    odds = [
        ratios[chunk.stream] + bias * (score - mean)
        for chunk, score in zip(chunks, scores, strict=True)
    ]
    return Spread(scores=tuple(scores), tokens=tuple(shares(tokens, odds, budget)))


def diffused(
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
        scale, kernel = _balanced(alike, np.ones(len(chunks)), affinity)
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
    scale, _ = _balanced(between, sizes, affinity)
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
    affinity -= affinity.max()
    lift = math.expm1(weights["topic"] * _SAME_TOPIC / way.temperature)
    kernel: npt.NDArray[Any] = np.exp(affinity, out=affinity)
    kernel *= 1 + same.dtype.type(lift) * same
    return kernel


def _balanced(kernel: Floats, sizes: Floats, way: Affinity) -> tuple[Floats, Floats]:
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
    settled = with_marginals(kernel, sizes, sizes, epsilon=way.epsilon, most_rounds=way.most_rounds)
    return np.ones(len(sizes)), settled.matrix
