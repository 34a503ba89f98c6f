"""history, diff, timeline: look back at what was known."""

from __future__ import annotations

import click

from vaultmem.cli.options import Shared, shared_options
from vaultmem.cli.output import say, say_json, tell_gaps
from vaultmem.cli.progress import shown_progress
from vaultmem.cli.recall import opened
from vaultmem.model.notes import STREAMS


@click.command("history")
@click.argument("about", metavar="ID|PATH|SUBJECT")
@click.argument("predicate", required=False, default="", metavar="[PREDICATE]")
@click.option("--value", default="", metavar="VALUE", help="Only versions with this object.")
@shared_options
@click.pass_obj
def history_command(shared: Shared, about: str, predicate: str, value: str) -> int:
    """Show every version of a note, or of what was said about a subject.

    Oldest first, with what changed, when the vault knew it, when it holds, the commit, who made it
    and where it comes from. Words between [- and -] went, those between {+ and +} came. What is
    not committed yet stands last.

    \b
    vaultmem history i-7f3a2kq9xw
    vaultmem history project-x uses_database
    """
    from vaultmem.cli.reports_history import history_lines

    with opened(shared.vault) as memory, shown_progress() as progress:
        found = memory.history(about, predicate, value=value, progress=progress)
        tell_gaps(memory.gaps())
        zone = memory.settings.timezone
    if shared.as_json:
        say_json(found, zone)
    else:
        say(history_lines(found, zone))
    return 0


@click.command("diff")
@click.argument("start", metavar="FROM")
@click.argument("end", required=False, default="now", metavar="[TO]")
@click.option(
    "--stream", "streams", multiple=True, type=click.Choice(STREAMS), help="In this stream."
)
@click.option(
    "--category", "categories", multiple=True, metavar="CATEGORY", help="In this category."
)
@shared_options
@click.pass_obj
def diff_command(
    shared: Shared, start: str, end: str, streams: tuple[str, ...], categories: tuple[str, ...]
) -> int:
    """Show what the memory learned, changed and dropped between two times.

    A time is a date, a date-time, a phrase or a revision; without a second one, now. Words between
    [- and -] went, those between {+ and +} came.

    \b
    vaultmem diff "last Tuesday"
    vaultmem diff 2026-02-01 2026-03-01 --stream projects
    vaultmem diff HEAD~5 HEAD
    """
    from vaultmem.cli.reports_history import diff_lines

    with opened(shared.vault) as memory, shown_progress() as progress:
        found = memory.diff(start, end, streams=streams, categories=categories, progress=progress)
        tell_gaps(memory.gaps())
        zone = memory.settings.timezone
    if shared.as_json:
        say_json(found, zone)
    else:
        say(diff_lines(found, zone))
    return 0


@click.command("timeline")
@click.argument("subject", required=False, default="", metavar="[SUBJECT]")
@click.argument("predicate", required=False, default="", metavar="[PREDICATE]")
@click.option(
    "--stream", "streams", multiple=True, type=click.Choice(STREAMS), help="In this stream."
)
@click.option("--ascii", "plain", is_flag=True, help="Draw with ASCII characters only.")
@shared_options
@click.pass_obj
def timeline_command(
    shared: Shared, subject: str, predicate: str, streams: tuple[str, ...], plain: bool
) -> int:
    """Draw when items hold, as bars on one axis of time.

    Of a subject, a slot, a stream, or all; what `compact` retired too. An arrow goes on, dots never
    counted (retracted).

    \b
    vaultmem timeline project-x uses_database
    vaultmem timeline --stream projects
    """
    import locale
    import shutil

    from vaultmem.cli.history_report import ASCII, pen_for, timeline_lines

    with opened(shared.vault) as memory, shown_progress() as progress:
        found = memory.timeline(subject, predicate, streams=streams, progress=progress)
        tell_gaps(memory.gaps())
        zone = memory.settings.timezone
    if shared.as_json:
        say_json(found, zone)
    else:
        pen = ASCII if plain else pen_for(locale.getencoding())
        width = shutil.get_terminal_size().columns
        say(timeline_lines(found, zone, width=width, pen=pen))
    return 0
