"""change, supersede, correct, expire, retract."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import click

from vaultmem import language
from vaultmem.base import TYPE_CHECKING, Any, TypeVar
from vaultmem.cli.note_lines import one_line
from vaultmem.cli.open_vault import clock, open_memory
from vaultmem.cli.options import Shared, shared_options
from vaultmem.language import format_minute

if TYPE_CHECKING:
    from vaultmem.api import Memory
    from vaultmem.model import Changed, FactState

Command = TypeVar("Command", bound=Callable[..., Any])
_NEW = "ITEM STATEMENT | SUBJECT PREDICATE VALUE"
_ENDED = "ITEM | SUBJECT PREDICATE [VALUE]"
_DONE = {"change": "changed", "correct": "corrected", "expire": "ended", "retract": "retracted"}


def _common(command: Command) -> Command:
    for option in (
        click.option("--dry-run", is_flag=True, help="Only say what would be done."),
        click.option(
            "--writer",
            type=click.Choice(["person", "agent"]),
            default="person",
            metavar="person|agent",
            help="Who says so. An assistant changes only what is not yours.",
        ),
    ):
        command = option(command)
    return shared_options(command)


_statement = click.option(
    "--statement", default="", metavar="TEXT", help="With a slot: the words of the new item."
)
_effective = click.option(
    "--effective", metavar="DATE", help="From when the new value holds. Default: now."
)


@click.command("change")
@click.argument("words", nargs=-1, metavar=_NEW)
@_effective
@_statement
@_common
@click.pass_obj
def change_command(
    shared: Shared,
    words: tuple[str, ...],
    effective: str | None,
    statement: str,
    writer: str,
    dry_run: bool,
) -> int:
    """Say that the world changed: the old fact ends, a new one begins.

    A fact is an item, or the value of a slot: who or what it is about, and which question it
    answers. The old item keeps its words and is linked with the new one.

    \b
    vaultmem change project-x uses_database sqlite --effective 2026-02-04
    vaultmem change i-7f3a2kq9xw "I live in Porto."
    """

    def run(memory: Memory) -> Changed:
        at = _moment(effective, memory)
        return memory.change(
            *words, effective=at, statement=statement, writer=writer, dry_run=dry_run
        )

    return _say(shared, run)


@click.command("supersede")
@click.argument("words", nargs=-1, metavar=_NEW)
@_effective
@click.option("--retroactive", is_flag=True, help="The record was wrong: as `vaultmem correct`.")
@_statement
@_common
@click.pass_obj
def supersede_command(
    shared: Shared,
    words: tuple[str, ...],
    effective: str | None,
    retroactive: bool,
    statement: str,
    writer: str,
    dry_run: bool,
) -> int:
    """Another name of change; with --retroactive, of correct.

    \b
    vaultmem supersede project-x uses_database sqlite
    """

    def run(memory: Memory) -> Changed:
        return memory.facts.supersede(
            *words,
            effective=_moment(effective, memory),
            retroactive=retroactive,
            statement=statement,
            writer=writer,
            dry_run=dry_run,
        )

    return _say(shared, run)


@click.command("correct")
@click.argument("words", nargs=-1, metavar=_NEW)
@_statement
@_common
@click.pass_obj
def correct_command(
    shared: Shared, words: tuple[str, ...], statement: str, writer: str, dry_run: bool
) -> int:
    """Say that the record was wrong: the same item says it right.

    Its words and its value change, the time for which it holds does not: it was so all along.
    What is over can be corrected too, by its id.

    \b
    vaultmem correct project-x uses_database sqlite
    vaultmem correct i-7f3a2kq9xw "I was born in Porto."
    """

    def run(memory: Memory) -> Changed:
        return memory.correct(*words, statement=statement, writer=writer, dry_run=dry_run)

    return _say(shared, run)


@click.command("expire")
@click.argument("words", nargs=-1, metavar=_ENDED)
@click.option("--until", metavar="DATE", help="From when it holds no more. Default: now.")
@_common
@click.pass_obj
def expire_command(
    shared: Shared, words: tuple[str, ...], until: str | None, writer: str, dry_run: bool
) -> int:
    """Say that a fact ended, and that nothing took its place.

    \b
    vaultmem expire project-x uses_cache --until 2026-02-05
    vaultmem expire i-7f3a2kq9xw
    """

    def run(memory: Memory) -> Changed:
        at = _moment(until, memory)
        return memory.facts.expire(*words, until=at, writer=writer, dry_run=dry_run)

    return _say(shared, run)


@click.command("retract")
@click.argument("words", nargs=-1, metavar=_ENDED)
@_common
@click.pass_obj
def retract_command(shared: Shared, words: tuple[str, ...], writer: str, dry_run: bool) -> int:
    """Say that a fact was never true.

    It no longer answers, whatever day is asked about. The history keeps it. What is over
    can be retracted too, by its id or its value.

    \b
    vaultmem retract i-7f3a2kq9xw
    vaultmem retract user likes tea
    """

    def run(memory: Memory) -> Changed:
        return memory.facts.retract(*words, writer=writer, dry_run=dry_run)

    return _say(shared, run)


def _say(shared: Shared, run: Callable[[Memory], Changed]) -> int:
    with open_memory(shared.vault) as memory:
        done = run(memory)
        zone = memory.settings.timezone
    return shared.say(done, changed_lines(done, zone), zone)


def _moment(text: str | None, memory: Memory) -> int | None:
    if text is None:
        return None

    return language.parse_when(text, clock().now(), memory.settings.timezone)


def changed_lines(done: Changed, zone: str) -> Iterator[str]:
    """What became of the fact, and of what takes its place."""
    if done.no_op:
        yield f"nothing to do: {done.no_op}"
        yield from _state("=", done.successor or done.after, zone)
        return
    verb = f"would {done.op}" if done.dry_run else _DONE[done.op]
    commit = f" (commit {done.commit[:8]})" if done.commit else ""
    yield f"{verb} {done.before.id}{commit}"
    yield from _state("-", done.after if done.op != "correct" else done.before, zone)
    new = done.after if done.op == "correct" else done.successor
    if new is not None:
        yield from _state("+", new, zone)
        if done.composed:
            yield "the words are made of subject, predicate and value (--statement gives others)"
        if done.left_out:
            yield f"left out, as it was said of the former value: {one_line(done.left_out)}"
    if done.dry_run:
        yield f"would commit: {done.subject}"
        yield from (f"would write {path}" for path in done.files)


def _state(mark: str, state: FactState, zone: str) -> Iterator[str]:
    yield f"{mark} {one_line(state.statement)}"
    facts = [state.status]
    if state.valid_from is not None:
        facts.append(f"from {format_minute(state.valid_from, zone)}")
    if state.valid_until is not None:
        facts.append(f"until {format_minute(state.valid_until, zone)}")
    if state.subject and state.predicate:
        facts.append(one_line(f"{state.subject} / {state.predicate} / {state.object}"))
    facts.append(state.id)
    yield f"    {' · '.join(facts)}"
