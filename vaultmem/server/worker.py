"""A thread with a Memory of its own: the connections of a Memory belong to one thread."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

from vaultmem.api.memory import Memory

T = TypeVar("T")


class MemoryThread:
    """Does one thing after the other, in the order in which they are given."""

    def __init__(self, name: str, open_memory: Callable[[], Memory]) -> None:
        self._open = open_memory
        self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix=name)
        self._memory: Memory | None = None  # touched by that thread alone

    def submit(self, work: Callable[[Memory], T]) -> Future[T]:
        """What `work` returns, or raises, in time."""
        return self._pool.submit(lambda: work(self._opened()))

    def close(self) -> None:
        """Do what was given, then close the memory."""
        self._pool.submit(self._close)
        self._pool.shutdown(wait=True)

    def _opened(self) -> Memory:
        if self._memory is None:
            self._memory = self._open()
        return self._memory

    def _close(self) -> None:
        if self._memory is not None:
            self._memory.close()
