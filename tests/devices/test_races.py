"""Devices that push at the same time: everybody gets through, and nothing is lost."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from tests.devices.devices import connected
from vaultmem.model.answers import Filters

LOOP = """
import sys
from vaultmem.base.errors import RemoteMovedError
from vaultmem.api.memory import Memory
name, root, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
rounds = busy = 0
for number in range(count):
    with Memory(root) as memory:
        memory.remember(f"I prefer {name} number {number} to tea.", stream="identity")
        try:
            rounds += memory.devices.push().attempts
        except RemoteMovedError:
            busy += 1
print(rounds, busy)
"""


def test_two_devices_push_in_a_loop(
    tmp_path: Path, times: Callable[[int], int], tally: Callable[..., None]
) -> None:
    devices = connected(tmp_path, "laptop", "phone")
    count = times(5)
    running = [
        subprocess.Popen(
            [sys.executable, "-c", LOOP, each.name, str(each.root), str(count)],
            env=each.environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for each in devices
    ]
    rounds = busy = 0
    for process in running:
        out, err = process.communicate(timeout=300)
        assert process.returncode == 0, err
        rounds += int(out.split()[0])
        busy += int(out.split()[1])
    for device in (*devices, *devices):
        device.push()
    a, b = devices
    assert a.files() == b.files()
    with a.memory() as memory:
        rows = memory.list(Filters(types=("item",)))
        assert len({row.statement for row in rows}) == 2 * count
        assert memory.check().problems == ()
    tally("raced pushes", pushes=2 * count, rounds=rounds, busy=busy)
