"""A vault of a few facts in one category, beside a scripted model."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import FixedClock
from tests.models.scripted_server import ScriptedServer
from vaultmem.api.memory import Memory


@pytest.fixture
def vault(
    request: pytest.FixtureRequest,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    server: ScriptedServer,
) -> Path:
    """The FACTS of the module in its CATEGORY; the model is there, rules extract.

    The person's settings are `person.toml` beside the vault.
    """
    file = tmp_path / "person.toml"
    monkeypatch.setenv("VAULTMEM_CONFIG", str(file))
    file.write_text(server.settings(), encoding="utf-8")
    root = tmp_path / "notes"
    Memory.init(root, name="notes")
    with Memory(root, clock=FixedClock()) as memory:
        for fact in request.module.FACTS:
            memory.remember(fact, category=request.module.CATEGORY)
    return root
