"""What an import did, as lines."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from vaultmem.model.wording import counted, listed

if TYPE_CHECKING:
    from vaultmem.model.leaving import Conflict, Imported, Skipped

_SHOWN = 20


def imported_lines(report: Imported) -> Iterator[str]:
    """Counts, then what a person should look at."""
    would = "would take in" if report.dry_run else "took in"
    added = sum(each.what == "added" for each in report.taken)
    updated = len(report.taken) - added
    said = listed(
        [
            counted(added, "new note") if added or not updated else "",
            f"{updated} updated" if updated else "",
            counted(len(report.attached), "file of conversations", "files of conversations")
            if report.attached
            else "",
            f"{report.unchanged} as they are" if report.unchanged else "",
        ]
    )
    commit = f" (commit {report.commit[:8]})" if report.commit else ""
    yield f"{would} {said}{commit}"
    if report.earlier:
        keep = "would keep" if report.dry_run else "kept"
        yield f"{keep} {counted(report.earlier, 'earlier version')}: `vaultmem history ITEM`"
    waiting = [each for each in report.taken if each.review]
    if waiting:
        yield f"{counted(len(waiting), 'item')} of these to look at first: `vaultmem review`"
    yield from _some([line for each in report.conflicts for line in _conflict_lines(each)], 3)
    if report.left:
        yield (
            f"left in the file: {counted(len(report.left), 'list or page', 'lists and pages')} "
            "in somebody else's words; if they are yours: --writer person"
        )
    if report.removed:
        kinds = sorted({each.kind for each in report.removed})
        yield f"kept out: {len(report.removed)} of {', '.join(kinds)}"
    yield from _some([_skipped_line(each) for each in report.skipped])


def _skipped_line(each: Skipped) -> str:
    named = f" '{each.path}'" if each.path else ""
    return f"skipped {each.place}{named}: {each.why}"


def _conflict_lines(each: Conflict) -> Iterator[str]:
    yield f"conflict {each.id or each.path}: {_OUTCOMES[each.kept]}"
    where = f" (in '{each.copy}')" if each.copy is not None else ""
    if each.here == each.imported:
        yield f"    both say: {each.here}"
        yield f"    not the same: {', '.join(each.differs) or 'the rest of the text'}{where}"
        return
    yield f"    here: {each.here}"
    yield f"    imported: {each.imported}{where}"


_OUTCOMES = {
    "here": "what is here stays",
    "imported": "what came is newer; what was here is in the history",
}


def _some(lines: list[str], each: int = 1) -> Iterator[str]:
    """At most so many entries of `each` lines, and how many more there are."""
    yield from lines[: _SHOWN * each]
    if len(lines) > _SHOWN * each:
        yield f"and {len(lines) // each - _SHOWN} more; --json lists them all"
