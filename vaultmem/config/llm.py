"""Settings of the models (one keeps the memory, one talks), of reflection, learning and sessions.

Only the person's own file can name them (`PERSON_SECTIONS` of config/setting.py): whoever sets an
address reads every note that is sent there.
"""

from __future__ import annotations

from collections.abc import Mapping

from vaultmem.base import Any, dataclass, replace
from vaultmem.config.setting import Value
from vaultmem.config.settings import attributes

OFF = "none"
SUMMARISER = "summariser"
CHAT = "chat"
ROLES = (SUMMARISER, CHAT)
_USUAL = {"openai": "https://api.openai.com/v1", "anthropic": "https://api.anthropic.com/v1"}


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelSettings:
    """One model, with what it takes from the other's settings filled in."""

    role: str  # of ROLES
    provider: str  # OFF, openai, anthropic
    base_url: str
    model: str
    api_key: str
    timeout_seconds: float
    max_tokens: int
    structured: str  # auto, schema, object, prompt
    record: str  # off, record, replay
    prefix: str  # of its settings: 'llm.' or 'llm.chat_'


def model_settings(values: Mapping[str, Value], role: str) -> ModelSettings:
    """The model of a role. What the one to talk to leaves open is as with the other, but for the
    key: that belongs to an address, and is not sent to another."""
    own: Mapping[str, Any] = values
    provider, url = own["llm.provider"], own["llm.base_url"]
    url = url or _USUAL.get(provider, "")
    prefix, key, model = "llm.", own["llm.api_key"], own["llm.model"]
    timeout, max_tokens = own["llm.timeout"], own["llm.max_tokens"]
    if role == CHAT:
        chosen = own["llm.chat_provider"] or provider
        usual = url if chosen == provider else _USUAL.get(chosen, "")
        place = own["llm.chat_base_url"] or usual
        same = place == url and chosen == provider
        key = own["llm.chat_api_key"] or (key if same else "")
        provider, url = chosen, place
        model = own["llm.chat_model"] or model
        timeout = own["llm.chat_timeout"] or timeout
        max_tokens = own["llm.chat_max_tokens"] or max_tokens
        prefix = "llm.chat_"
    return ModelSettings(
        role=role,
        provider=provider,
        base_url=url,
        model=model,
        api_key=key,
        timeout_seconds=timeout,
        max_tokens=max_tokens,
        structured=own["llm.structured"],
        record=own["llm.record"],
        prefix=prefix,
    )


def upstream_settings(values: Mapping[str, Value], provider: str) -> ModelSettings | None:
    """The server that `vaultmem proxy` asks in one of the two ways; None: there is none.

    provider  openai or anthropic

    The one that `proxy.PROVIDER_base_url` names, else that of the chat model. A server of one's own
    often answers both ways; the two companies' do not, and notes go to no address that the person
    did not write.
    """
    own: Mapping[str, Any] = values
    chat = model_settings(values, CHAT)
    url, key = own[f"proxy.{provider}_base_url"], own[f"proxy.{provider}_api_key"]
    if url:
        key = key or (chat.api_key if url == chat.base_url else "")
        return replace(
            chat, provider=provider, base_url=url, api_key=key, prefix=f"proxy.{provider}_"
        )
    if chat.provider == OFF:
        return None
    if chat.provider != provider and chat.base_url in _USUAL.values():
        return None
    return replace(chat, provider=provider)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReflectionSettings:
    """How the memory reflects on what is new in it."""

    recent: int  # notes that are read
    insights: int  # of one reflection, at most
    trigger: float  # sum of importance of what is new, from which it is worth it
    importance: int  # of an insight, at least
    min_evidence: int  # notes
    depth: int  # insights on insights, at most


def reflection_settings(values: Mapping[str, Value], *, quick: bool = False) -> ReflectionSettings:
    """The numbers of reflection, or of the quick one over the last conversations."""
    own: Mapping[str, Any] = values
    return ReflectionSettings(
        recent=own["reflection.quick_sessions" if quick else "reflection.recent"],
        insights=own["reflection.quick_insights" if quick else "reflection.insights"],
        trigger=own["reflection.trigger"],
        importance=own["reflection.importance"],
        min_evidence=own["reflection.min_evidence"],
        depth=own["reflection.depth"],
    )


# --- learning ---

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


# --- sessions: `settings.sessions` ---

PREFIX = "sessions."


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionSettings:
    """`sessions.*`, each under the name of its attribute without that prefix."""

    short_words: int
    long_words: int
    raw_turns: int
    long_turn_extra: int
    prune_every: int  # turns; 0: never
    code_share: float
    user_words: int
    assistant_words: int
    artifact_lines: int
    document_words: int
    summary_timeout_seconds: float
    recent_turns: int
    messages: int
    idle_seconds: int
    focus_terms: int
    focus_turns: int
    grounding: float
    truth_tokens: int  # 0: base truth of any size
    prompt_tokens: int


def session_settings(values: Mapping[str, Any]) -> SessionSettings:
    """The record from the values of all settings by key."""
    return SessionSettings(**attributes(values, SessionSettings.__annotations__, prefix=PREFIX))
