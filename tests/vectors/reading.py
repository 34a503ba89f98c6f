"""The adapter for reading by tiers: what a reply about summaries means, and which tier answers."""

from __future__ import annotations

from typing import Any

from tests.vectors.suite import Adapter, Workshop
from vaultmem.recall import tiers


def _tier(given: Any, _: Workshop) -> object:
    return {"sufficient": tiers.says_yes(given["judge_answer"])}


ADAPTERS = {"tiered_read_path": Adapter(_tier)}
