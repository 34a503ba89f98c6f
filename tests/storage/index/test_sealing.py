"""A file that is as this program left it is believed, whoever died over it; no other one is."""

from __future__ import annotations

import contextlib
import os
import random
import shutil
import sqlite3
import sys
import traceback
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.storage.index.building import IDENTITY, item, open_index, put
from tests.storage.index.conftest import NOTES
from vaultmem.base.errors import BusyError, IndexDamagedError
from vaultmem.storage.index.database import Index
from vaultmem.storage.index.store import seal as sealing
from vaultmem.storage.index.store import session
from vaultmem.storage.index.store.file import connect

forks = pytest.mark.skipif(sys.platform == "win32", reason="there is no fork")


def is_level(file: Path) -> bool:
    """Whether the seal says of each page what is in it."""
    sealed = sealing.read(file)
    with Index.open(file, identity=IDENTITY) as index:
        whole = index._connection.serialize()
    assert sealed is not None
    return sealed.pages == sealing._checksums(whole)


def in_child(work: Callable[[], None]) -> int:
    """The id of a child that does the work and dies without cleaning up; status 1: it failed."""
    child = os.fork()
    if child:
        return child
    try:
        work()
        os._exit(0)
    except BaseException:  # noqa: BLE001  # the parent is told by the status
        traceback.print_exc()
        os._exit(1)


def ended_well(child: int) -> bool:
    return os.waitpid(child, 0)[1] == 0


def test_reading_leaves_file_and_seal_alone(file: Path) -> None:
    before = {each.name: each.stat() for each in file.parent.iterdir()}
    for _ in range(3):
        with Index.open(file, identity=IDENTITY) as index:
            assert index.note_count() == 300
    after = {each.name: each.stat() for each in file.parent.iterdir()}
    assert {name: (s.st_mtime_ns, s.st_ino) for name, s in before.items()} == {
        name: (s.st_mtime_ns, s.st_ino) for name, s in after.items()
    }


def test_writing_seals_anew(file: Path) -> None:
    with Index.open(file, identity=IDENTITY) as index:
        put(index, [item("Something new.")])
    assert is_level(file)


def test_a_large_change_is_sealed_while_the_file_stays_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session, "LOG_BYTES", 100_000)
    file = tmp_path / "index.sqlite"
    index = open_index(file)
    for start in range(0, 300, 20):
        put(index, NOTES[start : start + 20])
    assert file.stat().st_size > 100_000
    sealed = sealing.read(file)
    assert sealed is not None
    assert sealed.stamp == sealing._stamp(file)
    index.close()
    assert is_level(file)


def test_a_write_within_a_tick_of_the_clock_is_noticed(file: Path) -> None:
    content = bytearray(file.read_bytes())
    for place in random.Random(1).sample(range(100, len(content)), 20):
        with Index.open(file, identity=IDENTITY) as index:
            put(index, [item(f"Something new, {place}.")])
        content = bytearray(file.read_bytes())
        content[place] ^= 1
        file.write_bytes(content)  # microseconds later: the times may be those of the checkpoint
        with pytest.raises(IndexDamagedError):
            Index.open(file, identity=IDENTITY)
        content[place] ^= 1
        file.write_bytes(content)
    Index.open(file, identity=IDENTITY).close()


def test_a_copy_is_compared_once_and_then_believed(file: Path, tmp_path: Path) -> None:
    (tmp_path / "copy").mkdir()
    for each in file.parent.glob("index.sqlite*"):
        shutil.copyfile(each, tmp_path / "copy" / each.name)
    copy = tmp_path / "copy" / file.name
    sealed = sealing.read(copy)
    assert sealed is not None
    assert sealed.stamp != sealing._stamp(copy)
    Index.open(copy, identity=IDENTITY).close()
    sealed = sealing.read(copy)
    assert sealed is not None
    assert sealed.stamp == sealing._stamp(copy)


def test_a_copy_in_memory_holds_no_damage(file: Path) -> None:
    content = bytearray(file.read_bytes())
    content[content.index(b"Note number 7 ")] ^= 1
    file.write_bytes(content)
    with Index.copy(file, identity=IDENTITY) as index:
        assert index.note_count() == 0


@forks
@pytest.mark.parametrize("moment", ["written", "merged", "moved", "closed"])
def test_whoever_dies_over_it_costs_no_rebuild(file: Path, moment: str) -> None:
    def work() -> None:
        index = Index.open(file, identity=IDENTITY)
        put(index, [item(f"Something new {n}.") for n in range(50)])
        if moment == "merged":
            sealing.catch_up(file)
        if moment == "moved":
            sealing.catch_up(file)
            index._connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
        if moment == "closed":
            sealing.catch_up(file)
            index._connection.close()

    assert ended_well(in_child(work))
    assert file.with_name(f"{file.name}-wal").exists() is (moment != "closed")
    with Index.open(file, identity=IDENTITY) as index:
        assert index.note_count() == 350
    assert is_level(file)


@forks
def test_many_processes_at_once_never_doubt_it(
    file: Path, monkeypatch: pytest.MonkeyPatch, times: Callable[[int], int]
) -> None:
    monkeypatch.setattr(session, "LOG_BYTES", 60_000)

    def work(seed: int) -> None:
        chance = random.Random(seed)
        for n in range(times(15)):
            with Index.open(file, identity=IDENTITY) as index:
                assert index.search("topic7").found
                for k in range(chance.randrange(4)):
                    try:
                        put(index, [item(f"Of process {seed}, {n}, {k}.")])
                    except BusyError:
                        continue

    children = [in_child(lambda seed=seed: work(seed)) for seed in range(4)]  # type: ignore[misc]
    ended = [ended_well(child) for child in children]
    assert all(ended)
    assert is_level(file)


def test_a_file_that_others_write_to_while_it_is_compared_is_no_damaged_one(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "copy").mkdir()
    for each in file.parent.glob("index.sqlite*"):
        shutil.copyfile(each, tmp_path / "copy" / each.name)
    compared = tmp_path / "copy" / file.name
    whole, written = sealing._caught_up, 0

    def caught_up(path: Path, seal: sealing.Seal) -> sealing.Seal:
        nonlocal written
        level = whole(path, seal)
        other = sqlite3.connect(path, timeout=0)
        with contextlib.suppress(sqlite3.OperationalError):  # who compares is alone at last
            other.execute("UPDATE meta SET value = value || ' ' WHERE key = 'zone'")
            other.commit()
            written += 1
        held.append(other)  # closing it would move the log
        return level

    held: list[sqlite3.Connection] = []
    connection = connect(compared, busy_seconds=1)
    monkeypatch.setattr(sealing, "_caught_up", caught_up)
    assert sealing.doubt(connection, compared) == ""
    assert written == sealing._TRIES
    monkeypatch.undo()
    for link in (*held, connection):
        link.close()


def test_any_bit_of_the_seal_may_flip(file: Path) -> None:
    seal = file.with_name(file.name + sealing.ENDING)
    whole = seal.read_bytes()
    for place in range(0, len(whole), 5):
        damaged = bytearray(whole)
        damaged[place] ^= 4
        seal.write_bytes(damaged)
        connection = connect(file, busy_seconds=1)
        # A damaged checksum matters only once it is needed; a damaged stamp needs them.
        assert (sealing.doubt(connection, file) == "") is (not 0 <= place < 40)
        connection.close()
    with sqlite3.connect(file) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    connection.close()
