"""Run one git process: no shell, an environment given whole, bounded output, a time limit.

On POSIX the process is spawned directly: `import subprocess` alone costs a cold command 5 ms
and each call 0.3 ms. Elsewhere subprocess does the same work.
"""

from __future__ import annotations

import errno
import os
import time
from collections.abc import Mapping, Sequence

from vaultmem.base import TYPE_CHECKING, HistoryError, NamedTuple, Protocol, disk_error

if TYPE_CHECKING:
    import select

OUTPUT_LIMIT = 1 << 29
"""Bytes of output that are believed: names and ids of about five million files."""
ERROR_LIMIT = 1 << 16
_CHUNK = 1 << 20
_LONGEST_NAP_SECONDS = 0.01
# What the system lacks, which says nothing about the program that was to be started.
_NOT_ABOUT_GIT = frozenset(
    [errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.EAGAIN, errno.EIO, errno.ENOSPC, errno.EDQUOT]
)
# fork-safe descriptors start here: 0 to 2 are what the child gets its pipes as.
_FIRST_FREE = 3


class Finished(NamedTuple):
    """What a process left. (A dataclass would cost every cold command 0.4 ms.)"""

    code: int  # exit code; negative: the signal that ended it
    out: bytes
    err: bytes


class Running(Protocol):
    """A process under way. It must be waited for or killed, so that no zombie stays."""

    def piece(self) -> bytes:
        """The next bytes of its output as they come; b'' when there are no more.

        The time limit begins anew with each: a reader may be slower than git. `wait` then gives
        how it ended, and no output. Raises HistoryError.
        """

    def wait(self) -> Finished:
        """Feed it what is left of its input and collect its output; raises HistoryError."""

    def kill(self) -> None:
        """End it; harmless when it has ended."""


def find_git(search_path: str) -> str:
    """The git program by absolute path; raises HistoryError when there is none.

    Only absolute folders of the search path count: a vault that is the current folder must not
    be able to bring a program named git.
    """
    names = ("git.exe",) if os.name == "nt" else ("git",)
    for folder in search_path.split(os.pathsep):
        if not os.path.isabs(folder):
            continue
        for name in names:
            file = os.path.join(folder, name)
            if os.access(file, os.X_OK) and not os.path.isdir(file):
                return file
    raise HistoryError(
        "git is not installed, or not in PATH",
        hint="install git (2.30 or newer); vaultmem keeps the history of your notes with it",
    )


def start(
    argv: Sequence[str], env: Mapping[str, str], stdin: bytes = b"", *, seconds: float
) -> Running:
    """Begin a process with exactly this environment; raises HistoryError when it cannot begin."""
    try:
        if hasattr(os, "posix_spawn"):
            return Spawned(argv, env, stdin, seconds=seconds)
        return Opened(argv, env, stdin, seconds=seconds)
    except OSError as error:
        if error.errno in _NOT_ABOUT_GIT:
            raise disk_error(error, doing="start", what=argv[0]) from error
        raise HistoryError(
            f"git cannot be started: {error.strerror}", hint=f"is '{argv[0]}' the git program?"
        ) from error


def _timed_out(argv: Sequence[str], seconds: float) -> HistoryError:
    return HistoryError(
        f"`{_name(argv)}` did not finish within {seconds:g} s and was stopped",
        hint="is the disk, or a network drive, not answering?",
    )


def _name(argv: Sequence[str]) -> str:
    command = next((word for word in argv[1:] if not word.startswith("-")), "")
    return f"git {command}".strip()


class Spawned:
    """A process made by posix_spawn, talked to through three pipes."""

    def __init__(
        self, argv: Sequence[str], env: Mapping[str, str], stdin: bytes, *, seconds: float
    ) -> None:
        self._argv = argv
        self._seconds = seconds
        self._give_up = time.monotonic() + seconds
        self._input = memoryview(stdin)
        self._parts: dict[int, list[bytes]] = {}
        self._poll: select.poll | None = None  # None: nothing was waited for so far
        self._sizes: dict[int, int] = {}  # bytes that came, by descriptor
        pipes: list[tuple[int, int]] = []
        try:
            while len(pipes) < 3:
                pipes.append(_pipe())
            (in_r, in_w), (out_r, out_w), (err_r, err_w) = pipes
            self._pid = os.posix_spawn(
                argv[0],
                list(argv),
                dict(env),
                file_actions=[
                    (os.POSIX_SPAWN_DUP2, in_r, 0),
                    (os.POSIX_SPAWN_DUP2, out_w, 1),
                    (os.POSIX_SPAWN_DUP2, err_w, 2),
                ],
            )
        except BaseException:
            for pipe in pipes:
                os.close(pipe[0])
                os.close(pipe[1])
            raise
        for fd in (in_r, out_w, err_w):
            os.close(fd)
        self._in, self._out, self._err = in_w, out_r, err_r
        self._open = {in_w, out_r, err_r}
        self._sizes = {out_r: 0, err_r: 0}
        self._ended: int | None = None  # exit code; None: not known to have ended
        # Git may write before it has read all of its input; with both pipes full, each would wait
        # for the other
        # (tests/storage/git/test_process.py::test_much_output_before_the_input_is_read).
        os.set_blocking(in_w, False)
        try:
            self._feed()
        except BaseException:
            self.kill()
            raise

    def wait(self) -> Finished:
        """Feed it what is left of its input and collect its output; raises HistoryError."""
        try:
            self._talk()
            code = self._reap()
        finally:
            self.kill()
        out, err = (b"".join(self._parts.get(fd, ())) for fd in (self._out, self._err))
        return Finished(code=code, out=out, err=err)

    def kill(self) -> None:
        """End it; harmless when it has ended."""
        for fd in self._open:
            os.close(fd)
        self._open = set()
        if self._ended is None:
            os.kill(self._pid, 9)
            self._ended = self._wait_for(0)

    def piece(self) -> bytes:
        """The next bytes of its output as they come; b'' when there are no more."""
        self._give_up = time.monotonic() + self._seconds
        while not self._parts.get(self._out) and self._open:
            self._step()
        out = b"".join(self._parts.pop(self._out, ()))
        self._sizes[self._out] = 0  # what was taken is held no longer
        return out

    def _talk(self) -> None:
        while self._open:
            self._step()

    def _step(self) -> None:
        """Wait until some pipe is ready, and serve those that are."""
        import select

        if self._poll is None:
            self._poll = select.poll()
            for fd in self._open:
                self._poll.register(fd, select.POLLOUT if fd == self._in else select.POLLIN)
        left = self._give_up - time.monotonic()
        events = self._poll.poll(max(left, 0) * 1000)
        if not events and left <= 0:
            raise _timed_out(self._argv, self._seconds)
        for fd, _ in events:
            if fd == self._in:
                self._feed()
            else:
                self._collect(fd)
            if fd not in self._open:
                self._poll.unregister(fd)

    def _feed(self) -> None:
        """Write as much input as fits; the end of the input closes the pipe."""
        try:
            while self._input:
                self._input = self._input[os.write(self._in, self._input) :]
        except BlockingIOError:
            return
        except BrokenPipeError:
            pass  # it ended early: its exit code and its words on stderr say why
        self._close(self._in)

    def _collect(self, fd: int) -> None:
        chunk = os.read(fd, _CHUNK)
        if not chunk:
            self._close(fd)
            return
        self._sizes[fd] += len(chunk)
        if fd == self._out and self._sizes[fd] > OUTPUT_LIMIT:
            raise HistoryError(
                f"`{_name(self._argv)}` gave more output than {OUTPUT_LIMIT:,} bytes"
            )
        if fd == self._out or self._sizes[fd] <= ERROR_LIMIT:
            self._parts.setdefault(fd, []).append(chunk)

    def _close(self, fd: int) -> None:
        self._open.discard(fd)
        os.close(fd)

    def _reap(self) -> int:
        """Exit code. Its pipes are closed, so it is about to end: look again very soon."""
        nap = 0.00005
        while self._ended is None:
            self._ended = self._wait_for(os.WNOHANG)
            if self._ended is None:
                if time.monotonic() > self._give_up:
                    raise _timed_out(self._argv, self._seconds)
                time.sleep(nap)
                nap = min(nap * 2, _LONGEST_NAP_SECONDS)
        return self._ended

    def _wait_for(self, options: int) -> int | None:
        try:
            pid, status = os.waitpid(self._pid, options)
        except ChildProcessError:
            return 0  # the host program ignores SIGCHLD: the kernel has reaped it
        return os.waitstatus_to_exitcode(status) if pid else None


def _pipe() -> tuple[int, int]:
    """A pipe whose ends are none of the three standard descriptors."""
    ends = list(os.pipe())
    for place, fd in enumerate(ends):
        if fd < _FIRST_FREE:
            import fcntl

            ends[place] = fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, _FIRST_FREE)
            os.close(fd)
    return ends[0], ends[1]


class Opened:
    """A process made by subprocess, where there is no posix_spawn (Windows)."""

    def __init__(
        self, argv: Sequence[str], env: Mapping[str, str], stdin: bytes, *, seconds: float
    ) -> None:
        import subprocess

        self._argv = argv
        self._seconds = seconds
        self._input = stdin
        self._finished: Finished | None = None  # None: nobody waited for it so far
        self._process = subprocess.Popen(
            list(argv),
            env=dict(env),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )

    def piece(self) -> bytes:
        """Its whole output, then b'': pipes cannot be waited for together here."""
        if self._finished is None:
            self._finished = self._communicate()
        out, self._finished = self._finished.out, self._finished._replace(out=b"")
        return out

    def wait(self) -> Finished:
        """Feed it its input and collect its output; raises HistoryError."""
        return self._finished or self._communicate()

    def _communicate(self) -> Finished:
        import subprocess

        try:
            out, err = self._process.communicate(self._input, timeout=self._seconds)
        except subprocess.TimeoutExpired:
            raise _timed_out(self._argv, self._seconds) from None
        finally:
            self.kill()
        return Finished(code=self._process.returncode, out=out, err=err[:ERROR_LIMIT])

    def kill(self) -> None:
        """End it; harmless when it has ended."""
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            if pipe is not None:
                pipe.close()
