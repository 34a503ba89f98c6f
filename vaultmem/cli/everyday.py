"""The everyday commands: remember, recall, context, search, show, list, links, feedback.

The work of the first three stands in files of their names, which load no click.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from vaultmem.api import RECALL, REMEMBER
from vaultmem.base import TYPE_CHECKING, Any
from vaultmem.cli import recall, remember
from vaultmem.cli.context import print_context
from vaultmem.cli.note_lines import list_lines
from vaultmem.cli.open_vault import open_memory
from vaultmem.cli.options import (
    Shared,
    filter_options,
    given_fields,
    limit_option,
    ranking_options,
    request_options,
    sync_option,
    time_options,
    with_shared,
)
from vaultmem.model import FORMATS, Format

if TYPE_CHECKING:
    from vaultmem.model import Judged, LinkedNote, Links


@click.command("recall")
@click.argument("words", nargs=-1, required=True, metavar="QUESTION...")
@limit_option
@click.option("--explain", is_flag=True, help="Show what was searched and the parts of each score.")
@request_options(RECALL, "half_lives", "tiered", "rounds", "rerank")
@ranking_options
@filter_options
@time_options
@sync_option
@with_shared
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
    vaultmem recall --rerank --explain "who could lend me a drill"
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
@request_options(RECALL, "rerank")
@filter_options
@time_options
@sync_option
@with_shared
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
@with_shared
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
@with_shared
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


@click.command("remember")
@click.argument("words", nargs=-1, metavar="[TEXT | FILE... | -]")
@click.option(
    "--file", "files", multiple=True, metavar="FILE", help="Keep this file, or - (stdin)."
)
@request_options(REMEMBER)
@click.option("--dry-run", is_flag=True, help="Only say what would be done.")
@click.option("--explain", is_flag=True, help="Say of each sentence why it is kept or not.")
@with_shared
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


@click.command("context")
@click.argument("words", nargs=-1, metavar="[QUESTION]...")
@click.option(
    "--budget",
    type=click.IntRange(min=1),
    metavar="N",
    help="Most tokens of the text; without, `context.tokens` of the settings (2000).",
)
@click.option(
    "--window",
    type=click.IntRange(min=1),
    metavar="N",
    help="Tokens of the model's window, of which memory takes 15 % at most.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMATS),
    default="markdown",
    help="How the text is written: as a page, as data, or as messages of a chat.",
)
@click.option(
    "--counter",
    type=click.Choice(("estimate", "words", "o200k", "cl100k", "provider")),
    help="What counts the tokens; the exact ones are the extra `tokens`, `provider` follows what "
    "your model's server has counted.",
)
@click.option(
    "--session",
    metavar="ID",
    help="With what holds in this conversation (`vaultmem session`), and its turns.",
)
@click.option(
    "--project",
    metavar="NAME|auto|none",
    help="As asked in this project: what was told there first, what is of another last.",
)
@click.option("--explain", is_flag=True, help="Draw who was granted how many tokens.")
@click.option(
    "--plot",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Draw the flow of tokens into FILE.svg, or FILE.png (the extra `plot`).",
)
@time_options
@sync_option
@with_shared
def context_command(
    shared: Shared,
    words: tuple[str, ...],
    budget: int | None,
    window: int | None,
    form: Format,
    counter: str | None,
    session: str | None,
    explain: bool,
    plot: Path | None,
    as_of: str | None,
    known_at: str | None,
    no_sync: bool,
    project: str | None,
) -> int:
    """Print what an assistant is given, within a token budget.

    Hard exceptions, how the person wants it, who they are, rules and procedures; then what answers
    the question. Without a question, what is current in each stream. The final text is counted:
    it is never over the budget. Every line has its date and where it is from.

    \b
    vaultmem context "what may Leni eat"
    vaultmem context --budget 500 --explain "what may Leni eat"
    vaultmem context --plot flow.svg "what may Leni eat"
    vaultmem context --format messages --window 32000 "what may Leni eat"
    vaultmem context --as-of 2026-02-01 "where do we work"
    """
    return print_context(
        words,
        vault=shared.vault,
        budget=budget,
        window=window,
        form=form,
        counter=counter,
        session=session,
        explain=explain,
        plot=plot,
        as_of=as_of,
        known_at=known_at,
        no_sync=no_sync,
        project=project,
        as_json=shared.as_json,
    )


@click.command("links")
@click.argument("note", metavar="ID|PATH")
@with_shared
def links_command(shared: Shared, note: str) -> int:
    """Show what a note is linked with, and what could be added.

    Both ways, among the notes that hold now. What could be added is worked out and written
    nowhere; to keep it write `causes: "[[i-...]]"` (or another type) into the front matter,
    or a [[wikilink]].

    \b
    vaultmem links i-7f3a2kq9xw
    vaultmem links projects/garden.md
    """
    with open_memory(shared.vault) as memory:
        found = memory.ranking.links(note)
        zone = memory.settings.timezone
    return shared.say(found, links_lines(found, zone), zone)


@click.command("feedback")
@click.argument("hit", metavar="HIT")
@click.option("--accept", is_flag=True, help="It answered.")
@click.option("--reject", is_flag=True, help="It did not.")
@with_shared
def feedback_command(shared: Shared, hit: str, accept: bool, reject: bool) -> int:
    """Say of a hit that it answered, or did not.

    The preset that ranked it learns from that, on all devices that share the vault.
    HIT is the number of a hit of the last answer on this device, or the id of a note in a recent
    one. The answer has to be of a preset with weights (`vaultmem help ranking`).

    \b
    vaultmem recall --preset balanced "what about the garden"
    vaultmem feedback 2 --accept
    """
    if accept == reject:
        raise click.UsageError("say --accept or --reject")
    with open_memory(shared.vault) as memory:
        judged = memory.ranking.feedback(hit, accepted=accept)
        zone = memory.settings.timezone
    return shared.say(judged, judged_lines(judged), zone)


def links_lines(found: Links, zone: str) -> Iterator[str]:
    """What a note is linked with, and what could be added."""
    yield from list_lines([found.note], zone)
    shown = False
    for title, notes in (
        ("links to", found.outgoing),
        ("linked by", found.incoming),
        ("could link to", found.proposed),
    ):
        if notes:
            shown = True
            yield ""
            yield f"{title}:"
            yield from _link_lines(notes, zone)
    if found.entities:
        yield ""
        yield f"names: {', '.join(found.entities)}"
    elif not shown:
        yield "no links, and nothing alike to link to"


def _link_lines(notes: Sequence[LinkedNote], zone: str) -> Iterator[str]:
    width = max(len(one.relation) for one in notes)
    for one, line in zip(notes, list_lines([one.note for one in notes], zone), strict=True):
        reason = f"  ({one.reason})" if one.reason else ""
        yield f"  {one.relation:<{width}}  {line}{reason}"


def judged_lines(judged: Judged) -> Iterator[str]:
    """What a judgement counts for."""
    word = "accepted" if judged.accepted else "rejected"
    shares = ", ".join(f"{name} {share:.0%}" for name, share in judged.credit)
    yield f"{word} {judged.note or 'a note'} (commit {judged.commit[:8]})"
    yield f"credit: {shares}"
    left = judged.needed - judged.judgements
    if left > 0:
        yield f"'{judged.preset}' keeps its fixed weights; it learns after {left} more"
    else:
        yield f"'{judged.preset}' learns from {judged.judgements} judgements"
