"""The table of settings: every one once, with default, unit, range, where it is set, and reason.

`origin` is the name of the same number in the systems that vaultmem joins (algorithms.md 10).
"""

from __future__ import annotations

from vaultmem.config.setting import PERSON, VAULT, Knob, Value

_Row = tuple[str, Value, str, str]  # name, default, unit, reason
_Rows = tuple[_Row, ...]

_IN_USE: _Rows = (
    ("half_life.identity_days", 0, "days", "half-life of notes of this stream; 0: no fading"),
    # A project stays relevant about half a year, a task is done or forgotten within weeks, and a
    # passing remark matters for about a week.
    ("half_life.projects_days", 180, "days", "half-life of notes of this stream; 0: no fading"),
    ("half_life.tasks_days", 30, "days", "half-life of notes of this stream; 0: no fading"),
    ("half_life.flow_days", 7, "days", "half-life of notes of this stream; 0: no fading"),
    (
        "retention.superseded_days",
        90,
        "days",
        "age of an ended item at which `compact` retires it; Git keeps it",
    ),
    (
        "recall.decay",
        0.02,
        "",
        "share of its score that a faded note loses; 0.05 and more finds less",
    ),
    ("retrieval.candidates", 20, "notes", "best notes by words that a preset ranks"),
    ("retrieval.candidate_factor", 3, "", "`kautilya`, `--diverse`: candidates per note asked for"),
    ("retrieval.episodes", 5, "notes", "`kautilya`: most of them in an answer"),
    ("retrieval.facts", 10, "notes", "`kautilya`: most of them in an answer"),
    ("retrieval.rrf_k", 60, "", "rank constant of reciprocal rank fusion (Cormack 2009)"),
    ("retrieval.mmr_lambda", 0.7, "", "`--diverse`: 1 only relevance, 0 only variety"),
    ("retrieval.relevance_threshold", 0.7, "", "`never_forgets`: least relevance"),
    ("retrieval.age_days", 30, "days", "`never_forgets`: age that halves a score"),
    ("retrieval.recency_per_hour", 0.005, "", "decay rate of recency; half-life 5.8 days"),
    ("recall.rounds", 1, "rounds", "rounds of asking for one question; more find little more"),
    ("recall.by_model", True, "", "a model judges whether what `--tiered` found is enough"),
    ("recall.rerank", False, "", "a model puts first what helps; each recall waits for it"),
    ("recall.rerank_timeout", 2.0, "seconds", "time for it; then the order stays as it was"),
    ("retrieval.rounds", 3, "rounds", "most rounds of one question"),
    ("retrieval.subqueries", 4, "queries", "most parts of one question, itself included"),
    ("retrieval.round_share", 0.15, "", "weight of further questions; 1, as published, finds less"),
    ("retrieval.followup_weight", 0.6, "", "weight of a follow-up question"),
    ("retrieval.repeat_boost", 1.3, "", "factor for each further part that found the note"),
    ("retrieval.improvement_threshold", 0.05, "", "relative gain below which rounds stop"),
    ("retrieval.results", 15, "notes", "most notes in an answer of several rounds"),
    ("retrieval.repeat_cap", 3, "", "most boosts of one note"),
    ("retrieval.position_step", 0.2, "", "weight that each later part loses"),
    ("retrieval.position_floor", 0.4, "", "least weight of a part"),
    ("retrieval.long_query_bonus", 0.1, "", "weight gained by a part of 5 words or more"),
    ("retrieval.middle_query_bonus", 0.05, "", "weight gained by a part of 3 or 4 words"),
    (
        "retrieval.flat_below",
        100,
        "facts",
        "limits of the scales that `status` names: flat, fts, hybrid, linked",
    ),
    (
        "retrieval.words_below",
        500,
        "facts",
        "limits of the scales that `status` names: flat, fts, hybrid, linked",
    ),
    (
        "retrieval.hybrid_below",
        2000,
        "facts",
        "limits of the scales that `status` names: flat, fts, hybrid, linked",
    ),
    (
        "consolidation.min_observations",
        2,
        "sessions",
        "sessions that make a wish a rule; one is chance",
    ),
    ("consolidation.max_rules", 500, "rules", "most active rules"),
    ("consolidation.prune_threshold", 0.1, "", "confidence below which a rule is archived"),
    ("consolidation.decay_per_day", 0.01, "", "confidence lost in a day without confirmation"),
    ("consolidation.confidence_cap_new", 1.0, "", "most confidence of a new rule"),
    ("consolidation.contradiction_penalty", 0.15, "", "confidence lost by a contradiction"),
    ("consolidation.reinforcement", 0.1, "", "confidence gained by another session"),
    ("consolidation.ngram_sizes", (2, 3, 4), "tools", "lengths of tool sequences counted"),
    (
        "consolidation.correction_denominator",
        0.2,
        "",
        "share of sessions that gives a rule of this kind confidence 1",
    ),
    (
        "consolidation.preference_denominator",
        0.3,
        "",
        "share of sessions that gives a rule of this kind confidence 1",
    ),
    (
        "consolidation.tool_denominator",
        0.5,
        "",
        "share of sessions that gives a rule of this kind confidence 1",
    ),
    ("consolidation.similarity", 0.8, "", "bigram Dice from which two wordings may be one rule"),
    ("consolidation.naming_share", 0.8, "", "share of names that makes a convention"),
    ("consolidation.cluster_similarity", 0.3, "", "token Jaccard that joins two events"),
    ("consolidation.history_runs", 100, "runs", "most runs that `consolidate --history` lists"),
    ("consolidation.report_days", 7, "days", "days that `consolidate --history` covers; 0: all"),
    ("consolidation.interval", "daily", "", "how often learning is due; manual: when you run it"),
    ("consolidation.min_episodes", 5, "notes", "new events needed to learn facts"),
    ("procedures.effectiveness", 0.5, "", "value of an untried procedure"),
    ("procedures.min_uses", 5, "uses", "uses before a procedure may be archived"),
    ("procedures.drop_below", 0.4, "", "archived when the upper 95% bound is below this"),
    ("profile.expertise_gain", 0.05, "", "share of what is missing to 1 that a session adds"),
    ("profile.expertise_half_life_days", 180, "days", "half-life of an unused skill"),
    (
        "embeddings.provider",
        "auto",
        "",
        "source of vectors; auto: the packaged model, if installed",
    ),
    ("embeddings.base_url", "", "", "endpoint's address up to `/v1`; http only on this device"),
    ("embeddings.model", "", "", "endpoint's model; another one needs new vectors"),
    ("embeddings.api_key", "", "", "write `${NAME_OF_A_VARIABLE}`, not the key itself"),
    ("embeddings.timeout", 10.0, "seconds", "time for one request; then words alone answer"),
    (
        "embeddings.answers_from",
        0.0,
        "",
        "least cosine of an answer without a word of the question; 0: as measured",
    ),
    ("llm.provider", "none", "", "kind of language model (`vaultmem help llm`)"),
    (
        "llm.base_url",
        "",
        "",
        "address up to `/v1`; empty: the provider's; http only on this device",
    ),
    ("llm.model", "", "", "model that reads what you tell and writes summaries; small will do"),
    ("llm.api_key", "", "", "write `${NAME_OF_A_VARIABLE}`, not the key itself"),
    (
        "llm.timeout",
        60.0,
        "seconds",
        "time for one question with all tries; then work goes on without a model",
    ),
    ("llm.max_tokens", 4000, "tokens", "longest reply; a cut reply is not used"),
    ("llm.structured", "auto", "", "how JSON is requested; auto: the strongest that works"),
    ("llm.record", "off", "", "`record` keeps replies on this device, `replay` uses only those"),
    ("llm.chat_provider", "", "", "provider of your chat model; empty: `llm.provider`"),
    (
        "llm.chat_base_url",
        "",
        "",
        "chat model's address; empty: `llm.base_url`; another needs its own key",
    ),
    ("llm.chat_model", "", "", "your chat model; empty: `llm.model`"),
    (
        "llm.chat_api_key",
        "",
        "",
        "chat model's key; `llm.api_key` is never sent to another address",
    ),
    ("llm.chat_timeout", 0.0, "seconds", "time until the chat model replies; 0: as `llm.timeout`"),
    ("llm.chat_max_tokens", 0, "tokens", "chat model's longest reply; 0: as `llm.max_tokens`"),
    ("proxy.openai_base_url", "", "", "address behind the proxy; empty: your chat model's"),
    ("proxy.openai_api_key", "", "", "key of `proxy.openai_base_url`, sent nowhere else"),
    ("proxy.anthropic_base_url", "", "", "the same for `/v1/messages`; empty: your chat model's"),
    ("proxy.anthropic_api_key", "", "", "key of `proxy.anthropic_base_url`, sent nowhere else"),
    ("reflection.recent", 100, "notes", "newest notes that a reflection reads"),
    ("reflection.insights", 5, "notes", "most insights of one reflection"),
    ("reflection.trigger", 150, "", "sum of importance that starts one (Park et al. 2023)"),
    ("reflection.importance", 8, "1..10", "least importance of an insight"),
    ("reflection.min_evidence", 2, "notes", "notes that an insight needs; one would be a copy"),
    ("reflection.quick_sessions", 5, "notes", "session summaries that a quick reflection reads"),
    ("reflection.quick_insights", 3, "notes", "most insights of a quick reflection"),
    ("reflection.depth", 2, "", "how many insights may build on each other; deeper ones drift"),
    ("score.similarity", 0.6, "", "`smriti`: weight of this part"),
    ("score.pagerank", 0.25, "", "`smriti`: weight of this part"),
    ("score.words", 0.15, "", "`smriti`: weight of this part"),
    ("score.relevance", 0.5, "", "`kautilya`: weight of this part"),
    ("score.recency", 0.3, "", "`kautilya`: weight of this part"),
    ("score.importance", 0.2, "", "`kautilya`: weight of this part"),
    ("score.recency_per_hour", 0.01, "", "`kautilya`: decay rate; half-life 69 hours"),
    # All three are equal in Park et al. 2023.
    ("score.park_recency", 1.0, "", "`park`: weight of this part"),
    ("score.park_importance", 1.0, "", "`park`: weight of this part"),
    ("score.park_relevance", 1.0, "", "`park`: weight of this part"),
    ("stability.base_hours", 200, "hours", "stability of a memory never recalled"),
    ("stability.growth", 1.5, "", "factor for each session that used the note"),
    # Without a limit a note used daily would never fade.
    ("stability.cap_years", 10, "years", "most stability"),
    ("feedback.prior", 10, "", "judgements that the fixed weights count for"),
    ("feedback.minimum", 10, "judgements", "judgements before learned weights count"),
    ("feedback.half_life_days", 7, "days", "half-life of a judgement"),
    ("pagerank.damping", 0.85, "", "damping factor of Brin and Page"),
    ("pagerank.tolerance", 1e-9, "", "change at which PageRank has settled"),
    ("pagerank.entity_damping", 0.5, "", "`linked`: damping factor"),
    ("importance.default", 5.0, "1..10", "importance of a note that nobody scored"),
    ("importance.ask_above", 0, "1..10", "points of the rules above which a model decides"),
    ("links.on_insert", False, "", "write links to similar notes into new items; a search an item"),
    ("links.by_model", True, "", "a model that reads texts also links and tags new items"),
    ("links.related", 3, "notes", "links proposed for a new note"),
    ("links.hops", 1, "", "`--expand`: how far links are followed"),
    ("links.hop_decay", 0.5, "", "share of the score that a neighbour inherits"),
    ("maintenance.nightly_hour", 3, "o'clock", "hour from which the nightly job is due"),
    (
        "maintenance.archive_idle_days",
        90,
        "days",
        "events not used or changed for longer are archived; 0: never",
    ),
    ("maintenance.episode_days", 90, "days", "least age of an event that is archived"),
    (
        "maintenance.summarise_after_days",
        30,
        "days",
        "age from which lines of a long list are summarised, weekly; 0: never",
    ),
    (
        "maintenance.graph_idle_days",
        180,
        "days",
        "events and texts unused for longer leave the graph; 0: never",
    ),
    ("maintenance.keep_importance", 7, "1..10", "events of this importance or more stay"),
    ("maintenance.promotion_cap", 3, "", "most importance that use adds to a note"),
    (
        "maintenance.overviews_from",
        50,
        "events",
        "events from which periods get overviews; 0: never",
    ),
)

_CONTEXT_IN_USE: _Rows = (
    # Under scarcity these are odds, 19 to .43 for identity and flow; in proportion it would be 3.2.
    ("preservation.identity", 0.95, "", "share of the stream kept when room is scarce"),
    ("preservation.projects", 0.8, "", "share of the stream kept when room is scarce"),
    ("preservation.tasks", 0.7, "", "share of the stream kept when room is scarce"),
    ("preservation.flow", 0.3, "", "share of the stream kept when room is scarce"),
    ("context.tokens", 2000, "tokens", "most tokens of one context"),
    ("context.window_share", 0.15, "", "share of a model's window for memory"),
    ("context.counter", "estimate", "", "what counts tokens; exact counters are an extra"),
    ("context.allocation", "sinkhorn", "", "how room is divided among found memories"),
    ("context.fill", True, "", "fill the budget with found memories; false: tiers with caps"),
    ("context.per_kind", 7, "notes", "without fill: notes in each tier of found memories"),
    ("context.persona_tokens", 200, "tokens", "size of this tier"),
    ("context.user_tokens", 200, "tokens", "size of this tier"),
    ("context.rule_tokens", 300, "tokens", "size of this tier"),
    ("context.event_tokens", 300, "tokens", "without fill: size of this tier"),
    ("context.fact_tokens", 200, "tokens", "without fill: size of this tier"),
    ("context.episodes", 3, "notes", "without fill: most notes in this tier"),
    ("context.facts", 5, "notes", "without fill: most notes in this tier"),
    ("context.conversations", 3, "notes", "without fill: most notes in this tier"),
    (
        "context.snippet_characters",
        100,
        "characters",
        "without fill: length of a quotation; 0: all",
    ),
    ("context.session_tokens", 300, "tokens", "size of the tier of last conversations"),
    ("context.sessions", 3, "notes", "last conversations in a context; 0: none"),
    ("privacy.retention_days", 90, "days", "age from which `forget --aged` lists a text; 0: none"),
    ("facts.confidence", 0.7, "", "confidence of a fact said once"),
    ("facts.reinforce", 0.3, "", "share of the doubt that a confirmation removes"),
    ("facts.contradict", 0.6, "", "factor on the confidence of a contradicted fact"),
    # A fact of 0.7 stays above 0.6 for 40 days; a belief changes faster.
    ("half_life.fact_days", 180, "days", "half-life of the confidence"),
    ("half_life.belief_days", 60, "days", "half-life of the confidence"),
    ("facts.competing_from", 2, "", "contradictions from which both values are shown; 0: never"),
    ("facts.usable_from", 0.6, "", "confidence below which a context marks a fact"),
    (
        "limits.stream_tokens",
        30_000,
        "tokens",
        "`maintain weekly` archives from a longer stream; 0: never",
    ),
    ("sinkhorn.epsilon", 1e-8, "", "largest deviation of a marginal that counts as settled"),
    ("sinkhorn.iterations", 1000, "rounds", "most rounds; usual inputs need 6 to 100"),
    ("sinkhorn.firmness", 0.25, "", "how firmly streams keep their shares; 1: exactly"),
    ("chunks.temperature", 0.1, "", "sharpness of the affinity of passages"),
    ("chunks.recency", 0.3, "", "weight of this part in the affinity of passages"),
    ("chunks.relevance", 0.3, "", "weight of this part in the affinity of passages"),
    ("chunks.importance", 0.25, "", "weight of this part in the affinity of passages"),
    ("chunks.topic", 0.15, "", "weight of this part in the affinity of passages"),
    ("chunks.diffusion", 0.0, "", "share of worth that similar memories lend each other"),
    ("chunks.bias", 20.0, "", "how steeply the worth of a memory decides"),
)

_CONVERSATIONS: _Rows = (
    ("sessions.short_words", 40, "words", "turns shorter on both sides get only a summary"),
    ("sessions.long_words", 200, "words", "turns longer on one side stay verbatim longer"),
    ("sessions.raw_turns", 6, "turns", "turns kept verbatim in the window"),
    ("sessions.long_turn_extra", 2, "turns", "further turns for which a long turn stays"),
    ("sessions.prune_every", 15, "turns", "turns between two prunings of the base truth"),
    ("sessions.code_share", 0.3, "", "share of code from which a turn counts as code"),
    ("sessions.user_words", 25, "words", "most words of this side in a turn's summary"),
    ("sessions.assistant_words", 30, "words", "most words of this side in a turn's summary"),
    ("sessions.artifact_lines", 3, "lines", "lines of code that make an artifact"),
    (
        "sessions.document_words",
        2000,
        "words",
        "longer texts are documents; later versions are kept as edits",
    ),
    (
        "sessions.summary_timeout",
        8.0,
        "seconds",
        "time for a summary; then the turn's own words stand in",
    ),
    ("sessions.recent_turns", 10, "turns", "turns that working memory answers with"),
    ("sessions.messages", 50, "messages", "most messages in working memory"),
    ("hooks.capture", "on", "", "assistants' hooks: remember and recall, only recall, or neither"),
    ("projects.commands", "none", "", "project of what you type: none, or your folder's (`auto`)"),
    ("sessions.idle", 3600, "seconds", "silence after which the next start ends a session"),
    ("sessions.focus_terms", 5, "words", "words that `session show` names as focus"),
    ("sessions.focus_turns", 5, "turns", "turns that the focus is taken from"),
    ("sessions.truth_tokens", 800, "tokens", "size from which the base truth is pruned; 0: never"),
    ("sessions.prompt_tokens", 8000, "tokens", "most tokens of a prompt for the next turn"),
    ("sessions.grounding", 0.6, "", "share of an entry's words that must have been said"),
)

_ORIGINS = {
    "context.conversations": ("kautilya.prompt_episodes",),
    "context.episodes": ("retrieval.top_k_episodes",),
    "consolidation.min_episodes": ("kautilya.min_episodes",),
    "consolidation.report_days": ("kautilya.consolidation_since_days",),
    "links.related": ("links.top_related",),
    "maintenance.episode_days": ("kautilya.retention_days",),
    "procedures.effectiveness": ("kautilya.procedure_default_effectiveness",),
    "reflection.quick_insights": ("reflection.tier1_insights",),
    "retrieval.age_days": ("never_forgets.time_decay_days",),
    "retrieval.candidate_factor": ("kautilya.candidate_factor",),
    "retrieval.candidates": ("fts.candidates",),
    "retrieval.episodes": ("kautilya.episodic_limit",),
    "retrieval.relevance_threshold": ("never_forgets.relevance_threshold",),
    "sessions.long_words": ("tiered.long_words",),
    "sessions.recent_turns": ("kautilya.working_recent_limit",),
    "sessions.summary_timeout": ("tiered.summariser_timeout_s",),
}
_CHOICES = {
    "consolidation.interval": ("manual", "hourly", "daily", "weekly"),
    "embeddings.provider": ("auto", "none", "multilingual", "minilm", "endpoint"),
    "hooks.capture": ("on", "recall-only", "off"),
    "projects.commands": ("none", "auto"),
    "llm.chat_provider": ("", "openai", "anthropic"),
    "llm.provider": ("none", "openai", "anthropic"),
    "llm.record": ("off", "record", "replay"),
    "llm.structured": ("auto", "schema", "object", "prompt"),
    "context.counter": ("estimate", "words", "o200k", "cl100k", "provider"),
    "context.allocation": ("relevance", "quota", "sinkhorn"),
}

_LEAST = {
    # Below these, affinities are sharper than the numbers that hold them, or nothing is scaled.
    "chunks.temperature": 0.05,
    "sinkhorn.epsilon": 1e-12,
    "sinkhorn.iterations": 1,
}


def _high(key: str, default: Value, unit: str) -> float | None:
    """The largest value allowed: a share is at most 1, an hour at most 23, importance 10."""
    if unit == "o'clock":
        return 23
    if unit == "1..10":
        return 10
    if key in ("embeddings.answers_from", "chunks.diffusion"):
        return 1
    is_share = isinstance(default, float) and 0 < default <= 1 and not unit
    return 1 if is_share and not key.startswith("score.park") else None


# A vault that comes from somebody must not decide that a model, which may be elsewhere and be paid
# for, gets each question with fifty memories.
_OF_THE_PERSON = ("llm.", "proxy.", "embeddings.", "hooks.", "recall.rerank")


def _knob(row: _Row) -> Knob:
    key, default, unit, why = row
    is_number = isinstance(default, int | float) and not isinstance(default, bool)
    return Knob(
        key=key,
        default=default,
        unit=unit,
        why=why,
        low=_LEAST.get(key, 0) if is_number else None,
        high=_high(key, default, unit),
        choices=_CHOICES.get(key, ()),
        where=PERSON if key.startswith(_OF_THE_PERSON) else "both",
        origin=_ORIGINS.get(key, ()),
    )


FORMULAS = tuple(_knob(row) for row in (*_IN_USE, *_CONTEXT_IN_USE, *_CONVERSATIONS))

# --- exchange with other devices ---

EXCHANGE = (
    Knob(
        key="network.deadline",
        default=600.0,
        unit="seconds",
        low=1,
        high=86_400,
        where=PERSON,
        why="time limit of one transfer from or to the remote",
    ),
    Knob(
        key="network.max_bytes",
        # A forged transfer must not fill the disk.
        default=1_000_000_000,
        unit="bytes",
        low=1_000_000,
        where=PERSON,
        why="largest transfer taken from a remote",
    ),
    Knob(
        key="network.own_addresses",
        default=(),
        where=PERSON,
        why="your mail addresses in commits made elsewhere",
    ),
)

# --- slots of one value and of many ---

_SINGLE = (
    "name full_name works_at lives_in located_in uses_database uses_cache timezone time_zone "
    "birthday date_of_birth age address email phone job job_title role employer wife husband "
    "spouse port version status due hosted_on deployed_on owned_by led_by favourite_* "
    "favorite_*"
)
_MULTIPLE = (
    "uses uses_* likes dislikes prefers knows owns speaks plays studies teaches leads "
    "maintains maintained_by written_in allergic_to comes_from friend sister brother son "
    "daughter child pet dog cat colleague goal goals dream hobby hobbies passion thinks"
)
SINGLE = tuple(_SINGLE.split())
MULTIPLE = tuple(_MULTIPLE.split())

# --- every setting as one row ---

# Settings files, `vaultmem config`, docs/settings.md and the warnings about unknown keys all come
# from `knobs()`.
CORE = (
    Knob(
        key="format",
        default=1,
        low=1,
        high=1,
        where=VAULT,
        why="version of the format on disk; newer versions are refused",
    ),
    Knob(
        key="id",
        default="",
        where=VAULT,
        why="identity of the vault, written by `init`",
    ),
    Knob(
        key="name",
        default="",
        where=VAULT,
        why="name of the vault in messages; empty: its folder's name",
    ),
    Knob(
        key="enabled",
        default=True,
        wins=False,
        why="false in either file stops all reads and writes",
    ),
    Knob(
        key="timezone",
        default="UTC",
        why="zone of dates without a time: an IANA name, UTC, or +02:00",
    ),
    Knob(
        key="languages",
        default=("en",),
        why="languages of the notes, for word stems; other scripts are detected",
    ),
    Knob(
        key="include",
        default=(),
        where=VAULT,
        why="globs of other notes to search; never written, but for the daily note",
    ),
    Knob(
        key="device",
        default="",
        where=PERSON,
        why="name of this device, for its flow file; empty: host name",
    ),
    Knob(
        key="default_vault", default="", where=PERSON, why="vault used when nothing else names one"
    ),
    Knob(
        key="extractor",
        default="heuristic",
        why="turns a text into items: 'heuristic' without a model, 'llm' with yours",
    ),
    Knob(
        key="retriever",
        default="lexical",
        why="finds passages for a question; 'lexical' needs no model",
    ),
    Knob(
        key="recall.k",
        default=5,
        unit="notes",
        low=1,
        high=100,
        why="notes that answer a question; more than five add little",
    ),
    Knob(
        key="recall.fuzzy",
        default=True,
        why="try the nearest known words when no note has a word of the question",
    ),
    Knob(
        key="recall.preset",
        default="default",
        choices=("default", "park", "smriti", "kautilya", "never_forgets", "balanced", "linked"),
        why="ranking of answers (`vaultmem help ranking`); the default finds most",
    ),
    Knob(
        key="recall.untrusted",
        default="label",
        choices=("label", "separate", "hide"),
        where=PERSON,
        why="text from outside in answers: labelled, after the others, or hidden",
    ),
    Knob(
        key="recall.untrusted_weight",
        default=0.8,
        low=0.01,
        high=1,
        where=PERSON,
        why="factor on the score of text from outside",
    ),
    Knob(
        key="recall.untrusted_share",
        default=0.5,
        low=0,
        high=1,
        where=PERSON,
        why="largest share of an answer from outside, rounded up",
    ),
    Knob(
        key="search.limit",
        default=20,
        unit="notes",
        low=1,
        high=1000,
        why="notes that a search lists",
    ),
    Knob(
        key="sync.lock_wait",
        default=5.0,
        unit="seconds",
        low=0,
        high=600,
        why="how long to wait for another writer",
    ),
    Knob(
        key="watch.quiet",
        default=0.5,
        unit="seconds",
        low=0.05,
        high=60,
        why="pause after the last event before reading; editors save in steps",
    ),
    Knob(
        key="watch.commit_after",
        default=60.0,
        unit="seconds",
        low=1,
        high=86400,
        why="rest after the last edit before it is committed",
    ),
    Knob(
        key="watch.rescan",
        default=600.0,
        unit="seconds",
        low=10,
        high=86400,
        why="longest time between full scans; systems lose events",
    ),
    Knob(
        key="watch.poll",
        default=2.0,
        unit="seconds",
        low=0.2,
        high=3600,
        why="time between scans where folders cannot be watched",
    ),
    Knob(
        key="watch.heartbeat",
        default=2.0,
        unit="seconds",
        low=0.2,
        high=60,
        why="how often the watcher reports; reads trust it three times as long",
    ),
    Knob(
        key="watch.autocommit",
        default=True,
        why="commit edits after their rest; false, or Obsidian's git plugin: you commit",
    ),
    Knob(key="obsidian.daily_note", default="", where=VAULT, why="daily note, as Day/%Y-%m-%d.md"),
    Knob(
        key="secrets.typed",
        default="ask",
        choices=("ask", "block", "redact", "allow"),
        where=PERSON,
        why="a secret in text that you type; if nobody can be asked, 'ask' blocks",
    ),
    Knob(
        key="secrets.imported",
        default="redact",
        choices=("ask", "block", "redact", "allow"),
        where=PERSON,
        why="a secret in a file, standard input, a conversation, or from a program",
    ),
    Knob(
        key="secrets.edited",
        default="block",
        choices=("block", "allow"),
        where=PERSON,
        why="a secret that you save in a note; 'block' keeps the note out of the history",
    ),
    Knob(
        key="secrets.placeholder_key",
        default="",
        where=PERSON,
        why="key of placeholders, equal on all your devices; empty: a key file",
    ),
    Knob(
        key="privacy.local_only",
        default=False,
        wins=True,
        why="true in either file: no network except this device",
    ),
    Knob(
        key="privacy.anonymize_pii",
        default=False,
        wins=True,
        why="true in either file: masks mail, phone, card, account and national numbers",
    ),
    Knob(
        key="slots.single",
        default=SINGLE,
        origin=("facts.single_valued",),
        why="predicates with one value: a new one ends the old; * is any ending",
    ),
    Knob(
        key="slots.multiple",
        default=MULTIPLE,
        why="predicates with many values; slots.single counts first; check asks about others",
    ),
    Knob(
        key="limits.note_bytes",
        default=1_000_000,
        unit="bytes",
        low=1000,
        high=16_000_000,
        why="larger notes are listed but not read",
    ),
    Knob(
        key="limits.summary_items",
        default=100,
        unit="items",
        low=1,
        high=10_000,
        why="bullets in a category's summary",
    ),
    Knob(
        key="limits.flow_items",
        default=200,
        unit="items",
        low=1,
        high=10_000,
        why="bullets in a flow file; older ones stay items",
    ),
)


def knobs() -> tuple[Knob, ...]:
    """All settings, in the order of the page."""
    return CORE + EXCHANGE + FORMULAS


def knob_by_key() -> dict[str, Knob]:
    """All settings by their key."""
    return {knob.key: knob for knob in knobs()}
