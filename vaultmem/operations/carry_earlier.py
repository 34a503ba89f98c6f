"""What imported items said before, in the vault that they come from.

Kept beside the notes in `.vaultmem/carried`: each text as a file under Git's name of its bytes,
and one list for each import that says when the other vault knew them. A name is made of what a
file holds, so importing again writes nothing, and two devices that import the same agree. They
are files of this vault like any other: they travel with it, and `forget --purge` finds them. They
are no notes: nothing but `history` reads them, and no question about the past is answered by them,
because this vault did not know them then.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any, NamedTuple

from vaultmem.errors import SecretFoundError, VaultmemError
from vaultmem.frozen import dataclass
from vaultmem.model.carrying import Document, EarlierVersion
from vaultmem.model.histories import Elsewhere, HistoryVersion
from vaultmem.model.ids import Oid, blob_oid
from vaultmem.model.records import Item
from vaultmem.operations.wording import counted
from vaultmem.vault.layout import CARRIED, is_carried

if TYPE_CHECKING:
    from vaultmem.index.past import Past
    from vaultmem.operations.parts import Parts
    from vaultmem.operations.workbench import Workbench

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
    document: Document,
    around: Known,
) -> KeptEarlier:
    """Put the earlier versions of items that are here on the workbench, those that are new.

    A text with a secret is left out whole: without it, it would be another text than the one that
    was known.
    """
    past = around.past
    known = {_key(vault, version) for _, vault, version in _kept(parts)}
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
        if _key(document.vault, version) in known:
            continue
        if not _may_stay(parts, version, texts[version.blob], secrets=around.secrets):
            left.add(version.blob)
            continue
        bench.put(CARRIED / f"{version.blob}.md", texts[version.blob])
        kept.append(version)
    if kept:
        data = _listed(document.vault, kept)
        oid = blob_oid(data, algorithm=parts.history.algorithm)
        bench.put(CARRIED / f"{oid}.json", data)
    warning = f"{counted(len(left), 'earlier text')} stay in the file: secrets, or no such item"
    return KeptEarlier(versions=len(kept), warnings=(warning,) if left else ())


def _texts(document: Document) -> Mapping[str, bytes]:
    """By blob: what items said before, which may be what one says again."""
    from vaultmem.operations.carry_reading import named

    found = dict(document.texts)
    wanted = {version.blob for version in document.earlier} - found.keys()
    like = next(iter(wanted), "")
    for note in document.notes if wanted else ():
        if (blob := named(note.data, like=like)) in wanted:
            found[blob] = note.data
    return found


def _may_stay(parts: Parts, version: EarlierVersion, data: bytes, *, secrets: str | None) -> bool:
    from vaultmem.operations.erased import Erased
    from vaultmem.operations.screening import Screening

    item = _item(parts, version.blob, data)
    if item is None or item.id != version.id or len(data) > parts.settings.limits_note_bytes:
        return False
    text = data.decode("utf-8", "replace")
    screening = Screening(parts.settings, policy=secrets, is_imported=True)
    try:
        is_clean = screening.clean("text", text) == text
        screening.finish()
    except SecretFoundError:
        return False
    return is_clean and not Erased(parts.settings).holds(text, ids=(version.id,))


def _item(parts: Parts, blob: str, data: bytes) -> Item | None:
    from vaultmem.vault.schema import decode

    path = PurePosixPath("items", f"{blob}.md")
    record = decode(path, data, Oid(""), zone=parts.settings.timezone).record
    return record if isinstance(record, Item) else None


def _key(vault: str, version: EarlierVersion) -> tuple[str, str, str, str]:
    return vault, version.id, version.blob, version.commit


# --- the lists on disk -----------------------------------------------------------------------


def _listed(vault: str, versions: Collection[EarlierVersion]) -> bytes:
    """A list of versions without a word of what they say, one a line."""
    from vaultmem.operations.carry_entries import time

    lines = []
    for each in versions:
        entry = {
            "id": each.id,
            "blob": each.blob,
            "commit": each.commit,
            "recorded_at": time(each.recorded_at, "UTC"),
            "superseded_at": time(each.superseded_at, "UTC"),
            "op": each.op,
            "actor": each.actor,
        }
        lines.append(json.dumps({key: value for key, value in entry.items() if value}))
    head = f'{{"schema": {json.dumps(SCHEMA)}, "schema_version": 1, "vault": {json.dumps(vault)},'
    return (f'{head}\n"versions": [\n' + ",\n".join(lines) + "\n]}\n").encode()


def _kept(parts: Parts) -> Iterator[tuple[PurePosixPath, str, EarlierVersion]]:
    """(list, vault, version) of all that was kept, by list; what cannot be read is passed over."""
    from vaultmem.operations.carry_reading import read_earlier
    from vaultmem.vault.files import read

    folder = parts.root / CARRIED
    names = sorted(each.name for each in folder.iterdir()) if folder.is_dir() else []
    for name in names:
        path = CARRIED / name
        if not is_carried(path) or path.suffix != ".json":
            continue
        try:
            found: Any = json.loads(read(parts.root, path, limit=None))
        except (VaultmemError, ValueError):
            continue
        if isinstance(found, dict):
            vault, versions = read_earlier(found)
            yield from ((path, vault, version) for version in versions)


def carried_versions(parts: Parts, ids: Collection[str]) -> tuple[HistoryVersion, ...]:
    """What imports brought of the past of these items, by when the other vault knew it.

    The record time of each is that of the import; `elsewhere` has what the document told.
    """
    from vaultmem.vault.files import read

    asked = [each for each in _kept(parts) if each[2].id in ids]
    came = {path: _came(parts, path) for path in {path for path, _, _ in asked}}
    found: dict[tuple[str, str, str, str], HistoryVersion] = {}
    for path, vault, version in asked:
        text = CARRIED / f"{version.blob}.md"
        try:
            item = _item(parts, version.blob, read(parts.root, text, limit=None))
        except VaultmemError:  # erased, or taken away by hand
            continue
        if item is not None:
            commit, at = came[path]
            found.setdefault(
                _key(vault, version), _shown(version, vault, item, text, commit=commit, at=at)
            )
    return tuple(sorted(found.values(), key=_order))


def _shown(
    version: EarlierVersion,
    vault: str,
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
            vault=vault,
            recorded_at=version.recorded_at,
            superseded_at=version.superseded_at,
            commit=version.commit,
            op=version.op,
            actor=version.actor,
        ),
    )


def _came(parts: Parts, path: PurePosixPath) -> tuple[str, int | None]:
    """The commit that brought a list to this vault, and its record time; '' while none has it."""
    from vaultmem.operations import past

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
