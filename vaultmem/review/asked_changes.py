"""What assistants asked to change of the person's own, and nobody has answered yet.

A request is no memory: it lies in the device state, in one file, and waits in `vaultmem review`
beside the items that wait. Approved, it is done as the person's own operation, in one commit that
`undo` takes back; rejected, it is gone. Asked for again, it is the same request.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence

from vaultmem import base, edit, facts
from vaultmem import vault as vaults
from vaultmem.base import (
    TYPE_CHECKING,
    Any,
    BadInputError,
    dataclass,
    disk_error,
    replace,
)
from vaultmem.language import format_minute
from vaultmem.model import CHANGE, EXPIRE, LIMITED, RETRACT, Waiting
from vaultmem.storage import files

if TYPE_CHECKING:
    from pathlib import Path

    from vaultmem.model import Changed, NoteRow
    from vaultmem.vault import Vault

FILE = "requests.json"
PREFIX = "q-"
_OPS = (CHANGE, EXPIRE, RETRACT)
_MOST = 200  # then the oldest goes: an assistant that asks without end fills no disk
_ASKED_FOR = {
    CHANGE: "an assistant asks to replace it",
    EXPIRE: "an assistant says that it is over",
    RETRACT: "an assistant asks to forget it",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One thing that an assistant asked for."""

    id: str = ""
    op: str  # change, expire, retract
    item: str  # id of what it is about
    says: str  # what that said when it was asked; another statement is not what was meant
    to: str = ""  # change: the new statement
    at: int | None = None  # UTC ms: since when it is so; None: since it is approved
    why: str = ""  # as the assistant gives it
    asked_at: int  # UTC ms


def is_request(ref: str) -> bool:
    """Whether a word names a request, and no note."""
    return ref.startswith(PREFIX)


def ask(vault: Vault, request: Request) -> Request:
    """The request with its id, kept until the person decides; the same one is kept once."""
    meant = json.dumps([request.op, request.item, request.says, request.to, request.at])
    known = replace(request, id=PREFIX + hashlib.sha256(meant.encode()).hexdigest()[:10])
    with _writer_lock(vault):
        others = [each for each in _read(vault) if each.id != known.id]
        _write(vault, [*others, known][-_MOST:])
    return known


def waiting(vault: Vault) -> tuple[Waiting, ...]:
    """Requests about items that still say what they said, in the order in which they came."""
    found = []
    zone = vault.settings.timezone
    for request in _read(vault):
        row = _find_meant(vault, request)
        if row is None:
            continue
        since = "" if request.at is None else f", from {format_minute(request.at, zone)} on"
        becomes = f" -> {request.to}" if request.to else ""
        told = f": {request.why}" if request.why else ""
        found.append(
            Waiting(
                id=request.id,
                path=row.path,
                statement=f"{row.statement}{becomes}",
                kind=request.op,
                reason=f"{_ASKED_FOR[request.op]}{since}{told}",
                quote="",
                writer="agent",
                trust=LIMITED,
                source=row.path,
            )
        )
    return tuple(found)


def decide(vault: Vault, refs: Sequence[str], *, is_approved: bool) -> dict[str, tuple[str, str]]:
    """Do what these requests ask for, as the person's, or drop them: (statement, commit) by id.

    raises BadInputError  nothing waits by that id, or what it is about says something else now
    """
    done: dict[str, tuple[str, str]] = {}
    for ref in dict.fromkeys(refs):
        request = next((each for each in _read(vault) if each.id == ref), None)
        if request is None:
            raise BadInputError(
                f"no request '{ref}' waits", hint="`vaultmem review` lists what waits"
            )
        commit = ""
        if is_approved:
            commit = carry_out(vault, request).commit or ""
        withdraw(vault, request)
        done[ref] = f"{request.says} -> {request.to}" if request.to else request.says, commit
    return done


def carry_out(vault: Vault, request: Request) -> Changed:
    """What is asked for, done in one commit as the person's own; they have agreed.

    raises BadInputError, UnknownNoteError: nothing is changed then
    """
    vaults.level.refresh(vault)
    if _find_meant(vault, request) is None:
        raise BadInputError(
            f"{request.item} says something else than when it was asked for",
            hint="look at it and ask again",
        )
    return edit.carry_out(vault, wanted_of(request, writer="person"))


def withdraw(vault: Vault, request: Request) -> None:
    """It waits no more."""
    with _writer_lock(vault):
        _write(vault, [each for each in _read(vault) if each.id != request.id])


def wanted_of(request: Request, *, writer: str) -> facts.Wanted:
    """The request as an operation on a fact."""
    if request.op == CHANGE:
        words = (request.item, request.to)
        return facts.want_new(CHANGE, words, statement="", at=request.at, writer=writer)
    at = request.at if request.op == EXPIRE else None
    return facts.want_end(request.op, (request.item,), at=at, writer=writer)


def _find_meant(vault: Vault, request: Request) -> NoteRow | None:
    rows = vault.index.notes_with_id(request.item)
    row = rows[0] if rows else None
    is_same = row is not None and row.statement == request.says
    return row if is_same and row is not None and row.status == "active" else None


# --- the file ----------------------------------------------------------------------------------


def _writer_lock(vault: Vault) -> files.WriterLock:
    wait = vault.settings.sync_lock_wait_seconds
    return files.WriterLock(vault.state, deadline_seconds=wait)


def _read(vault: Vault) -> list[Request]:
    """The requests of the file; a damaged one is as none, and an entry that is none is left out."""
    try:
        found: Any = json.loads(_place(vault).read_bytes())
    except FileNotFoundError:
        return []
    except OSError as error:
        raise disk_error(error, doing="read requests in", what=_place(vault)) from error
    except (ValueError, RecursionError):
        return []
    listed = found if isinstance(found, list) else []
    return [request for each in listed if (request := _request(each)) is not None]


def _request(found: Any) -> Request | None:
    if not isinstance(found, dict) or found.get("op") not in _OPS:
        return None
    texts = {name: found.get(name) for name in ("id", "op", "item", "says", "to", "why")}
    at, asked_at = found.get("at"), found.get("asked_at")
    if not all(isinstance(text, str) for text in texts.values()):
        return None
    if not isinstance(asked_at, int) or not (at is None or isinstance(at, int)):
        return None
    return Request(**texts, at=at, asked_at=asked_at)  # type: ignore[arg-type]  # looked at above


def _write(vault: Vault, requests: Sequence[Request]) -> None:
    names = ("id", "op", "item", "says", "to", "at", "why", "asked_at")
    told = [{name: getattr(each, name) for name in names} for each in requests]
    file = _place(vault)
    # As it is read by people, so that an erasure finds its words in it.
    data = json.dumps(told, ensure_ascii=False, indent=1).encode("utf-8", "replace")
    try:
        base.replace_file(file, data)
    except OSError as error:
        raise disk_error(error, doing="keep a request in", what=file) from error


def _place(vault: Vault) -> Path:
    return vault.state / FILE
