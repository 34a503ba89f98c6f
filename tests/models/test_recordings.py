"""Replies that are kept on this device: in the settings, with a vault, and after a purge."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import FixedClock
from tests.extract.test_model_extraction import LIVES, item, offers
from tests.models.scripted_server import KEY, served
from vaultmem.api.memory import Memory

SECRET_PLACE = "the flat in Linz is sold"


@pytest.fixture
def person(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    file = tmp_path / "person.toml"
    monkeypatch.setenv("VAULTMEM_CONFIG", str(file))
    return file


def files_under(folder: Path) -> list[Path]:
    return [file for file in folder.rglob("*") if file.is_file()]


def test_what_was_recorded_is_read_again_without_a_server_and_goes_with_a_purge(
    tmp_path: Path, person: Path
) -> None:
    root = tmp_path / "notes"
    Memory.init(root, name="notes")
    with served() as server:
        server.rule = lambda _: offers(item(SECRET_PLACE, kind="event"))
        settings = f'extractor = "llm"\n\n{server.settings()}'
        person.write_text(f'{settings}record = "record"\n', encoding="utf-8")
        with Memory(root, clock=FixedClock()) as memory:
            first = memory.remember(LIVES, dry_run=True)
            state = memory.opened.state
    assert [each.statement for each in first.items] == [SECRET_PLACE]
    assert len(files_under(state / "replies")) == 1

    person.write_text(f'{settings}record = "replay"\n', encoding="utf-8")
    with Memory(root, clock=FixedClock()) as memory:  # nobody listens any more
        done = memory.remember(LIVES)
        assert [each.statement for each in done.items] == [SECRET_PLACE]
        assert "no reply of" in memory.remember("The kettle is new.").without
        memory.forgetting.purge(match=SECRET_PLACE)
    for file in files_under(state):
        data = file.read_bytes()
        assert SECRET_PLACE.encode() not in data, file
        assert KEY.encode() not in data, file
