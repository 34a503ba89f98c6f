"""context: what an assistant is given before it answers."""

from __future__ import annotations

from pathlib import Path

import click

from vaultmem.cli.context_print import print_context
from vaultmem.cli.options import Shared, shared_options, sync_option, time_options
from vaultmem.model import FORMATS, Format


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
@shared_options
@click.pass_obj
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
