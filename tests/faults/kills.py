"""SIGKILL a writer at random moments, again and again, and look for damage after each.

    python -m tests.faults.kills FOLDER --points 500 [--seed 1]

Workers are forked from this process, so that one costs milliseconds. A worker's git processes
are of its process group and die with it, except every fifth time, when they live on while the
vault is already being recovered. Prints one JSON object.
"""

from __future__ import annotations

import argparse
import contextlib
import ctypes
import json
import os
import random
import shutil
import signal
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

from tests.faults import autopsy
from tests.faults.forks import forked, to_the_end
from tests.faults.ledger import Expected, Ledger, look
from tests.faults.toil import Toil
from vaultmem.api.memory import Memory

LONGEST_LIFE_SECONDS = 0.06
MOST_ACKNOWLEDGED = 2
_LOOK_SECONDS = 0.002
_GIVE_UP_SECONDS = 60.0
KILLS_A_VAULT = 40
_SUBREAPER = 36  # PR_SET_CHILD_SUBREAPER of linux/prctl.h


def main() -> None:
    """Run the loop, print what was counted."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--points", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_SUBREAPER, 1, 0, 0, 0)
    print(json.dumps(Loop(options.folder, options.seed).run(options.points)))


class Loop:
    """Kill after kill on one vault, then on the next."""

    def __init__(self, folder: Path, seed: int) -> None:
        self._folder = folder
        self._random = random.Random(seed)
        self._figures: Counter[str] = Counter()
        self._under_way: Counter[str] = Counter()
        self._damage: list[str] = []
        self._slowest = 0.0

    def run(self, points: int) -> dict[str, Any]:
        """Figures of so many kills; stops at the first damage, whose vault stays for a look."""
        self._warm_up()
        for start in range(0, points, KILLS_A_VAULT):
            root = self._folder / f"vault-{start}"
            Memory.init(root)
            self._one_vault(root, min(KILLS_A_VAULT, points - start))
            if self._damage:
                break
            shutil.rmtree(root)
        return {
            **self._figures,
            "slowest recovery in ms": round(self._slowest * 1000),
            "under way": dict(self._under_way),
            "damage": self._damage,
        }

    def _warm_up(self) -> None:
        root = self._folder / "warm-up"
        Memory.init(root)
        ledger = Ledger(root.with_suffix(".ledger"), root)
        Toil(root, ledger, seed=0, syncing_editor=True).warm_up()
        shutil.rmtree(root)

    def _one_vault(self, root: Path, kills: int) -> None:
        file = root.with_suffix(".ledger")
        expected, place = Expected(), 0
        expected.settle(look(root))
        for _ in range(kills):
            self._kill_one(root, file)
            place = expected.read(file, start=place)
            self._figures["points"] += 1
            self._figures["acknowledged"] += expected.acknowledged
            expected.acknowledged = 0
            self._under_way[expected.operation or "between two"] += 1
            published = list((root / ".vaultmem/tmp").glob("*.log"))
            self._figures["half published"] += bool(published)
            torn = expected.faults(self._with_displaced(root, expected))
            taken = float(forked(lambda: f"{autopsy.recover(root, Ledger(file, root))}"))
            self._slowest = max(self._slowest, taken)
            place = expected.read(file, start=place)
            found = forked(lambda: "\n".join(autopsy.damage(root, expected)))
            if torn or found:
                self._damage = [*(f"before recovery: {each}" for each in torn), found]
                self._damage.append(f"killed in: {expected.operation}")
                return
            expected.settle(look(root))

    def _with_displaced(self, root: Path, expected: Expected) -> dict[str, str]:
        """Files as they lie there; one that is being taken away may be gone for a moment."""
        now = look(root)
        for path, may in expected.may.items():
            if path not in now and None in may and path in expected.state:
                now[path] = expected.state[path]
        return now

    def _kill_one(self, root: Path, file: Path) -> None:
        seed = self._random.randrange(1 << 30)
        start = file.stat().st_size if file.exists() else 0
        pid = os.fork()
        if pid == 0:
            os.setpgid(0, 0)
            to_the_end(lambda: self._toil(root, file, seed))
        with contextlib.suppress(PermissionError):  # it was faster
            os.setpgid(pid, pid)
        with_children = self._random.random() > 0.2
        _wait_for_acknowledgements(file, start, self._random.randint(0, MOST_ACKNOWLEDGED))
        time.sleep(self._random.random() * LONGEST_LIFE_SECONDS)
        if with_children:
            os.killpg(pid, signal.SIGKILL)
        else:
            os.kill(pid, signal.SIGKILL)
        _, status = os.waitpid(pid, 0)
        if os.WIFEXITED(status):
            raise SystemExit("the worker ended by itself, see above")
        if with_children:
            with contextlib.suppress(ChildProcessError):
                while True:
                    os.waitpid(-pid, 0)
        else:
            self._figures["with git left alive"] += 1

    def _toil(self, root: Path, file: Path, seed: int) -> None:
        ledger = Ledger(file, root)
        ledger.record_publications()
        Toil(root, ledger, seed=seed, syncing_editor=True).forever()


def _wait_for_acknowledgements(file: Path, start: int, wanted: int) -> None:
    """Return when the worker has noted so many since `start`."""
    give_up = time.monotonic() + _GIVE_UP_SECONDS
    while wanted and time.monotonic() < give_up:
        with contextlib.suppress(FileNotFoundError), open(file, "rb") as opened:
            opened.seek(start)
            if opened.read().count(b'{"ack"') >= wanted:
                return
        time.sleep(_LOOK_SECONDS)


if __name__ == "__main__":
    main()
