"""llm check, summarise, reflect."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import click

from vaultmem import base, config, models
from vaultmem.base import TYPE_CHECKING
from vaultmem.cli.note_lines import one_line
from vaultmem.cli.options import (
    Shared,
    Table,
    shared_options,
    shown_progress,
    shown_waiting,
    with_shared,
)
from vaultmem.cli.output import warn

if TYPE_CHECKING:
    from vaultmem.config import Settings
    from vaultmem.model import (
        Evolved,
        ModelCheck,
        ModelsChecked,
        Opinion,
        Reflected,
        Remembered,
        SessionEnded,
        SummariseReport,
    )


@click.group("llm", cls=Table, invoke_without_command=True)
@shared_options
@click.pass_context
def llm_command(context: click.Context) -> None:
    """Ask the language models of your settings whether they work.

    Nothing needs a model. `vaultmem help llm` says what one is for, and what is sent to it.

    \b
    vaultmem llm check
    """
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


@llm_command.command("check")
@with_shared
def llm_check(shared: Shared) -> int:
    """Ask each model three short questions, and say what it can do.

    Whether it replies, how it is made to answer with JSON, and whether it streams. Nothing of a
    vault is sent, and none is needed.

    \b
    vaultmem llm check
    vaultmem llm check --json
    """
    settings = _settings(shared.vault)
    warn(settings.warnings)
    with shown_waiting("asking the model"):
        found = models.check_models(settings)
    shared.say(found, _lines(found))
    bad = [each for model in found.models if not model.works for each in model.tried]
    return next((each.exit_code for each in bad if each.exit_code), 0)


def _settings(vault: str | None) -> Settings:
    """Those of the vault that is meant; outside of any, the person's own."""
    import os
    from pathlib import Path

    try:
        return config.open_settings(vault)
    except base.NoVaultError:
        if vault is not None:
            raise
        # A folder in which no vault is, and none can be: the person's settings alone count.
        return config.load_settings(Path(config.state_home(os.environ), "no-vault"))


def _lines(found: ModelsChecked) -> Iterator[str]:
    for model in found.models:
        yield from _model_lines(model)
    if len(found.models) == 1 and found.models[0].role == "summariser":
        yield "chat        the same model"
    if found.extractor == "llm":
        yield "extractor   llm: the model reads what is remembered"
    else:
        yield f'extractor   {found.extractor}; `extractor = "llm"` lets the model read'
    if found.record != "off":
        yield f"record      {found.record} (not for these questions)"


def _model_lines(model: ModelCheck) -> Iterator[str]:
    place = "on this device" if model.on_this_device else "elsewhere: what it reads leaves here"
    yield f"{model.role:<11} {model.model} ({model.provider}) at {model.where}, {place}"
    if model.answers_as and model.answers_as != model.model:
        yield f"  answers as {model.answers_as}"
    yield f"  key       {'sent' if model.has_key else 'none'}"
    for tried in model.tried:
        mark = "yes" if tried.works else "no"
        took = f" ({tried.seconds:.1f} s)" if tried.works else ""
        yield f"  {tried.what:<9} {mark}{took}: {tried.told}"


@click.command("summarise")
@click.argument("names", nargs=-1, metavar="[CATEGORY...]")
@click.option("--dry-run", is_flag=True, help="Print the new summaries, and write nothing.")
@with_shared
def summarise_command(shared: Shared, names: tuple[str, ...], dry_run: bool) -> int:
    """Let your language model write what categories come to, above their lists.

    Those that are named; without a name, those with an item that their summary does not tell of.
    Each sentence names the items that it is made of, and goes when one of them does. With
    `extractor = "llm"`, `remember` does it for the categories that it touches.

    \b
    vaultmem summarise
    vaultmem summarise family --dry-run
    """
    from vaultmem.cli.open_vault import open_memory  # saves 25 modules

    with open_memory(shared.vault) as memory, shown_progress() as progress:
        found = memory.models.summarise(*names, dry_run=dry_run, progress=progress)
    return shared.say(found, _summarised_lines(found))


def _summarised_lines(found: SummariseReport) -> Iterator[str]:

    for evolved in found.categories:
        yield from evolved_lines([evolved])
        if evolved.outcome == "rewritten":
            yield from (f"    {sentence}" for sentence in evolved.sentences)
        elif evolved.outcome == "skipped":
            yield f"- {evolved.path}: {evolved.why}"
    done = sum(each.outcome == "rewritten" for each in found.categories)
    if not done:
        yield "no summary was changed"
    elif found.dry_run:
        yield "nothing was written (--dry-run)"
    elif found.commit:
        yield f"commit {found.commit[:8]}"


@click.command("reflect")
@click.option("--now", "now_anyway", is_flag=True, help="However little is new.")
@click.option("--quick", is_flag=True, help="From the last conversations that ended, right away.")
@click.option("--dry-run", is_flag=True, help="Print the insights, and write nothing.")
@with_shared
def reflect_command(shared: Shared, now_anyway: bool, quick: bool, dry_run: bool) -> int:
    """Let your language model draw insights from the newest notes.

    When what is new since the last time weighs enough (the sum of its importance). Each insight
    rests on at least two notes, which it links, and is kept as the model's word, not as yours.

    \b
    vaultmem reflect
    vaultmem reflect --now --dry-run
    vaultmem reflect --quick
    """
    from vaultmem.cli.open_vault import open_memory  # saves 25 modules

    with open_memory(shared.vault) as memory, shown_waiting("asking the model"):
        found = memory.learn.reflect(now=now_anyway, quick=quick, dry_run=dry_run)
    return shared.say(found, _reflected_lines(found))


_MARKS = {"add": "+", "reinforce": "="}


def _reflected_lines(found: Reflected) -> Iterator[str]:
    weighs = f"what is new weighs {found.weight} of {found.trigger:g}"
    if not found.read:
        yield f"{weighs}: nothing to reflect on yet (`--now` does it all the same)"
        return
    notes = f"{found.read} note{'' if found.read == 1 else 's'}"
    if found.read < found.least:
        yield f"{notes} to reflect on: an insight rests on at least {found.least}"
    else:
        yield f"reflected on {notes}; {weighs}"
    for insight in found.insights:
        yield f"{_MARKS[insight.outcome]} {insight.statement}"
        rests = f"rests on {', '.join(insight.evidence)}"
        yield f"    {rests} · importance {insight.importance} · {insight.id}"
    for weak in found.weakened:
        share = f"{weak.held} of {weak.evidence} notes hold"
        yield f"- less sure, {share} ({weak.before:g} → {weak.confidence:g}): {weak.statement}"
    for rejected in found.rejected:
        yield f"- not kept: {rejected.text[:90]} ({rejected.rule})"
    if not (found.insights or found.weakened):
        yield "nothing was written"
    elif found.dry_run:
        yield "nothing was written (--dry-run)"
    elif found.commit:
        yield f"commit {found.commit[:8]}"


# What a language model did, as lines a person reads.

_DECIDED = {"supersede": "takes the place of", "update": "says more of", "coexist": "stands beside"}


def model_lines(done: Remembered | SessionEnded) -> Iterator[str]:
    """What a language model did with a text, and where rules stood in for it."""
    if done.without:
        yield f"! read by rules, without the model: {one_line(done.without)}"
    if done.untied:
        yield f"! linked by rules, without the model: {one_line(done.untied)}"
    yield from opinion_lines(done.opinions)
    yield from evolved_lines(done.summaries)


def opinion_lines(opinions: Sequence[Opinion]) -> Iterator[str]:
    """What a model decided between facts, and where it did not."""
    for each in opinions:
        new, known = one_line(each.new, 60), one_line(each.known, 60)
        if each.decision == "undecided":
            yield f"! both are kept, '{new}' and '{known}': {one_line(each.why)}"
        else:
            yield f"~ the model decided: '{new}' {_DECIDED[each.decision]} '{known}'"


def evolved_lines(summaries: Sequence[Evolved]) -> Iterator[str]:
    """What became of summaries; those that stay as they are for want of anything new, nothing."""
    for evolved in summaries:
        if evolved.outcome == "rewritten":
            yield f"~ summary of {evolved.path}: {_sentences(evolved)}"
        elif evolved.outcome == "kept":
            yield f"! summary of {evolved.path} is as it was: {one_line(evolved.why)}"


def _sentences(evolved: Evolved) -> str:
    count = len(evolved.sentences)
    return f"{count} sentence{'' if count == 1 else 's'}"
