"""Every problem of a vault in one list; the mechanical ones can be mended.

Problems inside one file are found when it is indexed; here come those between files, and the
state of the repository. Looking never writes: it works on a copy of the device state.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from vaultmem.check import history, notes, repository
from vaultmem.devices.follow import open_notices
from vaultmem.model.notes import Problem
from vaultmem.model.reports import CheckReport, Planned
from vaultmem.vault import durability, level
from vaultmem.vault.held_back import held_back, in_history

if TYPE_CHECKING:
    from vaultmem.config.settings import Settings
    from vaultmem.model.ports import Clock, Progress
    from vaultmem.vault.vault import Parts

Announce = Callable[[Sequence[Planned]], None]

OF_THE_WHOLE: tuple[Callable[[Parts], Iterable[Problem]], ...] = (
    repository.settings,
    repository.repository,
    repository.damage,
    repository.cuts,
    repository.places,
    history.rewritten,
    held_back,
    in_history,
    open_notices,
)


def look(
    parts: Parts, *, deep: bool = False, plan: bool = False, progress: Progress | None = None
) -> CheckReport:
    """All problems by path and line; changes nothing when the parts are a copy (scratch.py).

    deep  read every file, object and row again, whatever its times say
    plan  say too what `fix` would do
    """
    from vaultmem.check.repair import planned, repair_of

    found = level.reading(parts, lambda: find_problems(parts))
    if deep:
        from vaultmem.check.deep import deep_problems

        found = _sorted([*found, *deep_problems(parts, progress)])
    steps = (*planned(repair_of(parts, deep=True).plan()), *_mendable(found)) if plan else ()
    return CheckReport(problems=found, plan=steps, dry_run=plan, deep=deep, notes=_notes(parts))


def inspect(
    settings: Settings,
    clock: Clock,
    *,
    deep: bool = False,
    plan: bool = False,
    progress: Progress | None = None,
) -> CheckReport:
    """`look` at a copy of the device state, which need not even exist; nothing is written."""
    from vaultmem.check.scratch import scratch

    with scratch(settings, clock) as copy:
        return look(copy, deep=deep, plan=plan, progress=progress)


def fix(parts: Parts, *, announce: Announce | None = None) -> CheckReport:
    """Mend the repository step by step, then what is mechanical between notes in one commit.

    announce  told what will be done, before it is done
    """
    from vaultmem.check.repair import mend_repository

    say = announce or (lambda steps: None)
    steps, kept = mend_repository(parts, say)
    _level(parts)
    found = level.reading(parts, lambda: find_problems(parts))
    mendable = _mendable(found)
    fixed: tuple[Problem, ...] = ()
    commit: str | None = None
    if mendable:
        say(mendable)
        fixed, commit = notes.mend(parts)
        found = level.reading(parts, lambda: find_problems(parts))
    durability.sync_read(parts)
    return CheckReport(
        problems=found,
        fixed=fixed,
        commit=commit,
        notes=_notes(parts),
        plan=(*steps, *mendable),
        kept=kept if kept.exists() else None,
    )


def _level(parts: Parts) -> None:
    """Finish what a writer left: git's index, say, that did not follow the branch."""
    from vaultmem.edit.settle import has_leftovers
    from vaultmem.vault.apply import locked

    if has_leftovers(parts) and not parts.history.in_progress():
        with locked(parts):
            pass  # taking the lock does it


def find_problems(parts: Parts) -> tuple[Problem, ...]:
    """Problems of single files, then between files, then of the repository; sorted by place."""
    found = [*parts.index.problems(), *notes.between_notes(parts)]
    for each in OF_THE_WHOLE:
        found += each(parts)
    return _sorted(found)


def _sorted(found: Sequence[Problem]) -> tuple[Problem, ...]:
    return tuple(sorted(found, key=lambda p: (p.path, p.line or 0, p.code, p.message)))


def _mendable(found: Sequence[Problem]) -> tuple[Planned, ...]:
    """What is mended between notes; the repository has a plan of its own."""
    return tuple(
        Planned(path=each.path, what=f"mend: {each.message}", undo="`vaultmem undo`")
        for each in found
        if each.fixable and each.path.parts[0] != ".git"
    )


def _notes(parts: Parts) -> int:
    return sum(parts.index.counts().notes.values())
