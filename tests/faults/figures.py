"""Figures of a loop of faults that runs as a process of its own."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

from tests.conftest import PROJECT


def figures_of(module: str, *words: object) -> dict[str, Any]:
    """What `python -m module` printed as JSON."""
    done = subprocess.run(
        [sys.executable, "-m", module, *map(str, words)],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    figures: dict[str, Any] = json.loads(done.stdout)
    return figures
