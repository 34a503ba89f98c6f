"""A list of thousands of new bullets is settled in portions, each with a commit of its own.

A note for each bullet takes one to three milliseconds of processor, by how much is known that is
like it: a list of 30,000 is a minute of work. One commit of all of it would keep every other
writer waiting, and a person who stops it would have nothing. So a portion is taken at a time;
what is left stands in the file as it was written, and the next settling goes on with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from vaultmem.operations.twoway import Adopt, Effect

if TYPE_CHECKING:
    from vaultmem.operations.parts import Parts
    from vaultmem.operations.scheduled import Settled
    from vaultmem.ports import Progress

MOST_ADOPTED = 3_000
"""New bullets of one commit: a few seconds, which other writers wait for. The whole list is read
some five times for each commit."""


def adopted_now(
    effects: Sequence[Effect], most: int
) -> tuple[tuple[Effect, ...], tuple[Adopt, ...]]:
    """The effects with at most so many new bullets, the first ones, and those that are left."""
    new = [effect for effect in effects if isinstance(effect, Adopt)]
    if len(new) <= most:
        return tuple(effects), ()
    others = (effect for effect in effects if not isinstance(effect, Adopt))
    return (*new[:most], *others), tuple(new[most:])


def settle_all(
    parts: Parts,
    *,
    confirm_deletions: bool,
    allow_secrets: bool,
    progress: Progress | None,
    most_adopted: int = MOST_ADOPTED,
) -> Settled:
    """Settle portion by portion until nothing is left; each waits for the writer lock anew.

    The files are compared anew for each, but for the first where `parts.look` still holds.

    A bullet that cannot be adopted stays new, and comes first in every portion: the portions
    grow by those, so that what follows them is reached.
    """
    from vaultmem.frozen import replace
    from vaultmem.operations import sync
    from vaultmem.operations.apply import locked
    from vaultmem.operations.settle import settle

    done: Settled | None = None
    most = most_adopted
    try:
        while True:
            with locked(parts):
                _require_level(parts)
                if not sync.still_holds(parts):
                    sync.refresh(parts)
                some = settle(
                    parts,
                    confirm_deletions=confirm_deletions,
                    allow_secrets=allow_secrets,
                    most_adopted=most,
                    progress=progress,
                )
            done = some if done is None else _joined(done, some)
            if not some.left or parts.history.in_progress():
                return replace(done, left=some.left)
            parts.level = some.level
            adopted = sum(each.what == "adopted" for each in some.learned)
            most = most_adopted + most - min(adopted, most)
    finally:
        parts.level = parts.look = None


def _require_level(parts: Parts) -> None:
    """Forget the commit of the last portion if somebody took it out of the history since."""
    level, head = parts.level, parts.history.head()
    if level is None or head == level.commit:
        return
    if not head or not parts.history.lineage().is_ancestor(level.commit, head):
        parts.level = None


def _joined(done: Settled, more: Settled) -> Settled:
    from vaultmem.frozen import replace

    return replace(
        more, commits=(*done.commits, *more.commits), learned=(*done.learned, *more.learned)
    )
