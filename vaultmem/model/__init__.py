"""The dictionary of the program: frozen records without input or output.

Promises
* A record says what an operation was asked or answers; times are UTC milliseconds, `[from, until)`.
* The same input gives the same id on every device.
* Each word of the glossary has one meaning, in pages, messages and code (`vaultmem help glossary`).

Never: reads or writes anything, and decides nothing about a vault.

Where is the rule for ...
    items, resources, categories, streams       notes.py
    ids                                         ids.py
    a question, an answer, a context            answers.py
    a change as data                            plan.py
    how far a text is believed                  trust.py
    slots and how they are compared             slots.py
    versions and times                          past_versions.py
    what an operation reports                   reports.py, jobs.py, leaving.py
    turns, views, reports of a session          session_files.py
    how a conversation that ended is named      notes.py
    what a model did for the memory             reports.py
    parts that may be replaced                  ports.py

Where does each word of the glossary live?
    archive               maintain/archive.py
    artifact              sessions/artifacts.py
    base truth            sessions/truth.py
    batch                 remember/one_text.py
    block id              storage/notes/bullets.py
    candidate             storage/index/search/candidates.py
    cardinality           facts/slot_candidates.py
    category              storage/notes/summary_block.py
    confidence            recall/belief/sureness.py
    conflict box          storage/merging/pieces.py
    context               context/assemble.py
    contradiction         facts/contradictions.py
    coverage              recall/enough.py
    critical              judgement/sentence.py
    cue                   extract/cue_patterns.py
    device state          config/state.py
    durable               storage/files/publishing.py
    embedding, vector     models/embedder_choice.py
    extraction            extract/extractor.py
    front matter          storage/notes/frontmatter/write.py
    fusion                recall/fusing.py
    half-life             recall/decay.py
    hard exception        sessions/held_rules.py
    history               history/every_version.py
    index                 storage/index/database.py
    item                  extract/items.py
    kind                  judgement/kinds.py
    ledger                vault/ledger.py
    lock                  storage/files/locking.py
    log                   sessions/turn_log.py
    managed block         storage/notes/summary_block.py
    merge base            devices/combine.py
    note                  storage/notes/schema.py
    operation             vault/apply.py
    overview              learn/overviews.py
    passage               storage/index/text/passages.py
    pinned                maintain/streams.py
    plan                  plan.py
    posting               storage/index/text/postings.py
    preset                recall/ranking/presets.py
    project               projects/of_folder.py
    purge                 forget/erase.py
    record time           history/moment.py
    resource              extract/prepare.py
    round                 recall/rounds.py
    rule                  learn/rules.py
    slot                  slots.py
    snapshot              storage/index/store/session.py
    statement             storage/notes/markdown.py
    stream                extract/route.py
    supersession          facts/supersede.py
    synced                vault/level.py
    trailer               vault/apply.py
    trust                 trust.py
    turn                  sessions/turn.py
    valid time            facts/validity.py
    validity interval     facts/validity.py
    vault                 vault/init.py
    working copy          vault/working_copy.py
    writer                vault/provenance.py
"""

from vaultmem.base import attach

TYPE_CHECKING = False  # of `typing`
if TYPE_CHECKING:
    from vaultmem.model.answers import (
        BESIDE,
        CRITICAL,
        CURRENT,
        EVENTS,
        FACTS,
        FORMATS,
        FOUND,
        HARD,
        HONEST,
        INFERRED,
        KNOWN,
        MORE_CRITICAL,
        PERSON,
        PERSONA,
        PRESETS,
        RULES,
        SESSION,
        SESSIONS,
        STANDING,
        TIERS,
        TURNS,
        Answer,
        AnswerPlan,
        ChatMessage,
        Filters,
        Format,
        Found,
        Hit,
        LateParts,
        Later,
        Line,
        Moment,
        NoteRow,
        Ordering,
        Outdated,
        Pack,
        Part,
        Passage,
        Portion,
        Ranking,
        RecallRequest,
        Repair,
        Reranked,
        Rival,
        Round,
        Stood,
        Sufficiency,
        Tier,
        Tiered,
        is_current,
    )
    from vaultmem.model.documents import Document, Prepared
    from vaultmem.model.drafts import (
        CHANGES,
        JUDGED,
        LONGEST_STATEMENT,
        OTHERS,
        Draft,
        Extraction,
        Rejected,
        Source,
        Turn,
    )
    from vaultmem.model.ids import (
        ITEM_ID,
        RESOURCE_ID,
        ItemId,
        Oid,
        base32,
        blob_oid,
        chat_id,
        id_in_name,
        item_id,
        resource_id,
    )
    from vaultmem.model.jobs import (
        Archived,
        AuditReport,
        Claim,
        Claims,
        Consolidated,
        Evidence,
        FactChange,
        Finding,
        Group,
        JobReport,
        JobState,
        LearnedRule,
        LearningHistory,
        LearningRun,
        Merged,
        ModelCheck,
        ModelsChecked,
        OverviewChange,
        Profile,
        ProfileField,
        ProfileValue,
        Promoted,
        RuleChange,
        RuleList,
        RulePoint,
        RuleProposals,
        Schedule,
        Sending,
        Tried,
    )
    from vaultmem.model.leaving import (
        SCHEMA,
        SCHEMA_VERSION,
        SECTIONS,
        Aged,
        AgedNote,
        Attached,
        CarriedNote,
        Cleared,
        Conflict,
        ExportDocument,
        Exported,
        Forgotten,
        ForgottenNote,
        Holding,
        Imported,
        ImportedProducts,
        ImportedRecord,
        Purged,
        Skipped,
        Taken,
    )
    from vaultmem.model.notes import (
        CRITICAL_KINDS,
        KINDS,
        MEMORY_TYPES,
        RELATIONS,
        STAT_BYTES,
        STATUSES,
        STREAMS,
        TODAY_MARK,
        Bullet,
        Category,
        Decoded,
        FileState,
        FolderState,
        Item,
        Page,
        Problem,
        Record,
        Resource,
        Scan,
        Severity,
        Stream,
        as_line,
        beginning,
        is_episode,
        only_asks,
    )
    from vaultmem.model.past_versions import (
        CHANGE,
        CORRECT,
        ENDED,
        EXPIRE,
        LASTING,
        RETRACT,
        Changed,
        Compacted,
        Difference,
        DiffReport,
        FactState,
        HistoryVersion,
        Point,
        Retired,
        StreamsCompacted,
        StreamShare,
        Timeline,
        TimelineRow,
        Version,
        VersionHistory,
        effective_times,
        holds_at,
        said_by,
    )
    from vaultmem.model.plan import Committed, Plan, Remove, Write
    from vaultmem.model.ports import (
        BY_MODEL,
        LLM,
        PLAIN,
        Clock,
        Embedder,
        Extractor,
        JsonReply,
        Message,
        Progress,
        Reply,
        ReplyStream,
        Schema,
        SystemClock,
        TokenCounter,
        extractor,
        list_schema,
        object_schema,
        plain_extractor,
        retriever,
        with_day,
    )
    from vaultmem.model.projects import (
        LONGEST_PROJECT,
        NO_PROJECT,
        ROOT_DIGITS,
        are_apart,
        is_told_in,
        project_keys,
        short_name,
        wanted_keys,
    )
    from vaultmem.model.reports import (
        CheckReport,
        DailyNote,
        Edited,
        Embedded,
        Evolved,
        Exchanged,
        InitReport,
        Insight,
        Judged,
        Learned,
        LinkedNote,
        Links,
        Operation,
        Opinion,
        Paths,
        Planned,
        Reflected,
        Remembered,
        RememberedItem,
        Removed,
        Reviewed,
        Shown,
        StatusReport,
        SummariseReport,
        SyncReport,
        Undone,
        Waiting,
        Weakened,
    )
    from vaultmem.model.session_files import (
        ACTIVE,
        ENDED_STATES,
        ArtifactRow,
        Exchange,
        LogLine,
        Prompt,
        SessionEnded,
        SessionRow,
        SessionView,
        Summarised,
        TruthLine,
        TurnReport,
        Unsummarised,
    )
    from vaultmem.model.slots import BETWEEN, holds_one, part_key, slot_key
    from vaultmem.model.trust import (
        APPROVED,
        LEVELS,
        LIMITED,
        TRAILERS,
        UNDOES,
        UNDONE,
        UNTRUSTED,
        USER,
        WRITERS,
        TrustEvent,
        claimed_level,
        events_of,
        is_below,
        lowest,
        rank_of,
        recorded_levels,
        trust_of,
        trust_trailers,
        undoes,
        writer_shown,
    )
    from vaultmem.model.uses import Access, Use, Uses, unite_uses
    from vaultmem.model.wording import NOTHING_FOUND, join_nonempty, pluralise, shorten, subject

attach(
    __name__,
    {
        "answers": (
            "Answer AnswerPlan BESIDE CRITICAL CURRENT ChatMessage EVENTS FACTS FORMATS FOUND "
            "Filters Format Found HARD HONEST Hit INFERRED KNOWN LateParts Later Line "
            "MORE_CRITICAL Moment NoteRow Ordering Outdated PERSON PERSONA PRESETS Pack Part "
            "Passage Portion RULES Ranking RecallRequest Repair Reranked Rival Round SESSION "
            "SESSIONS STANDING Stood Sufficiency TIERS TURNS Tier Tiered is_current"
        ),
        "documents": "Document Prepared",
        "drafts": "CHANGES Draft Extraction JUDGED LONGEST_STATEMENT OTHERS Rejected Source Turn",
        "ids": (
            "ITEM_ID ItemId Oid RESOURCE_ID base32 blob_oid chat_id id_in_name item_id resource_id"
        ),
        "jobs": (
            "Archived AuditReport Claim Claims Consolidated Evidence FactChange Finding Group "
            "JobReport JobState LearnedRule LearningHistory LearningRun Merged ModelCheck "
            "ModelsChecked OverviewChange Profile ProfileField ProfileValue Promoted "
            "RuleChange RuleList RulePoint RuleProposals Schedule Sending Tried"
        ),
        "leaving": (
            "Aged AgedNote Attached CarriedNote Cleared Conflict ExportDocument Exported "
            "Forgotten ForgottenNote Holding Imported ImportedProducts ImportedRecord Purged "
            "SCHEMA SCHEMA_VERSION SECTIONS Skipped Taken"
        ),
        "notes": (
            "Bullet CRITICAL_KINDS Category Decoded FileState FolderState Item KINDS "
            "MEMORY_TYPES Page Problem RELATIONS Record Resource STATUSES STAT_BYTES STREAMS "
            "Scan Severity Stream TODAY_MARK as_line beginning is_episode only_asks"
        ),
        "past_versions": (
            "CHANGE CORRECT Changed Compacted DiffReport Difference ENDED EXPIRE FactState "
            "HistoryVersion LASTING Point RETRACT Retired StreamShare StreamsCompacted "
            "Timeline TimelineRow Version VersionHistory effective_times holds_at said_by"
        ),
        "plan": "Committed Plan Remove Write",
        "ports": (
            "BY_MODEL Clock Embedder Extractor JsonReply LLM Message PLAIN Progress Reply "
            "ReplyStream Schema SystemClock TokenCounter extractor list_schema object_schema "
            "plain_extractor retriever with_day"
        ),
        "projects": (
            "LONGEST_PROJECT NO_PROJECT ROOT_DIGITS are_apart is_told_in project_keys "
            "short_name wanted_keys"
        ),
        "reports": (
            "CheckReport DailyNote Edited Embedded Evolved Exchanged InitReport Insight "
            "Judged Learned LinkedNote Links Operation Opinion Paths Planned Reflected "
            "Remembered RememberedItem Removed Reviewed Shown StatusReport SummariseReport "
            "SyncReport Undone Waiting Weakened"
        ),
        "slots": "BETWEEN holds_one part_key slot_key",
        "session_files": (
            "ACTIVE ArtifactRow ENDED_STATES Exchange LogLine Prompt SessionEnded SessionRow "
            "SessionView Summarised TruthLine TurnReport Unsummarised"
        ),
        "trust": (
            "APPROVED LEVELS LIMITED TRAILERS TrustEvent UNDOES UNDONE UNTRUSTED USER WRITERS "
            "claimed_level events_of is_below lowest rank_of recorded_levels trust_of "
            "trust_trailers undoes writer_shown"
        ),
        "uses": "Access Use Uses unite_uses",
        "wording": "NOTHING_FOUND join_nonempty pluralise shorten subject",
    },
)
