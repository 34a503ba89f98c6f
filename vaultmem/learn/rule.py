"""A learned rule: what it is worth, which patterns say it, and what speaks against it."""

from __future__ import annotations

from vaultmem.base.records import dataclass
from vaultmem.learn import confidence as sure
from vaultmem.learn.detect.languages import load
from vaultmem.learn.likeness import LEAST_DICE, goes_against, is_same_rule
from vaultmem.learn.patterns import scope_key, words_of
from vaultmem.learn.sessions import Pattern, Sighting


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
    if rule.category == "preference" and rule.language == language:
        from vaultmem.judgement.wishes import are_one

        if any(are_one(rule.value, said.value) for said in pattern.sightings):
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
