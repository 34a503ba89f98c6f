"""`Memory` of Mem0 on vaults: `from vaultmem.adapters.mem0ai import Memory`, and nothing else.

Each user is a vault of their own (`users.py`). An agent or run without a user has one, too, so
that nothing of a user is found by the id of an agent.
"""

from __future__ import annotations

import hashlib
import json
import operator
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from itertools import islice
from pathlib import Path, PurePosixPath

from vaultmem import api
from vaultmem import vault as vaults
from vaultmem.adapters.exact_notes import exact_item, screen, write_notes
from vaultmem.adapters.users import Vaults
from vaultmem.base import Any, BadInputError, TypeVar, UnknownNoteError
from vaultmem.language import canonical
from vaultmem.model import LIMITED, NoteRow, is_current, item_id
from vaultmem.safety import refang
from vaultmem.storage import files, notes
from vaultmem.storage.notes import FrontMatter

Messages = str | Mapping[str, Any] | Sequence[Mapping[str, Any]]

UNSAID: Any = object()
_WRITERS = {"user": "person", "assistant": "agent"}
_EVENTS = {"add": "ADD", "update": "UPDATE"}
_FADED = ("active", "expired")


def keep(
    memory: api.Memory,
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
    memory: api.Memory, messages: Messages, keys: Mapping[str, str], ends: date | None
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
    memory: api.Memory,
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


def record_at(memory: api.Memory, id_: str, key: str) -> Record | None:
    """The memory of this id; None when there is none."""
    try:
        return _record(memory, memory.show(id_).note, key)
    except UnknownNoteError:
        return None


def _record(memory: api.Memory, row: NoteRow, key: str) -> Record:
    data = files.read(memory.root, row.path, limit=None)
    return record_of(notes.read(data, row.path), row, memory.root.name, key)


def update(
    memory: api.Memory,
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


def forget_all(memory: api.Memory, scope: Mapping[str, str]) -> None:
    """Take back all of a scope: the whole vault of a user, or what an agent or run brought."""
    narrow = {name: value for name, value in scope.items() if name != "user_id"}
    if "user_id" in scope and narrow:
        rows = memory.list({"type": "item"})
        chosen = [row.id for row in rows if passes(_record(memory, row, key_of(scope)), narrow)]
        if chosen:
            memory.forget(*chosen)
    else:
        memory.forgetting.clear()


def history(memory: api.Memory, id_: str) -> list[Record]:
    """What a memory said, oldest first."""
    return [*_events(memory, id_)]


def _events(memory: api.Memory, id_: str) -> Iterator[Record]:
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


T = TypeVar("T")
Scope = Mapping[str, str]

_FOLDER = "VAULTMEM_USERS"
_MANY = 1_000  # hits that filters choose from: the most that recall gives


class Memory:
    """Memories of users, agents and runs, with the methods and answers of Mem0 2.

    folder  of the vaults, or `Vaults`; None: $VAULTMEM_USERS, else `vaultmem-users` in the home

    Errors are those of the vault; those that Mem0 raises a ValueError for are one, too.
    """

    def __init__(self, folder: str | Path | Vaults | None = None) -> None:
        if not isinstance(folder, Vaults):
            folder = Vaults(folder or os.environ.get(_FOLDER) or "~/vaultmem-users")
        self.vaults = folder

    @classmethod
    def from_config(cls, config_dict: Mapping[str, Any]) -> Memory:
        """As Mem0 is set up, with `{"folder": ...}`; models are named in the settings of vaults."""
        if foreign := sorted(set(config_dict) - {"folder"}):
            raise Mem0InputError(
                f"a vault has no use for {', '.join(foreign)}", hint='{"folder": "~/users"} alone'
            )
        return cls(config_dict.get("folder"))

    def add(
        self,
        messages: Messages,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        timestamp: object = None,
        expiration_date: object = None,
        infer: bool = True,
    ) -> dict[str, Any]:
        """Keep what was said; `infer=False` makes each message a memory, as it stands."""
        scope = scope_of({"user_id": user_id, "agent_id": agent_id, "run_id": run_id})
        ends = day_of(expiration_date)
        said = instant_of(timestamp)

        def keep_said(memory: api.Memory) -> list[Record]:
            done = keep(memory, messages, scope, metadata, ends=ends, said=said, infer=infer)
            name = memory.root.name
            return [each | {"id": f"{name}.{each['id']}"} for each in done]

        return {"results": self.vaults.of(key_of(scope)).ask(keep_said)}

    def search(
        self,
        query: str,
        *,
        top_k: int = 20,
        filters: Mapping[str, Any] | None = None,
        threshold: float = 0.1,
        reference_date: object = None,
        show_expired: bool = False,
    ) -> dict[str, Any]:
        """Memories that answer, best first; scores are from 0 to 1, to be compared in one answer.

        reference_date  answer as of then
        """
        as_of = instant_of(reference_date)

        def find(memory: api.Memory, scope: Scope) -> list[Record]:
            look = memory.search if show_expired else memory.recall
            hits = look(query, limit=_MANY, filters={"type": "item"}, as_of=as_of).hits
            scores = {hit.note.id: hit.score / (1 + hit.score) for hit in hits}
            rows = [hit.note for hit in hits if scores[hit.note.id] >= threshold]
            is_any = show_expired or as_of is not None
            found = choose(memory, rows, scope, filters or {}, top_k, show_expired=is_any)
            return [each | {"score": scores[each["id"].partition(".")[2]]} for each in found]

        return self._answer(filters, find)

    def get_all(
        self,
        *,
        filters: Mapping[str, Any] | None = None,
        top_k: int = 20,
        show_expired: bool = False,
    ) -> dict[str, Any]:
        """Memories that pass the filters, the newest first."""

        def find(memory: api.Memory, scope: Scope) -> list[Record]:
            rows = memory.list({"type": "item"})
            return choose(memory, rows, scope, filters or {}, top_k, show_expired=show_expired)

        return self._answer(filters, find)

    def get(self, memory_id: str) -> Record | None:
        """One memory; None when there is none of this id."""
        return self._at(memory_id, record_at)

    def update(
        self,
        memory_id: str,
        text: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        expiration_date: object = UNSAID,
        data: str | None = None,
    ) -> dict[str, str]:
        """Let a memory say something else under its id; the history keeps what it said."""
        said = data if text is None else text
        if said is None and metadata is None and expiration_date is UNSAID:
            raise Mem0InputError("nothing is to be updated", hint="text, metadata, expiration_date")
        ends = UNSAID if expiration_date is UNSAID else day_of(expiration_date)
        self._must(
            memory_id,
            lambda memory, id_, _: update(memory, id_, said, metadata, ends=ends),
        )
        return {"message": "Memory updated successfully!"}

    def delete(self, memory_id: str) -> dict[str, str]:
        """Take a memory back; `vaultmem undo` brings it again."""
        self._must(memory_id, lambda memory, id_, _: memory.forget(id_))
        return {"message": "Memory deleted successfully!"}

    def delete_all(
        self, user_id: str | None = None, agent_id: str | None = None, run_id: str | None = None
    ) -> dict[str, str]:
        """Take all of them back, which can be undone; `vaults.erase(user_id)` is for good."""
        scope = scope_of({"user_id": user_id, "agent_id": agent_id, "run_id": run_id})
        if self.vaults.has(key_of(scope)):
            self.vaults.of(key_of(scope)).ask(lambda memory: forget_all(memory, scope))
        return {"message": "Memories deleted successfully!"}

    def history(self, memory_id: str) -> list[Record]:
        """What a memory said, oldest first; [] for one that never was."""
        return self._at(memory_id, lambda memory, id_, _: history(memory, id_)) or []

    def reset(self) -> None:
        """Erase every vault below the folder, for good, as Mem0 does."""
        for user_id in self.vaults.users():
            self.vaults.erase(user_id)

    def close(self) -> None:
        """Close what is open."""
        self.vaults.close()

    def _answer(
        self,
        filters: Mapping[str, Any] | None,
        find: Callable[[api.Memory, Scope], list[Record]],
    ) -> dict[str, Any]:
        scope = scope_of(filters or {})
        key = key_of(scope)
        if not self.vaults.has(key):  # a question makes no vault
            return {"results": []}
        return {"results": self.vaults.of(key).ask(lambda memory: find(memory, scope))}

    def _must(self, memory_id: str, work: Callable[[api.Memory, str, str], object]) -> None:
        if self.get(memory_id) is None:
            raise Mem0InputError(f"there is no memory '{memory_id}'", hint="get_all lists them")
        self._at(memory_id, work)

    def _at(self, memory_id: str, work: Callable[[api.Memory, str, str], T]) -> T | None:
        name, _, id_ = memory_id.partition(".")
        user_id = self.vaults.user_at(name)
        if user_id is None or not id_.startswith("i-"):
            return None
        return self.vaults.of(user_id).ask(lambda memory: work(memory, id_, user_id))
