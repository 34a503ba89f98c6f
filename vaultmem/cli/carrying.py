"""export, import, clear."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from vaultmem.cli.finding import opened
from vaultmem.cli.options import Shared, shared_options
from vaultmem.cli.output import say, say_json, tell
from vaultmem.errors import UnconfirmedError
from vaultmem.operations.wording import counted, listed

if TYPE_CHECKING:
    from vaultmem.model.carrying import Cleared


@click.command("clear")
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.option("--dry-run", is_flag=True, help="Only say what would go.")
@shared_options
@click.pass_obj
def clear_command(shared: Shared, yes: bool, dry_run: bool) -> int:
    """Empty the memory by one commit, which `undo` takes back.

    Items and resources go, with their lines in streams and categories. Headings and words of
    yours between those lines, your own pages and the settings stay. The history still has
    everything; `vaultmem forget --purge` is what erases.

    \b
    vaultmem clear --dry-run
    vaultmem clear --yes
    """
    with opened(shared.vault) as memory:
        report = memory.clear(dry_run=True)
        if not (dry_run or report.is_nothing):
            if not yes:
                _ask(report, memory.settings.name)
            report = memory.clear()
    if shared.as_json:
        say_json(report)
    else:
        say(_cleared_lines(report))
    return 0


def _ask(report: Cleared, name: str) -> None:
    """Raise UnconfirmedError unless a person at a terminal says yes."""
    question = f"Take {_told(report)} out of '{name}'?"
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise UnconfirmedError(
            f"clear was not confirmed: it would take {_told(report)} out of '{name}'",
            hint="if you mean it, add --yes; `vaultmem undo` takes it back",
        )
    tell("`vaultmem undo` brings them back")
    if not click.confirm(question, default=False, err=True):
        raise UnconfirmedError("clear was not confirmed: nothing was changed")


def _told(report: Cleared) -> str:
    return listed(
        [
            counted(report.items, "item"),
            counted(report.resources, "resource"),
            counted(report.bullets, "list line") if report.bullets else "",
            counted(report.categories, "category", "categories") if report.categories else "",
        ]
    )


def _cleared_lines(report: Cleared) -> Iterator[str]:
    if report.is_nothing:
        yield "there is nothing to clear"
        return
    if report.dry_run:
        yield f"would take out {_told(report)}; nothing was changed"
        return
    commit = f" (commit {report.commit[:8]})" if report.commit else ""
    yield f"took out {_told(report)}{commit}"
    yield "`vaultmem undo` brings them back; the history still has them, and so do your remotes"
