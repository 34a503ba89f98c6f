"""consolidate, rules, profile."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import click

from vaultmem import learn
from vaultmem.base import TYPE_CHECKING
from vaultmem.cli.note_lines import SHORT_COMMIT, moment, one_line
from vaultmem.cli.open_vault import open_memory
from vaultmem.cli.options import Shared, shown_progress, with_shared
from vaultmem.language import format_date

if TYPE_CHECKING:
    from vaultmem.model import (
        Consolidated,
        Evidence,
        LearnedRule,
        LearningHistory,
        Problem,
        Profile,
        RuleList,
        RuleProposals,
    )

_SHOWN = 40
_BARS = "▁▂▃▄▅▆▇█"
_COLUMNS = 24
_QUOTES = 3
_MARKS = {"contradicted": "-", "ended": "x"} | {
    "created": "+",
    "revived": "+",
    "reinforced": "=",
    "weakened": "-",
    "pruned": "x",
}
_CATEGORIES = ("preference", "decision", "correction", "convention", "workflow")


@click.command("consolidate")
@click.option("--dry-run", is_flag=True, help="Only say what would be learned.")
@click.option("--history", is_flag=True, help="Say what was learned of late; learn nothing.")
@click.option(
    "--days", type=click.IntRange(0), metavar="N", help="How far back; 0: all. With --history."
)
@with_shared
def consolidate_command(shared: Shared, dry_run: bool, history: bool, days: int | None) -> int:
    """Learn rules and facts from what is kept.

    What you said in two conversations or more becomes a rule, with your words as its evidence; what
    you say again makes it surer, what you correct weakens it. Of new events, from five on, what
    comes back becomes a fact; what another note contradicts is believed less. One commit, which
    `vaultmem undo` takes back. No model is asked.

    \b
    vaultmem consolidate --dry-run
    vaultmem consolidate
    vaultmem consolidate --history --days 30
    """
    if (dry_run and history) or (days is not None and not history):
        raise click.UsageError("--days goes with --history, and --history with no other option")
    if history:
        with open_memory(shared.vault) as memory:
            told, zone = memory.learn.history(days=days), memory.settings.timezone
        return shared.say(told, history_lines(told, zone), zone)
    with open_memory(shared.vault) as memory, shown_progress() as progress:
        done = memory.learn.consolidate(dry_run=dry_run, progress=progress)
        zone = memory.settings.timezone
    return shared.say(done, consolidated_lines(done), zone)


@click.command("rules")
@click.argument("words", nargs=-1)
@click.option("--why", metavar="RULE", help="The words that one was learned from, with dates.")
@click.option("--category", type=click.Choice(_CATEGORIES), help="Only rules of one category.")
@click.option("--candidates", is_flag=True, help="What was said, but not often enough yet.")
@click.option(
    "--propose", is_flag=True, help="Ask your language model what it finds; keep nothing."
)
@with_shared
def rules_command(
    shared: Shared,
    words: tuple[str, ...],
    why: str | None,
    category: str | None,
    candidates: bool,
    propose: bool,
) -> int:
    """List what was learned from conversations, and why.

    The number before each is how sure it is now: it grows by a tenth with each conversation that
    says so, and loses a hundredth with each day that none does.

    \b
    vaultmem rules
    vaultmem rules milk --category preference
    vaultmem rules --why i-7f3a2kq9xw
    vaultmem rules --propose
    """
    if why is not None and (words or category or candidates):
        raise click.UsageError("--why is about one rule: give no words and no other option with it")
    if propose and (words or category or candidates or why is not None):
        raise click.UsageError("--propose takes no words and no other option")
    with open_memory(shared.vault) as memory:
        zone = memory.settings.timezone
        if propose:
            asked = memory.learn.propose()
            return shared.say(asked, proposed_lines(asked, zone), zone)
        if why is not None:
            rule = memory.learn.why(why)
            per_day = float(str(memory.settings.values["consolidation.decay_per_day"]))
            return shared.say(rule, why_lines(rule, zone, per_day), zone)
        found = memory.learn.rules(" ".join(words), category=category or "", candidates=candidates)
    return shared.say(found, rules_lines(found, zone, candidates=candidates), zone)


def history_lines(told: LearningHistory, zone: str) -> Iterator[str]:
    """The runs, newest first, with what each changed."""
    for run in told.runs:
        yield f"{moment(run.at, zone)}  {run.commit[:SHORT_COMMIT]}  from {run.looked_at}"
        yield from (f"    {one_line(change, 100)}" for change in run.changes[:_SHOWN])
    since = f"in {_pluralise(told.days, 'day')}" if told.days else "in all"
    counts = ", ".join(f"{count} {word}" for word, count in told.counts) or "nothing learned"
    yield f"{counts}, in {_pluralise(len(told.runs), 'run')} {since}"
    if told.left_out:
        yield f"{_pluralise(told.left_out, 'earlier run')} not told ('consolidation.history_runs')"


def consolidated_lines(done: Consolidated) -> Iterator[str]:
    """What was learned, and what was not."""
    talks = _pluralise(done.conversations, "conversation")
    commit = f" (commit {done.commit[:SHORT_COMMIT]})" if done.commit else ""
    if not (done.changes or done.facts or done.events):
        yield f"nothing new in {talks}"
    else:
        verb = "would change" if done.dry_run else "changed"
        what = [_pluralise(len(done.changes), "rule")] if done.changes or not done.facts else []
        what += [_pluralise(len(done.facts), "fact")] if done.facts else []
        yield f"{verb} {' and '.join(what)}, from {talks}{commit}"
    for change in done.changes[:_SHOWN]:
        yield f"{_MARKS[change.what]} {one_line(change.statement, 90)}"
        worth = f"{change.confidence:.2f}"
        if change.what != "created":
            worth = f"{change.before:.2f} -> {worth}"
        yield f"    {change.what} · {change.category} · {worth} · {change.id}"
        yield from (f'    "{one_line(quote, 90)}"' for quote in change.quotes)
    if len(done.changes) > _SHOWN:
        yield f"  and {len(done.changes) - _SHOWN} more"
    yield from fact_lines(done)
    for path in done.unreadable:
        yield f"! the keys of {path} cannot be read as a rule, so it stays as it is"
    yield from problem_lines(done.problems)
    if done.candidates:
        yield f"said, but not often enough yet: {done.candidates} (`vaultmem rules --candidates`)"


def problem_lines(problems: Iterable[Problem]) -> Iterator[str]:
    """What only the person can change."""
    for problem in problems:
        yield f"! {problem.path} stays as it is: {problem.message}"


def fact_lines(done: Consolidated) -> Iterator[str]:
    """What events and contradictions made of facts."""
    for fact in done.facts[:_SHOWN]:
        yield f"{_MARKS[fact.what]} {one_line(fact.statement, 90)}"
        worth = f"{fact.confidence:.2f}"
        if fact.what != "created":
            worth = f"{fact.before:.2f} -> {worth}"
        yield f"    {fact.what} · fact · {worth} · {fact.id}"
        yield from (f'    "{one_line(quote, 90)}"' for quote in fact.quotes[:_QUOTES])
    if len(done.facts) > _SHOWN:
        yield f"  and {len(done.facts) - _SHOWN} more"
    if done.events:
        events = _pluralise(done.events, "new event")
        yield f"looked through {events} about {_pluralise(done.topics, 'topic')}"
    elif done.waiting:
        events = _pluralise(done.waiting, "new event")
        yield f"{events}: too few to be looked through yet ('consolidation.min_episodes')"


def rules_lines(found: RuleList, zone: str, *, candidates: bool) -> Iterator[str]:
    """One line a rule, the surest first."""
    if not found.rules:
        what = "no rule waits to be heard again" if candidates else "no rule was learned yet"
        yield f"{what}, in {_pluralise(found.conversations, 'conversation')}"
        return
    for rule in found.rules:
        if candidates:
            yield f"{one_line(rule.statement, 90)}"
            seen = _pluralise(rule.sessions, "conversation")
            yield f"    {rule.category} · {rule.status} · {seen}{_last(rule, zone)}"
            continue
        mark = " (does not fade)" if rule.is_exempt else ""
        yield f"{rule.confidence:.2f}  {one_line(rule.statement, 90)}{mark}"
        gone = "gone wrong" if rule.effectiveness is not None else "against"
        against = f", {rule.against} {gone}" if rule.against else ""
        seen = f"{_pluralise(rule.sessions, 'conversation')}{against}"
        yield f"      {rule.category} · {seen}{_outcome(rule)}{_last(rule, zone)} · {rule.id}"
    counts = ", ".join(f"{count} {name}" for name, count in found.counts)
    yield f"{counts}; from {_pluralise(found.conversations, 'conversation')}"
    if found.preferences:
        share = found.holding / found.preferences
        yield f"learned preferences that hold: {found.holding} of {found.preferences} ({share:.0%})"


def proposed_lines(found: RuleProposals, zone: str) -> Iterator[str]:
    """What the model proposes, with the words it rests on."""
    for rule in found.rules:
        yield one_line(rule.statement, 90)
        yield f"    {rule.category} · proposed · {_pluralise(rule.sessions, 'conversation')}"
        for seen in rule.evidence:
            yield f'    {_when(seen, zone)}  "{one_line(seen.quote, 90)}"'
    for each in found.rejected:
        yield f"- refused: {one_line(each.text, 80)} ({each.rule})"
    if found.rules:
        yield "nothing was kept: `vaultmem remember --kind rule` keeps what is right"
    else:
        yield f"nothing proposed, from {_pluralise(found.turns, 'turn')} of yours"


def why_lines(rule: LearnedRule, zone: str, per_day: float) -> Iterator[str]:
    """A rule, its evidence by date, and its confidence over time."""
    yield f"{rule.confidence:.2f}  {one_line(rule.statement, 200)}"
    yield f"      {rule.category} · {rule.status} · {rule.path}"
    fades = not rule.is_exempt
    values = learn.trend(rule.trajectory, _COLUMNS, per_day=per_day, fades=fades)
    if values:
        first, last = rule.trajectory[0], rule.trajectory[-1]
        spark = "".join(_BARS[min(int(value * len(_BARS)), len(_BARS) - 1)] for value in values)
        since, until = format_date(first.at, zone), format_date(last.at, zone)
        yield f"      {since} {spark} {until}"
    for seen in rule.evidence:
        yield f"{'-' if seen.is_against else '+'} {_when(seen, zone)}  {_words(seen)}"
        if seen.path is not None:
            yield f"      {seen.path}"


def _when(seen: Evidence, zone: str) -> str:
    return "(no date) " if seen.at is None else format_date(seen.at, zone)


def _words(seen: Evidence) -> str:
    if seen.path is None:
        return "(the conversation is not in the vault any more)"
    return f'"{one_line(seen.quote, 200)}"' if seen.quote else "(reads otherwise today)"


def _outcome(rule: LearnedRule) -> str:
    return "" if rule.effectiveness is None else f" · goes well {rule.effectiveness:.0%}"


def _last(rule: LearnedRule, zone: str) -> str:
    return "" if rule.last_reinforced is None else f" · {format_date(rule.last_reinforced, zone)}"


def _pluralise(number: int, noun: str) -> str:
    return f"{number} {noun if number == 1 else noun + 's'}"


@click.command("profile")
@click.option("--dry-run", is_flag=True, help="Only print it; write nothing.")
@with_shared
def profile_command(shared: Shared, dry_run: bool) -> int:
    """Show who you are to the vault, and which notes say so.

    Made anew from your notes and conversations each time, and kept in categories/profile.md, in one
    commit where something changed. What nothing says is unknown. To change it, change those notes.

    \b
    vaultmem profile --dry-run
    vaultmem profile
    """
    with open_memory(shared.vault) as memory, shown_progress() as progress:
        found = memory.learn.profile(dry_run=dry_run, progress=progress)
        zone = memory.settings.timezone
    return shared.say(found, profile_lines(found), zone)


def profile_lines(found: Profile) -> Iterator[str]:
    """One line a value, with the notes that it is from."""
    for entry in found.fields:
        name = entry.field.replace("_", " ")
        if not entry.values:
            yield f"{name:<18} unknown"
        for value in entry.values:
            yield f"{name:<18} {one_line(value.value, 90)}"
            yield from (f"{'':<18}   from {source}" for source in value.sources[:3])
            name = ""
    if found.commit:
        yield f"written to {found.path} (commit {found.commit[:SHORT_COMMIT]})"
    elif found.dry_run and found.changed:
        yield f"would be written to {found.path}"
