"""Mend the repository of a vault: say what will be done, do it, look again, until nothing is left.

Safe to interrupt anywhere: each step is whole or not done, and the next run plans anew.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from vaultmem.model.reports import Planned
from vaultmem.storage.git.repair.mend import Repair, Step

if TYPE_CHECKING:
    from vaultmem.vault.vault import Parts

KEPT = "kept"
# What is missing shows when what is broken is out of the way: five kinds, some of them twice.
MOST_ROUNDS = 12


def repair_of(parts: Parts, *, deep: bool = False) -> Repair:
    """The repository of the vault as something to be mended; `deep` as in `Repair`."""
    stamp = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime(parts.clock.now() // 1000))
    kept = parts.settings.state / KEPT / stamp
    heads = (parts.index.meta("head"), parts.index.meta("settled"))
    known = tuple(oid for oid in heads if oid)
    return Repair(parts.root, parts.state, kept=kept, known_heads=known, deep=deep)


def planned(steps: Sequence[Step]) -> tuple[Planned, ...]:
    """The steps as they are told."""
    return tuple(Planned(path=step.path, what=step.what, undo=step.undo) for step in steps)


def mend_repository(
    parts: Parts, announce: Callable[[Sequence[Planned]], None]
) -> tuple[tuple[Planned, ...], Path]:
    """Do what can be done, each round announced before it is done; what was done, what is kept."""
    from vaultmem.storage.files.locking import WriterLock
    from vaultmem.storage.git.history import History

    done: list[Planned] = []
    repair = repair_of(parts, deep=True)
    kept = repair.kept
    with WriterLock(parts.state, deadline_seconds=parts.settings.sync_lock_wait_seconds):
        repair.release_dead()
        before: tuple[Step, ...] = ()
        for _ in range(MOST_ROUNDS):
            steps = repair.plan()
            if not steps or steps == before:
                break
            announce(planned(steps))
            for step in steps:
                repair.carry_out(step)
            done += planned(steps)
            before = steps
            known = repair.known_heads
            repair = Repair(parts.root, parts.state, kept=kept, known_heads=known, deep=True)
    if done:
        parts.known_history = History.open(parts.root, parts.state)
    return tuple(done), kept
