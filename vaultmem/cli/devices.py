"""pull, push, remote; and `sync --remote`, which is both."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import PurePath

import click

from vaultmem import config, devices
from vaultmem.base import TYPE_CHECKING, BadInputError, ConsentNeededError
from vaultmem.cli.open_vault import open_memory
from vaultmem.cli.options import Shared, Table, shared_options, shown_progress, with_shared
from vaultmem.cli.output import say, say_json, tell
from vaultmem.cli.report_lines import learned_lines, problem_lines
from vaultmem.config import shown_url

if TYPE_CHECKING:
    from vaultmem.model import Exchanged, InitReport
Attempt = Callable[[frozenset[str]], "Exchanged"]
"""Does it, with what the person said yes to."""

_SHOWN = 10


def _options(command: Callable[..., int]) -> Callable[..., int]:
    for option in (
        click.option(
            "--accept-rewrite",
            is_flag=True,
            help="Go on although the remote's branch was rewritten or set back.",
        ),
        click.option(
            "--accept-deletions",
            is_flag=True,
            help="Go on although much of the vault would be deleted.",
        ),
        click.option(
            "--accept-purge",
            is_flag=True,
            help="Where the remote's branch holds what was erased here: pull takes nothing of it "
            "in, push replaces it.",
        ),
        click.option("--dry-run", is_flag=True, help="Only say what would come in and go out."),
    ):
        command = option(command)
    return command


@click.command("pull")
@_options
@with_shared
def pull_command(
    shared: Shared,
    dry_run: bool,
    accept_deletions: bool,
    accept_rewrite: bool,
    accept_purge: bool,
) -> int:
    """Take in what the remote has, merged with what is here.

    Your edits are committed first. Notes that both sides changed are merged; what needs a look is
    listed, here and by `vaultmem check`, until you have looked. Nothing is sent.

    \b
    vaultmem pull
    vaultmem pull --dry-run
    """
    return exchange(
        shared,
        push=False,
        dry_run=dry_run,
        accept=_acceptances(accept_deletions, accept_rewrite, accept_purge),
    )


@click.command("push")
@_options
@with_shared
def push_command(
    shared: Shared,
    dry_run: bool,
    accept_deletions: bool,
    accept_rewrite: bool,
    accept_purge: bool,
) -> int:
    """Send what the remote has not.

    What another device sent meanwhile is taken in first, as `vaultmem pull` does. The remote's
    branch goes forward only, but for --accept-purge.

    \b
    vaultmem push
    vaultmem push --dry-run
    """
    return exchange(
        shared,
        push=True,
        dry_run=dry_run,
        accept=_acceptances(accept_deletions, accept_rewrite, accept_purge),
    )


def exchange(
    shared: Shared, *, push: bool, dry_run: bool = False, accept: frozenset[str] = frozenset()
) -> int:
    """Pull, or pull and push, asking the person where that is possible; prints the report."""
    with open_memory(shared.vault) as memory, shown_progress() as progress:
        run = memory.devices.push if push else memory.devices.pull

        def attempt(accept: frozenset[str]) -> Exchanged:
            return run(accept=accept, dry_run=dry_run, progress=progress)

        report = _with_consent(attempt, accept)
        zone = memory.settings.timezone
    for warning in report.warnings:
        tell(f"warning: {warning}")
    return shared.say(report, exchanged_lines(report), zone)


def _acceptances(deletions: bool, rewrite: bool, purge: bool) -> frozenset[str]:
    return frozenset(["deletions"] * deletions + ["rewrite"] * rewrite + ["purge"] * purge)


def _with_consent(attempt: Attempt, accept: frozenset[str]) -> Exchanged:
    """Ask on a terminal; elsewhere the error says which option answers in advance."""
    while True:
        try:
            return attempt(accept)
        except ConsentNeededError as asked:
            if not (sys.stdin.isatty() and sys.stderr.isatty()):
                raise
            tell(asked.message)
            for path in asked.paths[:_SHOWN]:
                tell(f"  {path}")
            if len(asked.paths) > _SHOWN:
                tell(f"  and {len(asked.paths) - _SHOWN} more")
            if not click.confirm("Go on?", default=False, err=True):
                raise
            accept |= {asked.answer}


@click.group("remote", cls=Table, invoke_without_command=True)
@shared_options
@click.pass_context
def remote_command(context: click.Context) -> int:
    """Say where this vault goes, show it, or forget it.

    The address is kept in your own settings file. What a vault's .git/config names as its remote
    is never used, only suggested.

    \b
    vaultmem remote set git@example.org:ada/notes.git
    vaultmem remote show
    vaultmem remote remove
    """
    return _show(context.ensure_object(Shared)) if context.invoked_subcommand is None else 0


@remote_command.command("set")
@click.argument("url", required=False)
@click.option("--branch", metavar="NAME", default="main", help="Branch of the remote (main).")
@with_shared
def remote_set(shared: Shared, url: str | None, branch: str) -> int:
    """Send this vault to a git repository from now on.

    An https:// or ssh:// address, user@host:path, or a folder. Without an address, the one that
    the vault's .git/config names is offered.

    \b
    vaultmem remote set git@example.org:ada/notes.git
    vaultmem remote set /media/stick/notes.git --branch main
    """
    with open_memory(shared.vault) as memory:
        vault = memory.opened
        if url is None:
            url = _confirm_address(devices.suggestion(vault))
        pinned, file = devices.pin(vault, url, branch)
    shown = pinned.printable()
    return shared.say(
        shown,
        [
            f"this vault goes to '{shown.url}', branch '{shown.branch}' (in '{file}')",
            "nothing was sent yet; `vaultmem sync --remote` does",
        ],
    )


def _confirm_address(suggested: str) -> str:
    """The suggestion, if a person at a terminal says yes to it; raises BadInputError."""
    if not suggested:
        raise BadInputError(
            "no address was given, and the vault's .git/config names none",
            hint="`vaultmem remote set URL`",
        )
    if sys.stdin.isatty() and sys.stderr.isatty():
        tell(f"the vault's .git/config names '{suggested}'")
        if click.confirm("Send this vault there?", default=False, err=True):
            return suggested
    raise BadInputError(
        "no address was given",
        hint=f"the vault's .git/config names '{suggested}': "
        "if that is yours, `vaultmem remote set` with it",
    )


@remote_command.command("show")
@with_shared
def remote_show(shared: Shared) -> int:
    """Show where this vault goes.

    \b
    vaultmem remote show
    """
    return _show(shared)


def _show(shared: Shared) -> int:

    with open_memory(shared.vault) as memory:
        row = devices.describe_remote(memory.opened)
    if shared.as_json:
        say_json(row)
    elif not row["url"]:
        say(["no remote is set for this vault: nothing is sent or fetched"])
        if row["suggestion"]:
            say([f"its .git/config names '{row['suggestion']}', which is not used by itself"])
    else:
        say([f"{row['url']}  branch {row['branch']}"])
    for warning in row["warnings"]:
        tell(f"warning: {warning}")
    return 0


@remote_command.command("remove")
@with_shared
def remote_remove(shared: Shared) -> int:
    """Send this vault nowhere any more; what was sent stays there.

    \b
    vaultmem remote remove
    """
    with open_memory(shared.vault) as memory:
        file = config.forget_remote(memory.settings.state.name, os.environ)
    say([f"this vault goes nowhere any more (in '{file}'); what was sent before stays there"])
    return 0


# The report of a pull or push as lines a person reads.

_MOST = 10


def exchanged_lines(report: Exchanged) -> Iterator[str]:
    """What came, was merged, was learned, went, and needs a look."""
    where = f"'{report.remote}'"
    would = "would " if report.dry_run else ""
    if report.pending:
        yield f"would commit your edits first: {_pluralise(report.pending, 'note')}"
    if report.incoming:
        yield (
            f"{would}take in {_pluralise(report.incoming, 'commit')} of {where}"
            if report.dry_run
            else f"took in {_pluralise(report.incoming, 'commit')} of {where}"
        ) + f": {_pluralise(len(report.paths), 'file')} changed here"
        yield from _paths(report.paths)
    if report.merged:
        done = "to merge" if report.dry_run else "merged"
        yield f"{done}, changed on both sides: {_pluralise(len(report.merged), 'file')}"
        yield from _paths(report.merged)
    if report.withheld:
        yield f"not put into the folder: {_pluralise(len(report.withheld), 'file')} of settings"
        yield from _paths(report.withheld)
    yield from learned_lines(report.learned)
    if report.pushed:
        yield f"sent {_pluralise(report.outgoing, 'commit')} to {where}"
    elif report.outgoing:
        yield (
            f"would send {_pluralise(report.outgoing, 'commit')} to {where}"
            if report.dry_run
            else f"not sent yet: {_pluralise(report.outgoing, 'commit')} (`vaultmem push`)"
        )
    for problem in report.problems:
        yield from problem_lines(problem)
    if not (report.incoming or report.outgoing or report.pushed or report.pending):
        yield f"level with {where}: nothing to take in, nothing to send"


def received_lines(report: InitReport, url: str) -> Iterator[str]:
    """A vault that came from a remote, and what is wrong with it."""
    notes = _pluralise(report.found_notes, "note")
    yield f"made the vault '{report.name}' in '{report.root}', with {notes} of '{shown_url(url)}'"
    for problem in report.problems:
        yield from problem_lines(problem)


def _paths(paths: Sequence[PurePath]) -> Iterator[str]:
    yield from (f"  {path}" for path in paths[:_MOST])
    if len(paths) > _MOST:
        yield f"  and {len(paths) - _MOST} more"


def _pluralise(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
