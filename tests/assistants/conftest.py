"""A vault that an assistant is given."""

from __future__ import annotations

from pathlib import Path

import pytest

from vaultmem.api.memory import Memory


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    """An empty one of a person at their own machine."""
    Memory.init(tmp_path / "vault")
    return tmp_path / "vault"
