"""Adapters for budgets: matrix scaling, streams, chunks, tiers, the window."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

import numpy as np

from tests.context.ratios import PRESERVATION
from tests.vectors.suite import Adapter, Case, Workshop, difference
from vaultmem.cli.answer_lines import answer_lines
from vaultmem.context import budget as allocate
from vaultmem.context import spread
from vaultmem.context.pack import Packing
from vaultmem.context.render import Layout
from vaultmem.context.tokens import window_tokens
from vaultmem.model.answers import FACTS, Line
from vaultmem.recall.ranking import presets

_FINE = 1e-13  # results are compared to 1e-10
_TIERS = {
    "core_persona": "context_persona_tokens",
    "core_user": "context_user_tokens",
    "recent": "context_session_tokens",
    "episodic": "context_event_tokens",
    "semantic": "context_fact_tokens",
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
    found = given.get("preservation", PRESERVATION)
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
    """Scores that are lent decide what a plan keeps, with streams that are not held to a share."""
    held = [spread.Chunk(**chunk) for chunk in given["chunks"]]
    scores = spread.diffuse(held, diffusion=given["alpha"])
    claims = [
        allocate.Claim(
            tokens=chunk.tokens,
            stream=chunk.stream,
            worth=allocate.log_odds(PRESERVATION[chunk.stream]) + given["beta"] * score,
        )
        for chunk, score in zip(held, scores, strict=True)
    ]
    ids = [chunk.id for chunk in held]
    plan = allocate.plan_budget(claims, given["budget"], preservation=PRESERVATION, firmness=0)
    kept = [share * claim.tokens for share, claim in zip(plan.shares, claims, strict=True)]
    return {
        "budgets": dict(zip(ids, kept, strict=True)),
        "diffused_scores": dict(zip(ids, scores, strict=True)),
    }


def _chunk_rule(result: object, case: Case, suite: Case) -> str:
    """Scores have a tolerance of their own."""
    assert isinstance(result, dict)
    scores = {"expected": case["expected"]["diffused_scores"]}
    finer = {"tol": case.get("score_tol", suite.get("score_tol", suite["tol"]))}
    return difference(result["diffused_scores"], scores, finer) or difference(result, case, suite)


def _packing(tokens: Mapping[str, int], budget: int) -> tuple[Packing, dict[str, Line]]:
    """A text to be filled, and the lines to choose from, each of so many tokens."""
    lines = {
        name: Line(tier=FACTS, text=name, citation="", path=PurePosixPath(name), at=name)
        for name in tokens
    }

    def count(texts: Sequence[str]) -> list[int]:
        return [next((n for name, n in tokens.items() if name in text), 0) for text in texts]

    packing = Packing(Layout(), budget, format_="markdown", count=count)
    packing.price(list(lines.values()))
    return packing, lines


def _assembly(given: Any, shop: Workshop) -> object:
    final = {
        each["id"]: presets.never_forgets(each["relevance"], each["age_days"])
        for each in given["candidates"]
    }
    with shop.vault(at=0) as (memory, _):
        above = given.get("threshold", memory.settings.retrieval_relevance_threshold)
        most = given.get("max_items", memory.settings.context_per_kind)
        message = "\n".join(answer_lines(memory.recall("anything"), "UTC"))
    held = sorted(
        (each for each in given["candidates"] if each["relevance"] > above),
        key=lambda each: (-final[each["id"]], each["age_days"], each["id"]),
    )
    packing, lines = _packing({each["id"]: each["tokens"] for each in held}, given["max_tokens"])
    taken = packing.add_while_fits(lines.values(), room=given["max_tokens"], most=most)
    return {
        "final": {each["id"]: final[each["id"]] for each in held},
        "order": list(lines),
        "selected": [line.text for line in packing.chosen],
        "tokens": taken,
        "message": "" if held else message,
    }


def _tiers(given: Any, shop: Workshop) -> object:
    """What each tier takes of lines of one token, within the caps that are shipped."""
    with shop.vault(at=0) as (memory, _):
        caps = {name: getattr(memory.settings, cap) for name, cap in _TIERS.items()}
    grants = {}
    for name, demand in given["demand_tokens"].items():
        packing, lines = _packing({f"<{place}>": 1 for place in range(demand)}, 10**6)
        grants[name] = packing.add_while_fits(lines.values(), room=caps[name])
    return {"granted_at_most": grants, "total_at_most": sum(grants.values())}


def _overflow(given: Any, _: Workshop) -> object:
    return window_tokens(given["window_tokens"], given["max_share"])


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
