"""forget --purge: the plan, the question, the proof."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import click

from vaultmem.base.errors import EXIT_PROBLEMS, EXIT_REFUSED, VaultmemError
from vaultmem.cli.note_lines import one_line
from vaultmem.cli.output import say, say_json, tell
from vaultmem.cli.progress import shown_progress
from vaultmem.cli.recall import opened

if TYPE_CHECKING:
    from vaultmem.cli.options import Shared
    from vaultmem.model.leaving import Purged

_SHOWN = 20


class NotPurgedError(VaultmemError):
    """Erasing needs a person's yes."""

    exit_code = EXIT_REFUSED


def purge_for(
    shared: Shared, notes: Sequence[str], *, source: str, match: str, dry_run: bool, yes: bool
) -> int:
    """Print the plan, ask, erase, print the proof; the exit code is 1 when anything is left."""
    with opened(shared.vault) as memory, shown_progress() as progress:

        def run(*, dry_run: bool) -> Purged:
            return memory.purge(
                *notes, source=source, match=match, dry_run=dry_run, progress=progress
            )

        if dry_run or not yes:
            plan = run(dry_run=True)
            if dry_run or plan.is_nothing:
                _say(shared, plan)
                return 0
            _ask(plan)
        report = run(dry_run=False)
    _say(shared, report)
    return EXIT_PROBLEMS if report.places else 0


def _say(shared: Shared, report: Purged) -> None:
    if shared.as_json:
        say_json(report)
    else:
        say(plan_lines(report) if report.dry_run else purged_lines(report))


def _ask(plan: Purged) -> None:
    """The plan on standard error, and the question; where nobody can be asked, a refusal."""
    for line in plan_lines(plan):
        tell(line)
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise NotPurgedError(
            "nothing was erased: this cannot be taken back, and nobody could be asked",
            hint="if the plan is right, add --yes",
        )
    if not click.confirm("Erase this for good?", default=False, err=True):
        raise NotPurgedError("nothing was erased")


def plan_lines(plan: Purged) -> Iterator[str]:
    """What would go, and what would not."""
    if plan.is_nothing:
        yield "there is nothing to erase"
        yield from _searched(plan)
        return
    yield f"would erase {_count(len(plan.notes), 'note')}, in every version:"
    yield from _notes(plan)
    if plan.passages and plan.is_something:
        held = "it" if plan.passages == 1 else "them"
        yield f"{_count(plan.passages, 'passage')} would leave every other text that holds {held}"
    yield from _changed(plan, "would change")
    if plan.commits:
        commits = _count(plan.of_commits, "commit")
        yield f"{plan.commits} of {commits} would get another id; their dates and authors stay"
    if plan.messages:
        yield f"{_count(plan.messages, 'message')} of commits and tags would lose it"
    for name in plan.refs:
        yield f"  would move: {name}"
    for store in plan.stores:
        yield f"would be cleared: {store}"
    yield from _warnings(plan)
    yield "it cannot be taken back: no copy is kept"


def purged_lines(report: Purged) -> Iterator[str]:
    """What was done, and the proof."""
    if report.commit is None:
        yield "there was nothing to erase"
    else:
        yield f"erased {_count(len(report.notes), 'note')} (commit {report.commit[:8]})"
    yield from _notes(report)
    yield from _changed(report, "changed")
    if report.commits:
        yield f"{report.commits} of {_count(report.of_commits, 'commit')} have another id now"
    yield from _warnings(report)
    yield from _searched(report)
    for place in report.places[:_SHOWN]:
        yield f"! {place}"
    if len(report.places) > _SHOWN:
        yield f"! and {len(report.places) - _SHOWN} more"
    if report.places:
        yield "see to these, then run the same command again: it searches everywhere once more"


def _searched(report: Purged) -> Iterator[str]:
    yield (
        f"searched {_count(report.scanned, 'object and file', 'objects and files')}: "
        f"found {_count(len(report.places), 'place')} that still {_holds(report)} it"
    )
    for form in report.forms:
        yield f"  searched for: {form}"
    if report.not_searched:
        yield f"  not searched: {report.not_searched}"


def _holds(report: Purged) -> str:
    return "holds" if len(report.places) == 1 else "hold"


def _notes(report: Purged) -> Iterator[str]:
    for note in report.notes[:_SHOWN]:
        yield f"- {one_line(note.text, 90)} ({note.type} {note.id})"
    if len(report.notes) > _SHOWN:
        yield f"  and {len(report.notes) - _SHOWN} more"


def _changed(report: Purged, verb: str) -> Iterator[str]:
    for path in report.files[:_SHOWN]:
        yield f"  {verb}: {path}"
    if len(report.files) > _SHOWN:
        yield f"  {verb}: {len(report.files) - _SHOWN} more"


def _warnings(report: Purged) -> Iterator[str]:
    if report.short:
        yield (
            f"{_count(report.short, 'text')} too short to be looked for everywhere: erased with "
            "the notes, bullets and lines only"
        )
    for held in report.left:
        yield f"still holds it: {held.path}: {held.why}"
    for remote in report.remotes:
        yield f"the remote {remote} keeps what it has, and so does every device that has a clone"


def _count(number: int, noun: str, plural: str = "") -> str:
    return f"{number} {noun if number == 1 else plural or noun + 's'}"
