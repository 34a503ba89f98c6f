"""demo: the sample vault, and what a person would do with it on the first evening."""

from __future__ import annotations

import io
import os
import shutil
import sys
from contextlib import redirect_stdout
from pathlib import Path

import click

from vaultmem import base
from vaultmem.base import BadInputError, DiskError
from vaultmem.cli.options import Shared, with_shared
from vaultmem.cli.output import say
from vaultmem.storage import git

CONVERSATION = """\
**Hanna** (2026-11-20 20:14): Brunner called about Andritz. I decided to hang the curtains on
tracks from Brunner, not from Feldmann.

**Assistant** (2026-11-20 20:14): Good choice! Shall I remind you to order them?

**Hanna** (2026-11-20 20:16): Yes please. I prefer to get reminders in the morning.
"""
ASKED = "what may Leni eat at school"
# What the person corrects by hand: the choir has moved its rehearsal by half an hour.
CORRECTED = ("items/2026/11/05", "Thursdays at 19:00", "Thursdays at 19:30")


@click.command("demo")
@click.argument("folder", default="vaultmem-demo", metavar="[FOLDER]")
@with_shared
def demo_command(shared: Shared, folder: str) -> int:
    """Copy the sample vault and show what vaultmem does with it.

    A year of one invented person. Every command is printed as you would type it; the folder stays
    yours to play with, and nothing outside it is touched but the index.

    \b
    vaultmem demo
    vaultmem demo ~/hanna
    """
    root = _copy_sample(Path(folder).expanduser())
    os.environ["VAULTMEM_VAULT"] = str(root)
    before = Path.cwd()
    os.chdir(root)
    try:
        return _play(folder)
    finally:
        os.chdir(before)


def _play(folder: str) -> int:
    _show_command(f"cd {folder}")
    note = _corrected_note()
    replacement = f"s/{CORRECTED[1]}/{CORRECTED[2]}/"
    return (
        _say_comment("A year of notes, made into a vault.")
        or _run("init")
        or _run("sync")
        or _run("status")
        or _say_comment("A question finds its note, misspelt or not.")
        or _run("recall", "which bakry rule is there for Leni", "-n", "2")
        or _say_comment(
            "What an assistant is given before it answers: as much as fits, never more."
        )
        or _run("context", "--budget", "300", "--explain", ASKED)
        or _run("context", "--budget", "1000", "--explain", ASKED, only_drawn=True)
        or _run("context", "--budget", "3000", "--explain", ASKED, only_drawn=True)
        or _say_comment("A conversation is kept word for word; what it states becomes items.")
        or _run("remember", "-", typed=CONVERSATION)
        or _run("recall", "when does Hanna want remindrs", "-n", "1")
        or _say_comment("Files are the truth: correct one in any editor...")
        or _edit_note(f'sed -i "{replacement}" {note}', note)
        or _run("recall", "when does the choir rehearse", "-n", "1")
        or _say_comment("...and it is committed as your edit, once it rests or you say so.")
        or _run("sync")
        or _say_comment("What held in winter, and what was known before your edit: two questions.")
        or _run("recall", "reverberation in the canteen", "-n", "1", "--as-of", "2026-02-01")
        or _run("recall", "when does the choir rehearse", "-n", "1", "--known-at", "HEAD~2")
        or _say_comment("The world changes: the old fact ends, it does not go.")
        or _run("change", "user", "works_at", "Studio Kern")
        or _run("history", "user", "works_at")
        or _say_comment("Every change is a commit.")
        or _git_log(4)
    )


def _say_comment(comment: str) -> int:
    say(["", f"# {comment}"])
    return 0


def _show_command(command: str) -> None:
    say([f"$ {command}"])
    sys.stdout.flush()


def _run(*arguments: str, typed: str | None = None, only_drawn: bool = False) -> int:
    """Print a command line, then its output; `typed` is given on standard input.

    only_drawn  nothing of its standard output
    """
    from vaultmem.cli.main import run  # saves 4 modules

    shown = " ".join(f'"{word}"' if " " in word else word for word in arguments)
    if only_drawn:
        _show_command(f"vaultmem {shown} > {os.devnull}")
        with redirect_stdout(io.TextIOWrapper(io.BytesIO(), encoding="utf-8")):
            return run(arguments)
    if typed is None:
        _show_command(f"vaultmem {shown}")
        return run(arguments)
    _show_command(f"vaultmem {shown} <<END\n{typed}END")
    before, sys.stdin = sys.stdin, io.TextIOWrapper(io.BytesIO(typed.encode()), encoding="utf-8")
    try:
        return run(arguments)
    finally:
        sys.stdin = before


def _edit_note(command: str, note: Path) -> int:
    """Print the command that corrects the note, and do what it does."""
    _show_command(command)
    text = note.read_text(encoding="utf-8")
    note.write_text(text.replace(CORRECTED[1], CORRECTED[2]), encoding="utf-8")
    return 0


def _corrected_note() -> Path:
    found = sorted(
        note
        for note in Path(CORRECTED[0]).glob("*.md")
        if CORRECTED[1] in note.read_text(encoding="utf-8")
    )
    return found[0]


def _git_log(count: int) -> int:

    words = ["log", "--oneline", "-n", str(count)]
    _show_command(" ".join(["git", *words]))
    search_path = os.environ.get("PATH", os.defpath)
    # The settings of the person do not matter here, and no pager may stop the demo.
    environ = {"PATH": search_path, "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull}
    done = git.start([git.find_git(search_path), "--no-pager", *words], environ, seconds=30).wait()
    say(done.out.decode("utf-8", "replace").splitlines())
    return done.code


def _copy_sample(folder: Path) -> Path:
    """The sample vault in a folder that is new or empty."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise BadInputError(
            f"'{folder}' is there already", hint="name a new folder: `vaultmem demo FOLDER`"
        )
    try:
        shutil.copytree(base.sample_vault(), folder, dirs_exist_ok=True)
    except OSError as error:
        raise DiskError(f"cannot copy the sample vault to '{folder}': {error}") from error
    return folder.resolve()
