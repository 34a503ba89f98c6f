"""How an item ends in its listings: validity, status, links both ways, bullet, category lines."""

from __future__ import annotations

from collections.abc import Iterable

from vaultmem.base import TYPE_CHECKING, late, replace
from vaultmem.language import day_start, format_date, format_instant, local_day
from vaultmem.model import Item, is_below

if TYPE_CHECKING:
    from vaultmem.judgement import Outcome
    from vaultmem.vault import Listings
SUPERSEDED, EXPIRED, RETRACTED = "superseded", "expired", "retracted"
CONTRADICTS, MAY_REPLACE = "contradicts", "may_replace"

_SECOND_MS = 1000  # notes tell times to the second


def close(
    listings: Listings, item: Item, *, until: int, status: str, now: int, by: str = ""
) -> Item:
    """The item as it is once it holds only until an instant; its lists follow.

    status  what it becomes when that is past; until then it stays active, and stays listed
    by      file name, without `.md`, of the note that takes its place; '': none does
    """
    # `date_precisely` begins a word in the next second when its own is taken: it holds already.
    over = until <= now + _SECOND_MS
    ended = replace(
        item,
        valid_until=until,
        status=status if over else item.status,
        superseded_by=_with_link(item.superseded_by, by),
    )
    changes: dict[str, str | tuple[str, ...] | float | bool | None] = {
        "valid_until": format_instant(until, listings.vault.settings.timezone),
        "status": ended.status,
    }
    if by:
        changes["superseded_by"] = as_links(ended.superseded_by)
    listings.patch_item(item, changes)
    if over:
        unlist(listings, item)
    return ended


def call_off(listings: Listings, item: Item, *, status: str, by: str = "") -> Item:
    """The item as it is once it will not be after all; its lists follow.

    It has no `valid_until`: what ended before it began never held.
    """
    ended = replace(item, status=status, superseded_by=_with_link(item.superseded_by, by))
    changes: dict[str, str | tuple[str, ...] | float | bool | None] = {"status": status}
    if by:
        changes["superseded_by"] = as_links(ended.superseded_by)
    listings.patch_item(item, changes)
    unlist(listings, item)
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
    # Notes tell times to the second: a whole one, where that is late enough.
    for until in (second, now):
        if valid_from < until:
            return until
    return day_start(local_day(valid_from, zone) + 1, zone)


def retract(listings: Listings, item: Item) -> Item:
    """The item as it is once it never held; its lists follow."""
    listings.patch_item(item, {"status": RETRACTED})
    unlist(listings, item)
    return replace(item, status=RETRACTED)


def unlist(listings: Listings, item: Item) -> None:
    """Its bullet and its lines in categories go."""
    listings.drop_bullet(item.id)
    listings.drop_from_categories(item)


def reword(listings: Listings, item: Item, statement: str) -> None:
    """Note, bullet and category lines say another statement."""
    listings.reword_item(item, statement)
    listings.reword_bullet(item.id, statement)


def as_links(targets: tuple[str, ...]) -> tuple[str, ...]:
    """Link targets as front matter holds them."""
    return tuple(f"[[{target}]]" for target in targets)


def _with_link(targets: tuple[str, ...], target: str) -> tuple[str, ...]:
    return (*targets, target) if target and target not in targets else targets


# From when to when items hold, one beside another.

_DAY_OF_PATH = late(r"items/(\d{4})/(\d\d)/(\d\d)/")  # on which it was recorded


def date_precisely(
    item: Item, others: Iterable[Item], at: int, *, is_default: bool, zone: str
) -> Item:
    """The item, from the moment it was said on, where the day alone would not tell who is newer.

    at  when it was said; what follows what is known within the second begins in the next
    """
    said = {*item.source}
    starts = [(each.valid_from, each.source) for each in others if each.valid_from is not None]
    newest = max((start for start, _ in starts if start < at), default=None)
    # Two texts of one day, whose hours nobody knows, both begin with it: there it says no order.
    # In a session at a whole minute the word before begins at that minute too: two sessions in
    # that second left both values standing, once in sixty runs.
    is_day = at == day_start(local_day(at, zone), zone)
    if any(start == at and not (is_day and said.isdisjoint(of)) for start, of in starts):
        newest, at = at, at + _SECOND_MS
    if not is_default or newest is None or item.valid_from is None or item.valid_from > newest:
        return item
    return replace(item, valid_from=at)


def take_over(item: Item, known: Item, outcome: Outcome, *, zone: str) -> Item:
    """The item with what it has from the known one whose place it takes.

    It is critical where that was and nothing is left of it ('it's five milligrams now'), and due at
    its hour where it moves the day and tells no hour: 'Piano tuner on the 9th at 3pm', 'the tuner
    rang, make it the 16th'.
    """
    if outcome.relation != "replaces":
        return item
    if not outcome.rest and not item.critical:
        item = replace(item, critical=known.critical)
    if item.due is None or known.due is None:
        return item
    day, before = (day_start(local_day(due, zone), zone) for due in (item.due, known.due))
    if item.due != day or known.due == before:
        return item
    due = day + known.due - before
    return replace(item, due=due, valid_from=due if item.valid_from == day else item.valid_from)


def begins(item: Item) -> float:
    """When it begins, UTC ms; minus infinity: it held ever."""
    return float("-inf") if item.valid_from is None else item.valid_from


def stops(item: Item) -> float:
    """When it ends, UTC ms; infinity: no end is known."""
    return float("inf") if item.valid_until is None else item.valid_until


def overlap(one: Item, other: Item) -> bool:
    """Whether there is a moment at which both hold, or held; what ended without a date never."""
    if "active" not in (one.status, other.status) or (
        other.status != "active" and other.valid_until is None
    ):
        return False
    return begins(one) < stops(other) and begins(other) < stops(one)


def cuts_short(item: Item, known: Item) -> bool:
    """Whether the new one would cut the known one short."""
    return begins(known) < begins(item) < stops(known)


def may_be_over(item: Item, known: Item, *, at: int, zone: str) -> bool:
    """Whether what a newer statement says can mean that the known one is over by then.

    A plan for June is over once it is said to be off, or moved; not by what is told of the years
    before, which was written down later and begins earlier.

    at  when the newer statement was said
    """
    if begins(known) <= begins(item):
        return True
    if begins_as_said(known, zone=zone):
        return begins(known) <= at  # 'My new boss is Ute.', told late, and then came Kemal
    said, before = _recorded_on(item), _recorded_on(known)
    return item.valid_from is not None and before <= said <= format_date(item.valid_from, zone)


def begins_as_said(item: Item, *, zone: str) -> bool:
    """Whether it begins on the day on which it was said, not on one that its words name."""
    said = _recorded_on(item)
    return item.valid_from is not None and format_date(item.valid_from, zone) == said


def had_happened(item: Item, *, zone: str) -> bool:
    """Whether it is an event of a day before the one on which it was said: that stays true."""
    # 'I went climbing on 1 March' was marked as maybe over by 'I went climbing on 5 March'.
    if item.kind != "event" or item.valid_from is None:
        return False
    said = _recorded_on(item)
    return bool(said) and format_date(item.valid_from, zone) < said


def _recorded_on(item: Item) -> str:
    day = _DAY_OF_PATH.search(item.path.as_posix())
    return "-".join(day.groups()) if day else ""


def may_end(item: Item, known: Item) -> bool:
    """Whether an item that the person reworded may end another: a newer one, believed no more."""
    return begins(known) < begins(item) and not is_below(item.trust, known.trust)


def keys_of(before: Item, after: Item, *, zone: str) -> dict[str, str | tuple[str, ...] | None]:
    """The front-matter keys by which an item in its listings becomes what a verdict made of it."""
    keys: dict[str, str | tuple[str, ...] | None] = {}
    if after.valid_from != before.valid_from and after.valid_from is not None:
        keys["valid_from"] = format_instant(after.valid_from, zone)
    if after.valid_until != before.valid_until and after.valid_until is not None:
        keys["valid_until"] = format_instant(after.valid_until, zone)
    if after.status != before.status:
        keys["status"] = after.status
    if after.review != before.review:
        keys["review"] = after.review or None
    for name in ("supersedes", "superseded_by"):
        if getattr(after, name) != getattr(before, name):
            keys[name] = as_links(getattr(after, name))
    if after.links != before.links:
        for name in (CONTRADICTS, MAY_REPLACE):
            targets = tuple(target for relation, target in after.links if relation == name)
            if targets:
                keys[name] = as_links(targets)
    return keys
