"""Adapters for what is read out of a statement."""

from __future__ import annotations

from typing import Any

from tests.vectors.suite import Adapter, Case, Workshop
from vaultmem.extract.draft import Importance, score, signals_in
from vaultmem.extract.prepare import parse_line


def _importance(found: Importance) -> object:
    return {"raw": found.raw, "importance": found.value, "llm_scoring": found.llm_scoring}


def _importance_flags(given: Any, _: Workshop) -> object:
    return _importance(score(given["signals"]))


def _importance_text(given: Any, _: Workshop) -> object:
    return _importance(score(signals_in(given["text"], sessions=given.get("sessions", 1))))


def _is_acceptable(result: Any, case: Case, _: Case) -> str:
    """`accept_raw` lists equally good sums; one of several brings an importance of its own."""
    accepted = case.get("accept_raw", [case["expected"]["raw"]])
    if result["raw"] not in accepted:
        return f"raw is {result['raw']}, not one of {accepted}"
    expected = case["expected"]
    if result["raw"] == expected["raw"] and result["importance"] != expected["importance"]:
        return f"importance is {result['importance']}, not {expected['importance']}"
    return ""


def _provenance_line(given: Any, _: Workshop) -> object:
    found = parse_line(given["line"])
    if found is None:
        return {"date": None, "importance": None, "text": None}
    return {"date": found.date, "importance": found.importance, "text": found.text}


def _stream_classification(given: Any, workshop: Workshop) -> object:
    """The stream of what is remembered of it; what nothing is kept of is of the flow of the day."""
    with workshop.vault(at=0) as (memory, _):
        memory.remember(given["text"])
        return next((note.stream for note in memory.list() if note.type == "item"), "flow")


def _is_accepted(result: object, case: Case, _: Case) -> str:
    accepted = case["expected"]["accept"]
    return "" if result in accepted else f"{result!r} is not one of {accepted}"


ADAPTERS = {
    "importance_flags": Adapter(_importance_flags),
    "importance_text": Adapter(_importance_text, _is_acceptable),
    "provenance_line": Adapter(_provenance_line),
    "stream_classification": Adapter(_stream_classification, _is_accepted),
}
