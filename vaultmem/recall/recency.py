"""How fresh a memory is, in (0, 1]: the curves of the systems that vaultmem joins.

Algorithms.md 5.2, 5.3 and 7.3. Every curve is 1 at age 0 and falls from there; an age below zero
(clock skew between devices, a date in the future) counts as zero.
"""

from __future__ import annotations

from math import exp, isfinite, log

from vaultmem.base import BadInputError

HOURS_A_YEAR = 8_760


def exponential(hours: float, per_hour: float) -> float:
    """`exp(-per_hour * hours)`: Park et al. 2023, section 4.1 (.005 an hour); Kautilya takes .01.

    hours     since the last access, or since the event; infinite gives 0
    per_hour  > 0; raises BadInputError for anything else
    """
    return exp(-_rate(per_hour) * max(0.0, hours))


def power_law(age: float) -> float:
    """`(1 + age) ** -0.5`, with the age in hours, or in days for facts that last.

    It begins by falling faster than `exponential` and ends by falling more slowly: at .005 an hour
    it is the lower of the two for 27 days.
    """
    return float((1 + max(0.0, age)) ** -0.5)


def hyperbolic(age_days: float, half_days: float = 30) -> float:
    """`1 / (1 + age / half_days)`: one half at `half_days` (> 0), a quarter at three times that.

    raises  BadInputError for a `half_days` that is not more than 0
    """
    if not half_days > 0:
        raise BadInputError(f"an age that halves a score is more than 0 days, not {half_days:g}")
    return 1 / (1 + max(0.0, age_days) / half_days)


def stability_hours(
    accesses: int,
    *,
    base_hours: float,
    growth: float = 1.5,
    cap_hours: float = 10 * HOURS_A_YEAR,
) -> float:
    """How long a memory keeps: `base * growth ** accesses`, at most the cap.

    accesses  sessions that used it; 0: none yet
    raises    BadInputError for a base, growth or cap that is not more than 0, or accesses below 0

    MemoryBank (Zhong et al. 2023) with the growth that BUILD_MEMORY gives it; theirs counts days
    and adds 1 a recall. The cap keeps what is used every day from becoming immortal.
    """
    if accesses < 0 or not (base_hours > 0 and growth > 0 and cap_hours > 0):
        raise BadInputError("stability, growth and cap are more than 0, accesses not below it")
    # In logarithms: a hundred thousand accesses overflow before the cap is looked at.
    if log(base_hours) + accesses * log(growth) >= log(cap_hours):
        return float(cap_hours)
    return float(base_hours * growth**accesses)


def retention(hours: float, stability: float) -> float:
    """`exp(-hours / stability)`, hours since the last access; the half-life is .693 stability."""
    return exponential(hours, 1 / stability) if stability > 0 else 0.0


def _rate(per_hour: float) -> float:
    if not (isfinite(per_hour) and per_hour > 0):
        raise BadInputError(f"a decay rate is more than 0 an hour, not {per_hour:g}")
    return per_hour
