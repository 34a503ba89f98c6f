"""compact."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from vaultmem.cli.note_lines import moment, one_line
from vaultmem.cli.options import Shared, shared_options
from vaultmem.cli.output import say, say_json
from vaultmem.cli.progress import shown_progress
from vaultmem.cli.recall import opened

if TYPE_CHECKING:
    from vaultmem.model.history import Compacted, StreamsCompacted

_SHOWN = 20
_SHORT_COMMIT = 8


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
@shared_options
@click.pass_obj
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
        with opened(shared.vault) as memory:
            trimmed = memory.compact_streams(budget, dry_run=dry_run)
            zone = memory.settings.timezone
        if shared.as_json:
            say_json(trimmed, zone)
        else:
            say(trimmed_lines(trimmed))
        return 0
    with opened(shared.vault) as memory, shown_progress() as progress:
        done = memory.compact(retention_days=retention, dry_run=dry_run, progress=progress)
        zone = memory.settings.timezone
    if shared.as_json:
        say_json(done, zone)
    else:
        say(compacted_lines(done, zone))
    return 0


def compacted_lines(done: Compacted, zone: str) -> Iterator[str]:
    """What went, and what stays."""
    what = "1 item" if len(done.items) == 1 else f"{len(done.items)} items"
    after = f"{done.retention_days:g} day{'' if done.retention_days == 1 else 's'} after the end"
    if not done.items:
        yield f"nothing to retire {after}"
    elif done.dry_run:
        yield f"would retire {what}, {after}"
    else:
        commit = f" (commit {done.commit[:_SHORT_COMMIT]})" if done.commit else ""
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
    from vaultmem.maintain.streams import table

    for name in done.waiting:
        yield f"the list of {name} is too long; it was edited a moment ago, so it waits"
    if not done.items and done.waiting:
        return
    if not done.items:
        yield "nothing to archive: the streams are within the budget, or all of it has to stay"
    else:
        what = "1 item" if len(done.items) == 1 else f"{len(done.items)} items"
        commit = f" (commit {done.commit[:_SHORT_COMMIT]})" if done.commit else ""
        yield f"{'would archive' if done.dry_run else 'archived'} {what}{commit}"
    for statement, path in list(zip(done.statements, done.paths, strict=True))[:_SHOWN]:
        yield f"- {one_line(statement, 90)}"
        yield f"    {path}"
    if len(done.items) > _SHOWN:
        yield f"  and {len(done.items) - _SHOWN} more"
    yield ""
    yield from table(done)
    if done.pinned_exceeds_budget:
        yield "pinned items and hard exceptions take more than the budget; they stay"
