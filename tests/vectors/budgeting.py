"""Adapters for budgets: matrix scaling, streams, chunks, tiers, the window."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.vectors.suite import Adapter, Case, Workshop, difference
from vaultmem.context import budget as allocate
from vaultmem.context import spread
from vaultmem.context import tokens as limits
from vaultmem.recall.ranking import presets

_FINE = 1e-13  # results are compared to 1e-10
_TIERS = {
    "core_persona": "persona",
    "core_user": "user",
    "recent": "sessions",
    "episodic": "events",
    "semantic": "facts",
}


def _doubly(given: Any, _: Workshop) -> object:
    return spread.doubly_stochastic(given["matrix"], epsilon=_FINE).matrix.tolist()


def _invariants(given: Any, _: Workshop) -> object:
    plain, scaled = (
        spread.doubly_stochastic(given[name], epsilon=_FINE).matrix for name in ("matrix", "scaled")
    )
    return {"same_limit": bool(abs(plain - scaled).max() < 1e-9)}


def _edges(given: Any, _: Workshop) -> object:
    numbers = [[float(value) for value in row] for row in given["matrix"]]
    found = spread.doubly_stochastic(numbers)
    return {
        "matrix": found.matrix.tolist(),
        "limit": found.matrix.tolist(),
        "converged": found.converged,
        "iterations": found.iterations,
        "deviation": found.deviation,
        "max_deviation": found.deviation,
    }


def _marginals(given: Any, _: Workshop) -> object:
    found = spread.with_marginals(
        given["kernel"], given["row_sums"], given["col_sums"], epsilon=_FINE
    )
    return found.matrix.tolist()


def _logsumexp(given: Any, _: Workshop) -> object:
    values = np.array([[float(value) for value in given["x"]]])
    return float(spread.logsumexp(values, 1)[0])


def _is_same_number(result: object, case: Case, suite: Case) -> str:
    """Also where the expected number is written `{'special': '-inf'}`."""
    expected = case["expected"]
    if isinstance(expected, dict):
        return "" if result == float(expected["special"]) else f"{result!r}, not {expected!r}"
    return difference(result, case, suite)


def _iterations(given: Any, _: Workshop) -> object:
    return spread.doubly_stochastic(given["matrix"], epsilon=given["epsilon"])


def _is_fast_enough(result: object, case: Case, _: Case) -> str:
    assert isinstance(result, spread.Scaled)
    allowed = case["expected"]["max_iterations_allowed"]
    if not result.converged:
        return f"not settled after {result.iterations} rounds"
    return "" if result.iterations <= allowed else f"{result.iterations} rounds"


def _ratios(given: Any) -> list[float]:
    found = given.get("preservation", allocate.PRESERVATION)
    return list(found.values() if isinstance(found, dict) else found)


def _allocated(given: Any) -> allocate.Allocation:
    return allocate.allocate(
        given["content_tokens"],
        _ratios(given),
        given.get("budget"),
        pinned=given.get("pinned"),
    )


def _streams(given: Any, _: Workshop) -> object:
    found = _allocated(given)
    return {
        "budgets": list(found.granted),
        "sum": sum(found.granted),
        "total": sum(found.granted),
        "pinned_exceeds_budget": found.pinned_exceeds_budget,
        "warning": "pinned_exceeds_budget" if found.pinned_exceeds_budget else None,
    }


def _exact_sum(result: object, case: Case, suite: Case) -> str:
    """The budgets within the tolerance; their sum has none."""
    assert isinstance(result, dict)
    wanted = case["expected"].get("sum")
    if wanted is not None and result["sum"] != wanted:
        return f"the sum is {result['sum']}, not {wanted}"
    return difference(result, case, suite)


def _series(given: Any, _: Workshop) -> object:
    return [list(_allocated({**given, "budget": budget}).granted) for budget in given["budgets"]]


def _vacuity(given: Any, _: Workshop) -> object:
    columns = spread.doubly_stochastic(given["affinity"]).matrix.sum(axis=0)
    return {"seed_scheme_budgets": allocate.quota(given["budget"], _ratios({}), columns.tolist())}


def _chunks(given: Any, _: Workshop) -> object:
    held = [spread.Chunk(**chunk) for chunk in given["chunks"]]
    found = spread.spread(held, given["budget"], diffusion=given["alpha"], bias=given["beta"])
    ids = [chunk.id for chunk in held]
    return {
        "budgets": dict(zip(ids, found.tokens, strict=True)),
        "diffused_scores": dict(zip(ids, found.scores, strict=True)),
    }


def _chunk_rule(result: object, case: Case, suite: Case) -> str:
    """Scores have a tolerance of their own."""
    assert isinstance(result, dict)
    scores = {"expected": case["expected"]["diffused_scores"]}
    finer = {"tol": case.get("score_tol", suite.get("score_tol", suite["tol"]))}
    return difference(result["diffused_scores"], scores, finer) or difference(result, case, suite)


def _assembly(given: Any, _: Workshop) -> object:
    final = {
        each["id"]: presets.never_forgets(each["relevance"], each["age_days"])
        for each in given["candidates"]
    }
    held = [limits.Candidate(**each, score=final[each["id"]]) for each in given["candidates"]]
    most, above = given.get("max_items", 7), given.get("threshold", 0.7)
    chosen = limits.choose(held, given["max_tokens"], max_items=most, above=above)
    return {
        "final": {name: final[name] for name in chosen.order},
        "order": chosen.order,
        "selected": chosen.selected,
        "tokens": chosen.tokens,
        "message": chosen.message,
    }


def _tiers(given: Any, _: Workshop) -> object:
    demand = {_TIERS[name]: tokens for name, tokens in given["demand_tokens"].items()}
    grants = limits.tier_tokens(demand)
    return {
        "granted_at_most": {name: grants[tier] for name, tier in _TIERS.items()},
        "total_at_most": sum(grants.values()),
    }


def _overflow(given: Any, _: Workshop) -> object:
    return limits.window_tokens(given["window_tokens"], given["max_share"])


ADAPTERS = {
    "sinkhorn_doubly_stochastic": Adapter(_doubly),
    "sinkhorn_invariants": Adapter(_invariants),
    "sinkhorn_edge_cases": Adapter(_edges),
    "sinkhorn_marginals": Adapter(_marginals),
    "logsumexp": Adapter(_logsumexp, _is_same_number),
    "sinkhorn_iterations": Adapter(_iterations, _is_fast_enough),
    "stream_budget": Adapter(_streams, _exact_sum),
    "stream_budget_default_target": Adapter(_streams),
    "stream_budget_pinned": Adapter(_streams),
    "stream_budget_series": Adapter(_series),
    "sinkhorn_budget_vacuity": Adapter(_vacuity),
    "keep_evict_transport": Adapter(_marginals),
    "chunk_budget": Adapter(_chunks, _chunk_rule),
    "context_assembly": Adapter(_assembly),
    "tiered_injection": Adapter(_tiers),
    "context_overflow": Adapter(_overflow),
}
