"""The adapter for word search, asked of a real vault."""

from __future__ import annotations

from typing import Any

from tests.vectors.suite import Adapter, Case, Workshop

_NOON = 1_773_230_400_000  # 2026-03-11T12:00:00Z


def _search(given: Any, shop: Workshop) -> object:
    """Which documents have a word of the query, best first."""
    documents = given["documents"]
    with shop.vault(at=_NOON) as (memory, _):
        for name, text in documents.items():
            note = memory.root / "items" / f"document-{name}.md"
            note.parent.mkdir(exist_ok=True)
            note.write_text(f"---\nkind: fact\n---\n\n{text}\n", encoding="utf-8")
        answer = memory.search(given["query"], limit=len(documents) + 1)
        found = [hit.note.path.stem.removeprefix("document-") for hit in answer.hits]
    return {"no_error": True, "matched": found, "best": found[0] if found else None}


def _holds(result: Any, case: Case, _: Case) -> str:
    """All that must match is found; a best one of None is left open by the suite."""
    expected = case["expected"]
    missing = set(expected["must_match"]) - set(result["matched"])
    if missing:
        return f"{sorted(missing)} not in {result['matched']}"
    if expected.get("best") is not None and result["best"] != expected["best"]:
        return f"the best is {result['best']}, not {expected['best']}"
    return ""


ADAPTERS = {"fts5": Adapter(_search, _holds)}
