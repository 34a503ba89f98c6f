"""Which session a conversation is that a client tells anew with each request.

Clients of a chat endpoint send the whole conversation every time and name it nowhere. So the state
of such a session (state.json, one with each turn) holds marks of what its client will send next. No
second store has to agree with the vault: it works after a restart, on another device, and after
`session rewind`.
"""

from __future__ import annotations

import json
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from vaultmem.base.records import dataclass
from vaultmem.model.talks.sessions import ACTIVE
from vaultmem.sessions import files
from vaultmem.vault.plan import Workbench

if TYPE_CHECKING:
    from vaultmem.vault.vault import Parts

_KEY = "proxy"
_NAMES = ("so_far", "before", "last", "asked")
_LONGEST_STATE = 1_000  # bytes; a longer one is an agent's own


@dataclass(frozen=True, slots=True, kw_only=True)
class Marks:
    """Digests of what a client sends back; '' where there is nothing to send."""

    so_far: str  # of all that was said, this turn included
    before: str  # without this turn: whoever sends that takes this turn back
    last: str  # of this turn alone: for clients that send only the end of a conversation
    asked: str = ""  # of the person's words of this turn


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A session that a request goes on with."""

    id: str
    turns: int
    is_ended: bool
    is_back: bool  # its last turn is taken back: the client asks for another reply, or asks anew


def as_state(marks: Marks) -> str:
    """The state of a session with these marks."""
    return json.dumps({_KEY: {name: getattr(marks, name) for name in _NAMES}})


def find(parts: Parts, sent: Marks, *, id_: str = "") -> Found | None:
    """The session that a request goes on with; None: it begins one.

    sent  of the request: `so_far` and `last` of what was said before it, `asked` of what is asked
    id_   the client names the session: no other is looked at

    One whose words are all those of the request comes first; of two that are the same either will
    do. Then one that is a turn further, which is taken back: it must be the only one, or the only
    one of which the same was asked. Then the only one whose last turn is that of the request.
    """
    known = files.folders(parts)
    if id_:
        folder = known.get(id_)
        if folder is None:
            return None
        marks = _marks(parts, folder)
        so_far = sent.so_far
        is_back = marks is not None and bool(so_far) and marks.before == so_far != marks.so_far
        return _found(parts, folder, is_back=is_back)
    if not sent.so_far:
        return None
    marked = [(folder, _marks(parts, folder)) for folder in reversed(known.values())]
    there = [(folder, marks) for folder, marks in marked if marks is not None]
    for folder, marks in there:
        if marks.so_far == sent.so_far:
            return _found(parts, folder, is_back=False)
    further = [(folder, marks.asked) for folder, marks in there if marks.before == sent.so_far]
    same = [folder for folder, asked in further if asked == sent.asked]
    back = same or [folder for folder, _ in further]
    if back:
        return _found(parts, back[0], is_back=True) if len(back) == 1 else None
    ends = [folder for folder, marks in there if sent.last and marks.last == sent.last]
    return _found(parts, ends[0], is_back=False) if len(ends) == 1 else None


def _found(parts: Parts, folder: PurePosixPath, *, is_back: bool) -> Found:
    read = Workbench(parts).text
    head, turns = files.head_of(folder, read, zone=parts.settings.timezone)
    return Found(
        id=files.id_of(folder),
        turns=turns,
        is_ended=head.status != ACTIVE,
        is_back=is_back and turns > 0,
    )


def _marks(parts: Parts, folder: PurePosixPath) -> Marks | None:
    """The marks of a session; None for one that no such client talks in."""
    try:
        with open(parts.root / folder / files.STATE, encoding="utf-8") as stream:
            text = stream.read(_LONGEST_STATE + 1)
        found: Any = json.loads(text) if len(text) <= _LONGEST_STATE else None
    except (OSError, ValueError, RecursionError):
        return None
    kept = found.get(_KEY) if isinstance(found, dict) else None
    if not isinstance(kept, dict):
        return None
    values = [value for name in _NAMES if isinstance(value := kept.get(name), str)]
    if len(values) != len(_NAMES):
        return None
    so_far, before, last, asked = values
    return Marks(so_far=so_far, before=before, last=last, asked=asked)
