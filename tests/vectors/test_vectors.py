"""One runner for vectors.json: every suite that the code has a function for, through an adapter.

The file: VAULTMEM_VECTORS, else the shared one beside the checkout, else the copy in tests/data.
Suites without an adapter are named at the end of the run.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.vectors import (
    asking,
    budgeting,
    configuring,
    contradicting,
    conversing,
    extracting,
    fading,
    learning,
    ranking,
    reading,
    searching,
    timing,
)
from tests.vectors.suite import Adapter, Case, Workshop, difference, is_error, load_suites, refusal

SUITES = load_suites()
ADAPTERS: dict[str, Adapter] = {
    **asking.ADAPTERS,
    **budgeting.ADAPTERS,
    **configuring.ADAPTERS,
    **contradicting.ADAPTERS,
    **conversing.ADAPTERS,
    **extracting.ADAPTERS,
    **fading.ADAPTERS,
    **learning.ADAPTERS,
    **ranking.ADAPTERS,
    **reading.ADAPTERS,
    **searching.ADAPTERS,
    **timing.ADAPTERS,
}
RUN = [
    pytest.param(name, case, id=f"{name}-{case['id']}")
    for name in sorted(SUITES.keys() & ADAPTERS.keys())
    for case in SUITES[name]["cases"]
]


@pytest.mark.parametrize(("name", "case"), RUN)
def test_vector(name: str, case: Case, tmp_path: Path) -> None:
    adapter, shop = ADAPTERS[name], Workshop(tmp_path)
    if is_error(case["expected"]):
        wrong = refusal(adapter.run, case["input"], shop)
    else:
        judge = adapter.matches or difference
        wrong = judge(adapter.run(case["input"], shop), case, SUITES[name])
    assert not wrong, f"{name} {case['id']}: {wrong}"


def test_suites_without_an_adapter_are_named(
    tally: Callable[..., None], record_property: Callable[[str, object], None]
) -> None:
    missing = sorted(SUITES.keys() - ADAPTERS.keys())
    tally("vectors", cases=len(RUN), suites=len(SUITES) - len(missing))
    if missing:
        record_property(f"{len(missing)} vector suites without an adapter", ", ".join(missing))
        pytest.skip(f"no adapter yet: {', '.join(missing)}")


class TestTheRule:
    """The comparison that the file states, on results made up here."""

    @pytest.mark.parametrize(
        ("result", "expected", "is_same"),
        [
            (1.0005, 1.0, True),
            (1.002, 1.0, False),
            (float("nan"), 1.0, False),
            (True, 1, False),
            (1, True, False),
            ("1", 1, False),
            (None, None, True),
            (0, None, False),
            ({}, {"a": None}, True),
            ({"a": 1, "b": 2}, {"a": 1}, True),
            ({}, {"a": 1}, False),
            ((1, 2), [1, 2], True),
            ([1, 2], [2, 1], False),
            ([1], [1, 2], False),
            ("ab", ["a", "b"], False),
            (0.0, False, False),
        ],
    )
    def test_compares(self, result: object, expected: object, is_same: bool) -> None:
        case: dict[str, Any] = {"expected": expected}
        found = difference(result, case, {"tol": {"abs": 0.001, "rel": 0}})
        assert (found == "") is is_same

    def test_a_case_may_be_wider_than_its_suite(self) -> None:
        case = {"expected": 10, "tol": {"abs": 1}}
        assert difference(10.5, case, {"tol": {"abs": 0, "rel": 0}}) == ""

    def test_an_answer_where_an_error_was_due_is_wrong(self, tmp_path: Path) -> None:
        def refuses(given: Any, _: Workshop) -> object:
            raise ValueError(given)

        assert refusal(refuses, 1, Workshop(tmp_path)) == ""
        assert refusal(lambda given, _: given, 1, Workshop(tmp_path)) != ""
