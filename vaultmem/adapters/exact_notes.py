"""Items and keyed values that say exactly what a program gave: nothing is extracted from them.

What a framework stores must come back as it was, so it goes by no rule of `remember`: no sentence
is taken out of it, and two that say the same are two. It is an item all the same: recall finds it,
a person reads, edits and forgets it, and what talks to an assistant waits for review.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Collection, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath

from vaultmem import edit, language, privacy, safety
from vaultmem import vault as vaults
from vaultmem.api import Memory
from vaultmem.base import (
    TYPE_CHECKING,
    Any,
    BadInputError,
    MissingFileError,
    NamedTuple,
    UnknownNoteError,
)
from vaultmem.extract import prepare
from vaultmem.model import LIMITED, USER, Document, Item, Plan, item_id, shorten, trust_trailers
from vaultmem.safety import refang
from vaultmem.storage import files, notes
from vaultmem.vault import NO_OID, WorkingCopy

if TYPE_CHECKING:
    from vaultmem.vault import Vault

_STATEMENT = 300  # characters
_LEVELS = {"person": USER, "agent": LIMITED}


def screen(vault: Vault, texts: Mapping[str, str], *, must_be_same: bool) -> dict[str, str]:
    """Texts by what they are called, without what the settings keep out of a vault.

    must_be_same  a secret is refused, not taken out
    raises        SecretFoundError, ErasedTextError
    """
    is_kept = vault.settings.secrets_imported == "allow"
    policy = "block" if must_be_same and not is_kept else None
    screening = privacy.Screening(vault.settings, policy=policy, is_imported=True)
    clean = {name: screening.clean(name, text) for name, text in texts.items()}
    screening.finish()
    if (vault.settings.state.parent / "erased").exists():
        told = Document(text="\n\n".join(clean.values()) or ".", extract=False, secrets="allow")
        vaults.require_none(vault.settings, [prepare(told, settings=vault.settings)])
    return clean


def exact_item(
    vault: Vault,
    path: PurePosixPath,
    *,
    id_: str,
    statement: str,
    body: str,
    writer: str,
    valid_from: int,
    valid_until: int | None = None,
    tags: tuple[str, ...] = (),
    keys: Mapping[str, str],
) -> bytes:
    """The note of an item; its body is `body`, made inert where it is not the person's.

    raises BadInputError for one that is too long to be read
    """
    trust = _LEVELS[writer]
    why = "" if trust == USER else safety.suspicion(body)
    data = notes.encode_item(
        Item(
            path=path,
            oid=NO_OID,
            title="",
            body=body if trust == USER else safety.defang(body),
            id=id_,
            statement=shorten(" ".join(statement.split()), _STATEMENT),
            valid_from=valid_from,
            valid_until=valid_until,
            status="candidate" if why else "active",
            review=why,
            source=(path.stem,),  # its own: there is no text that it was taken from
            importance=5,
            pinned=True,  # what a program put there stays until the program takes it away
            writer=writer,
            trust=trust,
            tags=tags,
            fields={name: safety.defang(value) for name, value in keys.items()},
        ),
        zone=vault.settings.timezone,
    )
    require_size(vault, len(data))
    return data


def require_size(vault: Vault, size: int) -> None:
    """Refuse what is longer than a note may be (bytes), so that it could not be read again."""
    if size > vault.settings.limits_note_bytes:
        raise BadInputError(
            f"it has {size:,} bytes; a note may have {vault.settings.limits_note_bytes:,}",
            hint="split it, or raise limits.note_bytes in vaultmem.toml",
        )


def write_notes(
    vault: Vault,
    changes: Mapping[PurePosixPath, bytes | None],
    *,
    op: str,
    subject: str,
    actor: str,
    levels: Mapping[str, str],
) -> None:
    """Write notes, or take them away where None, in one commit; what is so already is left alone.

    levels  trust by id of those that are new
    """

    def write() -> None:
        with edit.writer(vault):
            working_copy = WorkingCopy(vault)
            for path, data in changes.items():
                if data is not None:
                    working_copy.put(path, data)
                elif working_copy.text(path) is not None:
                    working_copy.remove(path)
            found = working_copy.step()
            if found:
                plan = Plan(
                    op=op,
                    actor=actor,
                    subject=subject,
                    changes=found,
                    trailers=trust_trailers(levels),
                )
                vaults.apply(vault, [plan])

    vaults.retry_when_stale(write)


# --- values of a program by their keys ---

# Likes tea.; since: 2024        what a person reads, and recall finds
#
# ```json {"key": "drink", "value": {"text": "Likes tea.", "since": 2024}, ...} ```
FOLDER = PurePosixPath("items/store")
_TAG = "stored-value"
_FILTERS = {"type": "item", "tag": _TAG}
_FENCE = "\n```json\n"
_NAMELESS = ("text", "content", "memory", "data", "value")  # names that say nothing of a text
_NO_SEARCH = "unsearched"


class Stored(NamedTuple):
    """A value and when it was stored."""

    key: str
    value: dict[str, Any]
    created_at: datetime
    updated_at: datetime


def put(
    memory: Memory, values: Mapping[str, dict[str, Any] | None], *, unsearched: Collection[str]
) -> None:
    """Store values by their keys, or take them away where None; in one commit.

    unsearched  keys of values that no query is to find
    raises      BadInputError for what is no JSON or too long, SecretFoundError; nothing is stored
    """
    vault = memory.opened
    changes: dict[PurePosixPath, bytes | None] = {}
    levels: dict[str, str] = {}
    for key, value in values.items():
        known = _note_of(memory, key)
        id_ = _id_of(key)
        if value is None:
            if known is not None:
                changes[known] = None
            continue
        now = vault.clock.now() + len(changes)  # those of one commit keep their order
        before = None if known is None else _read(memory, known)
        created = datetime.fromtimestamp(now / 1000, UTC) if before is None else before.created_at
        written = _as_json(
            {
                "key": key,
                "value": value,
                "created_at": created.isoformat(),
                "updated_at": datetime.fromtimestamp(now / 1000, UTC).isoformat(),
            }
        )
        require_size(vault, len(written))  # before all of it is looked through for secrets
        said = _in_words(value) or key
        clean = screen(vault, {"words": said, "value": written}, must_be_same=True)
        path = known or FOLDER / f"{language.slugify(key, 40)}-{id_}.md"
        changes[path] = exact_item(
            vault,
            path,
            id_=id_,
            statement=clean["words"],
            body=f"{clean['words']}\n{_FENCE}{clean['value']}\n```\n",
            writer="agent",
            valid_from=round(created.timestamp() * 1000),
            tags=(_TAG,) if key not in unsearched else (_TAG, _NO_SEARCH),
            keys={},
        )
        levels[id_] = LIMITED
    what = language.visible(next(iter(values))) if len(values) == 1 else f"{len(values)} values"
    write_notes(
        vault, changes, op="remember", subject=f"store: {what}", actor="agent", levels=levels
    )


def value_at(memory: Memory, key: str) -> Stored | None:
    """The value of a key; None when there is none."""
    path = _note_of(memory, key)
    return None if path is None else _read(memory, path)


def all_values(memory: Memory, wanted: Mapping[str, Any] | None) -> Iterator[Stored]:
    """The values that pass a filter, the oldest first."""
    rows = memory.list(_FILTERS)
    for row in sorted(rows, key=lambda row: (row.valid_from or 0, row.path)):
        found = _read(memory, row.path)
        if found is not None and passes(found.value, wanted):
            yield found


def find(
    memory: Memory, query: str, wanted: Mapping[str, Any] | None, most: int
) -> list[tuple[Stored, float]]:
    """The values that answer, best first, with scores; then those that share words with it."""
    hits = [
        *memory.recall(query, limit=most, filters=_FILTERS).hits,
        *memory.search(query, limit=most, filters=_FILTERS).hits,
    ]
    found: dict[str, tuple[Stored, float]] = {}
    least = float("inf")
    for hit in hits:
        note = hit.note
        if note.id in found or _NO_SEARCH in note.tags or note.status == "candidate":
            continue  # a candidate talks to an assistant: it waits for the person
        stored = _read(memory, hit.note.path)
        if stored is not None and passes(stored.value, wanted):
            least = min(least, hit.score)
            found[hit.note.id] = stored, least
    return list(found.values())[:most]


def holds_any(root: Path) -> bool:
    """Whether the vault has an item, without opening it."""
    return next((root / "items").rglob("*.md"), None) is not None


def passes(value: Mapping[str, Any], wanted: Mapping[str, Any] | None) -> bool:
    """Whether a value has what a filter asks for, as LangGraph's own stores compare."""
    return all(_is_so(value.get(name), each) for name, each in (wanted or {}).items())


_OPERATORS: Mapping[str, Callable[[Any, Any], bool]] = {
    "$eq": lambda value, limit: bool(value == limit),
    "$ne": lambda value, limit: bool(value != limit),
    "$gt": lambda value, limit: float(value) > float(limit),
    "$gte": lambda value, limit: float(value) >= float(limit),
    "$lt": lambda value, limit: float(value) < float(limit),
    "$lte": lambda value, limit: float(value) <= float(limit),
}


def _is_so(value: Any, wanted: Any) -> bool:
    if isinstance(wanted, Mapping):
        if any(name.startswith("$") for name in wanted):
            return all(_holds(value, name, limit) for name, limit in wanted.items())
        return isinstance(value, Mapping) and passes(value, wanted)
    if isinstance(wanted, list | tuple):
        is_list = isinstance(value, list | tuple) and len(value) == len(wanted)
        return is_list and all(map(_is_so, value, wanted))
    return bool(value == wanted)


def _holds(value: Any, name: str, limit: Any) -> bool:
    if name not in _OPERATORS:
        raise ValueError(f"Unsupported operator: {name}")
    try:
        return _OPERATORS[name](value, limit)
    except (TypeError, ValueError):  # no number: neither greater nor less
        return False


def _id_of(key: str) -> str:
    return item_id("stored value", key.encode("utf-8", "backslashreplace").decode())


def _note_of(memory: Memory, key: str) -> PurePosixPath | None:
    """Where the note of a key lies, wherever a person put it."""
    id_ = _id_of(key)
    usual = FOLDER / f"{language.slugify(key, 40)}-{id_}.md"
    if os.path.exists(memory.root / usual):
        return usual
    try:
        return memory.show(id_).note.path
    except UnknownNoteError:
        return None


def _read(memory: Memory, path: PurePosixPath) -> Stored | None:
    """The value in a note; None where the note has just gone.

    raises BadInputError where somebody edited it so that it is no JSON any more
    """
    try:
        data = files.read(memory.root, path, limit=None)
    except MissingFileError:
        return None
    # The JSON is one line, so the last fence is ours, whatever the words above it hold.
    written = refang(notes.read(data, path).body).rpartition(_FENCE)[2].partition("\n```")[0]
    try:
        found = json.loads(written)
        created, updated = (
            datetime.fromisoformat(found[name]) for name in ("created_at", "updated_at")
        )
        return Stored(found["key"], found["value"], created, updated)
    except (ValueError, KeyError, TypeError) as error:
        raise BadInputError(
            f"'{path}' holds no stored value any more: {error}",
            hint="mend the JSON in it, or `vaultmem undo` the edit",
        ) from error


def _as_json(found: Mapping[str, object]) -> str:
    """One line of JSON, readable where that is safe."""
    try:
        text = json.dumps(found, ensure_ascii=False)
        return text if text.isprintable() else json.dumps(found)
    except (TypeError, ValueError, RecursionError) as error:
        raise BadInputError(
            f"the value of '{found['key']}' cannot be stored: {error}",
            hint="texts, numbers, lists and dicts of them can",
        ) from error


def _in_words(value: object, name: str = "") -> str:
    """What a value says, for people and for recall."""
    if isinstance(value, Mapping):
        told = [_in_words(each, str(key)) for key, each in value.items()]
    elif isinstance(value, list | tuple):
        told = [_in_words(each, name) for each in value]
    else:
        text = "" if value is None else " ".join(str(value).split())
        told = [text if not name or name in _NAMELESS else f"{name}: {text}"] if text else []
    said = "; ".join(each for each in told if each)
    return said if name or not said or said[0].isalnum() else f"value: {said}"
