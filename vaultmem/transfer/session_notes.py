"""Conversations in a document: their three notes, and the files beside these that are no notes.

Artifacts and the agent's state are carried byte for byte. They go with their transcript: where this
vault has another conversation of that name, they stay in the document. What is somebody else's is
made inert as any text is, and sets no rules: their hard exceptions wait for the person.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import PurePosixPath

from vaultmem import base, language, privacy, sessions
from vaultmem import vault as vaults
from vaultmem.base import TYPE_CHECKING, Any, DiskError, UnsafePathError
from vaultmem.model import LIMITED, USER, Attached, ExportDocument, Item, Record, Resource, Skipped
from vaultmem.safety import defang, mark_inert, refang
from vaultmem.storage import notes

if TYPE_CHECKING:
    from vaultmem.model import NoteRow, Version
    from vaultmem.vault import Vault, WorkingCopy

_FOLDER = re.compile(r"resources/sessions/\d{4}-\d{2}-\d{2}-[a-z0-9](?:[a-z0-9-]{0,59})(?=/|$)")
_FROM_ELSEWHERE = ("import", "web")
_NOTES = ("transcript.md", "turns.md", "truth.md")
_STATE = "state.json"
# What ends in '.md' would be read as a note.
_ARTIFACT = re.compile(r"artifacts/t(\d{1,7})-\d{1,4}\.(?!md$)[a-z0-9]{1,12}")


def is_session_note(path: PurePosixPath) -> bool:
    """Whether a path is that of one of the notes of a conversation."""
    return path.name in _NOTES and _FOLDER.fullmatch(path.parent.as_posix()) is not None


def trust_of_session(path: PurePosixPath, here: bytes) -> str:
    """How far a note without an id is believed: of a conversation, whether an import brought it."""
    if not is_session_note(path):
        return USER
    return LIMITED if notes.read(here, path).values.get("writer") in _FROM_ELSEWHERE else USER


def of_somebody_else(data: bytes, path: PurePosixPath) -> bytes:
    """A conversation's note without anything that acts, and without rules that bind.

    Marks that are there stay as they are: these notes are inert when they are written.
    """
    parts = notes.split(data)
    head = data[: len(data) - len(parts.body)].decode("utf-8", "replace")
    body = parts.body.decode("utf-8", "replace")
    if path.name == "truth.md":
        return mark_inert(head).encode() + _without_rules(body).encode()
    return (mark_inert(head) + mark_inert(body)).encode()


def _without_rules(body: str) -> str:
    """Base truth with its hard exceptions among what waits; the words around it are inert."""
    try:
        block = notes.find(body)
    except base.PatchRefusedError:
        block = None
    if block is None:
        return mark_inert(body)
    page = refang(block.text)
    facts, held = sessions.held_apart(
        sessions.truth.parse_facts(page), sessions.truth.parse_held(page)
    )
    held = sessions.truth.number_facts(held, 0, beside=facts)
    told = defang(sessions.truth.render_facts(facts, held).rstrip("\n"))
    inner = f"{notes.BEGIN}\n{told}\n{notes.END}\n" if told else f"{notes.BEGIN}\n{notes.END}\n"
    return f"{mark_inert(body[: block.start])}{inner}{mark_inert(body[block.end :])}"


# --- files that are no notes -------------------------------------------------------------


def attached_entries(vault: Vault, chosen: Collection[str]) -> Iterator[Entry]:
    """Artifacts and states of the conversations whose transcripts go along, by path."""
    from vaultmem.storage.files import read  # saves 4 modules

    for path in sessions.files.attached_files(vault):
        folder = path.parent if path.name == _STATE else path.parent.parent
        if (folder / _NOTES[0]).as_posix() in chosen and _wrong_with_path(path) == "":
            try:
                data = read(vault.root, path)
            except (UnsafePathError, DiskError):
                continue  # a link, or gone since
            yield {"path": path.as_posix()} | encode_bytes(data)


class Attaching:
    """Puts the files of a document's conversations beside their transcripts."""

    def __init__(
        self,
        vault: Vault,
        working_copy: WorkingCopy,
        document: ExportDocument,
        *,
        secrets: str | None,
    ) -> None:
        self._vault = vault
        self._working_copy = working_copy
        self._secrets = secrets
        self._notes = {note.path: note for note in document.notes}
        self._attached = document.attached
        self.skipped: list[Skipped] = []
        self.unchanged = 0
        self.added: list[PurePosixPath] = []

    def put(self, written: Sequence[PurePosixPath]) -> None:
        """Put those that fit on the working copy.

        written  notes that this import wrote: an agent's state follows its transcript
        """
        for each in self._attached:
            why = self._refusal_reason(each)
            try:
                here = None if why else self._working_copy.text(each.path)
            except UnsafePathError as unsafe:  # a link stands in its way
                why, here = unsafe.message, None
            is_newer = each.path.name == _STATE and each.path.parent / _NOTES[0] in written
            if not why and here == each.data:
                self.unchanged += 1
            elif not why and here is not None and not is_newer:
                why = "another file of that name is here"
            elif not why:
                self._working_copy.put(each.path, each.data)
                self.added.append(each.path)
            if why:
                self.skipped.append(Skipped(place=each.place, why=why, path=each.path.as_posix()))

    def _refusal_reason(self, each: Attached) -> str:
        why = _wrong_with_path(each.path)
        limit = self._vault.settings.limits_note_bytes
        if not why and len(each.data) > limit:
            why = f"it has {len(each.data):,} bytes; a note may have {limit:,} (limits.note_bytes)"
        if not why and each.path.name == _STATE and not _is_json(each.data):
            why = "it is no JSON"
        return why or self._wrong_with_place(each.path) or self._wrong_with_words(each.data)

    def _wrong_with_place(self, path: PurePosixPath) -> str:
        """An artifact belongs to the turns that brought it."""
        folder = path.parent if path.name == _STATE else path.parent.parent
        place, zone = folder / _NOTES[0], self._vault.settings.timezone
        note, here = self._notes.get(place), self._working_copy.text(place)
        if note is None:
            return "its conversation is not in the document"
        turns = sessions.exchanges_of(note.data, place, zone)
        # The turns are compared and not the bytes: the note may have been marked as somebody else's
        # on its way in.
        if here is None or sessions.exchanges_of(here, place, zone) != turns:
            return "its conversation is not the one that is here"
        brought = _ARTIFACT.fullmatch(path.relative_to(folder).as_posix())
        if brought and not 1 <= int(brought[1]) <= len(turns):
            return "its conversation has no such turn"
        return ""

    def _wrong_with_words(self, data: bytes) -> str:

        text = data.decode("utf-8", "replace")
        screening = privacy.Screening(self._vault.settings, policy=self._secrets, is_imported=True)
        # Attached files are taken as they are or not at all: what looks like a secret is not cut
        # out of code.
        if screening.clean("text", text) != text:
            return "it holds what looks like a secret"
        if vaults.Erased(self._vault.settings).holds(text):
            return "it holds a text that was erased for good on this device"
        return ""


def _wrong_with_path(path: PurePosixPath) -> str:
    name = path.as_posix()
    folder = _FOLDER.match(name)
    rest = name[folder.end() + 1 :] if folder else ""
    if folder is None or (rest != _STATE and not _ARTIFACT.fullmatch(rest)):
        return "it is neither an artifact nor the state of a conversation"
    return ""


def _is_json(data: bytes) -> bool:
    try:
        json.loads(data)
    except (ValueError, RecursionError):
        return False
    return True


# Entries of an export: what one says of notes and their versions, and how its values are read.

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
