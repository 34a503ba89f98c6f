"""remember."""

from __future__ import annotations

import click

from vaultmem.cli import remember
from vaultmem.cli.options import Shared, shared_options
from vaultmem.model import KINDS, STREAMS, WRITERS


@click.command("remember")
@click.argument("words", nargs=-1, metavar="[TEXT | FILE... | -]")
@click.option(
    "--file", "files", multiple=True, metavar="FILE", help="Keep this file, or - (stdin)."
)
@click.option("--title", default="", metavar="TITLE", help="Title of the text.")
@click.option("--date", metavar="DATE", help="When it was written or said.")
@click.option("--source", default="", metavar="WHERE", help="Where it comes from: a name, a URL.")
@click.option("--kind", type=click.Choice(KINDS), help="Kind of its items.")
@click.option("--stream", type=click.Choice(STREAMS), help="Stream of its items.")
@click.option("--category", metavar="SLUG", help="Category of its items.")
@click.option("--valid-from", metavar="DATE", help="When its items begin to hold.")
@click.option("--valid-until", metavar="DATE", help="From when they hold no more.")
@click.option(
    "--fact",
    nargs=3,
    metavar="SUBJECT PREDICATE VALUE",
    help="The text states this fact; without a text, a sentence is made of it.",
)
@click.option(
    "--confidence", type=float, metavar="0..1", help="How sure its items are. Default: as found."
)
@click.option("--pin", "pinned", is_flag=True, help="Its items never fade.")
@click.option("--hard", is_flag=True, help="Its items are shown first, and only you remove them.")
@click.option(
    "--writer",
    default="",
    type=click.Choice(["", *WRITERS]),
    metavar="|".join(WRITERS),
    help="Whose words they are. Typed: person; a file or stdin: import; a URL: web.",
)
@click.option("--raw", is_flag=True, help="Keep the text without extracting items.")
@click.option("--redact", "secrets", flag_value="redact", help="Keep the text without its secrets.")
@click.option(
    "--allow-secret", "secrets", flag_value="allow", help="Keep the text with its secrets."
)
@click.option("--dry-run", is_flag=True, help="Only say what would be done.")
@click.option("--explain", is_flag=True, help="Say of each sentence why it is kept or not.")
@shared_options
@click.pass_obj
def remember_command(
    shared: Shared,
    words: tuple[str, ...],
    files: tuple[str, ...],
    title: str,
    date: str | None,
    source: str,
    kind: str | None,
    stream: str | None,
    category: str | None,
    valid_from: str | None,
    valid_until: str | None,
    fact: tuple[str, str, str] | None,
    confidence: float | None,
    pinned: bool,
    hard: bool,
    writer: str,
    raw: bool,
    secrets: str | None,
    dry_run: bool,
    explain: bool,
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
        title=title,
        date=date,
        source=source,
        kind=kind,
        stream=stream,
        category=category,
        valid_from=valid_from,
        valid_until=valid_until,
        fact=fact,
        confidence=confidence,
        pinned=pinned,
        hard=hard,
        writer=writer,
        extract=not raw,
        dry_run=dry_run,
        secrets=secrets,
        explain=explain,
        as_json=shared.as_json,
    )
