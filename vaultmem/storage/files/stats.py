"""Stat of a folder's files in packed form: cheap to take, to compare and to remember.

Four numbers a file: mtime_ns, ctime_ns, size, inode. A file that changed a moment before the scan
is remembered with a size that no stat equals: a later write within the same tick of the clock
would leave the same numbers behind (git's "racily clean", its index format document). The numbers
themselves stay readable: they tell a file that is only read again from one that was written again.
"""

from __future__ import annotations

import os
from array import array
from collections.abc import Sequence
from itertools import chain
from operator import attrgetter
from struct import Struct

from vaultmem.model.notes import FolderState

# Kernel clocks tick every 10 ms at worst.
RACY_NS = 50_000_000
# File systems that keep whole seconds (HFS+, NFSv2) or two (FAT) need a wider margin.
RACY_COARSE_NS = 2_100_000_000
STAT_BYTES = 32
_RACY = 1 << 63  # added to the size
_SIZE = 2  # its place among the four
_FOUR = attrgetter("st_mtime_ns", "st_ctime_ns", "st_size", "st_ino")
_MASK = (1 << 64) - 1
_PACKED = Struct("=4Q").pack  # as array("Q") lays them out
_FOLDER_FLAGS = (
    os.O_RDONLY
    | getattr(os, "O_DIRECTORY", 0)
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_CLOEXEC", 0)
)
_BY_DESCRIPTOR = os.stat in os.supports_dir_fd and hasattr(os, "O_DIRECTORY")


def is_recent(changed_ns: int, start_ns: int) -> bool:
    """Whether a file changed at this time may change again without its times telling.

    A time in the future is not recent: the next write sets it back to that moment.
    """
    margin = RACY_NS if changed_ns % 1_000_000_000 else RACY_COARSE_NS
    return start_ns - margin <= changed_ns <= start_ns + RACY_COARSE_NS


def pack(found: os.stat_result, start_ns: int) -> bytes:
    """The numbers to remember of a file seen by a scan that began at `start_ns`."""
    mtime_ns, ctime_ns = found.st_mtime_ns, found.st_ctime_ns
    if max(mtime_ns, ctime_ns) >= start_ns - RACY_COARSE_NS and (
        is_recent(mtime_ns, start_ns) or is_recent(ctime_ns, start_ns)
    ):
        return racy(found)
    return _pack(found, found.st_size)


def racy(found: os.stat_result) -> bytes:
    """The numbers of a file that the next scan is to read whatever it finds."""
    return _pack(found, found.st_size | _RACY)


def _pack(found: os.stat_result, size: int) -> bytes:
    # Masked, because times before 1970 are negative and Windows has inodes of 128 bits.
    mtime_ns, ctime_ns = found.st_mtime_ns & _MASK, found.st_ctime_ns & _MASK
    return _PACKED(mtime_ns, ctime_ns, size, found.st_ino & _MASK)


def is_racy(packed: bytes) -> bool:
    """Whether the file has to be read whatever its numbers say."""
    return array("Q", packed)[_SIZE] >= _RACY


def is_touched(before: bytes | None, now: bytes) -> bool:
    """Whether a file was written, replaced or made since it had the numbers `before`.

    A write within the same tick of the clock and of the same size cannot be told by this.
    """
    if before is None:
        return True
    known, seen = array("Q", before), array("Q", now)
    known[_SIZE] &= _RACY - 1
    seen[_SIZE] &= _RACY - 1
    return known != seen


def stats_of(folder: str, names: Sequence[str]) -> bytes | None:
    """Packed stat of files in a folder; None when one is gone or needs the slow way of `pack`.

    2.4 us a file, most of it the system call (measured against lstat by path: 2.8).
    """
    try:
        if not _BY_DESCRIPTOR:
            found = [os.lstat(os.path.join(folder, name)) for name in names]
            return array("Q", chain.from_iterable(map(_FOUR, found))).tobytes()
        fd = os.open(folder, _FOLDER_FLAGS)
        try:
            found = [os.stat(name, dir_fd=fd, follow_symlinks=False) for name in names]
        finally:
            os.close(fd)
        return array("Q", chain.from_iterable(map(_FOUR, found))).tobytes()
    except (OSError, OverflowError):
        return None


def differing(state: FolderState, stats: bytes) -> tuple[int, ...]:
    """Places in `state.names` of the files whose stat is not the remembered one."""
    if stats == state.stats:
        return ()
    return tuple(
        at // STAT_BYTES
        for at in range(0, len(stats), STAT_BYTES)
        if stats[at : at + STAT_BYTES] != state.stats[at : at + STAT_BYTES]
    )


def has_other_names(state: FolderState, stats: bytes, places: Sequence[int]) -> bool:
    """Whether of a file among `places` only the ctime differs: a second name came or went."""
    for place in places:
        at = place * STAT_BYTES
        was, now = (array("Q", each[at : at + STAT_BYTES]) for each in (state.stats, stats))
        if was[0] == now[0] and was[1] != now[1] and was[2:] == now[2:]:
            return True
    return False


def at(packed: bytes, place: int) -> bytes:
    """The four numbers of the file at `place`."""
    return packed[place * STAT_BYTES : (place + 1) * STAT_BYTES]


def by_name(state: FolderState) -> dict[str, bytes]:
    """File name -> its four numbers."""
    return {name: at(state.stats, place) for place, name in enumerate(state.names)}


def size_at(packed: bytes, place: int) -> int:
    """Size in bytes of the file at `place`."""
    at = place * STAT_BYTES + 16
    return array("Q", packed[at : at + 8])[0] & (_RACY - 1)


def settle(stats: bytes, places: Sequence[int], start_ns: int) -> bytes:
    """The stats to remember: those at `places` marked where the change is recent."""
    kept = bytearray(stats)
    for place in places:
        at = place * STAT_BYTES
        four = array("Q", stats[at : at + STAT_BYTES])
        if any(is_recent(changed_ns, start_ns) for changed_ns in four[:_SIZE]):
            four[_SIZE] |= _RACY
            kept[at : at + STAT_BYTES] = four.tobytes()
    return bytes(kept)
