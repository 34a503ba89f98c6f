"""Threads, forks and asyncio in one process: one writer at a time, and a wrong use says so."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Git
from tests.faults.crowd import assert_kept, statement, together
from vaultmem.api.memory import Memory
from vaultmem.base.errors import WrongThreadError
from vaultmem.model.answers import Filters

ITEMS = Filters(types=("item",))


def patient(root: Path) -> None:
    """Let each writer wait a minute: forty writes can last longer than five seconds.

    That a writer who gives up says so, with nothing half done, is the business of test_locks.py.
    """
    with (root / "vaultmem.toml").open("a", encoding="utf-8") as stream:
        stream.write("\n[sync]\nlock_wait = 60\n")


def remember(root: Path, writer: str, count: int) -> None:
    with Memory(root) as memory:
        for number in range(count):
            memory.remember(statement(writer, number))


def test_a_memory_for_each_thread(
    root: Path, git: Git, times: Callable[[int], int], tally: Callable[..., None]
) -> None:
    patient(root)
    count = times(10)
    writers = ("ann", "ben", "cid", "dot")
    together(*((lambda writer=writer: remember(root, writer, count)) for writer in writers))
    kept = [statement(writer, number) for writer in writers for number in range(count)]
    assert_kept(root, kept)
    subjects = git("log", "--format=%s").splitlines()
    assert subjects[-2:] == ["edit: vaultmem.toml", "init: test"]  # of `patient`, once
    assert sum(subject.startswith("remember: ") for subject in subjects) == len(kept)
    assert len(subjects) == len(kept) + 2
    tally("4 threads", kept=len(kept))


def test_one_memory_in_two_threads_is_refused_by_name(root: Path) -> None:
    with Memory(root) as memory:

        def misuse() -> None:
            with pytest.raises(WrongThreadError, match="another thread") as refused:
                memory.remember("I like tea.")
            assert "open a Memory in each thread" in refused.value.hint
            with pytest.raises(WrongThreadError):
                memory.close()

        together(misuse)
        memory.remember("I prefer mugs.")  # it still works where it belongs
        assert [row.statement for row in memory.list(ITEMS)] == ["I prefer mugs."]


def test_asyncio(root: Path) -> None:
    """In the loop's thread it works; in an executor it is refused; a Memory of its own works."""
    patient(root)

    async def main() -> None:
        with Memory(root) as memory:
            memory.remember("I like tea.")
            with pytest.raises(WrongThreadError):
                await asyncio.to_thread(memory.remember, "I prefer mugs.")
            await asyncio.gather(
                asyncio.to_thread(remember, root, "eve", 3),
                asyncio.to_thread(remember, root, "fay", 3),
            )
            assert len(memory.list(ITEMS)) == 7

    asyncio.run(main())


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")
def test_a_forked_child(root: Path, git: Git) -> None:
    """The parent's Memory is refused in the child, whose own one writes beside the parent."""
    with Memory(root) as memory:
        memory.remember(statement("parent", 0))
        child = os.fork()
        if child == 0:
            status = 1
            try:
                with pytest.raises(WrongThreadError, match="another process"):
                    memory.remember("I like tea.")
                memory.close()
                remember(root, "child", 5)
                status = 0
            finally:
                os._exit(status)
        for number in range(1, 6):
            memory.remember(statement("parent", number))
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    kept = [statement("parent", n) for n in range(6)] + [statement("child", n) for n in range(5)]
    assert_kept(root, kept)
    assert git("rev-list", "--count", "HEAD") == "12\n"
