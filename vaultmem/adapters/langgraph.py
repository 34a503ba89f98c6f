"""`VaultStore`: the long-term memory of LangGraph, a vault for each namespace."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path

from vaultmem.adapters import exact_notes
from vaultmem.adapters.exact_notes import Stored
from vaultmem.adapters.framework import MissingFrameworkError
from vaultmem.adapters.users import Vaults
from vaultmem.api import Memory
from vaultmem.base import Any

try:
    from langgraph.store.base import (
        BaseStore,
        GetOp,
        Item,
        ListNamespacesOp,
        MatchCondition,
        Op,
        PutOp,
        Result,
        SearchItem,
        SearchOp,
    )
except ModuleNotFoundError as error:
    raise MissingFrameworkError("vaultmem.adapters.langgraph", "langgraph") from error

Namespace = tuple[str, ...]
_MARK = "namespace\x1f"
_MOST_FOUND = 1_000  # by a query in one namespace


class VaultStore(BaseStore):
    """Values of a LangGraph as notes: each namespace is a vault below a folder.

    folder  of the vaults, or `Vaults`

    A value comes back as it was given. A search with a query gives what answers it, best first;
    the scores of two namespaces are of two vaults, so a search over several is only nearly in
    order. Without a query it gives all, by namespace and age. A value never expires by itself.
    """

    supports_ttl = False

    def __init__(self, folder: str | Path | Vaults) -> None:
        self.vaults = folder if isinstance(folder, Vaults) else Vaults(folder)

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """Answer all as things are; then store what is to be stored, in a commit a namespace."""
        answers: list[Result] = []
        puts: dict[Namespace, dict[str, PutOp]] = {}
        for op in ops:
            answer: Any = None
            if isinstance(op, GetOp):
                answer = self._get(op)
            elif isinstance(op, SearchOp):
                answer = list(islice(self._search(op), op.offset, op.offset + op.limit))
            elif isinstance(op, ListNamespacesOp):
                answer = self._list(op)
            elif isinstance(op, PutOp):
                if op.ttl is not None:
                    raise NotImplementedError("a VaultStore keeps values until they are deleted")
                puts.setdefault(op.namespace, {})[op.key] = op
            else:
                raise ValueError(f"Unknown operation type: {type(op)}")
            answers.append(answer)
        for namespace, chosen in puts.items():
            self._put(namespace, chosen)
        return answers

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        """As `batch`, in another thread."""
        return await asyncio.to_thread(self.batch, list(ops))

    def close(self) -> None:
        """Close the vaults that are open."""
        self.vaults.close()

    def _get(self, op: GetOp) -> Item | None:
        if not self.vaults.has(_id_of(op.namespace)):
            return None
        found = self.vaults.of(_id_of(op.namespace)).ask(
            lambda memory: exact_notes.value_at(memory, op.key)
        )
        return None if found is None else Item(namespace=op.namespace, **found._asdict())

    def _put(self, namespace: Namespace, ops: dict[str, PutOp]) -> None:
        is_there = self.vaults.has(_id_of(namespace))
        if not is_there and all(op.value is None for op in ops.values()):
            return  # a deletion makes no vault
        values = {key: None if op.value is None else dict(op.value) for key, op in ops.items()}
        unsearched = [key for key, op in ops.items() if op.index is False]
        self.vaults.of(_id_of(namespace)).ask(
            lambda memory: exact_notes.put(memory, values, unsearched=unsearched)
        )

    def _search(self, op: SearchOp) -> Iterator[SearchItem]:
        spaces = [each for each in self._namespaces() if _begins(each, op.namespace_prefix)]
        most = _MOST_FOUND if op.filter else min(op.offset + op.limit, _MOST_FOUND)

        def find(memory: Memory) -> Sequence[tuple[Stored, float | None]]:
            if op.query:
                return exact_notes.find(memory, op.query, op.filter, most)
            everything = exact_notes.all_values(memory, op.filter)
            return [(each, None) for each in islice(everything, op.offset + op.limit)]

        found: Iterable[tuple[Namespace, Stored, float | None]] = (
            (space, stored, score)
            for space in spaces
            for stored, score in self.vaults.of(_id_of(space)).ask(find)
        )
        if op.query and len(spaces) > 1:
            found = sorted(found, key=lambda each: -(each[2] or 0.0))
        for space, stored, score in found:
            yield SearchItem(namespace=space, score=score, **stored._asdict())

    def _list(self, op: ListNamespacesOp) -> list[Namespace]:
        conditions = op.match_conditions or ()
        found = {each[: op.max_depth] for each in self._namespaces() if _matches(each, conditions)}
        return sorted(found)[op.offset : op.offset + op.limit]

    def _namespaces(self) -> list[Namespace]:
        """Those that hold a value."""
        ids = [each for each in self.vaults.users() if each.startswith(_MARK)]
        return sorted(
            tuple(json.loads(each.removeprefix(_MARK)))
            for each in ids
            if exact_notes.holds_any(self.vaults.place_of(each))
        )


def _id_of(namespace: Namespace) -> str:
    return _MARK + json.dumps(namespace)


def _begins(namespace: Namespace, prefix: Namespace) -> bool:
    return namespace[: len(prefix)] == tuple(prefix)


def _matches(namespace: Namespace, conditions: Sequence[MatchCondition]) -> bool:
    return all(_is_match(namespace, tuple(each.path), each.match_type) for each in conditions)


def _is_match(namespace: Namespace, path: Namespace, kind: str) -> bool:
    if len(path) > len(namespace):
        return False
    part = namespace[: len(path)] if kind == "prefix" else namespace[len(namespace) - len(path) :]
    return all(wanted in ("*", found) for found, wanted in zip(part, path, strict=True))
