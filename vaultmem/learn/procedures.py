"""What a way of doing things is worth, by how it went (algorithms 6.5). Pure."""

from __future__ import annotations

from math import sqrt

UNTRIED = 0.5  # effectiveness of what was never tried
LEAST_USES = 5  # before a procedure can be put away
LEAST_CHANCE = 0.4  # the upper bound of success below which it is
_Z = 1.959963984540054  # two-sided 95%


def effectiveness(success: int, failure: int, *, untried: float = UNTRIED) -> float:
    """Expected share of success, in [0, 1]: Laplace's rule.

    untried  what it is with no data, which counts as much as two uses; one half is Laplace's own
    """
    return (success + 2 * untried) / (success + failure + 2)


def upper_bound(success: int, failure: int) -> float:
    """Upper end of the 95% interval of the share of success (Wilson 1927); 1 with no data."""
    uses = success + failure
    if uses == 0:
        return 1.0
    share, square = success / uses, _Z * _Z
    middle = share + square / (2 * uses)
    spread = _Z * sqrt(share * (1 - share) / uses + square / (4 * uses * uses))
    return (middle + spread) / (1 + square / uses)


def is_ineffective(
    success: int,
    failure: int,
    *,
    least_uses: int = LEAST_USES,
    least_chance: float = LEAST_CHANCE,
) -> bool:
    """Whether it was tried often enough and went wrong too often."""
    return success + failure >= least_uses and upper_bound(success, failure) < least_chance
