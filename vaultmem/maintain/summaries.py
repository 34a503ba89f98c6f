"""Categories whose lists have grown old are told shorter, weekly (algorithms.md 7.4).

The list stays, and is always right; the sentences above it are made anew of what is older than
`maintenance.summarise_after_days`. A model of the person's settings writes them, where there is
one; else they are statements of the list itself, and never take the place of what a model wrote.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from vaultmem.base.errors import PatchRefusedError
from vaultmem.base.records import dataclass, replace
from vaultmem.learn.overviews import Listed, digest, is_ours, is_stale
from vaultmem.maintain.archive import aged
from vaultmem.maintain.windows import to_summarise
from vaultmem.model.answers import Filters
from vaultmem.model.plan import Plan
from vaultmem.model.slots import part_key
from vaultmem.model.talks.summaries import Evolved
from vaultmem.model.wording import subject
from vaultmem.vault import level
from vaultmem.vault.lists.two_way import one_line
from vaultmem.vault.plan import Workbench

if TYPE_CHECKING:
    from vaultmem.model.ports import Progress
    from vaultmem.vault.vault import Parts


@dataclass(frozen=True, slots=True, kw_only=True)
class _Category:
    """A category as it is, with the lines of its list that are old."""

    path: PurePosixPath
    title: str
    data: bytes
    old: tuple[Listed, ...]
    said: Mapping[str, str]  # statements by link target, also of what the list has no room for


def resummarise(
    parts: Parts, *, dry_run: bool, progress: Progress | None = None
) -> tuple[tuple[Evolved, ...], str | None]:
    """Tell old lists shorter, in one commit; what became of each category, and the commit.

    A dry run asks no model: it says which categories one would be asked about.
    """
    from vaultmem.edit.writer import writer
    from vaultmem.models.roles import summariser
    from vaultmem.vault.apply import apply

    if not parts.settings.maintenance_summarise_after_days:
        return (), None
    if summariser(parts) is not None:
        return _by_model(parts, dry_run=dry_run, progress=progress)
    if dry_run:
        return level.reading(parts, lambda: _planned(parts))[0], None
    with writer(parts):
        evolved, plan = _planned(parts)
        if plan is None:
            return (), None
        [done] = apply(parts, [plan])
    return evolved, done.commit


def _by_model(
    parts: Parts, *, dry_run: bool, progress: Progress | None
) -> tuple[tuple[Evolved, ...], str | None]:
    from vaultmem.remember.summaries import summarise

    stale = [
        category
        for category in level.reading(parts, lambda: _categories(parts))
        if is_stale(category.old, _told(category.data))
    ]
    if dry_run or not stale:
        why = "a model would be asked about it"
        return tuple(
            Evolved(path=each.path, title=each.title, outcome="kept", why=why) for each in stale
        ), None
    done = summarise(parts, [each.path.stem for each in stale], dry_run=False, progress=progress)
    return done.categories, done.commit


def _planned(parts: Parts) -> tuple[tuple[Evolved, ...], Plan | None]:
    from vaultmem.storage.notes.summary_block import read_told, replace_told

    bench = Workbench(parts)
    evolved = []
    for category in _categories(parts):
        told = read_told(category.data)
        if not is_ours(told, category.said):
            continue  # a model's, on this device or another
        sentences = digest(category.old)
        if sentences == told:
            continue
        made = Evolved(
            path=category.path,
            title=category.title,
            outcome="rewritten",
            sentences=tuple(text for text, _ in sentences),
        )
        try:
            bench.put(category.path, replace_told(category.data, sentences))
        except PatchRefusedError as refused:
            made = replace(made, outcome="kept", why=refused.message, sentences=())
        evolved.append(made)
    changes = bench.step()
    if not changes:
        return tuple(evolved), None
    titles = ", ".join(sorted(change.path.stem for change in changes))
    what = subject("summarise", titles)
    return tuple(evolved), Plan(op="summarise", actor="maintenance", subject=what, changes=changes)


def _categories(parts: Parts) -> list[_Category]:
    """All categories, with those lines of their lists that are older than the settings say."""
    rows = parts.index.list(Filters(types=("item",), statuses=("active",)))
    # What age leaves alone, it may tell of: the item itself is not touched.
    ages = [replace(each, is_exempt=False) for each in aged(parts, rows)]
    days = parts.settings.maintenance_summarise_after_days
    old = {each.id for each in to_summarise(ages, after_days=days)}
    listed = {
        row.path.stem: Listed(
            target=row.path.stem,
            statement=row.statement,
            subject=part_key(row.subject),
            importance=row.importance,
            since=row.valid_from or 0,
        )
        for row in rows
        if row.id in old
    }
    known = {row.path.stem: one_line(row.statement) for row in rows}
    bench = Workbench(parts)
    found = []
    for row in sorted(parts.index.list(Filters(types=("category",))), key=lambda row: row.path):
        data = bench.text(row.path)
        if data is not None:
            shown = _statements(data)
            lines = tuple(
                replace(listed[target], statement=statement)
                for target, statement in shown.items()
                if target in listed
            )
            said = ChainMap(shown, known)
            found.append(_Category(path=row.path, title=row.title, data=data, old=lines, said=said))
    return found


def _statements(data: bytes) -> dict[str, str]:
    """The lines of a category's list, by link target; none of markers that do not pair."""
    from vaultmem.storage.notes.summary_block import read_numbered

    return {target: statement for _, statement, target in read_numbered(data)}


def _told(data: bytes) -> frozenset[str]:
    from vaultmem.storage.notes.summary_block import read_told

    return frozenset(target for _, targets in read_told(data) for target in targets)
