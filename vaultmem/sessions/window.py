"""The raw window: which turns the next prompt holds word for word."""

from __future__ import annotations

from collections.abc import Sequence

from vaultmem.base.records import dataclass

WINDOW_TURNS = 6
LONG_EXTRA = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Raw:
    """A turn as the window sees it."""

    turn: int  # from 1
    is_long: bool = False
    is_summarised: bool = True  # False: only its own words say what it said


def window(
    turns: Sequence[Raw], *, size: int = WINDOW_TURNS, extra: int = LONG_EXTRA
) -> tuple[int, ...]:
    """Numbers of the turns that are still there after the last one, in their order.

    size   turns (both sides together) that stay; a long one stays `extra` turns more
    A turn that is not summarised stays until it is: nothing else tells of it.
    """
    if not turns:
        return ()
    last = max(each.turn for each in turns)
    return tuple(
        each.turn
        for each in turns
        if not each.is_summarised or last - each.turn < size + (extra if each.is_long else 0)
    )
