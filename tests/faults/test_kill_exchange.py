"""SIGKILL in the middle of a pull or push: the next command repairs, the next exchange finishes."""

from __future__ import annotations

import shutil
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.devices.devices import Device, connected
from tests.faults.killed import killed
from tests.faults.test_kill_steps import KEPT, MOST_STEPS, assert_whole, statements

OURS, THEIRS = "I prefer tabs over spaces.", "I play the violin."

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no SIGKILL on this system"),
]


def steps_to_kill_at(total: int, wanted: int) -> range:
    """About so many steps, evenly spread."""
    return range(1, total + 1, max(1, total // wanted))


def prepared(tmp_path: Path, *, with_edits: bool) -> tuple[Device, Device]:
    """Two devices that both have news; the hub has those of one."""
    a, b = connected(tmp_path, "laptop", "phone")
    with a.memory() as memory:
        memory.remember(KEPT)
    a.push()
    b.push()
    with a.memory() as memory:
        memory.remember(THEIRS)
    a.push()
    if with_edits:
        with b.memory() as memory:
            memory.remember(OURS)
        text = b.read("streams/tasks.md")
        b.write("streams/tasks.md", text + "\n- [ ] Renew the passport\n")
    return a, b


@pytest.mark.parametrize("operation", ["pull", "push"])
@pytest.mark.parametrize("with_edits", [False, True], ids=["forward", "merge"])
def test_killed_exchange(
    tmp_path: Path,
    operation: str,
    with_edits: bool,
    times: Callable[[int], int],
    tally: Callable[..., None],
) -> None:
    a, b = prepared(tmp_path, with_edits=with_edits)
    saved = tmp_path / "saved"
    saved.mkdir()
    places = {b.home: saved / "phone", tmp_path / "hub.git": saved / "hub.git"}
    for place, copy in places.items():
        shutil.copytree(place, copy, symlinks=True)
    expected = {KEPT, THEIRS} | ({OURS, "Renew the passport"} if with_edits else set())

    def again() -> None:
        for place, copy in places.items():
            shutil.rmtree(place)
            shutil.copytree(copy, place, symlinks=True)

    with b.here():
        total = killed(b.root, operation, MOST_STEPS)
    assert total is not None
    kills = 0
    for at in steps_to_kill_at(total, times(6)):
        again()
        with b.here():
            if killed(b.root, operation, at) is None:
                kills += 1
            assert_whole(b.root)
            assert {KEPT} <= set(statements(b.root))
        b.push()
        with b.here():
            assert set(statements(b.root)) == expected
            assert statements(b.root) == sorted(expected)
            assert_whole(b.root)
    tally(f"kills in {operation}, {'merge' if with_edits else 'forward'}", kills=kills, steps=total)
    a.push()
    assert a.files() == b.files()
    assert a.head() == b.head()
