"""A file that cannot be trusted is one error, whose cure is to build it again."""

from __future__ import annotations

import random
import sqlite3
from pathlib import Path

import pytest

from tests.storage.index.building import IDENTITY, item, put, statements
from tests.storage.index.conftest import NOTES
from vaultmem.base.errors import BusyError, IndexDamagedError
from vaultmem.model.answers import Filters
from vaultmem.storage.index.database import Index
from vaultmem.storage.index.store import session
from vaultmem.storage.index.store.file import SCHEMA_VERSION


def use(file: Path) -> None:
    """Everything that reads, and a change."""
    with Index.open(file, identity=IDENTITY) as index:
        index.search("topic7 tea nubmer")
        index.list(Filters())
        index.counts()
        index.dump()
        put(index, [item("Something new about topic7.")])
        with index.writing():
            index.remove([NOTES[3].path, NOTES[200].path])


@pytest.mark.parametrize(
    ("statement", "reason"),
    [
        (f"PRAGMA user_version={SCHEMA_VERSION + 1}", "version"),
        ("PRAGMA user_version=0", "version"),
        ("PRAGMA application_id=1", "another program"),
        ("UPDATE meta SET value='x' WHERE key='identity'", "another identity"),
        ("DELETE FROM meta WHERE key='identity'", "another identity"),
        ("UPDATE meta SET value='de' WHERE key='languages'", "another languages"),
        ("UPDATE meta SET value='+01:00' WHERE key='zone'", "another zone"),
        ("DROP TABLE meta", "no such table"),
    ],
)
def test_another_version_vault_or_setting(file: Path, statement: str, reason: str) -> None:
    with sqlite3.connect(file) as connection:
        connection.execute(statement)
    connection.close()
    with pytest.raises(IndexDamagedError, match=reason) as caught:
        Index.open(file, identity=IDENTITY)
    assert caught.value.file == file


@pytest.mark.parametrize("size", [50, 100, 4_096, 20_000, 60_000])
def test_a_truncated_file(file: Path, size: int) -> None:
    file.write_bytes(file.read_bytes()[:size])
    with pytest.raises(IndexDamagedError):
        use(file)


def test_no_database_at_all(file: Path) -> None:
    file.write_bytes(b"not a database, but long enough to look like a file of some kind" * 100)
    with pytest.raises(IndexDamagedError):
        Index.open(file, identity=IDENTITY)


def test_an_empty_file_is_an_empty_index(file: Path) -> None:
    file.write_bytes(b"")
    with Index.open(file, identity=IDENTITY) as index:
        assert index.note_count() == 0


def test_any_page_of_zeros_is_noticed_or_changes_nothing(file: Path) -> None:
    whole = file.read_bytes()
    for start in range(0, len(whole), 8_192):
        file.write_bytes(whole[:start] + bytes(8_192) + whole[start + 8_192 :])
        for side in ("-wal", "-shm"):
            file.with_name(file.name + side).unlink(missing_ok=True)
        try:
            use(file)
        except IndexDamagedError:
            continue


def test_flipped_bytes_are_never_another_error(file: Path) -> None:
    whole = file.read_bytes()
    chance = random.Random(7)
    for _ in range(60):
        damaged = bytearray(whole)
        places = [chance.randrange(100), *(chance.randrange(len(whole)) for _ in range(30))]
        for place in places:
            damaged[place] ^= 1 << chance.randrange(8)
        file.write_bytes(damaged)
        for side in ("-wal", "-shm"):
            file.with_name(file.name + side).unlink(missing_ok=True)
        try:
            use(file)
        except IndexDamagedError:
            continue


def test_create_replaces_whatever_is_there(file: Path) -> None:
    file.write_bytes(b"garbage" * 1_000)
    with Index.create(file, identity=IDENTITY) as index:
        assert index.note_count() == 0
        put(index, NOTES[:1])
        assert len(statements(index, "tea")) == 1


@pytest.mark.parametrize("ending", ["", "-wal", "-journal"])
def test_a_folder_in_its_place_is_moved_aside_whole(file: Path, ending: str) -> None:
    folder = file.with_name(file.name + ending)
    for side in (file, file.with_name(file.name + "-wal")):
        side.unlink(missing_ok=True)
    folder.mkdir()
    (folder / "mine.txt").write_text("not yours")
    with pytest.raises(IndexDamagedError, match="no file"):
        use(file)
    with Index.create(file, identity=IDENTITY) as index:
        put(index, NOTES[:1])
        assert len(statements(index, "tea")) == 1
    [kept] = file.parent.glob("*.aside-*/mine.txt")
    assert kept.read_text() == "not yours"


def test_a_lock_is_no_damage(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session, "BUSY_SECONDS", 0.05)
    one = Index.open(file, identity=IDENTITY)
    other = Index.open(file, identity=IDENTITY)
    with one.writing():
        assert other.note_count() == len(NOTES)  # readers go on
        with pytest.raises(BusyError):
            put(other, NOTES)
    put(other, NOTES)
    assert other.note_count() == len(NOTES)


def test_closing_twice_is_no_error(file: Path) -> None:
    index = Index.open(file, identity=IDENTITY)
    index.close()
    index.close()
