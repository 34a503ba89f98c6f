"""The settings of learning, read from the values in force."""

from __future__ import annotations

from collections.abc import Mapping

from vaultmem.base import dataclass
from vaultmem.config.setting import Value
from vaultmem.config.settings import attributes

_LEAST_OBSERVATIONS = 2  # seen once is chance


@dataclass(frozen=True, slots=True, kw_only=True)
class LearningSettings:
    """The numbers of learning that a person may change, under the names of their settings."""

    consolidation_min_observations: int  # sessions, at least 2
    consolidation_max_rules: int
    consolidation_prune_threshold: float
    consolidation_decay_per_day: float
    consolidation_confidence_cap_new: float
    consolidation_contradiction_penalty: float
    consolidation_reinforcement: float
    consolidation_ngram_sizes: tuple[int, ...]  # ascending
    consolidation_correction_denominator: float
    consolidation_preference_denominator: float
    consolidation_tool_denominator: float
    consolidation_similarity: float
    consolidation_naming_share: float
    consolidation_min_episodes: int
    consolidation_cluster_similarity: float
    consolidation_interval: str  # manual, hourly, daily, weekly
    consolidation_history_runs: int
    consolidation_report_days: int
    procedures_effectiveness: float
    procedures_min_uses: int
    procedures_drop_below: float
    profile_expertise_gain: float
    profile_expertise_half_life_days: float


def learning_settings(values: Mapping[str, Value]) -> LearningSettings:
    """The settings of learning, of all values by key."""
    named = attributes(values, LearningSettings.__annotations__)
    least = "consolidation_min_observations"
    sizes = "consolidation_ngram_sizes"
    named[least] = max(_LEAST_OBSERVATIONS, named[least])
    named[sizes] = tuple(sorted({size for size in named[sizes] if size > 1}))
    return LearningSettings(**named)
