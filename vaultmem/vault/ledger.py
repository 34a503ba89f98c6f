"""What this device acknowledged, sealed line by line, and where the history has to be after it.

One line before a commit is made (`plan`), one when it is on the branch. Each line carries the
head of the history after it, so the last line alone says where the history has to be, and a seal
over itself and the seal before it, keyed with a secret of the device: who has the vault but not
the device state can neither add a line nor take one out unseen.

    NUMBER MILLISECONDS KIND HEAD LOST DETAIL SEAL

Only ids, times, names of operations and what `sent` lines say are kept: no text of a note, so
that what is forgotten is not remembered here.

A line that a power cut tore is not damage: the next line goes on from the last whole one.

The announcement is on disk before the branch moves (`fdatasync`; without it a power cut would leave
commits that look forged), the acknowledgement need not be: what was announced and is in the history
is ours, what was announced and is not never happened. So no crash looks like tampering.

What makes commits goes through `apply` or `record`, which do this. `note_sending` is called before
anything leaves the device; what it raises means: do not send. `note_pulled` is called after the
branch moved over another device's commits, `accept` by whatever rewrites history on purpose.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path, PurePosixPath

from vaultmem import base
from vaultmem.base import TYPE_CHECKING, BusyError, DiskError, NamedTuple
from vaultmem.model import Problem, Severity
from vaultmem.storage import git
from vaultmem.storage.files import try_lock, unlock

if TYPE_CHECKING:
    from vaultmem.vault.vault import Vault
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
        raise _ledger_error(state, error) from error
    try:
        return _last(fd)
    except OSError as error:
        raise _ledger_error(state, error) from error
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
        raise _ledger_error(state, error) from error
    try:
        with _file_lock(fd, sleep):
            before = _last(fd)
            is_new = before is None and _key(state) is not None
            data = b"".join(_seal_lines(before, entries, _make_key(state)))
            if not _ends_whole(fd):
                data = _CUT + data
            _write(fd, data)
        if durable:
            getattr(os, "fdatasync", os.fsync)(fd)
        # A ledger made anew was in no synced folder: a power cut could take its name
        # (tests/faults/test_sync_order.py).
        if is_new:
            git.sync_folder(state)  # with a new key it is synced already
    except OSError as error:
        raise _ledger_error(state, error) from error
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
        raise _ledger_error(state, error) from error
    # With the key lost no seal can be checked: all lines count as broken, and the chain goes on
    # (test_a_lost_key_makes_the_old_lines_unproven_and_new_ones_go_on).
    seal_of = _sealer(key or bytes(_KEY_BYTES))
    lines: list[Line] = []
    broken: list[int] = []
    *texts, rest = data.split(b"\n")
    torn, before = int(bool(rest)), ""
    for place, text in enumerate(texts, 1):
        line = _parse_line(text)
        if line is None:
            torn += bool(text)
            continue
        if seal_of(before, text.rpartition(b" ")[0]) == line.seal:
            lines.append(line)
        else:
            broken.append(place)
        # Also behind a broken line, so that one change is told once and not in every line after it.
        before = line.seal
    return Ledger(tuple(lines), tuple(broken), torn, has_key=key is not None)


def key_is_there(state: Path) -> bool:
    """Whether this device had a ledger once: the key outlives a ledger that was deleted."""
    return (state / KEY_NAME).exists()


def _seal_lines(before: Line | None, entries: Iterable[Entry], key: bytes) -> Iterator[bytes]:
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


def _parse_line(text: bytes) -> Line | None:
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
            line = _parse_line(text)
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
    # Both names, of key and ledger: a power cut that took one of them would look like a hand.
    base.replace_file(state / KEY_NAME, key, is_durable=True)
    return key


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
def _file_lock(fd: int, sleep: Callable[[float], None]) -> Iterator[None]:
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


def _ledger_error(state: Path, error: OSError) -> DiskError:
    return DiskError(
        f"cannot use the ledger '{state / FILE_NAME}': {error.strerror}",
        hint="set VAULTMEM_STATE to a folder of your own",
    )


# --- the anchor: where the history of this vault has to be ---

# Announced before the branch moves (and on disk by then), acknowledged after: a commit that a kill
# or a power cut left between the two is known to be ours, and one that was announced and never
# came is no loss. What is neither announced nor acknowledged was made by somebody else.
#
# Nothing here stops anybody's work: a history that was rewound is said, in every sync, until it is
# back or accepted with `vaultmem audit --acknowledge`.
PROBLEMS = "anchor"  # origin of these problems in the index
REWOUND = "history-rewound"
UNWRITTEN = "ledger-unwritten"
# Kinds of lines.
BEGIN, PLAN, OURS, EDITOR, PULLED, SEEN, NOTICED, LOST, SENT = (
    *("begin", "plan", "ours", "editor", "pulled"),
    *("seen", "noticed", "lost", "sent"),
)
MADE = (OURS, EDITOR, PULLED)
"""Lines that acknowledge a commit."""
_BY_OP = {"edit": EDITOR, "pull": PULLED, "merge": PULLED}

_LONGEST_WORD = 400  # characters of what a `sent` line says, each


def kind_of(op: str) -> str:
    """Kind of the line that acknowledges a commit of this operation."""
    return _BY_OP.get(op, OURS)


class Standing(NamedTuple):
    """How the history stands to what this device acknowledged last."""

    head: str  # the acknowledged head; '': none yet
    lost: str = ""  # a head that the history contains no more; '': it contains all


class Making(NamedTuple):
    """A commit that is being made: the operation, and when it says it was recorded."""

    op: str
    at_ms: int


def standing(vault: Vault) -> Standing:
    """Whether the history still contains the acknowledged head; a git process only if it moved."""
    last = tail(vault.state)
    if last is None:
        return Standing("")
    return _standing(vault, last, vault.history.head() or "")


def is_begun(vault: Vault) -> bool:
    """Whether this device keeps a ledger of the vault."""
    return tail(vault.state) is not None


def _standing(vault: Vault, last: Line, head: str) -> Standing:
    if head == last.head:
        return Standing(head, last.lost)
    lineage = vault.history.lineage()
    if last.lost and head and lineage.is_ancestor(last.lost, head):
        return Standing(last.head)  # what was lost is back
    if not last.head or (head and lineage.is_ancestor(last.head, head)):
        return Standing(last.head, last.lost)
    return Standing(last.head, last.lost or last.head)


def notice(vault: Vault) -> None:
    """Write down where the history is before something is done to it; under the writer lock.

    Begins a ledger where there is none. Without this a commit on top of a rewound history would
    become the new anchor, and the loss would never be seen again.
    """
    try:
        _notice(vault, vault.history.head() or "")
    except (DiskError, BusyError) as error:
        _unwritten(vault, error)


def _notice(vault: Vault, head: str) -> None:
    last = tail(vault.state)
    now = vault.clock.now()
    if last is None:
        append(vault.state, [Entry(BEGIN, now, head=head, lost="")])
        return
    if head == last.head:
        return
    if last.kind == PLAN and last.detail.partition(":")[0] == head:
        # Killed between the move of the branch and the line that says so.
        op = last.detail.partition(":")[2]
        kind = kind_of(op)
        append(vault.state, [Entry(kind, last.at_ms, head=head, detail=op)])
        return
    found = _standing(vault, last, head)
    kind = LOST if found.lost and found.lost != last.lost else NOTICED
    append(vault.state, [Entry(kind, now, head=head, lost=found.lost)])
    if found.lost != last.lost:
        show(vault, found)


def announce(vault: Vault, making: Sequence[Making], commits: Sequence[str]) -> None:
    """Say, durably, that these commits are about to be put on the branch."""
    entries = [
        Entry(PLAN, each.at_ms, detail=f"{commit}:{_word(each.op)}")
        for each, commit in zip(making, commits, strict=True)
    ]
    try:
        append(vault.state, entries, durable=True)
    except (DiskError, BusyError) as error:
        _unwritten(vault, error)  # the vault comes first: the commit is made all the same


def acknowledge(
    vault: Vault, making: Sequence[Making], commits: Sequence[str], *, parent: str | None
) -> None:
    """Say that these commits are on the branch, oldest first; the last one is the new anchor.

    parent  what they were put on top of; None: nothing
    """
    entries = [
        Entry(kind_of(each.op), each.at_ms, head=commit, detail=_word(each.op))
        for each, commit in zip(making, commits, strict=True)
    ]
    try:
        _notice_parent(vault, parent or "")
        append(vault.state, entries)
    except (DiskError, BusyError) as error:
        _unwritten(vault, error)


def _notice_parent(vault: Vault, parent: str) -> None:
    """A foreign commit may have come between `notice` and ours: look at it as if before."""
    last = tail(vault.state)
    if last is not None and last.head == parent:
        return
    _notice(vault, parent)


def accept(vault: Vault, *, begins: bool = False, why: str = "") -> None:
    """Take the present history as the new anchor. Raises DiskError.

    begins  nobody looked at it: it is only what this device found
    why     the operation that rewrote it on purpose, as one word; '': a person looked at it
    """
    head = vault.history.head() or ""
    kind = BEGIN if begins else SEEN
    entry = Entry(kind, vault.clock.now(), head=head, lost="", detail=why)
    append(vault.state, [entry], durable=True)
    show(vault, Standing(head))
    with vault.index.writing():
        vault.index.set_problems(UNWRITTEN, ())


def looked_at(vault: Vault) -> str:
    """The head at which a person last accepted the history; '' when nobody did on this device."""
    kept = read(vault.state)
    lines = kept.lines if kept is not None else ()
    seen = [line.head for line in lines if line.kind == SEEN and not line.detail]
    return seen[-1] if seen else ""


def note_pulled(vault: Vault, commits: Sequence[str]) -> None:
    """Say that the branch was moved over these commits of another device, oldest first.

    For commits that come as they are (a fast-forward, or below a merge commit of ours); a merge
    commit made by `record` or `apply` with the operation `merge` is noted by these themselves.
    """
    making = [Making("pull", vault.clock.now())] * len(commits)
    try:
        entries = [
            Entry(PULLED, each.at_ms, head=commit, detail=each.op)
            for each, commit in zip(making, commits, strict=True)
        ]
        append(vault.state, entries)
    except (DiskError, BusyError) as error:
        _unwritten(vault, error)


def note_sending(vault: Vault, what: str, where: str, how_much: str) -> None:
    """Write down that something left this device; `vaultmem audit` lists it (promise P10).

    To be called before the first byte is sent: then nothing leaves unlisted, and a sending that
    failed is listed too. Needs no writer lock.

    what      what is sent, without words of a note: `push main`, `questions to the model`
    where     the address; a password in it is left out
    how_much  `3 commits`, `4.1 KB`
    raises    DiskError, BusyError: do not send what cannot be listed
    """
    from urllib.parse import quote

    words = (what, _without_secret(where), how_much)
    detail = "&".join(quote(word[:_LONGEST_WORD], safe="/:@.,+") for word in words)
    if tail(vault.state) is None:
        _notice(vault, vault.history.head() or "")
    append(vault.state, [Entry(SENT, vault.clock.now(), detail=detail)], durable=True)


def sent_words(detail: str) -> tuple[str, str, str]:
    """(what, where, how much) of a `sent` line."""
    from urllib.parse import unquote

    words = [unquote(word) for word in detail.split("&")]
    what, where, how_much = (*words, "", "", "")[:3]
    return what, where, how_much


def _without_secret(where: str) -> str:
    """The address without password, query and fragment; a user is only left to ssh."""
    from urllib.parse import urlsplit

    try:
        parsed = urlsplit(where)
        if not parsed.scheme or not parsed.netloc:
            return where
        user, _, host = parsed.netloc.rpartition("@")
        # Without the user of an ssh address it leads nowhere; a password is still left out.
        if user and parsed.scheme == "ssh":
            host = f"{user.partition(':')[0]}@{host}"
    except ValueError:
        return "an address that cannot be read"
    return f"{parsed.scheme}://{host}{parsed.path}"


def show(vault: Vault, found: Standing) -> None:
    """Let the index list what is wrong with the history, or that nothing is any more."""
    with vault.index.writing():
        vault.index.set_problems(PROBLEMS, problems(found))


def problems(found: Standing) -> tuple[Problem, ...]:
    """The problem `history-rewound`, or none."""
    if not found.lost:
        return ()
    return (
        Problem(
            path=PurePosixPath(".git"),
            code=REWOUND,
            message=_rewound(found),
            hint="`vaultmem audit` names what is missing; `vaultmem audit --acknowledge` accepts "
            "the history as it is",
            severity=Severity.WARNING,
        ),
    )


def rewound(vault: Vault) -> str:
    """What a person is told, by an index that is level; '' when nothing recorded is missing."""
    return vault.index.first_problem(REWOUND)


def _rewound(found: Standing) -> str:
    return (
        f"the history was rewritten or rolled back: it does not contain commit {found.lost[:8]} "
        "any more, which this device recorded"
    )


def _unwritten(vault: Vault, error: DiskError | BusyError) -> None:
    problem = Problem(
        path=PurePosixPath(".git"),
        code=UNWRITTEN,
        message=f"a commit of vaultmem may look like somebody else's in an audit: {error.message}",
        hint=error.hint,
        severity=Severity.WARNING,
    )
    with vault.index.writing():
        vault.index.set_problems(UNWRITTEN, (problem,))


def _word(op: str) -> str:
    """An operation as one word of printable ASCII."""
    kept = "".join(char if char.isascii() and char.isalnum() else "-" for char in op)
    return kept or NOTHING
