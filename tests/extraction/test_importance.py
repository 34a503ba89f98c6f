"""Importance: the points of the signals, and the signals in a text."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest

from tests.extraction.vectors import cases, ids
from vaultmem.extraction.importance import POINTS, score, signals_in

FLAGS = cases("importance_flags")
TEXTS = cases("importance_text")


@pytest.mark.parametrize("case", FLAGS, ids=ids(FLAGS))
def test_points_of_signals(case: Any) -> None:
    found = score(case["input"]["signals"])
    assert {"raw": found.raw, "importance": found.value, "llm_scoring": found.llm_scoring} == case[
        "expected"
    ]


def test_every_combination_is_the_clamped_sum() -> None:
    for count in range(len(POINTS) + 1):
        for signals in combinations(POINTS, count):
            raw = sum(POINTS[signal] for signal in signals)
            found = score(signals)
            assert found.raw == raw
            assert found.value == max(1, min(10, raw))
            assert found.llm_scoring == (raw > 3)


@pytest.mark.parametrize("case", TEXTS, ids=ids(TEXTS))
def test_points_of_a_text(case: Any) -> None:
    found = score(signals_in(case["input"]["text"], sessions=case["input"]["sessions"]))
    assert found.raw in case["accept_raw"]
    assert found.value == case["expected"]["importance"] or len(case["accept_raw"]) > 1


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
