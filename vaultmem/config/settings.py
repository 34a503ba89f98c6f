"""Settings: which vault, what its file and the person's file say, and where device state lies.

Two files: `vaultmem.toml` in the vault (display and policy, harmless if hostile) and the person's
own `config.toml` (everything else). What they come to is kept in the device state under the
fingerprints of both files, because reading TOML costs more than answering a question.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from vaultmem.base import TYPE_CHECKING, Any, NoVaultError, dataclass
from vaultmem.config.state import (
    device_name,
    effective_settings,
    make_state_folder,
    person_file,
    state_home,
)

if TYPE_CHECKING:
    from vaultmem.config.setting import Value
    from vaultmem.config.values import SettingsWarning


# Settings of sections whose attributes are their keys: part of `Settings`, filled in one line.

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


__all__ = [
    "FILE_NAME",
    "Settings",
    "find_vault",
    "load_settings",
    "make_state_folder",
    "named_vaults",
    "open_settings",
    "person_file",
    "state_home",
]

FILE_NAME = "vaultmem.toml"
GIT_PLUGIN = (".obsidian", "plugins", "obsidian-git")


# No eq: two Settings are never compared, and making it costs every command half a millisecond.
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Settings(SectionSettings):
    """All that holds for one vault on this device. `values` has every setting by key."""

    root: Path  # of the vault; a real path
    state: Path  # device state of the vault; not made yet
    id: str
    name: str  # never empty
    enabled: bool
    disabled_by: str  # the file that says `enabled = false`; '' while enabled
    timezone: str
    languages: tuple[str, ...]
    include: tuple[str, ...]
    device: str  # [a-z0-9-]+
    extractor: str
    retriever: str
    recall_k: int
    recall_fuzzy: bool
    recall_preset: str  # of model.recall.PRESETS
    recall_decay: float
    recall_untrusted: str  # label, separate, hide
    recall_untrusted_weight: float
    recall_untrusted_share: float
    search_limit: int
    sync_lock_wait_seconds: float
    watch_quiet_seconds: float
    watch_commit_after_seconds: float
    watch_rescan_seconds: float
    watch_poll_seconds: float
    watch_heartbeat_seconds: float
    watch_autocommit: bool
    secrets_typed: str
    secrets_imported: str
    secrets_edited: str
    secrets_placeholder_key: str
    privacy_local_only: bool
    privacy_anonymize_pii: bool
    half_life_identity_days: int  # 0, here and below: never
    half_life_projects_days: int
    half_life_tasks_days: int
    half_life_flow_days: int
    retention_superseded_days: int
    retrieval_candidates: int
    retrieval_candidate_factor: int
    retrieval_episodes: int
    retrieval_facts: int
    retrieval_rrf_k: int
    retrieval_mmr_lambda: float
    retrieval_relevance_threshold: float
    retrieval_age_days: int
    retrieval_recency_per_hour: float
    recall_rounds: int
    recall_by_model: bool
    retrieval_rounds: int
    retrieval_subqueries: int
    retrieval_round_share: float
    retrieval_followup_weight: float
    retrieval_repeat_boost: float
    retrieval_improvement_threshold: float
    retrieval_flat_below: int
    retrieval_words_below: int
    retrieval_hybrid_below: int
    embeddings_provider: str
    embeddings_base_url: str
    embeddings_model: str
    embeddings_api_key: str
    embeddings_timeout_seconds: float
    embeddings_answers_from: float
    score_similarity: float
    score_pagerank: float
    score_words: float
    score_relevance: float
    score_recency: float
    score_importance: float
    score_recency_per_hour: float
    score_park_recency: float
    score_park_importance: float
    score_park_relevance: float
    stability_base_hours: int
    stability_growth: float
    stability_cap_years: int
    feedback_prior: int
    feedback_minimum: int
    feedback_half_life_days: int
    pagerank_damping: float
    pagerank_tolerance: float
    pagerank_entity_damping: float
    importance_default: float
    links_on_insert: bool
    links_by_model: bool
    links_related: int
    links_hops: int
    links_hop_decay: float
    slots_single: tuple[str, ...]
    slots_multiple: tuple[str, ...]
    network_deadline_seconds: float
    network_max_bytes: int
    network_own_addresses: tuple[str, ...]
    values: Mapping[str, Value]
    sources: Mapping[str, str]  # key -> where it was set; absent: the default
    warnings: tuple[SettingsWarning, ...]


def open_settings(
    vault: str | Path | None = None,
    *,
    environ: Mapping[str, str] | None = None,
    folder: Path | None = None,
) -> Settings:
    """Settings of the vault that `vault` (a path, or a name in the person's settings) means.

    None: `VAULTMEM_VAULT`, then `folder` (default: the current one) if it holds a vault, then the
    person's default. Nothing is created. Raises NoVaultError with a hint, or SettingsError.
    """
    variables = os.environ if environ is None else environ
    return load_settings(find_vault(vault, environ=variables, folder=folder), environ=variables)


def find_vault(
    vault: str | Path | None = None,
    *,
    environ: Mapping[str, str] | None = None,
    folder: Path | None = None,
) -> Path:
    """Root of the vault that is meant, as a real path; see `open_settings`."""
    variables = os.environ if environ is None else environ
    if vault is None:
        vault = variables.get("VAULTMEM_VAULT") or None
    here = str(folder or os.getcwd())
    if vault is not None:
        return _require_vault(_place(vault, variables, here))
    if os.path.exists(os.path.join(here, FILE_NAME)):
        return _require_vault(here)
    default = str(effective_settings(None, variables)["values"]["default_vault"])
    if default:
        return _require_vault(_place(default, variables, here, only_name=True))
    raise NoVaultError(
        f"no vault in '{here}', and no default vault",
        hint="run `vaultmem init FOLDER` to make one, or say which: "
        "--vault FOLDER, VAULTMEM_VAULT, or `vaultmem vaults default NAME`",
    )


def load_settings(root: Path, *, environ: Mapping[str, str] | None = None) -> Settings:
    """Settings of the vault at `root`; raises SettingsError with file, line and key."""
    variables = os.environ if environ is None else environ
    real, state = os.path.realpath(root), state_home(variables)
    if os.path.realpath(state).startswith(real + os.sep):
        from vaultmem.config.places import inside_vault  # saves 1 module

        raise inside_vault(state, real)
    found = effective_settings(os.path.join(real, FILE_NAME), variables)
    values: dict[str, Any] = found["values"]
    sources: dict[str, str] = found["sources"]
    enabled = bool(values["enabled"])
    autocommit = bool(values["watch.autocommit"])
    if autocommit and "watch.autocommit" not in sources:
        plugin = os.path.join(real, *GIT_PLUGIN)
        if os.path.isdir(plugin):  # it commits what the person edits; twice would be a mess
            autocommit = False
            sources = sources | {"watch.autocommit": f"'{plugin}'"}
    warnings = found["warnings"]
    if warnings:
        from vaultmem.config.values import warnings_of  # saves 27 modules

        warnings = warnings_of(warnings)
    return Settings(
        root=Path(real),
        state=Path(state_home(variables), found["state_key"]),
        id=values["id"],
        name=values["name"] or os.path.basename(real) or real,
        enabled=enabled,
        disabled_by="" if enabled else sources["enabled"],
        timezone=values["timezone"],
        languages=values["languages"],
        include=values["include"],
        device=device_name(values["device"], variables),
        extractor=values["extractor"],
        retriever=values["retriever"],
        recall_k=values["recall.k"],
        recall_fuzzy=values["recall.fuzzy"],
        recall_preset=values["recall.preset"],
        recall_decay=values["recall.decay"],
        recall_untrusted=values["recall.untrusted"],
        recall_untrusted_weight=values["recall.untrusted_weight"],
        recall_untrusted_share=values["recall.untrusted_share"],
        search_limit=values["search.limit"],
        sync_lock_wait_seconds=values["sync.lock_wait"],
        watch_quiet_seconds=values["watch.quiet"],
        watch_commit_after_seconds=values["watch.commit_after"],
        watch_rescan_seconds=values["watch.rescan"],
        watch_poll_seconds=values["watch.poll"],
        watch_heartbeat_seconds=values["watch.heartbeat"],
        watch_autocommit=autocommit,
        secrets_typed=values["secrets.typed"],
        secrets_imported=values["secrets.imported"],
        secrets_edited=values["secrets.edited"],
        secrets_placeholder_key=values["secrets.placeholder_key"],
        privacy_local_only=values["privacy.local_only"],
        privacy_anonymize_pii=values["privacy.anonymize_pii"],
        half_life_identity_days=values["half_life.identity_days"],
        half_life_projects_days=values["half_life.projects_days"],
        half_life_tasks_days=values["half_life.tasks_days"],
        half_life_flow_days=values["half_life.flow_days"],
        retention_superseded_days=values["retention.superseded_days"],
        retrieval_candidates=values["retrieval.candidates"],
        retrieval_candidate_factor=values["retrieval.candidate_factor"],
        retrieval_episodes=values["retrieval.episodes"],
        retrieval_facts=values["retrieval.facts"],
        retrieval_rrf_k=values["retrieval.rrf_k"],
        retrieval_mmr_lambda=values["retrieval.mmr_lambda"],
        retrieval_relevance_threshold=values["retrieval.relevance_threshold"],
        retrieval_age_days=values["retrieval.age_days"],
        retrieval_recency_per_hour=values["retrieval.recency_per_hour"],
        recall_rounds=values["recall.rounds"],
        recall_by_model=values["recall.by_model"],
        retrieval_rounds=values["retrieval.rounds"],
        retrieval_subqueries=values["retrieval.subqueries"],
        retrieval_round_share=values["retrieval.round_share"],
        retrieval_followup_weight=values["retrieval.followup_weight"],
        retrieval_repeat_boost=values["retrieval.repeat_boost"],
        retrieval_improvement_threshold=values["retrieval.improvement_threshold"],
        retrieval_flat_below=values["retrieval.flat_below"],
        retrieval_words_below=values["retrieval.words_below"],
        retrieval_hybrid_below=values["retrieval.hybrid_below"],
        embeddings_provider=values["embeddings.provider"],
        embeddings_base_url=values["embeddings.base_url"],
        embeddings_model=values["embeddings.model"],
        embeddings_api_key=values["embeddings.api_key"],
        embeddings_timeout_seconds=values["embeddings.timeout"],
        embeddings_answers_from=values["embeddings.answers_from"],
        score_similarity=values["score.similarity"],
        score_pagerank=values["score.pagerank"],
        score_words=values["score.words"],
        score_relevance=values["score.relevance"],
        score_recency=values["score.recency"],
        score_importance=values["score.importance"],
        score_recency_per_hour=values["score.recency_per_hour"],
        score_park_recency=values["score.park_recency"],
        score_park_importance=values["score.park_importance"],
        score_park_relevance=values["score.park_relevance"],
        stability_base_hours=values["stability.base_hours"],
        stability_growth=values["stability.growth"],
        stability_cap_years=values["stability.cap_years"],
        feedback_prior=values["feedback.prior"],
        feedback_minimum=values["feedback.minimum"],
        feedback_half_life_days=values["feedback.half_life_days"],
        pagerank_damping=values["pagerank.damping"],
        pagerank_tolerance=values["pagerank.tolerance"],
        pagerank_entity_damping=values["pagerank.entity_damping"],
        importance_default=values["importance.default"],
        links_on_insert=values["links.on_insert"],
        links_by_model=values["links.by_model"],
        links_related=values["links.related"],
        links_hops=values["links.hops"],
        links_hop_decay=values["links.hop_decay"],
        slots_single=values["slots.single"],
        slots_multiple=values["slots.multiple"],
        network_deadline_seconds=values["network.deadline"],
        network_max_bytes=values["network.max_bytes"],
        network_own_addresses=values["network.own_addresses"],
        **section_values(values),
        values=values,
        sources=sources,
        warnings=tuple(warnings),
    )


def named_vaults(environ: Mapping[str, str] | None = None) -> tuple[dict[str, str], str]:
    """(name -> path, name of the default or '') from the person's settings."""
    found = effective_settings(None, os.environ if environ is None else environ)
    return dict(found["vaults"]), str(found["values"]["default_vault"])


def _place(
    vault: str | Path, environ: Mapping[str, str], here: str, *, only_name: bool = False
) -> str:
    """Where a vault lies that was named or pointed at; a known name wins over a folder of it."""
    text = os.fspath(vault)
    looks_like_name = isinstance(vault, str) and not any(c in text for c in "/\\~.")
    vaults: dict[str, str] = effective_settings(None, environ)["vaults"] if looks_like_name else {}
    if text in vaults:
        return os.path.expanduser(vaults[text])
    path = os.path.join(here, os.path.expanduser(text))
    if only_name or (looks_like_name and not os.path.isdir(path)):
        known = ", ".join(sorted(vaults))
        raise NoVaultError(
            f"no vault is named '{text}'" + ("" if only_name else f", and no folder is '{path}'"),
            hint=f"known names: {known}" if known else f"run `vaultmem init '{text}'` to make it",
        )
    return path


def _require_vault(path: str) -> Path:
    real = os.path.realpath(path)
    if os.path.lexists(os.path.join(real, FILE_NAME)):
        return Path(real)
    if not os.path.isdir(real):
        raise NoVaultError(
            f"no folder '{path}'",
            hint=f"check the spelling; `vaultmem init '{path}'` makes a new vault there",
        )
    raise NoVaultError(
        f"'{path}' is not a vault: it holds no {FILE_NAME}",
        hint=f"run `vaultmem init '{path}'`; the notes in it are kept as they are",
    )
