"""Long, old lists of categories are retold in a few linked sentences above them, weekly."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Mapping
from pathlib import PurePosixPath

from vaultmem import edit, models, remember
from vaultmem.base import (
    TYPE_CHECKING,
    PatchRefusedError,
    dataclass,
    replace,
)
from vaultmem.learn import Listed, digest, is_ours, is_stale
from vaultmem.maintain.archive import measure_ages, to_summarise
from vaultmem.model import (
    Evolved,
    Filters,
    Plan,
    part_key,
    subject,
)
from vaultmem.storage import notes
from vaultmem.vault import WorkingCopy, level, one_line

if TYPE_CHECKING:
    from vaultmem.model import Progress
    from vaultmem.vault import Vault


@dataclass(frozen=True, slots=True, kw_only=True)
class _Category:
    """A category as it is, with the lines of its list that are old."""

    path: PurePosixPath
    title: str
    data: bytes
    old: tuple[Listed, ...]
    said: Mapping[str, str]  # statements by link target, also of what the list has no room for


def resummarise(
    vault: Vault, *, dry_run: bool, progress: Progress | None = None
) -> tuple[tuple[Evolved, ...], str | None]:
    """Tell old lists shorter, in one commit; what became of each category, and the commit.

    A dry run asks no model: it says which categories one would be asked about.
    """
    if not vault.settings.maintenance_summarise_after_days:
        return (), None
    if models.summariser(vault) is not None:
        return _by_model(vault, dry_run=dry_run, progress=progress)
    evolved, commit = edit.write_plan(vault, lambda: _plan_digests(vault), dry_run=dry_run)
    return evolved if commit or dry_run else (), commit


def _by_model(
    vault: Vault, *, dry_run: bool, progress: Progress | None
) -> tuple[tuple[Evolved, ...], str | None]:
    stale = [
        category
        for category in level.reading(vault, lambda: _categories(vault))
        if is_stale(category.old, _digested_targets(category.data))
    ]
    if dry_run or not stale:
        why = "a model would be asked about it"
        return tuple(
            Evolved(path=each.path, title=each.title, outcome="kept", why=why) for each in stale
        ), None
    done = remember.summarise(
        vault, [each.path.stem for each in stale], dry_run=False, progress=progress
    )
    return done.categories, done.commit


def _plan_digests(vault: Vault) -> tuple[tuple[Evolved, ...], Plan | None]:
    working_copy = WorkingCopy(vault)
    evolved = []
    for category in _categories(vault):
        told = notes.read_told(category.data)
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
            working_copy.put(category.path, notes.replace_told(category.data, sentences))
        except PatchRefusedError as refused:
            made = replace(made, outcome="kept", why=refused.message, sentences=())
        evolved.append(made)
    changes = working_copy.step()
    if not changes:
        return tuple(evolved), None
    titles = ", ".join(sorted(change.path.stem for change in changes))
    what = subject("summarise", titles)
    return tuple(evolved), Plan(op="summarise", actor="maintenance", subject=what, changes=changes)


def _categories(vault: Vault) -> list[_Category]:
    """All categories, with those lines of their lists that are older than the settings say."""
    rows = vault.index.list(Filters(types=("item",), statuses=("active",)))
    # Pinned, hard and of the person is no digest's (algorithms.md 7.4). Importance alone is no
    # reason to leave an item out: a digest tells the most important old lines.
    # A pinned line older than 30 days was retold, and was one of the eight that make a list long.
    stays = {row.id for row in rows if row.pinned or row.hard or row.stream == "identity"}
    ages = [replace(each, is_exempt=each.id in stays) for each in measure_ages(vault, rows)]
    days = vault.settings.maintenance_summarise_after_days
    old = {each.id for each in to_summarise(ages, days)}
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
    working_copy = WorkingCopy(vault)
    found = []
    for row in sorted(vault.index.list(Filters(types=("category",))), key=lambda row: row.path):
        data = working_copy.text(row.path)
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
    return {target: statement for _, statement, target in notes.read_numbered(data)}


def _digested_targets(data: bytes) -> frozenset[str]:
    return frozenset(target for _, targets in notes.read_told(data) for target in targets)
