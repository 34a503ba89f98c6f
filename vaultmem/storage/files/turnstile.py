"""First come, first served among processes: whoever takes a number earlier goes earlier.

A number is a file that its holder keeps locked. The lock goes with the process, so a number whose
file can be locked belongs to nobody any more, and nobody waits for it.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import TracebackType

from vaultmem.base import BusyError, disk_error
from vaultmem.storage.files.locking import try_lock, unlock

_COUNTER = "next"
_FIRST_PAUSE_SECONDS = 0.001
_LONGEST_PAUSE_SECONDS = 0.02


class Turnstile:
    """The right to work on something, in the order of asking; held from `enter` to `leave`.

    folder  of the numbers, in the device state; made if need be
    what    for the message to who gives up waiting
    """

    def __init__(
        self,
        folder: Path,
        what: str,
        *,
        deadline_seconds: float,
        sleep: Callable[[float], None] = time.sleep,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._folder = folder
        self._what = what
        self._deadline_seconds = deadline_seconds
        self._sleep = sleep
        self._monotonic = monotonic
        self._held: tuple[Path, int] | None = None  # file and descriptor of our number

    def __enter__(self) -> Turnstile:
        """As `enter`."""
        self.enter()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """As `leave`."""
        self.leave()

    def enter(self) -> None:
        """Take a number and wait until it is the lowest; raises BusyError at the deadline."""
        give_up = self._monotonic() + self._deadline_seconds
        try:
            os.makedirs(self._folder, mode=0o700, exist_ok=True)
            number = self._take(give_up)
            for earlier in sorted(self._numbers()):
                if earlier < number:
                    self._outwait(self._folder / str(earlier), give_up)
        except OSError as error:
            self.leave()
            raise disk_error(error) from error
        except BaseException:
            self.leave()
            raise

    def leave(self) -> None:
        """Let the next one in; without effect when nothing is held."""
        held, self._held = self._held, None
        if held is None:
            return
        file, fd = held
        with suppress(OSError):  # Windows keeps the name of an open file
            os.unlink(file)
        unlock(fd)
        os.close(fd)
        with suppress(OSError):
            os.unlink(file)

    def _take(self, give_up: float) -> int:
        """A number of our own: its file is locked before anybody can see that it is taken."""
        counter = _opened(self._folder / _COUNTER)
        try:
            self._wait(counter, give_up)
            os.lseek(counter, 0, os.SEEK_SET)
            text = os.read(counter, 20).strip()
            # A counter that a crash cut short begins behind the numbers that are there.
            number = max([int(text) if text.isdigit() else 0, *(n + 1 for n in self._numbers())])
            file = self._folder / str(number)
            fd = _opened(file)
            self._held = file, fd
            self._wait(fd, give_up)
            os.lseek(counter, 0, os.SEEK_SET)
            os.write(counter, b"%-20d" % (number + 1))
            unlock(counter)
        finally:
            os.close(counter)
        return number

    def _outwait(self, file: Path, give_up: float) -> None:
        """Wait until the holder of an earlier number is done, or dead."""
        try:
            fd = os.open(file, os.O_RDWR | getattr(os, "O_CLOEXEC", 0))
        except OSError:  # it is done; Windows refuses to open what is being deleted
            return
        try:
            self._wait(fd, give_up)
            unlock(fd)
        finally:
            os.close(fd)
        with suppress(OSError):
            os.unlink(file)

    def _wait(self, fd: int, give_up: float) -> None:
        pause = _FIRST_PAUSE_SECONDS
        while not try_lock(fd):
            left = give_up - self._monotonic()
            if left <= 0:
                raise BusyError(
                    f"{self._what} is in use, and was not free within {self._deadline_seconds:g} s",
                    hint="run the command again when the other is done",
                )
            self._sleep(min(pause, left))
            pause = min(pause * 2, _LONGEST_PAUSE_SECONDS)

    def _numbers(self) -> list[int]:
        return [int(name) for name in os.listdir(self._folder) if name.isdigit()]


def _opened(file: Path) -> int:
    flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0)
    return os.open(file, flags | getattr(os, "O_NOFOLLOW", 0), 0o600)
