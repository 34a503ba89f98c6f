"""A process that was killed leaves nothing that an audit takes for the work of somebody else."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from vaultmem.api.memory import Memory

WRITER = """
import sys
from vaultmem.api.memory import Memory
with Memory(sys.argv[1]) as memory:
    print("ready", flush=True)
    for number in range(1000):
        memory.remember(f"{sys.argv[2]} {number} is the number of a locker.")
        print(number, flush=True)
"""


def test_a_killed_writer_is_not_suspicious(
    root: Path, times: Callable[[int], int], tally: Callable[..., None]
) -> None:
    dice = random.Random(7)
    written = 0
    rounds = times(8)
    for number in range(rounds):
        with subprocess.Popen(
            [sys.executable, "-c", WRITER, str(root), f"Round {number}"],
            stdout=subprocess.PIPE,
            text=True,
        ) as running:
            assert running.stdout is not None
            assert running.stdout.readline() == "ready\n"
            running.stdout.readline()
            time.sleep(dice.uniform(0, 0.15))  # the moment of the kill, not a wait for something
            running.kill()
            written += 1 + len(running.stdout.read().split())
        with Memory(root) as memory:
            report = memory.vault.audit()
            assert report.suspicious == ()
            memory.sync()
            assert memory.vault.audit().suspicious == ()
    with Memory(root) as memory:
        assert memory.vault.audit().recorded >= written
    tally("audits after a kill", kills=rounds, texts=written, suspicious=0)
