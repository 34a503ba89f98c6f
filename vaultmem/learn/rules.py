"""What conversations make of the rules: new, confirmed, weakened, put away (algorithms 4.7-4.10).

The whole of what is known goes in, and the same comes out however often it is asked: a session
counts once for a rule (it is then among its sources), and a correction weakens it once. The parts
of a conversation that was resumed count as one; a later part may correct what an earlier one says.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import sqrt

from vaultmem import judgement
from vaultmem.base import dataclass, field, replace
from vaultmem.learn import confidence as sure
from vaultmem.learn.conventions import LENGTHS
from vaultmem.learn.conversations import Pattern, Session, Sighting, once_each, wholes_of
from vaultmem.learn.corrections import rejected_turns
from vaultmem.learn.own_statements import load
from vaultmem.learn.patterns import (
    LEAST_DICE,
    goes_against,
    is_same_rule,
    patterns,
    scope_key,
    words_of,
    workflows,
)

# What a way of doing things is worth, by how it went (algorithms 6.5). Pure.

UNTRIED = 0.5  # effectiveness of what was never tried
LEAST_USES = 5  # before a procedure can be put away
LEAST_CHANCE = 0.4  # the upper bound of success below which it is
_Z = 1.959963984540054  # two-sided 95%


def effectiveness(success: int, failure: int, *, untried: float = UNTRIED) -> float:
    """Expected share of success, in [0, 1]: Laplace's rule.

    untried  what it is with no data, which counts as much as two uses; one half is Laplace's own
    """
    return (success + 2 * untried) / (success + failure + 2)


def upper_bound(success: int, failure: int) -> float:
    """Upper end of the 95% interval of the share of success (Wilson 1927); 1 with no data."""
    uses = success + failure
    if uses == 0:
        return 1.0
    share, square = success / uses, _Z * _Z
    middle = share + square / (2 * uses)
    spread = _Z * sqrt(share * (1 - share) / uses + square / (4 * uses * uses))
    return (middle + spread) / (1 + square / uses)


def is_ineffective(
    success: int,
    failure: int,
    *,
    least_uses: int = LEAST_USES,
    least_chance: float = LEAST_CHANCE,
) -> bool:
    """Whether it was tried often enough and went wrong too often."""
    return success + failure >= least_uses and upper_bound(success, failure) < least_chance


# A learned rule: what it is worth, which patterns say it, and what speaks against it.


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A learned rule as it is kept. `confidence` is that of `confidence_at`."""

    id: str
    category: str
    statement: str
    value: str = ""
    polarity: str = "prefer"
    scope: str = ""
    purpose: str = ""
    kind: str = ""
    ngram: tuple[str, ...] = ()
    trigger: str = ""  # of a procedure: what was asked for before it was used
    confidence: float = 1.0
    confidence_at: int = 0  # UTC ms
    last_reinforced: int = 0  # UTC ms
    sessions: tuple[str, ...] = ()  # that count for it
    against: tuple[str, ...] = ()  # that count against it: by a correction, or where it went wrong
    since: int | None = None  # UTC ms of its first evidence; None: it was not learned
    is_exempt: bool = False  # evergreen or hard: no decay, no pruning, no cap
    is_active: bool = True  # False: it was put away
    is_denied: bool = False  # the person said that it is wrong: it never comes back by itself
    language: str = "en"


def worth(rule: Rule, now: int, *, per_day: float = sure.DECAY_PER_DAY) -> float:
    """The confidence of a rule now."""
    days = sure.days_between(rule.confidence_at, now)
    return sure.effective(rule.confidence, days, per_day=per_day, evergreen=rule.is_exempt)


def is_rule_of(rule: Rule, pattern: Pattern, *, alike_from: float = LEAST_DICE) -> bool:
    """Whether a pattern is what a rule says (algorithms 4.9).

    alike_from  share of character pairs from which two wordings may be one rule
    """
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
    wanted, held = words_of(pattern.purpose, language), words_of(rule.purpose, rule.language)
    if wanted and held and wanted != held:
        return False  # tables for comparisons are not tables for everything
    value = words_of(pattern.value, language)
    known = words_of(rule.value or rule.statement, rule.language)
    if rule.value and known == value:
        return True
    is_wish = rule.category == "preference" and rule.language == language
    if is_wish and any(judgement.are_one(rule.value, said.value) for said in pattern.sightings):
        return True
    return bool(known & value) and is_same_rule(
        rule.statement,
        pattern.statement,
        same_category=True,
        language=load(language),
        least=alike_from,
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
        return bool(wrong) and wrong == value != right
    return False


LEAST_SESSIONS = 2


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
    per_session: float = sure.PER_SESSION
    per_contradiction: float = sure.PER_CONTRADICTION
    shares: Mapping[str, float] = field(default_factory=lambda: dict(sure.SHARES))
    ngram_sizes: tuple[int, ...] = LENGTHS
    alike_from: float = LEAST_DICE
    least_uses: int = LEAST_USES  # before a procedure can be put away
    least_chance: float = LEAST_CHANCE


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
    analysed  conversations for the confidence of new rules; None: those from the first one that
              shows the pattern, so that years of other talk do not make a new habit unlearnable
    """
    return _Run(rules, now=now, knobs=knobs or Knobs()).over(sessions, seen, analysed)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Event:
    """A session that says what a rule says, or speaks against it."""

    sighting: Sighting
    is_for: bool

    def at(self, earliest: int, now: int) -> int:
        """When it counts: when it was said, but not before the confidence it changes."""
        said = self.sighting.at
        return now if said is None else min(max(said, earliest), now)


class _Run:
    """The state of one run. Order: confirm and create, contradict, prune, cap."""

    def __init__(self, rules: Sequence[Rule], *, now: int, knobs: Knobs) -> None:
        self.now = now
        self.knobs = knobs
        self.rules = {rule.id: rule for rule in rules}
        self.changes: list[Change] = []
        self.wholes: dict[str, str] = {}  # by id of the session
        self.order: dict[str, int] = {}  # of conversations
        self.events: dict[str, list[_Event]] = {}  # by id of the rule
        self.analysed: int | None = None

    def over(
        self, sessions: Sequence[Session], seen: Iterable[Sighting], analysed: int | None
    ) -> Learned:
        self.wholes = wholes_of(sessions)
        begun = dict.fromkeys(self.wholes.values())
        self.order = {whole: number for number, whole in enumerate(begun)}
        self.analysed = analysed
        sightings = list(seen)
        often = workflows(
            sessions,
            rejections_in(sessions, sightings),
            least_sessions=self.knobs.least_sessions,
            lengths=self.knobs.ngram_sizes,
        )
        found = [*patterns(sightings), *(pattern for _, pattern in often)]
        candidates = [
            pattern for pattern in found if not self._confirm(pattern) and not self._create(pattern)
        ]
        self._contradict(found)
        self._happen()
        self._prune()
        self._cap()
        return Learned(
            changes=tuple(self.changes),
            rules=tuple(r for _, r in sorted(self.rules.items()) if r.is_active),
            candidates=tuple(candidates),
            patterns=tuple(found),
        )

    def _whole(self, session: str) -> str:
        """The conversation that a session is, or is a part of."""
        return self.wholes.get(session, session)

    def _worth(self, rule: Rule) -> float:
        return worth(rule, self.now, per_day=self.knobs.decay_per_day)

    def _confirm(self, pattern: Pattern) -> bool:
        """Whether the pattern is a rule already; new sessions will then confirm it."""
        rule = self.rules.get(pattern.key) or next(
            (rule for rule in self.rules.values() if self._says(rule, pattern)), None
        )
        if rule is None:
            return False
        if pattern.category == "workflow":
            self._use(rule, pattern)
            return True
        # Each end of a session makes a text of its own: two of them made a rule of what one
        # conversation said twice.
        counted = {self._whole(session) for session in rule.sessions}
        new = [s for s in pattern.sightings if self._whole(s.session) not in counted]
        # A dictionary keeps the last of equal keys, hence from behind: the first sighting of a
        # conversation stands for it.
        # A session that was resumed has a text for each of its ends, and two of them made a rule of
        # what one conversation had said.
        once = {self._whole(sighting.session): sighting for sighting in reversed(new)}
        if pattern.superseded or rule.is_denied or not once:
            return True
        if rule.is_active or len(once) >= self.knobs.least_sessions:
            known = {self._whole(e.sighting.session) for e in self.events.get(rule.id, ())}
            fresh = [_Event(sighting=s, is_for=True) for k, s in once.items() if k not in known]
            self.events.setdefault(rule.id, []).extend(fresh)
        return True

    def _use(self, rule: Rule, pattern: Pattern) -> None:
        """Each further conversation in which a procedure was used counts for or against it."""
        if rule.is_denied:
            return
        known = {self._whole(session) for session in (*rule.sessions, *rule.against)}
        well, ill = self._outcomes(pattern)
        by_session = {sighting.session: sighting for sighting in pattern.sightings}
        fresh = [
            _Event(sighting=by_session[session], is_for=went_well)
            for sessions, went_well in ((well, True), (ill, False))
            for session in sessions
            if self._whole(session) not in known
        ]
        confirmed = sum(event.is_for for event in fresh)
        if fresh and (rule.is_active or confirmed >= self.knobs.least_sessions):
            self.events.setdefault(rule.id, []).extend(fresh)

    def _create(self, pattern: Pattern) -> bool:
        sessions, failed = self._outcomes(pattern)
        if len(sessions) < self.knobs.least_sessions or pattern.superseded:
            return False
        first = min(self.order.get(self._whole(each), 0) for each in sessions)
        since_first = len(self.order) - first
        confidence = sure.initial(
            pattern.category,
            seen=len(sessions),
            analysed=since_first if self.analysed is None else self.analysed,
            most=self.knobs.most_confidence,
            shares=self.knobs.shares,
        )
        if sure.is_spent(confidence, least=self.knobs.prune_below):
            return False  # so rare among so much talk that it would be put away at once
        times = [s.at for s in pattern.sightings if s.at is not None]
        rule = Rule(
            id=pattern.key,
            category=pattern.category,
            statement=pattern.statement,
            value=pattern.value,
            polarity=pattern.polarity,
            scope=pattern.scope,
            purpose=pattern.purpose,
            kind=pattern.kind,
            ngram=pattern.ngram,
            confidence=confidence,
            confidence_at=self.now,
            last_reinforced=self.now,
            sessions=sessions,
            against=failed,
            trigger=pattern.trigger,
            since=min(times, default=None),
            language=pattern.sightings[0].language,
        )
        self._change("created", rule, 0.0, pattern.sightings)
        return True

    def _contradict(self, found: Sequence[Pattern]) -> None:
        seen = [sighting for pattern in found for sighting in pattern.sightings]
        corrections = [s for s in seen if s.category == "correction"]
        by_value: dict[tuple[str, frozenset[str]], list[Sighting]] = {}
        for sighting in seen:
            if sighting.category == "preference":
                slot = sighting.category, words_of(sighting.value, sighting.language)
                by_value.setdefault(slot, []).append(sighting)
            elif sighting.category == "decision" and sighting.rejects:
                slot = sighting.category, words_of(sighting.rejects, sighting.language)
                by_value.setdefault(slot, []).append(sighting)
        for rule in sorted(self.rules.values(), key=lambda rule: rule.id):
            if not rule.is_active or rule.is_exempt or rule.ngram:
                continue  # how a procedure went is seen where it was used
            near = by_value.get((rule.category, words_of(rule.value, rule.language)), ())
            events: dict[str, Sighting] = {}
            for sighting in (*corrections, *near):
                if self._counts_against(sighting, rule):
                    events.setdefault(self._whole(sighting.session), sighting)
            if not events:
                continue
            against = [_Event(sighting=each, is_for=False) for each in events.values()]
            self.events.setdefault(rule.id, []).extend(against)

    def _happen(self) -> None:
        """What was said for and against the rules counts when it was said, in that order."""
        for id_, events in sorted(self.events.items()):
            rule = self.rules[id_]
            before, changed = self._worth(rule), rule
            start = rule.confidence_at
            # Of one instant what speaks for a rule comes first. The order matters where 0 or 1 cuts
            # a value off.
            timed = sorted(events, key=lambda event: (event.at(start, self.now), not event.is_for))
            for event in timed:
                changed = self._after(changed, event)
            said_against = any(not event.is_for for event in events)
            what = "weakened" if said_against else "reinforced" if rule.is_active else "revived"
            if rule.id in {change.rule.id for change in self.changes}:
                what = "created"
            self._change(what, changed, before, [event.sighting for event in timed])

    def _after(self, rule: Rule, event: _Event) -> Rule:
        at, session = event.at(rule.confidence_at, self.now), event.sighting.session
        value = worth(rule, at, per_day=self.knobs.decay_per_day)
        if not event.is_for:
            confidence = sure.weaken(value, per_event=self.knobs.per_contradiction)
            confidence = rule.confidence if rule.is_exempt else confidence
            against = (*rule.against, session)
            return replace(rule, confidence=confidence, confidence_at=at, against=against)
        confidence = sure.reinforce(value, 1, per_session=self.knobs.per_session)
        return replace(
            rule,
            confidence=max(rule.confidence, confidence) if rule.is_exempt else confidence,
            confidence_at=at,
            last_reinforced=max(rule.last_reinforced, at),
            sessions=(*rule.sessions, session),
            is_active=True,
        )

    def _counts_against(self, sighting: Sighting, rule: Rule) -> bool:
        """Once a conversation, not by what made the rule, not by what was said before it."""
        confirming = {e.sighting.session for e in self.events.get(rule.id, ()) if e.is_for}
        # The correction that makes a rule would otherwise weaken it in the same run (1.0 -> .85).
        if sighting.session in {*rule.sessions, *confirming}:
            return False
        if self._whole(sighting.session) in {self._whole(session) for session in rule.against}:
            return False
        if rule.since is not None and sighting.at is not None and sighting.at < rule.since:
            return False
        return contradicts(sighting, rule)

    def _says(self, rule: Rule, pattern: Pattern) -> bool:
        return is_rule_of(rule, pattern, alike_from=self.knobs.alike_from)

    def _is_ineffective(self, rule: Rule) -> bool:
        """Whether a procedure goes wrong too often, by all conversations in which it was used."""
        knobs = self.knobs
        return bool(rule.ngram) and is_ineffective(
            len(rule.sessions),
            len(rule.against),
            least_uses=knobs.least_uses,
            least_chance=knobs.least_chance,
        )

    def _outcomes(self, pattern: Pattern) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Conversations in which it went well, and in which it never did, each once."""
        well = once_each([s for s in pattern.sessions if s not in pattern.failed], self.wholes)
        wholes = {self._whole(session) for session in well}
        ill = [s for s in pattern.failed if self._whole(s) not in wholes]
        return well, once_each(ill, self.wholes)

    def _prune(self) -> None:
        for rule in sorted(self.rules.values(), key=lambda rule: rule.id):
            value = self._worth(rule)
            if not rule.is_active or rule.is_exempt:
                continue
            if sure.is_spent(value, least=self.knobs.prune_below) or self._is_ineffective(rule):
                self._change("pruned", replace(rule, is_active=False), value, ())

    def _cap(self) -> None:
        active = [rule for rule in self.rules.values() if rule.is_active]
        kept = sure.keep_surest(((r, self._worth(r)) for r in active), self.knobs.most_rules)
        for rule in sorted(set(active) - set(kept), key=lambda rule: rule.id):
            self._change("pruned", replace(rule, is_active=False), self._worth(rule), ())

    def _change(self, what: str, rule: Rule, before: float, evidence: Iterable[Sighting]) -> None:
        self.rules[rule.id] = rule
        self.changes.append(Change(what=what, rule=rule, before=before, evidence=tuple(evidence)))


def rejections_in(
    sessions: Sequence[Session], seen: Sequence[Sighting]
) -> dict[str, frozenset[int]]:
    """By session the turns in which the person rejected what had just been done."""
    called = (each for each in sessions if any(turn.calls for turn in each.turns))
    found: dict[str, set[int]] = {each.id: set(rejected_turns(each)) for each in called}
    for sighting in seen:
        if sighting.category == "correction" and not sighting.is_own and sighting.turn is not None:
            found.setdefault(sighting.session, set()).add(sighting.turn)
    return {session: frozenset(turns) for session, turns in found.items()}
