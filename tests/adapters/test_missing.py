"""An adapter whose framework is not installed says what to install."""

from __future__ import annotations

import importlib
import sys

import pytest

from vaultmem.adapters import MissingFrameworkError


@pytest.mark.parametrize(("adapter", "package"), [("anthropic", "anthropic")])
def test_it_says_what_to_install(
    adapter: str, package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [each for each in sys.modules if each.partition(".")[0] == package]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, package, None)
    monkeypatch.delitem(sys.modules, f"vaultmem.adapters.{adapter}", raising=False)
    with pytest.raises(MissingFrameworkError, match=f"pip install {package}"):
        importlib.import_module(f"vaultmem.adapters.{adapter}")
