"""The detector cases that concern what a person says: one item a statement, nothing forbidden.

Whether something was said often enough is for consolidation; here each session is read by itself.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.extract.reading import read_chat
from vaultmem.model.drafts import Draft

FILE = Path(__file__).parents[1] / "data" / "consolidation_cases.jsonl"
CASES: list[Any] = [
    case
    for case in map(json.loads, FILE.read_text(encoding="utf-8").splitlines())
    if case["focus"] in ("preference", "decision", "correction")
]
PLAIN = str.maketrans("’‘“”", "''\"\"")


def _type(draft: Draft) -> str:
    if draft.rule.startswith("correction"):
        return "correction"
    return "preference" if draft.kind in ("preference", "rule") else draft.kind


def _read(case: Any) -> Iterator[tuple[str, Draft]]:
    """(session, draft) of every session of a case."""
    for session in case["sessions"]:
        turns = [(turn["role"], turn["content"]) for turn in session["turns"]]
        for draft in read_chat(*turns).drafts:
            yield session["id"], draft


def _has(draft: Draft, words: list[str]) -> bool:
    statement = unicodedata.normalize("NFKC", draft.statement).translate(PLAIN).casefold()
    return all(word.casefold() in statement for word in words)


def _names() -> list[str]:
    return [f"{case['id']} {case['title']}" for case in CASES]


@pytest.mark.parametrize("case", CASES, ids=_names())
def test_what_is_expected_is_found_in_its_sessions(case: Any) -> None:
    found = list(_read(case))
    for kind in ("preference", "decision"):
        for wanted in case["expected"].get(f"{kind}s", ()):
            sessions = [s for s, d in found if _type(d) == kind and _has(d, wanted["all"])]
            assert sessions == wanted["sessions"]
    for wanted in case["expected"].get("corrections", ()):
        words = wanted["right"] + wanted["wrong"]
        sessions = [s for s, d in found if _type(d) == "correction" and _has(d, words)]
        assert sessions == wanted["sessions"]


@pytest.mark.parametrize("case", CASES, ids=_names())
def test_what_is_forbidden_is_not_found(case: Any) -> None:
    found = list(_read(case))
    for banned in case["expected"].get("forbidden", ()):
        if banned["type"] not in ("preference", "decision", "correction"):
            continue
        bad = [
            draft.statement
            for _, draft in found
            if _type(draft) == banned["type"]
            and _has(draft, banned["all"])
            and not any(_has(draft, [word]) for word in banned.get("lacks", ()))
        ]
        assert bad == []


@pytest.mark.parametrize("case", CASES, ids=_names())
def test_where_nothing_is_evidence_nothing_is_found(case: Any) -> None:
    kinds = [_type(draft) for _, draft in _read(case)]
    for kind in ("preference", "decision", "correction"):
        if case["expected"].get("max", {}).get(f"{kind}s") == 0:
            assert kind not in kinds
