"""Adapters for the two clocks: operations on a real vault, then questions about other times."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from tests.vectors.suite import Adapter, Case, SetClock, Workshop, difference
from vaultmem.api.memory import Memory
from vaultmem.language.time import parse_instant
from vaultmem.maintain.compact import is_kept
from vaultmem.model.answers import Filters
from vaultmem.model.past_versions import effective_times, known_at

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
                memory.facts.expire(*slot, *value, until=_instant(given["valid_until"]))
        case "change" | "supersede":
            memory.change(*slot, *value, effective=_instant(given.get("effective")))
        case "correct":
            memory.correct(*slot, *value)
        case "expire":
            memory.facts.expire(*slot, *value, until=_instant(given.get("valid_until")))
        case "retract":
            memory.facts.retract(*slot, *value)
        case unknown:
            raise ValueError(f"the vectors name an operation '{unknown}' that no adapter knows")


def _objects(
    memory: Memory, operations: Sequence[Operation], *, valid_at: str, known: str | None
) -> list[str]:
    """What held in the slots of the operations at an instant, as known at another; sorted."""
    slots = {(each["subject"], each["predicate"]) for each in operations}
    rows = memory.list(Filters(types=("item",)), as_of=valid_at, known_at=known)
    return sorted(row.object for row in rows if (row.subject, row.predicate) in slots)


def _bitemporal_grid(given: Any, shop: Workshop) -> Callable[[Case], object]:
    """All cells of a case are asked of one vault."""
    operations = given["operations"]

    def answer(case: Case) -> object:
        with replayed(operations, shop) as memory:
            cells = [
                {
                    "valid_at": cell["valid_at"],
                    "recorded_as_of": cell["recorded_as_of"],
                    "objects": _objects(
                        memory,
                        operations,
                        valid_at=cell["valid_at"],
                        known=cell["recorded_as_of"],
                    ),
                }
                for cell in case["expected"]["grid"]
            ]
        return {"grid": cells}

    return answer


def _same_grid(answer: Any, case: Case, suite: Case) -> str:
    return difference(answer(case), case, suite)


def _bitemporal_seed_example(given: Any, shop: Workshop) -> object:
    operations = given["operations"]
    with replayed(operations, shop) as memory:
        known = given.get("recorded_as_of")
        return _objects(memory, operations, valid_at=given["valid_at"], known=known)


def _bitemporal_timezones(given: Any, shop: Workshop) -> object:
    """Whether what begins (and ends) at instants with an offset holds at another."""
    operation = {"op": "assert", "subject": "it", "predicate": "is", "object": "so", **given}
    times = [given[key] for key in ("valid_from", "valid_until", "valid_at") if given.get(key)]
    told = {**operation, "at": max(times, key=parse_instant)}
    with replayed([told], shop) as memory:
        return {"valid": bool(_objects(memory, [told], valid_at=given["valid_at"], known=None))}


def _compact_edges(given: Any, _: Workshop) -> object:
    now, days = given["now_ms"], given["retention_days"]
    return [
        edge["id"]
        for edge in given["edges"]
        if is_kept(edge.get("superseded_ms"), now=now, retention_days=days)
    ]


def _edge_history(given: Any, shop: Workshop) -> object:
    first = given["operations"][0]
    slot = given.get("subject", first["subject"]), given.get("predicate", first["predicate"])
    with replayed(given["operations"], shop) as memory:
        found = memory.history.of(*slot, value=given.get("object", ""))
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
    "bitemporal_grid": Adapter(_bitemporal_grid, _same_grid),
    "bitemporal_seed_example": Adapter(_bitemporal_seed_example),
    "bitemporal_timezones": Adapter(_bitemporal_timezones),
    "compact_edges": Adapter(_compact_edges),
    "edge_history": Adapter(_edge_history),
    "git_record_time": Adapter(_git_record_time),
}
