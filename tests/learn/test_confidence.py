"""How sure a rule is: at the bounds, and which rules stay under the cap."""

from __future__ import annotations

from typing import NamedTuple

from vaultmem.learn.confidence import is_spent, keep_surest


class Rule(NamedTuple):
    id: str
    last_reinforced: int = 0
    is_exempt: bool = False


def test_a_rule_that_is_worth_exactly_the_least_stays() -> None:
    assert not is_spent(1.0 - 0.9, least=0.1)  # a little less than 0.1, as computers count
    assert is_spent(0.099, least=0.1)


def test_under_the_cap_stay_the_surest_then_those_confirmed_last_then_by_id() -> None:
    rules = [(Rule("a", 1), 0.5), (Rule("b", 2), 0.5), (Rule("c", 2), 0.5), (Rule("d", 0), 0.9)]
    assert [rule.id for rule in keep_surest(rules, 3)] == ["b", "c", "d"]
    assert [rule.id for rule in keep_surest(rules, 2)] == ["b", "d"]


def test_what_is_exempt_stays_and_counts() -> None:
    rules = [(Rule("a", is_exempt=True), 0.0), (Rule("b"), 0.9), (Rule("c"), 0.8)]
    assert [rule.id for rule in keep_surest(rules, 2)] == ["a", "b"]
    assert [rule.id for rule in keep_surest(rules, 0)] == ["a"]
