"""The ledger: lines that nobody without the device's key can add, change or take out unseen."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from vaultmem.base.errors import BusyError
from vaultmem.storage.files.locking import try_lock
from vaultmem.vault import ledger
from vaultmem.vault.ledger import Entry

A, B, C = "a" * 40, "b" * 40, "c" * 40


def three_lines(state: Path) -> bytes:
    for head in (A, B, C):
        ledger.append(state, [Entry("ours", 1000, head=head, detail="remember")])
    return (state / ledger.FILE_NAME).read_bytes()


def put(state: Path, data: bytes) -> ledger.Ledger:
    (state / ledger.FILE_NAME).write_bytes(data)
    found = ledger.read(state)
    assert found is not None
    return found


def test_lines_come_back_as_they_were_written(tmp_path: Path) -> None:
    three_lines(tmp_path)
    found = ledger.read(tmp_path)
    assert found is not None
    assert [(line.number, line.head) for line in found.lines] == [(1, A), (2, B), (3, C)]
    assert (found.broken, found.torn) == ((), 0)
    assert ledger.tail(tmp_path) == found.lines[-1]


def test_a_line_that_says_no_head_keeps_the_one_before(tmp_path: Path) -> None:
    ledger.append(tmp_path, [Entry("ours", 1, head=A, lost=B)])
    ledger.append(tmp_path, [Entry("sent", 2, detail="x")])
    last = ledger.tail(tmp_path)
    assert last is not None
    assert (last.kind, last.head, last.lost) == ("sent", A, B)


def test_there_is_no_ledger_until_something_is_written(tmp_path: Path) -> None:
    assert ledger.tail(tmp_path) is None
    assert ledger.read(tmp_path) is None
    assert not ledger.key_is_there(tmp_path)


@pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX")
def test_only_the_owner_may_read_ledger_and_key(tmp_path: Path) -> None:
    three_lines(tmp_path)
    for name in (ledger.FILE_NAME, ledger.KEY_NAME):
        assert (tmp_path / name).stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("number", [0, 1, 2])
def test_a_changed_line_does_not_hold(tmp_path: Path, number: int) -> None:
    lines = three_lines(tmp_path).splitlines(keepends=True)
    lines[number] = lines[number].replace(b" 1000 ", b" 1001 ")
    assert put(tmp_path, b"".join(lines)).broken == (number + 1,)


def test_a_line_taken_out_shows_in_the_next(tmp_path: Path) -> None:
    first, _, last = three_lines(tmp_path).splitlines(keepends=True)
    assert put(tmp_path, first + last).broken == (2,)


def test_two_lines_that_changed_places_do_not_hold(tmp_path: Path) -> None:
    first, second, last = three_lines(tmp_path).splitlines(keepends=True)
    assert put(tmp_path, first + last + second).broken == (2, 3)


def test_a_line_sealed_without_the_key_does_not_hold(tmp_path: Path) -> None:
    data = three_lines(tmp_path)
    (tmp_path / "other").mkdir()
    ledger.append(tmp_path / "other", [Entry("ours", 1, head=A)])
    forged = (tmp_path / "other" / ledger.FILE_NAME).read_bytes()
    assert put(tmp_path, data + forged).broken == (4,)


@pytest.mark.parametrize("left", [b"4 10", b"\0" * 300, b""])
def test_what_a_power_cut_leaves_is_torn_not_broken(tmp_path: Path, left: bytes) -> None:
    data = three_lines(tmp_path)
    (tmp_path / ledger.FILE_NAME).write_bytes(data + left)
    last = ledger.tail(tmp_path)
    assert last is not None
    assert last.head == C
    ledger.append(tmp_path, [Entry("ours", 5, head=A)])
    found = ledger.read(tmp_path)
    assert found is not None
    assert [line.head for line in found.lines] == [A, B, C, A]
    assert (found.broken, found.torn) == ((), int(bool(left)))


def test_every_cut_of_the_file_leaves_whole_lines_and_goes_on(tmp_path: Path) -> None:
    data = three_lines(tmp_path)
    for size in range(len(data) + 1):
        (tmp_path / ledger.FILE_NAME).write_bytes(data[:size])
        ledger.append(tmp_path, [Entry("ours", 5, head=A)])
        found = ledger.read(tmp_path)
        assert found is not None
        assert found.broken == ()
        assert found.lines[-1].head == A


def test_the_last_line_is_found_behind_much_that_is_torn(tmp_path: Path) -> None:
    data = three_lines(tmp_path)
    (tmp_path / ledger.FILE_NAME).write_bytes(data + b"\0" * 100_000)
    last = ledger.tail(tmp_path)
    assert last is not None
    assert last.head == C


def test_a_lost_key_makes_the_old_lines_unproven_and_new_ones_go_on(tmp_path: Path) -> None:
    three_lines(tmp_path)
    (tmp_path / ledger.KEY_NAME).unlink()
    ledger.append(tmp_path, [Entry("begin", 5, head=A)])
    found = ledger.read(tmp_path)
    assert found is not None
    assert found.broken == (1, 2, 3)
    assert [line.kind for line in found.lines] == ["begin"]


def test_appends_of_many_processes_are_one_chain(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from vaultmem.vault.ledger import Entry, append\n"
        "for n in range(50): append(Path(sys.argv[1]), [Entry('ours', n), Entry('ours', n)])"
    )
    running = [subprocess.Popen([sys.executable, "-c", code, str(tmp_path)]) for _ in range(4)]
    assert [each.wait(60) for each in running] == [0, 0, 0, 0]
    found = ledger.read(tmp_path)
    assert found is not None
    assert (found.broken, found.torn) == ((), 0)
    assert [line.number for line in found.lines] == list(range(1, 401))


def test_a_holder_that_has_stopped_is_named_after_a_while(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    three_lines(tmp_path)
    monkeypatch.setattr(ledger, "_WAIT_SECONDS", 0.05)
    fd = os.open(tmp_path / ledger.FILE_NAME, os.O_RDWR)
    try:
        assert try_lock(fd)
        with pytest.raises(BusyError, match="ledger"):
            ledger.append(tmp_path, [Entry("ours", 5)])
    finally:
        os.close(fd)
