"""Settings: which vault, what its file and the person's file say, and where device state lies.

Two files: `vaultmem.toml` in the vault (display and policy, harmless if hostile) and the person's
own `config.toml` (everything else). What they come to is kept in the device state under the
fingerprints of both files, because reading TOML costs more than answering a question.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from pathlib import Path

from vaultmem.base import TYPE_CHECKING, Any, NoVaultError, dataclass
from vaultmem.config.state import (
    device_name,
    effective_settings,
    kept_file,
    make_state_folder,
    person_file,
    state_home,
)

if TYPE_CHECKING:
    from vaultmem.config.setting import Value
    from vaultmem.config.values import SettingsWarning


__all__ = [
    "FILE_NAME",
    "Settings",
    "erase_state",
    "find_own_vault",
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
class Settings:
    """All that holds for one vault on this device. `values` has every setting by key.

    A setting is a row of `config/settings_table.py` and an attribute here, for type checkers: its
    key with '_' for '.', and at the end the unit of a duration. It is filled in by that name.
    """

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
    hooks_capture: str  # on, recall-only, off
    projects_commands: str  # none, auto
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
    obsidian_daily_note: str  # '': none; read by maintain.daily_note
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
    recall_rerank: bool
    recall_rerank_timeout_seconds: float
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
    context_tokens: int
    context_window_share: float
    context_counter: str  # of context.tokens.COUNTERS
    context_allocation: str  # relevance, quota, sinkhorn
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


def find_own_vault(vault: str | None, *, environ: Mapping[str, str]) -> Path:
    """Root of the vault of who is asked on the person's behalf, in whatever folder they work.

    Never that folder's: whoever can put a vault into a repository would hear every word there, and
    be heard by every model. raises NoVaultError
    """
    told = vault or environ.get("VAULTMEM_VAULT")
    # An assistant works in folders of its own, where a relative name is another folder.
    if told and os.path.isabs(path := os.path.expanduser(told)):
        return _require_vault(path)
    vaults, default = named_vaults(environ)
    name = told or default
    if not name:
        raise NoVaultError(
            "there is no default vault, and that of the folder an assistant works in is not taken",
            hint="say `vaultmem vaults add NAME FOLDER` and `vaultmem vaults default NAME`, or "
            "give the whole path: --vault FOLDER",
        )
    if name in vaults:
        return _require_vault(os.path.expanduser(vaults[name]))
    raise NoVaultError(
        f"no vault is named '{name}'",
        hint="assistants work in folders of their own: give the whole path, or a name of "
        "`vaultmem vaults`",
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
    named = attributes(values, Settings.__annotations__) | {
        "name": values["name"] or os.path.basename(real) or real,
        "device": device_name(values["device"], variables),
        "watch_autocommit": autocommit,
    }
    return Settings(
        root=Path(real),
        state=Path(state_home(variables), found["state_key"]),
        disabled_by="" if enabled else sources["enabled"],
        values=values,
        sources=sources,
        warnings=tuple(warnings),
        **named,
    )


def erase_state(root: Path, *, environ: Mapping[str, str] | None = None) -> None:
    """Erase what this device keeps about the vault at `root`, before the vault itself goes.

    Nobody may have it open. raises OSError for what cannot be erased
    """
    import shutil

    variables = os.environ if environ is None else environ
    settings = load_settings(root, environ=variables)
    if settings.state.exists():
        shutil.rmtree(settings.state)
    kept = kept_file([person_file(variables), str(settings.root / FILE_NAME)], variables)
    if os.path.exists(kept):
        os.unlink(kept)


def attributes(
    values: Mapping[str, Any], names: Collection[str], *, prefix: str = ""
) -> dict[str, Any]:
    """Settings by the names of typed attributes: `sync.lock_wait` as `sync_lock_wait_seconds`.

    prefix  of the keys that are meant, which the names go without
    """
    found: dict[str, Any] = {}
    for key, value in values.items():
        if key.startswith(prefix):
            name = key[len(prefix) :].replace(".", "_")
            if name in names:
                found[name] = value
            elif f"{name}_seconds" in names:
                found[f"{name}_seconds"] = value
    return found


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
