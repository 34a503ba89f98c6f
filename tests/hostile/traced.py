"""Run a program under strace, where there is one, and list what it executed and called."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from vaultmem.base.records import dataclass

_EXECUTED = re.compile(r'execve\("((?:[^"\\]|\\.)*)".*\) = 0$')
_CALLED = re.compile(r"connect\(\d+, \{sa_family=(AF_INET6?),(.*?)\}")


@cache
def can_trace() -> bool:
    """Whether strace is here and may trace (a container can forbid it)."""
    strace = shutil.which("strace")
    if strace is None:
        return False
    done = subprocess.run(
        [strace, "-qq", "-o", os.devnull, "true"], capture_output=True, check=False, timeout=60
    )
    return done.returncode == 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """What a process and its children did."""

    executed: tuple[str, ...]  # programs that were started, with their paths
    called: tuple[str, ...]  # internet addresses that were connected to


def started(
    words: Sequence[str], log: Path, environment: Mapping[str, str], folder: Path
) -> subprocess.Popen[str]:
    """A program in a session of its own; traced into `log` where that is possible."""
    trace = ["strace", "-f", "-qq", "--seccomp-bpf", "-e", "trace=execve,connect", "-o", str(log)]
    return subprocess.Popen(
        [*(trace if can_trace() else ()), *words],
        cwd=folder,
        env=dict(environment),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def read_trace(log: Path) -> Trace:
    """What a traced program did, once it has ended; nothing where it could not be traced."""
    if not log.exists():
        return Trace(executed=(), called=())
    lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
    executed = [found[1] for line in lines if (found := _EXECUTED.search(line))]
    called = [f"{found[1]} {found[2]}" for line in lines if (found := _CALLED.search(line))]
    return Trace(executed=tuple(executed), called=tuple(called))
