"""Learn rules from the conversations of the vault: look, then one commit.

All conversations are looked at each time, and each counts once for a rule, since the rule's note
names those that counted: so it does not matter when or how often this runs, on which device, or
whether a run was killed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from vaultmem import edit, history, language, model
from vaultmem import vault as vaults
from vaultmem.base import TYPE_CHECKING, replace
from vaultmem.config import LearningSettings, learning_settings
from vaultmem.learn.conversations import (
    CATEGORIES,
    Conversation,
    conversations,
    number_of,
    wholes_of,
)
from vaultmem.learn.events import condense, doubt
from vaultmem.learn.patterns import all_sightings
from vaultmem.learn.rule_notes import changed_keys, new_item, rule_items, rule_of, with_source
from vaultmem.learn.rules import Change, Knobs, Learned, Rule, learn, worth
from vaultmem.model import (
    LIMITED,
    Consolidated,
    FactChange,
    Plan,
    RuleChange,
    join_nonempty,
    pluralise,
    shorten,
    subject,
    trust_trailers,
)
from vaultmem.vault import NOT_UPDATED, Listings, WorkingCopy

if TYPE_CHECKING:
    from vaultmem.model import Item, Progress
    from vaultmem.storage.index import Past
    from vaultmem.vault import Vault

OP = "consolidate"
_MOST_QUOTES = 3
_WORDS = {"created": "learned", "reinforced": "confirmed", "weakened": "weakened"}
_WORDS |= {"pruned": "put away", "revived": "learned again"}
_WORDS |= {"contradicted": "contradicted", "ended": "ended"}


def consolidate(
    vault: Vault, *, dry_run: bool = False, progress: Progress | None = None
) -> Consolidated:
    """Learn from what is new in the conversations; one commit, or none when nothing changes."""
    report, commit = edit.write_plan(
        vault, lambda: plan_consolidation(vault, progress), dry_run=dry_run
    )
    return replace(report, dry_run=dry_run, commit=commit)


def plan_consolidation(
    vault: Vault, progress: Progress | None = None
) -> tuple[Consolidated, Plan | None]:
    """What a run would change, and the plan of it; None: nothing."""
    now = vault.clock.now()
    talks = conversations(vault, progress=progress)
    items = rule_items(vault)
    broken = {id_ for id_, item in items.items() if rule_of(item, now=now) is None}
    learned = learned_from(vault, talks, items, now=now)
    # A rule whose note cannot be read as one is not made anew: its note has that id already.
    changes = [c for c in _merge_changes(learned.changes) if c.rule.id not in broken]
    listings = Listings(vault, WorkingCopy(vault))
    levels = _put(listings, changes, talks, items, now=now)
    left = {problem.path for problem in listings.problems if problem.code == NOT_UPDATED}
    # A note that a person alone can change (`Listings.could_patch`) was left: not told as done.
    changes = [c for c in changes if c.rule.id not in items or items[c.rule.id].path not in left]
    doubted = doubt(vault, listings, now=now)
    seen = {sighting.quote for pattern in learned.patterns for sighting in pattern.sightings}
    found = condense(vault, listings, talks, now=now, rules=frozenset(seen))
    report = Consolidated(
        conversations=number_of(talks),
        changes=tuple(_rule_change(vault, change, items, now=now) for change in changes),
        candidates=len(learned.candidates),
        rules=len(learned.rules),
        facts=(*found.changes, *doubted),
        events=len(found.marked),
        topics=found.topics,
        waiting=found.waiting,
        unreadable=tuple(items[id_].path for id_ in sorted(broken)),
        problems=tuple(listings.problems),
    )
    plan = _plan(listings, report, changes, {**levels, **found.levels})
    return (report, None) if plan is None else (replace(report, subject=plan.subject), plan)


def learned_from(
    vault: Vault, talks: Sequence[Conversation], items: Mapping[str, Item], *, now: int
) -> Learned:
    """The run itself, on what is in the files."""
    sessions = [talk.session for talk in talks]
    rules = [rule for item in items.values() if (rule := rule_of(item, now=now)) is not None]
    found = learn(
        rules,
        sessions,
        all_sightings(sessions, naming_share=settings_of(vault).consolidation_naming_share),
        now=now,
        knobs=knobs_of(vault),
    )
    return _without_forgotten(vault, found, items, wholes_of(sessions))


def knobs_of(vault: Vault) -> Knobs:
    """The settings of learning as the run takes them."""
    return knobs_from(settings_of(vault))


def knobs_from(settings: LearningSettings) -> Knobs:
    """What a run takes of the settings of learning."""
    shares = dict.fromkeys(CATEGORIES, settings.consolidation_preference_denominator)
    shares["correction"] = settings.consolidation_correction_denominator
    shares["workflow"] = settings.consolidation_tool_denominator
    return Knobs(
        least_sessions=settings.consolidation_min_observations,
        decay_per_day=settings.consolidation_decay_per_day,
        prune_below=settings.consolidation_prune_threshold,
        most_rules=settings.consolidation_max_rules,
        most_confidence=settings.consolidation_confidence_cap_new,
        per_session=settings.consolidation_reinforcement,
        per_contradiction=settings.consolidation_contradiction_penalty,
        shares=shares,
        ngram_sizes=settings.consolidation_ngram_sizes,
        alike_from=settings.consolidation_similarity,
        least_uses=settings.procedures_min_uses,
        least_chance=settings.procedures_drop_below,
    )


def settings_of(vault: Vault) -> LearningSettings:
    """The settings of learning that hold for the vault."""
    return learning_settings(vault.settings.values)


def _without_forgotten(
    vault: Vault, found: Learned, items: Mapping[str, Item], wholes: Mapping[str, str]
) -> Learned:
    """Without rules that were there once and were taken out: a person forgot them on purpose.

    They come back when enough conversations say so that were held since.
    """
    new = [change for change in found.changes if change.what == "created"]
    if not new or vault.history.head() is None:
        return found

    known = history.versions.level(vault)
    gone: dict[str, int] = {}
    for change in new:
        versions = known.versions(id=change.rule.id)
        if versions and change.rule.id not in items:
            ended = versions[-1].superseded_at_ms
            gone[change.rule.id] = ended if ended is not None else versions[-1].recorded_at_ms
    gone = _taken_back(vault, known, new) | gone
    least = knobs_of(vault).least_sessions

    def is_back(change: Change) -> bool:
        later = {
            wholes.get(seen.session, seen.session)
            for seen in change.evidence
            if seen.at is not None and seen.at > gone[change.rule.id]
        }
        return len(later) >= least

    dropped = {c.rule.id for c in new if c.rule.id in gone and not is_back(c)}
    return replace(
        found,
        changes=tuple(c for c in found.changes if c.rule.id not in dropped),
        rules=tuple(r for r in found.rules if r.id not in dropped),
    )


def _taken_back(vault: Vault, known: Past, new: Sequence[Change]) -> dict[str, int]:
    """When the person took back the item that has the very words of a new rule (by its id).

    What is said once is an item, and what is said again a rule as well: who retracts or forgets
    the item means what it says.
    """
    # A wish that was retracted or forgotten came back at the next run as a rule, fully sure, from
    # the conversations in which it had been said before.
    ended: dict[str, int] = {}
    for version in known.items_since(None):
        said = language.canonical(version.statement)
        if version.status == "retracted":
            ended[said] = max(ended.get(said, 0), version.recorded_at_ms)
        elif version.is_gone and version.superseded_at_ms is not None:
            ended[said] = max(ended.get(said, 0), version.superseded_at_ms)
    found: dict[str, int] = {}
    for change in new:
        words = {language.canonical(seen.quote) for seen in change.evidence}
        ids = {
            id_ for said in words & ended.keys() for id_ in vault.index.items_with_statement(said)
        }
        there = {item.status for item in vaults.load_items(vault, sorted(ids)).values()}
        if words & ended.keys() and "active" not in there:
            found[change.rule.id] = max(ended[said] for said in words & ended.keys())
    return found


def _merge_changes(changes: Sequence[Change]) -> tuple[Change, ...]:
    """One change a rule: the last state, under the name of the first thing that happened to it."""
    merged: dict[str, Change] = {}
    for change in changes:
        before = merged.get(change.rule.id)
        if before is None:
            merged[change.rule.id] = change
            continue
        what = "pruned" if change.what == "pruned" else before.what
        merged[change.rule.id] = replace(before, what=what, rule=change.rule)
    return tuple(
        change
        for change in merged.values()
        if not (change.what == "pruned" and change.before == 0.0)  # learned and dropped at once
    )


def _put(
    listings: Listings,
    changes: Sequence[Change],
    talks: Sequence[Conversation],
    items: Mapping[str, Item],
    *,
    now: int,
) -> dict[str, str]:
    """The rules as they are now, and the trust of new ones that is not the person's."""
    zone = listings.vault.settings.timezone
    paths = {talk.session.id: talk.path for talk in talks}
    levels: dict[str, str] = {}
    for change in changes:
        rule = change.rule
        sources = [paths[session] for session in rule.sessions if session in paths]
        item = items.get(rule.id)
        if item is None:
            names = [path.stem for path in sources]
            item = new_item(change, sources=names, now=now, zone=zone)
            listings.add_note(item)
            if item.trust == LIMITED:
                levels[item.id] = LIMITED
        else:
            merged = with_source(item, sources)
            renewed = merged if merged != item.source else None
            keys = dict(changed_keys(rule, zone=zone, sources=renewed))
            elsewhere = [each.projects for each in change.evidence]
            elsewhere = [each for each in elsewhere if model.are_apart(each, item.projects)]
            if elsewhere:  # said in a second repository, it holds in both
                more = (name for each in elsewhere for name in each)
                keys["project"] = (*item.projects, *dict.fromkeys(more))
            listings.could_patch(item, keys)
    return levels


def _plan(
    listings: Listings, report: Consolidated, changes: Sequence[Change], levels: Mapping[str, str]
) -> Plan | None:
    """What is in the listings as one commit; None: nothing is."""
    steps = listings.working_copy.step()
    if not steps:
        return None
    ids = [*(change.rule.id for change in changes), *(fact.id for fact in report.facts)]
    run = pluralise(report.conversations, "conversation")
    if report.events:
        run += (
            f", {pluralise(report.events, 'new event')} about {pluralise(report.topics, 'topic')}"
        )
    lines = [*map(_line, changes), *map(_fact_line, report.facts)]
    return Plan(
        op=OP,
        actor="maintenance",
        subject=_subject(report),
        changes=steps,
        trailers=(
            ("Vaultmem-Items", ", ".join(dict.fromkeys(ids))),
            ("Vaultmem-Run", run),
            *trust_trailers(levels),
        ),
        details="\n".join(lines),
    )


def _subject(report: Consolidated) -> str:
    told: list[RuleChange | FactChange] = [*report.changes, *report.facts]
    if not told:
        return subject(OP, f"{pluralise(report.events, 'event')} looked through, nothing new")
    counts = [f"{sum(each.what == what for each in told)} {word}" for what, word in _WORDS.items()]
    extra = join_nonempty([count for count in counts if not count.startswith("0 ")])
    return subject(OP, told[0].statement, extra=extra)


def _line(change: Change) -> str:
    said = f"{change.before:.2f} -> {change.rule.confidence:.2f}"
    return f"- {_WORDS[change.what]} ({said}): {shorten(change.rule.statement, 60)}"


def _fact_line(fact: FactChange) -> str:
    said = f"{fact.before:.2f} -> {fact.confidence:.2f}"
    return f"- {_WORDS[fact.what]} ({said}): {shorten(fact.statement, 60)}"


def _rule_change(
    vault: Vault, change: Change, items: Mapping[str, Item], *, now: int
) -> RuleChange:
    rule, item = change.rule, items.get(change.rule.id)
    if item is None:
        item = new_item(change, sources=(), now=now, zone=vault.settings.timezone)
    quotes = dict.fromkeys(seen.quote for seen in change.evidence)
    return RuleChange(
        what=change.what,
        id=item.id,
        path=item.path,
        category=rule.category,
        statement=item.statement,
        before=round(change.before, 4),
        confidence=round(_worth(rule, now, vault), 4),
        quotes=tuple(quotes)[:_MOST_QUOTES],
    )


def _worth(rule: Rule, now: int, vault: Vault) -> float:
    return worth(rule, now, per_day=knobs_of(vault).decay_per_day)
