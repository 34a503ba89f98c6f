"""A vault, its device state and an export of the first version (commit f5b6a19) open unchanged."""

from __future__ import annotations

import shutil
import tarfile
from pathlib import Path

import pytest

from tests.conftest import FixedClock
from vaultmem import Filters, Memory
from vaultmem.config.settings import load_settings

MADE = Path(__file__).parents[1] / "data" / "vault-of-first-version.tar.gz"


@pytest.fixture
def older(tmp_path: Path) -> Path:
    """The folder with `vault` and `export.json`; the state lies where this device looks for it."""
    with tarfile.open(MADE) as archive:
        if hasattr(tarfile, "data_filter"):  # not in the first releases of Python 3.11
            archive.extractall(tmp_path, filter="data")
        else:
            archive.extractall(tmp_path)
    state = load_settings(tmp_path / "vault").state
    (kept,) = (
        each
        for each in (tmp_path / "state" / "vaultmem").iterdir()
        if each.name != "device" and each.name != "settings"
    )
    state.parent.mkdir(parents=True, exist_ok=True)
    shutil.copytree(kept, state)
    return tmp_path


def bytes_of(vault: Path) -> dict[str, bytes]:
    return {
        file.relative_to(vault).as_posix(): file.read_bytes()
        for file in vault.rglob("*")
        if file.is_file() and ".git" not in file.parts
    }


def test_it_answers_and_no_file_of_it_changes(older: Path, clock: FixedClock) -> None:
    before = bytes_of(older / "vault")
    with Memory(older / "vault", clock=clock) as memory:
        assert memory.check().problems == ()
        assert memory.recall("where do I live").hits[0].note.statement == "I live in Graz."
        (then,) = memory.recall("where do I live", known_at="2026-03-02T12:00Z", limit=1).hits
        assert then.note.statement == "I live in Vienna."
        held = [line.text for line in memory.session("talk").show().truth]
        assert "Never use tabs." in held
        assert len(memory.history.log()) == 6
    assert bytes_of(older / "vault") == before


def test_it_goes_on(older: Path, clock: FixedClock) -> None:
    with Memory(older / "vault", clock=clock) as memory:
        done = memory.remember("We moved to Oban.")
        assert any("I live in Graz." in effect for effect in done.items[0].effects)
        memory.session("talk").end()
        assert memory.check().problems == ()


def test_its_export_is_taken_in(older: Path, clock: FixedClock) -> None:
    Memory.init(older / "other", name="other", clock=clock)
    with Memory(older / "other", clock=clock) as memory:
        memory.import_from(older / "export.json", writer="person")
        said = {row.statement for row in memory.list(Filters(types=("item",)))}
        assert {"I live in Graz.", "I prefer tea over coffee."} <= said
        assert memory.check().problems == ()
