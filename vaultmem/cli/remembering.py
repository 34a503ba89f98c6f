"""remember."""

from __future__ import annotations

import click

from vaultmem.api import REMEMBER
from vaultmem.base import Any
from vaultmem.cli import remember
from vaultmem.cli.options import Shared, given_fields, request_options, shared_options


@click.command("remember")
@click.argument("words", nargs=-1, metavar="[TEXT | FILE... | -]")
@click.option(
    "--file", "files", multiple=True, metavar="FILE", help="Keep this file, or - (stdin)."
)
@request_options(REMEMBER)
@click.option("--dry-run", is_flag=True, help="Only say what would be done.")
@click.option("--explain", is_flag=True, help="Say of each sentence why it is kept or not.")
@shared_options
@click.pass_obj
def remember_command(
    shared: Shared,
    /,
    words: tuple[str, ...],
    files: tuple[str, ...],
    dry_run: bool,
    explain: bool,
    **about: Any,
) -> int:
    """Keep a text, and the items that it states.

    The text is kept whole; what it states for longer than today becomes items, in one commit. A
    file may be plain text, Markdown, or a JSON list of {role, content, time}. The same text twice
    changes nothing. Keys, tokens and passwords are kept out of the vault (`vaultmem help privacy`).

    \b
    vaultmem remember "I prefer tabs over spaces"
    vaultmem remember "Project X keeps its data in SQLite" --fact project-x uses_database sqlite
    vaultmem remember "No nuts for Ida" --dry-run --explain
    vaultmem remember chat.json
    vaultmem remember notes.md --writer person
    pbpaste | vaultmem remember - --source https://example.org --date 2026-03-11
    """
    return remember.remember(
        words,
        files=files,
        vault=shared.vault,
        about=given_fields(about),
        dry_run=dry_run,
        explain=explain,
        as_json=shared.as_json,
    )
