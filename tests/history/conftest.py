"""A vault whose clock stands still."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.history.notes import DAY, MONDAY, SetClock
from vaultmem.api.memory import Memory


@pytest.fixture
def still() -> SetClock:
    """Stands at nine (UTC) of Monday 2026-02-02; the vault was made the day before."""
    return SetClock(MONDAY)


@pytest.fixture
def vault(tmp_path: Path, still: SetClock) -> Iterator[Memory]:
    """A fresh vault, opened."""
    root = tmp_path / "vault"
    Memory.init(root, name="test", clock=SetClock(MONDAY - DAY))
    with Memory(root, clock=still) as memory:
        yield memory
