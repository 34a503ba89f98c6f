"""What a fact or a belief is worth on a day depends on what was said until then, and when."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vaultmem.recall.belief.sureness import (
    HALF_LIFE_DAYS,
    after_confirmation,
    after_doubt,
    current_confidence,
)

KINDS = st.sampled_from(["fact", "belief"])
DAYS = st.floats(0, 400)
END = 400.0


def held(confidence: float, kind: str, said: list[tuple[float, bool]], runs: list[float]) -> float:
    """What it is worth at the end.

    said  days on which it was confirmed (True) or something was said against it
    runs  days of maintenance, as a job would have it that wrote the worth of the day down
    """
    at = 0.0
    events: list[tuple[float, bool | None]] = [*said, *((day, None) for day in runs)]
    for day, is_for in sorted(events, key=lambda event: event[0]):
        confidence, at = current_confidence(confidence, day - at, kind=kind), day
        if is_for is not None:
            confidence = after_confirmation(confidence) if is_for else after_doubt(confidence)
    return current_confidence(confidence, END - at, kind=kind)


@settings(max_examples=50)
@given(
    confidence=st.floats(0, 1),
    kind=KINDS,
    said=st.lists(st.tuples(DAYS, st.booleans()), max_size=6),
    runs=st.lists(DAYS, max_size=12),
)
def test_the_schedule_of_maintenance_does_not_matter(
    confidence: float, kind: str, said: list[tuple[float, bool]], runs: list[float]
) -> None:
    assert held(confidence, kind, said, runs) == pytest.approx(held(confidence, kind, said, []))


@given(confidence=st.floats(0, 1), kind=KINDS, days=st.floats(-400, 4000))
def test_a_worth_stays_between_nothing_and_what_it_was(
    confidence: float, kind: str, days: float
) -> None:
    worth = current_confidence(confidence, days, kind=kind)
    assert 0 <= worth <= confidence
    assert worth == confidence or days > 0
    assert after_doubt(worth) <= worth <= after_confirmation(worth) <= 1


def test_a_belief_fades_three_times_as_fast_as_a_fact() -> None:
    for days in (1.0, 60.0, 180.0):
        belief, fact = (
            current_confidence(0.9, days, kind="belief"),
            current_confidence(0.9, 3 * days),
        )
        assert belief == pytest.approx(fact)
    assert current_confidence(0.9, HALF_LIFE_DAYS["belief"], kind="belief") == pytest.approx(0.45)
