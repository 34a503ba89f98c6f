"""`Memory` of Mem0 on vaults: `from vaultmem.adapters.mem0ai import Memory`, and nothing else.

Each user is a vault of their own (`users.py`). An agent or run without a user has one, too, so
that nothing of a user is found by the id of an agent.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path

from vaultmem import api
from vaultmem.adapters import mem0ai_changes as changes
from vaultmem.adapters import mem0ai_records as records
from vaultmem.adapters.mem0ai_changes import UNSAID, Messages
from vaultmem.adapters.mem0ai_records import Mem0InputError, Record, scope_of
from vaultmem.adapters.users import Vaults
from vaultmem.base import Any, TypeVar

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
        ends = records.day_of(expiration_date)
        said = records.instant_of(timestamp)

        def keep(memory: api.Memory) -> list[Record]:
            done = changes.keep(
                memory, messages, scope, metadata, ends=ends, said=said, infer=infer
            )
            name = memory.root.name
            return [each | {"id": f"{name}.{each['id']}"} for each in done]

        return {"results": self.vaults.of(records.key_of(scope)).ask(keep)}

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
        as_of = records.instant_of(reference_date)

        def find(memory: api.Memory, scope: Scope) -> list[Record]:
            look = memory.search if show_expired else memory.recall
            hits = look(query, limit=_MANY, filters={"type": "item"}, as_of=as_of).hits
            scores = {hit.note.id: hit.score / (1 + hit.score) for hit in hits}
            rows = [hit.note for hit in hits if scores[hit.note.id] >= threshold]
            is_any = show_expired or as_of is not None
            found = changes.choose(memory, rows, scope, filters or {}, top_k, show_expired=is_any)
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
            return changes.choose(
                memory, rows, scope, filters or {}, top_k, show_expired=show_expired
            )

        return self._answer(filters, find)

    def get(self, memory_id: str) -> Record | None:
        """One memory; None when there is none of this id."""
        return self._at(memory_id, changes.record_at)

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
        ends = UNSAID if expiration_date is UNSAID else records.day_of(expiration_date)
        self._must(
            memory_id,
            lambda memory, id_, _: changes.update(memory, id_, said, metadata, ends=ends),
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
        if self.vaults.has(records.key_of(scope)):
            self.vaults.of(records.key_of(scope)).ask(
                lambda memory: changes.forget_all(memory, scope)
            )
        return {"message": "Memories deleted successfully!"}

    def history(self, memory_id: str) -> list[Record]:
        """What a memory said, oldest first; [] for one that never was."""
        return self._at(memory_id, lambda memory, id_, _: changes.history(memory, id_)) or []

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
        key = records.key_of(scope)
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
