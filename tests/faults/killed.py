"""One operation in a process that kills itself (SIGKILL) before its k-th step.

A step is a call that changes something outside the process: opening a file to write, writing,
syncing, linking, renaming, removing, making a folder, starting git, beginning or ending a
transaction of the index.
"""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path
from typing import Any

from tests.faults.failing import Place, place_of
from tests.faults.forks import forked, to_the_end
from tests.faults.operations import OPERATIONS
from tests.faults.steps import Steps
from vaultmem.api.memory import Memory


class Fuse(Steps):
    """Ends the process before the step it was set to."""

    def __init__(self, at: int) -> None:
        super().__init__()
        self.at = at

    def meet(self, name: str, arguments: tuple[Any, ...]) -> None:
        """Die, when this is the one."""
        if self.steps == self.at:
            os.kill(os.getpid(), signal.SIGKILL)


def killed(root: Path, operation: str, at: int, *rest: str) -> int | None:
    """Run it killed before step `at`; the number of steps if it ended before, else None.

    In a child of this process, which has everything imported: a tenth of the time of a new one.
    """
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(reading)
        to_the_end(lambda: os.write(writing, str(_burn(root, operation, at, *rest)).encode()))
    os.close(writing)
    with open(reading, "rb") as stream:
        steps = stream.read()
    _, status = os.waitpid(pid, 0)
    if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL:
        return None
    assert status == 0, f"{operation} failed, see above"
    return int(steps)


def _burn(root: Path, operation: str, at: int, *rest: str) -> int:
    fuse = Fuse(at)
    fuse.arm()
    try:
        with Memory(root) as memory:
            OPERATIONS[operation](memory, rest[0] if rest else "")
    finally:
        fuse.disarm()
    return fuse.steps


class _Noting(Steps):
    """Takes every step, and notes each with the line of ours that makes it."""

    def __init__(self) -> None:
        super().__init__()
        self.places: list[Place] = []

    def meet(self, name: str, arguments: tuple[Any, ...]) -> None:
        """Another one."""
        name, lines = place_of(name)
        self.places.append((name, lines[:1]))


def places(root: Path, operation: str, *rest: str) -> list[Place]:
    """The call and the line of ours of each step, from a run to its end in a child."""

    def note() -> str:
        noting = _Noting()
        with noting, Memory(root) as memory:
            OPERATIONS[operation](memory, rest[0] if rest else "")
        return json.dumps(noting.places)

    found = json.loads(forked(note))
    return [(name, tuple((file, line) for file, line in lines)) for name, lines in found]
