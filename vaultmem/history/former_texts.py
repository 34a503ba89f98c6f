"""What imported items said before, in the vault that they come from.

Kept beside the notes in `.vaultmem/carried`: each text as a file under Git's name of its bytes,
and one list for each import that says when the other vault knew them. A name is made of what a
file holds, so importing again writes nothing, and two devices that import the same agree. They
are files of this vault like any other: they travel with it, and `forget --purge` finds them. They
are no notes: nothing but `history` reads them, and no question about the past is answered by them,
because this vault did not know them then.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import PurePosixPath

from vaultmem import language, privacy, vault
from vaultmem.base import TYPE_CHECKING, Any, NamedTuple, SecretFoundError, VaultmemError, dataclass
from vaultmem.model import (
    EarlierVersion,
    Elsewhere,
    ExportDocument,
    HistoryVersion,
    Item,
    Oid,
    Record,
    Resource,
    blob_oid,
    counted,
)
from vaultmem.storage import files, notes
from vaultmem.storage.files import CARRIED, is_carried

if TYPE_CHECKING:
    from vaultmem.model import NoteRow, Version
    from vaultmem.storage.index import Past
    from vaultmem.vault import Parts, Workbench
SCHEMA = "vaultmem.carried"
_MOST_COMMITS = 1000  # that change one list: the import, and `forget --purge`


class Known(NamedTuple):
    """What an import knows beside its document."""

    coming: Collection[str]  # ids of the items that it writes
    past: Past | None  # what its history has is a version here already, and not kept again
    secrets: str | None  # what to do about them, as in `import_document`


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptEarlier:
    """What was kept of the versions of a document."""

    versions: int = 0
    warnings: tuple[str, ...] = ()


def keep_earlier(
    parts: Parts,
    bench: Workbench,
    document: ExportDocument,
    around: Known,
) -> KeptEarlier:
    """Put the earlier versions of items that are here on the workbench, those that are new.

    A text with a secret is left out whole: without it, it would be another text than the one that
    was known.
    """
    past = around.past
    known = {_key(version) for _, version in _kept(parts)}
    texts = _texts(document)
    wanted = [each for each in document.earlier if each.blob in texts]
    ids = {each.id for each in wanted}
    here = {id_ for id_ in ids if id_ in around.coming or parts.index.notes_with_id(id_)}
    held = past.holds({each.blob for each in wanted}) if past is not None else frozenset()
    kept: list[EarlierVersion] = []
    left: set[str] = set()
    for version in wanted:
        if version.id not in here or version.blob in held:
            continue
        if _key(version) in known:
            continue
        if not _may_stay(parts, version, texts[version.blob], secrets=around.secrets):
            left.add(version.blob)
            continue
        bench.put(CARRIED / f"{version.blob}.md", texts[version.blob])
        kept.append(version)
    for origin in sorted({version.vault for version in kept}):
        data = _listed(origin, [version for version in kept if version.vault == origin])
        oid = blob_oid(data, algorithm=parts.history.algorithm)
        bench.put(CARRIED / f"{oid}.json", data)
    warning = f"{counted(len(left), 'earlier text')} stay in the file: secrets, or no such item"
    return KeptEarlier(versions=len(kept), warnings=(warning,) if left else ())


def _texts(document: ExportDocument) -> Mapping[str, bytes]:
    """By blob: what items said before, which may be what one says again."""

    found = dict(document.texts)
    wanted = {version.blob for version in document.earlier} - found.keys()
    like = next(iter(wanted), "")
    for note in document.notes if wanted else ():
        if (blob := named(note.data, like=like)) in wanted:
            found[blob] = note.data
    return found


def _may_stay(parts: Parts, version: EarlierVersion, data: bytes, *, secrets: str | None) -> bool:

    item = _item(parts, version.blob, data)
    if item is None or item.id != version.id or len(data) > parts.settings.limits_note_bytes:
        return False
    text = data.decode("utf-8", "replace")
    screening = privacy.Screening(parts.settings, policy=secrets, is_imported=True)
    try:
        is_clean = screening.clean("text", text) == text
        screening.finish()
    except SecretFoundError:
        return False
    return is_clean and not vault.Erased(parts.settings).holds(text, ids=(version.id,))


def _item(parts: Parts, blob: str, data: bytes) -> Item | None:

    path = PurePosixPath("items", f"{blob}.md")
    record = notes.decode(path, data, Oid(""), zone=parts.settings.timezone).record
    return record if isinstance(record, Item) else None


def _key(version: EarlierVersion) -> tuple[str, str, str, str]:
    return version.vault, version.id, version.blob, version.commit


# --- the lists on disk -----------------------------------------------------------------------


def _listed(vault: str, versions: Collection[EarlierVersion]) -> bytes:
    """A list of versions without a word of what they say, one a line."""
    lines = [json.dumps(_entry(each)) for each in versions]
    head = f'{{"schema": {json.dumps(SCHEMA)}, "schema_version": 1, "vault": {json.dumps(vault)},'
    return (f'{head}\n"versions": [\n' + ",\n".join(lines) + "\n]}\n").encode()


def _entry(version: EarlierVersion) -> Entry:

    entry = {
        "id": version.id,
        "blob": version.blob,
        "commit": version.commit,
        "recorded_at": time(version.recorded_at, "UTC"),
        "superseded_at": time(version.superseded_at, "UTC"),
        "op": version.op,
        "actor": version.actor,
    }
    return {key: value for key, value in entry.items() if value}


def carried_on(parts: Parts) -> tuple[Entry, ...]:
    """What earlier imports brought, as an export passes it on: each version once, by list."""
    found = {_key(version): version for _, version in _kept(parts)}
    return tuple({"vault": each.vault} | _entry(each) for each in found.values())


def carried_texts(parts: Parts, blobs: Collection[str]) -> Iterator[tuple[str, bytes]]:
    """(blob, bytes) of those of the texts that imports brought and that are here."""

    for blob in blobs:
        with suppress(VaultmemError):  # erased, or taken away by hand
            yield blob, files.read(parts.root, CARRIED / f"{blob}.md", limit=None)


def _kept(parts: Parts) -> Iterator[tuple[PurePosixPath, EarlierVersion]]:
    """(list, version) of all that was kept, by list; what cannot be read is passed over."""

    folder = parts.root / CARRIED
    names = sorted(each.name for each in folder.iterdir()) if folder.is_dir() else []
    for name in names:
        path = CARRIED / name
        if not is_carried(path) or path.suffix != ".json":
            continue
        try:
            found: Any = json.loads(files.read(parts.root, path, limit=None))
        except (VaultmemError, ValueError):
            continue
        if isinstance(found, dict):
            yield from ((path, version) for version in read_earlier(found))


def carried_versions(parts: Parts, ids: Collection[str]) -> tuple[HistoryVersion, ...]:
    """What imports brought of the past of these items, by when the other vault knew it.

    The record time of each is that of the import; `elsewhere` has what the document told.
    """

    asked = [each for each in _kept(parts) if each[1].id in ids]
    came = {path: _came(parts, path) for path in {path for path, _ in asked}}
    found: dict[tuple[str, str, str, str], HistoryVersion] = {}
    for path, version in asked:
        text = CARRIED / f"{version.blob}.md"
        try:
            item = _item(parts, version.blob, files.read(parts.root, text, limit=None))
        except VaultmemError:  # erased, or taken away by hand
            continue
        if item is not None:
            commit, at = came[path]
            found.setdefault(_key(version), _shown(version, item, text, commit=commit, at=at))
    return tuple(sorted(found.values(), key=_order))


def _shown(
    version: EarlierVersion,
    item: Item,
    text: PurePosixPath,
    *,
    commit: str,
    at: int | None,
) -> HistoryVersion:
    return HistoryVersion(
        id=version.id,
        path=text,
        kind=item.kind,
        status=item.status,
        stream=item.stream or "",
        statement=item.statement,
        subject=item.subject,
        predicate=item.predicate,
        object=item.object,
        valid_from=item.valid_from,
        valid_until=item.valid_until,
        recorded_at=at,
        superseded_at=at,
        commit=commit,
        superseded_by_commit=commit,
        op="import",
        source=item.source,
        pending=not commit,
        elsewhere=Elsewhere(
            vault=version.vault,
            recorded_at=version.recorded_at,
            superseded_at=version.superseded_at,
            commit=version.commit,
            op=version.op,
            actor=version.actor,
        ),
    )


def _came(parts: Parts, path: PurePosixPath) -> tuple[str, int | None]:
    """The commit that brought a list to this vault, and its record time; '' while none has it."""
    from vaultmem.history import versions as past  # saves 3 modules

    entries = parts.history.log(limit=_MOST_COMMITS, paths=(path.as_posix(),))
    if not entries:
        return "", None
    known = past.level(parts)
    commit = entries[-1].commit
    place = known.place_of(commit)
    return commit, None if place is None else known.commit_at(place)[1]


def _order(version: HistoryVersion) -> tuple[str, int, int, str]:
    there = version.elsewhere or Elsewhere(vault="")
    return (version.id, there.recorded_at or 0, there.superseded_at or 0, there.vault)


# What items said before, as a document or a kept list writes it.

OBJECT = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
"""Git's name of an object, by either kind of hash."""
_ITEM_ID = re.compile(r"i-[0-9a-z]{1,40}")
_SHA256 = 64  # characters of a name by it
_WORD = re.compile(r"[a-z][a-z-]{0,30}")
_VAULT_ID = re.compile(r"v-[0-9a-z]{1,40}")


def named(data: bytes, *, like: str) -> str:
    """Git's name of the bytes, of the kind that another name is."""
    return str(blob_oid(data, algorithm="sha256" if len(like) == _SHA256 else "sha1"))


def read_earlier(found: Mapping[str, Any]) -> tuple[EarlierVersion, ...]:
    """The versions of a list that an import kept (history/former_texts.py)."""
    return tuple(earlier_in(found.get("versions"), vault_at(found, "vault")))


def earlier_in(history: object, vault: str) -> Iterator[EarlierVersion]:
    """Versions that ended, as far as an entry says which; of this vault, or which it says."""
    for entry in history if isinstance(history, list) else []:
        if not isinstance(entry, dict) or "superseded_at" not in entry:
            continue
        id_, blob = text_at(entry, "id"), text_at(entry, "blob")
        if _ITEM_ID.fullmatch(id_) and OBJECT.fullmatch(blob):
            commit = text_at(entry, "commit")
            op, actor = text_at(entry, "op"), text_at(entry, "actor")
            yield EarlierVersion(
                id=id_,
                blob=blob,
                vault=vault or vault_at(entry, "vault"),
                commit=commit if OBJECT.fullmatch(commit) else "",
                recorded_at=instant_of(entry.get("recorded_at")),
                superseded_at=instant_of(entry.get("superseded_at")),
                op=op if _WORD.fullmatch(op) else "",
                actor=actor if _WORD.fullmatch(actor) else "",
            )


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


# What an export says of notes and their versions, beside their texts.

Entry = dict[str, Any]


def described(record: Record | None, row: NoteRow | None, *, zone: str) -> Entry:
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


def coded(data: bytes) -> Entry:
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
