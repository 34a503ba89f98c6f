"""Cut the power of a disk at random moments while a writer works, and look for damage.

    python -m tests.faults.powercuts FOLDER --cuts 75 --setup ext4 [--seed 1]

The disk is a loop device whose backing file lies on XFS. A cut is a reflink copy of that file,
made in one step while the writer goes on; the copy is mounted, which replays its journal, at the
same path in a mount namespace of its own. What was acknowledged before the copy began must be
there. Needs root. Prints one JSON object.

Limits: requests that the device had accepted are in the copy, in the order of their arrival; a
volatile cache that reorders them is not simulated.
"""

from __future__ import annotations

import argparse
import contextlib
import copy
import ctypes
import fcntl
import json
import os
import random
import signal
import subprocess
import time
import uuid
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.bench.clocks import cpu_seconds
from tests.faults import autopsy
from tests.faults.forks import forked, to_the_end
from tests.faults.ledger import Expected, Ledger
from tests.faults.toil import Toil
from vaultmem.api.memory import Memory

SETUPS = {
    "ext4": ("mkfs.ext4", "defaults"),
    "ext4-commit-600": ("mkfs.ext4", "commit=600"),
    "ext4-writeback": ("mkfs.ext4", "data=writeback,noauto_da_alloc"),
    "xfs": ("mkfs.xfs", "nouuid"),
}
CUTS_A_DISK = 25
LONGEST_PAUSE_SECONDS = 0.15
MOST_ACKNOWLEDGED = 3
"""Operations that return between two cuts, at most; most cuts fall into one that has not."""
_OUTER_BYTES = 4 << 30
_INNER_BYTES = {"mkfs.ext4": 96 << 20, "mkfs.xfs": 320 << 20}
_LOOK_SECONDS = 0.002
_GIVE_UP_SECONDS = 60.0
_SUBREAPER = 36  # PR_SET_CHILD_SUBREAPER of linux/prctl.h
_FICLONE = 0x40049409  # linux/fs.h
_NEW_MOUNTS, _NEW_NUMBERS = 0x00020000, 0x20000000  # CLONE_NEWNS, CLONE_NEWPID of linux/sched.h
_CUT_INTO_INIT = 0.3
"""Share of the disks whose power is cut while the vault is being made."""


def main() -> None:
    """Run the cuts, print what was counted."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--cuts", type=int, default=25)
    parser.add_argument("--setup", choices=SETUPS, default="ext4")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    # All mounts are made in a namespace of this process: the kernel takes them away with it,
    # however it ends.
    own_mounts()
    # The git processes of a writer that was killed are waited for here: until they are gone, they
    # keep its disk busy.
    ctypes.CDLL(None).prctl(_SUBREAPER, 1, 0, 0, 0)
    with Lab(options.folder, options.setup, options.seed) as lab:
        print(json.dumps(lab.run(options.cuts)))


def own_mounts() -> None:
    """From now on what this process mounts is seen by it and its children alone."""
    _unshare(_NEW_MOUNTS)
    _run("mount", "--make-rprivate", "/")


def _unshare(what: int) -> None:
    if ctypes.CDLL(None, use_errno=True).unshare(what):
        raise OSError(ctypes.get_errno(), "unshare")


class Lab:
    """A disk whose power can be cut."""

    def __init__(self, folder: Path, setup: str, seed: int) -> None:
        self._maker, self._options = SETUPS[setup]
        self._outer = folder / "outer"
        self._disk = folder / "disk"
        self._image = self._outer / "disk.img"
        self._ledger = folder / "ledger"
        self._root = self._disk / "vault"
        self._random = random.Random(seed)
        self._folder = folder
        self._figures: Counter[str] = Counter()
        self._under_way: Counter[str] = Counter()
        self._slowest = self._dearest = 0.0
        for name in ("outer", "disk"):
            (folder / name).mkdir()
        os.environ["XDG_STATE_HOME"] = str(self._disk / "state")

    def __enter__(self) -> Lab:
        outer = self._folder / "outer.img"
        _sparse(outer, _OUTER_BYTES)
        _run("mkfs.xfs", "-q", "-m", "reflink=1", str(outer))
        _run("mount", "-o", "loop", str(outer), str(self._outer))
        return self

    def __exit__(self, *about: object) -> None:
        _run("umount", str(self._outer))

    def run(self, cuts: int) -> dict[str, Any]:
        """Figures of so many cuts; stops at the first damage."""
        damage = ""
        for start in range(0, cuts, CUTS_A_DISK):
            with self._fresh_disk():
                damage = self._one_disk(min(CUTS_A_DISK, cuts - start))
            if damage:
                break
        return {
            **self._figures,
            "slowest recovery in ms": round(self._slowest * 1000),
            "most CPU of a recovery in ms": round(self._dearest * 1000),
            "under way": dict(self._under_way),
            "damage": damage.splitlines(),
        }

    @contextlib.contextmanager
    def _fresh_disk(self) -> Iterator[None]:
        self._image.unlink(missing_ok=True)
        self._ledger.unlink(missing_ok=True)
        _sparse(self._image, _INNER_BYTES[self._maker])
        _run(self._maker, "-q", str(self._image))
        self._mount(self._image)
        try:
            yield
        finally:
            _run("umount", str(self._disk))

    def _mount(self, image: Path) -> None:
        _run("mount", "-o", f"loop,{self._options}", str(image), str(self._disk))

    def _one_disk(self, cuts: int) -> str:
        seed = self._random.randrange(1 << 30)
        pid = os.fork()
        if pid == 0:
            os.setpgid(0, 0)
            to_the_end(lambda: self._toil(seed))
        with contextlib.suppress(PermissionError):  # it was faster
            os.setpgid(pid, pid)
        expected, place = Expected(), 0
        try:
            waits = self._random.random() > _CUT_INTO_INIT
            while not self._ledger.exists() or (waits and not self._said(0)):
                _require_alive(pid)
                time.sleep(_LOOK_SECONDS)
            for _ in range(cuts):
                if waits:
                    self._work_on(self._random.randint(0, MOST_ACKNOWLEDGED), pid)
                waits = True
                time.sleep(self._random.random() * LONGEST_PAUSE_SECONDS)
                before = self._ledger.stat().st_size
                cut = self._outer / "cut.img"
                _clone(self._image, cut)
                after = self._ledger.stat().st_size
                os.killpg(pid, signal.SIGSTOP)
                _require_alive(pid)
                place = expected.read(self._ledger, start=place, end=before)
                then = copy.deepcopy(expected)
                then.read(self._ledger, start=place, end=after, late=True)
                self._figures["cuts"] += 1
                self._under_way[then.operation or "between two"] += 1
                said = forked(lambda cut=cut, then=then: self._after_reboot(cut, then))  # type: ignore[misc]
                first, _, damage = said.partition("\n")
                seconds, _, cpu = first.partition(" ")
                self._slowest = max(self._slowest, float(seconds))
                self._dearest = max(self._dearest, float(cpu))
                if damage:
                    return f"{damage}\ncut in: {then.operation}"
                os.killpg(pid, signal.SIGCONT)
        finally:
            os.killpg(pid, signal.SIGKILL)
            with contextlib.suppress(ChildProcessError):
                while True:
                    os.waitpid(-pid, 0)
            self._figures["acknowledged"] += expected.acknowledged
        return ""

    def _said(self, start: int) -> int:
        """How many operations have returned, by the ledger from this byte on."""
        with open(self._ledger, "rb") as opened:
            opened.seek(start)
            return opened.read().count(b'{"ack"')

    def _work_on(self, wanted: int, pid: int) -> None:
        """Return when so many more operations of the writer have."""
        start = self._ledger.stat().st_size
        give_up = time.monotonic() + _GIVE_UP_SECONDS
        while self._said(start) < wanted and time.monotonic() < give_up:
            _require_alive(pid)
            time.sleep(_LOOK_SECONDS)

    def _toil(self, seed: int) -> None:
        self._root.mkdir()
        ledger = Ledger(self._ledger, self._root)
        ledger.record_publications()
        ledger.begin("first init")
        Memory.init(self._root)
        with Memory(self._root) as memory:
            ledger.acknowledge(head=memory._vault.history.head() or "")
        Toil(self._root, ledger, seed=seed, syncing_editor=False).forever()

    def _after_reboot(self, cut: Path, expected: Expected) -> str:
        """What `_look` says where the writer's process is not to be seen."""
        _unshare(_NEW_NUMBERS)
        return forked(lambda: self._look(cut, expected))

    def _look(self, cut: Path, expected: Expected) -> str:
        """Seconds of the recovery, then the damage; the copy is mounted in the disk's place."""
        own_mounts()
        start = self._folder / "start"
        start.write_text(f"{uuid.uuid4()}\n")
        _run("mount", "--bind", str(start), "/proc/sys/kernel/random/boot_id")
        self._mount(cut)
        again = self._folder / "again"
        again.unlink(missing_ok=True)
        if not expected.heads:  # cut off before `init` had returned: it can be run again
            started, spent = time.perf_counter(), cpu_seconds()
            Memory.init(self._root)
            return f"{time.perf_counter() - started} {cpu_seconds() - spent}\n"
        ledger = Ledger(again, self._root)
        spent = cpu_seconds()
        taken = autopsy.recover(self._root, ledger)
        spent = cpu_seconds() - spent
        expected.read(again)
        return f"{taken} {spent}\n" + "\n".join(autopsy.damage(self._root, expected))


def _require_alive(pid: int) -> None:
    """Nobody waits for a writer that died of a fault."""
    if os.waitpid(pid, os.WNOHANG) != (0, 0):
        raise SystemExit("the writer ended by itself, see above")


def _clone(source: Path, target: Path) -> None:
    """A copy in one step that shares the blocks."""
    with open(source, "rb") as old, open(target, "wb") as new:
        fcntl.ioctl(new.fileno(), _FICLONE, old.fileno())


def _sparse(file: Path, size: int) -> None:
    with open(file, "wb") as opened:
        opened.truncate(size)


def _run(*words: str) -> None:
    subprocess.run(words, check=True, capture_output=True)


if __name__ == "__main__":
    main()
