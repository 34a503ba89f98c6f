"""Which bullets a full flow list has dropped at its end; that is no deletion by anybody.

A flow file keeps the newest `limits.flow_items` bullets, and the items of the others live on.
Whoever compares with an older state of the file (another device, or this one while something
else waits for the person) must not take the missing bullets for retracted ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from vaultmem.model.notes import Stream

FLOW = "flow"


def fallen_off(base: Iterable[Stream], disk: Sequence[Stream], limit: int) -> frozenset[str]:
    """Ids below the last bullet that is still there, in flow lists that are full now."""
    now = {stream.path: _ids(stream) for stream in disk if stream.name == FLOW}
    found: set[str] = set()
    for stream in base:
        there = now.get(stream.path, ())
        if not limit or len(there) < limit:
            continue
        for id_ in reversed(_ids(stream)):
            if id_ in there:
                break
            found.add(id_)
    return frozenset(found)


def is_full(disk: Iterable[Stream], limit: int) -> bool:
    """Whether an item of the flow may be listed nowhere because it is too old."""
    return any(limit and len(_ids(each)) >= limit for each in disk if each.name == FLOW)


def _ids(stream: Stream) -> tuple[str, ...]:
    return tuple(bullet.block_id for bullet in stream.bullets if bullet.block_id is not None)
