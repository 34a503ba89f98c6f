"""One writer at a time: excluded while it lives, free the moment it dies."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from vaultmem.base.errors import BusyError, DiskError
from vaultmem.storage.files.locking import WriterLock

HOLDER = """
import sys, time
from pathlib import Path
from vaultmem.storage.files.locking import WriterLock
with WriterLock(Path(sys.argv[1]), deadline_seconds=5):
    print("held", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def holder(tmp_path: Path) -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    return process


def _end(process: subprocess.Popen[str]) -> None:
    process.communicate(timeout=120)


def test_a_second_writer_is_told_who_writes(holder: subprocess.Popen[str], tmp_path: Path) -> None:
    naps: list[float] = []
    ticks = iter(range(100))
    with pytest.raises(BusyError, match=f"process {holder.pid} since") as busy:
        WriterLock(
            tmp_path, deadline_seconds=3, sleep=naps.append, monotonic=lambda: next(ticks)
        ).__enter__()
    assert busy.value.exit_code == 75
    assert naps
    _end(holder)
    with WriterLock(tmp_path, deadline_seconds=0):
        pass


def test_it_is_free_when_its_holder_is_killed(
    holder: subprocess.Popen[str], tmp_path: Path
) -> None:
    holder.send_signal(signal.SIGKILL)
    _end(holder)
    with WriterLock(tmp_path, deadline_seconds=0):
        assert (tmp_path / "lock").read_text().startswith(f"process {os.getpid()} ")


def test_one_process_excludes_itself(tmp_path: Path) -> None:
    first = WriterLock(tmp_path, deadline_seconds=0)
    with first, pytest.raises(BusyError), WriterLock(tmp_path, deadline_seconds=0):
        pass
    with first:
        pass


def test_a_failure_inside_frees_it(tmp_path: Path) -> None:
    with pytest.raises(KeyError), WriterLock(tmp_path, deadline_seconds=0):
        raise KeyError
    with WriterLock(tmp_path, deadline_seconds=0):
        pass


def test_a_left_over_text_holds_nothing(tmp_path: Path) -> None:
    (tmp_path / "lock").write_text("process 1 since ever on mars and a very long story" * 9)
    with WriterLock(tmp_path, deadline_seconds=0):
        assert "mars" not in (tmp_path / "lock").read_text()


def test_without_a_state_folder(tmp_path: Path) -> None:
    with pytest.raises(DiskError, match="cannot write to the device state"):
        WriterLock(tmp_path / "none", deadline_seconds=0).__enter__()


def test_a_linked_lock_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "lock").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(DiskError):
        WriterLock(tmp_path, deadline_seconds=0).__enter__()
    assert not (tmp_path / "elsewhere").exists()
