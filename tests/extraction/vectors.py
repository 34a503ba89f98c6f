"""Reads the suites of tests/data/vectors.json that extraction has to meet."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

FILE = Path(__file__).parents[1] / "data" / "vectors.json"


def cases(suite: str) -> list[Any]:
    """The cases of a suite: mappings with `id`, `input` and `expected`."""
    loaded = json.loads(FILE.read_text(encoding="utf-8"))
    listed = loaded["suites"][suite]["cases"]
    assert isinstance(listed, list)
    return listed


def ids(listed: list[Any]) -> list[str]:
    """The names of the cases, for the test report."""
    return [str(case["id"]) for case in listed]
