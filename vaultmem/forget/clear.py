"""Empty a memory by one commit, which `undo` takes back; the person's own words stay.

Items and resources go, with their lines in streams and categories, and what assistants wrote as
files. What a person wrote between those lines, pages of their own, settings and the whole history
stay.
"""

from __future__ import annotations

from pathlib import PurePosixPath

from vaultmem import devices, edit, vault
from vaultmem.base import TYPE_CHECKING, PatchRefusedError, replace
from vaultmem.model import Cleared, Filters, Plan, join_nonempty, pluralise
from vaultmem.sessions import attached_files
from vaultmem.storage import files, notes
from vaultmem.vault import Shelf, Workbench

if TYPE_CHECKING:
    from vaultmem.vault import Parts

_EMPTIED = ("item", "resource")


def clear(parts: Parts, *, dry_run: bool = False) -> Cleared:
    """Take all items and resources out of the vault, and their lines out of its lists.

    dry_run  change nothing, only count
    raises   UncommittedError  a file that would go or change has words that are in no commit, so
                               that undoing could not bring them back; nothing is changed then
    """

    # Counting takes no writer lock: a dry run does not wait for a writer and settles no edits.
    if dry_run:
        vault.level.refresh(parts)
        return replace(_plan(Shelf(parts, Workbench(parts))), dry_run=True)
    with edit.writer(parts):
        shelf = Shelf(parts, Workbench(parts))
        report = _plan(shelf)
        changes = shelf.bench.step()
        _require_committed(parts, {change.path.as_posix() for change in changes})
        plan = Plan(op="clear", actor="person", subject=_subject(report), changes=changes)
        done = vault.apply(parts, [plan])
        vault.level.keep_problems(parts, "clear", shelf.problems)
    return replace(report, commit=done[-1].commit if done else None)


def _plan(shelf: Shelf) -> Cleared:
    parts, bench = shelf.parts, shelf.bench
    counts = dict.fromkeys(_EMPTIED, 0)
    bullets = categories = 0
    kept: list[PurePosixPath] = []
    for row in sorted(parts.index.list(Filters()), key=lambda row: row.path):
        if not _is_own(row.path) or files.is_of_agents(row.path.parent.as_posix()):
            continue
        if row.type in _EMPTIED:
            bench.remove(row.path)
            counts[row.type] += 1
        elif row.type == "stream":
            bullets += _empty_stream(shelf, row.path)
            kept.append(row.path)
        elif row.type == "category" and _empty_category(bench, row.path):
            categories += 1
        else:
            kept.append(row.path)
    for path in attached_files(parts):
        bench.remove(path)
    agents = 0
    for state in parts.index.files(None).values():
        path = PurePosixPath(state.path)
        if state.oid and files.is_of_agents(path.parent.as_posix()):
            bench.remove(path)
            agents += 1
    return Cleared(
        items=counts["item"],
        resources=counts["resource"],
        bullets=bullets,
        categories=categories,
        agent_files=agents,
        kept=tuple(kept),
    )


def _is_own(path: PurePosixPath) -> bool:
    """Whether a note lies in a folder of the vault's; what `include` names is never written."""

    return len(path.parts) > 1 and path.parts[0] in files.TOPS


def _empty_stream(shelf: Shelf, path: PurePosixPath) -> int:
    """Take the bullets of items out of a stream file; how many they were.

    A file that does not let itself be changed keeps them, and `check` says so.
    """

    data = shelf.bench.existing(path)
    ids = [bullet.block_id for bullet in notes.bullets(data) if bullet.block_id is not None]
    try:
        if ids:
            shelf.bench.put(path, notes.remove_bullets(data, ids))
    except PatchRefusedError as refused:
        shelf.report(path, refused)
        return 0
    return len(ids)


def _empty_category(bench: Workbench, path: PurePosixPath) -> bool:
    """Take the lines of items out of a category; True: nothing was left, so the file goes."""

    data = notes.without_lines(bench.existing(path))
    if notes.is_bare(data):
        bench.remove(path)
        return True
    bench.put(path, data)
    return False


def _require_committed(parts: Parts, paths: set[str]) -> None:
    """Raise UncommittedError when one of these files has words that are in no commit."""

    open_paths = sorted(state.path for state in parts.index.pending() if state.path in paths)
    if open_paths:
        raise devices.UncommittedError(
            open_paths,
            hint="commit them first, so that `vaultmem undo` can bring them back: `vaultmem check` "
            "says what keeps them out of the history",
        )


def _subject(report: Cleared) -> str:
    said = join_nonempty(
        [
            pluralise(report.items, "item"),
            pluralise(report.resources, "resource"),
            pluralise(report.categories, "category", "categories") if report.categories else "",
            f"{pluralise(report.agent_files, 'file')} of assistants" if report.agent_files else "",
        ]
    )
    return f"clear: {said}"
