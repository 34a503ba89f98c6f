"""The memory behind the server, for what the person does beside it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from vaultmem.api.memory import Memory


@pytest.fixture
def memory(vault: Path) -> Iterator[Memory]:
    """The person at their own machine."""
    with Memory(vault) as memory:
        yield memory
