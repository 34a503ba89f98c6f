"""Settings of sections whose attributes are their keys: part of `Settings`, filled in one line."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from vaultmem.base.records import dataclass

SECTIONS = (
    *("chunks", "context", "facts", "half_life", "importance", "limits", "maintenance"),
    *("preservation", "privacy", "retrieval", "sinkhorn"),
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SectionSettings:
    """How a budget of tokens is divided and counted, how much a note or list may hold, the weights
    of a question's parts, and when maintenance does what.
    """

    context_tokens: int
    context_window_share: float
    context_counter: str  # of context.tokens.COUNTERS
    context_allocation: str  # of model.contexts.ALLOCATIONS
    context_fill: bool
    context_per_kind: int
    context_facts: int
    context_episodes: int
    context_persona_tokens: int
    context_user_tokens: int
    context_rule_tokens: int
    context_event_tokens: int
    context_fact_tokens: int
    context_conversations: int
    context_snippet_characters: int
    context_session_tokens: int
    context_sessions: int
    facts_confidence: float
    facts_reinforce: float
    facts_contradict: float
    facts_competing_from: int  # 0: never
    facts_usable_from: float
    privacy_retention_days: int  # 0: nothing is ever too old
    half_life_fact_days: int  # 0, here and below: never
    half_life_belief_days: int
    sinkhorn_epsilon: float
    sinkhorn_iterations: int
    sinkhorn_firmness: float
    chunks_temperature: float
    chunks_recency: float
    chunks_relevance: float
    chunks_importance: float
    chunks_topic: float
    chunks_diffusion: float
    chunks_bias: float
    preservation_identity: float
    preservation_projects: float
    preservation_tasks: float
    preservation_flow: float
    limits_note_bytes: int
    limits_summary_items: int
    limits_flow_items: int
    limits_stream_tokens: int  # 0: no limit
    retrieval_results: int
    retrieval_repeat_cap: int
    retrieval_position_step: float
    retrieval_position_floor: float
    retrieval_long_query_bonus: float
    retrieval_middle_query_bonus: float
    importance_ask_above: int
    maintenance_nightly_hour: int
    maintenance_archive_idle_days: int  # 0, here and below: never
    maintenance_graph_idle_days: int
    maintenance_summarise_after_days: int
    maintenance_episode_days: int
    maintenance_keep_importance: int
    maintenance_promotion_cap: int
    maintenance_overviews_from: int


def section_values(values: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of `SectionSettings`, from settings by key."""
    return {
        key.replace(".", "_"): value
        for key, value in values.items()
        if key.partition(".")[0] in SECTIONS and key.replace(".", "_") in _FIELDS
    }


_FIELDS = frozenset(SectionSettings.__annotations__)
