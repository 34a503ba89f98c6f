"""Adapters for the two clocks: operations on a real vault, then questions about other times."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from tests.vectors.suite import Adapter, SetClock, Workshop
from vaultmem.memory import Memory
from vaultmem.model.time import parse_instant
from vaultmem.model.versions import effective_times, known_at

Operation = Mapping[str, Any]


def _instant(text: str | None) -> int | None:
    return None if text is None else parse_instant(text)


@contextmanager
def replayed(operations: Sequence[Operation], shop: Workshop) -> Iterator[Memory]:
    """A vault in which these operations were carried out, each at its time, a commit each."""
    times = [parse_instant(each["at"]) for each in operations]
    with shop.vault(at=min(times, default=0) - 1) as (memory, clock):
        for operation in operations:
            _carry_out(memory, clock, operation)
        yield memory


def _carry_out(memory: Memory, clock: SetClock, given: Operation) -> None:
    clock.at = parse_instant(given["at"])
    slot = given["subject"], given["predicate"]
    value = (given["object"],) if "object" in given else ()
    match given["op"]:
        case "assert":
            memory.remember("", fact=(*slot, *value), valid_from=_instant(given.get("valid_from")))
            if given.get("valid_until") is not None:
                memory.expire(*slot, *value, until=_instant(given["valid_until"]))
        case "change" | "supersede":
            memory.change(*slot, *value, effective=_instant(given.get("effective")))
        case "correct":
            memory.correct(*slot, *value)
        case "expire":
            memory.expire(*slot, *value, until=_instant(given.get("valid_until")))
        case "retract":
            memory.retract(*slot, *value)
        case unknown:
            raise NotImplementedError(f"an operation '{unknown}'")


def _edge_history(given: Any, shop: Workshop) -> object:
    first = given["operations"][0]
    slot = given.get("subject", first["subject"]), given.get("predicate", first["predicate"])
    with replayed(given["operations"], shop) as memory:
        found = memory.history(*slot, value=given.get("object", ""))
    return [
        {
            "object": version.object,
            "valid_from_ms": version.valid_from,
            "valid_until_ms": version.valid_until,
            "recorded_at_ms": version.recorded_at,
            "superseded_at_ms": version.superseded_at,
        }
        for version in found.versions
        if version.status != "retracted"  # the note stays, and says that it never held
    ]


def _git_record_time(given: Any, _: Workshop) -> object:
    chain = given["first_parent_chain"]
    claimed = [parse_instant(each.get("recorded_at") or each["committer_time"]) for each in chain]
    times = effective_times(claimed)
    places = {query: known_at(times, parse_instant(query)) for query in given["queries"]}
    return {"as_of": {q: None if p is None else chain[p]["commit"] for q, p in places.items()}}


ADAPTERS = {
    "edge_history": Adapter(_edge_history),
    "git_record_time": Adapter(_git_record_time),
}
