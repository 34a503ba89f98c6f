"""What this device acknowledged, kept outside the vault: an append-only file, each line sealed.

One line before a commit is made (`plan`), one when it is on the branch. Each line carries the
head of the history after it, so the last line alone says where the history has to be, and a seal
over itself and the seal before it, keyed with a secret of the device: who has the vault but not
the device state can neither add a line nor take one out unseen.

    NUMBER MILLISECONDS KIND HEAD LOST DETAIL SEAL

Only ids, times, names of operations and what `sent` lines say are kept: no text of a note, so
that what is forgotten is not remembered here.

A line that a power cut tore is not damage: the next line goes on from the last whole one.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from vaultmem.base.errors import BusyError, DiskError
from vaultmem.base.records import NamedTuple
from vaultmem.storage.files.locking import try_lock, unlock

FILE_NAME, KEY_NAME = "ledger", "ledger.key"
NOTHING = "-"
# An append takes well under a millisecond; whoever holds the file longer has stopped.
_WAIT_SECONDS = 5.0
_PAUSE_SECONDS = 0.001
_KEY_BYTES = 32
_SEAL_BYTES = 16  # 128 bits: nobody finds a second line for a seal
_TAIL_BYTES = 4096
_FIELDS = 7
# Ends a line that was cut off, so that it cannot be taken for a whole one even if only its line
# end is missing.
_CUT = b" cut\n"


class Entry(NamedTuple):
    """What a line is to say; the head and lost head of the line before stay where None."""

    kind: str
    at_ms: int
    head: str | None = None  # '': no commit
    lost: str | None = None  # a head that left the history and was not acknowledged; '': none
    detail: str = ""  # printable ASCII without spaces


class Line(NamedTuple):
    """A line of the ledger. (Named tuples, because writing one is part of a cold command.)"""

    number: int  # from 1
    at_ms: int
    kind: str
    head: str
    lost: str
    detail: str
    seal: str


class Ledger(NamedTuple):
    """A ledger as read: the lines whose seals hold, and what is wrong with the rest."""

    lines: tuple[Line, ...]
    broken: tuple[int, ...] = ()  # numbers of lines whose seal does not hold
    torn: int = 0  # lines cut off, as a power cut leaves them
    has_key: bool = True


def tail(state: Path) -> Line | None:
    """The last whole line, by one short read; None when this device keeps no ledger yet.

    Its seal is not checked: that needs the key and the line before, and is `read`'s task.
    """
    try:
        fd = os.open(state / FILE_NAME, _flags(os.O_RDONLY))
    except FileNotFoundError:
        return None
    except OSError as error:
        raise _refused(state, error) from error
    try:
        return _last(fd)
    except OSError as error:
        raise _refused(state, error) from error
    finally:
        os.close(fd)


def append(
    state: Path,
    entries: Sequence[Entry],
    *,
    durable: bool = False,
    sleep: Callable[[float], None] = time.sleep,
) -> None:
    """Add lines; they are in the file, whatever becomes of this process. Makes ledger and key.

    durable  these and all lines before them survive a power cut when this returns
    raises   DiskError; BusyError when another process holds the file for 5 s
    """
    try:
        fd = os.open(state / FILE_NAME, _flags(os.O_RDWR | os.O_CREAT | os.O_APPEND), 0o600)
    except OSError as error:
        raise _refused(state, error) from error
    try:
        with _held(fd, sleep):
            before = _last(fd)
            is_new = before is None and _key(state) is not None
            data = b"".join(_written(before, entries, _make_key(state)))
            if not _ends_whole(fd):
                data = _CUT + data
            _write(fd, data)
        if durable:
            getattr(os, "fdatasync", os.fsync)(fd)
        if is_new:
            from vaultmem.storage.git.locks import sync_folder

            sync_folder(state)  # with a new key it is synced already
    except OSError as error:
        raise _refused(state, error) from error
    finally:
        os.close(fd)


def read(state: Path) -> Ledger | None:
    """Every line, its seal checked; None when this device keeps no ledger. Raises DiskError."""
    try:
        with open(state / FILE_NAME, "rb") as stream:
            data = stream.read()
        key = _key(state)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise _refused(state, error) from error
    seal_of = _sealer(key or bytes(_KEY_BYTES))
    lines: list[Line] = []
    broken: list[int] = []
    *texts, rest = data.split(b"\n")
    torn, before = int(bool(rest)), ""
    for place, text in enumerate(texts, 1):
        line = _parsed(text)
        if line is None:
            torn += bool(text)
            continue
        if seal_of(before, text.rpartition(b" ")[0]) == line.seal:
            lines.append(line)
        else:
            broken.append(place)
        before = line.seal
    return Ledger(tuple(lines), tuple(broken), torn, has_key=key is not None)


def key_is_there(state: Path) -> bool:
    """Whether this device had a ledger once: the key outlives a ledger that was deleted."""
    return (state / KEY_NAME).exists()


def _written(before: Line | None, entries: Iterable[Entry], key: bytes) -> Iterator[bytes]:
    seal_of = _sealer(key)
    last = before or Line(0, 0, "", "", "", "", "")
    for entry in entries:
        head = last.head if entry.head is None else entry.head
        lost = last.lost if entry.lost is None else entry.lost
        fields = (entry.kind, head or NOTHING, lost or NOTHING, entry.detail or NOTHING)
        text = f"{last.number + 1} {entry.at_ms} {' '.join(fields)}".encode("ascii")
        seal = seal_of(last.seal, text)
        last = Line(last.number + 1, entry.at_ms, entry.kind, head, lost, entry.detail, seal)
        yield text + b" " + seal.encode("ascii") + b"\n"


def _sealer(key: bytes) -> Callable[[str, bytes], str]:
    try:
        from _blake2 import blake2b  # hashlib would load OpenSSL: 3 ms of a cold command
    except ImportError:
        from hashlib import blake2b

    def seal(before: str, text: bytes) -> str:
        data = before.encode("ascii", "replace") + b" " + text
        return blake2b(data, key=key, digest_size=_SEAL_BYTES).hexdigest()

    return seal


def _parsed(text: bytes) -> Line | None:
    """The fields of a line; None for anything else."""
    try:
        fields = text.decode("ascii").split(" ")
        number, at_ms = int(fields[0]), int(fields[1])
    except (UnicodeDecodeError, ValueError, IndexError):
        return None
    if len(fields) != _FIELDS or len(fields[6]) != 2 * _SEAL_BYTES:
        return None
    head, lost, detail = ("" if field == NOTHING else field for field in fields[3:6])
    return Line(number, at_ms, fields[2], head, lost, detail, fields[6])


def _last(fd: int) -> Line | None:
    """The last line that is whole; reads further back only while none is found."""
    size = os.fstat(fd).st_size
    wanted = _TAIL_BYTES
    while size:
        start = max(size - wanted, 0)
        os.lseek(fd, start, os.SEEK_SET)
        lines = _read(fd, size - start).split(b"\n")
        # The first may begin before `start`, the last lacks its end.
        for text in reversed(lines[1 if start else 0 : -1]):
            line = _parsed(text)
            if line is not None:
                return line
        if start == 0:
            return None
        wanted *= 16
    return None


def _ends_whole(fd: int) -> bool:
    size = os.fstat(fd).st_size
    if size == 0:
        return True
    os.lseek(fd, size - 1, os.SEEK_SET)
    return os.read(fd, 1) == b"\n"


def _read(fd: int, size: int) -> bytes:
    found = b""
    while len(found) < size:
        more = os.read(fd, size - len(found))
        if not more:
            break
        found += more
    return found


def _write(fd: int, data: bytes) -> None:
    """All of it or nothing that counts: what a full disk cuts off is a torn line."""
    while data:
        data = data[os.write(fd, data) :]


def _make_key(state: Path) -> bytes:
    """The device's secret, made at first use; called under the lock of the ledger."""
    key = _key(state)
    if key is not None:
        return key
    key = os.urandom(_KEY_BYTES)
    temporary = state / f"{KEY_NAME}.new"
    with contextlib.suppress(FileNotFoundError):
        os.unlink(temporary)
    fd = os.open(temporary, _flags(os.O_WRONLY | os.O_CREAT | os.O_EXCL), 0o600)
    try:
        _write(fd, key)
        os.fsync(fd)
    finally:
        os.close(fd)
    os.replace(temporary, state / KEY_NAME)
    # Both names, of key and ledger: a power cut that took one of them would look like a hand.
    _sync_folder(state)
    return key


def _sync_folder(folder: Path) -> None:
    if os.name == "nt":
        return  # a folder cannot be opened there
    fd = os.open(folder, _flags(os.O_RDONLY))
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


def _key(state: Path) -> bytes | None:
    try:
        fd = os.open(state / KEY_NAME, _flags(os.O_RDONLY))
    except FileNotFoundError:
        return None
    try:
        key = _read(fd, _KEY_BYTES)
    finally:
        os.close(fd)
    return key if len(key) == _KEY_BYTES else None


@contextlib.contextmanager
def _held(fd: int, sleep: Callable[[float], None]) -> Iterator[None]:
    give_up = time.monotonic() + _WAIT_SECONDS
    while not try_lock(fd):
        if time.monotonic() >= give_up:
            raise BusyError(
                "another process holds the ledger of this device and does not let go",
                hint="run the command again when it is done",
            )
        sleep(_PAUSE_SECONDS)
    try:
        yield
    finally:
        unlock(fd)


def _flags(flags: int) -> int:
    for name in ("O_CLOEXEC", "O_NOFOLLOW", "O_BINARY"):
        flags |= getattr(os, name, 0)
    return flags


def _refused(state: Path, error: OSError) -> DiskError:
    return DiskError(
        f"cannot use the ledger '{state / FILE_NAME}': {error.strerror}",
        hint="set VAULTMEM_STATE to a folder of your own",
    )
