"""maintain."""

from __future__ import annotations

from collections.abc import Iterator

import click

from vaultmem import maintain
from vaultmem.base import TYPE_CHECKING, UnconfirmedError
from vaultmem.cli.learn import consolidated_lines, problem_lines
from vaultmem.cli.note_lines import SHORT_COMMIT, moment, one_line
from vaultmem.cli.open_vault import open_memory
from vaultmem.cli.options import Shared, shown_progress, with_shared
from vaultmem.model import pluralise

if TYPE_CHECKING:
    from vaultmem.model import Compacted, JobReport, JobState, Schedule, StreamsCompacted
_SHOWN = 20
_TIMERS = ("install", "uninstall")
_JOBS = ("nightly", "weekly", "monthly", "due", "status", *_TIMERS)
_SYSTEMS = ("systemd", "launchd", "cron")


@click.command("maintain")
@click.argument("job", type=click.Choice(_JOBS))
@click.option("--dry-run", is_flag=True, help="Only say what would be done.")
@click.option("--yes", is_flag=True, help="Do it, where a job or a timer has to be agreed to.")
@click.option("--system", type=click.Choice(_SYSTEMS), help="Of a timer; else the usual one.")
@with_shared
def maintain_command(shared: Shared, job: str, dry_run: bool, yes: bool, system: str | None) -> int:
    """Keep the memory in order: learn, merge doubles, put away what nobody uses.

    `due` does what should have been done since it ran last; `status` says when that was. Each
    change is one commit, which `vaultmem undo` takes back; where nothing is to be done, none.
    `install` shows the timer that runs `due` every hour, and with --yes writes it.

    \b
    vaultmem maintain nightly --dry-run
    vaultmem maintain due
    vaultmem maintain install --yes
    """
    if job in _TIMERS:
        return _timer(shared, job, system=system or "", confirmed=yes and not dry_run)
    with open_memory(shared.vault) as memory, shown_progress() as progress:
        zone, refused = memory.settings.timezone, None
        states = memory.maintain.due()
        if job == "status":
            found: object = states
            lines = state_lines(states, zone)
        else:
            jobs = [s.job for s in states if s.is_due] if job == "due" else [job]
            reports = []
            for each in jobs:  # one that asks first does not keep the others waiting
                try:
                    report = memory.maintain.run(
                        each, dry_run=dry_run, confirmed=yes, progress=progress
                    )
                    reports.append(report)
                except UnconfirmedError as error:
                    refused = refused or error
            found = reports
            lines = (line for report in reports for line in report_lines(report))
        shared.say(found, lines if job != "due" or jobs else ["nothing is due"], zone)
        if refused is not None:
            raise refused
    return 0


def _timer(shared: Shared, job: str, *, system: str, confirmed: bool) -> int:
    with open_memory(shared.vault) as memory:
        found = (
            memory.maintain.install_timer if job == "install" else memory.maintain.uninstall_timer
        )(system=system, confirmed=confirmed)
    return shared.say(found, timer_lines(found, job))


def timer_lines(found: Schedule, job: str) -> Iterator[str]:
    """The files of a timer, and what to run after they are written, or gone."""
    for path, text in found.files:
        if job == "install":
            verb = "wrote" if found.changed else "is there:" if found.installed else "would write"
            yield f"{verb} {path}"
            if not found.changed and not found.installed:
                yield from (f"    {line}" for line in text.splitlines())
        else:
            there = "would remove" if found.installed else "is not there:"
            yield f"{'removed' if found.changed else there} {path}"
    if found.files and not found.changed and found.installed == (job == "uninstall"):
        yield f"`vaultmem maintain {job} --yes` does it"
    else:
        what = "start" if job == "install" else "stop"
        yield f"to {what} it: {found.command}" if found.files else found.command


def state_lines(states: tuple[JobState, ...], zone: str) -> Iterator[str]:
    """When each job ran last on this device."""
    for state in states:
        ran = "never here" if state.ran_at is None else moment(state.ran_at, zone)
        due = f", due since {moment(state.due_at, zone)}" if state.is_due else ""
        yield f"{state.job:<8} ran {ran}{due}"


def report_lines(report: JobReport) -> Iterator[str]:
    """What one job did."""
    yield f"{report.job}:"
    verb = "would " if report.dry_run else ""
    if report.learned is not None:
        yield from consolidated_lines(report.learned)
    for merged in report.merged[:_SHOWN]:
        yield f"{verb}merge{'' if verb else 'd'} {one_line(merged.statement, 80)}"
        yield f"    {merged.id} stands for {', '.join(merged.retired)}"
    for item in report.archived[:_SHOWN]:
        yield f"{verb}archive{'' if verb else 'd'} {one_line(item.statement, 80)}"
        yield f"    idle for {pluralise(round(item.idle_days), 'day')} · {item.id} · {item.path}"
    if report.counted:
        notes = f"{report.counted} note{'' if report.counted == 1 else 's'}"
        yield f"{verb}count{'' if verb else 'ed'} the uses of {notes}"
    for note in report.promoted[:_SHOWN]:
        yield f"{verb}raise{'' if verb else 'd'} {one_line(note.statement, 80)}"
        yield f"    used: {note.after} above its importance, was {note.before} · {note.id}"
    more = len(report.merged) + len(report.archived) + len(report.promoted) - _SHOWN
    if more > 0:
        yield f"  and {more} more"
    if report.compacted is not None:
        yield from trimmed_lines(report.compacted)
    for each in report.overviews[:_SHOWN]:
        done = {"new": "told", "changed": "told anew", "dropped": "dropped"}[each.what]
        yield f"{'would be ' if verb else ''}{done}: {one_line(each.statement, 90)}"
    if len(report.overviews) > _SHOWN:
        yield f"  and {len(report.overviews) - _SHOWN} more"
    for evolved in report.summaries:
        if evolved.outcome == "rewritten":
            yield f"{verb}sum{'' if verb else 'med'} up {evolved.path}"
            yield from (f"    {one_line(text, 100)}" for text in evolved.sentences)
        elif evolved.why:
            yield f"left {evolved.path} as it is: {one_line(evolved.why)}"
    yield from problem_lines(report.problems)
    if report.left_graph:
        notes = f"{report.left_graph} note{'' if report.left_graph == 1 else 's'}"
        yield f"the graph is without {notes} that nobody used for long"
    if report.reindexed is not None:
        yield f"built the index anew from {pluralise(report.reindexed, 'note')}"
        if report.embedded is not None:
            from vaultmem.cli.explain_lines import embedded_lines  # saves 1 module

            yield from embedded_lines(report.embedded)
    elif not any(_did(report)):
        nothing = {"nightly": "no doubles", "weekly": "nothing to put away"}
        yield nothing.get(report.job, "would build the index anew")
    if report.asks:
        yield f"{report.asks}: it would ask first (--yes)"
    for commit in report.commits:
        yield f"committed {commit[:8]}"


def _did(report: JobReport) -> Iterator[object]:
    """What was said of a job already."""
    yield from (report.merged, report.archived, report.compacted)
    yield from (report.summaries, report.overviews, report.counted)


# compact.


@click.command("compact")
@click.option(
    "--retention",
    type=float,
    metavar="DAYS",
    help="Keep what ended within so many days; without it, `retention.superseded_days` (90).",
)
@click.option(
    "--budget",
    type=click.IntRange(min=0),
    metavar="TOKENS",
    help="Instead: archive active items until the streams take at most so much.",
)
@click.option("--dry-run", is_flag=True, help="Only say what would go.")
@with_shared
def compact_command(
    shared: Shared, retention: float | None, budget: int | None, dry_run: bool
) -> int:
    """Retire items that ended long ago; the history keeps them.

    Items that are superseded, expired or retracted leave the folder in one commit, once that was
    recorded longer ago than the retention. Questions about the past are answered as before, and
    `vaultmem undo` brings them back.

    With --budget: each stream keeps its share of the tokens, the most important items first;
    the rest goes to the archive. Pinned items and hard exceptions stay.

    \b
    vaultmem compact --dry-run
    vaultmem compact --retention 30
    vaultmem compact --budget 8000 --dry-run
    """
    if budget is not None:
        if retention is not None:
            raise click.UsageError("--budget and --retention are two ways: give one of them.")
        with open_memory(shared.vault) as memory:
            trimmed = memory.maintain.compact_streams(budget, dry_run=dry_run)
            zone = memory.settings.timezone
        return shared.say(trimmed, trimmed_lines(trimmed), zone)
    with open_memory(shared.vault) as memory, shown_progress() as progress:
        done = memory.maintain.compact(retention_days=retention, dry_run=dry_run, progress=progress)
        zone = memory.settings.timezone
    return shared.say(done, compacted_lines(done, zone), zone)


def compacted_lines(done: Compacted, zone: str) -> Iterator[str]:
    """What went, and what stays."""
    what = "1 item" if len(done.items) == 1 else f"{len(done.items)} items"
    after = f"{done.retention_days:g} day{'' if done.retention_days == 1 else 's'} after the end"
    if not done.items:
        yield f"nothing to retire {after}"
    elif done.dry_run:
        yield f"would retire {what}, {after}"
    else:
        commit = f" (commit {done.commit[:SHORT_COMMIT]})" if done.commit else ""
        yield f"retired {what}, {after}{commit}"
    for item in done.items[:_SHOWN]:
        yield f"- {one_line(item.statement, 90)}"
        yield f"    {item.status} {moment(item.superseded_at, zone)} · {item.id} · {item.path}"
    if len(done.items) > _SHOWN:
        yield f"  and {len(done.items) - _SHOWN} more"
    for path in done.lists:
        yield f"lines of them {'would leave' if done.dry_run else 'left'} {path}"
    if done.kept:
        yield f"ended lately, so kept: {done.kept}"
    for path in done.held[:_SHOWN]:
        yield f"kept, though its time is over: {path} (pinned, hard, or no id in its name)"
    if done.horizon is not None:
        verb = "would be" if done.dry_run else "is"
        yield f"what held before {moment(done.horizon, zone)} {verb} read from git from now on"


def trimmed_lines(done: StreamsCompacted) -> Iterator[str]:
    """The table of budgets, and what went."""
    for name in done.waiting:
        yield f"the list of {name} is too long; it was edited a moment ago, so it waits"
    if not done.items and done.waiting:
        return
    if not done.items:
        yield "nothing to archive: the streams are within the budget, or all of it has to stay"
    else:
        what = "1 item" if len(done.items) == 1 else f"{len(done.items)} items"
        commit = f" (commit {done.commit[:SHORT_COMMIT]})" if done.commit else ""
        yield f"{'would archive' if done.dry_run else 'archived'} {what}{commit}"
    for statement, path in list(zip(done.statements, done.paths, strict=True))[:_SHOWN]:
        yield f"- {one_line(statement, 90)}"
        yield f"    {path}"
    if len(done.items) > _SHOWN:
        yield f"  and {len(done.items) - _SHOWN} more"
    yield ""
    yield from maintain.table(done)
    if done.pinned_exceeds_budget:
        yield "pinned items and hard exceptions take more than the budget; they stay"
