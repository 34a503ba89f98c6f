"""How an item ends on its shelf: validity, status, links both ways, bullet, category lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.base.records import replace
from vaultmem.language.time import day_start, format_instant, local_day
from vaultmem.model.notes import Item

if TYPE_CHECKING:
    from vaultmem.vault.lists.lists import Shelf

SUPERSEDED, EXPIRED, RETRACTED = "superseded", "expired", "retracted"


def close(shelf: Shelf, item: Item, *, until: int, status: str, now: int, by: str = "") -> Item:
    """The item as it is once it holds only until an instant; its lists follow.

    status  what it becomes when that is past; until then it stays active, and stays listed
    by      file name, without `.md`, of the note that takes its place; '': none does
    """
    over = until <= now
    ended = replace(
        item,
        valid_until=until,
        status=status if over else item.status,
        superseded_by=_linked(item.superseded_by, by),
    )
    changes: dict[str, str | tuple[str, ...] | float | bool | None] = {
        "valid_until": format_instant(until, shelf.parts.settings.timezone),
        "status": ended.status,
    }
    if by:
        changes["superseded_by"] = as_links(ended.superseded_by)
    shelf.patch_item(item, changes)
    if over:
        unlist(shelf, item)
    return ended


def call_off(shelf: Shelf, item: Item, *, status: str, by: str = "") -> Item:
    """The item as it is once it will not be after all; its lists follow.

    It has no `valid_until`: what ended before it began never held.
    """
    ended = replace(item, status=status, superseded_by=_linked(item.superseded_by, by))
    changes: dict[str, str | tuple[str, ...] | float | bool | None] = {"status": status}
    if by:
        changes["superseded_by"] = as_links(ended.superseded_by)
    shelf.patch_item(item, changes)
    unlist(shelf, item)
    return ended


def ticked_at(valid_from: int | None, *, now: int, zone: str) -> int:
    """Until when a task held that is ticked now: after `valid_from`, so that it held at all.

    The day, as a person would write it; on its first day the second; of a task that is ticked
    before it begins, the day after its first. An interval that is empty or ends before it begins
    would never have been, for any question about the past.
    """
    today = day_start(local_day(now, zone), zone)
    if valid_from is None or valid_from < today:
        return today
    second = now - now % 1000
    for until in (second, now):
        if valid_from < until:
            return until
    return day_start(local_day(valid_from, zone) + 1, zone)


def retract(shelf: Shelf, item: Item) -> Item:
    """The item as it is once it never held; its lists follow."""
    shelf.patch_item(item, {"status": RETRACTED})
    unlist(shelf, item)
    return replace(item, status=RETRACTED)


def unlist(shelf: Shelf, item: Item) -> None:
    """Its bullet and its lines in categories go."""
    shelf.drop_bullet(item.id)
    shelf.drop_from_categories(item)


def reword(shelf: Shelf, item: Item, statement: str) -> None:
    """Note, bullet and category lines say another statement."""
    shelf.reword_item(item, statement)
    shelf.reword_bullet(item.id, statement)


def as_links(targets: tuple[str, ...]) -> tuple[str, ...]:
    """Link targets as front matter holds them."""
    return tuple(f"[[{target}]]" for target in targets)


def _linked(targets: tuple[str, ...], target: str) -> tuple[str, ...]:
    return (*targets, target) if target and target not in targets else targets
