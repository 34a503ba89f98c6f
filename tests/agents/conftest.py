"""A memory under the clock of the machine: files of agents have its times."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from vaultmem.api.memory import Memory


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    Memory.init(tmp_path / "vault")
    with Memory(tmp_path / "vault") as memory:
        yield memory
