"""Fit the weights of `judgement/pairs/out_of_date.py`: `python -m tests.bench.judgement.met`.

`corpus/met.csv` holds what was seen of pairs as vaults nominated them, no words: everyday lives of
sixteen people were told sentence by sentence, and each known statement that was held against a new
one is a line: whose life, which sentence, whether it was over by then, and the fields of
`doubt.Met`. Lines of `pairs` are of the corpus of pairs, judged by a model trained without their
authors: much talk is near the topic of what holds, and in short lives there is little of it. Half
of them are changes, so they have a bias of their own. Prints the weights, and what is marked of
each person by weights fitted on the others.
"""

from __future__ import annotations

import csv
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from vaultmem.judgement.pairs.out_of_date import LIKELY, MOST_FLAGGED, Met, features_of

FILE = Path(__file__).parent / "corpus" / "met.csv"
PAIRS = "pairs"
WEIGHT = 0.3  # of a line of the corpus of pairs: with 0 half of what shares a topic is marked
STRENGTH = 5.0  # of the pull to nought, per feature of spread 1
_ROUNDS = 30
Array = npt.NDArray[np.float64]


class Seen(NamedTuple):
    """A pair: whose life, which new sentence, whether the known one was over by then."""

    person: str
    said: str
    known: str
    is_over: bool
    met: Met


def seen_pairs(file: Path = FILE) -> list[Seen]:
    """All lines of the file."""
    found = []
    with file.open(encoding="utf-8", newline="") as lines:
        for person, said, known, is_over, *told in csv.reader(lines):
            values = [float(each) for each in told]
            found.append(Seen(person, said, known, is_over == "1", Met(*values)))  # type: ignore[arg-type]
    return found


def fit(rows: Array, labels: Array, counts: Array) -> tuple[float, Array]:
    """(bias, weights) of logistic regression, by Newton's method; counts: what a row weighs."""
    mean, spread = rows.mean(0), rows.std(0) + 0.02
    with_one = np.hstack([np.ones((len(rows), 1)), (rows - mean) / spread])
    pull = np.full(with_one.shape[1], STRENGTH)
    pull[0] = 0.0
    found = np.zeros(with_one.shape[1])
    for _ in range(_ROUNDS):
        chances = 1 / (1 + np.exp(-with_one @ found))
        slope = with_one.T @ (counts * (chances - labels)) + pull * found
        spreads = counts * chances * (1 - chances)
        curve = (with_one * spreads[:, None]).T @ with_one + np.diag(pull)
        found = found - np.linalg.solve(curve, slope)
    weights = found[1:] / spread
    return float(found[0] - weights @ mean), weights


def main() -> None:
    """Prints the weights and what they mark."""
    pairs = seen_pairs()
    names = list(features_of(pairs[0].met))
    people = np.array([each.person for each in pairs])
    apart = people == PAIRS
    rows = np.array([[*features_of(each.met).values(), each.person == PAIRS] for each in pairs])
    rows = rows.astype(np.float64)
    counts = np.where(apart, WEIGHT, 1.0)
    labels = np.array([float(each.is_over) for each in pairs])
    bias, weights = fit(rows, labels, counts)
    print(f"_BIAS = {bias:.2f}")
    told = ", ".join(
        f'"{name}": {weight:.2f}' for name, weight in zip(names, weights, strict=False)
    )
    print(f"_WEIGHTS = {{{told}}}")
    right = wrong = 0
    for person in sorted({each.person for each in pairs} - {PAIRS}):
        others = people != person
        bias, weights = fit(rows[others], labels[others], counts[others])
        by_said: dict[str, list[tuple[float, Seen]]] = defaultdict(list)
        for place in np.flatnonzero(~others):
            score = 1 / (1 + np.exp(-(bias + rows[place] @ weights)))
            by_said[pairs[place].said].append((float(score), pairs[place]))
        marked = {
            (each.known, each.is_over)
            for told_ in by_said.values()
            for score, each in sorted(told_, key=lambda one: -one[0])[:MOST_FLAGGED]
            if score >= LIKELY
        }
        old = {known for known, is_over in marked if is_over}
        right, wrong = right + len(old), wrong + len({k for k, _ in marked} - old)
    over = len(
        {(each.person, each.known) for each in pairs if each.is_over and each.person != PAIRS}
    )
    print(f"of {over} that were over {right} are marked, and {wrong} that were not")


if __name__ == "__main__":
    main()
