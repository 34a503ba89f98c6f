"""The system's events fail: too many saves at once, no watches left. Nothing is missed (F10)."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.faults.crowd import ROOT, run, until, watching
from vaultmem.api.memory import Memory
from vaultmem.model.ids import blob_oid

pytestmark = pytest.mark.slow

NOTES = 1000
FEW_WATCHES = "echo 1 > /proc/sys/user/max_inotify_watches; exec "


def test_a_burst_of_thirty_thousand_saves(
    root: Path, times: Callable[[int], int], tally: Callable[..., None]
) -> None:
    """A thousand notes, each saved thirty times by rename, faster than events can be handed on."""
    saves = times(15_000)
    folder = root / "items" / "burst"
    folder.mkdir(parents=True)
    with watching(root) as process, Memory(root) as memory:
        for number in range(saves):
            beside = folder / ".save"
            beside.write_text(f"Note {number % NOTES} has its version {number // NOTES}.\n")
            os.replace(beside, folder / f"note-{number % NOTES}.md")
        ended = time.monotonic()
        wanted = {
            f"items/burst/{file.name}": blob_oid(file.read_bytes()) for file in folder.iterdir()
        }

        def missing() -> int:
            # The index alone is asked: no look of ours helps the watcher.
            known = memory._vault.index.files(None)
            return sum(path not in known or known[path].oid != oid for path, oid in wanted.items())

        behind = missing()
        until(lambda: missing() == 0, seconds=120)
        tally(
            "burst",
            saves=saves,
            behind_at_its_end=behind,
            seconds_until_nothing_was_missing=f"{time.monotonic() - ended:.1f}",
        )
        assert process.poll() is None


def _can_limit() -> bool:
    if sys.platform != "linux" or shutil.which("unshare") is None:
        return False
    tried = subprocess.run(
        ["unshare", "-U", "-r", "sh", "-c", FEW_WATCHES + "true"], capture_output=True, check=False
    )
    return tried.returncode == 0


def test_no_watches_left(root: Path) -> None:
    """ENOSPC for real, by a limit of the user namespace: it polls, and `status` says so."""
    if not _can_limit():
        pytest.skip("this system does not let a test lower the number of watches")
    watch = f"'{sys.executable}' -m vaultmem watch --vault '{root}'"
    process = subprocess.Popen(
        ["unshare", "-U", "-r", "sh", "-c", FEW_WATCHES + watch],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        assert process.stdout is not None
        told = [process.stdout.readline() for _ in range(2)]
        assert any("the system cannot watch folders" in line for line in told), told
        until(lambda: "without events: looks every 2 s" in run(root, "status").stdout)
        (root / "items").mkdir(exist_ok=True)
        (root / "items/note.md").write_text("I like tea.\n")
        line = process.stdout.readline()
        while "I like tea." not in line:
            assert line, "the watcher ended"
            line = process.stdout.readline()
    finally:
        process.terminate()
        process.communicate(timeout=60)
    assert "not running" in run(root, "status").stdout


def test_a_watcher_that_was_killed_is_not_believed(root: Path) -> None:
    """Its sign of life says that nothing was touched; the process is gone."""
    with watching(root) as process:
        until(lambda: "running (process" in run(root, "status").stdout)
        process.kill()
        process.wait(timeout=60)
        (root / "items").mkdir(exist_ok=True)
        (root / "items/note.md").write_text("I like tea.\n")
        assert "tea" in run(root, "recall", "tea").stdout
        assert "not running" in run(root, "status").stdout
