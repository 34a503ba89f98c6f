"""First come, first served, also when somebody dies in the queue."""

from __future__ import annotations

import os
from pathlib import Path
from threading import Event, Thread

import pytest

from vaultmem.base.errors import BusyError
from vaultmem.storage.files.locking import Turnstile

DEADLINE = 30.0


def turnstile(folder: Path, *, deadline: float = DEADLINE) -> Turnstile:
    return Turnstile(folder, "session 'x'", deadline_seconds=deadline)


def test_they_enter_in_the_order_in_which_they_came(tmp_path: Path) -> None:
    entered: list[int] = []
    first = turnstile(tmp_path)
    first.enter()

    def wait(number: int, queued: Event) -> None:
        def sleep(seconds: float) -> None:
            queued.set()
            Event().wait(seconds)

        with Turnstile(tmp_path, "x", deadline_seconds=DEADLINE, sleep=sleep):
            entered.append(number)

    threads = []
    for number in range(4):
        queued = Event()
        threads.append(Thread(target=wait, args=(number, queued)))
        threads[-1].start()
        assert queued.wait(DEADLINE)  # it waits: its number is taken
    assert entered == []
    first.leave()
    for thread in threads:
        thread.join(DEADLINE)
    assert entered == [0, 1, 2, 3]
    assert [name for name in os.listdir(tmp_path) if name.isdigit()] == []


def test_who_gives_up_says_so_and_leaves_no_number(tmp_path: Path) -> None:
    with turnstile(tmp_path), pytest.raises(BusyError, match="session 'x' is in use"):
        turnstile(tmp_path, deadline=0).enter()
    turnstile(tmp_path, deadline=0).enter()


def test_numbers_of_the_dead_hold_nobody_up(tmp_path: Path) -> None:
    pid = os.fork() if hasattr(os, "fork") else 0
    if pid == 0 and hasattr(os, "fork"):
        turnstile(tmp_path).enter()
        os._exit(0)  # without leaving
    if pid:
        os.waitpid(pid, 0)
        assert any(name.isdigit() for name in os.listdir(tmp_path))
    with turnstile(tmp_path, deadline=0):
        pass


def test_a_counter_that_was_cut_short_begins_behind_the_numbers_there(tmp_path: Path) -> None:
    with turnstile(tmp_path):
        (tmp_path / "next").write_bytes(b"")
        with pytest.raises(BusyError):
            turnstile(tmp_path, deadline=0).enter()


def test_it_is_left_after_an_error_too(tmp_path: Path) -> None:
    def fail() -> None:
        with turnstile(tmp_path):
            raise ValueError

    with pytest.raises(ValueError):
        fail()
    turnstile(tmp_path, deadline=0).enter()
