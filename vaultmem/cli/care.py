"""status, check, sync, reindex."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from vaultmem.base.errors import EXIT_PROBLEMS, BadInputError
from vaultmem.cli.options import Shared, shared_options
from vaultmem.cli.output import say, say_json
from vaultmem.cli.progress import shown_progress
from vaultmem.cli.recall import clock, opened
from vaultmem.cli.reports import check_lines, plan_lines, status_lines, sync_lines
from vaultmem.model.notes import Severity

if TYPE_CHECKING:
    from vaultmem.model.reports import Planned


@click.command("status")
@shared_options
@click.pass_obj
def status_command(shared: Shared) -> int:
    """Show the vault at a glance.

    Counts, problems, the last commit, what is not committed yet, sizes, the watcher, and where
    the device keeps its index.

    \b
    vaultmem status
    """
    with opened(shared.vault) as memory:
        status = memory.status()
        zone = memory.settings.timezone
    if shared.as_json:
        say_json(status, zone)
    else:
        say(status_lines(status, zone))
    return 0


@click.command("check")
@click.option("--fix", is_flag=True, help="Mend what can be mended; the plan is printed first.")
@click.option("--dry-run", is_flag=True, help="Print the plan of --fix, and change nothing.")
@click.option("--deep", is_flag=True, help="Read every file, object and row again.")
@shared_options
@click.pass_obj
def check_command(shared: Shared, fix: bool, dry_run: bool, deep: bool) -> int:
    """List every problem in the vault.

    Each with path, line, code, message and hint. The exit code is 1 when a note or the
    repository cannot be used (warnings alone give 0). Nothing is written without --fix, which
    keeps the original of everything it mends.

    \b
    vaultmem check
    vaultmem check --deep
    vaultmem check --fix --dry-run
    """
    from vaultmem.check.check import inspect
    from vaultmem.config.settings import open_settings

    if fix and not dry_run:
        if deep:
            raise BadInputError("--deep only looks", hint="run `check --deep`, then `check --fix`")
        with opened(shared.vault) as memory:
            report = memory.check(fix=True, announce=None if shared.as_json else _announce)
    else:
        with shown_progress() as progress:
            report = inspect(
                open_settings(shared.vault), clock(), deep=deep, plan=dry_run, progress=progress
            )
    if shared.as_json:
        say_json(report)
    else:
        say(check_lines(report))
    bad = any(problem.severity is Severity.ERROR for problem in report.problems)
    return EXIT_PROBLEMS if bad else 0


def _announce(steps: Sequence[Planned]) -> None:
    say(plan_lines(steps))
    sys.stdout.flush()


@click.command("sync")
@click.option(
    "--rehash", is_flag=True, help="Read every file again, even one that looks unchanged."
)
@click.option(
    "--confirm-deletions", is_flag=True, help="Believe it when most bullets of a stream are gone."
)
@click.option("--allow-secrets", is_flag=True, help="Commit notes also that hold new secrets.")
@click.option("--remote", is_flag=True, help="Then pull from the remote, and push to it.")
@shared_options
@click.pass_obj
def sync_command(
    shared: Shared, rehash: bool, confirm_deletions: bool, allow_secrets: bool, remote: bool
) -> int:
    """Take in what changed on disk, and commit your edits.

    Every command does the first by itself; this does it now, commits your edits as yours, and
    makes stream files and items agree.

    \b
    vaultmem sync
    vaultmem sync --remote
    """
    if remote:
        return _sync_remote(
            shared,
            rehash=rehash,
            confirm_deletions=confirm_deletions,
            allow_secrets=allow_secrets,
        )
    with opened(shared.vault) as memory, shown_progress() as progress:
        report = memory.sync(
            rehash=rehash,
            confirm_deletions=confirm_deletions,
            allow_secrets=allow_secrets,
            progress=progress,
        )
        zone = memory.settings.timezone
    if shared.as_json:
        say_json(report, zone)
    else:
        say(sync_lines(report))
    return 0


def _sync_remote(
    shared: Shared, *, rehash: bool, confirm_deletions: bool, allow_secrets: bool
) -> int:
    """What the options ask of the files first, then both ways with the remote."""
    from vaultmem.cli.devices import exchange

    if rehash or confirm_deletions or allow_secrets:
        with opened(shared.vault) as memory:
            memory.sync(
                rehash=rehash, confirm_deletions=confirm_deletions, allow_secrets=allow_secrets
            )
    return exchange(shared, push=True)


@click.command("reindex")
@click.option(
    "--embeddings", is_flag=True, help="Then make the vectors that are missing, by your model."
)
@shared_options
@click.pass_obj
def reindex_command(shared: Shared, embeddings: bool) -> int:
    """Build the index anew from the files.

    The index is disposable: this can only ever cost time. With --embeddings, texts without a
    vector go to the model that your settings name (`vaultmem help embeddings`).

    \b
    vaultmem reindex
    vaultmem reindex --embeddings
    """
    with opened(shared.vault) as memory, shown_progress() as progress:
        report = memory.reindex(embeddings=embeddings, progress=progress)
        zone = memory.settings.timezone
    if shared.as_json:
        say_json(report, zone)
    else:
        say(sync_lines(report))
    return 0
