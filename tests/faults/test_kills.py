"""SIGKILL at random moments of random work: nothing acknowledged is lost, nothing is torn."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.faults.figures import figures_of
from tests.faults.ledger import Expected, Ledger
from vaultmem.api.memory import Memory
from vaultmem.storage.files import is_due, temporaries

POINTS = 80  # for each of two seeds
HANGS_MS = 20_000
"""No recovery may take this long on any machine; how long they take is in the counted figures."""
REPOSITORY = Path(__file__).parents[2]

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system"),
]


@pytest.mark.parametrize("seed", [1, 2])
def test_a_writer_killed_at_any_moment_loses_nothing_acknowledged(
    tmp_path: Path, seed: int, times: Callable[[int], int], tally: Callable[..., None]
) -> None:
    """P1, P2: each file holds acknowledged or intended bytes; one command makes all sound."""
    figures = figures_of(
        *("tests.faults.kills", tmp_path, "--points", times(POINTS), "--seed", seed)
    )
    damage, under_way = figures.pop("damage"), figures.pop("under way")
    tally("kills", **figures, lost=len(damage))
    tally("killed during", **under_way)
    assert damage == []
    assert figures["points"] == times(POINTS)
    assert figures["slowest recovery in ms"] < HANGS_MS


def test_the_ledger_tells_torn_lost_and_unexpected_files(tmp_path: Path) -> None:
    """What the loop above looks for is found when it is there."""
    root = tmp_path / "vault"
    root.mkdir()
    ledger = Ledger(tmp_path / "ledger", root)
    note = root / "note.md"
    note.write_text("promised\n")
    ledger.acknowledge(head="")
    expected = Expected()
    place = expected.read(tmp_path / "ledger")

    def faults() -> int:
        from tests.faults.ledger import look

        return len(expected.faults(look(root)))

    assert faults() == 0
    for damaged in ("", "prom", "promised\n<<<<<<<\n"):
        note.write_text(damaged)
        assert faults() == 1
    note.unlink()
    assert faults() == 1
    ledger.intend({"note.md": None})
    expected.read(tmp_path / "ledger", start=place)
    assert faults() == 0
    (root / "other.md").write_text("nobody meant this\n")
    assert faults() == 1


def test_sync_clears_what_a_dead_writer_left_even_when_nothing_changed(tmp_path: Path) -> None:
    """Found by the loop: a lock of ours stayed until the next command that writes."""
    root = tmp_path / "vault"
    Memory.init(root)
    gone = os.fork()
    if gone == 0:
        os.kill(os.getpid(), signal.SIGKILL)
    os.waitpid(gone, 0)
    ours = root / f".git/vaultmem/index-{gone}-1"
    ours.write_bytes(b"")
    os.link(ours, root / ".git/index.lock")
    leftover = root / f".vaultmem/tmp/w-{gone:x}-1.0"
    leftover.write_text("half of a note")
    assert is_due(root)
    with Memory(root) as memory:
        memory.sync()
    assert not ours.exists()
    assert not (root / ".git/index.lock").exists()
    assert not leftover.exists()


def test_sync_does_not_wait_for_a_writer_that_is_alive(tmp_path: Path) -> None:
    """Temporary files of a living process say that it is at work, not that it died."""
    root = tmp_path / "vault"
    Memory.init(root)
    tag = temporaries.new_tag(time.time_ns())
    (root / f".vaultmem/tmp/{tag}.0").write_text("a note in the making")
    assert not is_due(root)
