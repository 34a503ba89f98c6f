"""From hits to what they are linked to: one step further than the words of a question reach.

Algorithms.md 5.5, after A-MEM (Xu et al. 2025), which follows links when it reads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from vaultmem.base.records import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Reached:
    """A node that a walk along links came to."""

    id: str
    hops: int  # 0: a hit itself
    score: float  # of the best hit that it was reached from, times decay ** hops
    via: str = ""  # the node one step before; '': a hit


def expanded(
    hits: Mapping[str, float],
    links: Callable[[str], Iterable[str]],
    *,
    hops: int = 1,
    limit: int,
    decay: float = 0.5,
    is_over: Callable[[str], bool] = lambda _: False,
) -> list[Reached]:
    """Hits in their order, then what they link to, breadth first; each id once, at most `limit`.

    hits     id -> score, best first
    links    of an id, in the order in which they are followed
    is_over  ids that do not hold any more: neither answered with nor walked through
    """
    reached = {
        id_: Reached(id=id_, hops=0, score=score) for id_, score in hits.items() if not is_over(id_)
    }
    last = list(reached.values())
    for hop in range(1, hops + 1):
        found: dict[str, Reached] = {}
        for one in last:
            for id_ in links(one.id):
                score = one.score * decay
                known = found.get(id_)
                if id_ in reached or is_over(id_) or (known is not None and known.score >= score):
                    continue
                # A better way to a node keeps the place at which it was first come to.
                found[id_] = Reached(id=id_, hops=hop, score=score, via=one.id)
        reached |= found
        last = list(found.values())
    return list(reached.values())[: max(limit, 0)]
