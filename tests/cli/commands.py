"""Command lines in a child of this process: what they print and answer, without a cold start."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

import vaultmem
from vaultmem.__main__ import main

CAN_FORK = hasattr(os, "fork")
_CRASHED = 70


def command(
    words: Sequence[str],
    *,
    folder: Path | None = None,
    environ: Mapping[str, str] | None = None,
    given: bytes = b"",
) -> subprocess.CompletedProcess[bytes]:
    """`vaultmem WORDS` with `given` on standard input, as bytes; without `fork`: a cold process.

    A process of its own, so that folder, environment, descriptors and all that is remembered end
    with it. It has all of vaultmem imported, which is most of the time of a cold start; that a
    command finds what it needs from nothing on is for cold processes to show.
    """
    if not CAN_FORK:
        return subprocess.run(
            [sys.executable, "-m", "vaultmem", *words],
            cwd=folder,
            env=environ,
            input=given,
            capture_output=True,
            timeout=120,
            check=False,
        )
    _import_all()
    with (
        tempfile.TemporaryFile() if given else open(os.devnull, "r+b") as read,
        tempfile.TemporaryFile() as out,
        tempfile.TemporaryFile() as err,
    ):
        if given:
            read.write(given)
            read.seek(0)
        pid = os.fork()
        if pid == 0:
            _child(words, folder, environ, (read.fileno(), out.fileno(), err.fileno()))
        _, status = os.waitpid(pid, 0)
        for each in (out, err):
            each.seek(0)
        code = os.waitstatus_to_exitcode(status)
        return subprocess.CompletedProcess(list(words), code, out.read(), err.read())


@cache
def _import_all() -> None:
    for found in walk_packages(vaultmem.__path__, "vaultmem."):
        # Former modules warn, and adapters want their frameworks; no command uses either.
        if "_former" not in str(found.module_finder) and ".adapters." not in found.name:
            import_module(found.name)


def _child(
    words: Sequence[str],
    folder: Path | None,
    environ: Mapping[str, str] | None,
    files: tuple[int, int, int],
) -> None:
    """Run it and leave without the clean-up that belongs to the parent."""
    code = _CRASHED
    try:
        for number, descriptor in enumerate(files):
            os.dup2(descriptor, number)
        sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115  until the child ends
        sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
        sys.stderr = open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
        if folder is not None:
            os.chdir(folder)
        if environ is not None:
            os.environ.clear()
            os.environ.update(environ)
        time.tzset()
        code = main(words)
    except SystemExit as ended:
        code = ended.code if isinstance(ended.code, int) else int(ended.code is not None)
    except BaseException:  # noqa: BLE001  the parent's own clean-up must not run in a child
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
