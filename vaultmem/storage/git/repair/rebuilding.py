"""Lost objects made again: files from the work tree, folders from the person's index.

An object is its bytes, so what is made is the very object that was lost, or nothing.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from vaultmem.model.ids import blob_oid
from vaultmem.storage.git.engine import Engine
from vaultmem.storage.git.repository import GIT

_LARGEST_FILE = 64 << 20  # of the work tree, looked at for a lost object


def blobs_on_disk(root: Path, oids: Iterable[str], *, algorithm: str) -> Iterator[tuple[str, str]]:
    """Those of the blobs whose bytes are in a file of the work tree, with its path."""
    wanted = set(oids)
    for folder, below, files in os.walk(root) if wanted else ():
        below[:] = sorted(name for name in below if name != GIT)
        for name in sorted(files):
            file = Path(folder, name)
            if file.is_symlink() or not file.is_file() or file.stat().st_size > _LARGEST_FILE:
                continue
            oid = str(blob_oid(file.read_bytes(), algorithm=algorithm))
            if oid in wanted:
                wanted.discard(oid)
                yield oid, file.relative_to(root).as_posix()


def trees_of_index(engine: Engine) -> dict[str, bytes]:
    """Id -> bytes of the trees that the person's index comes to; none when it cannot be read."""
    asked = engine.start("ls-files", "-s", "-z", index=engine.repository.git_dir / "index").wait()
    top: dict[bytes, object] = {}
    for line in asked.out.split(b"\0")[:-1] if asked.code == 0 else ():
        about, _, path = line.partition(b"\t")
        mode, oid, _ = about.split(b" ")
        *folders, name = path.split(b"/")
        place = top
        for folder in folders:
            place = place.setdefault(folder, {})  # type: ignore[assignment]
        place[name] = (mode, bytes.fromhex(oid.decode("ascii")))
    found: dict[str, bytes] = {}
    _tree(top, found, engine.repository.algorithm)
    return found


def _tree(folder: Mapping[bytes, object], found: dict[str, bytes], algorithm: str) -> bytes:
    """Id (raw) of a folder as a tree; it and those below it are put into `found`."""
    rows = []
    for name, inner in folder.items():
        if isinstance(inner, dict):
            rows.append((name + b"/", b"40000", name, _tree(inner, found, algorithm)))
        elif isinstance(inner, tuple):
            rows.append((name, inner[0], name, inner[1]))
    data = b"".join(mode + b" " + name + b"\0" + oid for _, mode, name, oid in sorted(rows))
    digest = hashlib.new(algorithm, b"tree %d\0" % len(data) + data)
    found[digest.hexdigest()] = data
    return digest.digest()
