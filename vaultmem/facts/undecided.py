"""Facts that cannot both be true, and that nobody has decided between."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from vaultmem.base import TYPE_CHECKING, replace
from vaultmem.facts.contradictions import Contradictions
from vaultmem.facts.target import load
from vaultmem.facts.validity import CONTRADICTS, MAY_REPLACE
from vaultmem.model import USER, Item, Problem, Severity, holds_one, part_key, slot_key
from vaultmem.vault import Shelf, Workbench

if TYPE_CHECKING:
    from vaultmem.vault import Parts

_WRONG = "end or take back the wrong one: `vaultmem expire`, `retract` or `correct` with its id; "
_HINT = _WRONG + "if both are true, delete 'contradicts' from the note"
_HINT_OF_SLOT = _WRONG + "if many values are right, name the predicate in slots.multiple"


def undecided_problems(parts: Parts, items: Sequence[Item]) -> Iterator[Problem]:
    """A problem for each such pair, at the later note of it."""
    active = [item for item in items if item.status == "active" and item.id]
    now = parts.clock.now()
    holding = [item for item in active if item.valid_until is None or item.valid_until > now]
    told: set[frozenset[str]] = set()
    by_stem = {item.path.stem: item for item in holding}
    for item in holding:
        for relation, target in item.links:
            other = by_stem.get(target) if relation == "contradicts" else None
            if other is not None and other.id != item.id:
                told.add(frozenset((item.id, other.id)))
                yield _problem(item, other, _HINT)
            older = by_stem.get(target) if relation == "may_replace" else None
            if older is not None and older.id != item.id:
                yield _doubtful(older, item)
    for rivals in _by_slot(parts, holding):
        first = rivals[0]
        for item in rivals[1:]:
            is_other = part_key(item.object) != part_key(first.object)
            if is_other and _overlap(first, item) and frozenset((first.id, item.id)) not in told:
                yield _problem(item, first, _HINT_OF_SLOT)


def _by_slot(parts: Parts, items: Iterable[Item]) -> Iterator[list[Item]]:
    """Items with a value in slots that have one, oldest first."""
    settings = parts.settings
    found: dict[str, list[Item]] = {}
    for item in items:
        key = slot_key(item.subject, item.predicate) if item.object else ""
        if key:
            found.setdefault(key, []).append(item)
    for _, rivals in sorted(found.items()):
        if len(rivals) > 1 and holds_one(
            rivals[0].predicate, single=settings.slots_single, multiple=settings.slots_multiple
        ):
            yield sorted(rivals, key=lambda item: (item.valid_from or 0, item.id))


def _overlap(one: Item, other: Item) -> bool:
    """Whether there is a moment at which both hold."""
    return (one.valid_until is None or (other.valid_from or 0) < one.valid_until) and (
        other.valid_until is None or (one.valid_from or 0) < other.valid_until
    )


def _doubtful(older: Item, item: Item) -> Problem:
    return Problem(
        path=older.path,
        code="may-be-over",
        message=f"'{older.statement}' may be out of date since '{item.statement}' ({item.id})",
        hint=f"if it is over: `vaultmem expire {older.id}`; if not, delete 'may_replace' from the "
        f"note {item.id}",
        severity=Severity.WARNING,
    )


def _problem(item: Item, other: Item, hint: str) -> Problem:
    return Problem(
        path=item.path,
        code="contradiction",
        message=f"'{item.statement}' and '{other.statement}' ({other.id}) cannot both be true",
        hint=hint,
        severity=Severity.WARNING,
    )


_MARKS = (MAY_REPLACE, CONTRADICTS)


def what_it_ends(parts: Parts, item: Item, *, now: int) -> tuple[Item, ...]:
    """Known items, still active, that an item would end, may replace or contradicts; by id.

    item  is in the vault; of any trust and status
    now   UTC ms, taken as when it was said
    """
    told = replace(item, trust=USER, status="active", review="", superseded_by=())
    bench = Workbench(parts)  # of this question alone: nobody applies it
    verdict = Contradictions(Shelf(parts, bench)).settle(told, at=now, now=now, is_told=True)
    links = {name for relation, name in verdict.item.links if relation in _MARKS}
    links |= {*verdict.item.superseded_by, *(each.path.stem for each in verdict.ended)}
    return tuple(_active(parts, sorted(links), but=item.id))


def _active(parts: Parts, links: Sequence[str], *, but: str) -> list[Item]:
    rows = (parts.index.resolve_link(link) for link in links)
    by_id = {row.id: row for row in rows if row is not None and row.type == "item"}
    return [
        load(parts, row)
        for id_, row in sorted(by_id.items())
        if id_ and id_ != but and row.status == "active"
    ]
