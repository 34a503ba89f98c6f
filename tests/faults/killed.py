"""Run one operation in a process that kills itself (SIGKILL) before its k-th step.

    python -m tests.faults.killed VAULT OPERATION K [ARGUMENT]

A step is a call that changes something outside the process: opening a file to write, writing,
syncing, linking, renaming, removing, making a folder, starting git, beginning or ending a
transaction of the index. Prints `done STEPS` when the operation ended before the k-th.
"""

from __future__ import annotations

import importlib
import os
import signal
import sys
from typing import Any

from tests.faults.operations import OPERATIONS
from tests.faults.steps import Steps


class Fuse(Steps):
    """Ends the process before the step it was set to."""

    def __init__(self, at: int) -> None:
        super().__init__()
        self.at = at

    def meet(self, name: str, arguments: tuple[Any, ...]) -> None:
        """Die, when this is the one."""
        if self.steps == self.at:
            os.kill(os.getpid(), signal.SIGKILL)


def main() -> None:
    """Open the vault, arm the fuse, run the operation."""
    vault, operation, at, *rest = sys.argv[1:]
    from vaultmem.memory import Memory

    # It looks at import time whether this `os.open` takes folders, and the fuse's is another one.
    importlib.import_module("vaultmem.vault.folders")
    fuse = Fuse(int(at))
    fuse.arm()
    with Memory(vault) as memory:
        OPERATIONS[operation](memory, rest[0] if rest else "")
    print(f"done {fuse.steps}", flush=True)


if __name__ == "__main__":
    main()
