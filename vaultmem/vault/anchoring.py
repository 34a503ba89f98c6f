"""The anchor: where the history of this vault has to be, as this device acknowledged it.

Announced before the branch moves (and on disk by then), acknowledged after: a commit that a kill
or a power cut left between the two is known to be ours, and one that was announced and never
came is no loss. What is neither announced nor acknowledged was made by somebody else.

Nothing here stops anybody's work: a history that was rewound is said, in every sync, until it is
back or accepted with `vaultmem audit --acknowledge`.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from vaultmem.base.errors import BusyError, DiskError
from vaultmem.base.records import NamedTuple
from vaultmem.model.notes import Problem, Severity
from vaultmem.vault import ledger
from vaultmem.vault.ledger import Entry, Line

if TYPE_CHECKING:
    from vaultmem.vault.vault import Parts

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


def standing(parts: Parts) -> Standing:
    """Whether the history still contains the acknowledged head; a git process only if it moved."""
    last = ledger.tail(parts.state)
    if last is None:
        return Standing("")
    return _standing(parts, last, parts.history.head() or "")


def is_begun(parts: Parts) -> bool:
    """Whether this device keeps a ledger of the vault."""
    return ledger.tail(parts.state) is not None


def _standing(parts: Parts, last: Line, head: str) -> Standing:
    if head == last.head:
        return Standing(head, last.lost)
    lineage = parts.history.lineage()
    if last.lost and head and lineage.is_ancestor(last.lost, head):
        return Standing(last.head)  # what was lost is back
    if not last.head or (head and lineage.is_ancestor(last.head, head)):
        return Standing(last.head, last.lost)
    return Standing(last.head, last.lost or last.head)


def notice(parts: Parts) -> None:
    """Write down where the history is before something is done to it; under the writer lock.

    Begins a ledger where there is none. Without this a commit on top of a rewound history would
    become the new anchor, and the loss would never be seen again.
    """
    try:
        _notice(parts, parts.history.head() or "")
    except (DiskError, BusyError) as error:
        _unwritten(parts, error)


def _notice(parts: Parts, head: str) -> None:
    last = ledger.tail(parts.state)
    now = parts.clock.now()
    if last is None:
        ledger.append(parts.state, [Entry(BEGIN, now, head=head, lost="")])
        return
    if head == last.head:
        return
    if last.kind == PLAN and last.detail.partition(":")[0] == head:
        # Killed between the move of the branch and the line that says so.
        op = last.detail.partition(":")[2]
        kind = kind_of(op)
        ledger.append(parts.state, [Entry(kind, last.at_ms, head=head, detail=op)])
        return
    found = _standing(parts, last, head)
    kind = LOST if found.lost and found.lost != last.lost else NOTICED
    ledger.append(parts.state, [Entry(kind, now, head=head, lost=found.lost)])
    if found.lost != last.lost:
        show(parts, found)


def announce(parts: Parts, making: Sequence[Making], commits: Sequence[str]) -> None:
    """Say, durably, that these commits are about to be put on the branch."""
    entries = [
        Entry(PLAN, each.at_ms, detail=f"{commit}:{_word(each.op)}")
        for each, commit in zip(making, commits, strict=True)
    ]
    try:
        ledger.append(parts.state, entries, durable=True)
    except (DiskError, BusyError) as error:
        _unwritten(parts, error)  # the vault comes first: the commit is made all the same


def acknowledge(
    parts: Parts, making: Sequence[Making], commits: Sequence[str], *, parent: str | None
) -> None:
    """Say that these commits are on the branch, oldest first; the last one is the new anchor.

    parent  what they were put on top of; None: nothing
    """
    entries = [
        Entry(kind_of(each.op), each.at_ms, head=commit, detail=_word(each.op))
        for each, commit in zip(making, commits, strict=True)
    ]
    try:
        _notice_parent(parts, parent or "")
        ledger.append(parts.state, entries)
    except (DiskError, BusyError) as error:
        _unwritten(parts, error)


def _notice_parent(parts: Parts, parent: str) -> None:
    """A foreign commit may have come between `notice` and ours: look at it as if before."""
    last = ledger.tail(parts.state)
    if last is not None and last.head == parent:
        return
    _notice(parts, parent)


def accept(parts: Parts, *, begins: bool = False, why: str = "") -> None:
    """Take the present history as the new anchor. Raises DiskError.

    begins  nobody looked at it: it is only what this device found
    why     the operation that rewrote it on purpose, as one word; '': a person looked at it
    """
    head = parts.history.head() or ""
    kind = BEGIN if begins else SEEN
    entry = Entry(kind, parts.clock.now(), head=head, lost="", detail=why)
    ledger.append(parts.state, [entry], durable=True)
    show(parts, Standing(head))
    with parts.index.writing():
        parts.index.set_problems(UNWRITTEN, ())


def looked_at(parts: Parts) -> str:
    """The head at which a person last accepted the history; '' when nobody did on this device."""
    kept = ledger.read(parts.state)
    lines = kept.lines if kept is not None else ()
    seen = [line.head for line in lines if line.kind == SEEN and not line.detail]
    return seen[-1] if seen else ""


def note_pulled(parts: Parts, commits: Sequence[str]) -> None:
    """Say that the branch was moved over these commits of another device, oldest first.

    For commits that come as they are (a fast-forward, or below a merge commit of ours); a merge
    commit made by `record` or `apply` with the operation `merge` is noted by these themselves.
    """
    making = [Making("pull", parts.clock.now())] * len(commits)
    try:
        entries = [
            Entry(PULLED, each.at_ms, head=commit, detail=each.op)
            for each, commit in zip(making, commits, strict=True)
        ]
        ledger.append(parts.state, entries)
    except (DiskError, BusyError) as error:
        _unwritten(parts, error)


def note_sending(parts: Parts, what: str, where: str, how_much: str) -> None:
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
    if ledger.tail(parts.state) is None:
        _notice(parts, parts.history.head() or "")
    ledger.append(parts.state, [Entry(SENT, parts.clock.now(), detail=detail)], durable=True)


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
        if user and parsed.scheme == "ssh":
            host = f"{user.partition(':')[0]}@{host}"
    except ValueError:
        return "an address that cannot be read"
    return f"{parsed.scheme}://{host}{parsed.path}"


def show(parts: Parts, found: Standing) -> None:
    """Let the index list what is wrong with the history, or that nothing is any more."""
    with parts.index.writing():
        parts.index.set_problems(PROBLEMS, problems(found))


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


def rewound(parts: Parts) -> str:
    """What a person is told, by an index that is level; '' when nothing recorded is missing."""
    return parts.index.first_problem(REWOUND)


def _rewound(found: Standing) -> str:
    return (
        f"the history was rewritten or rolled back: it does not contain commit {found.lost[:8]} "
        "any more, which this device recorded"
    )


def _unwritten(parts: Parts, error: DiskError | BusyError) -> None:
    problem = Problem(
        path=PurePosixPath(".git"),
        code=UNWRITTEN,
        message=f"a commit of vaultmem may look like somebody else's in an audit: {error.message}",
        hint=error.hint,
        severity=Severity.WARNING,
    )
    with parts.index.writing():
        parts.index.set_problems(UNWRITTEN, (problem,))


def _word(op: str) -> str:
    """An operation as one word of printable ASCII."""
    kept = "".join(char if char.isascii() and char.isalnum() else "-" for char in op)
    return kept or ledger.NOTHING
