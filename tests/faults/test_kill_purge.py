"""SIGKILL while something is erased: the old repository whole or the new one, and again ends it."""

from __future__ import annotations

import shutil
import signal
import subprocess
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from tests.faults.killed import killed
from tests.forget.test_purge import OTHER, SECRET, WORD, everywhere
from vaultmem.api.memory import Memory
from vaultmem.base.errors import UnknownNoteError

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no SIGKILL on this system"),
]
BEYOND = 10_000


def prepared(root: Path) -> str:
    """A vault with a secret in it; the id of its item."""
    Memory.init(root)
    with Memory(root) as memory:
        memory.remember(OTHER)
        [item] = memory.remember(SECRET).items
        memory.remember("Leni plays the piano.")
    for words in (["tag", "-a", "v1", "-m", WORD], ["notes", "add", "-m", WORD]):
        subprocess.run(["git", *words], cwd=root, check=True, capture_output=True)
    return item.id


def forget_all(root: Path) -> None:
    """The vault with its device state."""
    with Memory(root) as memory:
        state = memory.settings.state
    shutil.rmtree(state)
    shutil.rmtree(root)


def test_killed_anywhere_and_run_again_it_is_gone(
    tmp_path: Path, times: Callable[[int], int], tally: Callable[..., None]
) -> None:
    first, root = tmp_path / "first", tmp_path / "vault"
    id_ = prepared(first)
    with Memory(first) as memory:
        others = {row.id for row in memory.list() if row.id and row.type == "item"} - {id_}
    shutil.copytree(first, root, symlinks=True)
    total = killed(root, "purge", BEYOND, id_)
    assert total is not None
    forget_all(root)
    points, kills = times(14), 0
    for number in range(points):
        at = 1 + number * (total - 1) // max(1, points - 1)
        shutil.copytree(first, root, symlinks=True)
        steps = killed(root, "purge", at, id_)
        kills += steps is None
        fsck = subprocess.run(["git", "fsck", "--full"], cwd=root, capture_output=True, text=True)
        assert (at, fsck.returncode, fsck.stderr) == (at, 0, "")
        with Memory(root) as memory:
            note = memory.opened.state / "purging"
            assert not note.exists() or WORD.encode() not in note.read_bytes()
            with suppress(UnknownNoteError):  # it had come so far that the lock's taker ended it
                assert memory.forgetting.purge(id_).places == ()
            assert (at, everywhere(memory, WORD, id_)) == (at, [])
            assert {r.id for r in memory.list() if r.id and r.type == "item"} == others
            assert (at, memory.check(deep=True).problems) == (at, ())
            assert (at, memory.vault.audit().suspicious) == (at, ())
            assert memory.recall("piano").hits
        status = ["git", "status", "--porcelain"]
        done = subprocess.run(status, cwd=root, check=True, capture_output=True, text=True)
        assert (at, done.stdout) == (at, "")
        forget_all(root)
    tally("SIGKILL in purge", kills=kills, steps=total)
