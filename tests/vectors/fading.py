"""Adapters for how a memory fades."""

from __future__ import annotations

from typing import Any

from tests.vectors.suite import Adapter, Workshop
from vaultmem.recall.decay import decay_weight, reference


def _edge_decay(given: Any, _: Workshop) -> object:
    return decay_weight(given["weight"], given["elapsed_ms"], given.get("half_life_ms"))


def _edge_decay_reference(given: Any, _: Workshop) -> object:
    edge, now = given["edge"], given["now_ms"]
    since = reference(
        now=now,
        valid_from=edge.get("valid_from_ms"),
        valid_until=edge.get("valid_until_ms"),
        last_confirmed=edge.get("last_confirmed_ms"),
        recorded_at=edge.get("recorded_at_ms"),
    )
    elapsed = 0 if since is None else now - since
    return decay_weight(edge["weight"], elapsed, given.get("half_life_ms"))


ADAPTERS = {
    "edge_decay": Adapter(_edge_decay),
    "edge_decay_reference": Adapter(_edge_decay_reference),
}
