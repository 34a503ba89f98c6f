"""What waits until the person has looked at it: list it, vouch for it, or turn it away.

Items that are not theirs, rules that a pull brought (`sessions/held_rules.py`), and what an
assistant asked to change of their own (`review/asked_changes.py`).
"""

from __future__ import annotations

from collections.abc import Sequence

from vaultmem import edit, facts, model, sessions
from vaultmem import vault as vaults
from vaultmem.base import TYPE_CHECKING, BadInputError, UnknownNoteError, replace
from vaultmem.model import (
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
from vaultmem.review import asked_changes as requests
from vaultmem.storage import notes
from vaultmem.vault import Listings, WorkingCopy, level
from vaultmem.vault import fresh_index as answering

if TYPE_CHECKING:
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
    return (*found, *held, *requests.waiting(vault))


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
    asked = [ref for ref in refs if requests.is_request(ref)]
    if everything:
        asked = [each.id for each in level.reading(vault, lambda: requests.waiting(vault))]
    others = [ref for ref in refs if not requests.is_request(ref)]
    verb = "approve" if is_approved else "reject"
    found = Reviewed(verb=verb)
    if everything or others or not asked:
        found = _decide_notes(vault, others, everything=everything, is_approved=is_approved)
    if not asked:
        return found
    done = requests.decide(vault, asked, is_approved=is_approved)
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
