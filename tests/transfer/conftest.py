"""A second vault, and what is carried to it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import FixedClock
from vaultmem.api.memory import Memory


@pytest.fixture
def other(tmp_path: Path, clock: FixedClock) -> Iterator[Memory]:
    """A second, empty vault."""
    Memory.init(tmp_path / "other", name="other", clock=clock)
    with Memory(tmp_path / "other", clock=clock) as opened:
        yield opened
