"""recall, search, show, list."""

from __future__ import annotations

import click

from vaultmem.api import RECALL
from vaultmem.base import Any
from vaultmem.cli import recall
from vaultmem.cli.options import (
    Shared,
    filter_options,
    given_fields,
    limit_option,
    ranking_options,
    request_options,
    shared_options,
    sync_option,
    time_options,
)


@click.command("recall")
@click.argument("words", nargs=-1, required=True, metavar="QUESTION...")
@limit_option
@click.option("--explain", is_flag=True, help="Show what was searched and the parts of each score.")
@request_options(RECALL, "half_lives", "tiered", "rounds")
@ranking_options
@filter_options
@time_options
@sync_option
@shared_options
@click.pass_obj
def recall_command(
    shared: Shared,
    /,
    words: tuple[str, ...],
    explain: bool,
    no_sync: bool,
    **about: Any,
) -> int:
    """Answer a question from the vault.

    Prints at most five notes with kind, date, source and score, best first, or the words
    'no memory found'. A misspelt word finds its note.

    \b
    vaultmem recall "where do I keep the spare key"
    vaultmem recall --kind decision --since 2026-01-01 database
    vaultmem recall --half-life tasks=14 --explain "what is open"
    vaultmem recall --preset park --diverse --explain "what about the garden"
    vaultmem recall --expand "why did we move"
    vaultmem recall --tiered "what does Lena eat"
    vaultmem recall --no-sync "what does Lena eat"
    vaultmem recall --rounds 2 --explain "who moved to Bergen and why"
    vaultmem recall --as-of 2026-02-03 "which database"
    vaultmem recall --as-of 2026-02-02 --known-at "last Tuesday" "which database"
    """
    given = given_fields(about)
    if "half_lives" in given:
        given["half_lives"] = recall.read_half_lives(given["half_lives"])
    return recall.recall(
        words,
        vault=shared.vault,
        about=given,
        filters=shared.filters,
        as_json=shared.as_json,
        explain=explain,
        no_sync=no_sync,
    )


@click.command("search")
@click.argument("words", nargs=-1, required=True, metavar="WORDS...")
@limit_option
@click.option("--explain", is_flag=True, help="Show what was searched and the parts of each score.")
@filter_options
@time_options
@sync_option
@shared_options
@click.pass_obj
def search_command(
    shared: Shared,
    /,
    words: tuple[str, ...],
    explain: bool,
    no_sync: bool,
    **about: Any,
) -> int:
    """List every kind of note that has the words.

    Items of any status, the texts they came from, categories, streams and included pages, best
    first.

    \b
    vaultmem search postgres -n 50
    vaultmem search --status superseded employer
    vaultmem search --known-at HEAD~20 employer
    """
    return recall.recall(
        words,
        vault=shared.vault,
        about=given_fields(about),
        filters=shared.filters,
        as_json=shared.as_json,
        explain=explain,
        everything=True,
        no_sync=no_sync,
    )


@click.command("show")
@click.argument("note", metavar="ID|PATH")
@time_options
@sync_option
@shared_options
@click.pass_obj
def show_command(
    shared: Shared, note: str, as_of: str | None, known_at: str | None, no_sync: bool
) -> int:
    """Print one note, what it came from and what links to it.

    \b
    vaultmem show i-7f3a2kq9xw
    vaultmem show streams/identity.md
    vaultmem show i-7f3a2kq9xw --known-at "last Tuesday"
    """
    return recall.show(
        note,
        vault=shared.vault,
        as_json=shared.as_json,
        as_of=as_of,
        known_at=known_at,
        no_sync=no_sync,
    )


@click.command("list")
@limit_option
@filter_options
@time_options
@sync_option
@shared_options
@click.pass_obj
def list_command(
    shared: Shared,
    limit: int | None,
    as_of: str | None,
    known_at: str | None,
    no_sync: bool,
) -> int:
    """List notes, newest first.

    \b
    vaultmem list --kind preference
    vaultmem list --stream tasks --status active -n 20
    vaultmem list --stream projects --as-of 2026-02-03
    """
    return recall.list_notes(
        vault=shared.vault,
        limit=limit,
        filters=shared.filters,
        as_json=shared.as_json,
        as_of=as_of,
        known_at=known_at,
        no_sync=no_sync,
    )
