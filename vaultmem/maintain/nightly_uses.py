"""The uses of a night, written into the vault: what was used often rises (algorithms.md 7.4)."""

from __future__ import annotations

from vaultmem import edit, vault
from vaultmem.base import TYPE_CHECKING, dataclass, replace
from vaultmem.model import Plan, Promoted, counted, subject
from vaultmem.recall import parse_uses, priority, render_uses, served, today_of, uses_now
from vaultmem.storage.files import ACCESS
from vaultmem.vault import Workbench, level

if TYPE_CHECKING:
    from vaultmem.vault import Parts


@dataclass(frozen=True, slots=True, kw_only=True)
class Counted:
    """What a night counted."""

    notes: int = 0
    risen: tuple[Promoted, ...] = ()
    commit: str | None = None


def count_uses(parts: Parts, *, dry_run: bool) -> Counted:
    """Write what this device used since its last night, in one commit; none if it used nothing."""

    if dry_run:
        return level.reading(parts, lambda: _planned(parts))[0]
    with edit.writer(parts):
        found, plan = _planned(parts)
        if plan is None:
            return found
        with vault.noted(parts, plan.changes):
            [done] = vault.apply(parts, [plan])
    return replace(found, commit=done.commit)


def _planned(parts: Parts) -> tuple[Counted, Plan | None]:
    """What rises, and the plan; rows of notes that are no more go with the next one written."""
    bench = Workbench(parts)
    before = bench.text(ACCESS)
    known = {} if before is None else parse_uses(before)
    after = uses_now(parts, known, served.times(parts))
    notes = {id_: rows[0] for id_ in after if (rows := parts.index.notes_with_id(id_))}
    after = {id_: devices for id_, devices in after.items() if id_ in notes}
    if after == known:
        return Counted(), None
    bench.put(ACCESS, render_uses(after))
    changes = bench.step()
    if not changes:
        return Counted(), None
    today, cap = today_of(parts), parts.settings.maintenance_promotion_cap
    risen = []
    for id_, note in notes.items():
        was = priority(known.get(id_, {}).values(), today=today, cap=cap)
        now = priority(after[id_].values(), today=today, cap=cap)
        if now > was:
            said = note.statement or note.title or note.path.stem
            risen.append(Promoted(id=id_, statement=said, path=note.path, before=was, after=now))
    risen.sort(key=lambda each: (-each.after, each.id))
    used = sum(after[id_] != known.get(id_) for id_ in after)
    what = subject("count", f"uses of {counted(used, 'note')} on '{parts.settings.device}'")
    plan = Plan(op="count", actor="maintenance", subject=what, changes=changes)
    return Counted(notes=used, risen=tuple(risen)), plan
