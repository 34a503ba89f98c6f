"""Seconds and memory of export, import, clear and undo, each in a process of its own.

    python -m tests.bench.carry [--items 10000]

The peak of memory is that of the process, with git's not counted.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from vaultmem import Memory
from vaultmem.model.ids import item_id

STEPS = ("make", "export", "own", "own again", "clear", "undo", "theirs", "theirs again")


def main(arguments: Sequence[str] | None = None) -> None:
    """Print a line for each step."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0] if __doc__ else "")
    parser.add_argument("--items", type=int, default=10_000)
    parser.add_argument("--step", choices=STEPS, help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.step:
        _step(options.step, options.folder, options.items)
        return
    with tempfile.TemporaryDirectory(prefix="vaultmem-carry-") as name:
        environment = {k: v for k, v in os.environ.items() if not k.startswith(("GIT_", "VAULT"))}
        environment |= {"XDG_CONFIG_HOME": f"{name}/config", "XDG_STATE_HOME": f"{name}/state"}
        for step in STEPS:
            command = [sys.executable, "-m", "tests.bench.carry", "--step", step]
            command += ["--folder", name, "--items", str(options.items)]
            subprocess.run(command, check=True, env=environment)


def _step(step: str, folder: Path, items: int) -> None:
    if step == "make":
        _make(folder / "made", items)
        return
    file = folder / "export.json"
    own, theirs = folder / "own", folder / "theirs"
    if step in ("own", "theirs"):
        Memory.init(folder / step)
    roots = {"export": folder / "made", "theirs": theirs, "theirs again": theirs}
    with Memory(roots.get(step, own)) as memory:
        run: dict[str, Callable[[], object]] = {
            "export": lambda: memory.export(file),
            "clear": memory.forgetting.clear,
            "undo": memory.undo,
        }
        writer = "import" if step.startswith("theirs") else "person"
        began = time.perf_counter()
        run.get(step, lambda: memory.import_from(file, writer=writer))()
        took = time.perf_counter() - began
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    size = f", {file.stat().st_size / 1e6:.1f} MB" if step == "export" else ""
    print(f"{step}: {took:.1f} s, {peak} MB of memory{size}", flush=True)


def _make(root: Path, items: int) -> None:
    Memory.init(root)
    for number in range(items):
        id_ = item_id("bench", str(number))
        note = root / "items" / "2026" / f"{number % 12 + 1:02}" / f"thing-{id_}.md"
        note.parent.mkdir(parents=True, exist_ok=True)
        stream = "stream: projects\n" if number % 10 == 0 else ""
        note.write_text(
            f'---\nid: {id_}\nkind: fact\n{stream}category:\n  - "[[things-{number % 7}]]"\n'
            f'valid_from: 2026-01-01\nsource:\n  - "[[bench]]"\nimportance: 3\n---\n\n'
            f"Thing number {number} has the size {number * 7} and stands in row {number % 90}.\n\n"
            "Some more prose about it, which is here to make the note longer.\n",
            "utf-8",
        )
    with Memory(root) as memory:
        memory.sync()


if __name__ == "__main__":
    main()
