"""What waits until the person has looked at it: list it, vouch for it, or turn it away.

Items that are not theirs, rules that a pull brought (`sessions/held_rules.py`), and requests:
what an assistant asked to change of their own. A request is no memory: it lies in the device
state, in one file. Approved, it is done as the person's own operation, in one commit that `undo`
takes back; rejected, it is gone. Asked for again, it is the same request.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence

from vaultmem import base, edit, facts, model, sessions
from vaultmem import vault as vaults
from vaultmem.base import (
    TYPE_CHECKING,
    Any,
    BadInputError,
    UnknownNoteError,
    dataclass,
    disk_error,
    replace,
)
from vaultmem.language import format_minute
from vaultmem.model import (
    CHANGE,
    EXPIRE,
    LIMITED,
    RETRACT,
    USER,
    Filters,
    Item,
    NoteRow,
    Plan,
    Reviewed,
    Waiting,
    is_below,
    pluralise,
    subject,
    trust_trailers,
)
from vaultmem.storage import files, notes
from vaultmem.vault import Listings, WorkingCopy, level
from vaultmem.vault import fresh_index as answering

if TYPE_CHECKING:
    from pathlib import Path

    from vaultmem.model import Changed
    from vaultmem.vault import Vault

CANDIDATE = "candidate"


def waiting(vault: Vault) -> tuple[Waiting, ...]:
    """Items that wait for the person, oldest text first, then by id."""
    return answering.reading(vault, lambda: _waiting(vault))


def _waiting(vault: Vault) -> tuple[Waiting, ...]:
    found = []
    for row in _rows(vault):
        item = vaults.read_record(vault, row.path)
        if not isinstance(item, Item):
            continue
        source = vault.index.resolve_link(row.source[0]) if row.source else None
        found.append(
            Waiting(
                id=row.id,
                path=row.path,
                statement=row.statement,
                kind=row.kind,
                reason=item.review or "its status was set by hand",
                quote=row.quote,
                writer=row.writer,
                trust=row.trust,
                source=source.path if source is not None else None,
                origin=_origin(vault, source),
            )
        )
    held = sessions.waiting(vault, WorkingCopy(vault))
    return (*found, *held, *open_requests(vault))


def _rows(vault: Vault) -> list[NoteRow]:
    rows = vault.index.list(Filters(types=("item",), statuses=(CANDIDATE,)))
    return sorted(rows, key=lambda row: (row.source, row.id, row.path))


def _origin(vault: Vault, source: NoteRow | None) -> str:
    """Where the source itself came from: a URL, a file name."""
    record = vaults.read_record(vault, source.path) if source is not None else None
    return record.origin if isinstance(record, model.Resource) else ""


def approve(vault: Vault, refs: Sequence[str], *, everything: bool = False) -> Reviewed:
    """Vouch for notes: from now on they are believed as the person's own words.

    Items that wait become active and take their places in streams and categories. A note that
    does not wait may be approved as well: an item or a resource that came from outside.
    raises  UnknownNoteError, BadInputError when a note has no id or is believed already
    """
    return _decide(vault, refs, everything=everything, is_approved=True)


def reject(vault: Vault, refs: Sequence[str], *, everything: bool = False) -> Reviewed:
    """Turn away items that wait: they are retracted. Nothing is deleted, and `undo` takes it back.

    raises  UnknownNoteError, BadInputError for a note that does not wait
    """
    return _decide(vault, refs, everything=everything, is_approved=False)


def _decide(vault: Vault, refs: Sequence[str], *, everything: bool, is_approved: bool) -> Reviewed:
    """What is named of each kind; requests last, each in a commit of its own if it is approved."""
    asked = [ref for ref in refs if is_request(ref)]
    if everything:
        asked = [each.id for each in level.reading(vault, lambda: open_requests(vault))]
    others = [ref for ref in refs if not is_request(ref)]
    verb = "approve" if is_approved else "reject"
    found = Reviewed(verb=verb)
    if everything or others or not asked:
        found = _decide_notes(vault, others, everything=everything, is_approved=is_approved)
    if not asked:
        return found
    done = decide(vault, asked, is_approved=is_approved)
    commits = [commit for _, commit in done.values() if commit]
    return replace(
        found,
        ids=(*found.ids, *done),
        statements=(*found.statements, *(statement for statement, _ in done.values())),
        commit=commits[-1] if commits else found.commit,
    )


def _decide_notes(
    vault: Vault, refs: Sequence[str], *, everything: bool, is_approved: bool
) -> Reviewed:

    verb = "approve" if is_approved else "reject"
    of_sessions = [ref for ref in refs if sessions.held_rules.is_named(ref)]
    notes = [ref for ref in refs if ref not in of_sessions]
    with edit.writer(vault):
        working_copy = WorkingCopy(vault)
        rules = sessions.held_rules.decide(
            vault, working_copy, of_sessions, everything=everything, is_approved=is_approved
        )
        is_about_notes = everything or notes or not of_sessions
        rows = _choose_rows(vault, notes, everything=everything) if is_about_notes else []
        if not rows and not rules:
            return Reviewed(verb=verb)
        listings = Listings(vault, working_copy)
        for row in rows:
            if is_approved:
                _approve(vault, listings, row)
            else:
                _reject(vault, listings, row)
        ids = tuple(row.id for row in rows)
        statements = (*map(_headline, rows), *rules.values())
        said = statements[0] if len(statements) == 1 else pluralise(len(statements), "note")
        plan = Plan(
            op="review",
            actor="person",
            subject=subject("review", f"{verb} {said}"),
            changes=working_copy.step(),
            trailers=_trailers(ids, is_approved=is_approved) if ids else (),
        )
        done = vaults.apply(vault, [plan])
        level.keep_problems(vault, "review", listings.problems)
    return Reviewed(
        verb=verb,
        ids=(*ids, *rules),
        paths=tuple(row.path for row in rows),
        statements=statements,
        commit=done[-1].commit if done else None,
    )


def _trailers(ids: Sequence[str], *, is_approved: bool) -> tuple[tuple[str, str], ...]:
    listed = ", ".join(ids)
    decided = trust_trailers({}, ids) if is_approved else (("Vaultmem-Rejected", listed),)
    return (("Vaultmem-Items", listed), *decided)


def _headline(row: NoteRow) -> str:
    return row.statement if row.type == "item" else row.title


def _choose_rows(vault: Vault, refs: Sequence[str], *, everything: bool) -> list[NoteRow]:
    """The notes that are meant, each once."""
    if everything:
        return _rows(vault)
    if not refs:
        raise BadInputError("no item is named", hint="name ids, or use --all")
    rows = {row.path: row for row in (vaults.find_note(vault, ref) for ref in refs)}
    for row in rows.values():
        if not row.id or row.type not in ("item", "resource"):
            raise BadInputError(f"'{row.path}' has no id, so there is nothing to decide about it")
    return list(rows.values())


def _approve(vault: Vault, listings: Listings, row: NoteRow) -> None:

    waits = row.type == "item" and row.status == CANDIDATE
    if not waits and not is_below(row.trust, USER):
        raise BadInputError(
            f"'{row.id}' is believed already",
            hint="`vaultmem review` lists what waits; `vaultmem retract` takes an item back",
        )
    if row.type == "resource":
        listings.working_copy.put(
            row.path, notes.patch(listings.working_copy.existing(row.path), {"trust": USER})
        )
        return
    item = replace(_item(vault, row), trust=USER)
    listings.vouched.add(item.id)
    changes: dict[str, str | tuple[str, ...] | float | bool | None] = {"trust": USER}
    if waits:
        changes |= {"status": "active", "review": None}
    listings.patch_item(item, changes)
    if waits:
        item = _met(vault, listings, replace(item, status="active", review=""))
    if item.status == "active":
        listings.list_item(item)


def _met(vault: Vault, listings: Listings, item: Item) -> Item:
    """The item, now that the person vouches for it, beside what is known: who is older ends."""
    now = vault.clock.now()
    after = facts.Contradictions(listings).settle(item, at=now, now=now).item
    keys = facts.keys_of(item, after, zone=vault.settings.timezone)
    if keys:
        listings.patch_item(item, keys)
    return after


def _reject(vault: Vault, listings: Listings, row: NoteRow) -> None:
    if row.type != "item" or row.status != CANDIDATE:
        raise BadInputError(
            f"'{row.id}' does not wait for a decision", hint="`vaultmem review` lists what does"
        )
    listings.patch_item(_item(vault, row), {"status": "retracted", "review": None})


def _item(vault: Vault, row: NoteRow) -> Item:

    record = vaults.read_record(vault, row.path)
    if not isinstance(record, Item):
        raise UnknownNoteError(f"'{row.path}' is no item any more", hint="run the command again")
    return record


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


def open_requests(vault: Vault) -> tuple[Waiting, ...]:
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
