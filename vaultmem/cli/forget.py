"""forget."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence

import click

from vaultmem.base import EXIT_PROBLEMS, EXIT_REFUSED, TYPE_CHECKING, MisusedError, VaultmemError
from vaultmem.cli.note_lines import one_line
from vaultmem.cli.open_vault import open_memory
from vaultmem.cli.options import Shared, shown_progress, with_shared
from vaultmem.cli.output import tell
from vaultmem.model import pluralise

if TYPE_CHECKING:
    from vaultmem.model import Aged, Forgotten, Purged
_SHOWN = 20


class ConfirmationNeededError(VaultmemError):
    """Much would go, and nobody could be asked."""

    exit_code = EXIT_REFUSED


@click.command("forget")
@click.argument("notes", nargs=-1, metavar="[ID|PATH]...")
@click.option("--source", metavar="RESOURCE", help="This source, and all items that came from it.")
@click.option("--match", metavar="TEXT", help="Every item and source that holds this text.")
@click.option("--aged", is_flag=True, help="Events and texts that are older than --days.")
@click.option(
    "--days", type=click.IntRange(0), metavar="N", help="Default: privacy.retention_days."
)
@click.option("--purge", is_flag=True, help="Erase: from every version and every store, for good.")
@click.option("--lift", is_flag=True, help="Let what was erased here be kept again.")
@click.option("--dry-run", is_flag=True, help="Only say what would go.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@with_shared
def forget_command(
    shared: Shared,
    notes: tuple[str, ...],
    source: str | None,
    match: str | None,
    aged: bool,
    days: int | None,
    purge: bool,
    lift: bool,
    dry_run: bool,
    yes: bool,
) -> int:
    """Take notes out of the memory; the history keeps them.

    They leave the vault and recall with their lines in streams and categories, in one commit.
    The text stays in the history, and `vaultmem undo` brings it back.

    With --purge it is erased: the history is rewritten without it (commit ids change), every
    store of this device is cleared and then searched, and the places where it is left are
    counted. The plan is printed first, and you are asked. It cannot be taken back, and remotes
    and other devices keep what they have.

    \b
    vaultmem forget i-7f3a2kq9xw
    vaultmem forget --source r-9eaa07w5z843
    vaultmem forget --match "door code" --dry-run
    vaultmem forget --purge i-7f3a2kq9xw
    vaultmem forget --aged

    --aged lists what the vault has had for more than 90 days; pinned and hard items, and the
    texts that they came from, stay. With --yes it is forgotten, with --purge erased.
    """
    if (days is not None and not aged) or (aged and (notes or source or match or lift)):
        raise MisusedError(
            "--aged goes with --days, --purge, --dry-run and --yes alone, and --days with --aged",
            hint="`vaultmem forget --aged --days 365`",
        )
    if aged:
        with open_memory(shared.vault) as memory:
            old = memory.maintain.aged(days=days)
        if not old.notes or dry_run or not (purge or yes):
            return shared.say(old, aged_lines(old))
        notes = tuple(note.id for note in old.notes)
    if lift:
        return _lift(shared, is_alone=not (notes or source or match or purge or dry_run))
    wished = {"source": source or "", "match": match or ""}
    if purge:
        return purge_for(shared, notes, **wished, dry_run=dry_run, yes=yes)
    with open_memory(shared.vault) as memory:
        if dry_run or yes:
            report = memory.forget(*notes, **wished, dry_run=dry_run)
        else:
            report = memory.forgetting.forget_few(*notes, **wished)
            if report.dry_run:
                _ask(report)
                report = memory.forget(*notes, **wished, dry_run=False)
    return shared.say(report, forgotten_lines(report))


def _lift(shared: Shared, *, is_alone: bool) -> int:
    if not is_alone:
        raise MisusedError(
            "--lift stands alone: it is about all that was erased here",
            hint="`vaultmem forget --lift`",
        )
    with open_memory(shared.vault) as memory:
        had = memory.forgetting.lift()
    return shared.say(
        {"lifted": had},
        ["texts that were erased here can be kept again" if had else "nothing was erased here"],
    )


def _ask(report: Forgotten) -> None:
    """Let the person decide on a terminal; elsewhere the option answers in advance."""
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise ConfirmationNeededError(
            f"{report.asked}, so nothing was forgotten",
            hint="look with --dry-run, then say --yes",
        )
    for line in _notes(report):
        tell(line)
    if not click.confirm(f"{report.asked}. Go on?", default=False, err=True):
        raise ConfirmationNeededError("nothing was forgotten")


def aged_lines(old: Aged) -> Iterator[str]:
    """What is too old, and what to do about it."""
    if not old.days:
        yield "nothing is too old: 0 days (--days, 'privacy.retention_days') mean never"
        return
    stay = "stays: it is pinned, hard" if old.exempt == 1 else "stay: pinned, hard"
    exempt = f"; {old.exempt} more {stay}, or the source of such" if old.exempt else ""
    held = f"in the vault for more than {pluralise(old.days, 'day')}"
    yield f"{held}: {pluralise(len(old.notes), 'note') if old.notes else 'nothing'}{exempt}"
    for note in old.notes[:_SHOWN]:
        age = pluralise(round(note.age_days), "day")
        yield f"- {age}: {one_line(note.text, 80)} ({note.type} {note.id})"
    if len(old.notes) > _SHOWN:
        yield f"  and {len(old.notes) - _SHOWN} more"
    if old.notes:
        yield "nothing was done: `--aged --yes` forgets them, `--aged --purge` erases them for good"


def forgotten_lines(report: Forgotten) -> Iterator[str]:
    """What went, what still says it, and how to get it back or be rid of it."""
    if not report.notes:
        yield "nothing was forgotten"
    elif report.dry_run:
        yield f"would forget {len(report.notes)}:"
    else:
        yield f"forgot {len(report.notes)} (commit {(report.commit or '')[:8]})"
    yield from _notes(report)
    for each in report.lists:
        yield f"  lines {'would leave' if report.dry_run else 'left'} {each}"
    for held in report.holding:
        yield f"still says it: {held.path}: {held.why}"
    if report.notes and not report.dry_run:
        yield "the text stays in the history: `vaultmem undo` brings it back"
        yield "(`vaultmem forget --purge` erases it for good)"


def _notes(report: Forgotten) -> Iterator[str]:
    for note in report.notes[:_SHOWN]:
        yield f"- {one_line(note.text, 90)} ({note.type} {note.id or note.path})"
    if len(report.notes) > _SHOWN:
        yield f"  and {len(report.notes) - _SHOWN} more"


# forget --purge: the plan, the question, the proof.


class NotPurgedError(VaultmemError):
    """Erasing needs a person's yes."""

    exit_code = EXIT_REFUSED


def purge_for(
    shared: Shared, notes: Sequence[str], *, source: str, match: str, dry_run: bool, yes: bool
) -> int:
    """Print the plan, ask, erase, print the proof; the exit code is 1 when anything is left."""
    with open_memory(shared.vault) as memory, shown_progress() as progress:

        def run(*, dry_run: bool) -> Purged:
            return memory.forgetting.purge(
                *notes, source=source, match=match, dry_run=dry_run, progress=progress
            )

        if dry_run or not yes:
            plan = run(dry_run=True)
            # The plan once told of passages that would leave other texts, and without --yes the
            # answer was a refusal (77), though nothing was there to erase.
            if dry_run or plan.is_nothing:
                _say(shared, plan)
                return 0
            _ask_purging(plan)
        report = run(dry_run=False)
    _say(shared, report)
    return EXIT_PROBLEMS if report.places else 0


def _say(shared: Shared, report: Purged) -> None:
    shared.say(report, plan_lines(report) if report.dry_run else purged_lines(report))


def _ask_purging(plan: Purged) -> None:
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
        yield from _search_lines(plan)
        return
    yield f"would erase {pluralise(len(plan.notes), 'note')}, in every version:"
    yield from _notes_purging(plan)
    if plan.passages and plan.is_something:
        held = "it" if plan.passages == 1 else "them"
        passages = pluralise(plan.passages, "passage")
        yield f"{passages} would leave every other text that holds {held}"
    yield from _file_lines(plan, "would change")
    if plan.commits:
        commits = pluralise(plan.of_commits, "commit")
        yield f"{plan.commits} of {commits} would get another id; their dates and authors stay"
    if plan.messages:
        yield f"{pluralise(plan.messages, 'message')} of commits and tags would lose it"
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
        yield f"erased {pluralise(len(report.notes), 'note')} (commit {report.commit[:8]})"
    yield from _notes_purging(report)
    yield from _file_lines(report, "changed")
    if report.commits:
        yield f"{report.commits} of {pluralise(report.of_commits, 'commit')} have another id now"
    yield from _warnings(report)
    yield from _search_lines(report)
    for place in report.places[:_SHOWN]:
        yield f"! {place}"
    if len(report.places) > _SHOWN:
        yield f"! and {len(report.places) - _SHOWN} more"
    if report.places:
        yield "see to these, then run the same command again: it searches everywhere once more"


def _search_lines(report: Purged) -> Iterator[str]:
    yield (
        f"searched {pluralise(report.scanned, 'object and file', 'objects and files')}: "
        f"found {pluralise(len(report.places), 'place')} that still {_holds(report)} it"
    )
    for form in report.forms:
        yield f"  searched for: {form}"
    if report.not_searched:
        yield f"  not searched: {report.not_searched}"


def _holds(report: Purged) -> str:
    return "holds" if len(report.places) == 1 else "hold"


def _notes_purging(report: Purged) -> Iterator[str]:
    for note in report.notes[:_SHOWN]:
        yield f"- {one_line(note.text, 90)} ({note.type} {note.id})"
    if len(report.notes) > _SHOWN:
        yield f"  and {len(report.notes) - _SHOWN} more"


def _file_lines(report: Purged, verb: str) -> Iterator[str]:
    for path in report.files[:_SHOWN]:
        yield f"  {verb}: {path}"
    if len(report.files) > _SHOWN:
        yield f"  {verb}: {len(report.files) - _SHOWN} more"


def _warnings(report: Purged) -> Iterator[str]:
    if report.short:
        yield (
            f"{pluralise(report.short, 'text')} too short to be looked for everywhere: erased with "
            "the notes, bullets and lines only"
        )
    for held in report.left:
        yield f"still holds it: {held.path}: {held.why}"
    for remote in report.remotes:
        yield f"the remote {remote} keeps what it has, and so does every device that has a clone"
