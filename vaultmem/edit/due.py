"""Ends that were set for later and have come: status, bullet and category lines follow.

A fact whose end lies ahead stays active, and listed, until then; the next settling after it ends
the item as if it had ended just now. Found by date in the index, and only what ended since the
last look: events keep their days for good, tasks end when they are done, and an item that was
written when its time was over already was never meant to be taken out of a list.
"""

from __future__ import annotations

from vaultmem import facts, language, model, vault
from vaultmem.base import TYPE_CHECKING, dataclass
from vaultmem.model import Committed, Learned

if TYPE_CHECKING:
    from vaultmem.model import NoteRow
    from vaultmem.vault import Level, Parts

_LOOKED = "ends looked at"  # meta: until which instant, UTC ms; nothing: never
_MANY = 50  # looked at in vain so often, the instant is written down


@dataclass(frozen=True, slots=True, kw_only=True)
class Settled:
    """What settling did."""

    commits: tuple[Committed, ...] = ()
    learned: tuple[Learned, ...] = ()
    left: int = 0  # new bullets that wait for the next settling
    level: Level | None = None  # where all agrees but for these, if it does


def is_due(parts: Parts) -> bool:
    """Whether an end has come that nothing followed yet; one look into the index."""
    rows, _ = _ended(parts)
    return any(_was_ahead(parts, row) for row in rows)


def end_due(parts: Parts) -> Settled:
    """End what was to end by now; must run under the writer lock, when all else is settled."""
    rows, now = _ended(parts)
    if not rows:
        return Settled()
    due = [row for row in rows if _was_ahead(parts, row)]
    done = _end(parts, due, now) if due else Settled()
    if due or len(rows) > _MANY:
        with parts.index.writing():
            parts.index.set_meta(_LOOKED, str(now))
    return done


def _ended(parts: Parts) -> tuple[tuple[NoteRow, ...], int]:
    looked, now = parts.index.meta(_LOOKED), parts.clock.now()
    return parts.index.ended_since(int(looked) if looked else -(2**62), now), now


def _was_ahead(parts: Parts, row: NoteRow) -> bool:
    """Whether the end lay ahead on the day on which the item was recorded, by its folder."""

    if row.valid_until is None:
        return False
    recorded = row.path.parts[1:4]
    year, month, day = language.civil(row.valid_until, parts.settings.timezone)
    return len(recorded) == 3 and recorded < (f"{year:04}", f"{month:02}", f"{day:02}")


def _end(parts: Parts, rows: list[NoteRow], now: int) -> Settled:

    bench = vault.Workbench(parts)
    shelf = vault.Shelf(parts, bench)
    learned: list[Learned] = []
    for row in rows:
        item = vault.read_record(parts, row.path)
        if not isinstance(item, model.Item) or item.status != "active":
            continue
        if item.valid_until is None or item.valid_until > now:
            continue  # saved otherwise a moment ago
        status = facts.SUPERSEDED if item.superseded_by else facts.EXPIRED
        shelf.patch_item(item, {"status": status})
        facts.unlist(shelf, item)
        learned.append(Learned(what="ended", path=item.path, text=item.statement, id=item.id))
    changes = bench.step()
    if not changes:
        return Settled()
    told = learned[0].text if len(learned) == 1 else model.counted(len(learned), "item")
    plan = model.Plan(
        op="expire",
        actor="maintenance",
        subject=model.subject("expire", f"{told} ended, as was set"),
        changes=changes,
        trailers=(("Vaultmem-Items", ", ".join(each.id for each in learned)),),
    )
    return Settled(commits=tuple(vault.apply(parts, [plan])), learned=tuple(learned))
