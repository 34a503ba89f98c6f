"""Objects into a pack, and a pack of all that some commits reach."""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Iterable, Mapping
from pathlib import Path

from vaultmem.storage.git.engine import Engine
from vaultmem.storage.git.packs.fast_import import quote_path
from vaultmem.storage.git.repair.survey import run

_KINDS = {"commit": 1, "tree": 2, "blob": 3, "tag": 4}
_FAST = 1  # level of compression; what stays is packed again, with deltas


def oid_of(kind: str, data: bytes, algorithm: str) -> str:
    """Git's id of an object."""
    return hashlib.new(algorithm, f"{kind} {len(data)}\0".encode() + data).hexdigest()


def pack(objects: Mapping[str, tuple[str, bytes]], algorithm: str) -> bytes:
    """The objects (kind, bytes) as one pack (gitformat-pack, version 2), whole, without deltas."""
    parts = [b"PACK", (2).to_bytes(4, "big"), len(objects).to_bytes(4, "big")]
    for kind, data in objects.values():
        size, number = len(data) >> 4, (_KINDS[kind] << 4) | (len(data) & 15)
        head = bytearray()
        while size:
            head.append(number | 0x80)
            number, size = size & 0x7F, size >> 7
        head.append(number)
        parts += (bytes(head), zlib.compress(data, _FAST))
    whole = b"".join(parts)
    return whole + hashlib.new(algorithm, whole).digest()


def write_pack(engine: Engine, folder: Path, data: bytes) -> None:
    """Put a pack with its index into the object folder `folder`, beside the vault's objects."""
    run(engine, "index-pack", "--stdin", stdin=data, environment=borrowing(engine, folder))


def pack_reachable(engine: Engine, folder: Path, tips: Iterable[str], *, beside: Path) -> str:
    """Put all that the tips reach into one pack in `folder`; its name without ending.

    beside  object folder that is read beside the vault's
    """
    out = run(
        engine,
        *("pack-objects", "-q", "--revs", "--delta-base-offset", "--window=10", "--depth=50"),
        str(folder / "pack" / "pack"),
        stdin="".join(f"{oid}\n" for oid in sorted(set(tips))).encode(),
        environment=borrowing(engine, beside),
    )
    return f"pack-{out.decode('ascii').strip()}"


def borrowing(engine: Engine, folder: Path) -> dict[str, str]:
    """An environment in which git writes objects to `folder` and reads the vault's too."""
    return {
        "GIT_OBJECT_DIRECTORY": str(folder),
        "GIT_ALTERNATE_OBJECT_DIRECTORIES": quote_path(engine.repository.objects),
    }
