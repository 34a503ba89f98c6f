"""What statements would put an end to, if they were the person's own words; nothing is changed.

An assistant's words end nothing that the person said, and mark nothing of it as out of date. But
whoever wrote them may be told what they seem to replace, and can then ask for that change.
"""

from __future__ import annotations

from collections.abc import Sequence

from vaultmem.base import TYPE_CHECKING, replace
from vaultmem.facts.contradictions import Contradictions
from vaultmem.facts.target import load
from vaultmem.facts.validity import CONTRADICTS, MAY_REPLACE
from vaultmem.model import USER, Item
from vaultmem.vault import Shelf, Workbench

if TYPE_CHECKING:
    from vaultmem.vault import Parts

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
