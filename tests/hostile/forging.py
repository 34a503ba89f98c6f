"""Files that git makes from objects, forged: of the right form, with the right hash at the end.

Each says something else than the objects do, so whoever believes it shows it.
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

_WIDTH = 20  # bytes of a SHA-1
_NO_PARENT = 0x70000000
_FANOUT_BYTES = 256 * 4
_IDX_HEAD = 8


class Claim(NamedTuple):
    """What a forged graph says of a commit."""

    tree: str
    parents: Sequence[str]
    seconds: int


def signed(data: bytes) -> bytes:
    """The bytes with their hash behind them, as git ends each of these files."""
    return data + hashlib.sha1(data).digest()


def commit_graph(claims: Mapping[str, Claim]) -> bytes:
    """A commit-graph file (gitformat-commit-graph, version 1) that says this of the commits."""
    ids = sorted(claims)
    place = {oid: number for number, oid in enumerate(ids)}
    raw = [bytes.fromhex(oid) for oid in ids]
    data = bytearray()
    for oid in ids:
        claim = claims[oid]
        parents = [place[parent] for parent in claim.parents]
        data += bytes.fromhex(claim.tree)
        for number in [*parents, _NO_PARENT, _NO_PARENT][:2]:
            data += number.to_bytes(4, "big")
        data += (1 << 2).to_bytes(4, "big") + claim.seconds.to_bytes(4, "big")
    chunks = (b"OIDF", _fanout(raw)), (b"OIDL", b"".join(raw)), (b"CDAT", bytes(data))
    head = b"CGPH" + bytes((1, 1, len(chunks), 0))
    at = len(head) + 12 * (len(chunks) + 1)
    table, body = b"", b""
    for name, chunk in chunks:
        table += name + (at + len(body)).to_bytes(8, "big")
        body += chunk
    table += bytes(4) + (at + len(body)).to_bytes(8, "big")
    return signed(head + table + body)


def _fanout(raw: Sequence[bytes]) -> bytes:
    counts = [sum(oid[0] <= first for oid in raw) for first in range(256)]
    return struct.pack(">256I", *counts)


def swapped_index(file: Path, one: str, other: str) -> None:
    """Let the index of a pack name for each of two objects the place of the other."""
    data = bytearray(file.read_bytes()[:-_WIDTH])
    count = int.from_bytes(data[_IDX_HEAD + _FANOUT_BYTES - 4 : _IDX_HEAD + _FANOUT_BYTES], "big")
    ids = _IDX_HEAD + _FANOUT_BYTES
    names = [bytes(data[ids + _WIDTH * n : ids + _WIDTH * (n + 1)]).hex() for n in range(count)]
    offsets = ids + count * (_WIDTH + 4)
    _swap(data, offsets + 4 * names.index(one), offsets + 4 * names.index(other), 4)
    _write(file, signed(bytes(data)))


def swapped_multi_index(file: Path, one: str, other: str) -> None:
    """The same of a multi-pack-index, whose entries are eight bytes (pack, offset)."""
    data = bytearray(file.read_bytes()[:-_WIDTH])
    at = {}
    for number in range(data[6]):
        entry = 12 + 12 * number
        at[bytes(data[entry : entry + 4])] = int.from_bytes(data[entry + 4 : entry + 12], "big")
    fanout, ids, places = at[b"OIDF"], at[b"OIDL"], at[b"OOFF"]
    count = int.from_bytes(data[fanout + _FANOUT_BYTES - 4 : fanout + _FANOUT_BYTES], "big")
    names = [bytes(data[ids + _WIDTH * n : ids + _WIDTH * (n + 1)]).hex() for n in range(count)]
    _swap(data, places + 8 * names.index(one), places + 8 * names.index(other), 8)
    _write(file, signed(bytes(data)))


def turned_reverse_index(file: Path) -> None:
    """Let a .rev file list the objects of its pack in the opposite order."""
    data = file.read_bytes()[:-_WIDTH]
    head, rows, pack = data[:12], data[12:-_WIDTH], data[-_WIDTH:]
    turned = b"".join(rows[at : at + 4] for at in range(len(rows) - 4, -4, -4))
    _write(file, signed(head + turned + pack))


def _swap(data: bytearray, one: int, other: int, width: int) -> None:
    data[one : one + width], data[other : other + width] = (
        data[other : other + width],
        data[one : one + width],
    )


def _write(file: Path, data: bytes) -> None:
    file.chmod(0o644)
    file.write_bytes(data)
