"""What a new sentence means for an old one, by the packaged weights."""

from __future__ import annotations

import pytest

from vaultmem.judgement.change import RELATIONS, judge_change


@pytest.mark.parametrize("new", ["", "?", "🙂", "x " * 50_000, "\ud800", "I live in Graz now."])
def test_any_pair_is_judged(new: str) -> None:
    change = judge_change("I live in Vienna.", new)
    assert 0 <= change.over <= 1
    assert change.relation == change.relations[0][0]
    assert {name for name, _ in change.relations} == set(RELATIONS)
    assert sum(chance for _, chance in change.relations) == pytest.approx(1)
    ended = dict(change.relations)
    assert ended["replaces"] + ended["ends"] == pytest.approx(change.over)


def test_what_is_sure_enough_to_end_is_flagged_too() -> None:
    change = judge_change("I work at Bosch.", "I no longer work at Bosch.")
    assert change.flags >= change.ends
