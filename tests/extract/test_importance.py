"""Importance: the points of the signals, and the signals in a text (cases: vectors.json)."""

from __future__ import annotations

from itertools import combinations

import pytest

from vaultmem.extract.draft import POINTS, score, signals_in


def test_every_combination_is_the_clamped_sum() -> None:
    for count in range(len(POINTS) + 1):
        for signals in combinations(POINTS, count):
            raw = sum(POINTS[signal] for signal in signals)
            found = score(signals)
            assert found.raw == raw
            assert found.value == max(1, min(10, raw))
            assert found.llm_scoring == (raw > 3)


@pytest.mark.parametrize(
    ("text", "signals"),
    [
        ("my favourite tea is Assam", {"preference", "named_entity"}),
        ("we will move to Berlin next month", {"future_intent", "named_entity"}),
        ("I am going to Rome", {"named_entity"}),
        ("I am scared of dogs", {"emotion"}),
        ("the build took ten minutes on Monday", set()),
        ("Anna called", {"named_entity"}),
        ("the file is `Never.md`", set()),
    ],
)
def test_signals(text: str, signals: set[str]) -> None:
    assert signals_in(text) == signals
