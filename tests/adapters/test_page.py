"""The examples of `vaultmem help adapters` print what is shown below them."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path

import pytest

from vaultmem.adapters import MissingFrameworkError

PAGE = Path(__file__).parents[2] / "vaultmem/docs/adapters.md"
EXAMPLE = re.compile(r"^```python\n(.*?)^```\n(?:\n```\n(.*?)^```\n)?", re.MULTILINE | re.DOTALL)
EXAMPLES = [(found[1], found[2] or "") for found in EXAMPLE.finditer(PAGE.read_text("utf-8"))]


@pytest.mark.parametrize(("code", "shown"), EXAMPLES, ids=lambda text: text.partition("\n")[0])
def test_an_example_prints_what_is_shown(
    code: str, shown: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert len(code.splitlines()) <= 12
    monkeypatch.chdir(tmp_path)
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        try:
            exec(compile(code, "example", "exec"), {"__name__": "example"})
        except MissingFrameworkError as error:
            pytest.skip(f"{error} (or python -m tests.clients)")
    assert printed.getvalue() == shown
