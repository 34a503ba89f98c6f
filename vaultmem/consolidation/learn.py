"""What conversations make of the rules: new, confirmed, weakened, put away (algorithms 4.7-4.10).

The whole of what is known goes in, and the same comes out however often it is asked: a session
counts once for a rule (it is then among its sources), and a correction weakens it once.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from vaultmem.consolidation import confidence as sure
from vaultmem.consolidation.gather import patterns, scope_key, words_of, workflows
from vaultmem.consolidation.languages import load
from vaultmem.consolidation.likeness import goes_against, is_same_rule
from vaultmem.consolidation.sessions import Pattern, Session, Sighting
from vaultmem.frozen import dataclass, replace

LEAST_SESSIONS = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A learned rule as it is kept. `confidence` is that of `confidence_at`."""

    id: str
    category: str
    statement: str
    value: str = ""
    polarity: str = "prefer"
    scope: str = ""
    kind: str = ""
    ngram: tuple[str, ...] = ()
    confidence: float = 1.0
    confidence_at: int = 0  # UTC ms
    last_reinforced: int = 0  # UTC ms
    sessions: tuple[str, ...] = ()  # that count for it
    against: tuple[str, ...] = ()  # sessions whose correction counted against it
    since: int | None = None  # UTC ms of its first evidence; None: it was not learned
    is_exempt: bool = False  # evergreen or hard: no decay, no pruning, no cap
    is_active: bool = True  # False: it was put away
    language: str = "en"


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """What a run does to one rule."""

    what: str  # created, reinforced, weakened, pruned, revived
    rule: Rule  # as it is afterwards
    before: float  # worth before, 0 for a new one
    evidence: tuple[Sighting, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Learned:
    """The outcome of a run."""

    changes: tuple[Change, ...]
    rules: tuple[Rule, ...]  # all that are active afterwards, by id
    candidates: tuple[Pattern, ...]  # seen, but not often enough
    patterns: tuple[Pattern, ...]
    analysed: int

    def of(self, what: str) -> tuple[Change, ...]:
        """The changes of one sort."""
        return tuple(change for change in self.changes if change.what == what)


@dataclass(frozen=True, slots=True, kw_only=True)
class Knobs:
    """The settings of learning."""

    least_sessions: int = LEAST_SESSIONS
    decay_per_day: float = sure.DECAY_PER_DAY
    prune_below: float = sure.LEAST
    most_rules: int = sure.MOST_RULES
    most_confidence: float = 1.0  # of a new rule


def learn(
    rules: Sequence[Rule],
    sessions: Sequence[Session],
    seen: Iterable[Sighting],
    *,
    now: int,
    knobs: Knobs | None = None,
    analysed: int | None = None,
) -> Learned:
    """One run over conversations and what was seen in them.

    rules     all that are kept, also those put away
    seen      the sightings of these sessions, in their order
    analysed  conversations for the confidence of new rules; None: as many as given
    """
    return _Run(rules, now=now, knobs=knobs or Knobs()).over(sessions, seen, analysed)


def worth(rule: Rule, now: int, *, per_day: float = sure.DECAY_PER_DAY) -> float:
    """The confidence of a rule now."""
    days = sure.days_between(rule.confidence_at, now)
    return sure.effective(rule.confidence, days, per_day=per_day, evergreen=rule.is_exempt)


class _Run:
    """The state of one run. Order: confirm and create, contradict, prune, cap."""

    def __init__(self, rules: Sequence[Rule], *, now: int, knobs: Knobs) -> None:
        self.now = now
        self.knobs = knobs
        self.rules = {rule.id: rule for rule in rules}
        self.changes: list[Change] = []

    def over(
        self, sessions: Sequence[Session], seen: Iterable[Sighting], analysed: int | None
    ) -> Learned:
        sightings = list(seen)
        total = analysed if analysed is not None else len(sessions)
        found = [*patterns(sightings)]
        found += [pattern for _, pattern in workflows(sessions, least_sessions=1)]
        candidates = []
        for pattern in found:
            if not self._confirmed(pattern) and not self._created(pattern, total):
                candidates.append(pattern)
        self._contradict(found)
        self._prune()
        self._cap()
        return Learned(
            changes=tuple(self.changes),
            rules=tuple(r for _, r in sorted(self.rules.items()) if r.is_active),
            candidates=tuple(p for p in candidates if p.category != "workflow"),
            patterns=tuple(found),
            analysed=total,
        )

    def _worth(self, rule: Rule) -> float:
        return worth(rule, self.now, per_day=self.knobs.decay_per_day)

    def _confirmed(self, pattern: Pattern) -> bool:
        """Whether the pattern is a rule already; new sessions then confirm it."""
        rule = next((r for r in self.rules.values() if is_rule_of(r, pattern)), None)
        if rule is None:
            return False
        if pattern.superseded:
            return True
        new = [s for s in pattern.sessions if s not in rule.sessions]
        if not new or (not rule.is_active and len(new) < self.knobs.least_sessions):
            return rule.is_active or not new
        before = self._worth(rule)
        changed = replace(
            rule,
            confidence=1.0 if rule.is_exempt else sure.reinforced(before, len(new)),
            confidence_at=self.now,
            last_reinforced=self.now,
            sessions=(*rule.sessions, *new),
            is_active=True,
        )
        if rule.is_exempt:
            changed = replace(changed, confidence=max(rule.confidence, changed.confidence))
        what = "reinforced" if rule.is_active else "revived"
        self._change(what, changed, before, [s for s in pattern.sightings if s.session in new])
        return True

    def _created(self, pattern: Pattern, total: int) -> bool:
        if len(pattern.sessions) < self.knobs.least_sessions or pattern.superseded:
            return False
        times = [s.at for s in pattern.sightings if s.at is not None]
        rule = Rule(
            id=pattern.key,
            category=pattern.category,
            statement=pattern.statement,
            value=pattern.value,
            polarity=pattern.polarity,
            scope=pattern.scope,
            kind=pattern.kind,
            ngram=pattern.ngram,
            confidence=sure.initial(
                pattern.category,
                seen=len(pattern.sessions),
                analysed=total,
                most=self.knobs.most_confidence,
            ),
            confidence_at=self.now,
            last_reinforced=self.now,
            sessions=pattern.sessions,
            since=min(times, default=None),
            language=pattern.sightings[0].language,
        )
        self._change("created", rule, 0.0, pattern.sightings)
        return True

    def _contradict(self, found: Sequence[Pattern]) -> None:
        for rule in sorted(self.rules.values(), key=lambda rule: rule.id):
            if not rule.is_active or rule.is_exempt:
                continue
            events: dict[str, Sighting] = {}
            for pattern in found:
                for sighting in pattern.sightings:
                    if self._counts_against(sighting, rule):
                        events.setdefault(sighting.session, sighting)
            if not events:
                continue
            before = self._worth(rule)
            changed = replace(
                rule,
                confidence=sure.contradicted(before, len(events)),
                confidence_at=self.now,
                against=(*rule.against, *events),
            )
            self._change("weakened", changed, before, tuple(events.values()))

    def _counts_against(self, sighting: Sighting, rule: Rule) -> bool:
        """Once a session, not by what made the rule, not by what was said before it."""
        if sighting.session in rule.sessions or sighting.session in rule.against:
            return False
        if rule.since is not None and sighting.at is not None and sighting.at < rule.since:
            return False
        return contradicts(sighting, rule)

    def _prune(self) -> None:
        for rule in sorted(self.rules.values(), key=lambda rule: rule.id):
            value = self._worth(rule)
            may_go = rule.is_active and not rule.is_exempt
            if may_go and sure.is_spent(value, least=self.knobs.prune_below):
                self._change("pruned", replace(rule, is_active=False), value, ())

    def _cap(self) -> None:
        active = [rule for rule in self.rules.values() if rule.is_active]
        kept = sure.kept(((r, self._worth(r)) for r in active), self.knobs.most_rules)
        for rule in sorted(set(active) - set(kept), key=lambda rule: rule.id):
            self._change("pruned", replace(rule, is_active=False), self._worth(rule), ())

    def _change(self, what: str, rule: Rule, before: float, evidence: Iterable[Sighting]) -> None:
        self.rules[rule.id] = rule
        self.changes.append(Change(what=what, rule=rule, before=before, evidence=tuple(evidence)))


def is_rule_of(rule: Rule, pattern: Pattern) -> bool:
    """Whether a pattern is what a rule says (algorithms 4.9)."""
    if rule.id == pattern.key:
        return True
    if rule.category != pattern.category or rule.ngram != pattern.ngram:
        return False
    if rule.ngram or rule.kind != pattern.kind or rule.polarity != pattern.polarity:
        return False
    if rule.category == "convention":
        return rule.value == pattern.value
    language = pattern.sightings[0].language
    if scope_key(rule.scope, rule.language) != scope_key(pattern.scope, language):
        return False
    value = words_of(pattern.value, language)
    if rule.value and words_of(rule.value, language) == value:
        return True
    return is_same_rule(
        rule.statement, pattern.statement, same_category=True, language=load(language)
    )


def contradicts(sighting: Sighting, rule: Rule) -> bool:
    """Whether something that was said goes against a rule, by its words or by its slot.

    A correction that says the same as the rule, in other words, does not (algorithms 4.8).
    """
    right, wrong = (
        words_of(text, sighting.language) for text in (sighting.value, sighting.rejects)
    )
    value = words_of(rule.value or rule.statement, rule.language)
    if sighting.category == "correction":
        if rule.polarity == "avoid" and wrong and (wrong <= value or value <= wrong):
            return False
        if rule.polarity == "prefer" and rule.value and value <= right:
            return False
        if rule.polarity == "prefer" and rule.value and value and value == wrong:
            return True
        return goes_against(sighting.quote, rule.statement, language=load(sighting.language))
    if sighting.category != rule.category or not rule.value:
        return False
    if sighting.category == "preference":
        scope = scope_key(sighting.scope, sighting.language)
        same = right == value and scope == scope_key(rule.scope, rule.language)
        return same and sighting.polarity != rule.polarity
    if sighting.category == "decision":
        return right != value and (wrong == value or (right == value and _opposed(sighting, rule)))
    return False


def _opposed(sighting: Sighting, rule: Rule) -> bool:
    return sighting.polarity != rule.polarity
