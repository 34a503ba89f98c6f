"""Work done in a child of this process, which has everything imported already."""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Callable


def forked(work: Callable[[], str]) -> str:
    """What `work` returns, done in a process of its own, as the next command would be."""
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(reading)
        to_the_end(lambda: os.write(writing, work().encode()))
    os.close(writing)
    with open(reading, "rb") as stream:
        said = stream.read().decode()
    _, status = os.waitpid(pid, 0)
    if status:
        raise SystemExit("the command after the crash failed, see above")
    return said


def to_the_end(work: Callable[[], object]) -> None:
    """Do it and leave without the clean-up that belongs to the parent."""
    code = 1
    try:
        work()
        code = 0
    except BaseException:  # noqa: BLE001  the parent's own clean-up must not run in a child
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
