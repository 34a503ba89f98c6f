"""report."""

from __future__ import annotations

import click

from vaultmem import server
from vaultmem.base import TYPE_CHECKING
from vaultmem.cli.open_vault import open_memory
from vaultmem.cli.options import Shared, shared_options, shown_progress
from vaultmem.cli.output import say, say_json
from vaultmem.language import format_date

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vaultmem.window import Report


@click.command("report")
@click.argument("file", metavar="OUT.html")
@click.option(
    "--since",
    metavar="WHEN",
    help="Say what was learned, changed and ended from then on; 30 days ago by default.",
)
@click.option(
    "--redact",
    is_flag=True,
    help="Replace names, addresses, numbers and what is about health.",
)
@click.option("--force", is_flag=True, help="Write over a file that is no report.")
@shared_options
@click.pass_obj
def report_command(shared: Shared, file: str, since: str | None, redact: bool, force: bool) -> int:
    """Write the memory as one page to read, keep or send.

    One HTML file that loads nothing and runs no script: what is known, what changed, when it held
    and when it was learned, rules with their evidence, what waits, what may be out of date, what
    was given to whom. An earlier report is written over, another file only with --force. Read a
    redacted one yourself before you send it: no program knows every name.

    \b
    vaultmem report memory.html
    vaultmem report for-anna.html --since "last month" --redact
    """
    try:
        from vaultmem.window import write_report  # saves 60 modules
    except ImportError as error:
        raise server.missing(str(error.name), "report") from error
    with open_memory(shared.vault) as memory, shown_progress() as progress:
        zone = memory.settings.timezone
        report = write_report(
            memory, file, since=since, redact=redact, force=force, progress=progress
        )
    if shared.as_json:
        say_json(report, zone)
    else:
        say(_lines(report, zone))
    return 0


def _lines(report: Report, zone: str) -> Iterator[str]:
    items = "1 item" if report.items == 1 else f"{report.items:,} items"
    since = format_date(report.since, zone)
    yield f"wrote '{report.path}': {items}, changes since {since}, {report.bytes / 1e3:,.0f} kB"
    if report.redacted:
        yield "redacted; read it yourself before you send it: no program knows every name"
