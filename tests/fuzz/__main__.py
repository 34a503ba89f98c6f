"""Fuzz for a while: `python -m tests.fuzz --minutes 20 [--target NAME] [--seed N]`.

Each input is written down before it is tried, so one that ends the process is known too. Finds go
to tests/fuzz/found/, which test_fuzz.py tries again in every run. Exit code 1: something was found.
"""

from __future__ import annotations

import argparse
import hashlib
import multiprocessing
import os
import random
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from pathlib import Path
from types import FrameType

from tests.fuzz.list_edits import EditedStreams
from tests.fuzz.mutation import mutated, seeds
from tests.fuzz.targets import Target, all_targets, open_sample

PROJECT = Path(__file__).parents[2]
FOUND = Path(__file__).parent / "found"
HANG_SECONDS = 10.0  # of the processor; of the clock, as many times LONGEST
LONGEST = 12  # on a machine with other work a second of the processor may take several
REPORT_SECONDS = 30.0


class HangError(AssertionError):
    """An input took too long."""


def main() -> int:
    """Fuzz in a child until the time is over; begin again when the child dies."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument("--target", default="")
    parser.add_argument("--seed", type=int, default=None)
    asked = parser.parse_args()
    seed = asked.seed if asked.seed is not None else time.time_ns() % 1_000_000
    deadline = time.monotonic() + 60 * asked.minutes
    finds = died = rounds = 0
    with tempfile.TemporaryDirectory() as folder:
        last = Path(folder) / "last"
        while time.monotonic() < deadline:
            process = multiprocessing.Process(
                target=_fuzz, args=(Path(folder), last, seed + rounds, deadline, asked.target)
            )
            process.start()
            process.join()
            rounds += 1
            if process.exitcode == 1:
                finds += 1
            elif process.exitcode != 0:
                died += 1
                name, _, data = last.read_bytes().partition(b"\n")
                kept = _keep(name.decode(), data)
                print(f"the process ended ({process.exitcode}) in {name.decode()}: {kept}")
    print(f"seed {seed}: {finds} rounds with finds, {died} ended processes")
    return 1 if finds or died else 0


def _fuzz(folder: Path, last: Path, seed: int, deadline: float, wanted: str) -> None:
    os.environ["XDG_STATE_HOME"] = str(folder / "state")
    os.environ["XDG_CONFIG_HOME"] = str(folder / "config")
    watch = _Watch()
    signal.signal(signal.SIGALRM, watch.look)
    random_ = random.Random(seed)
    known = seeds(PROJECT / "sample-vault")
    tried: Counter[str] = Counter()
    found: set[str] = set()
    began = shown = time.monotonic()
    with open_sample(folder / "vault", PROJECT / "sample-vault") as memory:
        streams = EditedStreams(folder / f"streams-{seed}", PROJECT / "sample-vault")
        every: dict[str, Target] = {**all_targets(memory), "edited streams": streams}
        targets = {name: run for name, run in every.items() if wanted in name}
        names = sorted(targets)
        with open(last, "wb", buffering=0) as note:
            while time.monotonic() < deadline:
                name = random_.choice(names)
                data = mutated(random_, known)
                note.seek(0)
                note.truncate()
                note.write(name.encode() + b"\n" + data)
                tried[name] += 1
                watch.begin()
                try:
                    targets[name](data)
                except Exception as error:  # noqa: BLE001 - every exception is a find
                    _report(name, data, error, found)
                finally:
                    signal.setitimer(signal.ITIMER_REAL, 0)
                if time.monotonic() - shown > REPORT_SECONDS:
                    shown = time.monotonic()
                    print(f"{shown - began:6.0f} s  {sum(tried.values()):9,} inputs", flush=True)
    each = ", ".join(f"{name} {count:,}" for name, count in sorted(tried.items()))
    print(f"{sum(tried.values()):,} inputs ({each}), {len(found)} kinds of finds", flush=True)
    sys.exit(1 if found else 0)


class _Watch:
    """Ends an input that takes too long: of the processor, or very long by the clock."""

    def begin(self) -> None:
        """An input is tried now."""
        self._cpu, self._looks = time.process_time(), 0
        signal.setitimer(signal.ITIMER_REAL, HANG_SECONDS, HANG_SECONDS)

    def look(self, number: int, frame: FrameType | None) -> None:
        """Another ten seconds are over."""
        self._looks += 1
        used = time.process_time() - self._cpu
        if used > HANG_SECONDS or self._looks >= LONGEST:
            raise HangError(
                f"{used:.0f} s of the processor, {self._looks * HANG_SECONDS:.0f} in all"
            )


def _report(name: str, data: bytes, error: Exception, found: set[str]) -> None:
    """Keep the first input of each kind, known by where it was raised."""
    place = traceback.extract_tb(error.__traceback__)[-1]
    kind = f"{name} {type(error).__name__} {place.filename}:{place.lineno}"
    if kind in found:
        return
    found.add(kind)
    print(f"found: {kind}: {error!s:.200}\n  {_keep(name, data)}", flush=True)


def _keep(name: str, data: bytes) -> Path:
    FOUND.mkdir(exist_ok=True)
    file = FOUND / f"{name.replace(' ', '-')}-{hashlib.sha256(data).hexdigest()[:10]}.bin"
    file.write_bytes(data)
    return file


if __name__ == "__main__":
    sys.exit(main())
