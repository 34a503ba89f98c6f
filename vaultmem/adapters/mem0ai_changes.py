"""What the methods of Mem0's `Memory` do in the vault of one user."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from itertools import islice
from pathlib import PurePosixPath

from vaultmem import vault as vaults
from vaultmem.adapters.exact_notes import exact_item, screen, write_notes
from vaultmem.adapters.mem0ai_records import (
    Record,
    as_metadata,
    key_of,
    metadata_in,
    passes,
    record_of,
)
from vaultmem.api import Memory
from vaultmem.base import Any, BadInputError, UnknownNoteError
from vaultmem.language import canonical
from vaultmem.model import LIMITED, NoteRow, is_current, item_id
from vaultmem.storage import files, notes

Messages = str | Mapping[str, Any] | Sequence[Mapping[str, Any]]

UNSAID: Any = object()
_WRITERS = {"user": "person", "assistant": "agent"}
_EVENTS = {"add": "ADD", "update": "UPDATE"}
_FADED = ("active", "expired")


def keep(
    memory: Memory,
    messages: Messages,
    scope: Mapping[str, str],
    metadata: Mapping[str, Any] | None,
    *,
    ends: date | None,
    said: int | str | None,
    infer: bool,
) -> list[Record]:
    """What was said, as memories: id, memory and event of each that is new or changed."""
    keys = {name: value for name, value in scope.items() if name != "user_id"}
    keys["created_at"] = keys["updated_at"] = datetime.now(UTC).isoformat()
    if metadata:
        keys["metadata"] = as_metadata(metadata)
    if ends is not None:
        keys["expiration_date"] = ends.isoformat()
    if not infer:
        return _keep_raw(memory, messages, keys, ends)
    report = memory.remember(messages, metadata=keys, date=said, valid_until=_end_of(ends))
    return [
        {"id": item.id, "memory": item.statement, "event": _EVENTS[item.outcome]}
        for item in report.items
        if item.outcome in _EVENTS and not item.review
    ]


def _keep_raw(
    memory: Memory, messages: Messages, keys: Mapping[str, str], ends: date | None
) -> list[Record]:
    """Each message a memory, word for word; those of systems and tools are none."""
    vault = memory.opened
    listed = [{"role": "user", "content": messages}] if isinstance(messages, str) else messages
    listed = [listed] if isinstance(listed, Mapping) else listed
    done: list[Record] = []
    new: dict[PurePosixPath, bytes | None] = {}
    levels: dict[str, str] = {}
    for each in listed:
        role, text = str(each.get("role")), each.get("content")
        if role not in _WRITERS or not isinstance(text, str) or not text.strip():
            continue
        text = screen(vault, {"message": text}, must_be_same=False)["message"].strip()
        now = vault.clock.now()
        id_ = item_id(f"mem0 {now} {os.urandom(8).hex()}", canonical(text))
        names = {"actor_id": str(each["name"])} if each.get("name") else {}
        path = vaults.item_path(id_, text[:200], at=now, zone=vault.settings.timezone)
        new[path] = exact_item(
            vault,
            path,
            id_=id_,
            statement=text,
            body=text,
            writer=_WRITERS[role],
            valid_from=now,
            valid_until=_end_of(ends),
            keys={**keys, **names, "role": role, "raw": "yes"},
        )
        if _WRITERS[role] == "agent":
            levels[id_] = LIMITED
        done.append({"id": id_, "memory": text, "event": "ADD"})
    actor = "agent" if levels else "person"
    subject = f"remember: {len(new)} messages word for word"
    write_notes(vault, new, op="remember", subject=subject, actor=actor, levels=levels)
    return done


def _end_of(day: date | None) -> int | None:
    """From when on a memory holds no more that expires on a day: the next one, in UTC."""
    if day is None:
        return None
    midnight = datetime(day.year, day.month, day.day, tzinfo=UTC) + timedelta(days=1)
    return int(midnight.timestamp() * 1000)


def choose(
    memory: Memory,
    rows: Sequence[NoteRow],
    scope: Mapping[str, str],
    filters: Mapping[str, Any],
    most: int,
    *,
    show_expired: bool,
) -> list[Record]:
    """The first of these notes that pass, as Mem0 gives them."""
    now = memory.opened.clock.now()
    shown = (row for row in rows if is_current(row, now) or (show_expired and row.status in _FADED))
    records = (_record(memory, row, key_of(scope)) for row in shown)
    return list(islice((each for each in records if passes(each, filters)), most))


def record_at(memory: Memory, id_: str, key: str) -> Record | None:
    """The memory of this id; None when there is none."""
    try:
        return _record(memory, memory.show(id_).note, key)
    except UnknownNoteError:
        return None


def _record(memory: Memory, row: NoteRow, key: str) -> Record:
    data = files.read(memory.root, row.path, limit=None)
    return record_of(notes.read(data, row.path), row, memory.root.name, key)


def update(
    memory: Memory,
    id_: str,
    text: str | None,
    metadata: Mapping[str, Any] | None,
    *,
    ends: Any,
) -> None:
    """Let an item say `text`, and patch its keys; what is not given stays as it is."""
    if text is not None:
        memory.correct(id_, text)
    path = memory.show(id_).note.path
    data = files.read(memory.root, path, limit=None)
    keys: dict[str, str | None] = {"updated_at": datetime.now(UTC).isoformat()}
    if metadata is not None:
        known = metadata_in(str(notes.read(data, path).values.get("metadata", "")))
        keys["metadata"] = as_metadata(known | dict(metadata))
    if ends is not UNSAID:
        keys["expiration_date"] = None if ends is None else ends.isoformat()
        over = _end_of(ends)
        keys["valid_until"] = None if over is None else vaults.iso_ms(over)
    patched = notes.patch(data, keys)
    write_notes(
        memory.opened,
        {path: patched},
        op="update",
        subject=f"update: {id_}",
        actor="person",
        levels={},
    )


def forget_all(memory: Memory, scope: Mapping[str, str]) -> None:
    """Take back all of a scope: the whole vault of a user, or what an agent or run brought."""
    narrow = {name: value for name, value in scope.items() if name != "user_id"}
    if "user_id" in scope and narrow:
        rows = memory.list({"type": "item"})
        chosen = [row.id for row in rows if passes(_record(memory, row, key_of(scope)), narrow)]
        if chosen:
            memory.forget(*chosen)
    else:
        memory.forgetting.clear()


def history(memory: Memory, id_: str) -> list[Record]:
    """What a memory said, oldest first."""
    return [*_events(memory, id_)]


def _events(memory: Memory, id_: str) -> Iterator[Record]:
    try:
        versions = memory.history.of(id_).versions
    except BadInputError:
        return
    before: str | None = None
    for version in versions:
        if version.statement != before:
            yield _event(id_, before, version.statement, version.recorded_at, version.commit)
        before = version.statement
        if version.is_gone:
            at, commit = version.superseded_at, version.superseded_by_commit
            yield _event(id_, before, None, at, commit)


def _event(id_: str, old: str | None, new: str | None, at: int | None, commit: str) -> Record:
    when = None if at is None else datetime.fromtimestamp(at / 1000, UTC).isoformat()
    return {
        "id": commit,
        "memory_id": id_,
        "old_memory": old,
        "new_memory": new,
        "event": "ADD" if old is None else "DELETE" if new is None else "UPDATE",
        "created_at": when,
        "updated_at": when,
        "is_deleted": new is None,
        "actor_id": None,
        "role": None,
    }
