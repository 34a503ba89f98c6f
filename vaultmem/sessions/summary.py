"""Phase 2 of a turn: its summary, what it changes in base truth, and what failed before."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePosixPath

from vaultmem import edit, model
from vaultmem import vault as vaults
from vaultmem.base import TYPE_CHECKING, NamedTuple, VaultmemError, replace
from vaultmem.config import session_settings
from vaultmem.judgement import own_words
from vaultmem.language import Stems
from vaultmem.model import Exchange, Summarised, Unsummarised
from vaultmem.sessions import files, truth
from vaultmem.sessions import turn_log as log
from vaultmem.sessions.files import Conversation
from vaultmem.sessions.steps import Summariser, current, write_change
from vaultmem.sessions.summarise import ATTEMPTS, AskedModel, Outcome, carry_out_summary, summarise
from vaultmem.sessions.summarise_by_rules import (
    Rules,
    is_due,
    needs_diff,
    prune_facts,
    pruned_by_rule,
    says_something,
)
from vaultmem.sessions.truth import Warned, apply_diff, late
from vaultmem.sessions.turn_log import Entry
from vaultmem.sessions.turn_size import Route, code_share, count_words, route
from vaultmem.vault import WorkingCopy, is_persons

if TYPE_CHECKING:
    from vaultmem.vault import Vault

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
