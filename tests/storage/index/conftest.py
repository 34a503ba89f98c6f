"""Indexes on disk: an empty one, and one of 300 notes."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.storage.index.building import item, open_index
from vaultmem.storage.index.database import Index

NOTES = [item(f"Note number {n} about topic{n % 40} and tea.") for n in range(300)]


@pytest.fixture
def index(tmp_path: Path) -> Index:
    return open_index(tmp_path / "index.sqlite")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A closed index of the notes."""
    path = tmp_path / "index.sqlite"
    open_index(path, *NOTES).close()
    return path
