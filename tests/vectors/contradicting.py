"""The adapter for a new fact beside one that is known: both are told to a real vault."""

from __future__ import annotations

import time
from typing import Any

from tests.vectors.suite import Adapter, Workshop
from vaultmem.api.memory import Memory
from vaultmem.language.text import canonical
from vaultmem.language.time import DAY_MS, parse_instant
from vaultmem.model.answers import Filters

_NOON = 1_773_230_400_000  # 2026-03-11T12:00:00Z


def _contradiction_outcomes(given: Any, shop: Workshop) -> object:
    """What is left of both once the new one was remembered, which the product decides by rule."""
    at = parse_instant(given["at"]) if given.get("at") else _NOON
    with shop.vault(at=at - DAY_MS) as (memory, clock):
        known = memory.remember(given["existing"])
        clock.at = at
        told = memory.remember(given["new"], valid_from=at if given.get("at") else None)
        rows = {canonical(row.statement): row for row in memory.list(Filters(types=("item",)))}
        before, after = rows.get(canonical(given["existing"])), rows.get(canonical(given["new"]))
        history = memory.history.of(known.items[0].id).versions
        said = {canonical(each.statement) for each in history}
        sources = {known.path.stem, told.path.stem}
        return {
            "existing": {
                "valid_to": _iso(before.valid_until if before else None),
                "retrievable_now": _is_recalled(memory, given["existing"]),
                "deleted": canonical(given["existing"]) not in said,
            },
            "new": {
                "valid_from": _iso(after.valid_from if after else None),
                "retrievable_now": _is_recalled(memory, given["new"]),
            },
            "merged": {
                "retrievable_now": _is_recalled(memory, given["new"]),
                "sources": "union" if after and sources <= set(after.source) else None,
            },
        }


def _is_recalled(memory: Memory, statement: str) -> bool:
    """Whether recall answers with an item of just these words."""
    items = [hit.note for hit in memory.recall(statement, limit=20).hits if hit.note.id]
    return canonical(statement) in {canonical(note.statement) for note in items}


def _iso(at: int | None) -> str | None:
    """As the suite writes instants."""
    return None if at is None else time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(at / 1000))


ADAPTERS = {"contradiction_outcomes": Adapter(_contradiction_outcomes)}
