"""Vaults that are opened when asked for, by threads that own them, and closed when idle.

A `Memory` belongs to the thread that opened it, and a server asks from any. So a few threads open
them, a vault always in the same one: what is asked of a vault is done in the order of asking, and
what is asked of two vaults side by side.
"""

from __future__ import annotations

import os
import threading
import time
import weakref
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from pathlib import Path
from queue import Empty, SimpleQueue

from vaultmem import config
from vaultmem.api import Memory
from vaultmem.base import NamedTuple, TypeVar, VaultmemError

T = TypeVar("T")

_CLOSING_SECONDS = 30.0
"""How long the end of a program waits for what was asked: a commit takes a tenth of a second."""


class VaultThreads:
    """Does what is asked of vaults, in threads of its own. Any thread may ask; a fork, too.

    most_open     vaults that are open at once; of more, the one longest not asked is closed
    idle_seconds  after which a vault that nobody asks anything is closed
    threads       that work side by side
    """

    def __init__(self, *, most_open: int, idle_seconds: float, threads: int) -> None:
        self._count = max(1, min(threads, most_open))
        self._each = max(1, most_open // self._count)
        self._idle = idle_seconds
        self._lock = threading.Lock()
        self._workers: list[_Worker] = []
        self._process = (
            os.getpid()
        )  # that the workers are of; threads do not come along into a fork

    def submit(self, root: Path, work: Callable[[], T]) -> Future[T]:
        """What `work` returns, or raises, in time; it is done by the thread of this vault."""
        return self._of(root).submit(work)

    def memory(self, root: Path) -> Memory:
        """The vault, opened; for `work` of `submit` alone, and not kept by it."""
        return self._of(root).memory(root)

    def close_one(self, root: Path) -> None:
        """Close a vault if it is open; for `work` of `submit` alone."""
        self._of(root).close_one(root)

    def open_count(self) -> int:
        """How many vaults are open."""
        return sum(len(worker.memories) for worker in self._workers)

    def close(self) -> None:
        """Do what was asked, then close all; a later question opens them again."""
        with self._lock:
            workers, self._workers = self._workers, []
        for worker in workers:
            worker.stop()

    def _of(self, root: Path) -> _Worker:
        if self._process != os.getpid():  # another thread may have held the lock in that moment
            self._lock, self._workers, self._process = threading.Lock(), [], os.getpid()
        with self._lock:
            if not self._workers:
                self._workers = [_Worker(self._each, self._idle) for _ in range(self._count)]
            # A `Memory` belongs to the thread that opened it, so each vault has one thread for
            # good.
            return self._workers[hash(root) % self._count]


class _Opened(NamedTuple):
    memory: Memory
    asked_at: float  # monotonic seconds
    mark: tuple[int, int, int]  # of its settings file


class _Worker:
    """One thread, and the memories that it opened, the longest not asked first."""

    def __init__(self, most: int, idle_seconds: float) -> None:
        self.memories: OrderedDict[Path, _Opened] = OrderedDict()
        self._most = most
        self._queue: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._thread = threading.Thread(
            target=_serve,
            args=(self._queue, self.memories, idle_seconds),
            name="vaultmem vaults",
            daemon=True,
        )
        # A program that ends without `close` must not leave a vault half closed: exit handlers
        # run before threads of this kind are stopped.
        self.stop = weakref.finalize(self, _stop, self._queue, self._thread, os.getpid())
        self._thread.start()

    def submit(self, work: Callable[[], T]) -> Future[T]:
        """The outcome in time; at once where this thread itself asks, which must not wait."""
        future: Future[T] = Future()

        def run() -> None:
            if not future.set_running_or_notify_cancel():
                return
            try:
                outcome = work()
            except BaseException as error:  # noqa: BLE001  # whoever asked is told, whatever it is
                future.set_exception(error)
            else:
                future.set_result(outcome)

        if threading.current_thread() is self._thread:
            run()
        else:
            self._queue.put(run)
        return future

    def memory(self, root: Path) -> Memory:
        """The vault, opened; others are closed where it is one too many."""
        mark = _mark(root)
        known = self.memories.get(root)
        if known is not None and known.mark != mark:  # erased and made anew by another process, or
            _close(self.memories, root)  # somebody changed its settings
            known = None
        memory = Memory(root) if known is None else known.memory
        self.memories[root] = _Opened(memory, time.monotonic(), mark)
        self.memories.move_to_end(root)
        while len(self.memories) > self._most:
            _close(self.memories, next(iter(self.memories)))
        return memory

    def close_one(self, root: Path) -> None:
        """Close a vault if it is open."""
        if root in self.memories:
            _close(self.memories, root)


def _serve(
    queue: SimpleQueue[Callable[[], None] | None],
    memories: OrderedDict[Path, _Opened],
    idle_seconds: float,
) -> None:
    try:
        while True:
            with suppress(Empty):
                run = queue.get(timeout=idle_seconds if memories else None)
                if run is None:
                    return
                run()
                del run  # the question and its answer are the asker's
            oldest = time.monotonic() - idle_seconds
            for root in [root for root, each in memories.items() if each.asked_at <= oldest]:
                _close(memories, root)
    finally:
        for root in [*memories]:
            _close(memories, root)


def _close(memories: OrderedDict[Path, _Opened], root: Path) -> None:
    opened = memories.pop(root)
    with suppress(VaultmemError):  # nothing is lost by it: what was asked for is durable
        opened.memory.close()


def _mark(root: Path) -> tuple[int, int, int]:
    stat = os.stat(root / config.FILE_NAME)
    return stat.st_ino, stat.st_mtime_ns, stat.st_size


def _stop(
    queue: SimpleQueue[Callable[[], None] | None], thread: threading.Thread, process: int
) -> None:
    """End a thread when what was asked is done, and wait for that; never from within it."""
    if os.getpid() == process:
        queue.put(None)
        if threading.current_thread() is not thread:
            thread.join(_CLOSING_SECONDS)
