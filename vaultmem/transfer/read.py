"""Read a document that somebody hands in: shape only; what it says is judged later.

Formats are known by the value of their key `schema`; more of them are more entries of READERS.
"""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path, PurePosixPath

from vaultmem.base import Any, BadInputError, disk_error
from vaultmem.model import (
    SCHEMA,
    SCHEMA_VERSION,
    SECTIONS,
    Attached,
    CarriedNote,
    ExportDocument,
    Skipped,
)
from vaultmem.transfer.session_notes import OBJECT, instant_of, text_at, vault_at

LARGEST = 500_000_000
"""Bytes of the largest document: reading one takes about four times its size in memory."""
_HINT = (
    "`vaultmem export` writes what can be read here (`vaultmem help carrying`); "
    "`vaultmem help import` names the exports of other programs"
)
_SHOWN = 60

Reader = Callable[[Mapping[str, Any]], ExportDocument]


def read_file(file: Path) -> bytes:
    """The bytes of a file to take in; raises BadInputError, DiskError."""
    try:
        size = file.stat().st_size
        if size > LARGEST:
            raise _too_large(size)
        return file.read_bytes()
    except FileNotFoundError:
        raise BadInputError(
            f"there is no file '{file}'", hint="`vaultmem help import` says where exports are"
        ) from None
    except OSError as error:
        raise disk_error(error, doing="read", what=file) from error


def _too_large(size: int) -> BadInputError:
    return BadInputError(
        f"the file has {size:,} bytes; at most {LARGEST:,} are read",
        hint="export in pieces: --since",
    )


def read_document(data: bytes) -> ExportDocument:
    """The notes of a document; entries that are none are among those skipped.

    raises  BadInputError  no JSON, no format that is known, or a newer version of one
    """
    if len(data) > LARGEST:
        raise _too_large(len(data))
    found = _parse_json(data)
    if not isinstance(found, dict):
        raise BadInputError("the file holds no JSON object", hint=_HINT)
    schema = found.get("schema")
    reader = READERS.get(schema) if isinstance(schema, str) else None
    if reader is None:
        said = (
            "its key 'schema' is missing" if schema is None else f"'schema' is {_excerpt(schema)}"
        )
        raise BadInputError(f"the file is no export that can be read: {said}", hint=_HINT)
    return reader(found)


def _parse_json(data: bytes) -> Any:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise BadInputError(f"the file is not UTF-8 text (line {line})", hint=_HINT) from error
    try:
        # Python reads `NaN` and `Infinity`, which are no JSON.
        return json.loads(text, parse_constant=_refuse)
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        what = error.msg[:1].lower() + error.msg[1:]
        raise BadInputError(f"the file is no JSON: {what} ({place})", hint=_HINT) from error
    except RecursionError as error:
        raise BadInputError("the file is nested too deeply to be read", hint=_HINT) from error
    except ValueError as error:  # a number of thousands of digits, NaN
        raise BadInputError(f"the file is no JSON: {error}", hint=_HINT) from error


def _refuse(name: str) -> Any:
    raise ValueError(f"{name} is no number of JSON")


def _excerpt(value: object) -> str:
    text = json.dumps(value, ensure_ascii=True) if isinstance(value, str | int) else _type(value)
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"


def _type(value: object) -> str:
    names = {dict: "an object", list: "a list", str: "text", bool: "true or false"}
    return names.get(type(value), "a number" if isinstance(value, int | float) else "null")


# --- vaultmem.export -------------------------------------------------------------------------


def _read_export(found: Mapping[str, Any]) -> ExportDocument:
    version = found.get("schema_version")
    if type(version) is not int or version < 1:
        raise BadInputError(f"'schema_version' is {_excerpt(version)}, no version", hint=_HINT)
    if version > SCHEMA_VERSION:
        raise BadInputError(
            f"the file is of schema version {version}; this program reads up to {SCHEMA_VERSION}",
            hint="take a newer vaultmem, or export with this one",
        )
    notes: list[CarriedNote] = []
    skipped: list[Skipped] = []
    for section in SECTIONS:
        entries = found.get(section, [])
        if not isinstance(entries, list):
            raise BadInputError(f"'{section}' is {_type(entries)}, not a list", hint=_HINT)
        for number, entry in enumerate(entries):
            read = _note(entry, section, f"{section}[{number}]")
            if isinstance(read, CarriedNote):
                notes.append(read)
            else:
                skipped.append(read)
    beside = list(_read_attached(found.get("attached"), skipped))
    vault, state = vault_at(_object(found, "vault"), "id"), _object(found, "state")
    history, carried = found.get("history"), found.get("carried")
    return ExportDocument(
        vault=vault,
        zone=text_at(_object(found, "vault"), "timezone"),
        state_at=instant_of(state.get("recorded_at")),
        notes=tuple(notes),
        skipped=tuple(skipped),
        former=_former(history, carried),
        earlier=frozenset(_earlier(found.get("texts"))),
        attached=tuple(beside),
    )


def _read_attached(entries: object, skipped: list[Skipped]) -> Iterator[Attached]:
    """Files that are no notes; documents of earlier programs have none."""
    for number, entry in enumerate(entries if isinstance(entries, list) else []):
        place = f"attached[{number}]"
        path = text_at(entry, "path") if isinstance(entry, dict) else ""
        data = _data(entry) if path else "it has no 'path'"
        if isinstance(data, bytes):
            yield Attached(place=place, path=PurePosixPath(path), data=data)
        else:
            skipped.append(Skipped(place=place, why=data, path=path[:200]))


def _object(found: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    value = found.get(key)
    if value is not None and not isinstance(value, dict):
        raise BadInputError(f"'{key}' is {_type(value)}, not an object", hint=_HINT)
    return value or {}


def _note(entry: object, section: str, place: str) -> CarriedNote | Skipped:
    if not isinstance(entry, dict):
        return Skipped(place=place, why=f"it is {_type(entry)}, not an object")
    path = entry.get("path")
    if not isinstance(path, str) or not path:
        return Skipped(place=place, why="it has no 'path'")
    shown = path[:200].encode("utf-8", "replace").decode()
    for key in ("id", "trust", "writer"):
        if not isinstance(entry.get(key, ""), str):
            why = f"'{key}' is {_type(entry[key])}, not text"
            return Skipped(place=place, why=why, path=shown)
    data = _data(entry)
    if isinstance(data, str):
        return Skipped(place=place, why=data, path=shown)
    return CarriedNote(
        place=place,
        section=section,
        path=PurePosixPath(path),
        data=data,
        id=entry.get("id", ""),
        trust=entry.get("trust", ""),
        writer=entry.get("writer", ""),
        recorded_at=instant_of(entry.get("recorded_at")),
    )


def _data(entry: Mapping[str, Any]) -> bytes | str:
    """The bytes of a note, or why there are none."""
    text, coded = entry.get("text"), entry.get("base64")
    if (text is None) == (coded is None):
        return "it needs either 'text' or 'base64'"
    if text is not None:
        if not isinstance(text, str):
            return f"'text' is {_type(text)}, not text"
        try:
            return text.encode()
        except UnicodeEncodeError:
            return "its text holds half of a surrogate pair"
    if not isinstance(coded, str):
        return f"'base64' is {_type(coded)}, not text"
    try:
        return base64.b64decode(coded, validate=True)
    except (binascii.Error, ValueError):
        return "'base64' cannot be decoded"


def _former(*histories: object) -> Mapping[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for history in histories:
        for id_, blob in _blobs(history):
            found.setdefault(id_, set()).add(blob)
    return {id_: frozenset(blobs) for id_, blobs in found.items()}


def _blobs(history: object) -> Iterator[tuple[str, str]]:
    for entry in history if isinstance(history, list) else []:
        if isinstance(entry, dict):
            id_, blob = entry.get("id"), entry.get("blob")
            if isinstance(id_, str) and isinstance(blob, str):
                yield id_, blob


def _earlier(entries: object) -> Iterator[str]:
    """Names of the earlier texts, which the history of another vault does not take in."""
    for entry in entries if isinstance(entries, list) else []:
        blob = text_at(entry, "blob") if isinstance(entry, dict) else ""
        if OBJECT.fullmatch(blob):
            yield blob


READERS: Mapping[str, Reader] = {SCHEMA: _read_export}
"""By the value of `schema`."""
