"""One command on one odd input, in a process of its own; its cost as the parent sees it.

python -m tests.corpus.bounded REPORT VAULT COMMAND < INPUT

REPORT is the number of an open file, which gets the largest resident size in kilobytes.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from vaultmem.base.records import dataclass

PROJECT = Path(__file__).parents[2]


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """How a command ended and what it took."""

    code: int  # negative: ended by that signal
    seconds: float  # wall clock, start of Python included
    processor_seconds: float
    megabytes: float  # largest resident size
    said: str


def run(root: Path, words: Sequence[str], data: bytes, *, limit_seconds: int = 60) -> Cost:
    """Run it; a process that uses more processor time than the limit is ended by the system."""
    import resource
    import tempfile

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (limit_seconds, limit_seconds))

    with (
        tempfile.TemporaryFile() as given,
        tempfile.TemporaryFile() as said,
        tempfile.TemporaryFile() as report,
    ):
        given.write(data)
        given.seek(0)
        began = time.perf_counter()
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.corpus.bounded", str(report.fileno()), str(root), *words],
            cwd=PROJECT,
            pass_fds=(report.fileno(),),
            stdin=given,
            stdout=subprocess.DEVNULL,
            stderr=said,
            preexec_fn=limit,
        )
        _, status, used = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - began
        process.returncode = os.waitstatus_to_exitcode(status)
        said.seek(0)
        report.seek(0)
        # What the system tells the parent counts the fork, too: all that a run of tests has loaded.
        kilobytes = int(report.read() or used.ru_maxrss)
        return Cost(
            code=process.returncode,
            seconds=seconds,
            processor_seconds=used.ru_utime + used.ru_stime,
            megabytes=kilobytes / 1024,
            said=said.read(2000).decode("utf-8", "replace"),
        )


def _largest() -> int:
    """Kilobytes of this process, since it is this program, and of the git that it ran."""
    import resource

    children = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    try:
        status = Path("/proc/self/status").read_text()
    except OSError:
        return max(children, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
    [own] = [int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM:")]
    return max(children, own)


def main() -> int:
    """Run it, and say what it took."""
    report, *words = sys.argv[1:]
    try:
        return command_line(*words)
    finally:
        os.write(int(report), str(_largest()).encode())


def command_line(root: str, command: str, *rest: str) -> int:
    """The command line, but a question may be longer than an argument can be."""
    if command == "recall":
        from vaultmem.api.memory import Memory
        from vaultmem.base.errors import VaultmemError

        question = sys.stdin.buffer.read().decode("utf-8", "replace")
        try:
            with Memory(root) as memory:
                memory.recall(question)
        except VaultmemError as error:
            print(error, file=sys.stderr)
            return error.exit_code
        return 0
    from vaultmem.cli.main import run as run_line

    return run_line(["--vault", root, command, *rest])


if __name__ == "__main__":
    sys.exit(main())
