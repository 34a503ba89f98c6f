"""A list of thousands of new bullets is settled in portions, each with a commit of its own.

A note for each bullet takes one to three milliseconds of processor, by how much is known that is
like it: a list of 30,000 is a minute of work. One commit of all of it would keep every other
writer waiting, and a person who stops it would have nothing. So a portion is taken at a time;
what is left stands in the file as it was written, and the next settling goes on with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from vaultmem.vault.lists.two_way import Adopt, Effect

if TYPE_CHECKING:
    pass

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
