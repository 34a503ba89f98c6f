"""edit, log, undo, restore."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import click

from vaultmem.base.errors import DISK_HINTS, DiskError, VaultmemError
from vaultmem.cli.options import Shared, shared_options
from vaultmem.cli.output import say, say_json, tell_gaps
from vaultmem.cli.recall import opened
from vaultmem.cli.reports import edited_lines, log_lines, undone_lines

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
    with opened(shared.vault) as memory:
        file = memory.edit_path(note)
        _run_editor(file)
        edited = memory.edited(file)
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
    with opened(shared.vault) as memory:
        operations = memory.log(note, limit=limit)
        gaps = memory.gaps()
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
    with opened(shared.vault) as memory:
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
    with opened(shared.vault) as memory:
        done = memory.restore(note, at=at)
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
