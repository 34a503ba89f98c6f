"""Commands on odd inputs, each in a process of its own; their cost as the parent sees it.

A runner has the program imported and forks for each command: a cold start was two thirds of the
processor time of an input. The child is measured from its fork on.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, NoReturn, Self

from vaultmem.base.records import dataclass

PROJECT = Path(__file__).parents[2]


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """How a command ended and what it took."""

    code: int  # negative: ended by that signal
    seconds: float  # wall clock
    processor_seconds: float
    megabytes: float  # largest resident size, the program itself included
    said: str


class Runner:
    """The process that runs them, one after the other."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.corpus.bounded"],
            cwd=PROJECT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate(timeout=60)

    def run(
        self, root: Path, words: Sequence[str], data: bytes, *, limit_seconds: int = 60
    ) -> Cost:
        """Run it; a process that uses more processor time than the limit is ended by the system."""
        asking, answering = self._process.stdin, self._process.stdout
        assert asking is not None
        assert answering is not None
        with tempfile.NamedTemporaryFile() as given:
            given.write(data)
            given.flush()
            job = {"given": given.name, "words": [str(root), *words], "limit": limit_seconds}
            asking.write(json.dumps(job) + "\n")
            asking.flush()
            answer = answering.readline()
        assert answer, f"the runner ended: {self._process.wait(timeout=60)}"
        return Cost(**json.loads(answer))


def _cost_of(job: dict[str, Any]) -> Cost:
    """Run it in a child."""
    with tempfile.TemporaryFile() as said, tempfile.TemporaryFile() as report:
        began = time.perf_counter()
        pid = os.fork()
        if pid == 0:
            _child(job, said.fileno(), report.fileno())
        _, status, used = os.wait4(pid, 0)
        seconds = time.perf_counter() - began
        said.seek(0)
        report.seek(0)
        kilobytes = int(report.read() or used.ru_maxrss)
        return Cost(
            code=os.waitstatus_to_exitcode(status),
            seconds=seconds,
            processor_seconds=used.ru_utime + used.ru_stime,
            megabytes=kilobytes / 1024,
            said=said.read(2000).decode("utf-8", "replace"),
        )


def _child(job: dict[str, Any], said: int, report: int) -> NoReturn:
    """Run it as a program would be, say what it took, and leave."""
    import resource

    code = 1  # of a traceback, as Python itself ends
    try:
        resource.setrlimit(resource.RLIMIT_CPU, (job["limit"], job["limit"]))
        given, nothing = os.open(job["given"], os.O_RDONLY), os.open(os.devnull, os.O_WRONLY)
        for number, descriptor in enumerate((given, nothing, said)):
            os.dup2(descriptor, number)
        sys.stdin, sys.stdout = open(0, closefd=False), open(1, "w", closefd=False)  # noqa: SIM115
        sys.stderr = open(2, "w", closefd=False)  # noqa: SIM115  until the child ends
        code = command_line(*job["words"])
    except SystemExit as ended:
        code = ended.code if isinstance(ended.code, int) else int(ended.code is not None)
    except BaseException:  # noqa: BLE001  the runner's own clean-up must not run in a child
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os.write(report, str(_largest()).encode())
        os._exit(code)


def _largest() -> int:
    """Kilobytes of this process, since its fork, and of the git that it ran."""
    import resource

    children = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    try:
        status = Path("/proc/self/status").read_text()
    except OSError:
        return max(children, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
    [own] = [int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM:")]
    return max(children, own)


def main() -> int:
    """Answer each job with its cost, until there are no more."""
    import vaultmem.api.memory
    import vaultmem.cli.main  # noqa: F401  imported once, for all children

    for line in sys.stdin:
        print(json.dumps(asdict(_cost_of(json.loads(line)))), flush=True)
    return 0


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
