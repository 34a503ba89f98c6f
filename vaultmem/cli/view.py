"""view."""

from __future__ import annotations

import json
import os
import sys

import click

from vaultmem import config, server
from vaultmem.base import TYPE_CHECKING
from vaultmem.cli.failures import until_stopped
from vaultmem.cli.open_vault import clock
from vaultmem.cli.options import Shared, shared_options
from vaultmem.cli.output import as_plain, say_now, warn

if TYPE_CHECKING:
    from vaultmem.window import Window


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
@shared_options
@click.pass_obj
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
