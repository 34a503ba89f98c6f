"""Which branch is exchanged, a save in the middle, and what a killed `init --from` leaves."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import FixedClock
from tests.devices.devices import Device, connected
from vaultmem.api.memory import Memory
from vaultmem.base.errors import HistoryError


@pytest.mark.parametrize("place", [0, 1])
def test_another_branch_is_not_sent_in_place_of_the_one_that_was_set(
    tmp_path: Path, place: int
) -> None:
    device = connected(tmp_path, "laptop", "phone")[place]
    device.git("switch", "-q", "-c", "experiment")
    device.write("notes.txt", "x")
    device.commit()
    for exchange in (device.push, device.pull):
        with pytest.raises(HistoryError, match="'experiment' is checked out") as refused:
            exchange()
        assert "git switch main" in refused.value.hint
    device.git("switch", "-q", "main")
    assert not device.push().pushed


def test_what_a_killed_attempt_left_is_removed_by_the_next_one(tmp_path: Path) -> None:
    connected(tmp_path, "laptop")
    phone = Device(tmp_path, "phone")
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait(timeout=60)
    phone.home.mkdir()
    left = phone.home / f".vault.{gone.pid}-0123abcd.new"
    running = phone.home / f".vault.{os.getpid()}-0123abcd.new"
    for folder in (left, running):
        (folder / "items").mkdir(parents=True)
    phone.receive(tmp_path / "hub.git")
    assert not left.exists()
    assert running.exists()
    assert (phone.root / "vaultmem.toml").exists()


class SavingClock(FixedClock):
    """When it is read for the nth time, a person saves a note in just that moment."""

    def __init__(self, device: Device, moment: int) -> None:
        super().__init__()
        self._device = device
        self._left = moment

    def now(self) -> int:
        self._left -= 1
        if self._left == 0:
            [note] = self._device.root.glob("items/**/*tea*.md")
            note.write_text(note.read_text() + "\nGreen, above all.\n")
        return super().now()


@pytest.mark.parametrize("moment", range(1, 8))
def test_a_note_saved_while_edits_are_settled_does_not_end_the_exchange(
    tmp_path: Path, moment: int
) -> None:
    [device] = connected(tmp_path, "laptop")
    with device.memory() as memory:
        memory.remember("I like tea.")
    path = "streams/identity.md"
    device.write(path, device.read(path).replace("like", "love"))
    with device.here(), Memory(device.root, clock=SavingClock(device, moment)) as memory:
        assert memory.devices.push().pushed
    device.push()
    [note] = device.root.glob("items/**/*tea*.md")
    assert "I love tea." in note.read_text()
    assert "Green, above all." in note.read_text()
