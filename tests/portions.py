"""Which tests a worker of a parallel run gets at once.

What the tests of a file share (a browser, a window on a vault, a long conversation) is made in
each worker that gets one of them. So a file that shares something goes to one worker as a whole;
of the others a worker gets a few tests, and of those that may last a minute only one.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from itertools import takewhile
from pathlib import Path
from typing import Any

from xdist.scheduler import LoadScheduling

PROJECT = Path(__file__).parents[1]
AT_ONCE = 8
LONG = "tests/faults/"  # its tests last up to half a minute
# What files of these folders share takes less than they would last in one worker.
SPLIT = (LONG, "tests/hostile/", "tests/edit/")
TOGETHER = ("tests/test_house.py",)  # reads the syntax of all files, and keeps it for the next test
_SHARING = ('scope="module"', "scope='module'")


class InPortions(LoadScheduling):  # type: ignore[misc]  # xdist has no types
    """Gives a worker the next portion of the list as soon as it has nearly none left.

    `--dist load` gave fast workers hundreds of tests in advance, in pieces of eight of each file.
    (xdist's stealing of tests once in four whole runs waited for ever at the end, with all workers
    done and idle.)
    """

    def check_schedule(self, node: Any, duration: float = 0) -> None:
        """Maybe give it more; a worker begins a test only when it knows the one after it."""
        if node.shutting_down:
            return
        if not self.pending:
            node.shutdown()
        elif len(self.node2pending[node]) <= 2:
            self._send_tests(node, AT_ONCE)

    def _send_tests(self, node: Any, num: int) -> None:
        """The next portion, whatever number was thought of; another one where that is one test."""
        while self.pending:
            names = (self.collection[each] for each in self.pending)
            super()._send_tests(node, length(names))
            if len(self.node2pending[node]) >= 2:
                break


def length(names: Iterable[str]) -> int:
    """How many of the first of these tests go together; at least one of some."""
    files = (name.partition("::")[0] for name in names)
    first = next(files)
    together = 1 + sum(1 for _ in takewhile(lambda file: file == first, files))
    if first.startswith(LONG):
        return 1
    return together if is_shared(first) else min(together, AT_ONCE)


@cache
def is_shared(file: str) -> bool:
    """Whether the tests of a file share what is made for them once."""
    if file.startswith((*SPLIT, *TOGETHER)):
        return file in TOGETHER
    found = PROJECT / file
    texts = [
        each.read_text(encoding="utf-8")
        for each in (found, found.with_name("conftest.py"))
        if each.exists()
    ]
    return any(word in text for text in texts for word in _SHARING)
