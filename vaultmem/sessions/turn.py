"""One turn of a conversation: kept before anything else, then summarised.

Phase 1 is durable when it returns: the words of the turn are committed. Phase 2 makes the summary
and changes base truth. By the rules that takes milliseconds, and both are one commit; with a
summariser phase 2 has a commit of its own, made while no lock of the vault is held. What phase 2
did not come to is what the transcript has and the log has not, so nothing has to be remembered
about it: whoever comes next to this session finishes it, on any device.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import PurePosixPath

from vaultmem import edit, extract, model
from vaultmem import vault as vaults
from vaultmem.base import (
    TYPE_CHECKING,
    BadInputError,
    NamedTuple,
    VaultmemError,
    dataclass,
    replace,
)
from vaultmem.config import session_settings
from vaultmem.judgement import own_words
from vaultmem.language import Stems
from vaultmem.model import ACTIVE, Exchange, Summarised, TurnReport, Unsummarised
from vaultmem.sessions import files, truth
from vaultmem.sessions import turn_log as log
from vaultmem.sessions.artifacts import kept_apart
from vaultmem.sessions.files import Conversation, is_pending
from vaultmem.sessions.steps import (
    Summariser,
    current,
    raw_turns,
    screen_texts,
    write_change,
)
from vaultmem.sessions.summarise import ATTEMPTS, AskedModel, Outcome, carry_out_summary, summarise
from vaultmem.sessions.summarise_by_rules import (
    Rules,
    is_due,
    needs_diff,
    prune_facts,
    pruned_by_rule,
    says_something,
)
from vaultmem.sessions.truth import Fact, Warned, apply_diff, late
from vaultmem.sessions.turn_log import Entry
from vaultmem.sessions.turn_size import Route, code_share, count_words, route
from vaultmem.vault import WorkingCopy, is_persons

if TYPE_CHECKING:
    from vaultmem.model import Removed
    from vaultmem.vault import Vault

LONGEST_STATE = 1_000_000  # bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """A turn as it is told."""

    user: str
    assistant: str = ""
    at: int | None = None  # None: now
    state: str | None = None  # JSON of the agent; None: as it was
    number: int | None = None  # of the turn: telling it twice changes nothing; None: the next one


def add_turn(
    vault: Vault,
    id_: str,
    said: Said,
    *,
    summariser: Summariser | None = None,
    later: bool = False,
    begin: Conversation | None = None,
) -> TurnReport:
    """Keep a turn and what it changes; the caller holds `queue`.

    later   return once the turn is durable; `finish` does the rest
    begin   the session as it is to be made where there is none, or opened again where it has
            ended, in the commit of the turn; None: it is there and open
    raises  BadInputError for a session that has ended, a number that is not the next, no words
            SecretFoundError when the settings say that secrets stop a text
    """
    folder = _folder(vault, id_, begin)
    # The turn before this one, whose process died: base truth is to change in the order of the
    # talk.
    if is_pending(folder, WorkingCopy(vault).text, zone=vault.settings.timezone):
        finish(vault, id_, summariser)
    said, redacted = _screen(vault, said)
    kept = _keep(vault, id_, said, with_rules=summariser is None, begin=begin)
    if summariser is not None and not later and not kept.is_repeat:
        finish(vault, id_, summariser)
        kept = _final_report(vault, id_, kept)
    # The summariser answers, or there is none any more: one that failed has a chance.
    has_chance = not later and kept.is_summarised and bool(kept.waiting)
    if has_chance and retry(vault, id_, summariser, most=RETRIES).done:
        now = current(vault, folder)
        waiting, window = now.failed, raw_turns(vault, now)
        kept = replace(kept, waiting=waiting, window=window)
    return replace(kept, redacted=redacted)


# --- phase 1 ------------------------------------------------------------------------------


def _folder(vault: Vault, id_: str, begin: Conversation | None) -> PurePosixPath:
    """Where the session lies, or will."""
    if begin is None:
        return files.folder_of(vault, id_)
    return files.folders(vault).get(id_, begin.folder)


def _keep(
    vault: Vault, id_: str, said: Said, *, with_rules: bool, begin: Conversation | None
) -> TurnReport:

    folder = _folder(vault, id_, begin)

    def keep() -> TurnReport:
        with edit.writer(vault):
            return _keep_once(vault, folder, said, with_rules=with_rules, begin=begin)

    return vaults.retry_when_stale(keep)


def _keep_once(
    vault: Vault,
    folder: PurePosixPath,
    said: Said,
    *,
    with_rules: bool,
    begin: Conversation | None,
) -> TurnReport:
    working_copy = WorkingCopy(vault)
    before = files.load(folder, working_copy.text, zone=vault.settings.timezone)
    if begin is not None and working_copy.text(folder / files.TRUTH) is None:
        before = begin
    if before.status != ACTIVE and begin is None:
        raise BadInputError(
            f"session '{before.id}' has ended",
            hint=f"`vaultmem session resume {before.id}` opens it again",
        )
    repeated = _repeated_turn(before, said)
    if repeated is not None:
        return replace(_turn_report(vault, before, repeated), is_repeat=True)
    number = before.turns + 1
    at = vault.clock.now() if said.at is None else said.at
    apart = kept_apart(vault, working_copy, before, (said.user, said.assistant), turn=number)
    exchange = Exchange(turn=number, user=apart.user, assistant=apart.assistant, at=at)
    now = replace(
        before,
        status=ACTIVE,
        exchanges=(*before.exchanges, exchange),
        updated=at,
        state=before.state if said.state is None else said.state,
    )
    size = ""
    if with_rules:
        outcome, way = outcome_of(vault, before, exchange, None)
        now, size = with_summary(vault, now, exchange, outcome, way), way.size
    committed = write_change(
        vault, working_copy, before, now, op="turn", turn=number, what=_first(exchange)
    )
    told = _turn_report(vault, now, exchange, before=before)
    return replace(
        told,
        size=size or route_of(vault, exchange, has_cue=False).size,
        commit=committed.commit if committed else "",
        artifacts=apart.names,
    )


def _repeated_turn(before: Conversation, said: Said) -> Exchange | None:
    """The turn that is told again; None when this is the next one."""
    if said.number is None or said.number == before.turns + 1:
        return None
    if not 1 <= said.number <= before.turns:
        raise BadInputError(
            f"turn {said.number} cannot come after turn {before.turns}",
            hint=f"the next turn is {before.turns + 1}",
        )
    known = before.exchanges[said.number - 1]
    same = (known.user, known.assistant) == (said.user.strip(), said.assistant.strip())
    # Of a new version of a document the transcript holds a stand-in, which no words are equal to.
    if not same and not known.user.startswith("(the document "):
        raise BadInputError(
            f"turn {said.number} of session '{before.id}' was told with other words",
            hint="leave the number out for a new turn",
        )
    return known


def _screen(vault: Vault, said: Said) -> tuple[Said, tuple[Removed, ...]]:
    """The turn as it may be written; raises for what must not be."""
    if not said.user.strip() and not said.assistant.strip():
        raise BadInputError(
            "there is nothing in this turn", hint="give --user, --assistant or both"
        )
    extract.require_text(f"{said.user}\n{said.assistant}", vault.settings.limits_note_bytes // 4)
    told = {"user": said.user, "assistant": said.assistant}
    if said.state is not None:
        told["state"] = canonical_state(said.state)
    clean, removed = screen_texts(vault, told)
    return (
        replace(
            said,
            user=clean["user"],
            assistant=clean["assistant"],
            state=clean.get("state"),
        ),
        removed,
    )


def canonical_state(text: str) -> str:
    """The agent's state as it is kept: canonical JSON, so that equal states are equal bytes."""
    try:
        loaded = json.loads(text)
        found = json.dumps(loaded, ensure_ascii=False, indent=1, sort_keys=True, allow_nan=False)
    except (ValueError, RecursionError) as error:
        raise BadInputError(
            f"the state is not JSON: {error}", hint='for example: {"step": 3}'
        ) from error
    if len(found.encode("utf-8", "replace")) > LONGEST_STATE:
        raise BadInputError(f"the state has more than {LONGEST_STATE:,} bytes")
    return found


# --- writing and telling ------------------------------------------------------------------


def _first(exchange: Exchange) -> str:
    text = " ".join((exchange.user or exchange.assistant).split())
    return f"turn {exchange.turn}: {text}"


def _final_report(vault: Vault, id_: str, kept: TurnReport) -> TurnReport:
    """The report of a turn once phase 2 is through."""
    now = current(vault, files.folder_of(vault, id_))
    told = _turn_report(vault, now, now.exchanges[kept.turn - 1])
    return replace(
        told,
        commit=kept.commit,
        size=kept.size,
        artifacts=kept.artifacts,
        added=tuple(fact.text for fact in now.facts if _is_of(fact, kept.turn)),
    )


def _is_of(fact: Fact, turn: int) -> bool:
    return fact.id.startswith(f"t{turn}-")


def _turn_report(
    vault: Vault, now: Conversation, exchange: Exchange, *, before: Conversation | None = None
) -> TurnReport:
    entry = log.latest_entries(now.log).get(exchange.turn)
    old = {fact.text for fact in before.facts} if before else set()
    new = {fact.text for fact in now.facts} if before else set()
    return TurnReport(
        session=now.id,
        turn=exchange.turn,
        commit="",
        size="",
        is_summarised=entry is not None and not entry.unsummarised,
        user=entry.user if entry else "",
        assistant=entry.assistant if entry else "",
        added=tuple(fact.text for fact in now.facts if before and fact.text not in old),
        removed=tuple(fact.text for fact in before.facts if fact.text not in new) if before else (),
        warnings=entry.warnings if entry else (),
        unsummarised=entry.unsummarised if entry else "",
        window=raw_turns(vault, now),
        waiting=tuple(sorted((*now.unsummarised, *now.failed))),
    )


def keep_state(vault: Vault, id_: str, state: str, *, begin: Conversation | None = None) -> None:
    """Keep the state of a session's agent in one commit, without a turn; the caller holds `queue`.

    state   JSON; without its secrets, as the settings say
    begin   the session as it is to be made where there is none; it is opened again where it ended
    raises  BadInputError for what is no JSON or too long, SecretFoundError, ErasedTextError
    """
    clean, _ = screen_texts(vault, {"state": canonical_state(state)})
    try:
        json.loads(clean["state"])
    except ValueError as error:
        raise BadInputError(
            "without its secrets the state is no JSON any more", hint="keep secrets out of it"
        ) from error
    if begin is None:
        folder = files.folder_of(vault, id_)
    else:
        folder = files.folders(vault).get(id_, begin.folder)

    def keep() -> None:
        with edit.writer(vault):
            working_copy = WorkingCopy(vault)
            before = files.load(folder, working_copy.text, zone=vault.settings.timezone)
            if begin is not None and working_copy.text(folder / files.TRUTH) is None:
                before = begin
            now = replace(before, state=clean["state"], status=ACTIVE, updated=vault.clock.now())
            is_new = working_copy.text(folder / files.TRUTH) is None
            write_change(
                vault,
                working_copy,
                replace(before, title="") if is_new else before,
                now,
                op="session",
                turn=before.turns,
                what="state of the agent",
            )

    vaults.retry_when_stale(keep)


_ALL = 1 << 20
RETRIES = 1
"""Turns whose summary failed that one turn tries again after its own: the person waits for it."""


def finish(vault: Vault, id_: str, summariser: Summariser | None) -> int:
    """Phase 2 of every turn that has none, in order; how many there were. Needs `queue`."""
    folder = files.folder_of(vault, id_)
    before = current(vault, folder)
    waiting = before.unsummarised
    for place, number in enumerate(waiting):
        if place:
            before = current(vault, folder)
        exchange = before.exchanges[number - 1]
        outcome, size = outcome_of(vault, before, exchange, summariser)
        is_pruned = _commit_summary(vault, before, exchange, outcome, size)
        if is_pruned and isinstance(summariser, AskedModel):
            _prune(vault, folder, summariser)
    return len(waiting)


def _prune(vault: Vault, folder: PurePosixPath, model: AskedModel) -> None:
    """Let the model look through base truth, behind the rules; it may fail, and is guarded."""
    before = current(vault, folder)
    try:
        kept = model.facts_to_keep(before.facts)
    except VaultmemError:
        return  # the list stays as it is until the next time
    done = prune_facts(before.facts, kept, stem=Stems(vault.settings.languages))
    if done.facts == before.facts:
        return
    with edit.writer(vault):
        working_copy = WorkingCopy(vault)
        now = files.load(folder, working_copy.text, zone=vault.settings.timezone)
        if now.facts == before.facts:  # else a person edited it: their list counts
            facts = truth.number_facts(done.facts, now.turns, beside=now.held)
            what = f"{len(now.facts) - len(facts)} facts fewer"
            after = replace(now, facts=facts)
            write_change(vault, working_copy, now, after, op="prune", turn=now.turns, what=what)


class Retried(NamedTuple):
    """How many turns were made up for, and why it went no further ('': it came to the end)."""

    done: int
    failure: str


def make_up(vault: Vault, id_: str, summariser: Summariser | None) -> Summarised:
    """Phase 2 of all turns that have no summary yet; the caller holds the queue of the session."""
    folder = files.folder_of(vault, id_)
    before = waiting_turns(current(vault, folder))
    finish(vault, id_, summariser)
    tried = retry(vault, id_, summariser, most=_ALL)
    now = current(vault, folder)
    left = waiting_turns(now, failure=tried.failure)
    return Summarised(session=now.id, summarised=len(before) - len(left), waiting=left)


def waiting_turns(now: Conversation, *, failure: str = "") -> tuple[Unsummarised, ...]:
    """Turns without a summary, each with the reason in the log, or the newer one given."""
    told = log.latest_entries(now.log)
    return tuple(
        Unsummarised(turn=turn, why=(failure or told[turn].unsummarised) if turn in told else "")
        for turn in sorted((*now.unsummarised, *now.failed))
    )


def retry(vault: Vault, id_: str, summariser: Summariser | None, *, most: int) -> Retried:
    """Make up for turns whose summary failed (summariser None: the rules read them).

    All of them in order; if only some, others each time, so that a turn that no model can summarise
    keeps no other waiting. The log is amended at its end. What newer turns changed meanwhile stays
    as they left it.
    """
    from vaultmem.sessions.replay import conversation_at  # saves 12 modules

    folder = files.folder_of(vault, id_)
    done = 0
    known = current(vault, folder)
    waiting = known.failed
    # The log has grown by the next turn, so that its length tells another place to begin at.
    first = len(known.log) % len(waiting) if most < len(waiting) else 0
    failure = ""
    for number in (*waiting[first:], *waiting[:first])[:most]:
        now = current(vault, folder)
        exchange = now.exchanges[number - 1]
        # Where no later turn has a summary, base truth of now counts: beside the truth of then, 'I
        # finished the release notes' ended no task, since the turn that told of them was made up
        # for only now.
        then = now if _is_last_told(now, number) else conversation_at(vault, now, number) or now
        outcome, _ = outcome_of(vault, then, exchange, summariser)
        if not outcome.is_summarised:
            failure = outcome.failure
            if outcome.attempts < ATTEMPTS:
                break  # nobody answers: the others would wait in vain, too
            continue
        with edit.writer(vault):
            working_copy = WorkingCopy(vault)
            now = files.load(folder, working_copy.text, zone=vault.settings.timezone)
            allowed, dropped = late(outcome.diff, then.facts, now.facts)
            applied = apply_diff(now.facts, allowed)
            outcome = replace(outcome, applied=applied)
            entry = _entry(outcome, now.turns, is_long=False, amends=number, also=dropped)
            facts = truth.number_facts(applied.facts, now.turns, beside=now.held)
            after = replace(now, log=(*now.log, entry), facts=facts)
            what = f"turn {number} made up for"
            write_change(vault, working_copy, now, after, op="summarise", turn=now.turns, what=what)
        done += 1
    return Retried(done, failure)


def _is_last_told(now: Conversation, number: int) -> bool:
    """Whether no later turn has a summary: then base truth is still as this one finds it.

    Turns before it may have been made up for since, and it may speak of what they said.
    """
    return not any(
        turn > number and not entry.unsummarised
        for turn, entry in log.latest_entries(now.log).items()
    )


def route_of(vault: Vault, exchange: Exchange, *, has_cue: bool) -> Route:
    limits = session_settings(vault.settings.values)
    both = f"{exchange.user}\n\n{exchange.assistant}"
    return route(
        count_words(exchange.user),
        count_words(exchange.assistant),
        code_heavy=code_share(both) >= limits.code_share,
        has_cue=has_cue,
        short_words=limits.short_words,
        long_words=limits.long_words,
    )


def outcome_of(
    vault: Vault, before: Conversation, exchange: Exchange, summariser: Summariser | None
) -> tuple[Outcome, Route]:
    """What phase 2 makes of a turn, and how deeply it looked."""
    settings, limits = vault.settings, session_settings(vault.settings.values)
    made = model.plain_extractor(settings.extractor, zone=settings.timezone, categories=())
    rules = Rules(vault, made, now=exchange.at or vault.clock.now())
    # A model is asked about the turn anyway, and may understand what no rule does.
    worth = summariser is not None and says_something(exchange.user, least=1)
    way = route_of(vault, exchange, has_cue=worth or needs_diff(rules, exchange.user, before.facts))
    stem, words = Stems(settings.languages), (limits.user_words, limits.assistant_words)
    if summariser is not None:
        ask = summariser
        outcome = summarise(
            lambda: ask(before, exchange),
            before.facts,
            exchange.user,
            exchange.assistant,
            stem=stem,
            with_diff=way.extract_diff,
            user_words=words[0],
            assistant_words=words[1],
            least_said=limits.grounding,
            is_theirs=is_persons(before.writer),
            earlier=_said_last(before),
        )
        return outcome, way
    summary = rules.read(exchange.user, exchange.assistant, before.facts, words=words)
    said = "\n".join((exchange.user, exchange.assistant, *(fact.text for fact in before.facts)))
    outcome = carry_out_summary(
        summary,
        before.facts,
        said,
        own=own_words(exchange.user) if is_persons(before.writer) else "",
        stem=stem,
        with_diff=way.extract_diff,
        words=words,
        least_said=limits.grounding,
    )
    return outcome, way


def _said_last(before: Conversation) -> str:
    """What the last turn was about, in the words of the log; '' before the first one."""
    told = log.latest_entries(before.log)
    if not told:
        return ""
    entry = told[max(told)]
    return f"{entry.user}\n{entry.assistant}"


def with_summary(
    vault: Vault, now: Conversation, exchange: Exchange, outcome: Outcome, way: Route
) -> Conversation:
    """The session with a turn's summary in its log and its changes in base truth."""
    entry = _entry(outcome, exchange.turn, is_long=way.preserve_raw)
    facts = truth.number_facts(outcome.applied.facts, exchange.turn, beside=now.held)
    now = replace(now, log=(*now.log, entry), facts=facts)
    return _prune_when_due(vault, now, exchange.turn)


def _prune_when_due(vault: Vault, now: Conversation, turn: int) -> Conversation:
    """Base truth looked through, when it is time; by rule, which loses nothing."""
    limits = session_settings(vault.settings.values)
    # A quarter of the characters is near enough for when to look.
    tokens = sum(-(-len(fact.text) // 4) for fact in now.facts)
    every = limits.prune_every or 1 << 30
    if not is_due(turn, now.pruned, tokens=tokens, most_tokens=limits.truth_tokens, every=every):
        return now
    done = pruned_by_rule(now.facts, stem=Stems(vault.settings.languages))
    return replace(now, facts=done.facts, pruned=turn)


def _commit_summary(
    vault: Vault, before: Conversation, exchange: Exchange, outcome: Outcome, way: Route
) -> bool:
    """Phase 2 of a turn as its own commit; facts that a person changed meanwhile stay theirs.

    returns  whether base truth was looked through
    """

    def write() -> bool:
        with edit.writer(vault):
            working_copy = WorkingCopy(vault)
            now = files.load(before.folder, working_copy.text, zone=vault.settings.timezone)
            if exchange.turn in log.latest_entries(now.log):
                return False
            fitted = outcome
            if now.facts != before.facts:
                fitted = replace(outcome, applied=apply_diff(now.facts, outcome.diff))
            after = with_summary(vault, now, exchange, fitted, way)
            what = f"turn {exchange.turn} summarised"
            write_change(
                vault, working_copy, now, after, op="summarise", turn=exchange.turn, what=what
            )
            return after.pruned != now.pruned

    return vaults.retry_when_stale(write)


def _entry(
    outcome: Outcome,
    turn: int,
    *,
    is_long: bool,
    amends: int | None = None,
    also: Sequence[Warned] = (),
) -> Entry:
    return Entry(
        turn=turn,
        amends=amends,
        user=outcome.user,
        assistant=outcome.assistant,
        is_long=is_long,
        unsummarised="" if outcome.is_summarised else outcome.failure or "no summary came",
        warnings=tuple(f"{each.code}: {each.entry}"[:200] for each in (*outcome.warnings, *also)),
    )
