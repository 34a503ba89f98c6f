"""review."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence

import click

from vaultmem.base import TYPE_CHECKING, MisusedError
from vaultmem.cli.note_lines import one_line
from vaultmem.cli.open_vault import open_memory
from vaultmem.cli.options import Shared, with_shared
from vaultmem.cli.output import say, say_json, tell
from vaultmem.language import visible

if TYPE_CHECKING:
    from vaultmem.api import Memory
    from vaultmem.model import Reviewed, Waiting

VERBS = ("approve", "reject")
_SHOWN = 400  # characters of a quote


@click.command("review")
@click.argument("words", nargs=-1, metavar="[approve|reject ID...]")
@click.option("--all", "everything", is_flag=True, help="Decide about everything that waits.")
@with_shared
def review_command(shared: Shared, words: tuple[str, ...], everything: bool) -> int:
    """List what waits for you; approve or reject it.

    Text that is not yours waits here when it reads as an instruction to an assistant, hides
    something, or states a rule. What you approve counts as your own words; what you reject is
    retracted. Either is one commit, and `vaultmem undo` takes it back. What an assistant asked to
    change of your own words waits here, too (q-...): approved, it is done. On a terminal, without
    arguments, each is asked for.

    \b
    vaultmem review
    vaultmem review approve i-7f3a2kq9xw
    vaultmem review reject --all
    """
    verb, refs = _parse_words(words, everything=everything)
    with open_memory(shared.vault) as memory:
        if verb == "":
            return _list(memory, as_json=shared.as_json)
        decide = memory.review.approve if verb == "approve" else memory.review.reject
        done = decide(*refs, everything=everything)
    return shared.say(done, reviewed_lines(done))


def _parse_words(words: Sequence[str], *, everything: bool) -> tuple[str, tuple[str, ...]]:
    """The verb ('': list) and the notes named after it."""
    if not words:
        if everything:
            raise MisusedError("--all of what?", hint="`review approve --all` or `reject --all`")
        return "", ()
    verb, *refs = words
    if verb not in VERBS:
        raise MisusedError(
            f"'{verb}' is neither approve nor reject", hint=f"`vaultmem review approve {verb}`"
        )
    if refs and everything:
        raise MisusedError(
            "name notes or say --all, not both", hint=f"`vaultmem review {verb} --all` or NOTE..."
        )
    return verb, tuple(refs)


def _list(memory: Memory, *, as_json: bool) -> int:
    found = memory.review.waiting()
    if as_json:
        say_json(found)
    elif found and sys.stdin.isatty() and sys.stdout.isatty():
        _ask(memory, found)
    else:
        say(waiting_lines(found))
    return 0


def _ask(memory: Memory, found: Sequence[Waiting]) -> None:
    """One question for each; an empty answer leaves it waiting."""
    for number, one in enumerate(found, start=1):
        say(["", f"{number} of {len(found)}", *_lines(one)])
        answer = click.prompt(
            "[a]pprove, [r]eject, [s]kip, [q]uit",
            type=click.Choice(["a", "r", "s", "q"]),
            default="s",
            show_choices=False,
        )
        if answer == "q":
            break
        if answer == "a":
            say(reviewed_lines(memory.review.approve(one.id or str(one.path))))
        elif answer == "r":
            say(reviewed_lines(memory.review.reject(one.id or str(one.path))))
    left = len(memory.review.waiting())
    tell(f"{left} still waiting" if left else "nothing waits any more")


def waiting_lines(found: Sequence[Waiting]) -> Iterator[str]:
    """What waits, and what to do about it."""
    if not found:
        yield "nothing waits for you"
        return
    for one in found:
        yield from _lines(one)
    yield ""
    yield f"{len(found)} waiting: `vaultmem review approve ID` or `vaultmem review reject ID`"


def _lines(one: Waiting) -> Iterator[str]:
    place = one.origin or (str(one.source) if one.source is not None else "")
    yield f"{one.id or one.path}  {one.kind}: {one_line(one.statement)}"
    yield f"    why: {one.reason}"
    if one.quote:
        yield f"    says: “{one_line(_reveal_joiners(one.quote), _SHOWN)}”"
    yield f"    from {place or 'nowhere'} ({one.writer or 'unknown writer'}, {one.trust})"


def _reveal_joiners(text: str) -> str:
    """The text with joiners spelled out too, which elsewhere are shown as they are."""
    return visible(text).replace("\u200c", "\\u200c").replace("\u200d", "\\u200d")


def reviewed_lines(done: Reviewed) -> Iterator[str]:
    """What was decided."""
    if not done.ids:
        yield "nothing waits for you"
        return
    verb = "approved" if done.verb == "approve" else "rejected"
    commit = f" (commit {done.commit[:8]})" if done.commit else ""
    yield f"{verb} {len(done.ids)}{commit}"
    for id_, statement in zip(done.ids, done.statements, strict=True):
        yield f"  {id_}  {one_line(statement, 90)}"
