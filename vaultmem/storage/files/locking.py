"""One writer at a time: a lock of the operating system, free again the moment a process dies."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from vaultmem import base
from vaultmem.base import DISK_HINTS, BusyError, DiskError, dataclass, disk_error

LOCK_FILE = "lock"
_FIRST_PAUSE_SECONDS = 0.001
_LONGEST_PAUSE_SECONDS = 0.05
# Windows locks bytes, and nobody else can read locked ones: one far behind the text is locked.
_LOCKED_BYTE = 1 << 30


class WriterLock:
    """The right to change a vault, held inside `with`.

    Other processes and other WriterLock objects of this process wait. What the lock file says
    (process, time, host) is for messages only: a file left by a dead process holds nothing.
    """

    def __init__(
        self,
        state_dir: Path,
        *,
        deadline_seconds: float,
        sleep: Callable[[float], None] = time.sleep,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._file = state_dir / LOCK_FILE
        self._deadline_seconds = deadline_seconds
        self._sleep = sleep
        self._monotonic = monotonic
        self._fd: int | None = None  # None: not held

    def __enter__(self) -> WriterLock:
        """Take the lock; raises BusyError at the deadline, DiskError when there is no state."""
        flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0)
        try:
            # A link in the place of the lock would have `_sign` empty the file that it leads to
            # (tests/storage/files/test_lock.py::test_a_linked_lock_is_not_followed).
            fd = os.open(self._file, flags | getattr(os, "O_NOFOLLOW", 0), 0o600)
        except OSError as error:
            raise DiskError(
                f"cannot write to the device state '{self._file.parent}': {error.strerror}",
                hint=DISK_HINTS.get(error.errno or 0, ""),
            ) from error
        try:
            self._wait(fd)
        except OSError as error:
            os.close(fd)
            raise DiskError(
                f"cannot lock '{self._file}': {error.strerror}",
                hint="keep the device state on a local disk (XDG_STATE_HOME)",
            ) from error
        except BaseException:
            os.close(fd)
            raise
        self._fd = fd
        self._sign(fd)
        return self

    def __exit__(self, *_: object) -> None:
        """Let the next writer in."""
        if self._fd is not None:
            unlock(self._fd)
            os.close(self._fd)
            self._fd = None

    def _wait(self, fd: int) -> None:
        give_up = self._monotonic() + self._deadline_seconds
        pause = _FIRST_PAUSE_SECONDS
        while not try_lock(fd):
            left = give_up - self._monotonic()
            if left <= 0:
                raise BusyError(
                    f"another process is writing to this vault ({self._holder(fd)}) and did not "
                    f"finish within {self._deadline_seconds:g} s",
                    hint="run the command again when it is done",
                )
            self._sleep(min(pause, left))
            pause = min(pause * 2, _LONGEST_PAUSE_SECONDS)

    def _holder(self, fd: int) -> str:
        os.lseek(fd, 0, os.SEEK_SET)
        text = os.read(fd, 200).decode("utf-8", "replace").strip()
        return text if text.isprintable() and text else "it left no name"

    def _sign(self, fd: int) -> None:
        started = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        host = os.uname().nodename if hasattr(os, "uname") else os.environ.get("COMPUTERNAME", "")
        try:
            os.lseek(fd, 0, os.SEEK_SET)
            os.ftruncate(fd, 0)
            os.write(fd, f"process {os.getpid()} since {started} on {host}\n".encode())
        except OSError:
            return  # a full disk must not keep the lock from working: the text is a courtesy


if sys.platform == "win32":
    import msvcrt

    def try_lock(fd: int) -> bool:
        """Take the lock without waiting; False when somebody holds it."""
        os.lseek(fd, _LOCKED_BYTE, os.SEEK_SET)
        try:
            msvcrt.locking(fd, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

    def unlock(fd: int) -> None:
        """Give the lock back."""
        os.lseek(fd, _LOCKED_BYTE, os.SEEK_SET)
        msvcrt.locking(fd, msvcrt.LK_UNLCK, 1)

else:
    import fcntl

    def try_lock(fd: int) -> bool:
        """Take the lock without waiting; False when somebody holds it."""
        # `flock` belongs to the open file, so two locks of one process exclude each other as well
        # (tests/storage/files/test_lock.py::test_one_process_excludes_itself). A POSIX lock
        # (`lockf`) belongs to the process and is gone when any descriptor of the file is closed.
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def unlock(fd: int) -> None:
        """Give the lock back."""
        fcntl.flock(fd, fcntl.LOCK_UN)


# First come, first served among processes: whoever takes a number earlier goes earlier.
#
# A number is a file that its holder keeps locked. The lock goes with the process, so a number whose
# file can be locked belongs to nobody any more, and nobody waits for it.


_COUNTER = "next"
_FIRST_TURN_PAUSE_SECONDS = 0.001
_LONGEST_TURN_PAUSE_SECONDS = 0.02


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

    def __exit__(self, *_: object) -> None:
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
        counter = _open(self._folder / _COUNTER)
        try:
            self._wait(counter, give_up)
            os.lseek(counter, 0, os.SEEK_SET)
            text = os.read(counter, 20).strip()
            # A counter that a crash cut short begins behind the numbers that are there.
            number = max([int(text) if text.isdigit() else 0, *(n + 1 for n in self._numbers())])
            file = self._folder / str(number)
            fd = _open(file)
            self._held = file, fd
            self._wait(fd, give_up)
            os.lseek(counter, 0, os.SEEK_SET)
            # Twenty columns, so that a shorter number leaves no digit of a longer one behind it.
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
        pause = _FIRST_TURN_PAUSE_SECONDS
        while not try_lock(fd):
            left = give_up - self._monotonic()
            if left <= 0:
                raise BusyError(
                    f"{self._what} is in use, and was not free within {self._deadline_seconds:g} s",
                    hint="run the command again when the other is done",
                )
            self._sleep(min(pause, left))
            pause = min(pause * 2, _LONGEST_TURN_PAUSE_SECONDS)

    def _numbers(self) -> list[int]:
        return [int(name) for name in os.listdir(self._folder) if name.isdigit()]


def _open(file: Path) -> int:
    flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0)
    return os.open(file, flags | getattr(os, "O_NOFOLLOW", 0), 0o600)


# Wall clocks are set by the network some time after the start; never judge by less than this.
_CLOCK_ERROR_NS = 2_000_000_000


def is_process_gone(number: int, *, seen_at_ns: int) -> bool:
    """Whether the process that had this number at that moment (wall clock) has ended.

    After a power cut its number may be that of another process by now: what was seen before the
    machine started is of the past. False where neither can be told (Windows).
    """
    if _started_at_ns() - _CLOCK_ERROR_NS > seen_at_ns:
        return True
    if os.name == "nt" or number <= 0 or number == os.getpid():
        return False  # asking for a process ends it there
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return True
    except (PermissionError, OverflowError):
        return False
    return False


def leave_to_another(words: Sequence[str]) -> bool:
    """Begin a vaultmem that outlives this process, with these words of a command line.

    It says nothing to anybody, and no terminal ends it. False where no process can be begun.
    It imports nothing from the working folder (`-P`): that may be a vault, to which somebody who
    can push has added a `click.py`.
    """
    import subprocess

    flags = ("DETACHED_PROCESS", "CREATE_NEW_PROCESS_GROUP")  # of Windows
    try:
        begun = subprocess.Popen(
            [sys.executable, "-P", "-m", "vaultmem", *words],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            creationflags=sum(getattr(subprocess, flag, 0) for flag in flags),
        )
    except OSError:
        return False
    begun.returncode = 0  # nobody waits for it; Python would warn of that when it forgets it
    return True


def _started_at_ns() -> int:
    """When this machine was started, by the wall clock of now; 0 where that is not known."""
    if not hasattr(time, "CLOCK_BOOTTIME"):
        return 0
    return time.time_ns() - time.clock_gettime_ns(time.CLOCK_BOOTTIME)


# The watcher's sign of life: a small file in the device state that reads may trust while fresh.
#
# It lets a read skip its scan. A watcher that was killed, stopped or lost the system's events is
# not believed: the process must live, the sign must be younger than three beats, and it must say
# that nothing was touched since the index was brought level.

FILE_NAME = "watcher"
# One late beat is a busy machine, three are a watcher that hangs.
TRUSTED_BEATS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Heartbeat:
    """What a live watcher last said."""

    pid: int
    at: float  # seconds of the monotonic clock, which all processes share until a restart
    every_seconds: float
    is_clean: bool  # nothing touched since the index was level
    polls: bool = False  # without the system's events: asked for, or they cannot be had


def write_heartbeat(state: Path, beat: Heartbeat) -> None:
    """Put the sign in place by rename; raises OSError."""
    file = state / FILE_NAME
    clean = "clean" if beat.is_clean else "touched"
    how = "polls" if beat.polls else "listens"
    line = f"{beat.pid} {beat.at!r} {beat.every_seconds!r} {clean} {how}\n"
    base.replace_file(file, line.encode("ascii"))


def read_heartbeat(
    state: Path, *, monotonic: Callable[[], float] = time.monotonic
) -> Heartbeat | None:
    """What a live watcher of this vault last said; None when there is no live one."""
    try:
        with open(state / FILE_NAME, encoding="ascii") as stream:
            pid, at, every, clean, how = stream.read(200).split()
        beat = Heartbeat(
            pid=int(pid),
            at=float(at),
            every_seconds=float(every),
            is_clean=clean == "clean",
            polls=how == "polls",
        )
    except (OSError, ValueError):
        return None
    age = monotonic() - beat.at
    # The monotonic clock begins anew when the machine starts, so an age below zero is of a watcher
    # from before that (tests/faults/test_clocks.py).
    is_fresh = 0 <= age <= TRUSTED_BEATS * beat.every_seconds
    return beat if is_fresh and _is_alive(beat.pid) else None


def clear_heartbeat(state: Path, pid: int) -> None:
    """Take the sign away when it is of this process."""
    try:
        with open(state / FILE_NAME, encoding="ascii") as stream:
            is_own = stream.read(200).split()[:1] == [str(pid)]
        if is_own:
            os.unlink(state / FILE_NAME)
    except (OSError, ValueError):
        return


def _is_alive(pid: int) -> bool:
    """Whether the process exists; on Windows, where asking would end it, freshness decides."""
    if os.name != "posix" or pid <= 0:
        return pid > 0
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True  # it exists and belongs to somebody else
    return True
