"""Bullets that say something else than their items, though nothing is left to be settled.

Lists and items agree after each settlement; they part when somebody brings an old state back with a
Git of their own, or when the index that knew of an edit was thrown away.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from vaultmem.model.notes import Item, Problem, Severity
from vaultmem.vault.lists.two_way import Adopt, one_line, placed, same
from vaultmem.vault.unsettled import compare_unsettled, streams_on_disk, unreadable_items

if TYPE_CHECKING:
    from vaultmem.model.notes import Bullet
    from vaultmem.vault.vault import Parts

DIFFERS, ENDED, GONE = "bullet-differs", "bullet-of-ended", "bullet-of-deleted"


def disagreeing(parts: Parts, items: Mapping[str, Item]) -> Iterator[Problem]:
    """Problems of bullets, by list and line; not of edits that the next settling carries over.

    items  every item of the vault, by id
    """
    comparison = compare_unsettled(parts)
    effects = comparison.effects if comparison is not None else ()
    waiting = {each.id for each in effects if not isinstance(each, Adopt)}
    known = {(problem.path, problem.line) for problem in parts.index.problems()}
    if comparison is not None:
        known |= {(problem.path, problem.line) for problem in comparison.problems}
    unreadable = unreadable_items(parts)
    for id_, here in placed(streams_on_disk(parts)).items():
        if id_ in waiting or id_ in unreadable or (here.path, here.bullet.line) in known:
            continue
        item = items.get(id_)
        found = _gone(id_) if item is None else _differing(here.bullet, here.stream, item)
        if found is None:
            continue
        code, message, hint = found
        yield Problem(
            path=here.path,
            line=here.bullet.line,
            code=code,
            message=message,
            hint=hint,
            severity=Severity.WARNING,
        )


def _gone(id_: str) -> tuple[str, str, str]:
    return (
        GONE,
        f"no item has the id '{id_}' of this bullet",
        f"delete the line, or bring the item back: `vaultmem restore {id_}`",
    )


def _differing(bullet: Bullet, stream: str, item: Item) -> tuple[str, str, str] | None:
    """Code, message and hint for a bullet that says something else than its item."""
    ticked = bullet.checked is True
    if item.status not in ("active", "candidate") and not ticked:
        return (
            ENDED,
            f"this bullet is of an item that is {item.status}: '{one_line(item.statement)}'",
            f"delete the line; if it holds after all, set `status: active` in '{item.path}'",
        )
    if bullet.text.strip() and not same(bullet.text, item.statement):
        return (
            DIFFERS,
            f"here '{bullet.text}', in '{item.path}' '{one_line(item.statement)}'",
            "make both say the same; what you save last counts",
        )
    if ticked and item.status == "active":
        return DIFFERS, f"ticked here, active in '{item.path}'", "untick it, or tick it again"
    if item.stream != stream:
        there = f"the stream '{item.stream}'" if item.stream else "no stream"
        return (
            DIFFERS,
            f"listed in '{stream}', but '{item.path}' says {there}",
            f"move the line, or set `stream: {stream}` in the note",
        )
    return None
