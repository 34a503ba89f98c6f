"""The seal of an index file: how its main file was left, and a checksum of each of its pages.

SQLite keeps no checksums of pages, so a bit that flips in a number, a key or a text is answered
as if it had been written. The seal lies beside the file: size, times and inode as they were after
the last checkpoint, and the CRC-32 of each page. A file that is still so is believed at once (a
few 10 microseconds); one that is not has all its pages compared, and only one that differs in
content is damaged. So a copied state folder, or one whose owner was killed, is not built anew.

The write-ahead log (`-wal`) has checksums of its own. `pages` says what each page holds once the
log is in the main file: it is brought up to date with the log *before* a checkpoint, so that a
process killed at any point of one leaves a main file and a log that together agree with it.
No function here opens the main file: closing it would drop the locks that SQLite holds on it for
this process (POSIX). `serialize` reads it through SQLite.

A seal dates the file back by ten seconds, so that a write within the same tick of the clock shows.
Damage below the file system, which leaves times as they are, is found by `check --deep` only.
"""

from __future__ import annotations

import os
from array import array
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from vaultmem.base import NamedTuple
from vaultmem.storage.index.store.sqlite import sqlite3

ENDING = "-seal"
PAGE_BYTES = 8_192  # building is some 5% faster than with 4,096
_MAGIC = 0x764D_5365_616C_0001  # 'vMSeal', 1
_HEAD = 8  # numbers before the checksums of pages
_HEAD_BYTES = 8 * _HEAD
_POSITIVE = (1 << 63) - 1
# A write within the same tick of the file system's clock would leave the same times. So a sealed
# file is dated back: any later write, even in this tick, dates it to the present again.
_BACK_NS = 10_000_000_000
BUSY_SECONDS = 10.0  # that a connection waits for one that writes
_PATIENCE_MS = 50  # of one that closes: who writes meanwhile will seal what it leaves
_TRIES = 2  # without keeping others from writing to the file that is compared

_LOG_HEAD, _FRAME_HEAD = 32, 24  # bytes; https://www.sqlite.org/fileformat2.html#walformat
_FRAME = _FRAME_HEAD + PAGE_BYTES

Stamp = tuple[int, int, int, int]  # size, mtime and ctime in ns, inode


class Seal(NamedTuple):
    """What is known of a file."""

    stamp: Stamp  # of the main file
    log: int  # salts of the write-ahead log that `pages` is up to date with
    frames: int  # so many of its frames are in `pages`
    pages: array[int]  # CRC-32 of each page, once the log is in the main file


def doubt(connection: sqlite3.Connection, file: Path) -> str:
    """Why the content of a file is not what this program left there; '' when it is."""
    stamp = _stamp(file)
    # A file that looks as it was sealed is believed (12 us at opening); to compare the pages of 8
    # MB takes 136 ms.
    if stamp is not None and stamp == _sealed_stamp(file):
        return ""
    return _doubt_of_content(connection, file)


def before_writing(file: Path) -> None:
    """Take in a log that may be begun anew by the transaction that has just been begun."""
    # Frames go only once they are in the main file, and moving them there changed its stamp.
    if log_bytes(file) and _stamp(file) != _sealed_stamp(file):
        catch_up(file)


def catch_up(file: Path, *, is_ours: bool = False) -> Seal | None:
    """Bring the seal level with the log, inside a transaction that keeps others from writing.

    is_ours  nobody else has changed the main file since it was sealed: it is believed as it is
    """
    seal = read(file)
    if seal is None:
        return None
    merged = _caught_up(file, seal)
    if is_ours:
        merged = merged._replace(stamp=_dated_back(file) or seal.stamp)
    if merged != seal:
        _keep(file, merged)
    return merged


def move_log(connection: sqlite3.Connection, file: Path) -> None:
    """Move the log into the main file, as far as no reader needs it there, and seal that."""
    is_ours = _stamp(file) == _sealed_stamp(file)
    with _alone(connection):
        catch_up(file)
    connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
    with _alone(connection):
        catch_up(file, is_ours=is_ours)


def close(connection: sqlite3.Connection, file: Path) -> None:
    """Close a connection; where that moves the log into the main file, seal it."""
    if not log_bytes(file):
        connection.close()
        return
    merged, before = None, _stamp(file)
    try:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        connection.execute(f"PRAGMA busy_timeout={_PATIENCE_MS}")
        with _alone(connection):
            merged = catch_up(file)
    except sqlite3.Error:  # closed already, or damaged: whoever opens it next looks at it
        merged = None
    connection.close()
    after = _stamp(file)
    # Where the file was not as sealed before, somebody else wrote to it: the next one to open
    # it has to look at its content. Nor is the seal of another process overwritten.
    if merged is None or after in (None, before) or before != merged.stamp:
        return
    stamp = _dated_back(file)
    if stamp is not None and read(file) == merged:
        _keep(file, merged._replace(stamp=stamp))


@contextmanager
def _alone(connection: sqlite3.Connection) -> Iterator[None]:
    """No other process writes meanwhile."""
    # Nothing is written in this transaction: what is wanted of it is that no one else writes.
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
    finally:
        connection.execute("ROLLBACK")


def renew(connection: sqlite3.Connection, file: Path) -> None:
    """Seal the file as it is, without a doubt: it is new."""
    stamp = _dated_back(file)
    if stamp is not None:
        pages = _checksums(connection.serialize())
        _keep(file, _caught_up(file, Seal(stamp, 0, 0, pages)))


def log_bytes(file: Path) -> int:
    """Size of the write-ahead log; 0: there is none."""
    try:
        return os.stat(f"{file}-wal").st_size
    except OSError:
        return 0


def read(file: Path) -> Seal | None:
    """The seal of a file; None: none that can be read."""
    from zlib import crc32

    try:
        with open(f"{file}{ENDING}", "rb") as stream:
            data = stream.read()
    except OSError:
        return None
    head, pages = array("q"), array("I")
    if len(data) < _HEAD_BYTES or (len(data) - _HEAD_BYTES) % pages.itemsize:
        return None
    head.frombytes(data[:_HEAD_BYTES])
    pages.frombytes(data[_HEAD_BYTES:])
    if head[0] != _MAGIC or head[-1] != crc32(data[_HEAD_BYTES:], crc32(head[:-1])):
        return None
    return Seal((head[1], head[2], head[3], head[4]), head[5], head[6], pages)


def _doubt_of_content(connection: sqlite3.Connection, file: Path) -> str:
    for _ in range(_TRIES):
        stamp, seal = _stamp(file), read(file)
        if seal is None:
            if _is_empty(connection):
                renew(connection, file)
                return ""
            return "its seal is missing"
        if stamp is None or stamp == seal.stamp:
            return ""
        merged = _caught_up(file, seal)
        # A copied state folder and a killed owner change the stamp and no page: they cost 136 ms
        # for 8 MB and no rebuild. Of 150 bits flipped in a file, 4 gave a wrong answer before pages
        # were compared.
        if merged.pages == _checksums(connection.serialize()):
            _reseal(connection, file, seal, merged._replace(stamp=stamp))
            return ""
    # Frames that another process has written, and not yet told SQLite's shared index of, are in
    # the log and not in what is read: on a loaded machine a sound file was called damaged (1 of
    # some 40 whole runs of the tests). So only a look while nobody writes can say so.
    if _is_level_alone(connection, file):
        return ""
    return "its content is not what was written to it"


def _is_level_alone(connection: sqlite3.Connection, file: Path) -> bool:
    """Whether the seal agrees with the file while no other process writes."""
    try:
        with _alone(connection):
            seal = read(file)
            return seal is not None and _caught_up(file, seal).pages == _checksums(
                connection.serialize()
            )
    except sqlite3.OperationalError as error:
        # Who may only read cannot keep others from writing: what was read twice is all there is.
        if getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_READONLY:
            return False
        raise


def _reseal(connection: sqlite3.Connection, file: Path, known: Seal, found: Seal) -> None:
    """Keep what was found, unless somebody is writing or has sealed it otherwise."""
    connection.execute("PRAGMA busy_timeout=0")
    try:
        with _alone(connection):
            if read(file) == known:
                _keep(file, found)
    except sqlite3.OperationalError:
        return
    finally:
        connection.execute(f"PRAGMA busy_timeout={round(BUSY_SECONDS * 1_000)}")


def _is_empty(connection: sqlite3.Connection) -> bool:
    """No note is in it: a new file, whose maker has not come to sealing it yet."""
    row = connection.execute("SELECT value FROM meta WHERE key = 'notes'").fetchone()
    return (row is None or row[0] == "0") and not connection.execute(
        "SELECT 1 FROM notes LIMIT 1"
    ).fetchone()


def _checksums(content: bytes) -> array[int]:
    from zlib import crc32

    view = memoryview(content)
    starts = range(0, len(content), PAGE_BYTES)
    return array("I", [crc32(view[start : start + PAGE_BYTES]) for start in starts])


def _caught_up(file: Path, seal: Seal) -> Seal:
    """The seal with the pages of the log that were committed since."""
    from zlib import crc32

    try:
        stream = open(f"{file}-wal", "rb")  # noqa: SIM115  # closed below
    except OSError:
        return seal
    with stream:
        head = stream.read(_LOG_HEAD)
        salts = head[16:24]
        if len(head) < _LOG_HEAD or int.from_bytes(head[8:12], "big") != PAGE_BYTES:
            return seal
        log = int.from_bytes(salts, "big", signed=True)
        met = frames = seal.frames if log == seal.log else 0
        pages, waiting = seal.pages[:], dict[int, int]()
        stream.seek(_LOG_HEAD + frames * _FRAME)
        while len(frame := stream.read(_FRAME)) == _FRAME and frame[8:16] == salts:
            met += 1
            waiting[int.from_bytes(frame[:4], "big")] = crc32(frame[_FRAME_HEAD:])
            size = int.from_bytes(frame[4:8], "big")  # pages of the file; 0: not committed yet
            if size:
                frames = met
                # A page that was taken and never written is one of zeros.
                pages.extend([crc32(bytes(PAGE_BYTES))] * (size - len(pages)))
                for page, checksum in waiting.items():
                    if page <= size:
                        pages[page - 1] = checksum
                del pages[size:]
                waiting.clear()
    return Seal(seal.stamp, log, frames, pages)


def _stamp(file: Path) -> Stamp | None:
    """How the main file looks from outside; None: it is not there."""
    try:
        found = os.stat(file)
    except OSError:
        return None
    return (found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino & _POSITIVE)


def _dated_back(file: Path) -> Stamp | None:
    """The stamp of the file after it was dated back."""
    with suppress(OSError):  # the file of another user: its stamp is as it is
        times = os.stat(file)
        os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns - _BACK_NS))
    return _stamp(file)


def _sealed_stamp(file: Path) -> Stamp | None:
    """The stamp of the seal alone; one that was damaged equals none that a file has."""
    try:
        with open(f"{file}{ENDING}", "rb", buffering=0) as stream:
            data = stream.read(_HEAD_BYTES)
    except OSError:
        return None
    if len(data) < _HEAD_BYTES:
        return None
    head = array("q", data)
    return (head[1], head[2], head[3], head[4]) if head[0] == _MAGIC else None


def _keep(file: Path, seal: Seal) -> None:
    """Write the seal by rename, without waiting for the disk.

    Where that fails, or a power cut undoes it, the next one to open the file looks at its content.
    """
    from zlib import crc32

    head = array("q", [_MAGIC, *seal.stamp, seal.log, seal.frames])
    content = seal.pages.tobytes()
    head.append(crc32(content, crc32(head)))
    new = f"{file}{ENDING}.{os.urandom(4).hex()}.tmp"
    try:
        with open(new, "wb") as stream:
            stream.write(head.tobytes() + content)
        os.replace(new, f"{file}{ENDING}")
    except OSError:
        with suppress(OSError):
            os.unlink(new)
