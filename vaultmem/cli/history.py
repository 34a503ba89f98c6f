"""edit, log, undo, restore."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import click

from vaultmem.base import DISK_HINTS, DiskError, VaultmemError
from vaultmem.cli.open_vault import open_memory
from vaultmem.cli.options import Shared, shared_options, shown_progress
from vaultmem.cli.output import say, say_json, tell_gaps
from vaultmem.cli.report_lines import edited_lines, log_lines, undone_lines
from vaultmem.model import STREAMS

SHORT_ID = 4  # characters of a commit's id that may stand for it; a shorter number counts
# What is named is no program, or not for this person; anything else is the system's refusal.
_WRONG_PROGRAM = (errno.ENOENT, errno.EACCES, errno.ENOEXEC, errno.ENOTDIR)


@click.command("edit")
@click.argument("note", metavar="ID|PATH")
@shared_options
@click.pass_obj
def edit_command(shared: Shared, note: str) -> int:
    """Open a note in your editor and take in what you changed.

    The editor is $VISUAL, else $EDITOR. What you save is committed as your edit.

    \b
    vaultmem edit i-7f3a2kq9xw
    vaultmem edit streams/tasks.md
    """
    with open_memory(shared.vault) as memory:
        file = memory.edit.file_of(note)
        _run_editor(file)
        edited = memory.edit.take_in(file)
        zone = memory.settings.timezone
    if shared.as_json:
        say_json(edited, zone)
    else:
        say(edited_lines(edited))
    return 0


@click.command("log")
@click.argument("note", required=False, metavar="[ID|PATH]")
@click.option(
    "-n",
    "--limit",
    type=click.IntRange(1, 100_000),
    default=20,
    show_default=True,
    metavar="N",
    help="At most so many.",
)
@shared_options
@click.pass_obj
def log_command(shared: Shared, note: str | None, limit: int) -> int:
    """Show what was done, newest first.

    One line a commit; with a note, those that changed it, across renames.

    \b
    vaultmem log
    vaultmem log i-7f3a2kq9xw
    """
    with open_memory(shared.vault) as memory:
        operations = memory.history.log(note, limit=limit)
        gaps = memory.history.gaps()
        zone = memory.settings.timezone
    if shared.as_json:
        say_json(operations, zone)
    else:
        say(log_lines(operations, zone))
    tell_gaps(gaps)
    return 0


@click.command("undo")
@click.argument("which", required=False, metavar="[N|COMMIT]")
@shared_options
@click.pass_obj
def undo_command(shared: Shared, which: str | None) -> int:
    """Take the last operation back, by a new commit.

    With a number, the last so many, by one commit. Nothing is lost: the history keeps what was
    undone, and undoing the undo brings it back. Where something was changed since, nothing is
    touched.

    \b
    vaultmem undo
    vaultmem undo 3
    vaultmem undo 1a2b3c4d
    """
    is_count = which is not None and which.isascii() and which.isdigit() and len(which) < SHORT_ID
    with open_memory(shared.vault) as memory:
        done = memory.undo(last=int(which)) if which and is_count else memory.undo(which)
        zone = memory.settings.timezone
    if shared.as_json:
        say_json(done, zone)
    else:
        say(undone_lines(done, "undid"))
    return 0


@click.command("restore")
@click.argument("note", metavar="ID|PATH")
@click.option(
    "--at", metavar="REV|DATE", help="The revision, or the time; without it, the last other text."
)
@shared_options
@click.pass_obj
def restore_command(shared: Shared, note: str, at: str | None) -> int:
    """Give a note an earlier text, by a new commit.

    \b
    vaultmem restore i-7f3a2kq9xw
    vaultmem restore categories/tools.md --at 1a2b3c4d
    vaultmem restore i-7f3a2kq9xw --at 2026-02-03
    """
    with open_memory(shared.vault) as memory:
        done = memory.history.restore(note, at=at)
        zone = memory.settings.timezone
    if shared.as_json:
        say_json(done, zone)
    else:
        say(undone_lines(done, "restored from"))
    return 0


def _run_editor(file: Path) -> None:
    """Run the person's editor on the file; raises VaultmemError when there is none or it fails."""
    import shlex
    import subprocess

    editor = os.environ.get("VISUAL") or os.environ.get("EDITOR") or ""
    if not editor.strip():
        raise VaultmemError(
            "no editor is set", hint=f"set VISUAL or EDITOR, or open '{file}' yourself"
        )
    command = [*shlex.split(editor, posix=os.name == "posix"), str(file)]
    try:
        code = subprocess.run(command, check=False).returncode
    except OSError as error:
        message = f"cannot run the editor '{editor}': {error.strerror}"
        if error.errno in _WRONG_PROGRAM:
            raise VaultmemError(message, hint="check VISUAL and EDITOR") from error
        raise DiskError(message, hint=DISK_HINTS.get(error.errno or 0, "")) from error
    if code != 0:
        raise VaultmemError(
            f"the editor '{editor}' ended with code {code}",
            hint="what it saved is on disk and will be taken in by the next command",
        )


# history, diff, timeline: look back at what was known.


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
    from vaultmem.cli.history_report import history_lines  # saves 3 modules

    with open_memory(shared.vault) as memory, shown_progress() as progress:
        found = memory.history.of(about, predicate, value=value, progress=progress)
        tell_gaps(memory.history.gaps())
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
    from vaultmem.cli.history_report import diff_lines  # saves 3 modules

    with open_memory(shared.vault) as memory, shown_progress() as progress:
        found = memory.history.diff(
            start, end, streams=streams, categories=categories, progress=progress
        )
        tell_gaps(memory.history.gaps())
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

    from vaultmem.cli.history_report import ASCII, pen_for, timeline_lines  # saves 3 modules

    with open_memory(shared.vault) as memory, shown_progress() as progress:
        found = memory.history.timeline(subject, predicate, streams=streams, progress=progress)
        tell_gaps(memory.history.gaps())
        zone = memory.settings.timezone
    if shared.as_json:
        say_json(found, zone)
    else:
        pen = ASCII if plain else pen_for(locale.getencoding())
        width = shutil.get_terminal_size().columns
        say(timeline_lines(found, zone, width=width, pen=pen))
    return 0
