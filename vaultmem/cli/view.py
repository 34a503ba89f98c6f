"""view."""

from __future__ import annotations

import json
import os
import sys

import click

from vaultmem import config, server
from vaultmem.base import TYPE_CHECKING
from vaultmem.cli.failures import until_stopped
from vaultmem.cli.open_vault import clock, open_memory
from vaultmem.cli.options import Shared, shown_progress, with_shared
from vaultmem.cli.output import as_plain, say, say_json, say_now, warn
from vaultmem.language import format_date
from vaultmem.model import NOTHING_FOUND, pluralise

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vaultmem.window import Canvas, Report, Window


@click.command("view")
@click.option(
    "--port",
    type=click.IntRange(0, 65_535),
    metavar="PORT",
    default=0,
    show_default=True,
    help="Where it listens; 0 takes any that is free.",
)
@click.option("--no-open", is_flag=True, help="Print the link, and open no browser.")
@with_shared
def view_command(shared: Shared, port: int, no_open: bool) -> int:
    """Look at the memory in a browser and decide there, until Ctrl-C.

    A page of this machine alone, behind a link that works once, for one browser. What is saved
    elsewhere shows within a second. Each decision is one commit, and Undo takes it back.

    \b
    vaultmem view
    vaultmem view --no-open --port 8400
    """
    settings = config.open_settings(shared.vault)
    warn(settings.warnings)
    try:
        from vaultmem.window import Window  # saves 260 modules
    except ImportError as error:
        raise server.missing(str(error.name), "view") from error
    place = server.Place(host="127.0.0.1", port=port)
    with server.listening(place) as bound:
        window = Window(settings, clock(), bound)
        code = until_stopped(
            lambda: window.run(lambda: _begin(window, shared.as_json, opens=not no_open)),
            window.stop,
        )
    if not shared.as_json:
        say_now("stopped")
    return code


def _begin(window: Window, as_json: bool, *, opens: bool) -> None:
    """Say where it is, and open it where there is a browser and somebody who looks."""
    if as_json:
        plain = as_plain({"url": window.address, "link": window.link, "vault": window.vault})
        sys.stdout.write(f"{json.dumps(plain)}\n")
        sys.stdout.flush()
        return
    say_now(f"look at {window.link}")
    say_now("the link works once, for one browser; Ctrl-C stops it")
    if opens and sys.stdin.isatty() and sys.stdout.isatty() and _has_screen():
        import webbrowser

        webbrowser.open(window.link)


def _has_screen() -> bool:
    """Whether a browser could show itself: a text browser would take the terminal over."""
    is_named = any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY"))
    return is_named or sys.platform in ("darwin", "win32")


# canvas.


@click.command("canvas")
@click.argument("file", metavar="OUT.canvas")
@click.argument("question", default="", metavar="[QUESTION]")
@click.option("--force", is_flag=True, help="Write over a file that vaultmem did not draw.")
@with_shared
def canvas_command(shared: Shared, file: str, question: str, force: bool) -> int:
    """Draw a memory and what it is linked with, for Obsidian.

    QUESTION is what you look for, or the id or name of a note; without it, people, projects and
    topics are drawn, with what holds of each. In the vault the cards are the notes themselves,
    elsewhere their words. An earlier canvas is drawn anew if nobody changed it since; any other
    file is written over only with --force. The format is JSON Canvas 1.0.

    \b
    vaultmem canvas memory.canvas
    vaultmem canvas leni.canvas "what may Leni eat"
    vaultmem canvas job.canvas i-fbcjgzz03f
    """
    from vaultmem.window import write_canvas  # saves 40 modules

    with open_memory(shared.vault) as memory:
        canvas = write_canvas(memory, file, question, force=force)
    if shared.as_json:
        say_json(canvas)
    elif canvas is None:
        say([NOTHING_FOUND])
    else:
        say(_lines(canvas))
    return 0


def _lines(canvas: Canvas) -> Iterator[str]:
    cards = "" if canvas.opens_notes else ", as words: it lies outside the vault"
    yield f"drew '{canvas.path}': {pluralise(canvas.notes, 'note')}{cards}"
    if canvas.left_out:
        yield f"{canvas.left_out:,} more had no room"


# report.


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
@with_shared
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
    return shared.say(report, _report_lines(report, zone), zone)


def _report_lines(report: Report, zone: str) -> Iterator[str]:
    items = "1 item" if report.items == 1 else f"{report.items:,} items"
    since = format_date(report.since, zone)
    yield f"wrote '{report.path}': {items}, changes since {since}, {report.bytes / 1e3:,.0f} kB"
    if report.redacted:
        yield "redacted; read it yourself before you send it: no program knows every name"
