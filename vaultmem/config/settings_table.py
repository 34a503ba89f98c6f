"""The table of settings: every one once, with its default, unit, range and reason.

`origin` is the name of the same number in the systems that vaultmem joins (algorithms.md 10).
"""

from __future__ import annotations

from vaultmem.config.setting import PERSON, VAULT, Knob, Value

_Row = tuple[str, Value, str, str]  # name, default, unit, reason
_Rows = tuple[_Row, ...]

_IN_USE: _Rows = (
    ("half_life.identity_days", 0, "days", "0: who you are does not fade"),
    ("half_life.projects_days", 180, "days", "a project stays relevant about half a year"),
    ("half_life.tasks_days", 30, "days", "a task is done or forgotten within weeks"),
    ("half_life.flow_days", 7, "days", "passing remarks matter for about a week"),
    (
        "retention.superseded_days",
        90,
        "days",
        "an ended item stays in the folder so long; then `compact` retires it, and Git keeps it",
    ),
    (
        "recall.decay",
        0.02,
        "",
        "share of its score that a faded note loses; 0.05 and more finds less (measurements)",
    ),
    ("retrieval.candidates", 20, "notes", "best notes by words, which a preset then ranks"),
    ("retrieval.candidate_factor", 3, "", "candidates scored for each note asked for"),
    ("retrieval.episodes", 5, "notes", "events that a recall of everything brings"),
    ("retrieval.facts", 10, "notes", "facts that a recall of everything brings"),
    ("retrieval.rrf_k", 60, "", "rank constant of reciprocal rank fusion (Cormack 2009)"),
    ("retrieval.mmr_lambda", 0.7, "", "1: only relevance, 0: only variety"),
    ("retrieval.relevance_threshold", 0.7, "", "below it a calibrated scorer's hit is dropped"),
    ("retrieval.age_days", 30, "days", "age that halves a score in the `never_forgets` preset"),
    ("retrieval.recency_per_hour", 0.005, "", "decay rate of events: half-life 5.8 days"),
    (
        "recall.rounds",
        1,
        "rounds",
        "rounds of asking for one question; more find little more and take longer",
    ),
    (
        "recall.by_model",
        True,
        "",
        "a model that is set up judges whether what `--tiered` found is enough; two questions",
    ),
    ("retrieval.rounds", 3, "rounds", "most rounds that a question may ask for"),
    ("retrieval.subqueries", 4, "queries", "parts of one question, itself included"),
    ("retrieval.round_share", 0.15, "", "weight of further questions; 1, as published, finds less"),
    ("retrieval.followup_weight", 0.6, "", "weight of a follow-up question"),
    ("retrieval.repeat_boost", 1.3, "", "factor for each further sub-query that found the note"),
    ("retrieval.improvement_threshold", 0.05, "", "relative gain below which rounds stop"),
    ("retrieval.results", 15, "notes", "most that an answer of more than one round holds"),
    ("retrieval.repeat_cap", 3, "", "at most this many boosts, or a middling note wins all"),
    ("retrieval.position_step", 0.2, "", "weight that each later sub-query loses"),
    ("retrieval.position_floor", 0.4, "", "weight that no sub-query falls below"),
    ("retrieval.long_query_bonus", 0.1, "", "weight gained by a sub-query of 5 words or more"),
    ("retrieval.middle_query_bonus", 0.05, "", "weight gained by one of 3 or 4 words"),
    ("retrieval.flat_below", 100, "facts", "`status` calls a vault with fewer facts flat"),
    ("retrieval.words_below", 500, "facts", "below it words alone are enough"),
    ("retrieval.hybrid_below", 2000, "facts", "below it words and vectors, from it on links, too"),
    ("consolidation.min_observations", 2, "sessions", "sessions that must say it; one is chance"),
    ("consolidation.max_rules", 500, "rules", "most active rules; a person cannot review more"),
    ("consolidation.prune_threshold", 0.1, "", "confidence below which a rule is dropped"),
    ("consolidation.decay_per_day", 0.01, "", "confidence lost in a day without confirmation"),
    ("consolidation.confidence_cap_new", 1.0, "", "most that a new rule starts with"),
    ("consolidation.contradiction_penalty", 0.15, "", "confidence lost by a contradiction"),
    ("consolidation.reinforcement", 0.1, "", "confidence gained by a new session"),
    ("consolidation.ngram_sizes", (2, 3, 4), "tools", "lengths of tool sequences counted"),
    ("consolidation.correction_denominator", 0.2, "", "share of sessions for confidence 1: fewest"),
    ("consolidation.preference_denominator", 0.3, "", "the same for preferences and decisions"),
    ("consolidation.tool_denominator", 0.5, "", "the same for habits of tools: the most"),
    ("consolidation.similarity", 0.8, "", "bigram Dice from which two wordings may be one rule"),
    ("consolidation.naming_share", 0.8, "", "share of names that makes a convention"),
    ("consolidation.cluster_similarity", 0.3, "", "token Jaccard that joins two events"),
    ("consolidation.history_runs", 100, "runs", "most runs that `consolidate --history` lists"),
    ("consolidation.report_days", 7, "days", "what `consolidate --history` covers; 0: all"),
    ("consolidation.interval", "daily", "", "how often learning is due; manual: when you run it"),
    ("consolidation.min_episodes", 5, "notes", "new events that a run needs"),
    ("procedures.effectiveness", 0.5, "", "value of a procedure that was never tried (Laplace)"),
    ("procedures.min_uses", 5, "uses", "uses before a procedure may be dropped"),
    ("procedures.drop_below", 0.4, "", "dropped when its upper 95% bound is below this"),
    ("profile.expertise_gain", 0.05, "", "share of what is missing to 1 that a session adds"),
    ("profile.expertise_half_life_days", 180, "days", "an unused skill counts half after it"),
    (
        "embeddings.provider",
        "auto",
        "",
        "what makes vectors; auto: the packaged model where the extra is installed",
    ),
    ("embeddings.base_url", "", "", "endpoint's address up to `/v1`; https, or http here"),
    ("embeddings.model", "", "", "model of the endpoint; another model needs new vectors"),
    ("embeddings.api_key", "", "", "write `${NAME_OF_A_VARIABLE}` rather than the key itself"),
    ("embeddings.timeout", 10.0, "seconds", "time for one request; after it words alone answer"),
    (
        "embeddings.answers_from",
        0.0,
        "",
        "cosine from which a note without a word of the question answers; 0: as measured",
    ),
    ("llm.provider", "none", "", "which kind of language model helps (`vaultmem help llm`)"),
    ("llm.base_url", "", "", "address up to `/v1`; empty: the provider's own; http only here"),
    ("llm.model", "", "", "model that reads what you tell and writes summaries; small will do"),
    ("llm.api_key", "", "", "write `${NAME_OF_A_VARIABLE}` rather than the key itself"),
    (
        "llm.timeout",
        60.0,
        "seconds",
        "time for one question with all tries; after it the work goes on without a model",
    ),
    ("llm.max_tokens", 4000, "tokens", "most tokens of a reply; a reply that is cut is not used"),
    ("llm.structured", "auto", "", "how JSON is asked for; auto: the strongest that works"),
    ("llm.record", "off", "", "`record` keeps replies on this device, `replay` asks nobody else"),
    ("llm.chat_provider", "", "", "provider of the model that you talk to; empty: the one above"),
    ("llm.chat_base_url", "", "", "its address; empty: the one above; another needs its own key"),
    ("llm.chat_model", "", "", "name of the model that you talk to; empty: the one above"),
    ("llm.chat_api_key", "", "", "its key; `llm.api_key` is never sent to another address"),
    ("llm.chat_timeout", 0.0, "seconds", "time until it begins to reply; 0: as `llm.timeout`"),
    ("llm.chat_max_tokens", 0, "tokens", "most tokens of its reply; 0: as `llm.max_tokens`"),
    ("reflection.recent", 100, "notes", "newest notes that a reflection reads"),
    ("reflection.insights", 5, "notes", "most insights of one reflection"),
    ("reflection.trigger", 150, "", "sum of importance that starts one (Park et al. 2023)"),
    ("reflection.importance", 8, "1..10", "least importance of an insight"),
    ("reflection.min_evidence", 2, "notes", "notes that an insight needs; with fewer it is a copy"),
    ("reflection.quick_sessions", 5, "notes", "session summaries of the quick reflection"),
    ("reflection.quick_insights", 3, "notes", "most insights of the quick reflection"),
    ("reflection.depth", 2, "", "how many insights may build on each other; deeper ones drift"),
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
    ("stability.base_hours", 200, "hours", "stability of a memory never recalled"),
    ("stability.growth", 1.5, "", "factor for each session that used the note"),
    ("stability.cap_years", 10, "years", "most stability; else a note used daily never fades"),
    ("feedback.prior", 10, "", "how many judgements the fixed weights count for"),
    ("feedback.minimum", 10, "judgements", "judgements before learned weights count"),
    ("feedback.half_life_days", 7, "days", "time after which a judgement counts half"),
    ("pagerank.damping", 0.85, "", "damping factor of Brin and Page"),
    ("pagerank.tolerance", 1e-9, "", "change at which PageRank has settled"),
    ("pagerank.entity_damping", 0.5, "", "damping factor that stays near what the question names"),
    ("importance.default", 5.0, "1..10", "importance of a note that nobody scored"),
    ("importance.ask_above", 0, "1..10", "points of the rules above which a model decides"),
    ("links.on_insert", False, "", "write links to similar notes into new items; a search an item"),
    ("links.by_model", True, "", "a model that reads also links and tags new items; one question"),
    ("links.related", 3, "notes", "nearest notes offered as links to a new one"),
    ("links.hops", 1, "", "how far recall follows links"),
    ("links.hop_decay", 0.5, "", "share of the score that a neighbour inherits"),
    ("maintenance.nightly_hour", 3, "o'clock", "hour from which the night's job is due"),
    (
        "maintenance.archive_idle_days",
        90,
        "days",
        "events that nobody used or changed for longer are archived; 0: never",
    ),
    ("maintenance.episode_days", 90, "days", "least age of an event that is archived"),
    (
        "maintenance.summarise_after_days",
        30,
        "days",
        "age from which lines of a long list are summed up above it, weekly; 0: never",
    ),
    (
        "maintenance.graph_idle_days",
        180,
        "days",
        "events and texts that nobody used for longer leave the graph; 0: never",
    ),
    ("maintenance.keep_importance", 7, "1..10", "events of this importance are not archived"),
    ("maintenance.promotion_cap", 3, "", "most importance that a note gains by being used"),
    ("maintenance.overviews_from", 50, "events", "events from which times get overviews; 0: never"),
)

_CONTEXT_IN_USE: _Rows = (
    ("preservation.identity", 0.95, "", "share of a stream that is kept when room is scarce"),
    ("preservation.projects", 0.8, "", "share of a stream that is kept when room is scarce"),
    ("preservation.tasks", 0.7, "", "share of a stream that is kept when room is scarce"),
    ("preservation.flow", 0.3, "", "share of a stream that is kept when room is scarce: the least"),
    ("context.tokens", 2000, "tokens", "most that one context takes, whatever the window"),
    ("context.window_share", 0.15, "", "share of a model's window that memory may take"),
    ("context.counter", "estimate", "", "what counts the tokens; the exact ones are an extra"),
    ("context.allocation", "sinkhorn", "", "how the room for found memories is divided"),
    ("context.fill", True, "", "use the whole budget for found memories; false: tiers with caps"),
    ("context.per_kind", 7, "notes", "without filling: cap of each tier of what was found"),
    ("context.persona_tokens", 200, "tokens", "tier of how the person wants to be treated"),
    ("context.user_tokens", 200, "tokens", "tier of who the person is"),
    ("context.rule_tokens", 300, "tokens", "tier of rules and procedures, which never fade"),
    ("context.event_tokens", 300, "tokens", "without filling: tier of past events"),
    ("context.fact_tokens", 200, "tokens", "without filling: tier of found facts"),
    ("context.episodes", 3, "notes", "without filling: past events in their tier"),
    ("context.facts", 5, "notes", "without filling: found facts in their tier"),
    ("context.conversations", 3, "notes", "without filling: conversations that are quoted"),
    ("context.snippet_characters", 100, "characters", "without filling: of a quotation; 0: all"),
    ("context.session_tokens", 300, "tokens", "tier of the last conversations that ended"),
    ("context.sessions", 3, "notes", "conversations in their tier; 0: none"),
    ("privacy.retention_days", 90, "days", "age from which `forget --aged` lists a text; 0: none"),
    ("facts.confidence", 0.7, "", "confidence of a fact that was said once"),
    ("facts.reinforce", 0.3, "", "share of the doubt that a confirmation removes"),
    ("facts.contradict", 0.6, "", "factor on the confidence when a note contradicts the fact"),
    ("half_life.fact_days", 180, "days", "a fact of 0.7 stays above 0.6 for 40 days"),
    ("half_life.belief_days", 60, "days", "the same for beliefs, which change faster"),
    ("facts.competing_from", 2, "", "contradictions from which both values are shown; 0: never"),
    ("facts.usable_from", 0.6, "", "below it a context marks a fact as not confirmed"),
    (
        "limits.stream_tokens",
        30_000,
        "tokens",
        "`maintain weekly` archives from a longer stream; 0: never",
    ),
    ("sinkhorn.epsilon", 1e-8, "", "largest deviation of a marginal that counts as settled"),
    ("sinkhorn.iterations", 1000, "rounds", "most rounds; usual inputs need 6 to 100"),
    ("sinkhorn.firmness", 0.25, "", "how firmly streams are drawn to their shares; 1: exactly"),
    ("chunks.temperature", 0.1, "", "sharpness of the affinity between passages"),
    ("chunks.recency", 0.3, "", "weight in the affinity of two passages"),
    ("chunks.relevance", 0.3, "", "weight in the affinity of two passages"),
    ("chunks.importance", 0.25, "", "weight in the affinity of two passages"),
    ("chunks.topic", 0.15, "", "weight in the affinity of two passages"),
    ("chunks.diffusion", 0.0, "", "share of worth that similar memories lend each other"),
    ("chunks.bias", 20.0, "", "how steeply the worth of a memory decides"),
)

_CONVERSATIONS: _Rows = (
    ("sessions.short_words", 40, "words", "a turn below it on both sides gets a summary only"),
    ("sessions.long_words", 200, "words", "a turn with more on one side stays verbatim longer"),
    ("sessions.raw_turns", 6, "turns", "turns kept verbatim in the window"),
    ("sessions.long_turn_extra", 2, "turns", "how many turns longer a long turn stays"),
    ("sessions.prune_every", 15, "turns", "turns between two prunings of the base truth"),
    ("sessions.code_share", 0.3, "", "share of code from which a turn counts as code"),
    ("sessions.user_words", 25, "words", "most words of a turn's summary, the person's side"),
    ("sessions.assistant_words", 30, "words", "most words of a turn's summary, the other side"),
    ("sessions.artifact_lines", 3, "lines", "code of this length becomes an artifact"),
    (
        "sessions.document_words",
        2000,
        "words",
        "texts of this length are documents, whose later versions are kept as edits",
    ),
    (
        "sessions.summary_timeout",
        8.0,
        "seconds",
        "time for a summary; after it the turn's own words stand in",
    ),
    ("sessions.recent_turns", 10, "turns", "turns that working memory answers with"),
    ("sessions.messages", 50, "messages", "most messages that working memory holds"),
    ("sessions.idle", 3600, "seconds", "a session silent for so long is ended by the next start"),
    ("sessions.focus_terms", 5, "words", "words that `session show` names as the focus"),
    ("sessions.focus_turns", 5, "turns", "turns that these words are taken from"),
    ("sessions.truth_tokens", 800, "tokens", "a base truth above it is pruned; 0: never"),
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
        where=PERSON if key.startswith(("llm.", "embeddings.")) else "both",
        origin=_ORIGINS.get(key, ()),
    )


FORMULAS = tuple(_knob(row) for row in (*_IN_USE, *_CONTEXT_IN_USE, *_CONVERSATIONS))


# Settings of the exchange with other devices.

EXCHANGE = (
    Knob(
        key="network.deadline",
        default=600.0,
        unit="seconds",
        low=1,
        high=86_400,
        where=PERSON,
        why="how long one transfer from or to the remote may take before it is given up",
    ),
    Knob(
        key="network.max_bytes",
        default=1_000_000_000,
        unit="bytes",
        low=1_000_000,
        where=PERSON,
        why="largest transfer that is taken from a remote; a forged one must not fill the disk",
    ),
    Knob(
        key="network.own_addresses",
        default=(),
        where=PERSON,
        why="mail addresses of git under which you commit elsewhere, beside the one of this device",
    ),
)


# Which slots have one value at a time, and which many, unless the settings say otherwise.

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


# Every setting as one row: key, default, unit, range, where it may be set, and why it is so.
#
# Settings files, `vaultmem config`, docs/settings.md and the warnings about unknown keys all come
# from `knobs()`.

CORE = (
    Knob(
        key="format",
        default=1,
        low=1,
        high=1,
        where=VAULT,
        why="version of the format on disk; a newer one is refused rather than misread",
    ),
    Knob(
        key="id",
        default="",
        where=VAULT,
        why="identity of the vault, written by init; the device state is keyed by it",
    ),
    Knob(
        key="name",
        default="",
        where=VAULT,
        why="what messages call the vault; empty: the name of its folder",
    ),
    Knob(
        key="enabled",
        default=True,
        wins=False,
        why="false, in either file, stops every read and write politely",
    ),
    Knob(
        key="timezone",
        default="UTC",
        why="zone of a bare date (2026-03-11 is 00:00 there): an IANA name, UTC, or +02:00",
    ),
    Knob(
        key="languages",
        default=("en",),
        why="languages of the notes, for word stems; other scripts are recognised by themselves",
    ),
    Knob(
        key="include",
        default=(),
        where=VAULT,
        why="globs of other notes in the tree to search; they are never written",
    ),
    Knob(
        key="device",
        default="",
        where=PERSON,
        why="name of this device, for its own flow file; empty: the host name",
    ),
    Knob(
        key="default_vault",
        default="",
        where=PERSON,
        why="name of the vault to use when nothing else says which",
    ),
    Knob(
        key="extractor",
        default="heuristic",
        why="what turns a text into items: 'heuristic' needs no model, 'llm' asks yours",
    ),
    Knob(
        key="retriever",
        default="lexical",
        why="what finds passages for a question, by name; 'lexical' needs no model",
    ),
    Knob(
        key="recall.k",
        default=5,
        unit="notes",
        low=1,
        high=100,
        why="notes that answer a question; more than about five cost attention and add little",
    ),
    Knob(
        key="recall.fuzzy",
        default=True,
        why="look for the nearest known words when no note holds a word of the question",
    ),
    Knob(
        key="recall.preset",
        default="default",
        choices=("default", "park", "smriti", "kautilya", "never_forgets", "balanced", "linked"),
        why="how answers are ranked (`vaultmem help ranking`); the default finds most",
    ),
    Knob(
        key="recall.untrusted",
        default="label",
        choices=("label", "separate", "hide"),
        where=PERSON,
        why="text from outside in an answer: among the others, after them, or not at all",
    ),
    Knob(
        key="recall.untrusted_weight",
        default=0.8,
        low=0.01,
        high=1,
        where=PERSON,
        why="share of its score that text from outside counts for; below 1 yours comes first",
    ),
    Knob(
        key="recall.untrusted_share",
        default=0.5,
        low=0,
        high=1,
        where=PERSON,
        why="share of an answer that text from outside may fill, rounded up",
    ),
    Knob(
        key="search.limit",
        default=20,
        unit="notes",
        low=1,
        high=1000,
        why="notes that a search lists: about a screen",
    ),
    Knob(
        key="sync.lock_wait",
        default=5.0,
        unit="seconds",
        low=0,
        high=600,
        why="how long to wait for another writer; an operation takes well under a second",
    ),
    Knob(
        key="watch.quiet",
        default=0.5,
        unit="seconds",
        low=0.05,
        high=60,
        why="pause after the last event before reading: editors save in several steps",
    ),
    Knob(
        key="watch.commit_after",
        default=60.0,
        unit="seconds",
        low=1,
        high=86400,
        why="rest after the last edit before it is committed, so that typing does not fill the log",
    ),
    Knob(
        key="watch.rescan",
        default=600.0,
        unit="seconds",
        low=10,
        high=86400,
        why="full scan at least this often, because the system may lose events without a word",
    ),
    Knob(
        key="watch.poll",
        default=2.0,
        unit="seconds",
        low=0.2,
        high=3600,
        why="time between scans where the system cannot watch folders",
    ),
    Knob(
        key="watch.heartbeat",
        default=2.0,
        unit="seconds",
        low=0.2,
        high=60,
        why="how often a watcher says that it lives; reads trust it for three times as long",
    ),
    Knob(
        key="watch.autocommit",
        default=True,
        why="commit edits once they rest; false, or a git plugin of Obsidian, leaves it to you",
    ),
    Knob(
        key="secrets.typed",
        default="ask",
        choices=("ask", "block", "redact", "allow"),
        where=PERSON,
        why="a secret in a text that you type; where nobody can be asked, 'ask' blocks",
    ),
    Knob(
        key="secrets.imported",
        default="redact",
        choices=("ask", "block", "redact", "allow"),
        where=PERSON,
        why="a secret in a file, in standard input, in a conversation, or written by a program",
    ),
    Knob(
        key="secrets.edited",
        default="block",
        choices=("block", "allow"),
        where=PERSON,
        why="a secret that you save in a note: 'block' leaves that note out of the history",
    ),
    Knob(
        key="secrets.placeholder_key",
        default="",
        where=PERSON,
        why="the same text on each of your devices gives the same placeholders; empty: a key file",
    ),
    Knob(
        key="privacy.local_only",
        default=False,
        wins=True,
        why="true, in either file: no network at all; this device itself may be talked to",
    ),
    Knob(
        key="privacy.anonymize_pii",
        default=False,
        wins=True,
        why="true, in either file: mail, phone, card, account and national numbers are masked",
    ),
    Knob(
        key="slots.single",
        default=SINGLE,
        origin=("facts.single_valued",),
        why="predicates with one value at a time: a new one ends the old one; * is any ending",
    ),
    Knob(
        key="slots.multiple",
        default=MULTIPLE,
        why="predicates with many values; slots.single is looked at first; others: check asks you",
    ),
    Knob(
        key="limits.note_bytes",
        default=1_000_000,
        unit="bytes",
        low=1000,
        high=16_000_000,
        why="larger notes are listed but not read: one must not stop everything else",
    ),
    Knob(
        key="limits.summary_items",
        default=100,
        unit="items",
        low=1,
        high=10_000,
        why="bullets in a category's summary; more is a list, not a summary",
    ),
    Knob(
        key="limits.flow_items",
        default=200,
        unit="items",
        low=1,
        high=10_000,
        why="bullets kept in a flow file; older ones live on as items",
    ),
)


def knobs() -> tuple[Knob, ...]:
    """All settings, in the order of the page."""
    return CORE + EXCHANGE + FORMULAS


def knob_by_key() -> dict[str, Knob]:
    """All settings by their key."""
    return {knob.key: knob for knob in knobs()}
