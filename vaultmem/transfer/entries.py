"""Entries of an export: what one says of notes and their versions, and how its values are read."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterable, Iterator, Mapping

from vaultmem import language, privacy
from vaultmem.base import TYPE_CHECKING, Any
from vaultmem.model import Item, Record, Resource

if TYPE_CHECKING:
    from vaultmem.model import NoteRow, Version

Entry = dict[str, Any]


def describe_note(record: Record | None, row: NoteRow | None, *, zone: str) -> Entry:
    """What a note says, for programs that do not read its text; what it does not say is absent."""
    found: Entry = {}
    if isinstance(record, Item):
        found = {
            "id": record.id,
            "kind": record.kind,
            "statement": record.statement,
            "status": record.status,
            "stream": record.stream,
            "categories": record.categories,
            "subject": record.subject,
            "predicate": record.predicate,
            "object": record.object,
            "valid_from": time(record.valid_from, zone),
            "valid_until": time(record.valid_until, zone),
            "due": time(record.due, zone),
            "importance": record.importance,
            "critical": record.critical,
            "confidence": record.confidence,
            "pinned": record.pinned,
            "hard": record.hard,
            "tags": record.tags,
            "source": record.source,
            "quote": record.quote,
            "said_after": record.said_after,
            "asked": record.asked,
        }
    elif isinstance(record, Resource):
        found = {
            "id": record.id,
            "title": record.title,
            "date": time(record.date, zone),
            "origin": record.origin,
        }
    elif record is not None:
        found = {"title": record.title}
    if row is not None and row.id:
        found |= {"writer": row.writer, "trust": row.trust}
    return {key: value for key, value in found.items() if _is_said(value)}


def texts_over_time(versions: Iterable[Version], zone: str) -> Iterator[Entry]:
    """What each item said, and when that was known; of secrets that it once held, only the kind."""

    for each in versions:
        entry: Entry = {
            "id": each.id,
            "path": each.path.as_posix(),
            "recorded_at": time(each.recorded_at_ms, zone),
            "superseded_at": time(each.superseded_at_ms, zone),
            "removed": each.is_gone,
            "commit": each.commit,
            "op": each.op,
            "actor": each.actor,
            "status": each.status,
            "statement": privacy.redact(each.statement, privacy.find_secrets(each.statement)),
            "subject": each.subject,
            "predicate": each.predicate,
            "object": privacy.redact(each.object, privacy.find_secrets(each.object)),
            "valid_from": time(each.valid_from, zone),
            "valid_until": time(each.valid_until, zone),
            "blob": each.oid,
        }
        yield {key: value for key, value in entry.items() if _is_said(value)}


def encode_bytes(data: bytes) -> Entry:
    """Bytes as an entry has them: `text`, or `base64` where they are no UTF-8."""
    try:
        return {"text": data.decode()}
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(data).decode("ascii")}


def _is_said(value: object) -> bool:
    return value is not None and value is not False and value not in ("", ())


def time(at: int | None, zone: str) -> str | int | None:
    """An instant as ISO 8601; the number where it lies outside the calendar."""

    if at is None:
        return None
    try:
        return language.format_instant(at, zone)
    except ValueError:
        return at


OBJECT = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
"""Git's name of an object, by either kind of hash."""
_VAULT_ID = re.compile(r"v-[0-9a-z]{1,40}")


def text_at(found: Mapping[str, Any], key: str) -> str:
    """The text at a key; '' for anything else."""
    value = found.get(key, "")
    return value if isinstance(value, str) else ""


def vault_at(found: Mapping[str, Any], key: str) -> str:
    """The id of a vault at a key; '' for what is none."""
    id_ = text_at(found, key)
    return id_ if _VAULT_ID.fullmatch(id_) else ""


def instant_of(value: object) -> int | None:
    """An instant as a document writes it; None for anything else."""

    read = language.read_instant(value) if isinstance(value, str) else None
    return None if read is None else read.ms
