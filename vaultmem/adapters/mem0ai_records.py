"""What Mem0 calls a memory, made of a note, and its filters."""

from __future__ import annotations

import hashlib
import json
import operator
from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime

from vaultmem.base import Any, BadInputError
from vaultmem.model import NoteRow
from vaultmem.safety import refang
from vaultmem.storage.notes import FrontMatter

SCOPES = ("user_id", "agent_id", "run_id")
OWN_KEYS = ("agent_id", "run_id", "actor_id", "role", "expiration_date")
"""Keys of a note, besides `metadata`, that Mem0 gives beside a memory."""

Record = dict[str, Any]
"""A memory as Mem0 gives it."""

_APART = "\x1f"
_HINT = "for example user_id='ada'; of search and get_all: filters={'user_id': 'ada'}"
_OPERATORS: Mapping[str, Callable[[Any, Any], bool]] = {
    "eq": operator.eq,
    "ne": operator.ne,
    "gt": operator.gt,
    "gte": operator.ge,
    "lt": operator.lt,
    "lte": operator.le,
    "in": lambda found, wanted: found in wanted,
    "nin": lambda found, wanted: found not in wanted,
    "contains": lambda found, wanted: str(wanted) in str(found),
    "icontains": lambda found, wanted: str(wanted).casefold() in str(found).casefold(),
}


class Mem0InputError(BadInputError, ValueError):
    """What Mem0 raises a ValueError for."""


def as_metadata(values: Mapping[str, object]) -> str:
    """Metadata as one line of JSON that a key of a note gives back as it is.

    Front matter keeps one space of several, so each further one is spelled out.
    """
    try:
        text = json.dumps(values)
    except (TypeError, ValueError) as error:
        raise Mem0InputError(
            f"the metadata cannot be written as JSON: {error}", hint="texts, numbers, lists can"
        ) from error
    while "  " in text:
        text = text.replace("  ", " \\u0020")
    return text


def record_of(note: FrontMatter, row: NoteRow, vault: str, key: str) -> Record:
    """A memory as Mem0 gives it, without a score.

    vault  name of its folder
    key    whose it is (`key_of`)
    """
    values = note.values
    text = refang(note.body).strip() if "raw" in values else row.statement
    told = {name: refang(value) for name, value in values.items() if isinstance(value, str)}
    created = told.get("created_at")
    found: Record = {
        "id": f"{vault}.{row.id}",
        "memory": text,
        "hash": hashlib.md5(text.encode(), usedforsecurity=False).hexdigest(),
        "metadata": metadata_in(told.get("metadata", "")) or None,
        "created_at": created,
        "updated_at": told.get("updated_at", created),
    }
    who, _, id_ = key.rpartition(_APART)
    found[f"{who or 'user'}_id"] = id_
    return found | {name: told[name] for name in OWN_KEYS if name in told}


def metadata_in(text: str) -> dict[str, Any]:
    try:
        found = json.loads(text or "{}")
    except ValueError:  # somebody edited it: it is kept, and no dict
        return {"metadata": text}
    return found if isinstance(found, dict) else {"metadata": found}


def passes(record: Mapping[str, Any], filters: Mapping[str, Any]) -> bool:
    """Whether a memory is what the filters ask for, with AND, OR, NOT and operators."""
    for key, wanted in filters.items():
        if key in ("AND", "OR", "NOT"):
            each = [passes(record, part) for part in _parts(key, wanted)]
            is_so = {"AND": all(each), "OR": any(each), "NOT": not any(each)}[key]
        else:
            value = (record.get("metadata") or {}).get(key, record.get(key))
            is_so = _is_met(value, wanted)
        if not is_so:
            return False
    return True


def _parts(key: str, wanted: object) -> Sequence[Mapping[str, Any]]:
    if not isinstance(wanted, list) or not all(isinstance(each, Mapping) for each in wanted):
        raise Mem0InputError(f"{key} takes a list of filters", hint='{"OR": [{"kind": "a"}, ...]}')
    return wanted


def _is_met(value: object, wanted: object) -> bool:
    if wanted == "*":
        return value is not None
    if not isinstance(wanted, Mapping):
        return value == wanted
    for name, limit in wanted.items():
        if name not in _OPERATORS:
            raise Mem0InputError(
                f"there is no operator '{name}' for metadata",
                hint="one of: " + " ".join(_OPERATORS),
            )
        try:
            is_so = _OPERATORS[name](value, limit)
        except TypeError:  # a number and a text, or nothing at all: neither is the greater one
            is_so = False
        if not is_so:
            return False
    return True


def key_of(scope: Mapping[str, str]) -> str:
    """Whose vault it is: the user's; where there is none, the agent's or the run's own.

    No user is meant by these: the mark between counts as a space, which no id has.
    """
    if "user_id" in scope:
        return scope["user_id"]
    name = "agent" if "agent_id" in scope else "run"
    return f"{name}{_APART}{scope[f'{name}_id']}"


def scope_of(given: Mapping[str, Any]) -> dict[str, str]:
    """The ids of user, agent and run among these, checked as Mem0 does.

    raises Mem0InputError when there is none, or one is no id
    """
    found: dict[str, str] = {}
    for name in SCOPES:
        value = given.get(name)
        if value is None:
            continue
        text = str(value).strip()
        if not text or any(each.isspace() for each in text):
            raise Mem0InputError(f"{value!r} is no {name}", hint="a text without spaces is")
        found[name] = text
    if not found:
        raise Mem0InputError(f"at least one of {', '.join(SCOPES)} is needed", hint=_HINT)
    return found


def day_of(value: object) -> date | None:
    """The day of an expiration date; raises Mem0InputError."""
    if value is None or (isinstance(value, date) and not isinstance(value, datetime)):
        return value
    if isinstance(value, datetime):
        return value.date()
    try:
        return date.fromisoformat(str(value))
    except ValueError as error:
        raise Mem0InputError(
            f"{value!r} is no expiration date", hint="write it as 2026-12-31"
        ) from error


def instant_of(value: object) -> int | str | None:
    """A timestamp or reference date as `Memory` takes it: UTC ms, or a text."""
    if isinstance(value, datetime):
        return round(value.timestamp() * 1000)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return round(value * 1000)
    return None if value is None else str(value)
