"""What waits until the person has looked at it: list it, vouch for it, or turn it away.

Items that are not theirs, rules that a pull brought (`sessions/held_rules.py`), and what an
assistant asked to change of their own (`review/asked_changes.py`).
"""

from __future__ import annotations

from collections.abc import Sequence

from vaultmem import edit, facts, model, sessions, vault
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
from vaultmem.vault import Shelf, Workbench, level
from vaultmem.vault import fresh_index as answering

if TYPE_CHECKING:
    from vaultmem.vault import Parts

CANDIDATE = "candidate"


def waiting(parts: Parts) -> tuple[Waiting, ...]:
    """Items that wait for the person, oldest text first, then by id."""
    return answering.reading(parts, lambda: _waiting(parts))


def _waiting(parts: Parts) -> tuple[Waiting, ...]:

    found = []
    for row in _rows(parts):
        item = vault.read_record(parts, row.path)
        if not isinstance(item, Item):
            continue
        source = parts.index.resolve_link(row.source[0]) if row.source else None
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
                origin=_origin(parts, source),
            )
        )
    held = sessions.waiting(parts, Workbench(parts))
    return (*found, *held, *requests.waiting(parts))


def _rows(parts: Parts) -> list[NoteRow]:
    rows = parts.index.list(Filters(types=("item",), statuses=(CANDIDATE,)))
    return sorted(rows, key=lambda row: (row.source, row.id, row.path))


def _origin(parts: Parts, source: NoteRow | None) -> str:
    """Where the source itself came from: a URL, a file name."""

    record = vault.read_record(parts, source.path) if source is not None else None
    return record.origin if isinstance(record, model.Resource) else ""


def approve(parts: Parts, refs: Sequence[str], *, everything: bool = False) -> Reviewed:
    """Vouch for notes: from now on they are believed as the person's own words.

    Items that wait become active and take their places in streams and categories. A note that
    does not wait may be approved as well: an item or a resource that came from outside.
    raises  UnknownNoteError, BadInputError when a note has no id or is believed already
    """
    return _decide(parts, refs, everything=everything, is_approved=True)


def reject(parts: Parts, refs: Sequence[str], *, everything: bool = False) -> Reviewed:
    """Turn away items that wait: they are retracted. Nothing is deleted, and `undo` takes it back.

    raises  UnknownNoteError, BadInputError for a note that does not wait
    """
    return _decide(parts, refs, everything=everything, is_approved=False)


def _decide(parts: Parts, refs: Sequence[str], *, everything: bool, is_approved: bool) -> Reviewed:
    """What is named of each kind; requests last, each in a commit of its own if it is approved."""
    asked = [ref for ref in refs if requests.is_request(ref)]
    if everything:
        asked = [each.id for each in level.reading(parts, lambda: requests.waiting(parts))]
    others = [ref for ref in refs if not requests.is_request(ref)]
    verb = "approve" if is_approved else "reject"
    found = Reviewed(verb=verb)
    if everything or others or not asked:
        found = _decide_notes(parts, others, everything=everything, is_approved=is_approved)
    if not asked:
        return found
    done = requests.decide(parts, asked, is_approved=is_approved)
    commits = [commit for _, commit in done.values() if commit]
    return replace(
        found,
        ids=(*found.ids, *done),
        statements=(*found.statements, *(statement for statement, _ in done.values())),
        commit=commits[-1] if commits else found.commit,
    )


def _decide_notes(
    parts: Parts, refs: Sequence[str], *, everything: bool, is_approved: bool
) -> Reviewed:

    verb = "approve" if is_approved else "reject"
    of_sessions = [ref for ref in refs if sessions.held_rules.is_named(ref)]
    notes = [ref for ref in refs if ref not in of_sessions]
    with edit.writer(parts):
        bench = Workbench(parts)
        rules = sessions.held_rules.decide(
            parts, bench, of_sessions, everything=everything, is_approved=is_approved
        )
        is_about_notes = everything or notes or not of_sessions
        rows = _choose_rows(parts, notes, everything=everything) if is_about_notes else []
        if not rows and not rules:
            return Reviewed(verb=verb)
        shelf = Shelf(parts, bench)
        for row in rows:
            if is_approved:
                _approve(parts, shelf, row)
            else:
                _reject(parts, shelf, row)
        ids = tuple(row.id for row in rows)
        statements = (*map(_headline, rows), *rules.values())
        said = statements[0] if len(statements) == 1 else pluralise(len(statements), "note")
        plan = Plan(
            op="review",
            actor="person",
            subject=subject("review", f"{verb} {said}"),
            changes=bench.step(),
            trailers=_trailers(ids, is_approved=is_approved) if ids else (),
        )
        done = vault.apply(parts, [plan])
        level.keep_problems(parts, "review", shelf.problems)
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


def _choose_rows(parts: Parts, refs: Sequence[str], *, everything: bool) -> list[NoteRow]:
    """The notes that are meant, each once."""

    if everything:
        return _rows(parts)
    if not refs:
        raise BadInputError("no item is named", hint="name ids, or use --all")
    rows = {row.path: row for row in (vault.find_note(parts, ref) for ref in refs)}
    for row in rows.values():
        if not row.id or row.type not in ("item", "resource"):
            raise BadInputError(f"'{row.path}' has no id, so there is nothing to decide about it")
    return list(rows.values())


def _approve(parts: Parts, shelf: Shelf, row: NoteRow) -> None:

    waits = row.type == "item" and row.status == CANDIDATE
    if not waits and not is_below(row.trust, USER):
        raise BadInputError(
            f"'{row.id}' is believed already",
            hint="`vaultmem review` lists what waits; `vaultmem retract` takes an item back",
        )
    if row.type == "resource":
        shelf.bench.put(row.path, notes.patch(shelf.bench.existing(row.path), {"trust": USER}))
        return
    item = replace(_item(parts, row), trust=USER)
    shelf.vouched.add(item.id)
    changes: dict[str, str | tuple[str, ...] | float | bool | None] = {"trust": USER}
    if waits:
        changes |= {"status": "active", "review": None}
    shelf.patch_item(item, changes)
    if waits:
        item = _met(parts, shelf, replace(item, status="active", review=""))
    if item.status == "active":
        shelf.list_item(item)


def _met(parts: Parts, shelf: Shelf, item: Item) -> Item:
    """The item, now that the person vouches for it, beside what is known: who is older ends."""

    now = parts.clock.now()
    after = facts.Contradictions(shelf).settle(item, at=now, now=now).item
    keys = facts.keys_of(item, after, zone=parts.settings.timezone)
    if keys:
        shelf.patch_item(item, keys)
    return after


def _reject(parts: Parts, shelf: Shelf, row: NoteRow) -> None:
    if row.type != "item" or row.status != CANDIDATE:
        raise BadInputError(
            f"'{row.id}' does not wait for a decision", hint="`vaultmem review` lists what does"
        )
    shelf.patch_item(_item(parts, row), {"status": "retracted", "review": None})


def _item(parts: Parts, row: NoteRow) -> Item:

    record = vault.read_record(parts, row.path)
    if not isinstance(record, Item):
        raise UnknownNoteError(f"'{row.path}' is no item any more", hint="run the command again")
    return record
