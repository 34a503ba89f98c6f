"""The settings of learning, read from the values in force."""

from __future__ import annotations

from collections.abc import Mapping

from vaultmem.config_knobs import Value
from vaultmem.frozen import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class LearningSettings:
    """The numbers of `consolidation` that a person may change."""

    min_observations: int  # sessions, at least 2: seen once is chance
    max_rules: int
    prune_threshold: float
    decay_per_day: float
    confidence_cap_new: float


def learning_settings(values: Mapping[str, Value]) -> LearningSettings:
    """The settings of learning, of all values by key."""

    def number(name: str) -> float:
        value = values[f"consolidation.{name}"]
        assert isinstance(value, int | float)
        return value

    return LearningSettings(
        min_observations=max(2, int(number("min_observations"))),
        max_rules=int(number("max_rules")),
        prune_threshold=number("prune_threshold"),
        decay_per_day=number("decay_per_day"),
        confidence_cap_new=number("confidence_cap_new"),
    )
