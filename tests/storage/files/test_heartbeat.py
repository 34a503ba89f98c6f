"""A watcher's sign of life is believed only while it can be true."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from vaultmem.storage.files.locking import (
    FILE_NAME,
    Heartbeat,
    clear_heartbeat,
    read_heartbeat,
    write_heartbeat,
)


class TestHeartbeat:
    """Only a live process, and only its own sign."""

    @pytest.mark.skipif(os.name != "posix", reason="processes are asked by signal 0")
    def test_a_dead_process_is_not_believed(self, tmp_path: Path) -> None:
        process = subprocess.Popen([sys.executable, "-c", ""])
        pid = process.pid
        process.wait(timeout=60)
        write_heartbeat(tmp_path, Heartbeat(pid=pid, at=1.0, every_seconds=2, is_clean=True))
        assert read_heartbeat(tmp_path, monotonic=lambda: 1.5) is None

    @pytest.mark.parametrize(
        "text", ["", "x", "1 2", "a b c d", "{pid} nan 2.0 clean", "\x00" * 50, "-1 1 2 c"]
    )
    def test_damage_is_no_sign_of_life(self, tmp_path: Path, text: str) -> None:
        (tmp_path / FILE_NAME).write_text(text.replace("{pid}", str(os.getpid())))
        assert read_heartbeat(tmp_path, monotonic=lambda: 1.5) is None

    def test_only_its_own_is_taken_away(self, tmp_path: Path) -> None:
        write_heartbeat(tmp_path, Heartbeat(pid=77, at=1.0, every_seconds=2, is_clean=True))
        clear_heartbeat(tmp_path, 78)
        assert (tmp_path / FILE_NAME).exists()
        clear_heartbeat(tmp_path, 77)
        clear_heartbeat(tmp_path, 77)
        assert list(tmp_path.iterdir()) == []
