"""Adapters for what conversations teach and what maintenance looks at."""

from __future__ import annotations

from typing import Any

import pytest

from tests.vectors.suite import Adapter, Workshop
from vaultmem.language.time import DAY_MS
from vaultmem.learn import confidence, patterns
from vaultmem.learn.conventions import tool_sequences
from vaultmem.learn.rules import Rule, effectiveness, worth
from vaultmem.maintain import archive
from vaultmem.model.answers import Filters
from vaultmem.recall.belief import sureness as beliefs
from vaultmem.recall.freshness import Ages

_NOW = 1_773_230_400_000  # 2026-03-11T12:00:00Z


def _confidence_initial(given: Any, _: Workshop) -> object:
    return confidence.initial(
        _category(given["kind"]),
        seen=given["sessions_with_pattern"],
        analysed=given["total_sessions"],
    )


def _category(kind: str) -> str:
    return "workflow" if kind.startswith("tool") else kind


def _confidence_trajectory(given: Any, _: Workshop) -> object:
    held, anchor, counted = float(given["initial"]), 0.0, set[str]()
    is_kept, results = True, []
    for op in given["ops"]:
        value = confidence.effective(
            held,
            op["t"] - anchor,
            per_day=given["decay_per_day"],
            evergreen=given["evergreen"],
        )
        if is_kept and op["op"] == "reinforce":
            new = set(op["sessions"]) - counted
            counted |= new
            value = confidence.reinforce(value, len(new))
            held, anchor = value, op["t"]
        elif is_kept and op["op"] == "contradict":
            value = confidence.weaken(value)
            held, anchor = value, op["t"]
        elif is_kept and op["op"] == "maintain" and not given["evergreen"]:
            is_kept = not confidence.is_spent(value, least=given["prune_below"])
        results.append(value if is_kept else None)
    return results


def _contradiction(given: Any, _: Workshop) -> object:
    return {
        "weakened": patterns.goes_against(
            given["correction"], given["rule"], is_own=given["is_own_rule"]
        )
    }


def _rule_cap(given: Any, _: Workshop) -> object:
    rules = [
        Rule(
            id=rule["id"],
            category="preference",
            statement=rule["id"],
            confidence=rule["confidence"],
            last_reinforced=rule["last"],
            is_exempt=rule.get("evergreen", False) or rule.get("hard", False),
        )
        for rule in given["rules"]
    ]
    kept = confidence.keep_surest(((rule, worth(rule, 0)) for rule in rules), given["max_rules"])
    return [rule.id for rule in kept]


def _rule_matching(given: Any, _: Workshop) -> object:
    one, other = given["a"], given["b"]
    return {
        "dice": patterns.dice(one, other),
        "match": patterns.is_same_rule(one, other, same_category=given["same_category"]),
    }


def _tool_ngrams(given: Any, _: Workshop) -> object:
    found = tool_sequences(given["sessions"], least_sessions=given["min_observations"])
    return [
        {
            "ngram": list(sequence.ngram),
            "sessions": len(sequence.sessions),
            "confidence": confidence.initial(
                "workflow", seen=len(sequence.sessions), analysed=len(given["sessions"])
            ),
            "closed": sequence.closed,
        }
        for sequence in found
    ]


def _semantic_confidence(given: Any, _: Workshop) -> object:
    if "op" in given:
        is_for = {"reinforce": True, "contradict": False}[given["op"]]
        held = float(given["confidence"])
        return beliefs.after_confirmation(held) if is_for else beliefs.after_doubt(held)
    value = beliefs.current_confidence(
        given["confidence"], given["days_since_confirmed"], kind=given["memory_type"]
    )
    return {"effective": value, "usable": beliefs.is_usable(value)}


def _procedure_effectiveness(given: Any, _: Workshop) -> object:
    return effectiveness(given["success"], given["failure"])


def _maintenance_windows(given: Any, shop: Workshop) -> object:
    if given["job"] == "monthly_archive":
        return _left_graph(given["items"], shop)
    windows = {
        "weekly_summarise": (archive.to_summarise, "maintenance_summarise_after_days"),
        "weekly_archive": (archive.to_archive, "maintenance_archive_idle_days"),
    }
    if given["job"] not in windows:
        pytest.skip("the night compares all items: it has no window that a missed run could lose")
    window, setting = windows[given["job"]]
    with shop.vault(at=0) as (memory, _):
        days = getattr(memory.settings, setting)
    items = [
        archive.Age(
            id=item["id"],
            age_days=item["age_days"],
            idle_days=item["idle_days"],
            is_exempt=item.get("pinned", False),
        )
        for item in given["items"]
    ]
    return sorted(item.id for item in window(items, days))


def _left_graph(items: Any, shop: Workshop) -> object:
    """Events told when each was last used: which of them the graph is without."""
    with shop.vault(at=0) as (memory, clock):
        told = {}
        for item in items:
            clock.at = int(_NOW - item["idle_days"] * DAY_MS)
            pinned = item.get("pinned", False)
            told[f"I met {item['id']} in Ulm."] = item["id"]
            memory.remember(
                f"I met {item['id']} in Ulm.", kind="event", stream="flow", pinned=pinned
            )
        clock.at = _NOW
        ages = Ages(memory.opened, now=_NOW)
        rows = memory.list(Filters(types=("item",)))
        return sorted(told[row.statement] for row in rows if ages.is_idle(row))


ADAPTERS = {
    "confidence_initial": Adapter(_confidence_initial),
    "confidence_trajectory": Adapter(_confidence_trajectory),
    "contradiction": Adapter(_contradiction),
    "maintenance_windows": Adapter(_maintenance_windows),
    "procedure_effectiveness": Adapter(_procedure_effectiveness),
    "rule_cap": Adapter(_rule_cap),
    "rule_matching": Adapter(_rule_matching),
    "semantic_confidence": Adapter(_semantic_confidence),
    "tool_ngrams": Adapter(_tool_ngrams),
}
