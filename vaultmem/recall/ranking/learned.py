"""Weights that learn from what people say of answers: Thompson sampling of Beta posteriors.

Algorithms.md 3.10; Thompson 1933, Chapelle and Li 2011. A judgement belongs to the whole score, so
each component gets the share of the credit that it had in it; the prior is worth a few judgements
and has the fixed weights as its mean, so nothing jumps when the first judgement comes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import exp2, fsum
from random import Random

from vaultmem.base.errors import BadInputError
from vaultmem.base.records import dataclass

PRIOR = 10.0  # judgements that the fixed weights are worth
HALF_LIFE_DAYS = 7.0
LEAST_JUDGEMENTS = 10  # before these, the fixed weights

Shares = Mapping[str, float]  # component -> number


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """What somebody said of one answer."""

    age_days: float  # below 0 (another device's clock) counts as 0
    accepted: bool
    credit: Shares  # component -> 0..1, together 1, or 0 where nothing is to be credited


@dataclass(frozen=True, slots=True, kw_only=True)
class Posterior:
    """A Beta distribution for the weight of each component."""

    alpha: Shares  # > 0
    beta: Shares  # > 0

    def means(self) -> dict[str, float]:
        """The mean of each component, 0..1."""
        return {name: a / (a + self.beta[name]) for name, a in self.alpha.items()}

    def drawn(self, seed: int) -> dict[str, float]:
        """One sample of each component, 0..1: the same for the same seed."""
        generator = Random(seed)
        return {
            name: generator.betavariate(self.alpha[name], self.beta[name])
            for name in sorted(self.alpha)
        }


def responsibility(components: Shares, weights: Shares) -> dict[str, float]:
    """The share of each component in `sum weight * component`; all 0 where the sum is 0.

    components  of the judged note, >= 0
    weights     with which it was served, >= 0
    """
    parts = {name: weight * max(0.0, components.get(name, 0.0)) for name, weight in weights.items()}
    total = fsum(parts.values())
    return {name: part / total if total > 0 else 0.0 for name, part in parts.items()}


def faded(age_days: float, half_life_days: float) -> float:
    """What a judgement still counts for, in (0, 1]: one half at the half-life."""
    return exp2(-max(0.0, age_days) / half_life_days)


def evidence(judgements: Sequence[Judgement], *, half_life_days: float = HALF_LIFE_DAYS) -> float:
    """What the judgements together count for now.

    One every d days never comes to more than `1 / (1 - 2 ** (-d / half_life))`.
    """
    return fsum(faded(each.age_days, half_life_days) for each in judgements)


def posterior(
    judgements: Sequence[Judgement],
    fixed: Shares,
    *,
    prior: float = PRIOR,
    half_life_days: float = HALF_LIFE_DAYS,
) -> Posterior:
    """Accepts add their credit to alpha, rejects to beta, each faded by its age.

    fixed   component -> weight in 0..1 (not 0 or 1 themselves): the means of the prior
    prior   > 0: judgements that it is worth
    raises  BadInputError for anything else
    """
    if not (prior > 0 and half_life_days > 0 and all(0 < each < 1 for each in fixed.values())):
        raise BadInputError("a prior is worth more than 0, its weights lie between 0 and 1")
    told = {
        is_accepted: {
            name: fsum(
                each.credit.get(name, 0.0) * faded(each.age_days, half_life_days)
                for each in judgements
                if each.accepted is is_accepted
            )
            for name in fixed
        }
        for is_accepted in (True, False)
    }
    return Posterior(
        alpha={name: prior * mean + told[True][name] for name, mean in fixed.items()},
        beta={name: prior * (1 - mean) + told[False][name] for name, mean in fixed.items()},
    )


def in_all_one(weights: Shares) -> dict[str, float]:
    """The same weights as shares of 1; alike where all of them are 0."""
    total = fsum(weights.values())
    if total <= 0:
        return {name: 1 / len(weights) for name in weights}
    return {name: weight / total for name, weight in weights.items()}
