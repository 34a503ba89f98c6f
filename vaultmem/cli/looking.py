"""recall, search, show, list."""

from __future__ import annotations

import click

from vaultmem.cli import recall
from vaultmem.cli.options import (
    Shared,
    filter_options,
    limit_option,
    ranking_options,
    shared_options,
    sync_option,
    time_options,
)


@click.command("recall")
@click.argument("words", nargs=-1, required=True, metavar="QUESTION...")
@limit_option
@click.option("--explain", is_flag=True, help="Show what was searched and the parts of each score.")
@click.option(
    "--half-life",
    "half_lives",
    multiple=True,
    metavar="STREAM=DAYS",
    help="How fast notes of a stream fade in the ranking; `never` for days.",
)
@click.option(
    "--tiered",
    is_flag=True,
    help="Read summaries of categories first, then items, then texts: as deep as it needs.",
)
@click.option(
    "--rounds",
    type=click.IntRange(1, None),
    metavar="N",
    help="Ask up to N times: in parts, then for what is missing and for names found.",
)
@ranking_options
@filter_options
@time_options
@sync_option
@shared_options
@click.pass_obj
def recall_command(
    shared: Shared,
    words: tuple[str, ...],
    limit: int | None,
    explain: bool,
    half_lives: tuple[str, ...],
    tiered: bool,
    rounds: int | None,
    preset: str | None,
    diverse: bool,
    expand: bool,
    seed: int | None,
    as_of: str | None,
    known_at: str | None,
    no_sync: bool,
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
    return recall.recall(
        words,
        vault=shared.vault,
        limit=limit,
        filters=shared.filters,
        as_json=shared.as_json,
        explain=explain,
        half_lives=half_lives,
        ranking={"preset": preset, "diverse": diverse, "expand": expand, "seed": seed},
        as_of=as_of,
        known_at=known_at,
        no_sync=no_sync,
        tiered=tiered,
        rounds=rounds,
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
    words: tuple[str, ...],
    limit: int | None,
    explain: bool,
    as_of: str | None,
    known_at: str | None,
    no_sync: bool,
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
        limit=limit,
        filters=shared.filters,
        as_json=shared.as_json,
        explain=explain,
        everything=True,
        as_of=as_of,
        known_at=known_at,
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
