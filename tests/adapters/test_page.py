"""The examples of `vaultmem help adapters` print what is shown below them."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "vaultmem/docs/adapters.md"
EXAMPLE = re.compile(r"^```python\n(.*?)^```\n(?:\n```\n(.*?)^```\n)?", re.MULTILINE | re.DOTALL)
EXAMPLES = [(found[1], found[2] or "") for found in EXAMPLE.finditer(PAGE.read_text("utf-8"))]
MISSING = re.compile(r"which is missing: pip install [\w-]+|No module named 'llama_index[\w.]*'")


@pytest.mark.parametrize(("code", "shown"), EXAMPLES, ids=lambda text: text.partition("\n")[0])
def test_an_example_prints_what_is_shown(code: str, shown: str, tmp_path: Path) -> None:
    """In a process of its own: LlamaIndex leaves a database open for the collector to find."""
    assert sum(map(bool, code.splitlines())) <= 12
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, timeout=120
    )
    missing = MISSING.search(done.stderr)
    if missing:
        pytest.skip(f"{missing[0]} (or python -m tests.adapters)")
    assert (done.stdout, done.returncode) == (shown, 0), done.stderr
