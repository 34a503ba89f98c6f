"""Logistic regression on sparse features in numpy, and its measures. No randomness."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from vaultmem.judgement.features import Features, value_of

Array = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
TOLERANCE = 1e-5  # of the loss, from one round to the next: finer changes no figure


class Design:
    """Features of many examples as one sparse matrix, columns by table and name.

    Columns 0 to 2^bits of words, then of letters (when they have bits), then plain names in order.
    """

    def __init__(
        self,
        rows: Sequence[Features],
        *,
        word_bits: int,
        letter_bits: int,
        names: Sequence[str],
        plain_share: float = 1.0,
    ) -> None:
        self.plain_share = plain_share  # what plain features are multiplied with in training
        self.word_size = 1 << word_bits
        self.letter_size = 1 << letter_bits if letter_bits else 0
        self.names = tuple(names)
        place = {name: i for i, name in enumerate(self.names)}
        first = self.word_size + self.letter_size
        columns: list[int] = []
        values: list[float] = []
        lengths: list[int] = []
        for row in rows:
            before = len(columns)
            value = value_of(row.words)
            columns += [one % self.word_size for one in row.words]
            values += [value] * len(row.words)
            if self.letter_size:
                value = value_of(row.letters)
                columns += [self.word_size + one % self.letter_size for one in row.letters]
                values += [value] * len(row.letters)
            for name, value in row.with_names():
                if name in place:
                    columns.append(first + place[name])
                    values.append(value * plain_share)
            lengths.append(len(columns) - before)
        self.width = first + len(self.names)
        self.count = len(rows)
        self.columns: Ints = np.array(columns, dtype=np.int64)
        self.values: Array = np.array(values, dtype=np.float64)
        self.starts: Ints = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)

    def take(self, chosen: Ints) -> tuple[Ints, Array, Ints]:
        """(columns, values, row of each) of the chosen examples."""
        lengths = self.starts[chosen + 1] - self.starts[chosen]
        rows = np.repeat(np.arange(len(chosen)), lengths)
        within = np.arange(lengths.sum()) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        index = np.repeat(self.starts[chosen], lengths) + within
        return self.columns[index], self.values[index], rows

    def scores(self, chosen: Ints, weights: Array) -> Array:
        """Log-odds of the chosen examples; the last weight is the bias."""
        columns, values, rows = self.take(chosen)
        sums = np.bincount(rows, weights=values * weights[columns], minlength=len(chosen))
        return np.asarray(sums + weights[-1])


def fit(
    design: Design, chosen: Ints, labels: Array, *, strength: float, counts: Array | None = None
) -> Array:
    """Weights (width + 1, the bias last) of a logistic model of the chosen examples.

    labels    0 or 1 for each chosen example
    strength  what the examples weigh against small weights (`C` of liblinear)
    counts    what each chosen example weighs; None: 1
    L-BFGS, as Nocedal and Wright 2006, algorithm 7.4.
    """
    columns, values, rows = design.take(chosen)
    used, index = np.unique(columns, return_inverse=True)
    weigh = np.ones(len(chosen)) if counts is None else counts
    by_column = np.argsort(index, kind="stable")
    rows_of, values_of = rows[by_column], values[by_column]
    firsts = np.searchsorted(index[by_column], np.arange(len(used)))
    starts = np.searchsorted(rows, np.arange(len(chosen)))  # every example has a feature

    def loss(point: Array) -> tuple[float, Array]:
        odds = np.add.reduceat(values * point[:-1][index], starts) + point[-1]
        signed = np.where(labels > 0, -odds, odds)
        value = strength * float((weigh * np.logaddexp(0, signed)).sum())
        value += 0.5 * float(point[:-1] @ point[:-1])
        error = strength * weigh * (1 / (1 + np.exp(-odds)) - labels)
        slope = np.empty_like(point)
        slope[:-1] = np.add.reduceat(values_of * error[rows_of], firsts)
        slope[:-1] += point[:-1]
        slope[-1] = error.sum()
        return value, slope

    found = minimise(loss, np.zeros(len(used) + 1))
    weights = np.zeros(design.width + 1)
    weights[used] = found[:-1]
    weights[-1] = found[-1]
    return weights


def minimise(
    loss: Callable[[Array], tuple[float, Array]], start: Array, *, rounds: int = 80
) -> Array:
    """The point of least loss, by L-BFGS with ten remembered steps and halving."""
    point = start
    value, slope = loss(point)
    steps: list[tuple[Array, Array, float]] = []
    for _ in range(rounds):
        direction = slope.copy()
        kept: list[float] = []
        for step, change, scale in reversed(steps):
            kept.append(scale * float(step @ direction))
            direction -= kept[-1] * change
        if steps:
            step, change, _scale = steps[-1]
            direction *= float(step @ change) / float(change @ change)
        for (step, change, scale), share in zip(steps, reversed(kept), strict=True):
            direction += (share - scale * float(change @ direction)) * step
        downhill = float(direction @ slope)
        length = 1.0 if steps else 1.0 / max(1.0, float(np.abs(slope).sum()))
        while True:
            there = point - length * direction
            new_value, new_slope = loss(there)
            if new_value <= value - 1e-4 * length * downhill or length < 1e-12:
                break
            length /= 2
        step, change = there - point, new_slope - slope
        if float(step @ change) > 1e-12:
            steps = [*steps[-9:], (step, change, 1 / float(step @ change))]
        done = abs(value - new_value) <= TOLERANCE * max(1.0, abs(value))
        point, value, slope = there, new_value, new_slope
        if done:
            break
    return point


def area(labels: Array, scores: Array) -> float:
    """Area under the ROC curve: how often a positive stands above a negative; ties half."""
    order = np.argsort(scores, kind="stable")
    ordered = scores[order]
    places = np.empty(len(scores))
    places[order] = np.arange(1, len(scores) + 1)
    for value in np.unique(ordered[1:][ordered[1:] == ordered[:-1]]):
        same = scores == value
        places[same] = places[same].mean()
    positive = labels > 0
    many, few = int(positive.sum()), int((~positive).sum())
    if not many or not few:
        return float("nan")
    return float((places[positive].sum() - many * (many + 1) / 2) / (many * few))


def least_score(scores: Array, share: float) -> float:
    """The threshold that at most this share of the scores reach."""
    ordered = np.sort(scores)[::-1]
    allowed = int(share * len(ordered) + 1e-9)
    if allowed >= len(ordered):
        return float(ordered[-1])
    return float(np.nextafter(ordered[allowed], np.inf))
