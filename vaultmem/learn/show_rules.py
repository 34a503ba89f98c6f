"""Show what was learned: rules with what they are worth now, candidates, and why one is held."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256

from vaultmem import edit, model
from vaultmem import vault as vaults
from vaultmem.base import TYPE_CHECKING, BadInputError, UnknownNoteError, replace
from vaultmem.config import learning_settings
from vaultmem.history import undone_by
from vaultmem.language import DAY_MS
from vaultmem.learn import confidence as sure
from vaultmem.learn.consolidate import knobs_of, learned_from, settings_of
from vaultmem.learn.conversations import (
    CATEGORIES,
    Conversation,
    Pattern,
    Sighting,
    conversations,
    number_of,
    once_each,
    wholes_of,
)
from vaultmem.learn.rule_notes import rule_items, rule_of
from vaultmem.learn.rules import Learned, Rule, contradicts, effectiveness, is_rule_of, worth
from vaultmem.model import (
    Evidence,
    Item,
    Judged,
    LearnedRule,
    LearningHistory,
    LearningRun,
    Oid,
    Plan,
    RuleList,
    RulePoint,
    Write,
)
from vaultmem.recall import (
    MOST_BYTES,
    ScorerEvent,
    parse_events,
    read_events,
    render_events,
    served,
)
from vaultmem.storage import notes
from vaultmem.storage.files import SCORER
from vaultmem.vault import find_note, level

if TYPE_CHECKING:
    from vaultmem.recall import Served
    from vaultmem.storage.git import LogEntry
    from vaultmem.vault import Vault

_STATUSES = {True: "active", False: "archived"}


def rules(
    vault: Vault, *, category: str = "", words: str = "", candidates: bool = False
) -> RuleList:
    """The rules, the surest first.

    category    only those of one of `CATEGORIES`; raises BadInputError for another word
    words       only those whose statement, value or scope holds all of these
    candidates  what was seen, but not often enough, instead
    """
    if category and category not in CATEGORIES:
        raise BadInputError(
            f"'{category}' is no category of rules", hint=f"one of: {', '.join(CATEGORIES)}"
        )
    return level.reading(vault, lambda: _list_rules(vault, category, words, candidates))


def why(vault: Vault, ref: str) -> LearnedRule:
    """A rule with its evidence and how sure it was over time; raises UnknownNoteError."""
    return level.reading(vault, lambda: _explain_rule(vault, ref))


def rules_with_evidence(vault: Vault, *, limit: int) -> tuple[LearnedRule, ...]:
    """The surest rules with the words for and against each; conversations are read once for all."""
    return level.reading(vault, lambda: _rules_with_evidence(vault, limit))


def _rules_with_evidence(vault: Vault, limit: int) -> tuple[LearnedRule, ...]:
    now = vault.clock.now()
    items = rule_items(vault)
    known = [(item, rule) for item in items.values() if (rule := rule_of(item, now=now))]
    found = [
        (_learned_rule(vault, item, rule, now), rule) for item, rule in known if rule.is_active
    ]
    if not found:
        return ()
    found.sort(key=lambda pair: (-pair[0].confidence, -pair[0].sessions, pair[0].id))
    talks = conversations(vault)
    learned = learned_from(vault, talks, items, now=now)
    by_id = {talk.session.id: talk for talk in talks}
    alike_from = knobs_of(vault).alike_from
    return tuple(
        replace(told, evidence=tuple(_evidence(rule, learned, by_id, alike_from)))
        for told, rule in found[:limit]
    )


def _list_rules(vault: Vault, category: str, words: str, candidates: bool) -> RuleList:
    now = vault.clock.now()
    items = rule_items(vault)
    talks = conversations(vault)
    if candidates:
        seen = learned_from(vault, talks, items, now=now)
        wholes = wholes_of(talk.session for talk in talks)
        found = [_candidate(pattern, wholes) for pattern in seen.candidates]
    else:
        found = [
            _learned_rule(vault, item, rule, now)
            for item in items.values()
            if (rule := rule_of(item, now=now)) is not None and rule.is_active
        ]
    wanted = words.casefold().split()
    chosen = [
        rule
        for rule in found
        if category in ("", rule.category)
        and all(word in f"{rule.statement} {rule.scope}".casefold() for word in wanted)
    ]
    counts = Counter(rule.category for rule in chosen)
    known = (rule_of(item, now=now) for item in items.values())
    learned = [rule for rule in known if rule is not None and rule.category == "preference"]
    hold = [rule for rule in learned if rule.is_active and len(rule.against) <= len(rule.sessions)]
    return RuleList(
        rules=tuple(sorted(chosen, key=lambda r: (-r.confidence, -r.sessions, r.statement, r.id))),
        counts=tuple((name, counts[name]) for name in CATEGORIES if counts[name]),
        conversations=number_of(talks),
        preferences=len(learned),
        holding=len(hold),
    )


def _learned_rule(vault: Vault, item: Item, rule: Rule, now: int) -> LearnedRule:
    return LearnedRule(
        id=item.id,
        path=item.path,
        category=rule.category,
        statement=item.statement,
        polarity=rule.polarity,
        scope=rule.scope,
        confidence=round(worth(rule, now, per_day=knobs_of(vault).decay_per_day), 4),
        status=_STATUSES[rule.is_active],
        sessions=len(rule.sessions),
        against=len(rule.against),
        last_reinforced=rule.last_reinforced,
        is_exempt=rule.is_exempt,
        trigger=rule.trigger,
        effectiveness=_effectiveness(vault, rule),
    )


def _effectiveness(vault: Vault, rule: Rule) -> float | None:
    """How a procedure goes, by the conversations in which it went well and in which it did not."""
    if not rule.ngram:
        return None
    untried = settings_of(vault).procedures_effectiveness
    return round(effectiveness(len(rule.sessions), len(rule.against), untried=untried), 4)


def _candidate(pattern: Pattern, wholes: Mapping[str, str]) -> LearnedRule:
    seen = pattern.sightings
    return LearnedRule(
        id="",
        path=None,
        category=pattern.category,
        statement=pattern.statement,
        polarity=pattern.polarity,
        scope=pattern.scope,
        confidence=0.0,
        status="superseded" if pattern.superseded else "candidate",
        sessions=len(once_each(pattern.sessions, wholes)),
        against=0,
        last_reinforced=max((s.at for s in seen if s.at is not None), default=None),
        evidence=tuple(
            Evidence(session=s.session, path=None, at=s.at, quote=s.quote) for s in seen
        ),
    )


def _explain_rule(vault: Vault, ref: str) -> LearnedRule:
    now = vault.clock.now()
    row = find_note(vault, ref)
    items = rule_items(vault)
    item = items.get(row.id)
    rule = rule_of(item, now=now) if item is not None else None
    if item is None or rule is None:
        raise UnknownNoteError(
            f"'{ref}' is no learned rule", hint="`vaultmem rules --json` lists them with their ids"
        )
    talks = conversations(vault)
    learned = learned_from(vault, talks, items, now=now)
    by_id = {talk.session.id: talk for talk in talks}
    told = _learned_rule(vault, item, rule, now)
    return replace(
        told,
        evidence=tuple(_evidence(rule, learned, by_id, knobs_of(vault).alike_from)),
        trajectory=_trajectory(vault, item, told.confidence, now),
    )


def _evidence(
    rule: Rule, learned: Learned, talks: Mapping[str, Conversation], alike_from: float
) -> Iterator[Evidence]:
    """The words for and against, by date; of a conversation that is gone, that it counted."""
    own = [p for p in learned.patterns if is_rule_of(rule, p, alike_from=alike_from)]
    for_it = _first_of({s.session: s for p in own for s in reversed(p.sightings)}, rule.sessions)
    others = [
        seen
        for pattern in learned.patterns
        for seen in pattern.sightings
        if seen.session in rule.against and contradicts(seen, rule)
    ]
    against = _first_of({s.session: s for s in reversed(others)}, rule.against)
    found = [
        _quote_evidence(session, seen, talks, is_against=is_against)
        for listed, is_against in ((for_it, False), (against, True))
        for session, seen in listed
    ]
    yield from sorted(found, key=lambda each: (each.at or 0, each.session, each.is_against))


def _first_of(
    seen: Mapping[str, Sighting], sessions: Iterable[str]
) -> Sequence[tuple[str, Sighting | None]]:
    return [(session, seen.get(session)) for session in sessions]


def _quote_evidence(
    session: str, seen: Sighting | None, talks: Mapping[str, Conversation], *, is_against: bool
) -> Evidence:
    talk = talks.get(session)
    return Evidence(
        session=session,
        path=talk.path if talk else None,
        at=talk.session.at if talk else None,
        quote=seen.quote if seen else "",
        is_against=is_against,
    )


def _trajectory(vault: Vault, item: Item, confidence: float, now: int) -> tuple[RulePoint, ...]:
    """What it was worth when its note was written, and what it is worth now."""
    from vaultmem.history import versions as past  # saves 1 module

    points: dict[int, float] = {}
    if vault.history.head() is not None:
        versions = past.level(vault).versions(id=item.id)
        texts = dict(vault.history.blobs({Oid(version.oid) for version in versions}))
        for version in versions:
            data = texts.get(version.oid)
            record = notes.decode(version.path, data or b"", Oid(version.oid)).record
            if isinstance(record, Item) and record.confidence is not None:
                points[record.confidence_at or version.recorded_at_ms] = record.confidence
    points[now] = confidence
    return tuple(RulePoint(at=at, confidence=value) for at, value in sorted(points.items()))


def trend(points: Sequence[RulePoint], columns: int, *, per_day: float, fades: bool) -> list[float]:
    """The confidence at equal steps of time, from the first point to the last; () for none."""
    if not points:
        return []
    first, last = points[0].at, points[-1].at
    values = []
    for step in range(columns):
        at = first + (last - first) * step / max(columns - 1, 1)
        held = [point for point in points if point.at <= at][-1]
        days = sure.days_between(held.at, int(at))
        values.append(sure.effective(held.confidence, days, per_day=per_day, evergreen=not fades))
    return values


# What runs of learning did, read from their commits: there is no second record of it.

OP = "consolidate"
_MOST = 100_000
_CHANGE = re.compile(r"^- ((\w[\w ]*?) \([\d.]+ -> [\d.]+\): .+)$", re.MULTILINE)


def history(vault: Vault, *, days: int | None = None) -> LearningHistory:
    """The runs that changed something and were not taken back, the newest first.

    days  how far back; 0: all there are; None: as `consolidation.report_days` says
    """
    settings = learning_settings(vault.settings.values)
    covered = settings.consolidation_report_days if days is None else days
    since = vault.clock.now() - covered * DAY_MS if covered else None
    undone = undone_by(vault.history.log(limit=_MOST, op="undo"))
    entries = [
        entry
        for entry in vault.history.log(limit=_MOST, op=OP)
        if entry.commit not in undone and (since is None or entry.at_ms >= since)
    ]
    told = entries[: settings.consolidation_history_runs]
    runs = tuple(_run(entry) for entry in told)
    words = Counter(
        found[2] for run in runs for line in run.changes if (found := _CHANGE.match(f"- {line}"))
    )
    return LearningHistory(
        runs=runs,
        counts=tuple(sorted(words.items())),
        days=covered,
        left_out=len(entries) - len(told),
    )


def _run(entry: LogEntry) -> LearningRun:
    return LearningRun(
        at=entry.at_ms,
        commit=entry.commit,
        subject=entry.subject,
        looked_at=entry.trailers.get("Vaultmem-Run", ""),
        changes=tuple(found[1] for found in _CHANGE.finditer(entry.body)),
    )


_FORGOTTEN = 20  # half-lives after which a judgement counts for a millionth
_ID_LETTERS = 12


def judge(vault: Vault, ref: str, *, accepted: bool) -> Judged:
    """Keep what somebody says of a hit, in one commit.

    ref     place in the last answer (1 is the best), or the id of a note that was answered
    raises  BadInputError for what this device did not answer, or answered without weights
    """
    answer, note, credit = _find_served(vault, ref)
    if not credit:
        raise BadInputError(
            f"the preset '{answer.preset}' has no weights that could learn from this",
            hint="ask with --preset park, smriti, kautilya or balanced, and judge that answer",
        )
    seed = f"{vault.settings.state.name}\0{answer.at}\0{note}"
    event = ScorerEvent(
        id=f"f-{sha256(seed.encode()).hexdigest()[:_ID_LETTERS]}",
        at=vault.clock.now(),
        preset=answer.preset,
        accepted=accepted,
        credit=credit,
    )
    commit = _keep_event(vault, event)
    judged = sum(one.preset == answer.preset for one in read_events(vault.root))
    return Judged(
        note=note,
        preset=answer.preset,
        accepted=accepted,
        credit=tuple(credit.items()),
        judgements=judged,
        needed=vault.settings.feedback_minimum,
        commit=commit,
    )


def _find_served(vault: Vault, ref: str) -> tuple[Served, str, Mapping[str, float]]:
    """The answer that is judged, the id of the note in it, and what its components gave."""
    answers = served.answers(vault)
    if not answers:
        raise BadInputError(
            "this device has answered nothing yet", hint="ask with `vaultmem recall` first"
        )
    if ref.isdecimal():
        place = int(ref)
        if not 1 <= place <= len(answers[0].hits):
            raise BadInputError(
                f"the last answer has no hit {place}", hint=f"it has {len(answers[0].hits)}"
            )
        return answers[0], *answers[0].hits[place - 1]
    for answer in answers:
        for note, credit in answer.hits:
            if note and note == ref:
                return answer, note, credit
    raise BadInputError(
        f"no recent answer of this device had '{ref}'",
        hint="write the number of a hit of the last answer, or the whole id of a note in one",
    )


def _keep_event(vault: Vault, event: ScorerEvent) -> str:
    """Put an event into the file of the vault; the commit."""

    def write() -> str:
        with edit.writer(vault):
            plan = _plan(vault, event)
            with vaults.journal_changes(vault, plan.changes):
                committed = vaults.apply(vault, [plan])
        return committed[-1].commit

    return vaults.retry_when_stale(write)


def _plan(vault: Vault, event: ScorerEvent) -> Plan:

    try:
        with open(vault.root / SCORER, "rb") as file:
            before = file.read(MOST_BYTES + 1)
    except FileNotFoundError:
        before = None
    oldest = event.at - _FORGOTTEN * int(vault.settings.feedback_half_life_days * DAY_MS)
    known = () if before is None else parse_events(before)
    if before is not None and not known and before.strip():
        raise BadInputError(
            f"'{SCORER}' cannot be read", hint="restore it from the history, or take it away"
        )
    content = render_events([*(one for one in known if one.at >= oldest), event])
    word = "accept" if event.accepted else "reject"
    return Plan(
        op="feedback",
        subject=f"{word} an answer of the preset '{event.preset}'",
        actor="person",
        changes=(
            Write(
                path=SCORER,
                content=content,
                expects=None
                if before is None
                else model.blob_oid(before, algorithm=vault.history.algorithm),
            ),
        ),
    )
