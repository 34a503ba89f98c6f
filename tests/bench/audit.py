"""What the ledger costs a write, and how long an audit takes: `python -m tests.bench.audit`.

Writes are timed in turn without a ledger, with it, and with it but without waiting for the disk,
in one run on one vault, so that a busy machine is as busy for each.
"""

from __future__ import annotations

import argparse
import os
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path, PurePosixPath
from typing import Any

from vaultmem.api.memory import Memory
from vaultmem.extract.prepare import Document
from vaultmem.model.ids import blob_oid
from vaultmem.model.plan import Plan, Write
from vaultmem.vault import ledger
from vaultmem.vault.apply import apply, writer_lock

BATCH = 1_000
NOTE = PurePosixPath("items/often.md")


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--writes", type=int, default=100, help="of each kind")
    parser.add_argument("--notes", type=int, default=10_000)
    parser.add_argument("--commits", type=int, default=20_000)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="vaultmem-audit-") as folder:
        os.environ["XDG_STATE_HOME"] = f"{folder}/state"
        os.environ["XDG_CONFIG_HOME"] = f"{folder}/config"
        time_writes(Path(folder) / "writes", asked.writes)
        time_audits(Path(folder) / "audits", notes=asked.notes, commits=asked.commits)


def time_writes(root: Path, count: int) -> None:
    """p50 and p95 of one remembered sentence, in ms."""
    Memory.init(root)
    whole = {name: getattr(ledger, name) for name in ("notice", "announce", "acknowledge")}
    append = ledger.append

    def silent(*_: Any, **__: Any) -> None:
        return

    def unflushed(state: Path, entries: Sequence[ledger.Entry], **_: Any) -> None:
        append(state, entries)

    def use(kind: str) -> None:
        for name, function in whole.items():
            setattr(ledger, name, silent if kind == "no ledger" else function)
        setattr(ledger, "append", unflushed if kind == "ledger, not flushed" else append)  # noqa: B010

    times: dict[str, list[float]] = {
        kind: [] for kind in ("no ledger", "ledger, not flushed", "ledger")
    }
    with Memory(root) as memory:
        for number in range(count):
            for kind, seen in times.items():
                use(kind)
                began = time.perf_counter()
                memory.remember(f"I prefer tea number {number} over {kind}.")
                seen.append(1000 * (time.perf_counter() - began))
                use("ledger")
                ledger.notice(memory._vault)  # or the next write would ask git what happened
    print(f"remember, {count} of each, ms:")
    for kind, seen in times.items():
        seen.sort()
        p95 = seen[int(0.95 * len(seen))]
        print(f"  {kind:20} p50 {statistics.median(seen):6.1f}  p95 {p95:6.1f}  min {seen[0]:6.1f}")
    with (root.parent / "probe").open("ab", buffering=0) as probe:

        def flush() -> None:
            probe.write(b"x" * 130)
            os.fsync(probe.fileno())

        flushes = [timed(flush) for _ in range(100)]
    print(f"  one flush of this disk: p50 {statistics.median(flushes):.1f} ms")


def timed(call: Callable[[], object]) -> float:
    """How long a call takes, in ms."""
    began = time.perf_counter()
    call()
    return 1000 * (time.perf_counter() - began)


def time_audits(root: Path, *, notes: int, commits: int) -> None:
    """Seconds of an audit that finds nothing, and of one that finds foreign commits."""
    Memory.init(root)
    with Memory(root) as memory:
        texts = [
            Document(text=f"Note {number} about the garden, the house and tea.", extract=False)
            for number in range(notes)
        ]
        for start in range(0, notes, BATCH):
            memory.remember_many(texts[start : start + BATCH])
        rewrite(memory, commits - notes)
        state = memory._vault.state
        size = (state / ledger.FILE_NAME).stat().st_size
        for name in ("nothing to find", "again"):
            began = time.perf_counter()
            report = memory.vault.audit()
            print(
                f"audit, {name}: {time.perf_counter() - began:.2f} s; {report.recorded} commits, "
                f"{notes} notes, clean {report.is_clean}, ledger {size / 1e6:.1f} MB"
            )
        print(f"  the ledger alone: {timed(lambda: ledger.read(state)):.0f} ms")
        print(f"  its last line: {timed(lambda: ledger.tail(state)):.2f} ms")
        (state / ledger.FILE_NAME).unlink()
        (state / ledger.KEY_NAME).unlink()
        memory.vault.audit()
        began = time.perf_counter()
        report = memory.vault.audit(since="2000-01-01")
        found = {group.code: group.count for group in report.suspicious}
        print(f"audit, every commit unknown: {time.perf_counter() - began:.2f} s; {found}")


def rewrite(memory: Memory, commits: int) -> None:
    """Many commits of one note."""
    vault = memory._vault
    before: bytes | None = None
    for start in range(0, commits, BATCH):
        plans = []
        for number in range(start, min(start + BATCH, commits)):
            content = f"Version {number}.\n".encode()
            expects = None if before is None else blob_oid(before)
            change = Write(path=NOTE, content=content, expects=expects)
            plans.append(Plan(op="sync", subject="sync: bench", actor="agent", changes=(change,)))
            before = content
        with writer_lock(vault):
            apply(vault, plans)


if __name__ == "__main__":
    main()
