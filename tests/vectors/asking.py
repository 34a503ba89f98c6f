"""Adapters for questions taken apart, and for putting their answers together."""

from __future__ import annotations

from typing import Any

from tests.vectors.suite import Adapter, Case, Workshop
from vaultmem.recall import rounds as decomposing
from vaultmem.recall.fusing import Round, fuse, goes_on


def _decompose(given: Any, _: Workshop) -> object:
    query = given["query"]
    parts = decomposing.decompose(query, most=given["max_sub_queries"])
    return {"complex": decomposing.is_complex(query), "queries": parts}


def _parts(result: Any, case: Case, _: Case) -> str:
    """The question first, then what the suite asks for; 'a|b' is either of them."""
    expected, queries = case["expected"], result["queries"]
    if result["complex"] is not expected["complex"]:
        return f"complex is {result['complex']}"
    if (queries[0] if queries else "") != expected["first"]:
        return f"{queries} does not begin with the question"
    if len(queries) > case["input"]["max_sub_queries"]:
        return f"{queries} are too many"
    parts = {query.lower().strip(" .?!,") for query in queries[1:]}
    missing = [one for one in expected["must_include"] if parts.isdisjoint(one.split("|"))]
    wrong = [one for one in expected["must_not_include"] if not parts.isdisjoint(one.split("|"))]
    return f"missing {missing}, wrong {wrong} in {parts}" if missing or wrong else ""


def _fuse(given: Any, _: Workshop) -> object:
    rounds = [Round(one["query"], one["weight"], one["results"]) for one in given["rounds"]]
    scores = fuse(rounds, boost=given["multi_query_boost"])
    return {"scores": scores, "order": list(scores)}


def _terminate(given: Any, _: Workshop) -> object:
    again = goes_on(
        given["old_top"],
        given["new_top"],
        has_new=given["new_documents"],
        rounds=given["rounds_done"],
        least=given["threshold"],
        most=given["max_rounds"],
    )
    return "continue" if again else "stop"


ADAPTERS = {
    "query_decomposition": Adapter(_decompose, _parts),
    "positional_weight": Adapter(lambda given, _: decomposing.positional_weight(given["index"])),
    "specificity_bonus": Adapter(lambda given, _: decomposing.specificity_bonus(given["query"])),
    "subquery_weight": Adapter(
        lambda given, _: decomposing.subquery_weight(given["index"], given["query"])
    ),
    "fusion": Adapter(_fuse),
    "adaptive_termination": Adapter(_terminate),
}
