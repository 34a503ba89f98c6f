"""A vault that is told a life, a sentence every three days."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.conftest import FixedClock
from vaultmem import Memory


@pytest.fixture
def clock() -> FixedClock:
    return FixedClock(int(datetime(2026, 3, 2, 9, tzinfo=UTC).timestamp() * 1000))


@pytest.fixture
def memory(tmp_path: Path, clock: FixedClock) -> Iterator[Memory]:
    Memory.init(tmp_path / "vault", clock=clock)
    with Memory(tmp_path / "vault", clock=clock) as opened:
        yield opened
