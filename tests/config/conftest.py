"""A home, an environment and a vault for every test of settings."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.config.files import Environ, make_vault


@pytest.fixture
def home(tmp_path: Path) -> Path:
    folder = tmp_path / "home"
    folder.mkdir()
    return folder


@pytest.fixture
def environ(home: Path) -> Environ:
    """Nothing of the environment that the tests run in."""
    return {"HOME": str(home), "VAULTMEM_DEVICE": "laptop"}


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    return make_vault(tmp_path / "notes")
