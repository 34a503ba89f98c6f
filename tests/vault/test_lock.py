"""What a writer sees to when it gets the lock."""

from __future__ import annotations

import os
import threading
import time
from pathlib import Path

from vaultmem import Memory
from vaultmem.storage import files
from vaultmem.vault import level
from vaultmem.vault.apply import writer_lock

LONG_AGO_NS = 1_700_000_000_000_000_000


def test_what_a_writer_finds_damaged_after_a_power_cut_is_named_by_check(
    memory: Memory, root: Path
) -> None:
    left = root / ".vaultmem/tmp"
    left.mkdir(parents=True, exist_ok=True)
    (left / "w-1-1.0").write_text("perhaps an edit")
    (left / "w-1-1.done").write_bytes(bytes(80))
    for file in left.iterdir():
        os.utime(file, ns=(LONG_AGO_NS, LONG_AGO_NS))
    memory.remember("I drink tea.")
    assert "damaged-leftover" in {problem.code for problem in memory.check().problems}


def test_a_scan_that_began_before_another_writer_wrote_is_not_used(
    memory: Memory, root: Path
) -> None:
    vault = memory.opened
    vault.ahead = files.scan_ahead(root, dict, include=vault.settings.include)
    holds = threading.Event()

    def other() -> None:
        with files.WriterLock(vault.state, deadline_seconds=5):
            holds.set()
            time.sleep(0.3)  # longer than a lock takes that nobody holds

    writing = threading.Thread(target=other)
    writing.start()
    assert holds.wait(5)
    with writer_lock(vault):
        assert vault.ahead is None
    writing.join()


def test_a_scan_that_began_before_the_index_was_made_anew_is_not_used(
    memory: Memory, root: Path
) -> None:
    """After an update the first command of a vault of a thousand notes found nothing."""
    memory.remember("I drink tea.")
    memory.remember("I prefer oat milk.")
    memory.sync()
    vault = memory.opened
    before, known = vault.index.dump(), vault.index.folders()
    level.rebuild(vault)  # as when the index is of another version
    vault.ahead = files.scan_ahead(root, lambda: known, include=vault.settings.include)
    assert memory.recall("tea").hits
    assert vault.index.dump() == before
