"""Values of a program by their keys, each an item of a vault: read exactly, found by its words.

Likes tea.; since: 2024        what a person reads, and recall finds

```json
{"key": "drink", "value": {"text": "Likes tea.", "since": 2024}, ...}
```
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Collection, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath

from vaultmem import language
from vaultmem.adapters.exact_notes import exact_item, require_size, screen, write_notes
from vaultmem.api import Memory
from vaultmem.base import Any, BadInputError, MissingFileError, NamedTuple, UnknownNoteError
from vaultmem.model import LIMITED, item_id
from vaultmem.safety import refang
from vaultmem.storage import files, notes

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
    parts = memory.parts
    changes: dict[PurePosixPath, bytes | None] = {}
    levels: dict[str, str] = {}
    for key, value in values.items():
        known = _note_of(memory, key)
        id_ = _id_of(key)
        if value is None:
            if known is not None:
                changes[known] = None
            continue
        now = parts.clock.now() + len(changes)  # those of one commit keep their order
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
        require_size(parts, len(written))  # before all of it is looked through for secrets
        said = _in_words(value) or key
        clean = screen(parts, {"words": said, "value": written}, must_be_same=True)
        path = known or FOLDER / f"{language.slugify(key, 40)}-{id_}.md"
        changes[path] = exact_item(
            parts,
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
        parts, changes, op="remember", subject=f"store: {what}", actor="agent", levels=levels
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
