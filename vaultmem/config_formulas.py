"""The numbers of formulas: their defaults, units and reasons.

Those that later parts bring are settings already, so that a vault can carry them before the part
arrives, and they are listed as not in use until then. `origin` is the name of the same number in
the systems that vaultmem joins (algorithms.md 10).
"""

from __future__ import annotations

from vaultmem.config_knobs import PERSON, Knob, Value

_Row = tuple[str, Value, str, str]  # name, default, unit, reason
_Rows = tuple[_Row, ...]

_IN_USE: _Rows = (
    ("half_life.identity_days", 0, "days", "0: who you are does not fade"),
    ("half_life.projects_days", 180, "days", "a project stays relevant about half a year"),
    ("half_life.tasks_days", 30, "days", "a task is done or forgotten within weeks"),
    ("half_life.flow_days", 7, "days", "passing remarks matter for about a week"),
    ("retention.superseded_days", 90, "days", "what `compact` keeps; more leaves, never Git"),
    (
        "recall.decay",
        0.02,
        "",
        "share of its score that a faded note loses; 0.05 and more finds less (measurements)",
    ),
    ("retrieval.candidates", 20, "notes", "best by words, re-ranked by everything else"),
    ("retrieval.candidate_factor", 3, "", "candidates scored for each note asked for"),
    ("retrieval.episodes", 5, "notes", "events that a recall of everything brings"),
    ("retrieval.facts", 10, "notes", "facts that a recall of everything brings"),
    ("retrieval.rrf_k", 60, "", "rank constant of reciprocal rank fusion (Cormack 2009)"),
    ("retrieval.mmr_lambda", 0.7, "", "1: only relevance, 0: only variety"),
    ("retrieval.relevance_threshold", 0.7, "", "below it a calibrated scorer's hit is dropped"),
    ("retrieval.age_days", 30, "days", "age that halves a score in the `never_forgets` preset"),
    ("retrieval.recency_per_hour", 0.005, "", "decay rate of events: half-life 5.8 days"),
    ("recall.rounds", 1, "rounds", "of a question; more find a little more, and take their time"),
    ("retrieval.rounds", 3, "rounds", "most that may be asked; more find little that is new"),
    ("retrieval.subqueries", 4, "queries", "parts of one question, itself included"),
    (
        "retrieval.round_share",
        0.15,
        "",
        "share of their weight that further questions have; 1 as published finds less",
    ),
    ("retrieval.followup_weight", 0.6, "", "weight of a follow-up question"),
    ("retrieval.repeat_boost", 1.3, "", "factor for each further sub-query that found the note"),
    ("retrieval.improvement_threshold", 0.05, "", "relative gain below which rounds stop"),
    ("retrieval.results", 15, "notes", "most that an answer of more than one round holds"),
    ("retrieval.repeat_cap", 3, "", "at most this many boosts, or a middling note wins all"),
    ("retrieval.position_step", 0.2, "", "weight that each later sub-query loses"),
    ("retrieval.position_floor", 0.4, "", "weight that no sub-query falls below"),
    ("retrieval.long_query_bonus", 0.1, "", "weight gained by a sub-query of 5 words or more"),
    ("retrieval.middle_query_bonus", 0.05, "", "weight gained by one of 3 or 4 words"),
    ("retrieval.flat_below", 100, "facts", "below it every fact is read"),
    ("retrieval.words_below", 500, "facts", "below it words alone are enough"),
    ("retrieval.hybrid_below", 2000, "facts", "below it words and vectors, from it links too"),
    ("consolidation.min_observations", 2, "sessions", "seen once is chance"),
    ("consolidation.max_rules", 500, "rules", "more cannot be reviewed by a person"),
    ("consolidation.prune_threshold", 0.1, "", "confidence below which a rule is dropped"),
    ("consolidation.decay_per_day", 0.01, "", "confidence lost in a day without confirmation"),
    ("consolidation.confidence_cap_new", 1.0, "", "most that a new rule starts with"),
    ("consolidation.contradiction_penalty", 0.15, "", "confidence lost by a contradiction"),
    ("consolidation.reinforcement", 0.1, "", "confidence gained by a new session"),
    ("consolidation.ngram_sizes", (2, 3, 4), "tools", "lengths of tool sequences counted"),
    ("consolidation.correction_denominator", 0.2, "", "a correction needs the fewest sessions"),
    ("consolidation.preference_denominator", 0.3, "", "also of decisions and conventions"),
    ("consolidation.tool_denominator", 0.5, "", "habits of tools need the most sessions"),
    ("consolidation.similarity", 0.8, "", "bigram Dice from which two wordings may be one rule"),
    ("consolidation.naming_share", 0.8, "", "share of names that makes a convention"),
    ("consolidation.cluster_similarity", 0.3, "", "token Jaccard that joins two events"),
    ("consolidation.history_runs", 100, "runs", "most runs that `consolidate --history` tells"),
    ("consolidation.report_days", 7, "days", "what `consolidate --history` covers; 0: all"),
    ("consolidation.interval", "daily", "", "how often it is due; manual: only when asked"),
    ("consolidation.min_episodes", 5, "notes", "fewer new events are not worth a run"),
    ("procedures.effectiveness", 0.5, "", "of a procedure never tried (Laplace)"),
    ("procedures.min_uses", 5, "uses", "before these nothing is dropped"),
    ("procedures.drop_below", 0.4, "", "upper 95% bound below which it is dropped"),
    ("profile.expertise_gain", 0.05, "", "share of the rest gained by one correct use"),
    ("profile.expertise_half_life_days", 180, "days", "skills unused fade"),
    ("embeddings.provider", "none", "", "vectors beside words (`vaultmem help embeddings`)"),
    ("embeddings.base_url", "", "", "of an endpoint: up to `/v1`; https, or http on this machine"),
    ("embeddings.model", "", "", "of an endpoint: which of its models; another needs new vectors"),
    ("embeddings.api_key", "", "", "write `${NAME_OF_A_VARIABLE}` rather than the key itself"),
    ("embeddings.timeout", 10.0, "seconds", "for one request; then words alone answer"),
    ("embeddings.answers_from", 0.5, "", "cosine that answers without a word of the question"),
    ("llm.provider", "none", "", "a language model that helps (`vaultmem help llm`)"),
    ("llm.base_url", "", "", "up to `/v1`; empty: that of the provider; http on this machine only"),
    ("llm.model", "", "", "reads what is remembered, writes summaries: a small one will do"),
    ("llm.api_key", "", "", "write `${NAME_OF_A_VARIABLE}` rather than the key itself"),
    ("llm.timeout", 60.0, "seconds", "for one question; then it goes on without a model"),
    ("llm.max_tokens", 4000, "tokens", "of a reply; one that is cut is not used"),
    ("llm.structured", "auto", "", "how JSON is asked for; auto: the strongest that works"),
    ("llm.record", "off", "", "`record` keeps replies on this device, `replay` asks nobody else"),
    ("llm.chat_provider", "", "", "of the model that you talk to; empty, as below: as above"),
    ("llm.chat_base_url", "", "", "its address; with another one comes another key"),
    ("llm.chat_model", "", "", "which model you talk to"),
    ("llm.chat_api_key", "", "", "never taken from `llm.api_key` for another address"),
    ("llm.chat_timeout", 0.0, "seconds", "until it begins to reply; 0: as `llm.timeout`"),
    ("llm.chat_max_tokens", 0, "tokens", "of its reply; 0: as `llm.max_tokens`"),
    ("reflection.recent", 100, "notes", "newest notes that a reflection reads"),
    ("reflection.insights", 5, "notes", "insights of one reflection"),
    ("reflection.trigger", 150, "", "sum of importance that starts one (Park et al. 2023)"),
    ("reflection.importance", 8, "1..10", "of an insight, at least"),
    ("reflection.min_evidence", 2, "notes", "fewer is no insight but a copy"),
    ("reflection.depth", 2, "", "reflections on reflections drift"),
    ("score.similarity", 0.6, "", "weight of embedding similarity where there is one"),
    ("score.pagerank", 0.25, "", "weight of a note's standing in the graph"),
    ("score.words", 0.15, "", "weight of the normalised word score"),
    ("score.relevance", 0.5, "", "weight in the `kautilya` preset"),
    ("score.recency", 0.3, "", "weight in the `kautilya` preset"),
    ("score.importance", 0.2, "", "weight in the `kautilya` preset"),
    ("score.recency_per_hour", 0.01, "", "decay rate of the `kautilya` preset: 69 hours"),
    ("score.park_recency", 1.0, "", "weight in the `park` preset: all three equal"),
    ("score.park_importance", 1.0, "", "weight in the `park` preset"),
    ("score.park_relevance", 1.0, "", "weight in the `park` preset"),
    ("stability.base_hours", 200, "hours", "memory never recalled: as the `park` recency"),
    ("stability.growth", 1.5, "", "factor for each session that used the note"),
    ("stability.cap_years", 10, "years", "or a note used every day would become immortal"),
    ("feedback.prior", 10, "", "judgements that the fixed weights are worth"),
    ("feedback.minimum", 10, "judgements", "before these, the fixed weights"),
    ("feedback.half_life_days", 7, "days", "old judgements fade"),
    ("pagerank.damping", 0.85, "", "as Brin and Page"),
    ("pagerank.tolerance", 1e-9, "", "well below one note's score in a large vault"),
    ("pagerank.entity_damping", 0.5, "", "stay near what the question names"),
    ("importance.default", 5.0, "1..10", "for a note that nobody scored"),
    ("importance.ask_above", 3, "1..10", "above it a model's opinion of it counts, not the rules'"),
    ("links.on_insert", False, "", "write links to notes alike into new items; one search an item"),
    ("links.by_model", True, "", "a model that reads also links and tags new items; one question"),
    ("links.related", 3, "notes", "nearest notes offered as links to a new one"),
    ("links.hops", 1, "", "how far recall follows links"),
    ("links.hop_decay", 0.5, "", "share of the score that a neighbour inherits"),
    ("maintenance.nightly_hour", 3, "o'clock", "when nobody writes"),
    (
        "maintenance.archive_idle_days",
        90,
        "days",
        "events that nobody used or changed for longer go into the archive; 0: never",
    ),
    ("maintenance.episode_days", 90, "days", "and that are older than this; nothing is deleted"),
    (
        "maintenance.summarise_after_days",
        30,
        "days",
        "what is older in a long list is told shorter above it, weekly; 0: never",
    ),
    (
        "maintenance.graph_idle_days",
        180,
        "days",
        "events and texts that nobody used for longer leave the graph; 0: never",
    ),
    ("maintenance.keep_importance", 7, "1..10", "events from this importance stay"),
    ("maintenance.promotion_cap", 3, "", "most importance that a note gains by being used"),
    (
        "maintenance.overviews_from",
        50,
        "events",
        "from so many on, days, weeks, months and years are told shorter; 0: never",
    ),
)

_TIME: _Rows = (
    (
        "facts.single_valued",
        ("uses_database", "works_at", "lives_in", "name", "timezone"),
        "",
        "predicates with one value at a time: a new value ends the old one",
    ),
)

_CONTEXT_IN_USE: _Rows = (
    ("preservation.identity", 0.95, "", "share of a stream that is kept when room is scarce"),
    ("preservation.projects", 0.8, "", "share of a stream that is kept when room is scarce"),
    ("preservation.tasks", 0.7, "", "share of a stream that is kept when room is scarce"),
    ("preservation.flow", 0.3, "", "share of a stream that is kept when room is scarce: the least"),
    ("context.tokens", 2000, "tokens", "most that one context takes, whatever the window"),
    ("context.window_share", 0.15, "", "share of a model's window that memory may take"),
    ("context.counter", "estimate", "", "what counts the tokens; the exact ones are an extra"),
    ("context.allocation", "relevance", "", "how the room for what was found is divided"),
    (
        "context.fill",
        True,
        "",
        "use the whole budget for what was found, best first; false: tiers with caps",
    ),
    ("context.per_kind", 7, "notes", "without filling: cap of each tier of what was found"),
    ("context.persona_tokens", 200, "tokens", "tier of how the person wants to be treated"),
    ("context.user_tokens", 200, "tokens", "tier of who the person is"),
    ("context.rule_tokens", 300, "tokens", "tier of rules and procedures, which never fade"),
    (
        "context.event_tokens",
        300,
        "tokens",
        "without filling: tier of past events and conversations",
    ),
    ("context.fact_tokens", 200, "tokens", "without filling: tier of found facts"),
    ("context.episodes", 3, "notes", "without filling: past events in their tier"),
    ("context.facts", 5, "notes", "without filling: found facts in their tier"),
    ("context.conversations", 3, "notes", "without filling: conversations that are quoted"),
    (
        "context.snippet_characters",
        100,
        "characters",
        "without filling: most of such a quotation; 0: the whole passage",
    ),
    ("context.session_tokens", 300, "tokens", "tier of the last conversations that ended"),
    ("context.sessions", 3, "notes", "conversations in their tier; 0: none"),
    (
        "privacy.retention_days",
        90,
        "days",
        "age from which `forget --aged` proposes a purge; 0: none",
    ),
    ("facts.confidence", 0.7, "", "of a new fact: said once"),
    ("facts.reinforce", 0.3, "", "share of the doubt that a confirmation removes"),
    ("facts.contradict", 0.6, "", "factor that a contradiction leaves"),
    ("half_life.fact_days", 180, "days", "0.7 stays usable 40 days without confirmation"),
    ("half_life.belief_days", 60, "days", "beliefs change faster than facts"),
    ("facts.competing_from", 2, "", "contradictions from which both values are shown; 0: never"),
    ("facts.usable_from", 0.6, "", "confidence below which a fact is searched but not injected"),
    (
        "limits.stream_tokens",
        30_000,
        "tokens",
        "a longer list of a stream is cut by `maintain weekly`; 0: never",
    ),
    ("sinkhorn.epsilon", 1e-8, "", "largest deviation of a marginal that counts as settled"),
    ("sinkhorn.iterations", 1000, "rounds", "plain inputs need 6 to 30"),
    ("chunks.temperature", 0.1, "", "sharpness of the affinity between passages"),
    ("chunks.recency", 0.3, "", "weight in the affinity of two passages"),
    ("chunks.relevance", 0.3, "", "weight in the affinity of two passages"),
    ("chunks.importance", 0.25, "", "weight in the affinity of two passages"),
    ("chunks.topic", 0.15, "", "weight in the affinity of two passages"),
    ("chunks.diffusion", 0.5, "", "share of score that related passages lend each other"),
    ("chunks.bias", 4.0, "", "how strongly score bends a stream's ratio"),
)

_CONVERSATIONS: _Rows = (
    ("sessions.short_words", 40, "words", "below it a turn gets a summary only"),
    ("sessions.long_words", 200, "words", "from it a turn is kept verbatim for longer"),
    ("sessions.raw_turns", 6, "turns", "turns kept verbatim in the window"),
    ("sessions.long_turn_extra", 2, "turns", "how much longer a long turn stays"),
    ("sessions.prune_every", 15, "turns", "between two prunings of the base truth"),
    ("sessions.code_share", 0.3, "", "share of code from which a turn is code"),
    ("sessions.user_words", 25, "words", "length of a turn's summary, the person's side"),
    ("sessions.assistant_words", 30, "words", "length of a turn's summary, the other side"),
    ("sessions.artifact_lines", 3, "lines", "code from this length becomes an artifact"),
    ("sessions.document_words", 2000, "words", "drafts from this length are kept as edits"),
    ("sessions.summary_timeout", 8.0, "seconds", "then the raw text stands in"),
    ("sessions.recent_turns", 10, "turns", "turns that working memory answers with"),
    ("sessions.messages", 50, "messages", "most that working memory holds"),
    ("sessions.idle", 3600, "seconds", "a session idle for so long is closed"),
    ("sessions.focus_terms", 5, "words", "words that the attention is on"),
    ("sessions.focus_turns", 5, "turns", "turns that they are taken from"),
    (
        "sessions.truth_tokens",
        800,
        "tokens",
        "base truth beyond it is looked through; 0: never",
    ),
    ("sessions.prompt_tokens", 8000, "tokens", "most that the prompt of a turn takes"),
    ("sessions.grounding", 0.6, "", "share of an entry's words that must have been said"),
)

_LEARNING: _Rows = (
    ("reflection.quick_sessions", 5, "notes", "session summaries of the quick reflection"),
    ("reflection.quick_insights", 3, "notes", "insights of the quick reflection"),
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
    "embeddings.provider": ("none", "minilm", "endpoint"),
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
    is_share = isinstance(default, float) and 0 < default <= 1 and not unit
    return 1 if is_share and not key.startswith("score.park") else None


def _knob(row: _Row, part: str) -> Knob:
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
        where=PERSON if key.startswith(("llm.", "embeddings.")) else "both",
        part=part,
        origin=_ORIGINS.get(key, ()),
    )


IN_USE = tuple(_knob(row, "") for row in (*_IN_USE, *_CONTEXT_IN_USE, *_CONVERSATIONS))
LATER = tuple(
    _knob(row, part)
    for part, rows in (
        ("time", _TIME),
        ("learning", _LEARNING),
    )
    for row in rows
)
