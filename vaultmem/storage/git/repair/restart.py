"""What only a restart of the machine can have done to a repository, looked for once after each.

A commit of ours is durable when it is acknowledged, the person's `.git/index` need not be: after a
power cut it may be one commit behind, and `git commit` by hand would then take our files out of
HEAD again. Syncing it would cost every commit three more flushes of the disk; looking once after
a start costs one git process.
"""

from __future__ import annotations

import contextlib
import os
import time
from pathlib import Path, PurePosixPath

from vaultmem.base import VaultmemError
from vaultmem.model import blob_oid
from vaultmem.storage.files import read
from vaultmem.storage.git.engine import Engine

_STAMP = "start"
_LINUX_ID = "/proc/sys/kernel/random/boot_id"
# Elsewhere the start is worked out from two clocks, of which one may be set meanwhile. A start
# that is taken for another one only costs the look.
_TOLERANCE_SECONDS = 120


def is_first(engine: Engine) -> bool:
    """Whether this repository was not looked at since the machine was started."""
    try:
        return (engine.folder / _STAMP).read_text(encoding="ascii") != _start()
    except (OSError, UnicodeDecodeError):
        return True


def mark_checked(engine: Engine) -> None:
    """Remember that it was; not durably, because the next start asks anew."""
    with contextlib.suppress(OSError):
        (engine.folder / _STAMP).write_text(_start(), encoding="ascii")


def _start() -> str:
    try:
        with open(_LINUX_ID, encoding="ascii") as stream:
            return stream.read().strip()
    except OSError:
        return str(round((time.time() - time.monotonic()) / _TOLERANCE_SECONDS))


def behind(engine: Engine, root: Path, head: str) -> frozenset[str]:
    """Paths that HEAD and the disk have alike and the person's index does not.

    Whoever stages a change has it on disk too, so these can only be of an index that is old.
    """
    index = engine.repository.git_dir / "index"
    if not os.path.lexists(index):
        return frozenset()
    raw = engine.run("diff-index", "--cached", "-z", "--no-renames", head, "--", index=index)
    fields = raw.decode("utf-8", "surrogateescape").split("\0")[:-1]
    found = set()
    for about, path in zip(fields[::2], fields[1::2], strict=True):
        in_head = about.split(" ")[2]  # `:mode mode oid oid status`: HEAD first, then the index
        if _on_disk(engine, root, path) == in_head:
            found.add(path)
    return frozenset(found)


def _on_disk(engine: Engine, root: Path, path: str) -> str:
    """Blob id of the file; zeros, as git writes for a path that is not there."""
    try:
        data = read(root, PurePosixPath(path), limit=None)
    except VaultmemError:
        return "" if os.path.lexists(root / path) else engine.repository.zero
    return str(blob_oid(data, algorithm=engine.repository.algorithm))
